//! A model with random, skewed counts over a map: what `instrument --model` takes where no session
//! can be recorded. `random_model app.plmap > model.json`

use std::io::Write;

use model::map::Map;
use tests::sim::{Rng, random_history};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: random_model MAP")?;
    let map = Map::from_bytes(&std::fs::read(file)?)?;
    Ok(std::io::stdout().write_all(&random_history(&map, &mut Rng::new(1)).to_bytes())?)
}

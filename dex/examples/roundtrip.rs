//! Reads a DEX file and writes it again: `roundtrip IN OUT`. With only `IN`, reads it 20 times and
//! prints how long the fastest and the median run took.

use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let input = args.next().ok_or("usage: roundtrip IN [OUT]")?;
    let bytes = std::fs::read(&input)?;
    if let Some(output) = args.next() {
        std::fs::write(output, dex::Dex::read(&bytes)?.write()?)?;
        return Ok(());
    }
    let mut times = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        let dex = dex::Dex::read(&bytes)?;
        let read = start.elapsed();
        let written = dex.write()?.len();
        times.push((read, start.elapsed() - read, written));
    }
    println!("first  read {:?} write {:?}", times[0].0, times[0].1);
    times.sort();
    println!("best   read {:?}", times[0].0);
    println!("median read {:?}; {} bytes in, {} out", times[10].0, bytes.len(), times[10].2);
    Ok(())
}

//! Checks that each path through a region ran as often as the counts of its ways allow.
//! `region_cells MAP PLC…`, with the map and the count files of a build with `--profile edges`.

use model::map::Map;
use tests::cells::region_cells;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let (map, files) = files.split_first().ok_or("usage: region_cells MAP PLC…")?;
    let map = Map::from_bytes(&std::fs::read(map)?)?;
    let files = files.iter().map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let cells = region_cells(&map, &files)?;
    println!(
        "{} paths of regions in their bounds, {} exact; {} of {} passes definite; {} methods \
         whose counts bound nothing",
        cells.compared, cells.exact, cells.definite, cells.passes, cells.unknown
    );
    Ok(())
}

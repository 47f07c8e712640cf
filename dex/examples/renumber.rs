//! Writes a file whose pools were in another order in memory: `renumber IN OUT`. Classes are copied
//! last to first, so that every index in every body changes on the way and must come back right.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(input), Some(output)) = (args.next(), args.next()) else {
        return Err("usage: renumber IN OUT".into());
    };
    let original = dex::Dex::read(&std::fs::read(input)?)?;
    let mut copy = dex::Dex::new(original.version);
    let mut importer = dex::Importer::new(&original);
    for class in (0..original.classes.len()).rev() {
        importer.class(&mut copy, class)?;
    }
    copy.classes.reverse();
    std::fs::write(output, copy.write()?)?;
    Ok(())
}

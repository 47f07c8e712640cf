//! Prints what is structurally wrong with DEX files: `verify FILE…`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut count = 0;
    for path in std::env::args().skip(1) {
        let dex = dex::Dex::read(&std::fs::read(&path)?).map_err(|e| format!("{path}: {e}"))?;
        for violation in dex::verify::verify(&dex) {
            println!("{path}: {violation}");
            count += 1;
        }
    }
    println!("{count} violations");
    Ok(())
}

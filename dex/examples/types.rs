//! Prints the bodies of DEX files whose registers do not hold what instructions take them for: `types FILE…`.

use dex::{Body, Dex, TypeChecker};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut bodies, mut refused) = (0, 0);
    for path in std::env::args().skip(1) {
        let dex = Dex::read(&std::fs::read(&path)?).map_err(|e| format!("{path}: {e}"))?;
        let checker = TypeChecker::new(&dex);
        for method in dex.classes.iter().flat_map(|c| c.methods()) {
            let Some(id) = method.code else { continue };
            let Body::Raw(raw) = &dex.codes[id.0 as usize] else { continue };
            bodies += 1;
            let code = dex::decode::decode(raw).map_err(|e| format!("{}: {e}", dex.method_name(method.method)))?;
            if let Err(e) = checker.check(method.method, method.access, &code) {
                println!("{path}: {}: {e}", dex.method_name(method.method));
                refused += 1;
            }
        }
    }
    println!("{bodies} bodies, {refused} refused");
    Ok(())
}

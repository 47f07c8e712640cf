//! Prints the bodies of DEX files whose registers do not hold what instructions take them for:
//! `types FILE…`. With `--write OUT.dex` in front it takes classes as text ([`dex::text`]) and
//! writes them, for other verifiers.

use dex::verify::types::TypeChecker;
use dex::{Body, Dex, Version};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "--write") {
        let [_, out, text] = &args[..] else {
            return Err("usage: types --write OUT.dex CLASSES.txt".into());
        };
        let mut dex = Dex::new(Version(35));
        dex::text::parse_classes(&std::fs::read_to_string(text)?, &mut dex)?;
        std::fs::write(out, dex.write()?)?;
        args = vec![out.clone()];
    }
    let (mut bodies, mut refused) = (0, 0);
    for path in args {
        let dex = Dex::read(&std::fs::read(&path)?).map_err(|e| format!("{path}: {e}"))?;
        let checker = TypeChecker::new(&dex);
        for method in dex.classes.iter().flat_map(|c| c.methods()) {
            let Some(id) = method.code else { continue };
            let Body::Raw(raw) = &dex.codes[id.0 as usize] else { continue };
            bodies += 1;
            let code =
                dex::decode(raw).map_err(|e| format!("{}: {e}", dex.method_name(method.method)))?;
            if let Err(e) = checker.check(method.method, method.access, &code) {
                println!("{path}: {}: {e}", dex.method_name(method.method));
                refused += 1;
            }
        }
    }
    println!("{bodies} bodies, {refused} refused");
    Ok(())
}

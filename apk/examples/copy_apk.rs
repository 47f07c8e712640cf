//! Copies a package through `apk`: all DEX files replaced by themselves, one more added, signed.
//!
//! ```text
//! copy_apk IN OUT [--plain] [--unsigned] [--schemes 1,2,3]
//!          [--ks FILE --pass PASSWORD [--alias NAME]]
//! ```
//!
//! `--plain`: nothing replaced and nothing added. Prints what was found and what was dropped.

use apk::{Apk, Container, NewEntry, SchemeSet, Signer, WriteOptions, dex_name};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| args.iter().any(|a| a == name);
    let value = |name: &str| {
        args.iter().position(|a| a == name).and_then(|i| args.get(i + 1)).map(String::as_str)
    };
    let [input, output, ..] = args.as_slice() else {
        return Err("usage: copy_apk IN OUT [options]".into());
    };

    let apk = Apk::read(input)?;
    let (mut replaced, mut added) = (Vec::new(), Vec::new());
    if !flag("--plain") {
        let dex = apk.dex_files()?;
        println!(
            "{:?}: {} dex files, ignored {:?}",
            apk.container(),
            dex.loaded.len(),
            dex.ignored
        );
        if apk.container() != Container::Dex {
            let name = dex_name(dex.loaded.len() + 1);
            let smallest = dex.loaded.iter().min_by_key(|d| d.bytes.len()).map(|d| d.bytes.clone());
            added.extend(smallest.map(|bytes| NewEntry { name, bytes }));
        }
        replaced.extend(dex.loaded.into_iter().map(|d| NewEntry { name: d.name, bytes: d.bytes }));
    }
    if let Some(manifest) = apk.manifest() {
        println!("{}", serde_json::to_string_pretty(manifest)?);
        println!("launcher {:?}", manifest.launcher());
    }
    let signer = match (flag("--unsigned") || apk.container() != Container::Apk, value("--ks")) {
        (true, _) => None,
        (_, Some(file)) => {
            Some(Signer::from_pkcs12(file, value("--pass").unwrap_or(""), value("--alias"))?)
        }
        _ => Some(Signer::debug()?),
    };
    let schemes = value("--schemes").map(|list| SchemeSet {
        v1: list.contains('1'),
        v2: list.contains('2'),
        v3: list.contains('3'),
    });
    let started = std::time::Instant::now();
    let written = apk.write(&replaced, &added, &[], signer.as_ref(), WriteOptions { schemes })?;
    println!(
        "written in {:?}, signed {:?}, dropped {:?}",
        started.elapsed(),
        written.signed,
        written.dropped
    );
    std::fs::write(output, written.bytes)?;
    Ok(())
}

//! Packages, DEX files and keys that readers refuse, read in part, or warn of.

use std::path::Path;
use std::process::Command;

use crate::support::{Ran, Work, repository};

/// A folder that also has these files of `tests/cli/packages`.
fn with(names: &[&str]) -> Work {
    let work = Work::new();
    for name in names {
        let file = repository("tests/cli/packages").join(name);
        work.write(name, std::fs::read(file).expect("a file of the repository"));
    }
    work
}

/// Packages of the set `base-without-code.apk`, `feature.apk`.
fn dex_names(work: &Work, file: &str) -> Vec<String> {
    let package = apk::Apk::read(work.path(file)).expect("a package");
    let names = package.entry_names().filter(|name| name.ends_with(".dex"));
    names.collect()
}

#[track_caller]
fn warns(ran: &Ran, words: &str) {
    assert!(ran.err.starts_with("pathlight: warning: ") && ran.err.contains(words), "{}", ran.err);
}

#[test]
fn bytes_that_belong_to_no_section_are_refused_by_file_and_place() {
    let work = with(&["payload-after-map.zip"]);
    for codec in ["arith", "none"] {
        let line = format!("instrument payload-after-map.zip -o x.zip --map m --codec {codec}");
        let ran = work.run(&line).fails(
            "payload-after-map.zip: classes.dex: 27 bytes between 0x5b4 and 0x5cf belong to no \
             section",
        );
        assert!(ran.err.contains("--drop-unmapped"), "{}", ran.err);
        let ran = work.run(&format!("{line} --drop-unmapped")).ok();
        warns(&ran, "classes.dex: 27 bytes that belong to no section");
    }
}

#[test]
fn malformed_debug_info_is_left_out_with_a_warning() {
    let work = with(&["debug-info-garbage.dex"]);
    let ran = work.run("instrument debug-info-garbage.dex -o x.dex --map m").ok();
    warns(&ran, "the debug info of 1 method is malformed");
    let ran = work.run("instrument debug-info-garbage.dex -o y.dex --codec none").ok();
    warns(&ran, "the debug info of 1 method is malformed");
}

/// ART 10 ends its list there, so a runtime behind it would never be loaded.
#[test]
fn a_numbered_file_that_is_no_dex_file_is_copied_and_named() {
    let work = with(&["classes2-zeros.zip"]);
    let ran = work.run("instrument classes2-zeros.zip -o x.zip --map m").ok();
    warns(&ran, "classes2.dex is no DEX file: ART's list of DEX files ends there");
    assert_eq!(dex_names(&work, "x.zip"), ["classes.dex", "classes2.dex"]);
    let dex_files = apk::Apk::read(work.path("x.zip")).and_then(|apk| apk.dex_files());
    let first = dex::Dex::read(&dex_files.expect("dex files").loaded[0].bytes).expect("a dex file");
    let is_runtime = |c: &dex::ClassDef| first.type_name(c.ty).ends_with("/Probes;");
    assert!(first.classes.iter().any(is_runtime), "the runtime is in the first file");
}

#[test]
fn a_plain_entry_marked_as_encrypted_is_instrumented() {
    let work = with(&["encrypted-bit.zip"]);
    work.run("instrument encrypted-bit.zip -o x.zip --map m").ok();
    assert!(!has_encrypted_bit(&work.read("x.zip")));
}

/// The bit in any local header (PK\3\4, flags at 6) or central record (PK\1\2, flags at 8).
fn has_encrypted_bit(zip: &[u8]) -> bool {
    let flags = |signature: &[u8], at: usize| {
        zip.windows(at + 2).any(|w| w.starts_with(signature) && w[at] & 1 != 0)
    };
    flags(b"PK\x03\x04", 6) || flags(b"PK\x01\x02", 8)
}

/// Android loads nothing of a base with `hasCode="false"`, so the runtime is in the split.
#[test]
fn the_split_of_a_base_without_code_is_instrumented() {
    let work = with(&["base-without-code.apk", "feature.apk"]);
    let ran = work.run("instrument base-without-code.apk feature.apk -o out --map m").ok();
    assert!(ran.out.contains("base: ") && ran.out.contains("no code, signed alike"), "{}", ran.out);
    assert_eq!(dex_names(&work, "out/base-without-code.apk"), [""; 0]);
    assert_eq!(dex_names(&work, "out/feature.apk"), ["classes.dex", "classes2.dex"]);
}

#[test]
fn an_app_that_shares_its_user_id_is_named() {
    let work = with(&["shared-uid.apk"]);
    let ran = work.run("instrument shared-uid.apk -o x.apk --map m").ok();
    warns(&ran, "the app shares the user id android.uid.system");
}

#[test]
fn the_name_of_the_output_promises_no_other_kind() {
    let work = Work::new();
    let of = |input: &str, output: &str| {
        work.run(&format!("instrument {input} -o {output} --map m --codec none"))
    };
    of("app.apk", "x.aab").fails(
        "x.aab: the name is that of an app bundle, but app.apk is an APK, and so is what is \
         written; choose a name that ends in .apk",
    );
    of("app.aab", "x.APK").fails("but app.aab is an app bundle");
    of("app.apks", "x.apk").fails("but app.apks is an archive of APKs");
    let also = "--sign-also split_config.de.apk test.aab";
    work.run(&format!("instrument app.apk -o x.apk --map m {also}")).fails("test.aab: the name");
    assert!(!work.path("x.apk").exists() && !work.path("x.aab").exists());
    for (input, output) in [("app.apk", "x.zip"), ("app.apk", "x"), ("app.apks", "x.xapk")] {
        of(input, output).ok();
    }
}

#[test]
fn a_short_key_is_named_and_a_key_without_its_certificate_explained() {
    let work = Work::new();
    let key = repository("apk/tests/keys/rsa1024.p12");
    std::fs::copy(key, work.path("short.p12")).expect("a key store");
    let line = "instrument app.apk -o x.apk --map m --ks-pass pass:secret1 --ks";
    warns(&work.run(&format!("{line} short.p12")).ok(), "the RSA key has 1024 bits");
    openssl(&work.path("."), "pkcs12 -in release.p12 -passin pass:secret1 -nodes -out all.pem");
    let ran = work.run(&format!("{line} all.pem")).fails("all.pem: this key file is PEM text");
    assert!(ran.err.contains("openssl pkcs12 -export -inkey KEY.pem"), "{}", ran.err);
    // What the message advises works.
    openssl(&work.path("."), "pkcs8 -topk8 -nocrypt -in all.pem -outform DER -out key.pk8");
    work.run(&format!("{line} key.pk8")).fails("key.pk8: this key file is a private key without");
    openssl(&work.path("."), "pkey -inform DER -in key.pk8 -out key.pem");
    let join = "pkcs12 -export -inkey key.pem -in all.pem -out new.p12 -passout pass:secret1";
    openssl(&work.path("."), join);
    work.run(&format!("{line} new.p12")).ok();
}

#[track_caller]
fn openssl(folder: &Path, words: &str) {
    let mut command = Command::new("openssl");
    let ran = command.args(words.split(' ')).current_dir(folder).output();
    let ran = ran.expect("openssl starts: tests/prerequisites.sh oracles");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn shares_of_what_was_added_name_their_whole() {
    let ran = Work::new().run("instrument app.apk -o x.apk --map m").ok();
    assert!(ran.out.contains("\nadded, in % of the original dex: runtime "), "{}", ran.out);
}

#[test]
fn a_file_that_grows_because_resources_must_be_stored_reports_the_bytes() {
    let work = with(&["shared-uid.apk"]);
    let app = apk::Apk::read(work.path("shared-uid.apk")).expect("a package");
    let entry = |name: &str, bytes| apk::NewEntry { name: name.into(), bytes };
    // The typed integer 29 of targetSdkVersion becomes 30.
    let mut manifest = app.small_entries(1 << 20, 1 << 20, |n| n == "AndroidManifest.xml");
    let mut manifest = manifest.next().expect("a manifest");
    let at = manifest.windows(5).position(|w| w == [0x10, 29, 0, 0, 0]).expect("the target");
    manifest[at + 1] = 30;
    // A new entry is compressed as classes.dex is.
    let (replaced, added) =
        ([entry("AndroidManifest.xml", manifest)], [entry("resources.arsc", vec![7; 40_000])]);
    let packed = app.write(&replaced, &added, &[], None, apk::WriteOptions::default());
    work.write("packed.apk", packed.expect("a package").bytes);
    let ran = work.run("instrument packed.apk -o x.apk --map m --json").ok();
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let unpacked = &json["unpacked"][0];
    assert_eq!(
        (&unpacked["name"], &unpacked["stored"]),
        (&"resources.arsc".into(), &40_000.into())
    );
    let more = 40_000 - unpacked["compressed"].as_u64().expect("a size");
    let ran = work.run("instrument packed.apk -o x.apk --map m").ok();
    let words = format!("\nresources.arsc takes {more} bytes more, because it is stored: ");
    assert!(ran.out.contains(&words), "{}", ran.out);
}

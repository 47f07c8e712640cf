//! Keys, passwords and signatures, judged by Android's own `apksigner` and `zipalign`.

use std::path::Path;
use std::process::Command;

use crate::support::{Ran, Work, pathlight, repository};

const INSTRUMENT: &str = "instrument app.apk -o signed.apk --map signed.plmap";

/// Runs one of Android's tools (Debian packages `apksigner`, `zipalign`;
/// `tests/prerequisites.sh oracles`).
#[track_caller]
fn tool(work: &Work, name: &str, args: &[&str]) -> Ran {
    let mut command = Command::new(name);
    command.args(args).current_dir(work.path("."));
    command
        .output()
        .unwrap_or_else(|e| panic!("{name} does not start ({e}): tests/prerequisites.sh oracles"))
        .into()
}

#[test]
fn an_unset_variable_is_named_and_nothing_is_written() {
    let work = Work::new();
    let ran = work
        .run(&format!("{INSTRUMENT} --ks release.p12 --ks-pass env:PATHLIGHT_NO_SUCH_VARIABLE"));
    ran.fails("--ks-pass env:PATHLIGHT_NO_SUCH_VARIABLE: environment variable not found");
    assert!(!work.path("signed.apk").exists());
}

#[test]
fn an_unreadable_password_file_is_named() {
    let work = Work::new();
    let ran = work.run(&format!("{INSTRUMENT} --ks release.p12 --ks-pass file:no-such-file"));
    ran.fails("--ks-pass file:no-such-file: there is no such file");
    work.write("empty", "");
    work.run(&format!("{INSTRUMENT} --ks release.p12 --ks-pass file:empty"))
        .fails("file:empty: the file is empty");
}

#[test]
fn a_password_without_its_kind_is_wrong_usage_and_not_shown() {
    let work = Work::new();
    let ran = work.run(&format!("{INSTRUMENT} --ks release.p12 --ks-pass hunter2"));
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("pass:TEXT, env:VARIABLE or file:PATH") && !ran.err.contains("hunter2"),
        "{}",
        ran.err
    );
}

#[test]
fn a_wrong_password_names_the_key_store() {
    let work = Work::new();
    work.run(&format!("{INSTRUMENT} --ks release.p12 --ks-pass pass:wrong"))
        .fails("release.p12: wrong password");
    work.run(&format!("{INSTRUMENT} --ks app.apk --ks-pass pass:wrong")).fails("app.apk: ");
}

#[test]
fn passwords_come_from_variables_and_files() {
    let work = Work::new();
    let mut command = pathlight(&work.path("."));
    command.args(INSTRUMENT.split(' ')).args(["--ks", "release.p12", "--ks-pass", "env:KS_PASS"]);
    Ran::from(command.env("KS_PASS", "secret1").output().unwrap()).ok();
    work.run(&format!("{INSTRUMENT} --ks release.p12 --ks-pass file:password.txt")).ok();
}

/// Instruments with a key store of the tests of `apk` and lets `apksigner` verify every scheme.
#[track_caller]
fn verifies(key: &str, algorithm: &str) {
    let work = Work::new();
    std::fs::copy(repository(KEYS).join(key), work.path("key.p12")).expect("a key store");
    work.run(&format!("{INSTRUMENT} --ks key.p12 --ks-pass pass:secret1 --schemes v1,v2,v3")).ok();
    let ran = tool(&work, "apksigner", &["verify", "--verbose", "--print-certs", "signed.apk"]);
    for scheme in
        ["v1 scheme (JAR signing): true", "v2 scheme (APK Signature Scheme v2): true", "v3): true"]
    {
        assert!(ran.out.contains(scheme), "{}{}", ran.out, ran.err);
    }
    assert!(ran.out.contains(algorithm), "{}", ran.out);
    tool(&work, "zipalign", &["-c", "-p", "4", "signed.apk"]).ok();
}

/// Key stores by other tools; the README there lists the commands.
const KEYS: &str = "apk/tests/keys";

#[test]
fn signatures_with_p_256_verify() {
    verifies("ec.p12", "key size (bits): 256");
}

#[test]
fn signatures_with_p_384_verify() {
    verifies("ec384.p12", "key size (bits): 384");
}

#[test]
fn signatures_with_p_521_verify() {
    verifies("ec521.p12", "key size (bits): 521");
}

#[test]
fn signatures_with_rsa_8192_verify() {
    verifies("rsa8192.p12", "key size (bits): 8192");
}

#[test]
fn an_unsigned_app_is_aligned_has_no_signature_and_can_be_signed() {
    let work = Work::new();
    work.run("instrument app.apk -o signed.apk --codec none --schemes v1,v2,v3").ok();
    let ran = work.run("instrument signed.apk -o no.apk --codec none --unsigned").ok();
    assert!(ran.out.contains("unsigned: sign it before you install it"), "{}", ran.out);
    let bytes = work.read("no.apk");
    assert!(!bytes.windows(16).any(|w| w == b"APK Sig Block 42"), "a signing block is left");
    assert!(!bytes.windows(9).any(|w| w == b"META-INF/"), "a signature file is left");
    tool(&work, "zipalign", &["-c", "-p", "4", "no.apk"]).ok();
    let unsigned = tool(&work, "apksigner", &["verify", "no.apk"]);
    assert_ne!(unsigned.code, Some(0), "{}", unsigned.out);
    let args = "sign --ks release.p12 --ks-pass pass:secret1 --in no.apk --out yes.apk";
    tool(&work, "apksigner", &args.split(' ').collect::<Vec<_>>()).ok();
    tool(&work, "apksigner", &["verify", "yes.apk"]).ok();
    assert!(Path::new(&work.path("yes.apk")).exists());
}

#[test]
fn unsigned_and_a_key_exclude_each_other() {
    let ran = Work::new().run(&format!("{INSTRUMENT} --unsigned --ks release.p12"));
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

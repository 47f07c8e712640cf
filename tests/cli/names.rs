//! Commands by the names that they had before.

use crate::support::Work;

/// Demands that two lines do the same: exit code and both outputs.
#[track_caller]
fn same(work: &Work, old: &str, new: &str) {
    let (old, new) = (work.run(old), work.run(new));
    assert_eq!((old.code, &old.out, &old.err), (new.code, &new.out, &new.err));
    assert_eq!(new.code, Some(0), "{}", new.err);
}

#[test]
fn old_names_do_what_new_names_do() {
    let work = Work::new();
    let logs = "--map app.plmap session.plt";
    same(&work, &format!("analyse {logs}"), &format!("paths analyse {logs}"));
    same(&work, &format!("analyze {logs}"), &format!("paths analyze {logs}"));
    let path = "--path Lorg/example/tether/Commands;->ackermann(II)I";
    same(&work, &format!("explain {logs} {path}"), &format!("paths explain {logs} {path}"));
    same(&work, &format!("select {logs} -o a.json"), &format!("paths select {logs} -o a.json"));
    same(&work, "cfg app.apk -o graphs", "graphs app.apk -o graphs");
    same(&work, "version", "--version");
    for (old, new) in [("analyse", "paths analyse"), ("cfg", "graphs")] {
        same(&work, &format!("help {old}"), &format!("{new} --help"));
    }
}

#[cfg(feature = "tables")]
#[test]
fn old_names_of_fleets_do_what_new_names_do() {
    let work = Work::new();
    let models = "model.json model.json -o merged.json";
    same(&work, &format!("merge {models}"), &format!("fleet merge {models}"));
    same(&work, "tables --help", "fleet tables --help");
}

#[test]
fn old_names_are_not_listed() {
    let help = Work::new().run("--help").ok().out;
    let listed = |name: &str| help.lines().any(|l| l.trim_start().starts_with(&format!("{name} ")));
    assert!(listed("paths") && listed("fleet"));
    for old in ["analyse", "explain", "select", "tables", "merge", "cfg", "man", "version"] {
        assert!(!listed(old), "{old}");
    }
}

#[test]
fn tables_of_a_configuration_may_have_old_names() {
    let work = Work::new();
    work.write("my.toml", "[analyse]\ntop = 1\n[paths.explain]\ntop = 2\n");
    let ran = work.run("--config my.toml analyse --map app.plmap session.plt").ok();
    assert_eq!(ran.err, "pathlight: my.toml: --top\n");
    let new = work.run("--config my.toml paths analyse --map app.plmap session.plt").ok();
    assert_eq!((ran.out, ran.err), (new.out, new.err));
    work.write("my.toml", "[cfg]\ntop = 1\n");
    let ran = work.run("--config my.toml inspect app.plmap");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("`pathlight graphs` has no option --top"), "{}", ran.err);
}

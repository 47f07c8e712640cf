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
    same(&work, "cfg app.apk -o graphs", "inspect app.apk --graphs graphs");
    same(&work, "graphs app.apk -o graphs", "inspect app.apk --graphs graphs");
    same(&work, "version", "--version");
    for (old, new) in [("analyse", "paths analyse"), ("cfg", "inspect")] {
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
    for old in
        ["analyse", "explain", "select", "tables", "merge", "cfg", "graphs", "man", "version"]
    {
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
    assert!(ran.err.contains("`pathlight inspect` has no option --top"), "{}", ran.err);
}

/// Demands that a build with old spellings of options is the build with the new ones.
#[track_caller]
fn same_build(work: &Work, old: &str, new: &str) {
    let build = |options: &str| {
        let command = "instrument app.apk -o x.apk --map x.plmap --force --unsigned";
        let ran = work.run(&format!("{command} {options}")).ok();
        (ran.out, ran.err, work.read("x.apk"), work.read("x.plmap"))
    };
    assert!(build(old) == build(new), "{old} / {new}");
}

#[test]
fn options_keep_their_old_spellings() {
    let work = Work::new();
    same_build(
        &work,
        "--codec arith-adaptive --adapt keep --keep 10 --steps never",
        "--codec arith-adaptive --adapt persist --log-quota 10 --inline-coder never",
    );
    work.run("paths select --map app.plmap session.plt -o paths.json").ok();
    let paths = "--profile paths --select paths.json";
    same_build(
        &work,
        &format!("{paths} --detect copies --hits published"),
        &format!("{paths} --path-tracking duplicate-blocks --count-storage periodic"),
    );
    same_build(
        &work,
        &format!("{paths} --detect flag --hits sure"),
        &format!("{paths} --path-tracking register --count-storage durable"),
    );
    for old in ["--detect", "--hits", "--keep", "--steps", "copies", "published"] {
        let help = work.run("instrument --help").ok().out;
        assert!(!help.split_whitespace().any(|word| word == old), "{old} is listed");
    }
}

#[test]
fn a_configuration_may_have_old_spellings() {
    let work = Work::new();
    work.write("pathlight.toml", "[instrument]\nkeep = 10\nsteps = \"never\"\n");
    let command = "instrument app.apk -o x.apk --map x.plmap --unsigned --force";
    let ran = work.run(&format!("{command} --inline-coder hot")).ok();
    assert!(ran.err.starts_with("pathlight: pathlight.toml: --log-quota\n"), "{}", ran.err);
    let ran = work.run(&format!("{command} --keep=9 --steps=all")).ok();
    assert!(!ran.err.contains("pathlight.toml"), "{}", ran.err);
}

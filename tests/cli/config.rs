//! A `pathlight.toml` that lies in the current folder: its author may be a stranger.

use crate::support::Work;

/// Demands that a found file with this line is refused for a command, by key and file, that nothing
/// was written, and that `--config` takes the line.
#[track_caller]
fn needs_config(line: &str, key: &str, command: &str) {
    let work = Work::new();
    work.write("pathlight.toml", line);
    let before = work.names();
    let ran = work.run(command);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains(&format!("pathlight.toml: line 1: `{key}` ")), "{}", ran.err);
    assert!(ran.err.contains("--config pathlight.toml"), "{}", ran.err);
    assert_eq!(work.names(), before);
    let named = work.run(&format!("--config pathlight.toml {command}"));
    assert!(!named.err.contains("only found"), "{}", named.err);
}

#[test]
fn a_found_file_signs_nothing() {
    let command = "instrument app.apk -o new.apk --map new.plmap";
    let line = "sign-also = [\"split_config.de.apk\", \"signed.apk\"]\n";
    needs_config(line, "sign-also", command);
    needs_config("ks = \"release.p12\"\n", "ks", command);
    needs_config("ks-pass = \"file:password.txt\"\n", "ks-pass", &format!("{command} --ks x.p12"));
    needs_config("schemes = [\"v1\"]\n", "schemes", command);
}

#[test]
fn a_found_file_writes_nothing() {
    needs_config("map = \"stolen.plmap\"\n", "map", "instrument app.apk -o new.apk");
    needs_config("output = \"new.apk\"\n", "output", "instrument app.apk --map new.plmap");
    let report = "report --map app.plmap session.plt --folded a.folded";
    needs_config("html = \"page.html\"\n", "html", report);
    needs_config("force = true\n", "force", "instrument app.apk -o new.apk --map app.plmap");
}

#[test]
fn a_found_file_neither_weakens_nor_leaks() {
    let command = "instrument app.apk -o new.apk --map new.plmap";
    needs_config("exclude = [\"org.example.*\"]\n", "exclude", command);
    needs_config("include = [\"org.example.*\"]\n", "include", command);
    needs_config("sink = \"logcat\"\n", "sink", command);
    needs_config("logs = \"external\"\n", "logs", command);
    let report = "report --map app.plmap session.plt --html page.html";
    needs_config("sources = [\".\"]\n", "sources", report);
}

#[test]
fn paths_of_a_found_file_stay_below_its_folder() {
    let decode = "decode session.plt";
    needs_config("map = \"../app.plmap\"\n", "map", decode);
    needs_config("map = \"/etc/hostname\"\n", "map", decode);
}

#[cfg(unix)]
#[test]
fn links_of_a_found_file_stay_below_its_folder() {
    let (work, other) = (Work::new(), Work::new());
    std::os::unix::fs::symlink(other.path("app.plmap"), work.path("link.plmap")).expect("a link");
    work.write("pathlight.toml", "map = \"link.plmap\"\n");
    let ran = work.run("decode session.plt");
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("`map` leads out of the file's folder"), "{}", ran.err);
}

#[test]
fn a_found_file_sets_what_does_no_harm() {
    let work = Work::new();
    work.write("pathlight.toml", "[decode]\nmap = \"app.plmap\"\nlast = 1\nnames = \"full\"\n");
    work.run("decode session.plt").ok();
}

/// An option on the line needs no refusal: the file's value is not taken.
#[test]
fn the_command_line_has_priority_over_what_is_refused() {
    let work = Work::new();
    work.write("pathlight.toml", "map = \"stolen.plmap\"\n");
    work.run("instrument app.apk -o new.apk --map new.plmap").ok();
    assert!(!work.names().contains(&"stolen.plmap".to_owned()));
}

/// Only root can give files away.
#[cfg(unix)]
#[test]
fn a_found_file_of_another_user_is_refused() {
    let work = Work::new();
    work.write("pathlight.toml", "[decode]\nlast = 1\n");
    let given = std::os::unix::fs::chown(work.path("pathlight.toml"), Some(65_534), None);
    let ran = work.run("decode --map app.plmap session.plt");
    match given {
        Ok(()) => {
            assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
            assert!(ran.err.contains("belongs to another user"), "{}", ran.err);
        }
        Err(_) => drop(ran.ok()),
    }
    work.run("decode --map app.plmap session.plt --no-config").ok();
    work.run("decode --map app.plmap session.plt --config pathlight.toml").ok();
}

#[cfg(unix)]
#[test]
fn a_device_or_pipe_is_no_configuration() {
    let work = Work::new();
    work.shell("mkfifo pipe").ok();
    for path in ["/dev/zero", "pipe"] {
        let ran = work.run(&format!("decode --map app.plmap session.plt --config {path}"));
        assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains("a pipe or a device"), "{}", ran.err);
    }
    // A shell's `<(…)` is a pipe that has been opened.
    work.shell("pathlight decode --map app.plmap session.plt --config <(echo)").ok();
}

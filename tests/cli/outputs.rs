//! No command writes over what it reads.

use crate::support::Work;

/// Runs a command that must be refused, and demands that no file of the folder has changed and none
/// was added.
#[track_caller]
fn refused(work: &Work, words: &str, message: &str) {
    let before: Vec<_> = work.names().into_iter().map(|n| (n.clone(), work.read(&n))).collect();
    work.run(words).fails(message);
    let after: Vec<_> = work.names().into_iter().map(|n| (n.clone(), work.read(&n))).collect();
    assert!(before == after, "`pathlight {words}` changed files: {:?}", work.names());
}

#[test]
fn the_release_key_is_not_replaced_by_an_app() {
    let work = Work::new();
    let words = "instrument app.apk -o release.p12 --map m --ks release.p12 --ks-pass pass:secret1";
    refused(&work, words, "release.p12: -o would overwrite the key store");
}

#[test]
fn the_release_key_is_not_replaced_when_another_key_signs() {
    refused(
        &Work::new(),
        "instrument app.apk -o release.p12 --map m",
        "release.p12: -o writes a package",
    );
}

#[test]
fn no_input_of_instrument_is_an_output() {
    let work = Work::new();
    for output in ["-o app.apk --map m", "-o x --map app.apk", "-o ./app.apk --map m"] {
        refused(&work, &format!("instrument app.apk {output}"), "would overwrite the app");
    }
    for output in ["-o ./model.json --map m", "-o x --map model.json"] {
        refused(
            &work,
            &format!("instrument app.apk --model model.json {output}"),
            "would overwrite the model",
        );
    }
    refused(
        &work,
        "instrument app.apk --mapping mapping.txt -o mapping.txt --map m",
        "overwrite the mapping",
    );
    let words =
        "instrument app.apk --ks release.p12 --ks-pass file:password.txt -o x --map password.txt";
    refused(&work, words, "would overwrite the password file");
}

#[test]
fn the_two_outputs_of_instrument_are_two_files() {
    let work = Work::new();
    refused(&work, "instrument app.apk -o x --map x", "-o and --map name the same file");
    let folder = work.path(".");
    let same = folder.canonicalize().unwrap().join("x");
    refused(
        &work,
        &format!("instrument app.apk -o ./x --map {}", same.display()),
        "name the same file",
    );
}

#[test]
fn train_does_not_replace_what_it_reads() {
    let work = Work::new();
    let train = "train --map app.plmap session.plt";
    refused(&work, &format!("{train} -o app.plmap"), "app.plmap: -o would overwrite the map");
    refused(&work, &format!("{train} -o session.plt"), "session.plt: -o would overwrite a log");
    refused(
        &work,
        &format!("{train} --model model.json -o ./model.json"),
        "would overwrite an input model",
    );
}

#[test]
fn a_time_tree_replaces_time_trees_alone_and_only_when_it_is_whole() {
    let work = Work::new();
    let build = "timetree build --map app.plmap";
    refused(&work, &format!("{build} session.plt -o session.plt"), "-o would overwrite a log");
    refused(&work, &format!("{build} session.plt -o model.json"), "-o writes a time tree");
    work.run(&format!("{build} session.plt -o s.pltt")).ok();
    let before = work.read("s.pltt");
    refused(&work, &format!("{build} no-such.log -o s.pltt"), "no-such.log");
    work.run(&format!("{build} session.plt --leaf 2 -o s.pltt")).ok();
    assert!(work.read("s.pltt") != before);
}

#[test]
fn standard_input_is_an_input_too() {
    let work = Work::new();
    let before = work.read("session.plt");
    let ran = work.shell("pathlight train --map app.plmap - -o session.plt < session.plt");
    ran.fails("session.plt: -o would overwrite a log");
    assert!(work.read("session.plt") == before);
}

#[test]
fn a_file_of_another_kind_is_not_replaced() {
    let work = Work::new();
    refused(&work, "train --map app.plmap session.plt -o beta.apk", "-o writes a model");
    refused(&work, "instrument app.apk -o beta.apk --map model.json", "--map writes a map");
    work.write("notes.txt", "mine");
    refused(&work, "instrument app.apk -o notes.txt --map m", "-o writes a package");
}

#[test]
fn a_file_of_the_same_kind_and_an_empty_one_are_replaced() {
    let work = Work::new();
    work.write("empty", "");
    work.run("instrument app.apk -o beta.apk --map app.plmap --sink logcat --force").ok();
    assert!(work.map().build.to_string() != Work::new().map().build.to_string());
    work.run("instrument app.apk -o empty --map app.plmap --force").ok();
    assert!(work.read("empty").starts_with(b"PK"));
}

#[cfg(unix)]
#[test]
fn links_are_the_files_that_they_name() {
    let work = Work::new();
    std::os::unix::fs::symlink("app.apk", work.path("link.apk")).unwrap();
    std::fs::hard_link(work.path("app.apk"), work.path("hard.apk")).unwrap();
    for output in ["link.apk", "hard.apk"] {
        refused(
            &work,
            &format!("instrument app.apk -o {output} --map m"),
            "would overwrite the app (app.apk)",
        );
    }
    refused(&work, "instrument link.apk -o app.apk --map m", "would overwrite the app (link.apk)");
}

#[cfg(unix)]
#[test]
fn a_broken_link_is_replaced_and_not_followed() {
    let work = Work::new();
    std::os::unix::fs::symlink("elsewhere", work.path("new.plmap")).unwrap();
    work.run("instrument app.apk -o beta.apk --map new.plmap").ok();
    assert!(!work.path("elsewhere").exists());
    assert!(work.read("new.plmap").starts_with(b"PLMAP"));
}

#[test]
fn a_failure_leaves_neither_output_nor_half_a_file() {
    let work = Work::new();
    let names = work.names();
    let (map, beta) = (work.read("app.plmap"), work.read("beta.apk"));
    std::fs::create_dir(work.path("sub")).unwrap();
    work.run("instrument app.apk -o beta.apk --map sub").fails("sub: --map names a folder");
    work.run("instrument app.apk -o no/such/folder/beta.apk --map app.plmap --sink logcat")
        .fails("there is no such file or folder");
    work.run("instrument session.plt -o beta.apk --map app.plmap").fails("session.plt");
    std::fs::remove_dir(work.path("sub")).unwrap();
    assert_eq!(work.names(), names);
    assert!(work.read("app.plmap") == map && work.read("beta.apk") == beta);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_written_to() {
    let work = Work::new();
    work.run("instrument app.apk -o /dev/null --map /dev/null").ok();
    let ran = work.shell("pathlight instrument app.apk -o >(cat > piped.apk) --map m && sleep 0.2");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(work.read("piped.apk").starts_with(b"PK"));
    work.shell("pathlight train --map app.plmap session.plt -o /dev/stdout | cat > both").ok();
    assert!(work.read("both").starts_with(b"{\"format\":\"pathlight-model\""));
    let mode = std::fs::metadata("/dev/null").unwrap();
    assert!(!mode.is_file(), "/dev/null was replaced");
}

#[test]
fn graphs_do_not_replace_the_app() {
    let work = Work::new();
    std::fs::create_dir_all(work.path("graphs/classes")).unwrap();
    std::fs::rename(work.path("app.apk"), work.path("graphs/index.json")).unwrap();
    let before = work.read("graphs/index.json");
    work.run("inspect graphs/index.json --graphs graphs")
        .fails("graphs/index.json: --graphs would overwrite the app");
    assert!(work.read("graphs/index.json") == before);
}

#[cfg(unix)]
#[test]
fn graphs_do_not_follow_links_out_of_their_folder() {
    let work = Work::new();
    std::fs::create_dir(work.path("graphs")).unwrap();
    work.write("mine", "mine");
    std::os::unix::fs::symlink("../mine", work.path("graphs/index.json")).unwrap();
    work.run("inspect app.apk --graphs graphs").ok();
    assert_eq!(work.read("mine"), b"mine");
    assert!(work.read("graphs/index.json").starts_with(b"{"));
}

//! Maps, models, selected paths and time trees outlive a run: nothing else takes their places.

use crate::support::Work;

/// Demands that a command leaves a file as it is, by these words, and replaces it with `--force`.
#[track_caller]
fn needs_force(work: &Work, words: &str, name: &str, message: &str) {
    let before = work.read(name);
    let ran = work.run(words).fails(message);
    assert!(ran.err.contains("--force"), "{}", ran.err);
    assert!(work.read(name) == before, "{name} has changed");
    work.run(&format!("{words} --force")).ok();
    assert!(work.read(name) != before, "{name} is as before");
}

#[test]
fn the_map_of_another_build_is_kept() {
    let work = Work::new();
    let (build, package) = (work.map().build, work.map().package);
    let message = format!("app.plmap: --map would replace the map of build {build} of {package}");
    let words = "instrument app.apk -o new.apk --map app.plmap --codec huffman";
    needs_force(&work, words, "app.plmap", &message);
}

#[test]
fn the_map_of_the_same_build_is_written_again() {
    let work = Work::new();
    let words = "instrument app.apk -o again.apk --map app.plmap --codec arith-adaptive-shift";
    work.run(words).ok();
}

#[test]
fn a_damaged_map_is_kept() {
    let work = Work::new();
    let mut map = work.read("app.plmap");
    map.truncate(map.len() / 2);
    work.write("app.plmap", map);
    let words = "instrument app.apk -o new.apk --map app.plmap";
    needs_force(&work, words, "app.plmap", "would replace a damaged file");
}

/// Another build of the app, with a session; its map is `other.plmap`.
fn other_build(work: &Work) {
    let words = "--codec arith-adaptive-shift --exclude org.example.tether.Screen";
    work.run(&format!("instrument app.apk -o other.apk --map other.plmap {words}")).ok();
    let map = model::map::Map::from_bytes(&work.read("other.plmap")).expect("a map");
    work.write("other.plt", crate::support::trace(&map, "main"));
}

#[test]
fn a_model_with_sessions_of_another_build_is_kept() {
    let work = Work::new();
    other_build(&work);
    let build = work.map().build;
    let words = "train --map other.plmap other.plt -o model.json";
    let message = format!("model.json: -o would replace the model of build {build} (written ");
    needs_force(&work, words, "model.json", &message);
}

#[test]
fn a_model_is_replaced_by_one_that_has_its_sessions() {
    let work = Work::new();
    other_build(&work);
    work.write("old.json", work.read("model.json"));
    work.run("train --map other.plmap other.plt --model old.json -o model.json").ok();
}

#[test]
fn the_time_tree_of_another_build_is_kept() {
    let work = Work::new();
    other_build(&work);
    work.run("timetree build --map app.plmap session.plt -o a.pltt").ok();
    work.run("timetree build --map app.plmap session.plt -o a.pltt").ok();
    let words = "timetree build --map other.plmap other.plt -o a.pltt";
    needs_force(&work, words, "a.pltt", "-o would replace a time tree of build");
}

#[test]
fn selected_paths_of_another_app_are_kept() {
    let work = Work::new();
    let select = "select --map app.plmap session.plt -o paths.json";
    work.run(select).ok();
    work.run(select).ok();
    let text = String::from_utf8(work.read("paths.json")).expect("text");
    work.write("paths.json", text.replacen(&work.map().package, "org.example.another", 1));
    needs_force(&work, select, "paths.json", "would replace selected paths of org.example.another");
}

//! Logs of several builds in one call: each is decoded with the map of its build.

use model::map::Map;
use model::profile::Profile;
use serde_json::Value;

use crate::support::{Work, repository, trace};

/// A folder with a session of each of two builds: `session.plt` with `app.plmap`, and `other.plt`
/// with `other.plmap`.
fn two_builds() -> (Work, [Map; 2]) {
    let work = Work::new();
    let options = "--codec arith-adaptive-shift --exclude org.example.tether.Settings";
    work.run(&format!("instrument app.apk -o other.apk --map other.plmap {options}")).ok();
    let other = Map::from_bytes(&work.read("other.plmap")).expect("a map");
    work.write("other.plt", trace(&other, "worker"));
    let maps = [work.map(), other];
    assert_ne!(maps[0].build, maps[1].build);
    (work, maps)
}

/// Without maps on the command line, both are found beside the logs.
#[test]
fn decode_prints_one_build_after_the_other_under_its_name() {
    let (work, maps) = two_builds();
    let alone = |map: &str, log: &str| work.run(&format!("decode --map {map} {log}")).ok().out;
    let mut parts = [
        (maps[0].build, "app.plmap", alone("app.plmap", "session.plt")),
        (maps[1].build, "other.plmap", alone("other.plmap", "other.plt")),
    ];
    parts.sort_by_key(|part| part.0);
    let expected: String = parts
        .iter()
        .map(|(build, map, paths)| {
            format!("##### build {build} of org.example.tether, map {map}\n{paths}")
        })
        .collect();
    for maps in ["", "--map .", "--map app.plmap --map other.plmap"] {
        let ran = work.run(&format!("decode {maps} other.plt session.plt")).ok();
        assert!(ran.out == expected, "{maps}: {}", &ran.out[..500]);
        assert_eq!(ran.err, "");
    }
}

#[test]
fn json_names_the_build_of_each_process_if_there_are_several() {
    let (work, maps) = two_builds();
    let processes = |logs: &str| -> Vec<Value> {
        let out = work.run(&format!("decode {logs} --json")).ok().out;
        let lines = out.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        lines.filter(|line: &Value| line["e"] == "process").collect()
    };
    let alone = processes("session.plt");
    assert_eq!(alone.len(), 1);
    assert!(alone[0].get("build").is_none());
    let both = processes("session.plt other.plt");
    assert_eq!([&both[0]["n"], &both[1]["n"]], [1, 2]);
    let mut builds = [maps[0].build.to_string(), maps[1].build.to_string()];
    builds.sort();
    assert_eq!([&both[0]["build"], &both[1]["build"]], [&builds[0], &builds[1]]);
}

#[test]
fn sessions_of_a_build_without_a_map_are_left_out_and_reported() {
    let (work, maps) = two_builds();
    let options = "--codec arith-adaptive-shift --exclude org.example.tether.Network";
    work.run(&format!("instrument app.apk -o third.apk --map third.plmap {options}")).ok();
    let third = Map::from_bytes(&work.read("third.plmap")).expect("a map");
    work.write("third.plt", trace(&third, "main"));
    std::fs::remove_file(work.path("third.plmap")).expect("it was there");
    let ran = work.run("decode session.plt other.plt third.plt");
    assert_eq!(ran.code, Some(1), "damage: {}", ran.err);
    let left = format!("1 session of build {} is left out: pass the map", third.build);
    assert!(ran.err.contains(&left), "{}", ran.err);
    assert_eq!(ran.out.matches("\n##### build").count() + 1, 2, "{maps:?}");
}

/// Path ids are numbers of one build.
#[test]
fn commands_that_take_one_build_name_the_maps() {
    let (work, _) = two_builds();
    for command in [
        "decode --path-ids",
        "report --html x.html",
        "report --folded x.folded",
        "timetree build -o x.pltt",
        "paths analyse",
        "paths select -o x.json",
    ] {
        let ran = work.run(&format!("{command} session.plt other.plt"));
        let (out, code, err) = (ran.out, ran.code, ran.err);
        assert!(code == Some(1) && out.is_empty(), "{command}: {code:?} {out}");
        assert!(
            err.contains("the logs are of 2 builds, and this works on one"),
            "{command}: {err}"
        );
        assert!(err.contains("app.plmap (") && err.contains("other.plmap ("), "{command}: {err}");
    }
    for command in ["report --lcov x.info", "compare --bad session.plt --good"] {
        work.run(&format!("{command} other.plt")).ok();
    }
    work.run("report --lcov x.info session.plt other.plt").ok();
}

/// Both builds together give the counts of each by itself.
#[test]
fn train_counts_all_builds_into_one_model() {
    let (work, maps) = two_builds();
    let model = |name: &str| Profile::from_bytes(&work.read(name)).expect("a model");
    work.run("train --map app.plmap session.plt -o app.json").ok();
    work.run("train --map other.plmap other.plt --model app.json -o chained.json").ok();
    let ran = work.run("train session.plt other.plt -o both.json --json").ok();
    let figures: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(figures["sessions"], 2);
    let (both, chained) = (model("both.json"), model("chained.json"));
    assert_eq!((&both.methods, &both.slots), (&chained.methods, &chained.slots));
    assert_eq!((&both.next_callbacks, both.sessions), (&chained.next_callbacks, 2));
    assert!(maps.iter().all(|map| both.builds.contains(&map.build)));
    let text = work.run("train session.plt other.plt -o both.json").ok().out;
    assert!(
        text.contains("2 sessions in the model, counted with the maps of 2 builds\n"),
        "{text}"
    );
}

/// The recorded sessions are of builds whose tables do not adapt: each branch has its price.
#[test]
fn train_names_the_build_of_a_branch_that_gets_cheaper() {
    let work = Work::new();
    let from = repository("tests/cli");
    let copy = "mkdir one two; cp -r FROM/recorded/app.plmap FROM/recorded/sessions one; \
                cp FROM/protocol2/arith.pl* two";
    work.shell(&copy.replace("FROM", &from.display().to_string())).ok();
    let train = |maps: &str| {
        let ran = work.run(&format!("train {maps} -o x.json --force --json")).ok();
        let figures: Value = serde_json::from_str(&ran.out).expect("JSON");
        figures["most_expensive"].as_array().expect("a list").clone()
    };
    let both = train("--map one --map two one two");
    let builds = ["24438a7637311d5d5938b855673777f7", "917ea8d1b3d67552f39a9eb1f86dea67"];
    for build in builds {
        assert!(both.iter().any(|branch| branch["build"] == build), "{both:?}");
    }
    let saving =
        |branch: &Value| branch["now"].as_f64().unwrap() - branch["trained"].as_f64().unwrap();
    assert!(both.is_sorted_by(|a, b| saving(a) >= saving(b)), "{both:?}");
    let alone = train("--map one one");
    assert!(alone.iter().all(|branch| branch.get("build").is_none()));
    assert_eq!(alone[0]["method"], both[0]["method"]);
}

#[test]
fn train_takes_each_map_once_and_none_without_logs() {
    let (work, _) = two_builds();
    let train = |maps: &str| work.run(&format!("train {maps} session.plt -o x.json"));
    train("--map app.plmap --map app.plmap").fails("app.plmap: a map of this build is given twice");
    train("--map app.plmap --map other.plmap")
        .fails("other.plmap: no log and no count file is of its build");
    assert!(!work.path("x.json").exists());
}

#[test]
fn crash_shows_the_build_whose_path_fits() {
    let (work, _) = two_builds();
    let from = repository("tests/cli/recorded");
    let copy = "mkdir crashed; cp \"$0\"/pathlight-24438a76-*.plt \"$0\"/crash.log crashed";
    work.shell(&copy.replace("$0", &from.display().to_string())).ok();
    std::fs::copy(from.join("app.plmap"), work.path("crashed/crash.plmap")).expect("copied");
    let alone = work.run("crash --map crashed crashed/*.plt --stack crashed/crash.log").ok().out;
    for order in ["crashed/*.plt session.plt", "session.plt crashed/*.plt"] {
        let ran = work.run(&format!("crash {order} --stack crashed/crash.log")).ok();
        assert_eq!(ran.out, alone);
        assert!(ran.err.contains("of 2 builds, build 24438a76"), "{}", ran.err);
        assert!(ran.err.contains(" fits best (crashed/crash.plmap)"), "{}", ran.err);
    }
}

/// The class is in the app and its map, and the simulated session never calls it.
#[test]
fn a_class_that_never_ran_is_reported() {
    let work = Work::new();
    let ran = work.run("decode --map app.plmap session.plt --json").ok().out;
    let map = work.map();
    let idle = map.methods.iter().map(|method| map.name(method.class));
    let idle =
        idle.into_iter().find(|class| !ran.contains(*class)).expect("a class that never ran");
    let class = idle.trim_start_matches('L').trim_end_matches(';').replace('/', ".");
    for more in ["", "--json"] {
        let line = format!("decode --map app.plmap session.plt --class {class} {more}");
        let ran = work.run(&line).ok();
        assert!(!ran.out.contains("\n#") && !ran.out.contains("enter"), "{}", ran.out);
        let words = format!("nothing to print: the build has {class}, but no call of it");
        assert!(ran.err.contains(&words), "{}", ran.err);
    }
    let late = work.run("decode --map app.plmap session.plt --callback 999999-").ok();
    assert!(late.err.contains("no callback of these logs passes the filters"), "{}", late.err);
    let some = work.run("decode --map app.plmap session.plt --callback 3").ok();
    assert_eq!(some.err, "");
}

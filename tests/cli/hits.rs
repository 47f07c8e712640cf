//! Selected paths: what builds that count them are made of, and what `decode` makes of hit files.

use model::hits::{HitFile, ThreadHits};
use model::map::Map;
use model::paths_file::{PathsFile, StepAt};
use tests::sim::identity;

use crate::support::Work;

/// A folder with paths of the beta log, and the map of a build that counts them.
fn counting() -> (Work, Map) {
    let work = Work::new();
    work.map();
    work.run("select --map app.plmap beta.log --top 3 -o paths.json").ok();
    work.run(
        "instrument app.apk -o counting.apk --map counting.plmap --profile paths \
         --select paths.json",
    )
    .ok();
    let map = Map::from_bytes(&work.read("counting.plmap")).unwrap();
    (work, map)
}

fn hits(map: &Map, pid: u32, counts: [u64; 3]) -> HitFile {
    let thread =
        |thread, name: &str| ThreadHits { thread, name: name.into(), counts: counts.into() };
    let threads = vec![thread(0, ""), thread(1, "main")];
    HitFile { identity: identity(map, pid), paths: 3, threads, ..HitFile::default() }
}

#[test]
fn counts_of_processes_and_threads_add_up() {
    let (work, map) = counting();
    work.write("a.plh", hits(&map, 7, [1, 0, 1000]).to_bytes());
    work.write("b.plh", hits(&map, 8, [1, 0, 1]).to_bytes());
    let ran = work.run("decode --map counting.plmap a.plh b.plh --format json").ok();
    let counted: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let counts: Vec<_> = counted["paths"].as_array().unwrap().iter().map(|p| &p["count"]).collect();
    assert_eq!(counts, [4, 0, 2002]);
    assert_eq!(counted["paths"][2]["threads"]["main"], 1001);
    assert_eq!(counted["paths"][2]["threads"]["(other threads)"], 1001);
    assert_eq!(counted["processes"], 2);
}

#[test]
fn wrong_counts_are_reported() {
    let (work, map) = counting();
    let whole = hits(&map, 7, [5, 6, 7]);
    work.write("a.plh", whole.to_bytes());
    let decode = |files: &str| work.run(&format!("decode --map counting.plmap {files}"));
    decode("a.plh a.plh").fails("a.plh: counts of process 7, of which another file was given");
    work.write("empty.plh", [0; 4096]);
    let ran = decode("empty.plh a.plh").ok();
    assert!(ran.err.contains("empty.plh: the file was made, but not begun"), "{}", ran.err);
    work.write("short.plh", &whole.to_bytes()[..100]);
    decode("short.plh").fails("short.plh: the file ends inside its header, after 100 bytes");
    let other = HitFile { identity: identity(&work.map(), 7), ..whole.clone() };
    work.write("other.plh", other.to_bytes());
    decode("other.plh").fails("other.plh: counts of build ");
    let mut damaged = whole.to_bytes();
    let last = damaged.len() - 3;
    damaged[last] ^= 1;
    work.write("damaged.plh", &damaged);
    let ran = decode("damaged.plh");
    assert!(ran.err.contains("the count of path 2 at byte "), "{}", ran.err);
    ran.fails("damage in what was read, which the output lacks: 1 problem\n");
    let lost = HitFile { lost: 3, ..whole };
    work.write("lost.plh", lost.to_bytes());
    let ran = decode("lost.plh").ok();
    assert!(
        ran.out.contains("at least 14 ×") && ran.out.contains("3 hits were lost"),
        "{}",
        ran.out
    );
    decode("beta.log").fails("beta.log: not a hit file");
    assert_eq!(decode("a.plh --thread main").code, Some(2));
    let train = work.run("train --map counting.plmap a.plh -o model.json");
    train.fails("the map's build counts paths and writes no logs");
}

#[test]
fn paths_that_the_app_does_not_have_are_refused_by_name() {
    let (work, _) = counting();
    let paths = PathsFile::from_bytes(&work.read("paths.json")).unwrap();
    let refused = |change: &dyn Fn(&mut PathsFile), message: &str| {
        let mut paths = paths.clone();
        change(&mut paths);
        work.write("changed.json", paths.to_bytes());
        let command =
            "instrument app.apk -o x.apk --map x.plmap --profile paths --select changed.json";
        work.run(command).fails(message);
        assert!(!work.path("x.apk").exists() && !work.path("x.plmap").exists());
    };
    refused(&|f| f.paths[1].shape = "0123456789abcdef".into(), "path p2 of ");
    refused(&|f| f.paths[1].shape = "0123456789abcdef".into(), "it is of another release");
    refused(&|f| f.paths[0].method = "La/B;->c()V".into(), "the app has no such method with code");
    refused(&|f| f.paths[0].steps[1] = StepAt::Block(9999), "no block begins at address 9999");
    refused(&|f| f.paths[0].steps.truncate(1), ", which does not return");
    refused(&|f| f.paths[0].steps.remove(0).parts().map_or((), drop), "no such path can begin");
    refused(&|f| f.paths.clear(), "changed.json: it selects no path");
}

#[test]
fn profile_paths_and_its_paths_go_together() {
    let (work, _) = counting();
    let run =
        |options: &str| work.run(&format!("instrument app.apk -o x.apk --map x.plmap {options}"));
    assert_eq!(run("--profile paths").code, Some(2));
    assert_eq!(run("--select paths.json").code, Some(2));
    assert_eq!(run("--profile paths --select paths.json --sink logcat").code, Some(2));
    assert_eq!(run("--profile paths --select paths.json --ring").code, Some(2));
    assert!(run("--codec paths").err.contains("no codec is called \"paths\""));
}

/// A build that counts leaves all other methods as they are: their code has the same length, and
/// the runtime is the small one.
#[test]
fn methods_without_selected_paths_stay_as_they_are() {
    let (work, map) = counting();
    let before = dex_of(&work, "app.apk");
    let after = dex_of(&work, "counting.apk");
    let selected: Vec<String> = map.methods.iter().map(|m| map.method_key(m)).collect();
    assert!(!selected.is_empty() && selected.len() <= 3, "{selected:?}");
    let (mut same, mut other) = (0, 0);
    for (method, code) in &before {
        match after[method] == *code {
            true => same += 1,
            false => {
                other += 1;
                assert!(selected.contains(method), "{method} changed");
            }
        }
    }
    assert_eq!(other, selected.len());
    assert!(same > 100, "{same} methods compared");
}

/// Instructions of each method, as text without numbers of strings, types and members.
fn dex_of(work: &Work, apk: &str) -> std::collections::BTreeMap<String, Vec<String>> {
    let apk = apk::Apk::read(work.path(apk)).expect("an APK");
    let mut found = std::collections::BTreeMap::new();
    for file in apk.dex_files().expect("dex files").loaded {
        let dex = dex::Dex::read(&file.bytes).expect("a dex file");
        for m in dex.classes.iter().flat_map(|class| class.methods()) {
            let Some(code) = m.code.and_then(|c| dex.code(c)) else { continue };
            let code = code.expect("instructions");
            let text = code.insns().map(|(_, insn)| format!("{:?}", insn.op));
            let mut text: Vec<String> = text.collect();
            text.push(format!("{} registers", code.registers));
            found.entry(dex.method_name(m.method)).or_insert(text);
        }
    }
    found
}

#[test]
fn commands_that_read_logs_leave_out_hit_files_beside_them() {
    let (work, map) = counting();
    work.shell("mkdir both; cp session.plt app.plmap counting.plmap both").ok();
    work.write("both/a.plh", hits(&map, 7, [1, 0, 1]).to_bytes());
    for command in ["timetree build both -o both.pltt", "train both -o both.json", "crash both"] {
        let alone = work.run(&command.replace("both ", "session.plt --map app.plmap "));
        let ran = work.run(command);
        assert_eq!((ran.code, &ran.out), (alone.code, &alone.out), "{command}: {}", ran.err);
        assert!(
            ran.err.contains("both/a.plh counts selected paths: `decode` shows it"),
            "{}",
            ran.err
        );
    }
    work.run("timetree build both/a.plh --map app.plmap -o a.pltt")
        .fails("a.plh counts selected paths: `decode` shows it");
}

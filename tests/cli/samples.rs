//! `samples show`: the published example of merged passes, from files of samples.

use serde_json::Value;

use crate::support::{Ran, Work, repository};

fn show(file: &str, options: &str) -> Ran {
    let folder = repository("tests/cli/samples");
    let folder = folder.display();
    Work::new().run(&format!("samples show --map {folder}/fj.plmap {folder}/{file} {options}"))
}

/// The groups that `samples show` prints.
fn groups(file: &str, options: &str) -> Vec<Value> {
    let answer: Value =
        serde_json::from_str(&show(file, &format!("{options} --json")).ok().out).expect("JSON");
    answer["files"][0]["groups"].as_array().expect("groups").clone()
}

/// The places of a group with a number of each of them.
fn steps<'g>(group: &'g Value, number: &str) -> Vec<(&'g str, u64)> {
    let steps = group["steps"].as_array().expect("steps").iter();
    let place = |s: &'g Value| s["stack"].as_array().and_then(|s| s.last()?.as_str());
    steps
        .map(|s| (place(s).expect("a place"), s[number].as_f64().expect("a number") as u64))
        .collect()
}

/// Lines of methods, in order, each of one sample.
fn lines(methods: &[(&str, std::ops::RangeInclusive<u32>)]) -> Vec<(String, u64)> {
    let all = methods.iter().flat_map(|(m, lines)| lines.clone().map(move |l| (m, l)));
    all.map(|(method, line)| (format!("Fj.func_{method}:{line}"), 1)).collect()
}

/// A, B, B, B, C, ten lines each.
fn published() -> Vec<(String, u64)> {
    let b = || ("B", 16..=25);
    lines(&[("A", 4..=13), b(), b(), b(), ("C", 28..=37)])
}

#[track_caller]
fn is_one_group(file: &str, options: &str, passes: u64, places: &[(String, u64)]) -> Value {
    let mut groups = groups(file, options);
    assert_eq!(groups.len(), 1, "{file} {options}: {groups:?}");
    let group = groups.remove(0);
    assert_eq!(group["passes"], passes, "{file} {options}");
    let found: Vec<(String, u64)> =
        steps(&group, "n").into_iter().map(|(place, n)| (place.to_owned(), n)).collect();
    assert_eq!(found, places, "{file} {options}");
    group
}

/// Two passes see no line in common: their phases differ.
#[test]
fn passes_of_different_phases_are_merged_into_all_lines() {
    for method in ["interleave", "phase", "linked", "free"] {
        is_one_group("p2.txt", &format!("--method {method}"), 2, &lines(&[("A", 4..=13)]));
    }
    let apart = groups("p2.txt", "--method free --group stacks");
    assert_eq!(apart.len(), 2);
}

/// The published sum of the published order is 920.
#[test]
fn the_published_example_gives_its_50_places() {
    for method in ["interleave", "linked"] {
        let options = format!("--method {method}");
        let group = is_one_group("idle.txt", &options, 7, &published());
        assert_eq!(group["merge"]["likelihood"], 920, "{method}");
        assert_eq!(group["merge"]["level"], "instructions", "{method}");
    }
    is_one_group("idle.txt", "--method free", 7, &published());
}

/// The thread is never idle: the length of the target (T = 50) and the distance of samples (P = 7),
/// or the method that it begins with, give the passes.
#[test]
fn runs_without_a_sample_between_are_cut_by_length_or_by_the_first_method() {
    assert_eq!(groups("endless.txt", "")[0]["passes"], 1);
    for method in ["interleave", "phase", "linked", "free"] {
        for file in ["endless.txt", "idle.txt"] {
            is_one_group(file, &format!("--method {method} --split 50/7"), 7, &published());
        }
    }
    for method in ["interleave", "linked", "free"] {
        let options = format!("--method {method} --first Fj.func_A --target func_M");
        is_one_group("endless.txt", &options, 7, &published());
    }
}

/// `func_C` as the marker; `func_B` begins the second pass of the first segment. A, A, C, B, A, B.
#[test]
fn markers_end_passes_and_combine_with_the_first_method() {
    let work = Work::new();
    let places = ["A:4", "A:5", "C:28", "A:6", "B:16", "A:7", "B:17"];
    let stack = |place: &&str| {
        let (method, line) = place.split_once(':').expect("a place");
        let inner = format!("  at Fj.func_{method}(Fj.java:{line})\n");
        format!("\"main\" tid=1\n{inner}  at Fj.func_M(Fj.java:39)\n\n")
    };
    let text: String = places.iter().map(stack).collect();
    work.write("marked.txt", text.as_bytes());
    let map = repository("tests/cli/samples/fj.plmap");
    let passes = |options: &str| {
        let map = map.display();
        let ran = work.run(&format!("samples show --map {map} marked.txt --json {options}")).ok();
        let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
        let groups = answer["files"][0]["groups"].as_array().expect("groups").clone();
        let (passes, samples) = (groups.iter().map(|g| g["passes"].as_u64()), |g: &Value| {
            g["samples"].as_u64().expect("samples")
        });
        (passes.flatten().sum::<u64>(), groups.iter().map(samples).sum::<u64>())
    };
    assert_eq!(passes("--group stacks"), (1, 7));
    assert_eq!(passes("--marker func_C"), (2, 6));
    assert_eq!(passes("--first func_B"), (3, 7));
    assert_eq!(passes("--marker func_C --first func_B"), (4, 6));
    assert_eq!(passes("--marker func_C --split 2/1"), (3, 6));
    assert_eq!(passes("--target func_B"), (2, 2));
}

/// Six, two and four samples of two passes: 3, 1 and 2 ms of each.
#[test]
fn samples_of_equal_lines_keep_their_weights() {
    for method in ["interleave", "phase", "linked", "free"] {
        let groups = groups("w.txt", &format!("--method {method} --interval 1ms"));
        let place = |line, n| (line, n);
        assert_eq!(groups.len(), 1);
        let samples = [place("Fj.func_A:4", 6), place("Fj.func_A:5", 2), place("Fj.func_A:6", 4)];
        assert_eq!(steps(&groups[0], "n"), samples, "{method}");
        let us = samples.map(|(line, n)| (line, n * 500));
        assert_eq!(steps(&groups[0], "us"), us, "{method}");
        let level = if method == "free" { Value::Null } else { "time".into() };
        assert_eq!(groups[0]["merge"]["level"], level, "{method}");
    }
}

/// Frames with instructions have blocks: `pc` is in code units.
#[test]
fn samples_of_instructions_are_merged_by_blocks() {
    let work = Work::new();
    let stack = |pc: &u32| format!("\"main\" tid=1\n  at Fj.func_A(Unknown Source:{pc})\n\n");
    let idle = "\"main\" tid=1\n  at java.lang.Thread.sleep(Native method)\n\n";
    let part = |pcs: &[u32]| pcs.iter().map(stack).collect::<String>() + idle;
    work.write("pc.txt", (part(&[0, 4]) + &part(&[2, 6])).as_bytes());
    let map = repository("tests/cli/samples/fj.plmap");
    let map = map.display();
    let ran = work.run(&format!("samples show --map {map} pc.txt --method linked --json")).ok();
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    let group = &answer["files"][0]["groups"][0];
    assert_eq!((&group["passes"], &group["merge"]["level"]), (&2.into(), &"blocks".into()));
}

#[test]
fn the_competing_pairs_are_printed() {
    let options = "--method interleave --pairs 3";
    let group = is_one_group("idle.txt", options, 7, &published());
    assert_eq!(group["merge"]["pairs"], 3);
    let text = show("idle.txt", options).ok().out;
    assert!(text.contains("3 competing pairs, likelihood 920"), "{text}");
}

#[test]
fn a_distance_that_never_reaches_some_places_is_reported() {
    let ran = show("endless.txt", "--method linked --split 50/14").ok();
    assert!(ran.err.contains("the same 25 of 50 positions"), "{}", ran.err);
}

#[test]
fn methods_that_no_frame_has_are_refused_with_those_that_there_are() {
    show("endless.txt", "--first func_X").fails("no method matches func_X");
    assert_eq!(show("endless.txt", "--split 7/50").code, Some(2));
    assert_eq!(show("endless.txt", "--pairs 2").code, Some(2));
}

const RECORDED: &str = "tests/cli/recorded";
const ON_CLICK: &str = "Lorg/example/tether/MainActivity;->onClick(Landroid/view/View;)V";

/// A block that ran: its method and instruction.
type BlockRun = (String, u64);

/// Runs of `MainActivity.onClick` in a recorded session: the stacks of their blocks, outermost
/// frame first.
fn exact_runs() -> Vec<Vec<Vec<BlockRun>>> {
    let folder = repository(RECORDED);
    let folder = folder.display();
    let decode = format!("decode --map {folder}/app.plmap {folder}/sessions/5 --json");
    let ran = Work::new().run(&decode).ok();
    let (mut stack, mut runs, mut run): (Vec<BlockRun>, Vec<_>, Option<Vec<_>>) =
        (Vec::new(), Vec::new(), None);
    for line in ran.out.lines() {
        let event: Value = serde_json::from_str(line).expect("JSON");
        if event["name"] != "main" {
            continue;
        }
        let depth = event["depth"].as_u64().unwrap_or(0) as usize;
        let method = || event["m"].as_str().expect("a method").to_owned();
        match event["e"].as_str() {
            Some("enter") => {
                stack.truncate(depth - 1);
                stack.push((method(), 0));
                if depth == 1 {
                    run = (method() == ON_CLICK).then(Vec::new);
                }
            }
            Some("block" | "catch") => {
                stack.truncate(depth - 1);
                stack.push((method(), event["pc"].as_u64().expect("an instruction")));
                run.iter_mut().for_each(|r| r.push(stack.clone()));
            }
            Some("return") if depth == 1 => runs.extend(run.take()),
            _ => {}
        }
    }
    runs
}

fn places_of(run: &[Vec<BlockRun>]) -> Vec<BlockRun> {
    run.iter().filter_map(|stack| stack.last().cloned()).collect()
}

/// The runs that took the longest path that at least four of them took.
fn reproducible_runs() -> Vec<Vec<Vec<BlockRun>>> {
    let runs = exact_runs();
    let alike = |run: &Vec<Vec<BlockRun>>| {
        let places = places_of(run);
        runs.iter().filter(|r| places_of(r) == places).count()
    };
    let best = runs.iter().max_by_key(|r| (alike(r) >= 4, r.len())).expect("a run");
    let places = places_of(best);
    runs.iter().filter(|r| places_of(r) == places).cloned().collect()
}

/// `Lpkg/Cls;->name(…)` as `pkg.Cls.name`.
fn dotted(method: &str) -> String {
    let (class, rest) = method[1..].split_once(";->").expect("a method");
    let name = rest.split('(').next().expect("a name");
    format!("{}.{name}", class.replace('/', "."))
}

/// Writes one block in `every` as a file of samples; the sampler goes on from run to run, and sees
/// the thread idle between them. Also returns the positions that were sampled in each run.
fn thinned(runs: &[Vec<Vec<BlockRun>>], every: usize) -> (String, Vec<Vec<usize>>) {
    let (mut text, mut left, mut positions) = (String::new(), 0, Vec::new());
    for run in runs {
        let mut sampled = Vec::new();
        for (at, stack) in run.iter().enumerate() {
            if left == 0 {
                text += "\"main\" tid=1\n";
                for (method, pc) in stack.iter().rev() {
                    text += &format!("  at {}(Unknown Source:{pc})\n", dotted(method));
                }
                text += "\n";
                sampled.push(at);
                left = every;
            }
            left -= 1;
        }
        text += "\"main\" tid=1\n  at java.lang.Thread.sleep(Native method)\n\n";
        positions.push(sampled);
    }
    (text, positions)
}

fn show_recorded(text: &str, options: &str) -> Value {
    let work = Work::new();
    work.write("dense.txt", text);
    let folder = repository(RECORDED);
    let options = options.replace("RECORDED", &folder.display().to_string());
    let map = folder.join("app.plmap");
    let map = map.display();
    let ran = work.run(&format!("samples show --map {map} dense.txt --json {options}")).ok();
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    answer["files"][0]["groups"].clone()
}

/// The log has the blocks of each gap.
#[test]
fn what_ran_between_samples_is_filled_and_never_forced_wrongly() {
    let run = &reproducible_runs()[0];
    let places = places_of(run);
    let (text, positions) = thinned(std::slice::from_ref(run), 8);
    let positions = &positions[0];
    let groups = show_recorded(&text, "--fill --every 8");
    let gaps = groups[0]["gaps"]["gaps"].as_array().expect("gaps");
    assert_eq!(gaps.len(), positions.len() - 1);
    let place = |step: &Value| {
        let block = &step["block"];
        Some((block["method"].as_str()?.to_owned(), block["pc"].as_u64()?))
    };
    let true_place = |at: usize| (dotted(&places[at].0), places[at].1);
    let (mut right, mut forced) = (0, 0);
    for (gap, ends) in gaps.iter().zip(positions.windows(2)) {
        let steps = gap["steps"].as_array().expect("steps");
        assert_eq!((steps.len(), &gap["refused"]), (8, &false.into()));
        let ran: Vec<_> = (ends[0] + 1..=ends[1]).map(true_place).collect();
        assert_eq!(
            (&steps[7]["how"], place(&steps[7])),
            (&"observed".into(), Some(ran[7].clone()))
        );
        for (step, true_place) in steps.iter().zip(&ran) {
            let is_forced = step["how"] == "forced";
            forced += usize::from(is_forced);
            assert!(!is_forced || place(step).is_some_and(|p| ran.contains(&p)), "{step}");
            right += usize::from(place(step).as_ref() == Some(true_place));
        }
    }
    assert!(forced > 0 && 2 * right > 8 * gaps.len(), "{forced} forced, {right} right");
}

#[test]
fn gaps_longer_than_the_calibrated_limit_have_forced_blocks_only() {
    let run = &reproducible_runs()[0];
    let places = places_of(run);
    let (text, positions) = thinned(std::slice::from_ref(run), 12);
    let groups = show_recorded(&text, "--fill --every 1200");
    let gaps = groups[0]["gaps"]["gaps"].as_array().expect("gaps");
    assert_eq!(groups[0]["gaps"]["limit"], 64);
    for (gap, ends) in gaps.iter().zip(positions[0].windows(2)) {
        assert_eq!(gap["refused"], true);
        let ran = &places[ends[0] + 1..=ends[1]];
        for step in gap["steps"].as_array().expect("steps") {
            let block = &step["block"];
            let is_there =
                |(method, pc): &BlockRun| dotted(method) == block["method"] && block["pc"] == *pc;
            assert!(step["how"] == "forced" && ran.iter().any(is_there), "{step}");
        }
    }
    let fill = show("p2.txt", "--fill --every 100").ok().out;
    assert!(fill.contains("refused: longer than 32"), "{fill}");
    let unknown = show("p2.txt", "--fill");
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("--fill needs the length of gaps"), "{}", unknown.err);
}

/// A distance without a common divisor with the length reaches every block; where both are known,
/// the order is that of the exact log.
#[test]
fn dense_samples_of_a_reproducible_target_are_its_exact_trace() {
    let runs = reproducible_runs();
    let blocks = runs[0].len();
    let all: Vec<_> = runs.iter().cycle().take(8 * runs.len()).cloned().collect();
    for every in [7, 11, 13].into_iter().filter(|every| !blocks.is_multiple_of(*every)) {
        let (text, _) = thinned(&all, every);
        let options =
            format!("--method phase --split {blocks}/{every} --against RECORDED/sessions/5");
        let against = &show_recorded(&text, &options)[0]["against"];
        assert!(against["alike"].as_u64() >= Some(runs.len() as u64), "{against}");
        assert!(against["f1"].as_f64().is_some_and(|f1| f1 > 0.99), "{every}: {against}");
    }
}

/// Samples of a run backwards.
#[test]
fn traces_that_did_not_run_have_a_low_f1() {
    let mut runs = reproducible_runs();
    runs.truncate(1);
    runs[0].reverse();
    let (text, _) = thinned(&runs, 2);
    let options = "--method linked --target MainActivity.onClick --against RECORDED/sessions/5";
    let groups = show_recorded(&text, options);
    let f1 = groups[0]["against"]["f1"].as_f64().expect("an F1");
    assert!(f1 < 0.6, "{groups}");
}

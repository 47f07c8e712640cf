//! Predictions of `instrument`, and the limits that a build can be given: one small test each.

use std::path::{Path, PathBuf};

use apk::{AppSet, Signer, WriteOptions};
use dex::{AccessFlags, Body, CodeId, Dex, Version};
use dex::{CodeItem, EncodedMethod};
use instrumenter::app::{AppError, AppOutput, instrument_app};
use instrumenter::cost::forecast::{RuntimeShare, Shortfall, Unreachable};
use instrumenter::{
    Forecast, HugeMethods, InlineCoder, InstrumentError, Limits, Options, Output, Purpose,
    RecordingOptions, RuntimeHome, TraceOptions, instrument,
};
use model::map::Terminator;
use model::profile::{BranchShape, Profile};
use model::recording::{Recording, TraceCodec};

fn tether() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../android-fixtures/tether/prebuilt/tether.apk")
}

fn limited(limits: Limits) -> Result<AppOutput, AppError> {
    let keys = tempfile::tempdir().unwrap();
    let options = Options { limits, ..Options::default() };
    instrument_app(&AppSet::read(&[tether()]).unwrap(), &options, WriteOptions::default(), || {
        Signer::debug_in(keys.path()).map(Some)
    })
}

/// Bytes of all dex files in a package.
fn dex_bytes(package: &[u8]) -> usize {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), package).unwrap();
    let apk = apk::Apk::read(file.path()).unwrap();
    apk.dex_files().unwrap().loaded.iter().map(|f| f.bytes.len()).sum()
}

/// A file with static methods `(I)V` of class `Lp/C;`.
fn methods(bodies: Vec<(&str, Vec<u16>)>) -> Vec<(String, Vec<u8>)> {
    let mut dex = Dex::new(Version(35));
    let mut direct_methods = Vec::new();
    for (name, insns) in bodies {
        let method = dex.intern_method("Lp/C;", name, "V", &["I"]);
        dex.codes.push(Body::from(CodeItem {
            registers: 1,
            ins: 1,
            outs: 1,
            insns,
            ..CodeItem::default()
        }));
        let code = Some(CodeId(dex.codes.len() as u32 - 1));
        direct_methods.push(EncodedMethod {
            method,
            access: AccessFlags::STATIC,
            code,
            hiddenapi: None,
        });
    }
    tests::add_class(&mut dex, "Lp/C;", direct_methods);
    vec![("classes.dex".into(), dex.write().unwrap())]
}

/// `count` times `if-nez v0` over a `nop`, then `return-void`.
fn branches(count: usize) -> Vec<u16> {
    let mut insns = [0x0039, 0x0003, 0x0000].repeat(count);
    insns.push(0x000e);
    insns
}

fn run(input: &[(String, Vec<u8>)], options: &Options) -> Result<Output, InstrumentError> {
    instrument(input.to_vec(), RuntimeHome::OwnFile, "", options)
}

fn forecast(out: &Output) -> &Forecast {
    out.report.forecast.as_ref().expect("every codec but none has one")
}

/// A model that saw each branch of these methods go its ways so often.
fn model(input: &[(String, Vec<u8>)], counts: &[(&str, [u64; 2])]) -> Profile {
    let limits = Limits { huge: HugeMethods::Keep, ..Limits::default() };
    let map = run(input, &Options { limits, ..Options::default() }).unwrap().map.unwrap().unpack();
    let mut profile = Profile::default();
    for m in &map.methods {
        let key = map.method_key(m);
        let Some((_, counts)) = counts.iter().find(|(name, _)| key.contains(&format!("->{name}(")))
        else {
            continue;
        };
        let shapes = m.blocks.iter().filter_map(|b| match &b.terminator {
            Terminator::Branch { identity, .. } => {
                Some(BranchShape { fingerprint: identity.fingerprint, alternatives: 2 })
            }
            _ => None,
        });
        profile.record(&key, m.fingerprint, shapes.map(|s| (s, &counts[..])));
    }
    profile
}

#[test]
fn a_size_limit_holds_in_the_bytes_that_are_written() {
    let before = dex_bytes(&std::fs::read(tether()).unwrap());
    let free = limited(Limits::default()).unwrap();
    assert!(dex_bytes(&free.files[0]) as f64 > 1.9 * before as f64, "there is something to hold");
    let limit = 1.85;
    let out = limited(Limits { size_growth: Some(limit), ..Limits::default() }).unwrap();
    let after = dex_bytes(&out.files[0]);
    assert!(after as f64 <= limit * before as f64, "{before} → {after}");
    assert!(
        after as f64 > (limit - 0.05) * before as f64,
        "no more is given up than needed: {after}"
    );
    let f = out.report.code.forecast.unwrap();
    assert_eq!((f.dex_before, f.dex_after), (before as u64, after as u64));
    let map = out.map.unwrap().unpack();
    let because = |reason: &str| map.skipped.iter().filter(|s| s.reason.contains(reason)).count();
    let (left, callees) = (because("limit of the size"), because("a limit left call it"));
    assert!(left > 0 && left == f.given_up[0].methods);
    assert_eq!(left + callees, out.report.code.skipped.len());
}

#[test]
fn a_size_that_the_runtime_alone_exceeds_is_refused_with_what_is_possible() {
    match limited(Limits { size_growth: Some(1.2), ..Limits::default() }) {
        Err(AppError::Code {
            problem:
                InstrumentError::Limit(Unreachable {
                    shortfall: Shortfall::Size { least, runtime: RuntimeShare::Added(runtime) },
                    ..
                }),
            ..
        }) => {
            assert!(least > 1.2 && runtime > 20_000, "{least} {runtime}");
        }
        other => panic!("{:?}", other.map(|o| o.report)),
    }
}

#[test]
fn a_size_without_a_file_for_the_runtime_does_not_claim_that_it_has_no_bytes() {
    let limits = Limits { size_growth: Some(1.2), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let input = methods(vec![("f", branches(2))]);
    let refused = instrument(input, RuntimeHome::FirstFile, "", &options).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("size growth 1.2: cannot be reached"), "{text}");
    assert!(text.ends_with("(with the runtime)"), "{text}");
}

#[test]
fn a_log_rate_holds_and_the_loss_is_reported() {
    let out = limited(Limits { log_rate: Some(400.0), ..Limits::default() }).unwrap();
    let f = out.report.code.forecast.unwrap();
    assert!(f.log_rate <= 400.0 && f.log_rate > 300.0, "{}", f.log_rate);
    assert_eq!(f.given_up.len(), 1);
    let all = limited(Limits::default()).unwrap().report.code;
    assert_eq!(f.given_up[0].branches + out.report.code.branches, all.branches);
}

#[test]
fn any_number_of_threads_leaves_the_same_methods() {
    let limits = Limits { size_growth: Some(1.85), log_rate: Some(500.0), ..Limits::default() };
    let in_pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| limited(limits)).unwrap().map.unwrap()
    };
    assert_eq!(in_pool(1), in_pool(3));
}

#[test]
fn code_units_are_those_of_the_file() {
    let units = |bytes: &[u8]| -> u64 {
        let dex = Dex::read(bytes).unwrap();
        let code = |m: &EncodedMethod| match &dex.codes[m.code?.0 as usize] {
            Body::Raw(raw) => Some(raw.insns.len() as u64),
            Body::Stored(_) | Body::Edited(_) => None,
        };
        dex.classes.iter().flat_map(|c| c.methods()).filter_map(code).sum()
    };
    // One method is at the limit of inlining and grows past it, one is past it already, one stays
    // below: excluded methods do.
    let input = methods(vec![
        ("at", [vec![0; 31], vec![0x000e]].concat()),
        ("above", branches(11)),
        ("one", branches(1)),
    ]);
    let out = run(&input, &Options::default()).unwrap();
    let f = forecast(&out);
    assert_eq!(f.units_before, 32 + 34 + 4);
    assert_eq!((f.units_before, f.units_after), (units(&input[0].1), units(&out.files[0].1)));
    assert_eq!(f.beyond_inlining, 1);
}

#[test]
fn the_expected_rate_is_the_entropy_that_the_model_tells() {
    // Worked out by hand: H(1/4) = 0.811278 bits. The half count of the estimator and the escape's
    // share change the fifth digit.
    let input = methods(vec![("f", branches(1))]);
    // A prefix code takes a bit, and 63 of them fill a word of 64.
    let bit = 1000.0 * 64.0 / 63.0;
    for (recording, expected) in [
        (Recording::ARITH, 811.278),
        (Recording::Trace(TraceCodec::Huffman), bit),
        (Recording::Trace(TraceCodec::BallLarus), bit),
    ] {
        let model = Some(model(&input, &[("f", [300_000, 100_000])]));
        let out = run(
            &input,
            &Options {
                recording: RecordingOptions::defaults_of(recording).unwrap(),
                model,
                ..Options::default()
            },
        )
        .unwrap();
        let f = forecast(&out);
        assert!(f.by_model && f.executed == 400_000);
        assert!((f.log_rate - expected).abs() < 0.1, "{recording}: {}", f.log_rate);
    }
}

#[test]
fn blocks_cost_two_bytes_for_every_edge_that_is_taken() {
    // 300,000 times the branch falls through to the `nop`, whose edge leads on; 100,000 times it
    // jumps there at once.
    let input = methods(vec![("f", branches(1))]);
    let model = Some(model(&input, &[("f", [300_000, 100_000])]));
    let out =
        run(&input, &Options { recording: TraceCodec::Blocks.into(), model, ..Options::default() })
            .unwrap();
    let expected = 1000.0 * 16.0 * 7.0 / 4.0 * 64.0 / 63.0;
    assert!((forecast(&out).log_rate - expected).abs() < 0.1, "{}", forecast(&out).log_rate);
}

#[test]
fn calls_that_the_model_saw_announced_are_expected_again() {
    let input = methods(vec![("f", branches(1))]);
    let mut model = model(&input, &[("f", [1000, 0])]);
    let rate = |model: &Profile| {
        let out =
            run(&input, &Options { model: Some(model.clone()), ..Options::default() }).unwrap();
        forecast(&out).log_rate
    };
    let before = rate(&model);
    model.record_announced("Lp/C;->f(I)V", 10);
    model.record_announced("Lp/C;->gone()V", 1_000_000);
    // docs/PROTOCOL.md §5: the escape's 16 bits, the kind's 3, the place in 2 and 4, the number of
    // the only method in 1.
    assert!((rate(&model) - before - 10.0 * 26.0).abs() < 0.1, "{} {before}", rate(&model));
}

#[test]
fn without_a_model_that_knows_the_code_every_branch_counts_alike() {
    let input = methods(vec![("f", branches(1)), ("g", branches(1))]);
    let stranger = model(&methods(vec![("h", branches(2))]), &[("h", [5, 0])]);
    for model in [None, Some(stranger)] {
        let out = run(&input, &Options { model, ..Options::default() }).unwrap();
        let f = forecast(&out);
        assert!(!f.by_model && (f.log_rate - 1000.0).abs() < 0.1, "{}", f.log_rate);
    }
}

#[test]
fn the_coldest_code_goes_first() {
    let input =
        methods(vec![("hot", branches(30)), ("cold", branches(30)), ("never", branches(30))]);
    let model = model(&input, &[("hot", [900, 100]), ("cold", [9, 1])]);
    let limited = |size_growth: Option<f64>| -> (f64, Vec<String>) {
        let limits = Limits { size_growth, ..Limits::default() };
        // Under a limit no symbol is in line; nor is any without one.
        let trace = TraceOptions { inline_coder: InlineCoder::Never, ..TraceOptions::default() };
        let (model, recording) = (Some(model.clone()), RecordingOptions::Trace(trace));
        let out = run(&input, &Options { model, limits, recording, ..Options::default() }).unwrap();
        let growth = forecast(&out).dex_after as f64 / forecast(&out).dex_before as f64;
        (growth, out.report.skipped.into_iter().map(|s| s.method).collect())
    };
    // Each time a little less than what is there: one method more has to go.
    let (all, left) = limited(None);
    assert_eq!(left, Vec::<String>::new());
    let (two, left) = limited(Some(all - 0.01));
    assert_eq!(left, ["Lp/C;->never(I)V"]);
    let (_, left) = limited(Some(two - 0.01));
    assert_eq!(left, ["Lp/C;->cold(I)V", "Lp/C;->never(I)V"]);
}

#[test]
fn the_most_surprising_code_goes_first_for_the_log() {
    let input = methods(vec![("even", branches(3)), ("sure", branches(3))]);
    let model = Some(model(&input, &[("even", [50, 50]), ("sure", [100, 0])]));
    let limits = Limits { log_rate: Some(300.0), ..Limits::default() };
    let out = run(&input, &Options { model, limits, ..Options::default() }).unwrap();
    assert_eq!(out.report.skipped[0].method, "Lp/C;->even(I)V");
    assert_eq!(out.report.skipped.len(), 1);
    assert_eq!(forecast(&out).given_up[0].share, 0.5);
}

/// `caller`: a branch, then in either case a call of `callee`.
fn calling(callee: Vec<u16>) -> Vec<(String, Vec<u8>)> {
    // Pools are sorted: method 0 is the callee.
    methods(vec![
        ("callee", callee),
        ("caller", vec![0x0039, 0x0003, 0x0000, 0x1071, 0, 0x0000, 0x000e]),
    ])
}

#[test]
fn leaving_a_caller_is_expected_to_cost_announcements() {
    let input = calling(branches(1));
    let model = Some(model(&input, &[("caller", [500, 500]), ("callee", [1000, 0])]));
    let left = |log_rate: f64| {
        let limits = Limits { log_rate: Some(log_rate), ..Limits::default() };
        let out =
            run(&input, &Options { model: model.clone(), limits, ..Options::default() }).unwrap();
        assert!(forecast(&out).by_model && forecast(&out).log_rate <= log_rate);
        out.report.skipped.into_iter().map(|s| s.method).collect::<Vec<_>>()
    };
    assert_eq!(left(501.0), Vec::<String>::new());
    // `caller` has all the surprise. But without its probes alone each of a thousand calls is
    // announced, for far more than a bit.
    assert_eq!(left(450.0), ["Lp/C;->callee(I)V", "Lp/C;->caller(I)V"]);
}

#[test]
fn what_a_left_method_calls_has_a_guard_even_if_it_throws_nothing() {
    // Announced without one, at top level, it would end the thread's sync points.
    // `nop`, `goto -1`: no call shows that it never ends, so it has probes.
    let input = calling(vec![0x0000, 0xff28]);
    let guarded = |limits: Limits| {
        let out = run(&input, &Options { limits, ..Options::default() }).unwrap();
        let map = out.map.unwrap().unpack();
        let callee = map.methods.iter().find(|m| map.method_key(m).contains("callee"));
        callee.map(|m| m.guarded)
    };
    assert_eq!(guarded(Limits::default()), Some(false));
    assert_eq!(guarded(Limits { log_rate: Some(1.0), ..Limits::default() }), Some(true));
}

#[test]
fn what_a_given_up_method_calls_needs_no_probes_for_that() {
    let input = calling(vec![0x000e]);
    let callee = |limits: Limits| {
        let out = run(&input, &Options { limits, ..Options::default() }).unwrap();
        let map = out.map.unwrap().unpack();
        let guarded = map.methods.iter().any(|m| m.guarded && map.method_key(m).contains("callee"));
        let left = out.report.skipped.iter().find(|s| s.method.contains("callee"));
        (out.report.implied, left.map(|s| (s.by_limit, s.reason.clone())), guarded)
    };
    assert_eq!(callee(Limits::default()), (1, None, false));
    let left = (true, String::from("only methods that a limit left call it"));
    let limits = Limits { log_rate: Some(1.0), ..Limits::default() };
    assert_eq!(callee(limits), (0, Some(left), false), "no log shows it, so it is named");
}

/// A method that probes make larger than ART compiles, one that is so already, and one that calls
/// nobody.
fn huge() -> Vec<(String, Vec<u8>)> {
    methods(vec![("grows", branches(2_500)), ("large", branches(3_400)), ("small", branches(1))])
}

#[test]
fn a_method_that_would_grow_past_what_art_compiles_is_left_and_named() {
    let out = run(&huge(), &Options::default()).unwrap();
    let [left] = &out.report.skipped[..] else { panic!("{:?}", out.report.skipped) };
    assert!(left.method == "Lp/C;->grows(I)V" && left.by_limit, "{left:?}");
    assert!(left.reason.starts_with("would grow from 7501 to "), "{left:?}");
    let [crossing] = &forecast(&out).beyond_compiling[..] else {
        panic!("the one that is large already counts not")
    };
    assert!(crossing.left && crossing.before == 7_501 && crossing.after > 10_000);
}

/// A method that has room for its probes if no probability needs a constant, and not otherwise.
fn nearly_huge() -> Vec<(String, Vec<u8>)> {
    let mut grows = vec![0x0000; 2_000];
    grows.extend(branches(600));
    methods(vec![("grows", grows), ("small", branches(1))])
}

#[test]
fn a_model_makes_no_method_so_large_that_it_is_left() {
    let input = nearly_huge();
    let plain = run(&input, &Options::default()).unwrap();
    assert!(plain.report.skipped.is_empty() && forecast(&plain).simplified.is_empty());
    let seen = model(&input, &[("grows", [90, 10]), ("small", [1, 1])]);
    let keep = Limits { huge: HugeMethods::Keep, ..Limits::default() };
    let kept = Options { model: Some(seen.clone()), limits: keep, ..Options::default() };
    let kept = run(&input, &kept).unwrap();
    let [crossing] = &forecast(&kept).beyond_compiling[..] else { panic!("it is pushed over") };
    assert!(crossing.after > 10_000, "{crossing:?}");

    let out = run(&input, &Options { model: Some(seen), ..Options::default() }).unwrap();
    assert!(out.report.skipped.is_empty(), "{:?}", out.report.skipped);
    let f = forecast(&out);
    let [simplified] = &f.simplified[..] else { panic!("{f:?}") };
    assert_eq!(simplified.method, "Lp/C;->grows(I)V");
    assert!(f.beyond_compiling.is_empty() && !simplified.calls_stay, "{f:?}");
    assert!((9_000..=10_000).contains(&simplified.after), "near the limit: {simplified:?}");
    // Each constant has two code units, and each branch has two of them; without history one call
    // before the branch, of three units, does for both edges.
    let over = crossing.after as usize - 10_000;
    assert!((over / 8..over / 8 + over / 16).contains(&simplified.branches), "{simplified:?}");
    let rate = |out: &Output| forecast(out).log_rate;
    assert!(rate(&out) < rate(&plain) && rate(&out) > rate(&kept), "some history is left");
}

#[test]
fn what_it_costs_to_leave_a_huge_method_is_said() {
    let input = huge();
    let seen = model(&input, &[("grows", [3, 1]), ("small", [1, 9])]);
    let out = run(&input, &Options { model: Some(seen), ..Options::default() }).unwrap();
    let [crossing] = &forecast(&out).beyond_compiling[..] else { panic!("{:?}", forecast(&out)) };
    // 2,500 branches of four decisions each, one of ten.
    assert!((crossing.share - 10_000.0 / 10_010.0).abs() < 1e-9, "{crossing:?}");
    assert!(crossing.left && forecast(&out).simplified.is_empty(), "no form is small enough");
}

/// A method that probes make larger than ART compiles, with a call for each eight branches.
fn huge_caller() -> Vec<(String, Vec<u8>)> {
    let mut insns = [0x0039, 0x0003, 0x0000].repeat(8);
    insns.extend([0x1071, 0, 0x0000]);
    let mut insns = insns.repeat(300);
    insns.push(0x000e);
    // Pools are sorted: method 0 is the callee.
    methods(vec![("callee", branches(1)), ("huge", insns)])
}

fn run_huge_caller(huge: HugeMethods, model: Option<Profile>) -> Output {
    let limits = Limits { huge, ..Limits::default() };
    run(&huge_caller(), &Options { limits, model, ..Options::default() }).unwrap()
}

/// 300 announced calls of 38 bits are more than 2,400 branches of even odds.
#[test]
fn a_huge_method_with_many_calls_keeps_its_probes() {
    let kept = run_huge_caller(HugeMethods::ByCost, None);
    assert!(kept.report.skipped.is_empty(), "{:?}", kept.report.skipped);
    let [crossing] = &forecast(&kept).beyond_compiling[..] else { panic!("{kept:?}") };
    assert!(!crossing.left && crossing.after > 10_000, "{crossing:?}");
    assert!(forecast(&kept).simplified.is_empty(), "its history stays whole");
    let asked = run_huge_caller(HugeMethods::Keep, None);
    assert!(kept.files == asked.files, "the same as --huge-methods keep");
}

/// Nearly all of the app's time is the method's own, so that interpreting it takes the app more
/// than twice the time, however large the log gets without its probes.
#[test]
fn a_huge_method_that_is_most_of_the_apps_time_is_left() {
    let seen = model(&huge_caller(), &[("huge", [99, 1]), ("callee", [1, 29_999])]);
    let left = run_huge_caller(HugeMethods::ByCost, Some(seen.clone()));
    let [crossing] = &forecast(&left).beyond_compiling[..] else { panic!("{left:?}") };
    assert!(crossing.left, "{crossing:?}");
    let kept = run_huge_caller(HugeMethods::Keep, Some(seen));
    assert!(kept.report.skipped.is_empty(), "{:?}", kept.report.skipped);
    assert!(forecast(&left).log_rate > 10.0 * forecast(&kept).log_rate, "what that costs");
}

#[test]
fn the_forecast_of_a_huge_method_left_counts_what_it_calls() {
    let counts = &[("huge", [99, 1]), ("callee", [1, 29_999])];
    let seen = model(&huge_caller(), counts);
    let left = run_huge_caller(HugeMethods::Leave, Some(seen));
    let f = forecast(&left);
    let [crossing] = &f.beyond_compiling[..] else { panic!("{f:?}") };
    // 300 sites of 100 passes each; all decisions: 2,400 branches of 100, and the callee's.
    let calls = 30_000.0 * f64::from(f.announcement);
    let rate = calls * 1000.0 / (240_000.0 + 30_000.0);
    assert!((crossing.announced_rate.unwrap() - rate).abs() < 0.01 * rate, "{crossing:?}");
    assert_eq!(f.announced_rate, crossing.announced_rate.unwrap());
}

/// A model of a build that left the method has the calls' targets, and nothing of the method.
#[test]
fn a_huge_method_that_the_model_has_no_counts_of_is_never_free_to_leave() {
    let seen = model(&huge_caller(), &[("callee", [1, 29_999])]);
    let left = run_huge_caller(HugeMethods::Leave, Some(seen.clone()));
    let [crossing] = &forecast(&left).beyond_compiling[..] else { panic!("{left:?}") };
    assert_eq!((crossing.left, crossing.announced_rate), (true, None));
    let kept = run_huge_caller(HugeMethods::ByCost, Some(seen));
    assert!(kept.report.skipped.is_empty(), "{:?}", kept.report.skipped);
}

#[test]
fn a_huge_method_keeps_its_probes_when_asked_to() {
    let limits = Limits { huge: HugeMethods::Keep, ..Limits::default() };
    let out = run(&huge(), &Options { limits, ..Options::default() }).unwrap();
    assert!(out.report.skipped.is_empty());
    let [crossing] = &forecast(&out).beyond_compiling[..] else { panic!("{:?}", forecast(&out)) };
    let dex = Dex::read(&out.files[0].1).unwrap();
    let grown = dex
        .codes
        .iter()
        .any(|c| matches!(c, Body::Raw(r) if r.insns.len() == crossing.after as usize));
    assert!(!crossing.left && grown, "as large as the file has it");
}

/// `const/4` `constants` times, with calls among them, then `return-void`.
fn straight(constants: usize, calls: usize) -> Vec<u16> {
    let mut insns = vec![0x0012; constants];
    // invoke-static {v0}, method@0, which is the first that the file names.
    insns.extend([0x1071, 0x0000, 0x0000].repeat(calls));
    insns.push(0x000e);
    insns
}

/// Instructions of a method of `methods` in the instrumented file.
fn woven(out: &Output, name: &str) -> Vec<u16> {
    let dex = Dex::read(&out.files[0].1).unwrap();
    let class = dex
        .classes
        .iter()
        .find(|c| c.direct_methods.iter().any(|m| dex.method_name(m.method).contains("p/C;")));
    let method = class
        .unwrap()
        .direct_methods
        .iter()
        .find(|m| dex.method_name(m.method).contains(name))
        .unwrap();
    let Body::Raw(raw) = &dex.codes[method.code.unwrap().0 as usize] else { panic!("just read") };
    raw.insns.clone()
}

#[test]
fn straight_code_that_probes_push_past_600_units_gets_a_branch() {
    // ART compiles no method of more than 600 units without any branch, and counts even one that
    // leads to the next instruction.
    const GOTO_NEXT: u16 = 0x0128;
    let [small, grows, large] =
        [(10, 3), (580, 3), (600, 3)].map(|(constants, calls)| straight(constants, calls));
    assert!(grows.len() <= 600 && large.len() > 600);
    let out = run(
        &methods(vec![("grows", grows), ("large", large), ("small", small)]),
        &Options::default(),
    )
    .unwrap();
    assert!(out.report.skipped.is_empty(), "{:?}", out.report.skipped);
    assert!(woven(&out, "grows").len() > 600);
    assert_eq!(woven(&out, "grows")[0], GOTO_NEXT);
    assert_ne!(woven(&out, "large")[0], GOTO_NEXT, "ART did not compile it before");
    assert_ne!(woven(&out, "small")[0], GOTO_NEXT);
}

#[test]
fn what_announced_itself_in_an_earlier_release_has_a_guard_in_the_next() {
    // The app calls it, too: nothing else shows that code outside enters it.
    let input = calling(branches(1));
    let guarded = |announced: &str| {
        let mut model = Profile::default();
        model.record_announced(announced, 1);
        let out = run(&input, &Options { model: Some(model), ..Options::default() }).unwrap();
        let map = out.map.unwrap().unpack();
        let callee = map.methods.iter().find(|m| map.method_key(m).contains("callee"));
        callee.map(|m| m.guarded)
    };
    assert_eq!(guarded("Lp/C;->callee(J)V"), Some(false));
    assert_eq!(guarded("Lp/C;->callee(I)V"), Some(true));
}

#[test]
fn the_parts_of_the_growth_are_all_of_it() {
    for recording in [
        Recording::ARITH,
        Recording::Trace(TraceCodec::Pap),
        Recording::Trace(TraceCodec::ArithAdaptive),
    ] {
        let options = Options {
            recording: RecordingOptions::defaults_of(recording).unwrap(),
            ..Options::default()
        };
        let out = instrument_app(
            &AppSet::read(&[tether()]).unwrap(),
            &options,
            WriteOptions::default(),
            || Ok(None),
        )
        .unwrap();
        let report = out.report.code;
        let forecast = report.forecast.unwrap();
        let sum: i64 = report.growth.iter().map(|g| g.bytes).sum();
        assert_eq!(sum, forecast.dex_after as i64 - forecast.dex_before as i64, "{recording:?}");
        let of =
            |purpose| report.growth.iter().find(|g| g.purpose == purpose).map_or(0, |g| g.bytes);
        // Tether has each of them. References that match no probe must not hide them.
        for purpose in
            [Purpose::EntriesAndExits, Purpose::Calls, Purpose::Branches, Purpose::Exceptions]
        {
            assert!(of(purpose) > 500, "{recording:?} {purpose:?}: {}", of(purpose));
        }
        assert!(of(Purpose::MovesAndJumps) < sum / 8, "{recording:?}: {:?}", report.growth);
    }
}

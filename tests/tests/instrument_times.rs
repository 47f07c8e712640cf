//! Run time that `instrument` predicts, and its limit: one small test each.

use dex::{Dex, Version};
use instrumenter::{
    HugeMethods, InstrumentError, LimitKind, Limits, Options, Output, RunTime, RuntimeHome,
    instrument,
};
use model::map::Terminator;
use model::profile::{BranchShape, Profile};
use model::recording::TraceCodec;

/// Two methods that decide, one of them by calls of a third that does not.
const CLASSES: &str = "\
.class public Lp/C;
.super Ljava/lang/Object;
.field static size:I
.method public static hot(I)V
.code registers=2 ins=1 outs=1
    if-nez p0, :end
    invoke-static {p0}, Lp/C;->straight(I)V
:end
    return-void
.end method
.method public static cold(I)V
.code registers=2 ins=1 outs=0
    if-nez p0, :end
    nop
:end
    return-void
.end method
.method public static straight(I)V
.code registers=2 ins=1 outs=0
    sput p0, Lp/C;->size:I
    return-void
.end method
";

fn run(options: &Options) -> Result<Output, InstrumentError> {
    let mut dex = Dex::new(Version(35));
    dex::text::parse_classes(CLASSES, &mut dex).expect("parses");
    let file = ("classes.dex".to_owned(), dex.write().expect("writes"));
    instrument(vec![file], RuntimeHome::OwnFile, "", options)
}

/// A model that saw the branches of these methods go their ways so often.
fn model(counts: &[(&str, [u64; 2])]) -> Profile {
    let map = run(&Options::default()).unwrap().map.unwrap().unpack();
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

fn options(limit: Option<f64>, counts: &[(&str, [u64; 2])]) -> Options {
    let limits = Limits { slowdown: limit, huge: HugeMethods::Keep, ..Limits::default() };
    Options { limits, model: Some(model(counts)), ..Options::default() }
}

fn run_time(out: &Output) -> &RunTime {
    out.report.forecast.as_ref().expect("a forecast").run_time.as_ref().expect("a run time")
}

const COUNTS: &[(&str, [u64; 2])] = &[("hot", [600_000, 400_000]), ("cold", [7, 3])];

#[test]
fn methods_run_as_often_as_their_branches_and_calls_tell() {
    let out = run(&options(None, COUNTS)).unwrap();
    let time = run_time(&out);
    let entries = |name: &str| {
        let method = time.most_expensive.iter().find(|m| m.method.contains(&format!("->{name}(")));
        method.map(|m| m.entries)
    };
    assert_eq!(entries("hot"), Some(1_000_000));
    assert_eq!(entries("cold"), Some(10));
    // Without a branch of its own: as often as it is called. Its calls imply it: no probes.
    assert_eq!(entries("straight"), None);
    assert_eq!(time.most_expensive[0].method, "Lp/C;->hot(I)V");
}

#[test]
fn what_methods_add_is_what_the_app_takes_longer() {
    let out = run(&options(None, COUNTS)).unwrap();
    let time = run_time(&out);
    let sum: f64 = time.most_expensive.iter().map(|m| m.added).sum();
    assert!((1.0 + sum - time.compiled).abs() < 1e-9, "{time:?}");
    assert!(time.compiled > 1.5 && time.interpreted > 1.5, "{time:?}");
}

#[test]
fn twice_the_counts_give_the_same_prediction() {
    let twice: Vec<_> = COUNTS.iter().map(|(name, n)| (*name, n.map(|n| 2 * n))).collect();
    let (once, twice) =
        (run(&options(None, COUNTS)).unwrap(), run(&options(None, &twice)).unwrap());
    assert!((run_time(&once).compiled - run_time(&twice).compiled).abs() < 0.01);
}

#[test]
fn a_limit_leaves_the_most_expensive_method_and_reports_it() {
    let out = run(&options(Some(1.2), COUNTS)).unwrap();
    assert!(run_time(&out).compiled <= 1.2, "{:?}", run_time(&out));
    assert!(run_time(&out).inlined_more, "that comes first");
    let skipped = out.report.skipped.iter().map(|s| (&*s.method, &*s.reason, s.by_limit));
    let skipped: Vec<_> = skipped.collect();
    let hot = ("Lp/C;->hot(I)V", "left to hold the limit of the run time", true);
    let callee = ("Lp/C;->straight(I)V", "only methods that a limit left call it", true);
    assert_eq!(skipped, [hot, callee]);
    let [given_up] = &out.report.forecast.as_ref().unwrap().given_up[..] else { panic!("one") };
    assert_eq!((given_up.limit, given_up.methods), (LimitKind::Slowdown, 1));
}

#[test]
fn a_limit_that_holds_changes_nothing() {
    let limited = run(&options(Some(100.0), COUNTS)).unwrap();
    assert_eq!(limited.files, run(&options(None, COUNTS)).unwrap().files);
}

#[test]
fn nothing_is_predicted_without_counts_of_this_app() {
    let free = run(&Options::default()).unwrap();
    assert_eq!(free.report.forecast.unwrap().run_time, None);
    let error = run(&options(Some(1.2), &[])).unwrap_err().to_string();
    assert!(error.contains("no model has counts of this app"), "{error}");
}

#[test]
fn other_codecs_have_no_prices() {
    let huffman = Options { recording: TraceCodec::Huffman.into(), ..options(None, COUNTS) };
    assert_eq!(run(&huffman).unwrap().report.forecast.unwrap().run_time, None);
}

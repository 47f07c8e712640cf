//! The forecast of a build's log, and the figures of `train`, on recorded sessions.

use serde_json::Value;

use crate::support::{Work, repository};

/// A folder with the six recorded sessions, the map of their build, and a model of them. Also gives
/// the figures of the training.
fn trained() -> (Work, Value) {
    let work = Work::new();
    let from = repository("tests/cli/recorded");
    work.shell(&format!("cp -r '{}'/. .", from.display())).ok();
    let ran = work
        .shell("pathlight train --force --map app.plmap sessions/*/*.plt -o model.json --json")
        .ok();
    (work, serde_json::from_str(&ran.out).expect("JSON"))
}

fn forecast(work: &Work, options: &str) -> Value {
    let command =
        format!("instrument app.apk -o next.apk --map next.plmap --model model.json {options}");
    let ran = work.run(&format!("{command} --force --json")).ok();
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    report["forecast"].clone()
}

fn number(of: &Value) -> f64 {
    of.as_f64().expect("a number")
}

/// Six other sessions of a build with this model had 10,105 bytes for 31,202 branches
/// (`bench/demo.csv`): 2,591 bits per 1,000 branches. Without the model they had 12,925 bytes.
#[test]
fn the_whole_log_is_predicted_with_callbacks_and_announced_calls() {
    let (work, _) = trained();
    let f = forecast(&work, "");
    let written = 8_000.0 * 10_105.0 / 31_202.0;
    let off = number(&f["log_rate"]) / written - 1.0;
    assert!(off.abs() < 0.15, "{f}: off by {off}");
    let kinds = ["branch_rate", "call_rate", "announced_rate", "callback_rate"];
    let sum: f64 = kinds.iter().map(|kind| number(&f[kind])).sum();
    assert!((sum - number(&f["log_rate"])).abs() < 1e-6);
    let without = 8_000.0 * 12_925.0 / 31_202.0;
    let off = number(&f["rate_without_model"]) / without - 1.0;
    assert!(off.abs() < 0.15, "{f}: off by {off}");
}

/// Callbacks and announced calls are three quarters of this log: a fifth less is possible without
/// leaving out branches.
#[test]
fn a_limit_of_the_log_leaves_few_branches_out() {
    let (work, _) = trained();
    let limit = 0.8 * number(&forecast(&work, "")["log_rate"]);
    let f = forecast(&work, &format!("--max-log-rate {limit:.0}"));
    let rate = number(&f["log_rate"]);
    assert!(rate <= limit.round() && rate > 0.9 * limit, "{rate} of {limit}");
    let share = f["given_up"].as_array().expect("a list").iter().map(|g| number(&g["share"]));
    assert!(share.sum::<f64>() < 0.05, "{f}");
}

/// Tables of the other five sessions cost more than tables of all six, and less than none.
#[test]
fn sessions_are_priced_under_tables_of_the_others() {
    let (_, figures) = trained();
    for kind in ["branch", "slot", "next_callback"] {
        let of = &figures["cost"][kind];
        let held_out = number(&figures["held_out"][kind]);
        assert!(held_out > number(&of["trained"]) && held_out < number(&of["now"]), "{figures}");
    }
    let work = Work::new();
    work.map();
    let ran = work.run("train --map app.plmap beta.log -o one.json").ok();
    assert!(ran.out.contains("retrained: not known from one session"), "{}", ran.out);
}

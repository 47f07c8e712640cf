//! Calls through types from outside have slots for what a model saw them lead to, and no others.

use std::collections::BTreeMap;

use dex::{Dex, Version};
use instrumenter::{Options, Output, RuntimeHome, instrument};
use model::map::{CallKind, Map, Terminator};
use model::profile::{BranchShape, NONE, Profile, Tally};

/// A list of the app's own, and calls that may or may not mean it.
const CLASSES: &str = "\
.class public Lp/Own;
.super Ljava/util/ArrayList;
.method public add(Ljava/lang/Object;)Z
.code registers=3 ins=2 outs=2
    if-eqz p1, :none
    invoke-super {p0, p1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
:none
    const/4 v0, 0x1
    return v0
.end method

.class public Lp/Main;
.super Ljava/lang/Object;
.method public static list(Ljava/util/List;)V
.code registers=1 ins=1 outs=2
    invoke-interface {p0, p0}, Ljava/util/List;->add(Ljava/lang/Object;)Z
    return-void
.end method
.method public static array(Ljava/util/ArrayList;)V
.code registers=1 ins=1 outs=2
    invoke-virtual {p0, p0}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    return-void
.end method
.method public static branching(Ljava/util/List;I)V
.code registers=2 ins=2 outs=2
    if-eqz p1, :call
    const/4 p1, 0x0
:call
    invoke-interface {p0, p0}, Ljava/util/List;->add(Ljava/lang/Object;)Z
    return-void
.end method
.method public static deque(Ljava/util/ArrayDeque;)V
.code registers=1 ins=1 outs=2
    invoke-virtual {p0, p0}, Ljava/util/ArrayDeque;->add(Ljava/lang/Object;)Z
    return-void
.end method
";

const OWN: &str = "Lp/Own;->add(Ljava/lang/Object;)Z";
const LIST: &str = "Ljava/util/List;->add(Ljava/lang/Object;)Z";

fn built(model: Option<Profile>) -> Output {
    let mut dex = Dex::new(Version(35));
    dex::text::parse_classes(CLASSES, &mut dex).expect("parses");
    let files = vec![("classes.dex".to_owned(), dex.write().expect("writes"))];
    let options = Options { model, ..Options::default() };
    instrument(files, RuntimeHome::OwnFile, "p", &options).expect("instruments")
}

fn map(model: Option<Profile>) -> Map {
    built(model).map.expect("a map").unpack()
}

/// By reference, the callees of each slot and its frequencies.
fn slots(map: &Map) -> BTreeMap<String, (Vec<String>, Vec<u16>)> {
    let calls = map.methods.iter().flat_map(|m| &m.blocks).flat_map(|b| &b.calls);
    let numbers = calls.filter_map(|site| match site.call {
        CallKind::Slot(slot) => Some(slot.0 as usize),
        _ => None,
    });
    let named = numbers.map(|n| {
        let slot = &map.slots[n];
        let key = |&id| map.method_key(map.method(id).expect("is there"));
        (
            map.name(slot.site).to_owned(),
            (slot.callees.iter().map(key).collect(), slot.freqs.clone()),
        )
    });
    named.collect()
}

fn tally(counts: &[(&str, u64)]) -> Tally {
    counts.iter().map(|&(key, n)| (key.to_owned(), n)).collect()
}

fn announced(n: u64) -> Profile {
    Profile { announced: tally(&[(OWN, n)]), ..Profile::default() }
}

fn through_list(none: u64, own: u64) -> Profile {
    let slot = (LIST.to_owned(), tally(&[(NONE, none), (OWN, own)]));
    Profile { slots: BTreeMap::from([slot]), ..Profile::default() }
}

#[test]
fn what_announced_itself_is_a_callee_where_the_type_allows_it() {
    let found = slots(&map(Some(announced(10))));
    let own = vec![OWN.to_owned()];
    let callees: Vec<_> = found.iter().map(|(site, (callees, _))| (&**site, callees)).collect();
    // An `ArrayDeque` is none of the app's lists.
    assert_eq!(callees, [("Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z", &own), (LIST, &own)]);
    // Nobody knows yet how often these calls end outside.
    let even = |freqs: &[u16]| freqs[0].abs_diff(freqs[1]) <= 1;
    assert!(found.values().all(|(_, freqs)| even(freqs)), "{found:?}");
}

#[test]
fn without_a_model_or_announcements_there_is_no_such_slot() {
    assert_eq!(slots(&map(None)), BTreeMap::new());
    assert_eq!(slots(&map(Some(Profile::default()))), BTreeMap::new());
}

#[test]
fn a_slot_that_was_used_stays_though_nothing_is_announced_any_more() {
    let found = slots(&map(Some(through_list(10, 30))));
    assert_eq!(found.keys().collect::<Vec<_>>(), [LIST]);
    // Of 65,535 parts, a quarter and three quarters.
    let freqs = &found[LIST].1;
    assert!(freqs[0].abs_diff(16_384) < 8 && freqs[1].abs_diff(49_151) < 8, "{freqs:?}");
}

#[test]
fn a_slot_whose_calls_nearly_all_end_outside_goes() {
    assert!(slots(&map(Some(through_list(63, 1)))).contains_key(LIST));
    assert!(!slots(&map(Some(through_list(64, 1)))).contains_key(LIST));
    assert!(!slots(&map(Some(through_list(0, 0)))).contains_key(LIST));
}

/// A call was announced where it goes through a slot from now on, so its bits are not expected
/// again. A method that calls nothing through a slot still announces itself.
#[test]
fn the_forecast_expects_no_announcement_of_a_call_that_gets_a_slot() {
    let branching = |mut profile: Profile| {
        let map = map(None);
        let method = map.methods.iter().find(|m| map.method_key(m).contains("->branching("));
        let method = method.expect("has a branch");
        let shapes = method.blocks.iter().filter_map(|block| match &block.terminator {
            Terminator::Branch { identity, .. } => {
                Some(BranchShape { fingerprint: identity.fingerprint, alternatives: 2 })
            }
            _ => None,
        });
        let shapes = shapes.map(|shape| (shape, &[60, 40][..]));
        profile.record(&map.method_key(method), method.fingerprint, shapes);
        profile
    };
    let rate = |profile| {
        let forecast = built(Some(branching(profile))).report.forecast.expect("by a model");
        forecast.announced_rate / f64::from(forecast.announcement) / 10.0
    };
    // Announcements for 100 decisions: all of 90 go through the slot, of 130 no more than 100.
    assert!(rate(announced(90)) < 0.01, "{}", rate(announced(90)));
    let left = rate(announced(130));
    assert!((left - 30.0).abs() < 0.01, "{left}");
    // The model has counted this slot already, and the announcements came from elsewhere.
    let both = Profile { announced: tally(&[(OWN, 90)]), ..through_list(0, 100) };
    assert!((rate(both.clone()) - 90.0).abs() < 0.01, "{}", rate(both));
}

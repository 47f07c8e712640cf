use super::*;

const M: &str = "Lpkg/Cls;->run(I)V";

fn shape(fingerprint: u64) -> BranchShape {
    BranchShape { fingerprint, alternatives: 2 }
}

fn profile(key: &str, body: u64, branches: &[(u64, [u64; 2])]) -> Profile {
    let mut p = Profile { sessions: 1, ..Profile::default() };
    p.record(key, body, branches.iter().map(|(f, c)| (shape(*f), &c[..])));
    p
}

#[test]
fn the_file_is_what_the_module_shows() {
    let mut p = profile("Lpkg/Cls;->name(I)V", 0xDEAD_BEEF, &[(0x8899_AABB_CCDD_EEFF, [17, 0])]);
    p.sessions = 3;
    p.record_slot("Lpkg/Iface;->call()V", "Lpkg/Impl;->call()V", 5);
    p.record_slot("Lpkg/Iface;->call()V", NONE, 1);
    p.record_next_callback(
        "Lpkg/Main;->onCreate(Landroid/os/Bundle;)V",
        "Lpkg/Main;->onStart()V",
        3,
    );
    p.record_next_callback("Lpkg/Main;->onCreate(Landroid/os/Bundle;)V", OTHER, 1);
    p.record_announced("Lpkg/Cls;->name(I)V", 2);
    p.record_rest(4, 20, 2_850_816);
    p.builds = vec!["00112233445566778899aabbccddeeff".parse().unwrap()];
    let source = include_str!("../profile.rs");
    let (_, rest) = source.split_once("//! ```json\n").unwrap();
    let shown = rest.split_once("//! ```\n").unwrap().0.replace("//! ", "").replace("\n  ", "");
    assert_eq!(String::from_utf8(p.to_bytes()).unwrap(), shown);
    assert_eq!(Profile::from_bytes(shown.as_bytes()).unwrap(), p);
    let empty = Profile::default();
    assert_eq!(Profile::from_bytes(&empty.to_bytes()).unwrap(), empty);
}

#[test]
fn other_formats_versions_and_nonsense_are_refused() {
    let refused = |text: &str| Profile::from_bytes(text.as_bytes()).unwrap_err().to_string();
    assert!(refused(r#"{"format":"other","version":1}"#).contains("other"));
    assert!(refused(r#"{"format":"pathlight-model","version":2}"#).contains("version 2"));
    assert!(refused("[]").contains("not a readable model"));
    let branch = |b: &str| {
        format!(
            r#"{{"format":"pathlight-model","version":1,
                "methods":{{"m":{{"shape":"1","branches":[{b}]}}}}}}"#
        )
    };
    assert!(
        refused(&branch(r#"{"id":"0:1","alternatives":2,"counts":{"2":1}}"#))
            .contains("does not have")
    );
    assert!(refused(&branch(r#"{"id":"0:1","alternatives":4000000000}"#)).contains("alternatives"));
    assert!(refused(&branch(r#"{"id":"x","alternatives":2}"#)).contains("branch id"));
}

fn counts(m: &mut Matcher<'_>, key: &str, body: u64, of: &[BranchShape]) -> Vec<Option<Vec<u64>>> {
    m.match_branches(key, body, of, &[]).into_iter().map(|f| f.map(|f| f.trusted())).collect()
}

#[test]
fn an_unchanged_method_is_matched_by_position() {
    // Both branches look alike: only the position distinguishes them.
    let p = profile(M, 1, &[(5, [1, 2]), (5, [3, 4])]);
    let mut m = Matcher::new(&p);
    assert_eq!(counts(&mut m, M, 1, &[shape(5), shape(5)]), [Some(vec![1, 2]), Some(vec![3, 4])]);
    let decisions = 1 + 2 + 3 + 4;
    let want = MatchStats { exact: 2, decisions, exact_decisions: decisions, ..Default::default() };
    assert_eq!(m.stats(), want);
}

#[test]
fn a_changed_method_is_matched_by_its_branches() {
    let p = profile(M, 1, &[(5, [1, 2]), (6, [3, 4]), (7, [5, 6])]);
    let mut m = Matcher::new(&p);
    let got = counts(&mut m, M, 2, &[shape(5), shape(99), shape(7)]);
    assert_eq!(got, [Some(vec![1, 2]), None, Some(vec![5, 6])]);
    let decisions = 1 + 2 + 5 + 6;
    let want = MatchStats { by_fingerprint: 2, none: 1, decisions, ..Default::default() };
    assert_eq!(m.stats(), want);
}

#[test]
fn a_moved_method_is_matched_by_its_body_if_that_is_unique() {
    let mut p = profile(M, 1, &[(5, [1, 2])]);
    let mut m = Matcher::new(&p);
    assert_eq!(counts(&mut m, "Lnew/Name;->run(I)V", 1, &[shape(5)]), [Some(vec![1, 2])]);
    assert_eq!(m.stats().moved, 1);
    // Another copy continues the same branch, whose decisions are the same.
    counts(&mut m, "Lnew/Copy;->run(I)V", 1, &[shape(5)]);
    assert_eq!((m.stats().moved, m.stats().decisions, m.stats().exact_decisions), (2, 3, 3));
    p.record("Lother/Twin;->run(I)V", 1, [(shape(5), &[9, 9][..])]);
    let mut m = Matcher::new(&p);
    assert_eq!(counts(&mut m, "Lnew/Name;->run(I)V", 1, &[shape(5)]), [None]);
    assert_eq!(m.stats().none, 1);
}

#[test]
fn a_branch_of_an_inlined_call_continues_the_callee_s() {
    const CALLEE: &str = "Lb;->b()V";
    let mut p = profile(M, 1, &[(5, [1, 2])]);
    p.record(CALLEE, 7, [(shape(6), &[30, 4][..]), (shape(8), &[5, 60][..])]);
    let mut m = Matcher::new(&p);
    let of = [shape(6), shape(5), shape(6), shape(8)];
    let calls: [(&str, &[u32]); 3] = [(CALLEE, &[0]), (CALLEE, &[2, 3]), ("Lc;->c()V", &[1])];
    let found = m.match_branches(M, 2, &of, &calls);
    let found: Vec<_> = found.into_iter().map(|f| f.map(|f| f.trusted())).collect();
    let [first, second] = [Some(vec![30, 4]), Some(vec![5, 60])];
    assert_eq!(found, [first.clone(), Some(vec![1, 2]), first, second]);
    // Two calls of one method: its decisions count once.
    let decisions = 3 + 34 + 65;
    assert_eq!(m.stats(), MatchStats { by_fingerprint: 4, decisions, ..Default::default() });
    // An unchanged method knows its branches better.
    let found = m.match_branches(M, 1, &[shape(5)], &[(CALLEE, &[0])]);
    assert_eq!(found[0].map(|f| f.trusted()), Some(vec![1, 2]));
}

#[test]
fn merging_adds_counts_and_keeps_the_newer_shape() {
    let mut p = profile(M, 1, &[(5, [1, 2]), (6, [3, 4])]);
    p.merge(&profile(M, 2, &[(4, [0, 1]), (6, [10, 20])]));
    assert_eq!(p.sessions, 2);
    assert_eq!(p, {
        let mut want = profile(M, 2, &[(4, [0, 1]), (6, [13, 24])]);
        want.sessions = 2;
        want
    });
    // Counts that reach the end of the number range stay there.
    p.merge(&profile(M, 2, &[(4, [0, u64::MAX]), (6, [0, 0])]));
    assert_eq!(p.methods[M].branches[0].counts(), [0, u64::MAX]);
}

#[test]
fn a_moved_method_keeps_its_history_when_its_new_name_has_run() {
    const NEW: &str = "Lnew/Name;->run(I)V";
    let old = profile(M, 1, &[(5, [100, 2])]);
    let newer = profile(NEW, 1, &[(5, [0, 7])]);
    let counts = |p: &Profile, key: &str| p.methods.get(key).map(|m| m.branches[0].counts());
    let mut p = old.clone();
    p.merge(&newer);
    assert_eq!(counts(&p, NEW), Some(vec![100, 9]));
    assert_eq!(counts(&p, M), Some(vec![100, 2]), "it may be there, and just did not run");
    let mut p = old.clone();
    p.merge_build(&newer, &|key| key == NEW);
    assert_eq!((counts(&p, NEW), counts(&p, M)), (Some(vec![100, 9]), None));
    // Another method with the same body, beside the old one.
    let mut p = old.clone();
    p.merge_build(&newer, &|_| true);
    assert_eq!((counts(&p, NEW), counts(&p, M)), (Some(vec![0, 7]), Some(vec![100, 2])));
    // Two that it could have been.
    let mut p = old;
    p.merge(&profile("Lother/Twin;->run(I)V", 1, &[(5, [50, 50])]));
    p.merge_build(&newer, &|key| key == NEW);
    assert_eq!(counts(&p, NEW), Some(vec![0, 7]));
}

#[test]
fn merging_equal_shapes_does_not_depend_on_the_order() {
    let (a, b) = (profile(M, 1, &[(5, [1, 2])]), profile("Lb;->b()V", 3, &[(7, [0, 9])]));
    let (mut ab, mut ba) = (a.clone(), b.clone());
    ab.merge(&b);
    ba.merge(&a);
    assert_eq!(ab.to_bytes(), ba.to_bytes());
}

#[test]
fn decay_rounds_down_and_forgets() {
    let mut p = profile(M, 1, &[(5, [3, 1])]);
    p.record_slot("s", NONE, 1);
    p.decay(32768);
    assert_eq!(p.methods[M].branches[0].counts(), [1, 0]);
    assert!(p.slots.is_empty());
    p.decay(32768);
    assert!(p.methods.is_empty());
}

#[test]
fn what_nothing_continues_is_named_with_its_reason() {
    const GONE: &str = "Lgone/C;->m()V";
    let mut p = profile(M, 1, &[(5, [1, 2]), (6, [30, 40]), (7, [0, 0])]);
    p.record(GONE, 9, [(shape(8), &[5, 6][..])]);
    p.record("Lleft/C;->m()V", 10, [(shape(9), &[500, 600][..])]);
    let mut m = Matcher::new(&p);
    counts(&mut m, M, 2, &[shape(5), shape(99)]);
    let left = |key: &str| key.starts_with("Lleft/");
    let lost = |method, branch, decisions, why| Lost { method, branch, decisions, why };
    let want = [lost(M, 1, 70, Why::NoBranch), lost(GONE, 0, 11, Why::NoMethod)];
    assert_eq!(m.lost(&left, 10), want);
    assert_eq!(m.lost(&left, 1), want[..1]);
}

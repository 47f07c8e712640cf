use model::map::BranchIdentity;

use super::*;
use crate::select::lines::tests::method;

/// Returns a model with these counts of the method's branches, in order.
fn model(map: &Map, counts: &[&[u64]]) -> Profile {
    let mut profile = Profile::default();
    let m = &map.methods[0];
    let shape = |counts: &&[u64]| BranchShape { fingerprint: 0, alternatives: counts.len() as u32 };
    let branches = counts.iter().map(|counts| (shape(counts), *counts));
    profile.record(&map.method_key(m), m.fingerprint, branches);
    profile
}

fn found(map: &Map, counts: &[&[u64]], most: usize) -> Vec<(Vec<u32>, u64)> {
    of(&likely(map, &model(map, counts), &top(most)))
}

fn top(top: usize) -> Choice {
    Choice { top, ..Choice::default() }
}

fn of(found: &PathFindings) -> Vec<(Vec<u32>, u64)> {
    let all = found.paths.values().flatten();
    let blocks = |path: &[PathStep]| path.iter().map(|s| s.block().0).collect();
    let mut all: Vec<(Vec<u32>, u64)> = all.map(|(path, n)| (blocks(path), *n)).collect();
    all.sort_by_key(|(path, n)| (std::cmp::Reverse(*n), path.clone()));
    all
}

#[test]
fn estimates_are_products_of_shares() {
    // Two diamonds: 90 and 10, 75 and 25 of 100.
    let map = method(&[
        (&[], &[1, 2]),
        (&[], &[3]),
        (&[], &[3]),
        (&[], &[4, 5]),
        (&[], &[6]),
        (&[], &[6]),
        (&[], &[]),
    ]);
    let all = found(&map, &[&[90, 10], &[75, 25]], 9);
    let want = [
        (vec![0, 1, 3, 4, 6], 68),
        (vec![0, 1, 3, 5, 6], 23),
        (vec![0, 2, 3, 4, 6], 8),
        (vec![0, 2, 3, 5, 6], 3),
    ];
    assert_eq!(all, want);
    assert_eq!(found(&map, &[&[90, 10], &[75, 25]], 2), want[..2]);
}

#[test]
fn rounds_of_a_loop_are_as_likely_as_its_head_says() {
    // 8 activations, 24 decisions at the head, 16 of them for another round.
    let map = method(&[(&[], &[1]), (&[], &[2, 3]), (&[], &[1]), (&[], &[])]);
    let all = found(&map, &[&[16, 8]], 3);
    let rounds = |n: usize| [vec![0], [1, 2].repeat(n), vec![1, 3]].concat();
    // 8 · ⅓ · (⅔)ⁿ
    assert_eq!(all, [(rounds(0), 3), (rounds(1), 2), (rounds(2), 1)]);
}

#[test]
fn code_that_the_model_does_not_know_as_it_is_says_nothing() {
    let mut map = method(&[(&[], &[1, 2]), (&[], &[]), (&[], &[])]);
    assert_eq!(found(&map, &[&[3, 4]], 9).len(), 2);
    assert!(found(&map, &[&[3, 4, 5]], 9).is_empty(), "another number of ways");
    let profile = model(&map, &[&[3, 4]]);
    map.methods[0].fingerprint = 1;
    assert!(likely(&map, &profile, &top(9)).paths.is_empty());
    map.methods[0].fingerprint = 0;
    if let Terminator::Branch { identity, .. } = &mut map.methods[0].blocks[0].terminator {
        *identity = BranchIdentity { fingerprint: 5 };
    }
    assert!(likely(&map, &profile, &top(9)).paths.is_empty());
}

#[test]
fn paths_through_a_line_are_found_where_others_are_likelier() {
    // Two diamonds, a line for each block: 90 and 10, 75 and 25 of 100.
    let map = method(&[
        (&[10], &[1, 2]),
        (&[11], &[3]),
        (&[12], &[3]),
        (&[13], &[4, 5]),
        (&[14], &[6]),
        (&[15], &[6]),
        (&[16], &[]),
    ]);
    let profile = model(&map, &[&[90, 10], &[75, 25]]);
    let through = vec![("A.kt".to_owned(), 12)];
    let choice = Choice { top: 1, through, ..Choice::default() };
    // One way in ten, and of these three in four.
    assert_eq!(of(&likely(&map, &profile, &choice)), [(vec![0, 2, 3, 4, 6], 8)]);
    let other = Choice { methods: vec!["B.*".into()], top: 9, ..Choice::default() };
    assert!(likely(&map, &profile, &other).paths.is_empty());
}

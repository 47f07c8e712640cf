//! The fuzz targets on a few thousand mutated fixtures, the same ones every time.

#[path = "../fuzz/targets.rs"]
mod targets;

use mutation::{Rng, overwrite};

const FIXTURES: [&[u8]; 3] = [
    include_bytes!("fixtures/kitchen.dex"),
    include_bytes!("fixtures/dynamic.dex"),
    include_bytes!("fixtures/hidden.dex"),
];

/// Runs a target on whole fixtures and mutated ones; returns how many of the latter it could use.
fn run(target: fn(&[u8]) -> bool, count: usize) -> usize {
    for fixture in FIXTURES {
        assert!(target(fixture));
    }
    let mut rng = Rng::new(7);
    let mut usable = 0;
    for i in 0..count {
        let mut bytes = FIXTURES[i % FIXTURES.len()].to_vec();
        (0..=rng.below(4)).for_each(|_| overwrite(&mut bytes, &mut rng));
        usable += usize::from(target(&bytes));
    }
    usable
}

#[test]
fn reading_mutated_files_never_panics() {
    let usable = run(targets::read, 6_000);
    assert!(
        (1_000..5_000).contains(&usable),
        "{usable} of 6000 readable: the mutations are no good"
    );
}

#[test]
fn mutated_files_that_can_be_read_are_written_the_same_twice() {
    assert!(run(targets::roundtrip, 3_000) > 500);
}

#[test]
fn idle_instructions_change_nothing_in_mutated_files() {
    assert!(run(targets::edit, 3_000) > 500);
}

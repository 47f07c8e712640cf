//! The fuzz targets on a few thousand mutated fixtures, the same ones every time.

#[path = "../fuzz/targets.rs"]
mod targets;

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
    let mut seed = 0x9E37_79B9_7F4A_7C15;
    let mut usable = 0;
    for i in 0..count {
        usable += usize::from(target(&targets::mutate(FIXTURES[i % FIXTURES.len()], &mut seed)));
    }
    usable
}

#[test]
fn reading_mutated_files_never_panics() {
    let usable = run(targets::read, 6_000);
    assert!((1_000..5_000).contains(&usable), "{usable} of 6000 readable: the mutations are no good");
}

#[test]
fn mutated_files_that_can_be_read_are_written_the_same_twice() {
    assert!(run(targets::roundtrip, 3_000) > 500);
}

#[test]
fn idle_instructions_change_nothing_in_mutated_files() {
    assert!(run(targets::edit, 3_000) > 500);
}

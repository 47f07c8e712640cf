use std::collections::BTreeMap;

use decoder::replay::{SendEvents, Via};
use model::map::HandlerId;

use super::*;
use crate::select::lines::tests::method;

/// Returns the findings for a frame that runs these blocks; block b of the method is on line 10 +
/// b.
fn found(blocks: &[u32], from: Option<u32>, to: Option<u32>) -> BTreeMap<Vec<u32>, u64> {
    let lines: Vec<[u32; 1]> = (10..16).map(|l| [l]).collect();
    let shape: Vec<(&[u32], &[u32])> = lines.iter().map(|l| (&l[..], &[0, 1][..])).collect();
    let map = method(&shape);
    let program = Program::new(&map);
    let line = |l: Option<u32>| l.map(|l| ("A.kt".to_owned(), 10 + l));
    let mut sink = Between::new(&program, line(from).as_ref(), line(to).as_ref());
    sink.enter(MethodId(1), Via::TopLevel(0));
    blocks.iter().for_each(|&b| sink.block(BlockNo(b)));
    sink.leave();
    counts(&sink.found)
}

fn counts(found: &PathFindings) -> BTreeMap<Vec<u32>, u64> {
    let blocks = |path: &[PathStep]| path.iter().map(|s| s.block().0).collect();
    found.paths.values().flatten().map(|(path, n)| (blocks(path), *n)).collect()
}

/// Returns each arrival at a block, up to the first arrival at another block after it.
fn look(blocks: &[u32], from: u32, to: u32) -> BTreeMap<Vec<u32>, u64> {
    let mut all = BTreeMap::new();
    for begin in (0..blocks.len()).filter(|&i| blocks[i] == from) {
        let end = (begin + 1..blocks.len()).find(|&i| blocks[i] == to || blocks[i] == from);
        if let Some(end) = end.filter(|&end| blocks[end] == to) {
            *all.entry(blocks[begin..=end].to_vec()).or_default() += 1;
        }
    }
    all
}

#[test]
fn what_ran_between_two_lines_is_what_looking_for_it_finds() {
    let mut state = 3_u64;
    let mut sum = 0;
    for _ in 0..2_000 {
        let blocks: Vec<u32> = (0..30)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as u32 % 6
            })
            .collect();
        for (from, to) in [(1, 2), (0, 5), (3, 3)] {
            let wanted = look(&blocks, from, to);
            sum += wanted.len();
            assert_eq!(found(&blocks, Some(from), Some(to)), wanted, "{blocks:?}");
        }
    }
    assert!(sum > 5_000);
}

#[test]
fn begins_end_at_the_first_arrival() {
    assert_eq!(found(&[0, 3, 4, 2, 1, 2], None, Some(2)), [(vec![0, 3, 4, 2], 1)].into());
    assert_eq!(found(&[0, 3], None, Some(2)), [].into());
    // Without a line they count calls.
    assert_eq!(found(&[0, 3, 0, 3], None, None), [(vec![0], 1)].into());
}

#[test]
fn rounds_that_are_told_at_once_count_as_if_they_ran_one_by_one() {
    let lines: Vec<[u32; 1]> = (10..16).map(|l| [l]).collect();
    let shape: Vec<(&[u32], &[u32])> = lines.iter().map(|l| (&l[..], &[0, 1][..])).collect();
    let map = method(&shape);
    let program = Program::new(&map);
    let line = |l: u32| ("A.kt".to_owned(), 10 + l);
    for (from, to, cycle) in [(1, 2, [1, 2]), (2, 1, [1, 2]), (0, 5, [1, 2]), (1, 3, [1, 2])] {
        for times in [1, 2, 7] {
            let run = |at_once: bool| {
                let mut sink = Between::new(&program, Some(&line(from)), Some(&line(to)));
                sink.enter(MethodId(1), Via::TopLevel(0));
                sink.block(BlockNo(0));
                let cycle = cycle.map(BlockNo);
                match at_once {
                    true => sink.rounds(LoopRounds {
                        branch: BlockNo(2),
                        stay: 0,
                        cycle: &cycle,
                        times,
                    }),
                    false => (0..times).for_each(|_| cycle.iter().for_each(|&b| sink.block(b))),
                }
                [3, 5].map(BlockNo).into_iter().for_each(|b| sink.block(b));
                sink.leave();
                counts(&sink.found)
            };
            assert_eq!(run(true), run(false), "{from} to {to}, {times} rounds");
        }
    }
}

#[test]
fn what_an_exception_cuts_short_is_not_found() {
    let shape: [(&[u32], &[u32]); 2] = [(&[10], &[0, 1]), (&[11], &[0, 1])];
    let map = method(&shape);
    let program = Program::new(&map);
    let line = |l: u32| ("A.kt".to_owned(), 10 + l);
    let mut sink = Between::new(&program, Some(&line(0)), Some(&line(1)));
    sink.enter(MethodId(1), Via::TopLevel(0));
    sink.block(BlockNo(0));
    sink.unwound(1, &[]);
    // After a callee's frame, the caller's path goes on by way of its handler.
    sink.enter(MethodId(1), Via::TopLevel(0));
    sink.block(BlockNo(0));
    sink.caught(0, HandlerId(0), BlockNo(1), &[BlockNo(0)]);
    sink.leave();
    let want = [PathStep::Block(BlockId(0)), PathStep::Caught(BlockId(1))];
    assert_eq!(sink.found.paths[&MethodId(1)][&want[..]], 1);
    assert_eq!((sink.found.cut, sink.found.paths[&MethodId(1)].len()), (1, 1));
}

use proptest::prelude::*;

use super::copies::{Copies, CopyId};
use super::*;
use crate::path_profiles::operation::Operation;

fn ids(blocks: &[u32]) -> Vec<BlockId> {
    blocks.iter().map(|&b| BlockId(b)).collect()
}

fn shape(successors: &[&[u32]]) -> MethodShape {
    MethodShape {
        successors: successors.iter().map(|to| ids(to)).collect(),
        handlers: vec![Vec::new(); successors.len()],
        returns: successors.iter().map(|to| to.is_empty()).collect(),
    }
}

fn plain(blocks: &[u32]) -> Vec<PathStep> {
    blocks.iter().map(|&b| PathStep::Block(BlockId(b))).collect()
}

/// Simulates a device: one number, and an operation on each edge.
fn count(automaton: &Automaton, paths: usize, walk: &[PathStep], returns: bool) -> Vec<u64> {
    let mut counts = vec![0; paths];
    let mut hit = |completes: &[u32]| completes.iter().for_each(|&p| counts[p as usize] += 1);
    let begin = automaton.begin();
    hit(&begin.completes);
    let mut number = begin.number;
    for pair in walk.windows(2) {
        let from = pair[0].block();
        let rows = match pair[1] {
            PathStep::Block(to) => automaton.edge(from, to),
            PathStep::Caught(to) => automaton.caught(to),
        };
        let operation = Operation::new(&rows);
        let (to, completes) = operation.apply(number);
        hit(completes);
        number = to;
    }
    if returns {
        let operation = Operation::completions(automaton.exit(walk[walk.len() - 1].block()));
        hit(operation.apply(number).1);
    }
    counts
}

/// The same with a copy of each block for each state: no number.
fn count_in_copies(copies: &Copies, paths: usize, walk: &[PathStep], returns: bool) -> Vec<u64> {
    let mut counts = vec![0; paths];
    let mut hit = |completes: &[u32]| completes.iter().for_each(|&p| counts[p as usize] += 1);
    hit(&copies.begin);
    let mut at = &copies.all[0];
    for step in &walk[1..] {
        let leads = |to: &CopyId| copies.copy(*to).block == step.block();
        at = match step {
            PathStep::Block(_) => {
                let way = at.next.iter().find(|way| leads(&way.to)).unwrap();
                hit(&way.completes);
                copies.copy(way.to)
            }
            PathStep::Caught(_) => {
                let to = copies.copy(*at.handlers.iter().find(|to| leads(to)).unwrap());
                hit(&to.caught);
                to
            }
        };
    }
    if returns {
        hit(&at.exit);
    }
    counts
}

/// The same by looking for each path in the whole walk.
fn look(paths: &[(PathKind, Vec<PathStep>)], walk: &[PathStep], returns: bool) -> Vec<u64> {
    let times = |(kind, steps): &(PathKind, Vec<PathStep>)| match kind {
        PathKind::Whole => u64::from(returns && walk == steps),
        PathKind::Prefix => u64::from(walk.starts_with(steps)),
        PathKind::Piece => walk.windows(steps.len()).filter(|part| part == steps).count() as u64,
    };
    paths.iter().map(times).collect()
}

/// A loop B of the published example: BDE and BDEBDE are of interest.
#[test]
fn the_published_loop_counts_both_paths() {
    // 0: B, 1: C, 2: D, 3: E, 4: exit.
    let graph = shape(&[&[1, 2], &[3], &[3], &[0, 4], &[]]);
    let paths = vec![
        (PathKind::Whole, plain(&[0, 2, 3, 4])),
        (PathKind::Whole, plain(&[0, 2, 3, 0, 2, 3, 4])),
    ];
    let automaton = Automaton::new(graph, &paths).unwrap();
    let counts = |walk: &[u32]| count(&automaton, 2, &plain(walk), true);
    assert_eq!(counts(&[0, 2, 3, 4]), [1, 0]);
    assert_eq!(counts(&[0, 2, 3, 0, 2, 3, 4]), [0, 1]);
    assert_eq!(counts(&[0, 2, 3, 0, 1, 3, 4]), [0, 0]);
    assert_eq!(counts(&[0, 2, 3, 0, 2, 3, 0, 2, 3, 4]), [0, 0]);
    // One number more for the second round.
    assert_eq!(automaton.largest(), 2);
}

/// Path numbers of 32 bits are equal for all of more than 17 rounds; states are not.
#[test]
fn long_loops_do_not_run_over() {
    let graph = shape(&[&[1, 2], &[3], &[3], &[0, 4], &[]]);
    let rounds = |n: usize| {
        let mut walk = [0, 2, 3].repeat(n);
        walk.push(4);
        plain(&walk)
    };
    let paths = vec![(PathKind::Whole, rounds(40))];
    let automaton = Automaton::new(graph, &paths).unwrap();
    assert_eq!(count(&automaton, 1, &rounds(40), true), [1]);
    assert_eq!(count(&automaton, 1, &rounds(39), true), [0]);
    assert_eq!(count(&automaton, 1, &rounds(41), true), [0]);
}

/// As many states in one block as there can be are numbered in a moment, not in hours.
#[test]
fn a_block_with_the_most_states_is_numbered_at_once() {
    let graph = shape(&[&[0, 1, 2], &[0], &[0]]);
    // No two of these share a prefix longer than the numbers' bits.
    let path = |n: u32| {
        let turns = (0..11).flat_map(|bit| [0, 1 + (n >> bit & 1)]);
        (PathKind::Prefix, plain(&turns.chain([0; 4000]).collect::<Vec<_>>()))
    };
    let paths: Vec<_> = (0..48).map(path).collect();
    let begun = std::time::Instant::now();
    let automaton = Automaton::new(graph, &paths).unwrap();
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    assert!(automaton.largest() > 48 * 3_990, "{}", automaton.largest());
}

/// A path that leaves the paths of interest stays out when it comes back to them.
#[test]
fn a_path_that_left_does_not_come_back() {
    let graph = shape(&[&[4, 1], &[2], &[3], &[4], &[]]);
    let paths = vec![(PathKind::Whole, plain(&[0, 1, 2, 3, 4]))];
    let automaton = Automaton::new(graph, &paths).unwrap();
    assert_eq!(count(&automaton, 1, &plain(&[0, 4]), true), [0]);
    assert_eq!(count(&automaton, 1, &plain(&[0, 1, 2, 3, 4]), true), [1]);
}

#[test]
fn a_straight_path_keeps_its_number() {
    let graph = shape(&[&[1, 2], &[3], &[3], &[]]);
    let automaton = Automaton::new(graph, &[(PathKind::Whole, plain(&[0, 1, 3]))]).unwrap();
    assert!(Operation::new(&automaton.edge(BlockId(0), BlockId(1))).is_nothing());
    assert!(Operation::new(&automaton.edge(BlockId(1), BlockId(3))).is_nothing());
}

#[test]
fn pieces_that_overlap_count_each() {
    let graph = shape(&[&[0, 1], &[]]);
    let paths = vec![(PathKind::Piece, plain(&[0, 0])), (PathKind::Prefix, plain(&[0]))];
    let automaton = Automaton::new(graph, &paths).unwrap();
    assert_eq!(count(&automaton, 2, &plain(&[0, 0, 0, 0, 1]), true), [3, 1]);
}

#[test]
fn what_a_method_cannot_do_is_refused() {
    let refused = |kind, steps: &[u32]| {
        let graph = shape(&[&[1, 2], &[3], &[3], &[]]);
        Automaton::new(graph, &[(kind, plain(steps))]).unwrap_err()
    };
    assert_eq!(refused(PathKind::Whole, &[]), AutomatonError::Empty(0));
    assert_eq!(refused(PathKind::Whole, &[1, 3]), AutomatonError::Begin { path: 0, block: 1 });
    assert_eq!(refused(PathKind::Piece, &[9]), AutomatonError::Begin { path: 0, block: 9 });
    assert_eq!(refused(PathKind::Piece, &[0, 3]), AutomatonError::Way { path: 0, from: 0, to: 3 });
    assert_eq!(refused(PathKind::Whole, &[0, 1]), AutomatonError::End { path: 0, block: 1 });
}

/// Two blocks that throw to one handler: its paths depend on which.
#[test]
fn a_handler_knows_where_the_exception_was_thrown() {
    let mut graph = shape(&[&[1, 2], &[4], &[4], &[4], &[]]);
    graph.handlers[1] = ids(&[3]);
    graph.handlers[2] = ids(&[3]);
    let by = |from: u32| {
        let mut steps = plain(&[0, from]);
        steps.extend([PathStep::Caught(BlockId(3)), PathStep::Block(BlockId(4))]);
        (PathKind::Whole, steps)
    };
    let paths = vec![by(1), by(2)];
    let automaton = Automaton::new(graph, &paths).unwrap();
    assert_eq!(count(&automaton, 2, &paths[0].1, true), [1, 0]);
    assert_eq!(count(&automaton, 2, &paths[1].1, true), [0, 1]);
}

/// A graph with its handlers, and walks in it: each a row of choices.
fn graphs() -> impl Strategy<Value = (MethodShape, Vec<Vec<u32>>)> {
    (2_usize..9).prop_flat_map(|n| {
        let block = proptest::collection::vec(0..n as u32, 0..4);
        let catches = proptest::collection::vec(0..n as u32, 0..2);
        let shape = (
            proptest::collection::vec(block, n),
            proptest::collection::vec(prop_oneof![3 => Just(Vec::new()), 1 => catches], n),
        )
            .prop_map(|(mut to, handlers)| {
                to.iter_mut().for_each(|t| {
                    t.sort_unstable();
                    t.dedup();
                });
                MethodShape {
                    returns: to.iter().map(Vec::is_empty).collect(),
                    successors: to.iter().map(|t| ids(t)).collect(),
                    handlers: handlers.iter().map(|h| ids(h)).collect(),
                }
            });
        (shape, proptest::collection::vec(proptest::collection::vec(any::<u32>(), 1..24), 1..8))
    })
}

/// Follows choices to the end of a walk, and whether it returns there.
fn walk(shape: &MethodShape, choices: &[u32]) -> (Vec<PathStep>, bool) {
    let mut walk = plain(&[0]);
    for &choice in choices {
        let at = walk[walk.len() - 1].block().0 as usize;
        let plain = shape.successors[at].iter().map(|&to| PathStep::Block(to));
        let ways: Vec<PathStep> =
            plain.chain(shape.handlers[at].iter().map(|&to| PathStep::Caught(to))).collect();
        match ways.is_empty() {
            true => break,
            false => walk.push(ways[choice as usize % ways.len()]),
        }
    }
    let last = walk[walk.len() - 1].block().0 as usize;
    (walk, shape.returns[last])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// Every walk counts what looking for the paths in it finds.
    #[test]
    fn counts_are_those_of_looking(
        (shape, choices) in graphs(),
        cuts in proptest::collection::vec((any::<u32>(), any::<u32>(), 0..3_u8), 1..8),
    ) {
        let walks: Vec<_> = choices.iter().map(|c| walk(&shape, c)).collect();
        let paths: Vec<(PathKind, Vec<PathStep>)> = cuts
            .iter()
            .zip(walks.iter().cycle())
            .map(|(&(from, length, kind), (walk, returns))| match kind {
                0 if *returns => (PathKind::Whole, walk.clone()),
                0 | 1 => (PathKind::Prefix, walk[..1 + length as usize % walk.len()].to_vec()),
                _ => {
                    let rest = &walk[from as usize % walk.len()..];
                    (PathKind::Piece, rest[..1 + length as usize % rest.len()].to_vec())
                }
            })
            .collect();
        let automaton = Automaton::new(shape, &paths).unwrap();
        let copies = automaton.copies(usize::MAX).unwrap();
        for (walk, returns) in &walks {
            let looked = look(&paths, walk, *returns);
            prop_assert_eq!(&count(&automaton, paths.len(), walk, *returns), &looked);
            prop_assert_eq!(&count_in_copies(&copies, paths.len(), walk, *returns), &looked);
        }
    }
}

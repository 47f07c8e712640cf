//! Walks through random methods, whose decisions are counted and whose blocks are counted beside.

use super::*;

/// Random numbers (splitmix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A random method. `throws`: its blocks may throw.
fn shapes(rng: &mut Rng, throws: bool) -> (Vec<BlockDecisions>, Vec<bool>) {
    let len = 1 + rng.below(9);
    let mut counted = Vec::new();
    let shapes = (0..len).map(|b| {
        let (next, decided) = match rng.below(6) {
            0 | 1 => (Next::Branch, (0..2 + rng.below(2)).map(|_| (rng.below(len), 0)).collect()),
            2 | 3 if b + 1 < len => (Next::Goto(b + 1), Vec::new()),
            4 => (Next::Goto(rng.below(len)), Vec::new()),
            _ => (Next::Out, Vec::new()),
        };
        // Of these, throws are counted, as in regions.
        counted.push(throws && rng.one_in(3));
        let may_throw = throws && !counted[b] && rng.one_in(2);
        let is_source = b == 0 || (throws && rng.one_in(5));
        BlockDecisions { next, decided, may_throw, stops: 0, is_source }
    });
    let shapes = shapes.collect();
    (shapes, counted)
}

/// One activation; `false` if it does not end.
fn walk(rng: &mut Rng, shapes: &mut [BlockDecisions], counted: &[bool], truth: &mut [u64]) -> bool {
    let handlers: Vec<usize> = (1..shapes.len()).filter(|&b| shapes[b].is_source).collect();
    let mut at = 0;
    for _ in 0..400 {
        truth[at] += 1;
        let shape = &mut shapes[at];
        if (shape.may_throw || counted[at]) && rng.one_in(4) {
            shape.stops += u64::from(counted[at]);
            if handlers.is_empty() || rng.one_in(3) {
                return true;
            }
            at = handlers[rng.below(handlers.len())];
            continue;
        }
        at = match shape.next {
            Next::Goto(to) => to,
            Next::Out => return true,
            Next::Branch => {
                let way = rng.below(shape.decided.len());
                shape.decided[way].1 += 1;
                shape.decided[way].0
            }
        };
    }
    false
}

/// Returns the computed counts of some activations of a random method, and the truth.
fn computed(rng: &mut Rng, throws: bool) -> Option<(Vec<BlockCount>, Vec<u64>)> {
    let (mut shapes, counted) = shapes(rng, throws);
    let mut truth = vec![0; shapes.len()];
    let calls = rng.below(30);
    for _ in 0..calls {
        if !walk(rng, &mut shapes, &counted, &mut truth) {
            return None;
        }
    }
    let mut flow = MethodFlow::new(shapes);
    flow.enter(calls as u64);
    Some((flow.blocks, truth))
}

#[test]
fn exact_counts_are_right_and_lower_bounds_are_not_above_the_truth() {
    let mut rng = Rng(7);
    let mut seen = [0_u64; 3];
    for case in 0..30_000 {
        let Some((blocks, truth)) = computed(&mut rng, true) else { continue };
        for (b, (of, &truth)) in blocks.iter().zip(&truth).enumerate() {
            seen[of.known as usize] += u64::from(truth > 0);
            match of.known {
                CountAccuracy::Exact => assert_eq!(of.count(), truth, "case {case}, block {b}"),
                CountAccuracy::AtLeast => assert!(of.count() <= truth, "case {case}, block {b}"),
                CountAccuracy::Assumed => {}
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 5_000), "all kinds occur: {seen:?}");
}

#[test]
fn without_exceptions_all_counts_are_right() {
    let mut rng = Rng(8);
    let mut cases = 0;
    while cases < 20_000 {
        let Some((blocks, truth)) = computed(&mut rng, false) else { continue };
        cases += 1;
        let counts: Vec<u64> = blocks.iter().map(BlockCount::count).collect();
        assert_eq!(counts, truth);
    }
}

/// `0: if → 1 or 2`, `1 → 3`, `2 → 3`, `3: return`; both arms may throw.
fn diamond(left: u64, right: u64) -> Vec<BlockDecisions> {
    let shape = |next, decided, may_throw| BlockDecisions {
        next,
        decided,
        may_throw,
        stops: 0,
        is_source: false,
    };
    let mut all = vec![
        shape(Next::Branch, vec![(1, left), (2, right)], false),
        shape(Next::Goto(3), Vec::new(), true),
        shape(Next::Goto(3), Vec::new(), true),
        shape(Next::Out, Vec::new(), false),
    ];
    all[0].is_source = true;
    all
}

fn counts(shapes: Vec<BlockDecisions>) -> Vec<(u64, CountAccuracy)> {
    MethodFlow::new(shapes).blocks.iter().map(|of| (of.count(), of.known)).collect()
}

#[test]
fn code_after_arms_that_may_throw_is_assumed_where_nothing_bounds_it() {
    use CountAccuracy::{Assumed, Exact};
    assert_eq!(counts(diamond(3, 4)), [(7, Exact), (3, Exact), (4, Exact), (7, Assumed)]);
}

#[test]
fn a_later_branch_shows_the_losses_of_arms() {
    use CountAccuracy::{AtLeast, Exact};
    let with = |taken: u64| {
        let mut shapes = diamond(3, 4);
        shapes[3].next = Next::Branch;
        shapes[3].decided = vec![(4, taken), (5, 0)];
        let end = BlockDecisions {
            next: Next::Out,
            decided: vec![],
            may_throw: false,
            stops: 0,
            is_source: false,
        };
        shapes.extend([end.clone(), end]);
        counts(shapes)[3]
    };
    assert_eq!((with(7), with(5)), ((7, Exact), (5, AtLeast)));
}

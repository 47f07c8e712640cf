//! The published example, and the exact forms against trying everything.

use model::map::{BlockId, MethodId};
use mutation::Rng;

use super::interleave::shuffles;
use super::*;
use crate::Level;

const A: MethodId = MethodId(1);
const B: MethodId = MethodId(2);
const C: MethodId = MethodId(3);

/// The published target: A, B, B, B, C, ten tokens each. `begins`: where the blocks of a method
/// begin.
fn target(begins: &dyn Fn(MethodId) -> Vec<u32>) -> Vec<Token> {
    let mut trace = Vec::new();
    for method in [A, B, B, B, C] {
        let begins = begins(method);
        for offset in 0..10 {
            let block = begins.partition_point(|&b| b <= offset) - 1;
            trace.push(Token {
                method,
                block: BlockId(block as u32),
                offset: offset - begins[block],
            });
        }
    }
    trace
}

fn whole() -> Vec<Token> {
    target(&|_| vec![0])
}

/// Passes, each with every `interval`-th token; sampling goes on from pass to pass.
fn sampled(trace: &[Token], interval: usize, samples: usize) -> Vec<Token> {
    (0..samples).map(|k| trace[k * interval % trace.len()]).collect()
}

fn parts(trace: &[Token]) -> Vec<Vec<Token>> {
    split_by_length(&sampled(trace, 7, 50), trace.len() as u64, 7)
}

fn named(part: &[Token]) -> String {
    let name = |t: &Token| format!("{}{}", ["", "A", "B", "C"][t.method.0 as usize], t.offset);
    part.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn chosen(parts: &[Vec<Token>], numbers: &[usize]) -> Vec<Token> {
    let chosen: Vec<&[Token]> = numbers.iter().map(|n| &parts[n - 1][..]).collect();
    pattern(&chosen)
}

#[test]
fn similarity_means_neighbours_and_not_equality() {
    let at = |offset| Token::at(A, offset);
    let (same, next) = ([at(0), at(7)], [at(1), at(8)]);
    assert_eq!(similarity(Level::Instructions, &same, &same), 26);
    assert_eq!(similarity(Level::Instructions, &same, &next), 40);
}

#[test]
fn the_published_parts_are_cut_from_the_samples() {
    let parts = parts(&whole());
    let names: Vec<String> = parts.iter().map(|p| named(p)).collect();
    assert_eq!(names[0], "A0 A7 B4 B1 B8 B5 C2 C9");
    assert_eq!(names[1], "A6 B3 B0 B7 B4 C1 C8");
    assert!(names[2].starts_with("A5"));
    assert_eq!(names[3], "A4 B1 B8 B5 B2 B9 C6");
    assert_eq!(names[4], "A3 B0 B7 B4 B1 B8 C5");
    assert!(names[5].starts_with("A2") && names[6].starts_with("A1"));
    assert_eq!(names.len(), 7);
    assert_eq!(split_at_first(&sampled(&whole(), 7, 50), A), parts);
}

#[test]
fn the_published_sums_come_out() {
    let parts = parts(&whole());
    let level = Level::Instructions;
    let similar = |a: usize, b: usize| similarity(level, &parts[a - 1], &parts[b - 1]);
    let highest = (1..=7).flat_map(|a| (a + 1..=7).map(move |b| similar(a, b))).max();
    assert_eq!((highest, similar(4, 5), similar(1, 7)), (Some(140), 140, 140));
    let likely = |numbers: &[usize]| likelihood(level, &chosen(&parts, numbers));
    assert_eq!((likely(&[4, 5]), likely(&[5, 4])), (110, 180));
    assert_eq!((likely(&[7, 5, 4]), likely(&[5, 7, 4]), likely(&[5, 4, 7])), (279, 170, 230));
}

#[test]
fn the_published_example_gives_the_exact_trace() {
    let trace = whole();
    let parts = parts(&trace);
    for pairs in [1, 3] {
        let order = interleave(Level::Instructions, &parts, pairs).unwrap();
        assert_eq!(order, [0, 6, 5, 4, 3, 2, 1]);
        let numbers: Vec<usize> = order.iter().map(|i| i + 1).collect();
        let merged = chosen(&parts, &numbers);
        assert_eq!((&merged, likelihood(Level::Instructions, &merged)), (&trace, 920));
    }
}

#[test]
fn the_published_example_with_blocks_gives_the_same_order() {
    let trace = target(&|m| match m {
        A => vec![0, 4, 7],
        B => vec![0, 3],
        _ => vec![0],
    });
    let parts = parts(&trace);
    let order = interleave(Level::Blocks, &parts, 1).unwrap();
    assert_eq!(order, [0, 6, 5, 4, 3, 2, 1]);
    assert_eq!(likelihood(Level::Blocks, &trace), 849);
}

#[test]
fn single_linkage_solves_the_example_at_every_interval_without_a_common_divisor() {
    let trace = whole();
    for interval in (3..=23).filter(|&p| coverage(50, p) == 50) {
        let parts = split_by_length(&sampled(&trace, interval as usize, 50), 50, interval);
        let order = linked(Level::Instructions, &parts);
        let chosen: Vec<&[Token]> = order.iter().map(|&i| &parts[i][..]).collect();
        assert_eq!(named(&pattern(&chosen)), named(&trace), "interval {interval}");
    }
}

#[test]
fn too_many_orders_are_refused() {
    let parts = vec![vec![Token::at(A, 0)]; 40];
    assert!(matches!(
        interleave(Level::Instructions, &parts, 1),
        Err(MergeError::Shuffles(..)) | Ok(_)
    ));
    let (a, b) = (vec![Token::at(A, 0); 2], vec![Token::at(B, 0); 2]);
    let parts: Vec<_> = (0..40).map(|i| if i % 2 == 0 { a.clone() } else { b.clone() }).collect();
    assert_eq!(interleave(Level::Instructions, &parts, 1), Err(MergeError::Shuffles(20, 20)));
}

/// Parts of equal length with random places.
fn random_parts(rng: &mut Rng, count: usize, length: usize) -> Vec<Vec<Token>> {
    let token = |rng: &mut Rng| Token {
        method: MethodId(1 + rng.below(2) as u32),
        block: BlockId(rng.below(3) as u32),
        offset: rng.below(7) as u32,
    };
    (0..count).map(|_| (0..length).map(|_| token(rng)).collect()).collect()
}

#[test]
fn the_walk_over_shuffles_finds_what_trying_all_finds() {
    let mut rng = Rng::new(1);
    let mut choices = 0;
    for case in 0..10_000 {
        let (m, n) = (1 + rng.below(4), 1 + rng.below(4));
        let length = 1 + rng.below(5);
        let parts = random_parts(&mut rng, m + n, length);
        let level = if case % 2 == 0 { Level::Instructions } else { Level::Blocks };
        let costs = Costs::new(level, &parts);
        let (a, b): (Vec<usize>, Vec<usize>) = ((0..m).collect(), (m..m + n).collect());
        let found = shuffle(&costs, &a, &b);
        let kept = |of: &[usize]| found.iter().filter(|i| of.contains(i)).eq(of);
        assert!(kept(&a) && kept(&b) && found.len() == m + n, "{found:?}");
        // The tokens themselves, read in columns.
        let likely = |order: &[usize]| {
            let chosen: Vec<&[Token]> = order.iter().map(|&i| &parts[i][..]).collect();
            likelihood(level, &pattern(&chosen))
        };
        let mut all = Vec::new();
        shuffles(&a, &b, &mut Vec::new(), &mut |order| all.push(likely(order)));
        assert_eq!(Some(likely(&found)), all.iter().copied().max(), "case {case}");
        assert_eq!(costs.of(&found), likely(&found));
        choices += usize::from(all.iter().min() != all.iter().max());
    }
    assert!(choices > 8000, "only {choices} cases had a choice");
}

#[test]
fn arithmetic_gives_the_order_for_all_intervals_without_a_common_divisor() {
    for target in 2..=500_u64 {
        let trace: Vec<Token> = (0..target).map(|i| Token::at(A, i as u32)).collect();
        for interval in (1..target).filter(|&p| coverage(target, p) == target) {
            let samples = sampled(&trace, interval as usize, target as usize);
            assert_eq!(phase(&samples, target, interval), trace, "{target}, {interval}");
        }
    }
}

#[test]
fn a_common_divisor_hides_tokens_for_ever() {
    assert_eq!((coverage(50, 14), coverage(50, 7)), (25, 50));
    let seen: std::collections::BTreeSet<usize> = (0..1000).map(|k| k * 14 % 50).collect();
    assert_eq!(seen.len(), 25);
}

/// Makes a random program without repetition: calls of methods, longer than the intervals, some
/// tokens left out; `length` tokens.
fn random_target(rng: &mut Rng, length: usize) -> Vec<Token> {
    let mut trace = Vec::new();
    let mut method = 0;
    while trace.len() < length {
        method += 1;
        let mut offset = 0;
        for _ in 0..20 + rng.below(40) {
            trace.push(Token::at(MethodId(method), offset));
            offset += 1 + if rng.one_in(6) { rng.below(5) as u32 } else { 0 };
        }
    }
    trace.truncate(length);
    trace
}

/// Length of the longest common subsequence.
fn common(a: &[Token], b: &[Token]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut corner = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y { corner + 1 } else { above.max(row[j]) };
            corner = above;
        }
    }
    row[b.len()]
}

#[test]
fn jittered_passes_give_what_they_cover_in_the_right_order() {
    let mut rng = Rng::new(2);
    for times in [1, 2, 4] {
        let (mut kept, mut shown, mut all) = (0, 0, 0);
        for _ in 0..20 {
            let trace = random_target(&mut rng, 200);
            let interval = 5 + rng.below(16);
            let jitter = interval / 4;
            // A timer that comes late or early, and a clock that does not see by how much.
            let mut parts: Vec<Vec<TokenRun>> = Vec::new();
            let mut samples = 0;
            while samples < times * trace.len() {
                let mut part = Vec::new();
                for clock in (rng.below(interval)..trace.len()).step_by(interval) {
                    let at = (clock + rng.below(2 * jitter + 1)).saturating_sub(jitter);
                    if let Some(&token) = trace.get(at) {
                        part.push(TokenRun { token, samples: 1, at: clock as u64 });
                    }
                }
                samples += part.len();
                parts.push(part);
            }
            let merged = free(&parts, interval as u64).unwrap();
            let merged: Vec<Token> = merged.iter().map(|r| r.token).collect();
            kept += common(&trace, &merged);
            shown += merged.len();
            all += trace.len();
        }
        let (precision, recall) = (kept as f64 / shown as f64, kept as f64 / all as f64);
        let covered = 1.0 - (-f64::from(times as u32)).exp();
        println!("{times} x: precision {precision:.4}, recall {recall:.4}, cover {covered:.4}");
        assert!(precision >= 0.99, "{times} times: precision {precision}");
        assert!(recall >= 0.98 * covered, "{times} times: recall {recall} of {covered}");
    }
}

#[test]
fn equal_neighbours_become_one_place_with_the_samples_of_all() {
    let run = |&(offset, samples): &(u32, u64)| TokenRun {
        token: Token::at(A, offset),
        samples,
        at: offset.into(),
    };
    let part: Vec<TokenRun> = [(0, 2), (0, 3), (1, 7)].iter().map(run).collect();
    let merged = free(&[part.clone(), part], 1).unwrap();
    assert_eq!(merged.iter().map(|r| r.samples).collect::<Vec<_>>(), [10, 14]);
    assert!(free(&[], 1).unwrap().is_empty());
}

#[test]
fn traces_that_need_too_much_memory_are_refused() {
    let run = |k: u32| TokenRun { token: Token::at(A, k), samples: 1, at: k.into() };
    let part: Vec<TokenRun> = (0..1 << 14).map(run).collect();
    let error = free(&[part.clone(), part], 1);
    assert_eq!(error, Err(MergeError::Places(1 << 14, 1 << 14)));
}

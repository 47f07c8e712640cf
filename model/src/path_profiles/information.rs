//! Information that is lost when two dependent branches are counted separately.

/// Returns the mutual information of two branches, in bits for each passage: the additional cost of
/// coding both decisions by the frequencies of the edges instead of those of the paths.
/// `joint[i][j]` counts the passages that took alternative `i` of the first branch and `j` of the
/// second; rows that are shorter than others lack zeros. 0 without passages.
///
/// ```
/// use model::path_profiles::information::mutual_information;
///
/// // Either way half the time; the second branch goes as the first did nine times in ten. By
/// // edges, each passage takes two bits; by paths, 1.469.
/// let lost = mutual_information(&[vec![45, 5], vec![5, 45]]);
/// assert!((lost - 0.531).abs() < 0.0005);
/// // If the second branch does not depend on the first, nothing is lost.
/// assert!(mutual_information(&[vec![9, 1], vec![81, 9]]).abs() < 1e-12);
/// ```
pub fn mutual_information(joint: &[Vec<u64>]) -> f64 {
    let sum = |counts: &mut dyn Iterator<Item = u64>| counts.map(|n| n as f64).sum::<f64>();
    let all = sum(&mut joint.iter().flatten().copied());
    if all == 0.0 {
        return 0.0;
    }
    let width = joint.iter().map(Vec::len).max().unwrap_or(0);
    let column = |j: usize| sum(&mut joint.iter().filter_map(|row| row.get(j).copied()));
    let columns: Vec<f64> = (0..width).map(column).collect();
    let mut bits = 0.0;
    for row in joint {
        let first = sum(&mut row.iter().copied());
        for (&n, second) in row.iter().zip(&columns).filter(|(n, _)| **n > 0) {
            let n = n as f64;
            bits += n / all * (n * all / (first * second)).log2();
        }
    }
    bits.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_all_of_the_other_loses_all_of_it() {
        assert!((mutual_information(&[vec![7, 0], vec![0, 7]]) - 1.0).abs() < 1e-12);
        let four = [vec![5], vec![0, 5], vec![0, 0, 5], vec![0, 0, 0, 5]];
        assert!((mutual_information(&four) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_that_ran_tells_nothing() {
        assert_eq!(mutual_information(&[]), 0.0);
        assert_eq!(mutual_information(&[vec![0, 0], vec![]]), 0.0);
    }

    #[test]
    fn large_counts_do_not_overflow() {
        let lost = mutual_information(&[vec![u64::MAX, 0], vec![0, u64::MAX]]);
        assert!((lost - 1.0).abs() < 1e-9);
    }
}

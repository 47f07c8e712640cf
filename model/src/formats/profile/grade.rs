//! Fingerprints in grades: what two releases of a branch have in common, and how far to trust it.
//!
//! One number of 64 bits holds six hashes, each of less of the code around a branch than the one
//! above it. Branches that agree in a grade agree in all below it, but for collisions; so a match
//! needs the whole lower part of the number, and two equal numbers are the same code.

/// Amount of surrounding code that two branches share: the loosest grade comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// The instruction that branches.
    Instruction,
    /// The last instructions of its block, without names of the app's classes.
    Tail,
    /// Its block, without constants, moves and casts.
    Block,
    /// The block and the beginnings of its successors, without constants, moves and casts.
    Surroundings,
    /// All of that with constants, moves and casts; only the app's types are left out.
    Names,
    /// The same code.
    Same,
}

impl Grade {
    /// All of them, the loosest first.
    pub const ALL: [Grade; 6] = [
        Grade::Instruction,
        Grade::Tail,
        Grade::Block,
        Grade::Surroundings,
        Grade::Names,
        Grade::Same,
    ];

    /// Bits of its hash.
    const fn bits(self) -> u32 {
        match self {
            Grade::Instruction | Grade::Tail => 6,
            Grade::Block => 10,
            Grade::Surroundings => 12,
            Grade::Names => 14,
            Grade::Same => 16,
        }
    }

    /// Bits of its hash and of all below.
    const fn width(self) -> u32 {
        match self {
            Grade::Instruction => 6,
            Grade::Tail => 12,
            Grade::Block => 22,
            Grade::Surroundings => 34,
            Grade::Names => 48,
            Grade::Same => 64,
        }
    }

    /// Of how many decisions the history of such a branch counts at most; `None`: of all.
    pub const fn cap(self) -> Option<u32> {
        match self {
            Grade::Same => None,
            Grade::Names => Some(1000),
            Grade::Surroundings => Some(100),
            Grade::Block => Some(24),
            Grade::Tail => Some(6),
            Grade::Instruction => Some(2),
        }
    }

    /// Value of a match when branches of two releases are aligned: a match of one grade outweighs
    /// several of the grade below.
    pub(super) const fn worth(self) -> u32 {
        match self {
            Grade::Same => 64,
            Grade::Names => 48,
            Grade::Surroundings => 32,
            Grade::Block => 16,
            Grade::Tail => 6,
            Grade::Instruction => 2,
        }
    }

    /// The hashes of this grade and of all below.
    pub(super) const fn part(self, fingerprint: u64) -> u64 {
        fingerprint & (u64::MAX >> (u64::BITS - self.width()))
    }

    /// The best grade in which two fingerprints agree.
    pub fn of(a: u64, b: u64) -> Option<Grade> {
        let equal = (a ^ b).trailing_zeros();
        Grade::ALL.into_iter().rev().find(|grade| grade.width() <= equal)
    }
}

/// Puts the hashes of all grades, the loosest first, into one fingerprint.
pub fn fingerprint(hashes: [u64; 6]) -> u64 {
    Grade::ALL.into_iter().zip(hashes).fold(0, |sum, (grade, hash)| {
        // The upper bits of FNV are the better ones.
        let bits = grade.bits();
        sum | (hash >> (64 - bits)) << (grade.width() - bits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_that_differ_in_a_grade_agree_in_those_below() {
        let all =
            [0x1111 << 48, 0x2222 << 48, 0x3333 << 48, 0x4444 << 48, 0x5555 << 48, 0x6666 << 48];
        let of = fingerprint(all);
        assert_eq!(Grade::of(of, of), Some(Grade::Same));
        for (i, grade) in Grade::ALL.into_iter().enumerate() {
            let mut changed = all;
            // All above it change, too: they look at more.
            changed[i..].iter_mut().for_each(|hash| *hash = !*hash);
            let below = i.checked_sub(1).map(|i| Grade::ALL[i]);
            assert_eq!(Grade::of(of, fingerprint(changed)), below, "{grade:?}");
        }
    }

    #[test]
    fn the_hashes_fill_the_number() {
        let mut sum = 0;
        for grade in Grade::ALL {
            sum += grade.bits();
            assert_eq!(sum, grade.width());
        }
        assert_eq!(sum, u64::BITS);
    }

    #[test]
    fn a_tighter_grade_is_trusted_more() {
        let cap = |g: Grade| g.cap().map_or(u64::MAX, u64::from);
        assert!(Grade::ALL.windows(2).all(|g| cap(g[0]) < cap(g[1])));
        assert!(Grade::ALL.windows(2).all(|g| g[0].worth() < g[1].worth()));
    }
}

//! Numbers with their nouns.

use std::fmt::Display;

/// Formats a number and its noun: `1 session`, `2 sessions`, `2 processes`, `2 branches`. The noun
/// may have words before it.
pub fn counted<N: Display + PartialEq + From<bool>>(number: N, noun: &str) -> String {
    // `true` is 1 in every type of integers.
    let plural = match noun {
        _ if number == N::from(true) => "",
        _ if noun.ends_with('s') || noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{number} {noun}{plural}")
}

/// Formats a number, its noun and the verb: `1 slab is`, `2 slabs are`.
pub fn there_are<N: Display + PartialEq + From<bool> + Copy>(number: N, noun: &str) -> String {
    let verb = if number == N::from(true) { "is" } else { "are" };
    format!("{} {verb}", counted(number, noun))
}

/// The same of what is over: `1 page was`, `2 pages were`.
pub fn there_were<N: Display + PartialEq + From<bool> + Copy>(number: N, noun: &str) -> String {
    let verb = if number == N::from(true) { "was" } else { "were" };
    format!("{} {verb}", counted(number, noun))
}

#[cfg(test)]
mod tests {
    use super::{counted, there_are, there_were};

    #[test]
    fn nouns_agree_with_their_numbers() {
        assert_eq!(counted(0u64, "session"), "0 sessions");
        assert_eq!(counted(1usize, "process"), "1 process");
        assert_eq!(counted(2u32, "top-level process"), "2 top-level processes");
        assert_eq!(counted(3i64, "branch"), "3 branches");
        assert_eq!(there_are(1u64, "slab"), "1 slab is");
        assert_eq!(there_are(2u64, "slab"), "2 slabs are");
        assert_eq!(there_were(1u64, "page"), "1 page was");
    }
}

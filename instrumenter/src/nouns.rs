//! Numbers with their nouns, in messages.

/// Formats a number with its noun, in the singular or plural.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    let plural = if noun.ends_with('s') { "es" } else { "s" };
    format!("{n} {noun}{}", if n == 1 { "" } else { plural })
}

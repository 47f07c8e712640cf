//! The word list: words that no comment, message or document of the project uses, and the field
//! terms that replace them. The lint leaves out this file only.

/// A word or phrase of dialect, and its replacements.
pub struct DialectWord {
    /// The word in lower case.
    pub word: &'static str,
    /// Words to use instead.
    pub instead: &'static str,
}

const fn entry(word: &'static str, instead: &'static str) -> DialectWord {
    DialectWord { word, instead }
}

/// All words of dialect. A phrase breaks a rule only where both of its ends are word boundaries.
pub const DIALECT: &[DialectWord] = &[
    entry("tell", REPORT),
    entry("tells", REPORT),
    entry("told", REPORT),
    entry("say", REPORT),
    entry("says", REPORT),
    entry("said", REPORT),
    entry("foretell", "predict"),
    entry("foretells", "predict"),
    entry("foretold", "predict"),
    entry("so many", "n, the number of"),
    entry("dear", "expensive, cost"),
    entry("dearest", "most expensive"),
    entry("whoever", "the actor's name"),
    entry("there, too", "also"),
];

const REPORT: &str = "print, report, show, record, contain";

//! One line of text, read from left to right.

use crate::code::opcode::Op;

/// A reason why text is no code, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The broken rule.
    pub kind: TextErrorKind,
}

/// Rules of the text form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// Something else should stand here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// No opcode has this name.
    #[error("there is no opcode {0:?}")]
    UnknownOpcode(String),
    /// No directive has this name.
    #[error("there is no directive {0:?} here")]
    UnknownDirective(String),
    /// No access flag has this name.
    #[error("there is no access flag {0:?} here")]
    UnknownFlag(String),
    /// A number does not fit its place.
    #[error("the number must lie between {min} and {max}")]
    Range {
        /// The least that fits.
        min: i64,
        /// The most that fits.
        max: i64,
    },
    /// The operands do not fit the opcode's format.
    #[error("{op}: {what}")]
    Operand {
        /// The instruction.
        op: Op,
        /// The operand that does not fit.
        what: &'static str,
    },
    /// A try range begins inside another one.
    #[error("the try range before this one is still open")]
    NestedTry,
    /// `.end try` without `.try`.
    #[error("there is no open try range")]
    NoOpenTry,
    /// A try range is not closed.
    #[error("the try range is still open at the end of the code")]
    OpenTry,
    /// `.catch` and `.payload` count up from 0.
    #[error("number {expected} comes next")]
    Order {
        /// The number that should stand here.
        expected: usize,
    },
    /// `p0` without parameters, or beyond them.
    #[error("there is no such parameter register")]
    NoParameter,
    /// The text ends inside something.
    #[error("the text ends before {0}")]
    Ends(&'static str),
    /// `.repeat` asks for more instructions than a test needs.
    #[error("more than {0} instructions")]
    TooMuch(usize),
}

pub(super) type Result<T> = std::result::Result<T, TextError>;

/// A position in a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineCursor<'a> {
    line: usize,
    text: &'a str,
    at: usize,
}

/// The lines of a text that hold something, comments left out.
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    last: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines().enumerate(), last: 0 }
    }

    /// The error that the text ends before something.
    pub(super) fn ends(&self, before: &'static str) -> TextError {
        TextError { line: self.last + 1, column: 1, kind: TextErrorKind::Ends(before) }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = LineCursor<'a>;

    fn next(&mut self) -> Option<LineCursor<'a>> {
        loop {
            let (i, text) = self.lines.next()?;
            self.last = i + 1;
            let mut cursor = LineCursor { line: i + 1, text, at: 0 };
            if !cursor.at_end() {
                return Some(cursor);
            }
        }
    }
}

/// True if a name without quotes may contain the character.
pub(super) fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '$' | '_' | '-')
        || !c.is_ascii() && c.is_alphanumeric()
}

impl<'a> LineCursor<'a> {
    pub(super) fn error<T>(&self, kind: TextErrorKind) -> Result<T> {
        let column = self.text[..self.at].chars().count() + 1;
        Err(TextError { line: self.line, column, kind })
    }

    pub(super) fn expected<T>(&self, what: &'static str) -> Result<T> {
        self.error(TextErrorKind::Expected(what))
    }

    /// The rest of the line, unchanged.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space, and a comment to the end of the line.
    pub(super) fn skip(&mut self) {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        let after_space = self.at == 0 || self.text[..self.at].ends_with(char::is_whitespace);
        if trimmed.starts_with(';') && after_space {
            self.at = self.text.len();
        }
    }

    /// True if only white space and a comment are left.
    pub(super) fn at_end(&mut self) -> bool {
        self.skip();
        self.rest().is_empty()
    }

    /// Checks that the line ends.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.at_end() { Ok(()) } else { self.expected("the end of the line") }
    }

    /// Takes these characters if they come next; skips white space before them.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        self.skip();
        self.eat_here(text)
    }

    /// Takes these characters if they come at once.
    pub(super) fn eat_here(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    pub(super) fn need(&mut self, text: &str, what: &'static str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { self.expected(what) }
    }

    pub(super) fn comma(&mut self) -> Result<()> {
        self.need(",", "a comma")
    }

    /// The next character, after white space.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest().chars().next()
    }

    /// Takes characters while they pass.
    pub(super) fn take_while(&mut self, passes: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !passes(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes the characters up to the next white space.
    pub(super) fn word(&mut self) -> &'a str {
        self.skip();
        self.take_while(|c| !c.is_whitespace())
    }

    /// Takes a word if it is this one.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let mut ahead = *self;
        let found = ahead.word() == word;
        if found {
            *self = ahead;
        }
        found
    }

    /// A number in decimal or, with `0x`, in hexadecimal digits.
    pub(super) fn number(&mut self, min: i64, max: i64) -> Result<i64> {
        self.skip();
        let start = *self;
        let negative = self.eat_here("-");
        let hex = self.eat_here("0x");
        let digits = self.take_while(|c| c.is_ascii_alphanumeric());
        let Ok(size) = i128::from_str_radix(digits, if hex { 16 } else { 10 }) else {
            let digit = |c: char| c.is_digit(if hex { 16 } else { 10 });
            let too_long = !digits.is_empty() && digits.chars().all(digit);
            return if too_long {
                start.error(TextErrorKind::Range { min, max })
            } else {
                start.expected("a number")
            };
        };
        let value = i64::try_from(if negative { -size } else { size });
        match value.ok().filter(|value| (min..=max).contains(value)) {
            Some(value) => Ok(value),
            None => start.error(TextErrorKind::Range { min, max }),
        }
    }

    /// Quoted text, as UTF-16 code units.
    pub(super) fn quoted(&mut self) -> Result<Vec<u16>> {
        self.need("\"", "quoted text")?;
        let mut units = Vec::new();
        loop {
            let Some(c) = self.rest().chars().next() else {
                return self.expected("a closing quote");
            };
            let here = *self;
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(units),
                '\\' => match self.escape() {
                    Some(Escape::Char(c)) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
                    Some(Escape::Unit(unit)) => units.push(unit),
                    None => return here.expected(r#"one of \\ \" \n \r \t \u{HEX}"#),
                },
                c => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self) -> Option<Escape> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(Escape::Char(match c {
            '\\' | '"' => c,
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                if !self.eat_here("{") {
                    return None;
                }
                let value =
                    u32::from_str_radix(self.take_while(|c| c.is_ascii_hexdigit()), 16).ok()?;
                if !self.eat_here("}") {
                    return None;
                }
                match char::from_u32(value) {
                    Some(c) => c,
                    // A lone surrogate, which DEX strings can hold.
                    None => return u16::try_from(value).ok().map(Escape::Unit),
                }
            }
            _ => return None,
        }))
    }
}

enum Escape {
    Char(char),
    Unit(u16),
}

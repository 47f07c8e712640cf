//! The rules, and the search for lines that break them.

use std::collections::{BTreeMap, BTreeSet};

use super::dictionary::{DIALECT, DialectWord};

/// Columns of the longest line that is allowed.
const MAX_COLUMNS: usize = 100;
/// Extensions of files whose lines are counted. Assembly is not among them: the descriptors of a
/// call stand in one line there.
const WRAPPED: &[&str] =
    &["rs", "java", "kt", "kts", "gradle", "py", "sh", "js", "mjs", "css", "yml", "yaml", "pro"];
/// Lines of the longest README that is allowed.
const MAX_README_LINES: usize = 160;
/// Modules of the workspace that may define a type of the same name.
const MAX_MODULES: usize = 3;

/// Words that ask instead of naming something.
const QUESTION_WORDS: &[&str] = &["What", "Whether", "Where", "How", "Which", "Why", "Who", "When"];
/// Type names that conventions of libraries ask for: clap's options, an error type per module.
const CONVENTIONAL_TYPES: &[&str] = &["Args", "Error"];

/// Folders of the crates that the command line calls.
const LIBRARIES: &[&str] = &[
    "apk",
    "decoder",
    "device",
    "dex",
    "disk",
    "instrumenter",
    "model",
    "reports",
    "samples",
    "tables",
    "timetree",
    "why",
];
/// Programs of others, whose options a message may name.
const OTHER_PROGRAMS: &[&str] = &["bundletool", "simpleperf", "--mode=universal"];

/// A rule that the lint counts breaches of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A line of a Rust doc comment opens with a question word.
    QuestionOpening,
    /// A comment, message or document contains a word of the word list.
    Dialect,
    /// A type's name belongs to types of more than [`MAX_MODULES`] modules.
    CrowdedType,
    /// A line of code has more than [`MAX_COLUMNS`] columns.
    WideLine,
    /// A line of README.md after the first [`MAX_README_LINES`].
    LongReadme,
    /// A string of a library crate names an option of the command line, which `src` words.
    OptionInLibrary,
}

impl Rule {
    /// Every rule, in the order of the limits file.
    pub const ALL: [Self; 6] = [
        Self::QuestionOpening,
        Self::Dialect,
        Self::CrowdedType,
        Self::WideLine,
        Self::LongReadme,
        Self::OptionInLibrary,
    ];

    /// Name in the limits file and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::QuestionOpening => "question-opening",
            Self::Dialect => "dialect",
            Self::CrowdedType => "crowded-type",
            Self::WideLine => "wide-line",
            Self::LongReadme => "long-readme",
            Self::OptionInLibrary => "option-in-library",
        }
    }
}

/// A tracked text file.
pub struct SourceFile {
    /// Path from the root of the checkout, with `/`.
    pub path: String,
    /// Contents.
    pub text: String,
}

impl SourceFile {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        let extension = self.path.rsplit_once('.').map_or("", |(_, extension)| extension);
        extensions.contains(&extension)
    }

    /// True for tests of a crate or of the workspace: their types are named for one test only.
    fn is_test(&self) -> bool {
        self.path.starts_with("tests/") || self.path.contains("/tests")
    }

    /// True for Rust code of a crate that the command line calls.
    fn is_library(&self) -> bool {
        let folder = self.path.split_once("/src/").map_or("", |(folder, _)| folder);
        self.has_extension(&["rs"]) && !self.is_test() && LIBRARIES.contains(&folder)
    }

    fn numbered_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

/// A line that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Breach {
    /// The broken rule.
    pub rule: Rule,
    /// Path from the root of the checkout.
    pub path: String,
    /// Line number, from 1.
    pub line: usize,
    /// The reason, with the cure where the rule has one.
    pub reason: String,
}

impl Breach {
    /// The folder that the limits count the breach for: the crate's, or `.` in the root.
    pub fn folder(&self) -> &str {
        self.path.split_once('/').map_or(".", |(folder, _)| folder)
    }
}

/// True if the lint reads the file: generated programs, recordings of other tools, finished
/// experiments and the word list keep their words.
pub fn is_linted(path: &str) -> bool {
    !(path.contains("/prebuilt/")
        || path.contains("/recorded/")
        || path.starts_with("bench/archive/")
        || path == "xtask/src/words/dictionary.rs")
}

/// Returns all breaches in the linted files, sorted by rule, path and line.
pub fn breaches(files: &[SourceFile]) -> Vec<Breach> {
    let linted: Vec<_> = files.iter().filter(|file| is_linted(&file.path)).collect();
    let mut found = crowded_types(&linted);
    for file in linted {
        for (line, text) in file.numbered_lines() {
            let mut add = |rule, reason| {
                found.push(Breach { rule, path: file.path.clone(), line, reason });
            };
            if file.has_extension(&["rs"]) && question_word(text).is_some() {
                add(Rule::QuestionOpening, text.trim().to_owned());
            }
            if let Some(entry) = dialect_word(file, text) {
                let DialectWord { word, instead } = entry;
                add(Rule::Dialect, format!("{word} (use {instead}): {}", text.trim()));
            }
            let columns = text.chars().count();
            if file.has_extension(WRAPPED) && columns > MAX_COLUMNS {
                add(Rule::WideLine, format!("{columns} columns, {MAX_COLUMNS} are allowed"));
            }
            if let Some(option) = file.is_library().then(|| named_option(text)).flatten() {
                add(Rule::OptionInLibrary, format!("{option}: a kind of error that `src` words"));
            }
            if file.path == "README.md" && line > MAX_README_LINES {
                add(Rule::LongReadme, format!("README has {MAX_README_LINES} lines at most"));
            }
        }
    }
    found.sort_by(|a, b| (a.rule, &a.path, a.line).cmp(&(b.rule, &b.path, b.line)));
    found
}

/// The text of a line of a Rust doc comment. `None` for other lines and empty ones.
fn doc_text(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    let text = text.strip_prefix(' ').unwrap_or(text);
    if text.starts_with(|c: char| !c.is_whitespace()) { Some(text) } else { None }
}

fn question_word(line: &str) -> Option<&'static str> {
    let text = doc_text(line)?;
    let word = |word: &&&str| text.strip_prefix(**word).is_some_and(starts_at_boundary);
    QUESTION_WORDS.iter().find(word).copied()
}

/// The option that a line of code names in a string: `--word` that begins the string, or after a
/// space or a bracket. Options of other programs are none.
fn named_option(line: &str) -> Option<&str> {
    // Values in JSON are part of a schema.
    let is_value = line.contains("serde(rename");
    if is_value
        || line.trim_start().starts_with("//")
        || OTHER_PROGRAMS.iter().any(|p| line.contains(p))
    {
        return None;
    }
    // A string may have begun on a line before.
    line.match_indices("--").find_map(|(start, _)| {
        let opens = start == 0 || line[..start].ends_with([' ', '(', '"', '`']);
        let rest = &line[start + 2..];
        let end = rest.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(rest.len());
        (opens && rest.starts_with(|c: char| c.is_ascii_lowercase()))
            .then(|| &line[start..start + 2 + end])
    })
}

fn is_word_char(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn starts_at_boundary(rest: &str) -> bool {
    !rest.starts_with(is_word_char)
}

/// The first entry of the word list that the line contains. Of code, only lines with a comment or a
/// string count, and paths of items (`std::fs`) do not.
fn dialect_word(file: &SourceFile, line: &str) -> Option<&'static DialectWord> {
    let prose = if file.has_extension(&["rs", "java"]) {
        if !(line.contains("//") || line.contains('"') || line.contains('*')) {
            return None;
        }
        without_item_paths(line).to_lowercase()
    } else if file.has_extension(&["md", "py", "html", "js"]) {
        line.to_lowercase()
    } else {
        return None;
    };
    DIALECT.iter().find(|entry| contains_phrase(&prose, entry.word))
}

fn contains_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(start, _)| {
        !text[..start].ends_with(is_word_char) && starts_at_boundary(&text[start + phrase.len()..])
    })
}

/// The line without the two identifiers beside each `::`.
fn without_item_paths(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("::") {
        kept += before.trim_end().trim_end_matches(is_word_char);
        rest = after.trim_start().trim_start_matches(is_word_char);
    }
    kept + rest
}

/// The name of the type that the line of Rust code begins to define.
fn defined_type(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let item = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1.trim_start(),
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let keywords = ["struct ", "enum ", "trait "];
    let rest = keywords.iter().find_map(|keyword| item.strip_prefix(keyword))?;
    let name = &rest[..rest.find(|c| !is_word_char(c)).unwrap_or(rest.len())];
    name.starts_with(|c: char| c.is_ascii_uppercase()).then_some(name)
}

fn crowded_types(files: &[&SourceFile]) -> Vec<Breach> {
    let mut definitions: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.has_extension(&["rs"]) && !file.is_test()) {
        for (line, text) in file.numbered_lines() {
            if let Some(name) = defined_type(text).filter(|n| !CONVENTIONAL_TYPES.contains(n)) {
                definitions.entry(name).or_default().entry(&file.path).or_insert(line);
            }
        }
    }
    let crowded = definitions.into_iter().filter(|(_, modules)| modules.len() > MAX_MODULES);
    crowded
        .flat_map(|(name, modules)| {
            let reason = format!("{} modules define a type {name}", modules.len());
            modules.into_iter().map(move |(path, line)| Breach {
                rule: Rule::CrowdedType,
                path: path.to_owned(),
                line,
                reason: reason.clone(),
            })
        })
        .collect()
}

/// Sizes that the counts of breaches relate to.
#[derive(Debug, PartialEq, Eq)]
pub struct Extent {
    /// Lines of doc comments with text.
    pub doc_lines: usize,
    /// Types defined outside of tests.
    pub types: usize,
}

impl Extent {
    /// Measures the linted files.
    pub fn of_files(files: &[SourceFile]) -> Self {
        let mut extent = Self { doc_lines: 0, types: 0 };
        let mut names = BTreeSet::new();
        for file in files.iter().filter(|f| is_linted(&f.path) && f.has_extension(&["rs"])) {
            for line in file.text.lines() {
                extent.doc_lines += usize::from(doc_text(line).is_some());
                let name = defined_type(line).filter(|_| !file.is_test());
                names.extend(name.map(|name| (&file.path, name)));
            }
        }
        extent.types = names.len();
        extent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.into(), text: text.into() }
    }

    /// Rule, path and line of each breach.
    fn positions(files: &[SourceFile]) -> Vec<(Rule, String, usize)> {
        breaches(files).into_iter().map(|b| (b.rule, b.path, b.line)).collect()
    }

    #[test]
    fn a_doc_line_that_opens_with_a_question_word_is_found() {
        let text = "//! How it runs.\n\n/// Returns what ran.\n    /// Whether it ran.\n\
                    // What a comment may ask.\n/// However, it ran.\nlet s = \"/// What\";\n";
        let found = positions(&[file("dex/src/lib.rs", text), file("docs/x.md", text)]);
        let path = "dex/src/lib.rs".to_owned();
        assert_eq!(
            found,
            [(Rule::QuestionOpening, path.clone(), 1), (Rule::QuestionOpening, path, 4)]
        );
    }

    #[test]
    fn each_word_of_the_list_is_found_in_comments_messages_and_documents() {
        for DialectWord { word, .. } in DIALECT {
            let upper = word.to_uppercase();
            let comment = file("a/x.rs", &format!("let x = 1; // {upper}.\n"));
            let message = file("a/x.java", &format!("print(\"{word}\");\n"));
            let document = file("x.md", &format!("a {word}, b\n"));
            let script = file("x.py", &format!("{word} = 1\n"));
            for planted in [comment, message, document, script] {
                let path = planted.path.clone();
                assert_eq!(positions(&[planted]), [(Rule::Dialect, path, 1)], "{word}");
            }
        }
    }

    #[test]
    fn identifiers_and_parts_of_words_are_no_dialect() {
        let word = DIALECT[0].word;
        let code = format!(
            "let {word} = 1;\nuse a::{word}; // an import\n// {word}_more\n// re{word}\n\
             let x = {word}::f(\"\");\n"
        );
        assert_eq!(positions(&[file("a/x.rs", &code)]), []);
    }

    #[test]
    fn a_type_name_in_a_fourth_module_is_found_in_all_four() {
        let one = file("a/src/one.rs", "struct Crowd;\nenum Error {}\nenum Alone {}\n");
        let two = file("a/src/two.rs", "/// A crowd.\npub enum Crowd {}\nenum Error {}\n");
        let three = file("b/src/one.rs", "pub(crate) trait Crowd {}\nenum Error {}\n");
        let test = file("b/tests/one.rs", "struct Crowd;\nenum Error {}\n");
        let four = file("c/src/one.rs", "    pub struct Crowd<T>(T);\nenum Error {}\n");
        let mut files = vec![one, two, three, test];
        assert_eq!(positions(&files), []);
        files.push(four);
        let expected = [("a/src/one.rs", 1), ("a/src/two.rs", 2), ("b/src/one.rs", 1)];
        let expected = expected.into_iter().chain([("c/src/one.rs", 1)]);
        let expected: Vec<_> =
            expected.map(|(path, line)| (Rule::CrowdedType, path.to_owned(), line)).collect();
        assert_eq!(positions(&files), expected);
        assert_eq!(Extent::of_files(&files), Extent { doc_lines: 1, types: 9 });
    }

    #[test]
    fn a_line_of_101_columns_is_found_in_code_but_not_in_documents() {
        let allowed = "ä".repeat(100);
        let wide = format!("{allowed}\n{allowed}x\n");
        for extension in ["rs", "py", "sh", "java", "js", "css"] {
            let path = format!("a/x.{extension}");
            assert_eq!(positions(&[file(&path, &wide)]), [(Rule::WideLine, path, 2)]);
        }
        assert_eq!(positions(&[file("a/x.md", &wide)]), []);
    }

    #[test]
    fn a_string_of_a_library_that_names_an_option_is_found() {
        let text = "#[error(\"give --map\")]\n#[error(\"--top\")]\n    see (--top)\"\n\
                    // not --this one\nlet n = a--b;\n\"`simpleperf --protobuf`\"\n";
        let lines = |path: &str| -> Vec<usize> {
            positions(&[file(path, text)]).into_iter().map(|(_, _, line)| line).collect()
        };
        assert_eq!(lines("reports/src/x.rs"), [1, 2, 3]);
        for path in ["src/x.rs", "reports/src/tests.rs", "xtask/src/x.rs", "reports/src/x.md"] {
            assert_eq!(lines(path), [0; 0], "{path}");
        }
    }

    #[test]
    fn line_161_of_the_readme_is_found() {
        let readme = |lines: usize| file("README.md", &"text\n".repeat(lines));
        assert_eq!(positions(&[readme(160)]), []);
        let expected = [(Rule::LongReadme, "README.md".to_owned(), 161)];
        assert_eq!(positions(&[readme(161)]), expected);
        assert_eq!(positions(&[file("docs/README.md", &"text\n".repeat(161))]), []);
    }

    #[test]
    fn generated_recorded_and_archived_files_are_left_out() {
        let wide = "/// Why\n".to_owned() + &"x".repeat(101);
        let left_out = [
            "tests/truth/prebuilt/1/A.java",
            "tests/truth/prebuilt/1/a.rs",
            "tests/cli/recorded/hosts/Hosts.java",
            "bench/archive/2024/plot.py",
        ];
        let files = left_out.map(|path| file(path, &wide));
        assert_eq!(positions(&files), []);
        let linted = ["tests/truth/A.java", "tests/cli/a.java", "bench/plot.py"];
        assert_eq!(positions(&linted.map(|path| file(path, &wide))).len(), 3);
    }
}

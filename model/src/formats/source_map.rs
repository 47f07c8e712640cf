//! Source maps of classes (JSR-45, `SourceDebugExtension`) as Kotlin's compiler writes them.
//!
//! Lines of inlined code get numbers after the end of the caller's file. The map of a class holds
//! where they come from (stratum `Kotlin`), and the line of the call that they were inlined at
//! (stratum `KotlinDebug`):
//!
//! ```text
//! SMAP
//! App.kt
//! Kotlin
//! *S Kotlin
//! *F
//! + 1 App.kt
//! kt/App
//! + 2 _Collections.kt
//! kotlin/collections/CollectionsKt___CollectionsKt
//! *L
//! 1#1,39:1          lines 1 to 39 are those of App.kt
//! 865#2,2:41        41 and 42 are 865 and 866 of _Collections.kt
//! *S KotlinDebug
//! *F
//! + 1 App.kt
//! kt/App
//! *L
//! 8#1:41,2          both were inlined at line 8 of App.kt
//! *E
//! ```
//!
//! Source: JSR-45 (final release), and `SMAP.kt` of Kotlin's compiler for the strata.

use std::collections::HashMap;

use thiserror::Error;

/// The class of lines that stand for no source: Kotlin marks so where a function begins of which
/// no line is kept.
const NO_SOURCE: &str = "kotlin/jvm/internal/FakeKt";

/// Reasons why a text is no source map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SourceMapError {
    /// It begins otherwise.
    #[error("it does not begin with SMAP")]
    NoSourceMap,
    /// It has no lines of the stratum `Kotlin`.
    #[error("it has no stratum Kotlin")]
    NoKotlin,
    /// A line that cannot be understood.
    #[error("line {0} cannot be understood")]
    Line(usize),
}

/// A line of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineOrigin<'s> {
    /// Name of the file, without folders.
    pub file: &'s str,
    /// The class that the line's code was compiled to, with slashes: `kt/App`.
    pub class: Option<&'s str>,
    /// Its number.
    pub line: u32,
    /// The first line of the code that continues to this one.
    pub first: u32,
    /// The number of copies of that line, at the same call, before this one.
    pub copy: u32,
}

impl LineOrigin<'_> {
    /// Returns true if it stands for no line of any source.
    pub fn is_no_source(&self) -> bool {
        self.class == Some(NO_SOURCE)
    }
}

/// The source map of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceMap {
    origins: Stratum,
    calls: Stratum,
}

impl SourceMap {
    /// Reads the value of a `SourceDebugExtension`. Strata that are not Kotlin's are passed over.
    ///
    /// # Errors
    /// A text that is no source map of Kotlin.
    pub fn parse(text: &str) -> Result<SourceMap, SourceMapError> {
        Parser::default().parse(text)
    }

    /// The source of a line of the class's code.
    pub fn origin(&self, line: u32) -> Option<LineOrigin<'_>> {
        self.origins.find(line)
    }

    /// The call that a line was inlined at.
    pub fn call(&self, line: u32) -> Option<LineOrigin<'_>> {
        self.calls.find(line)
    }
}

/// One view of the code's lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Stratum {
    files: HashMap<u32, MappedFile>,
    /// Ascending by their first line in the code.
    ranges: Vec<Range>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct MappedFile {
    name: String,
    path: Option<String>,
}

/// Lines of the code, and the lines of a file that they come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    /// First line in the code.
    first: u32,
    /// Last line in the code.
    last: u32,
    /// Lines of the code for each line of the file.
    step: u32,
    file: u32,
    /// First line in the file.
    line: u32,
    /// The number of ranges before it with the same lines of the file, and the same call.
    copy: u32,
}

impl Stratum {
    fn find(&self, line: u32) -> Option<LineOrigin<'_>> {
        let at = self.ranges.partition_point(|r| r.first <= line).checked_sub(1)?;
        let range = self.ranges.get(at).filter(|r| line <= r.last)?;
        let file = self.files.get(&range.file)?;
        let line = range.line.checked_add((line - range.first) / range.step)?;
        let (class, first, copy) = (file.path.as_deref(), range.first, range.copy);
        Some(LineOrigin { file: &file.name, class, line, first, copy })
    }
}

/// The part of a map that the next line belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Section {
    /// One that is passed over.
    #[default]
    Other,
    Files,
    Lines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    Origins,
    Calls,
}

#[derive(Default)]
struct Parser {
    map: SourceMap,
    view: Option<View>,
    section: Section,
    /// The file of ranges that name none.
    file: u32,
}

impl Parser {
    fn parse(mut self, text: &str) -> Result<SourceMap, SourceMapError> {
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, first)| first != "SMAP") {
            return Err(SourceMapError::NoSourceMap);
        }
        // The name of the file and of the stratum that debuggers show.
        let mut lines = lines.skip(2);
        while let Some((at, line)) = lines.next() {
            if line == "*E" {
                break;
            }
            if line.starts_with('*') {
                self.begin(line);
                continue;
            }
            let read = match self.section {
                Section::Other => Some(()),
                Section::Files => self.file(line, &mut || lines.next().map(|(_, path)| path)),
                Section::Lines => self.range(line),
            };
            read.ok_or(SourceMapError::Line(at + 1))?;
        }
        if self.map.origins.ranges.is_empty() {
            return Err(SourceMapError::NoKotlin);
        }
        for stratum in [&mut self.map.origins, &mut self.map.calls] {
            stratum.ranges.sort_by_key(|r| r.first);
            stratum.ranges.shrink_to_fit();
        }
        self.count_copies();
        Ok(self.map)
    }

    /// Functions that are called twice on one line are two copies.
    fn count_copies(&mut self) {
        let mut copies: HashMap<(u32, u32, Option<u32>), u32> = HashMap::new();
        let SourceMap { origins, calls } = &mut self.map;
        for range in &mut origins.ranges {
            let call = calls.find(range.first).map(|call| call.line);
            let count = copies.entry((range.file, range.line, call)).or_default();
            range.copy = *count;
            *count += 1;
        }
    }

    fn begin(&mut self, line: &str) {
        let (mark, name) = line.split_once(' ').unwrap_or((line, ""));
        self.section = match mark {
            "*F" => Section::Files,
            "*L" => Section::Lines,
            _ => Section::Other,
        };
        if mark == "*S" {
            self.file = 0;
            self.view = match name.trim() {
                "Kotlin" => Some(View::Origins),
                "KotlinDebug" => Some(View::Calls),
                _ => None,
            };
        }
    }

    fn stratum(&mut self) -> Option<&mut Stratum> {
        Some(match self.view? {
            View::Origins => &mut self.map.origins,
            View::Calls => &mut self.map.calls,
        })
    }

    /// `+ 1 App.kt` and the path on the next line, or `1 App.kt` without a path.
    fn file<'t>(&mut self, line: &'t str, next: &mut dyn FnMut() -> Option<&'t str>) -> Option<()> {
        let (entry, path) = match line.strip_prefix("+ ") {
            Some(entry) => (entry, Some(next()?.to_owned())),
            None => (line, None),
        };
        let (id, name) = entry.split_once(' ')?;
        let (id, file) = (id.parse().ok()?, MappedFile { name: name.to_owned(), path });
        if let Some(stratum) = self.stratum() {
            stratum.files.entry(id).or_insert(file);
        }
        Some(())
    }

    /// `865#2,2:41,1`: line, file, number of lines, line in the code, lines of the code for each.
    fn range(&mut self, line: &str) -> Option<()> {
        let pair = |text: &str, mark| -> Option<(u32, Option<u32>)> {
            match str::split_once::<char>(text, mark) {
                Some((first, second)) => Some((first.parse().ok()?, Some(second.parse().ok()?))),
                None => Some((text.parse().ok()?, None)),
            }
        };
        let (source, code) = line.split_once(':')?;
        let (source, count) = match source.split_once(',') {
            Some((source, count)) => (source, count.parse().ok()?),
            None => (source, 1u32),
        };
        let (line, file) = pair(source, '#')?;
        let (first, step) = pair(code, ',')?;
        let step = step.unwrap_or(1).max(1);
        self.file = file.unwrap_or(self.file);
        let lines = count.max(1).checked_mul(step)?;
        let last = first.checked_add(lines - 1)?;
        let range = Range { first, last, step, file: self.file, line, copy: 0 };
        if let Some(stratum) = self.stratum() {
            stratum.ranges.push(range);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As kotlinc 2.1 writes it.
    const APP: &str = "SMAP\nApp.kt\nKotlin\n*S Kotlin\n*F\n+ 1 App.kt\nkt/App\n\
        + 2 _Collections.kt\n\
        kotlin/collections/CollectionsKt___CollectionsKt\n+ 3 fake.kt\n\
        kotlin/jvm/internal/FakeKt\n*L\n1#1,39:1\n20#1,2:55\n865#2,2:41\n1#3:43\n\
        *S KotlinDebug\n*F\n+ 1 App.kt\nkt/App\n*L\n8#1:41,2\n24#1:55,2\n*E\n";

    fn at(found: Option<LineOrigin<'_>>) -> Option<(&str, u32)> {
        found.map(|o| (o.file, o.line))
    }

    #[test]
    fn lines_of_inlined_code_have_a_source_and_a_call() {
        let map = SourceMap::parse(APP).unwrap();
        let lines = [(39, 39, "App.kt"), (42, 866, "_Collections.kt"), (56, 21, "App.kt")];
        for (line, source, file) in lines {
            assert_eq!(at(map.origin(line)), Some((file, source)), "{line}");
        }
        assert_eq!(
            map.origin(42).unwrap().class,
            Some("kotlin/collections/CollectionsKt___CollectionsKt")
        );
        assert_eq!(
            [42, 56, 39, 43].map(|l| at(map.call(l)).map(|c| c.1)),
            [Some(8), Some(24), None, None]
        );
        assert_eq!([0, 40, 44, 57, u32::MAX].map(|l| map.origin(l)), [None; 5]);
    }

    #[test]
    fn two_calls_on_one_line_are_two_copies() {
        let text = APP.replace("20#1,2:55\n", "20#1,2:55\n20#1,2:57\n20#1,2:59\n");
        let map = SourceMap::parse(&text.replace("24#1:55,2\n", "24#1:55,4\n25#1:59,2\n"));
        let map = map.unwrap();
        let copies = [55, 56, 57, 58, 59].map(|l| map.origin(l).map(|o| (o.copy, o.first)));
        assert_eq!(copies, [(0, 55), (0, 55), (1, 57), (1, 57), (0, 59)].map(Some));
    }

    #[test]
    fn functions_without_kept_lines_have_no_source() {
        let map = SourceMap::parse(APP).unwrap();
        assert!(map.origin(43).unwrap().is_no_source());
        assert!(!map.origin(41).unwrap().is_no_source());
    }

    #[test]
    fn the_file_of_a_range_without_one_is_that_of_the_range_before() {
        // JSR-45: "LineFileID … defaults to the most recent value (initially zero)".
        let text = "SMAP\nA\nKotlin\n*S Kotlin\n*F\n0 A.kt\n7 B.kt\n*L\n1:1\n5#7:10\n6:11\n*E\n";
        let map = SourceMap::parse(text).unwrap();
        assert_eq!(
            [1, 10, 11].map(|l| at(map.origin(l))),
            [Some(("A.kt", 1)), Some(("B.kt", 5)), Some(("B.kt", 6))]
        );
    }

    #[test]
    fn each_line_of_the_file_may_take_several_of_the_code() {
        let text = "SMAP\nA\nKotlin\n*S Kotlin\n*F\n1 A.kt\n*L\n7#1,2:10,3\n*E\n";
        let map = SourceMap::parse(text).unwrap();
        let lines = [9, 10, 12, 13, 15, 16].map(|l| map.origin(l).map(|o| o.line));
        assert_eq!(lines, [None, Some(7), Some(7), Some(8), Some(8), None]);
    }

    #[test]
    fn other_strata_are_passed_over() {
        let text = "SMAP\nA\nJSP\n*S JSP\n*F\n1 a.jsp\n*L\nnonsense\n*E\n";
        assert_eq!(SourceMap::parse(text), Err(SourceMapError::Line(8)));
        let text = "SMAP\nA\nJSP\n*S JSP\n*F\n1 a.jsp\n*L\n1#1:1\n*V x\n?\n*E\n";
        assert_eq!(SourceMap::parse(text), Err(SourceMapError::NoKotlin));
    }

    #[test]
    fn texts_that_are_no_source_maps_are_refused_with_their_line() {
        assert_eq!(SourceMap::parse(""), Err(SourceMapError::NoSourceMap));
        assert_eq!(SourceMap::parse("SMA"), Err(SourceMapError::NoSourceMap));
        let wrong = ["x:1", "1#1", "1#x:1", "1#1,x:1", "4294967296#1:1", "1#1,2:4294967295", ":"];
        for range in wrong {
            let text = format!("SMAP\nA\nKotlin\n*S Kotlin\n*F\n1 A.kt\n*L\n{range}\n*E\n");
            assert_eq!(SourceMap::parse(&text), Err(SourceMapError::Line(8)), "{range}");
        }
        for file in ["+ 1 A.kt", "1", "x A.kt"] {
            let text = format!("SMAP\nA\nKotlin\n*S Kotlin\n*F\n{file}");
            assert_eq!(SourceMap::parse(&text), Err(SourceMapError::Line(6)), "{file}");
        }
    }

    #[test]
    fn no_cut_and_no_changed_byte_makes_the_reader_fail_otherwise() {
        for end in 0..APP.len() {
            let _ = SourceMap::parse(&APP[..end]);
        }
        for at in 0..APP.len() {
            for byte in ["0", "9", "#", ",", ":", "*", "\n"] {
                let text = format!("{}{byte}{}", &APP[..at], &APP[at + 1..]);
                if let Ok(map) = SourceMap::parse(&text) {
                    for line in [0, 1, 42, 1000, u32::MAX] {
                        let _ = (map.origin(line), map.call(line));
                    }
                }
            }
        }
    }
}

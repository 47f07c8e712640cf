//! Lines that name a frame.

use super::elements::StackElement;

/// Parses `at a.b.C.m(F.java:12)`, also with a space before the bracket (Play Console), a module
/// before the class (`java.base/…`) and text after the bracket. A line without `at` is not a frame.
pub(super) fn java(line: &str) -> Option<StackElement> {
    let line = line.trim();
    let (or, line) = match line.strip_prefix("<OR>") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    let rest = line.strip_prefix("at ")?.trim_start();
    let (name, place) = match rest.split_once('(') {
        Some((name, place)) => (name.trim_end(), place.split_once(')').map(|p| p.0)?),
        None => (rest, ""),
    };
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let (class, method) = split(name)?;
    let (file, line) = located(place);
    Some(StackElement { class, method, file, line, or })
}

/// Returns the length of a frame at the beginning of a text, from the word `at` to the bracket that
/// closes its position. Only frames with brackets have an end.
pub(super) fn length(text: &str) -> Option<usize> {
    let name = text.strip_prefix("at ")?.trim_start();
    let end = name.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(name.len());
    let (name, rest) = name.split_at(end);
    split(name.rsplit_once('/').map_or(name, |(_, name)| name))?;
    let place = rest.strip_prefix(' ').unwrap_or(rest).strip_prefix('(')?;
    let close = place.find([')', '(', '\n']).filter(|at| place[*at..].starts_with(')'))?;
    Some(text.len() - place.len() + close + 1)
}

/// Splits a dotted name into class and method.
pub(super) fn split(name: &str) -> Option<(String, String)> {
    let (class, method) = name.rsplit_once('.')?;
    // Allows `a.b.-$$Lambda$C.run` and names in any script, but no prose.
    let odd = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | '[' | ';' | '=' | ':');
    let sound = !class.is_empty() && !method.is_empty() && !name.contains(odd);
    sound.then(|| (class.to_owned(), method.to_owned()))
}

/// Parses file and line of `F.java:12`, `F.java`, `Unknown Source:6`.
fn located(place: &str) -> (Option<String>, Option<u32>) {
    let (file, line) = match place.rsplit_once(':') {
        Some((file, line)) => match line.trim().parse::<u32>() {
            Ok(number) => (file, Some(number)),
            Err(_) => (place, None),
        },
        None => (place, None),
    };
    let file = Some(file.trim()).filter(|f| !f.is_empty()).map(str::to_owned);
    (file, line.filter(|l| *l > 0))
}

/// Parses `#07 pc 0000000000123456  /data/app/base.apk (org.example.Main.run+12)`: a frame of
/// compiled or interpreted Java code in the backtrace of a native crash. Native functions are not
/// frames.
pub(super) fn native(line: &str) -> Option<StackElement> {
    let rest = line.trim().strip_prefix('#')?;
    let (number, rest) = rest.split_once(' ')?;
    number.parse::<u32>().ok()?;
    rest.trim_start().strip_prefix("pc ")?;
    rest.split('(').skip(1).find_map(|part| {
        let (symbol, offset) = part.split_once(')')?.0.rsplit_once('+')?;
        offset.parse::<u64>().ok()?;
        let (class, method) = split(symbol)?;
        Some(StackElement { class, method, ..StackElement::default() })
    })
}

//! Lines of a mapping: classes and members.

/// A line that names a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MethodLine<'t> {
    /// First and last line in the app.
    pub lines: Option<(u32, u32)>,
    /// Return type, name and parameters, as Java writes them.
    pub signature: &'t str,
    /// First and last line in the source; `alone` if only one number is there.
    pub source: Option<SourceLines>,
}

/// Lines in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SourceLines {
    pub from: u32,
    pub to: u32,
    /// True if it is a single number, as in the frames around an inlined one.
    pub alone: bool,
}

impl SourceLines {
    /// Returns the number of lines.
    pub fn span(self) -> u64 {
        u64::from(self.to) - u64::from(self.from) + 1
    }
}

/// The left side of a member line: `None` for a field.
pub(super) fn method(left: &str) -> Result<Option<MethodLine<'_>>, &'static str> {
    let Some(open) = left.find('(') else { return Ok(None) };
    let close = left.rfind(')').filter(|c| *c > open).ok_or("a parameter list without end")?;
    let (mut from, mut lines) = (0, None);
    if left.starts_with(|c: char| c.is_ascii_digit()) {
        let mut parts = left[..open].splitn(3, ':');
        let numbers = [parts.next(), parts.next()].map(|p| p.and_then(number));
        let ([Some(first), Some(last)], Some(rest)) = (numbers, parts.next()) else {
            return Err("a line range");
        };
        (lines, from) = (Some(in_order(first, last)), open - rest.len());
    }
    let source = match left[close + 1..].trim().strip_prefix(':') {
        None => None,
        Some(text) => {
            let numbers = match text.split_once(':') {
                Some((from, to)) => (number(from), number(to).map(Some)),
                None => (number(text), Some(None)),
            };
            let (Some(from), Some(to)) = numbers else { return Err("a line range") };
            let alone = to.is_none();
            let (from, to) = in_order(from, to.unwrap_or(from));
            Some(SourceLines { from, to, alone })
        }
    };
    Ok(Some(MethodLine { lines, signature: left[from..=close].trim(), source }))
}

/// The name in the left side of a line that names a field: `type name`, where another class may
/// stand before the name.
pub(super) fn field(left: &str) -> &str {
    let name = left.rsplit(' ').next().unwrap_or(left);
    name.rsplit('.').next().unwrap_or(name)
}

fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Past versions of R8 wrote 0 for the end of a single line, or the end first
/// (`ProguardMapReader.parseRange`).
fn in_order(from: u32, to: u32) -> (u32, u32) {
    match to {
        0 => (from, from),
        _ => (from.min(to), from.max(to)),
    }
}

/// A method as Java writes it: `int[] a.b.C.name(int,java.lang.String)`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Signature<'t> {
    /// Dotted name of its class, if one stands there.
    pub class: Option<&'t str>,
    pub name: &'t str,
    pub descriptor: String,
}

/// Takes a signature apart. A closing bracket is its last character.
pub(super) fn signature(text: &str) -> Result<Signature<'_>, &'static str> {
    let open = text.find('(').ok_or("a method without parameters")?;
    let (result, name) =
        text[..open].trim().rsplit_once(' ').ok_or("a method without return type")?;
    let mut descriptor = String::with_capacity(text.len());
    descriptor.push('(');
    text[open + 1..text.len() - 1]
        .split(',')
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .for_each(|p| push_descriptor(&mut descriptor, p));
    descriptor.push(')');
    push_descriptor(&mut descriptor, result.trim());
    let (class, name) = match name.rsplit_once('.') {
        Some((class, name)) => (Some(class), name),
        None => (None, name),
    };
    Ok(Signature { class, name, descriptor })
}

/// The descriptor of a type as Java writes it: `int[]` → `[I`.
pub(super) fn descriptor(java: &str) -> String {
    let mut out = String::with_capacity(java.len() + 2);
    push_descriptor(&mut out, java);
    out
}

fn push_descriptor(out: &mut String, java: &str) {
    let element = java.trim_end_matches("[]");
    (0..(java.len() - element.len()) / 2).for_each(|_| out.push('['));
    let primitive = match element {
        "void" => "V",
        "boolean" => "Z",
        "byte" => "B",
        "short" => "S",
        "char" => "C",
        "int" => "I",
        "long" => "J",
        "float" => "F",
        "double" => "D",
        class => {
            out.push('L');
            out.extend(class.chars().map(|c| if c == '.' { '/' } else { c }));
            ";"
        }
    };
    out.push_str(primitive);
}

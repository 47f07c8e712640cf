//! R8's `mapping.txt`: from the names in a shrunk app to the names in its source, so that a model
//! survives renaming.
//!
//! Source: the description of the retrace format, version 2.2 and older
//! (<https://r8.googlesource.com/r8/+/refs/heads/main/doc/retrace.md>), and ProGuard's manual for
//! the lines themselves:
//!
//! ```text
//! original.Class -> a.b:
//!     int field -> a
//!     void method(int,java.lang.String) -> a
//!     1:3:void method(int):10:12 -> b
//!     1:3:void other.Class.inlined():5:7 -> c      several lines with one range: inlined frames, the method itself last
//! # {"id":"com.android.tools.r8.residualsignature","signature":"(La/b;)V"}
//! ```

use std::collections::HashMap;

use thiserror::Error;

/// Why a text is no mapping.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MappingError {
    /// A line that is neither a comment, a class nor a member.
    #[error("mapping line {line}: {what}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// A method as the source has it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Original {
    /// Descriptor of its class, if it is another one than the line's (merged classes).
    class: Option<Box<str>>,
    name: Box<str>,
    descriptor: Box<str>,
    /// The descriptor in the shrunk app, where R8 states it because it is not just a translation.
    residual: Option<Box<str>>,
    range: Option<(u32, u32)>,
    /// Probably an inlined frame: the next line has the same range. (Or an overload that begins
    /// with the same number.)
    inner: bool,
}

#[derive(Debug, Clone, Default)]
struct Class {
    original: Box<str>,
    /// By name in the shrunk app.
    methods: HashMap<Box<str>, Vec<Original>>,
}

/// A parsed mapping. The default is empty and changes nothing.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    /// By descriptor in the shrunk app.
    classes: HashMap<Box<str>, Class>,
}

impl Mapping {
    /// Reads a mapping.
    ///
    /// # Errors
    /// The first line that cannot be understood. Comments and fields are passed over.
    pub fn parse(text: &str) -> Result<Self, MappingError> {
        let mut mapping = Self::default();
        let mut class: Option<Box<str>> = None;
        let mut last: Option<Box<str>> = None;
        for (i, line) in text.lines().enumerate() {
            let wrong = |what| MappingError::Line { line: i + 1, what };
            let trimmed = line.trim();
            if trimmed.is_empty() {
                continue;
            }
            if let Some(comment) = trimmed.strip_prefix('#') {
                // Information about the member above.
                if let (Some(signature), Some(class), Some(name)) =
                    (residual(comment), &class, &last)
                {
                    let methods =
                        mapping.classes.get_mut(class).and_then(|c| c.methods.get_mut(name));
                    if let Some(method) = methods.and_then(|m| m.last_mut()) {
                        method.residual = Some(signature.into());
                    }
                }
                continue;
            }
            let (left, right) = trimmed.split_once(" -> ").ok_or(wrong("no ` -> `"))?;
            if !line.starts_with([' ', '\t']) {
                let name = right.strip_suffix(':').ok_or(wrong("a class line ends with `:`"))?;
                let key: Box<str> = descriptor(name).into();
                let entry = Class { original: descriptor(left).into(), methods: HashMap::new() };
                mapping.classes.insert(key.clone(), entry);
                (class, last) = (Some(key), None);
                continue;
            }
            let class = class
                .as_ref()
                .and_then(|c| mapping.classes.get_mut(c))
                .ok_or(wrong("a member before the first class"))?;
            last = None;
            if let Some(method) = method(left).map_err(wrong)? {
                let methods = class.methods.entry(right.into()).or_default();
                if let Some(before) =
                    methods.last_mut().filter(|m| m.range.is_some() && m.range == method.range)
                {
                    // A frame further out of the same code: the outermost one, which comes last, is
                    // the method itself.
                    before.inner = true;
                }
                methods.push(method);
                last = Some(right.into());
            }
        }
        Ok(mapping)
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Whether it names this class (descriptor in the shrunk app).
    pub fn has_class(&self, shrunk: &str) -> bool {
        self.classes.contains_key(shrunk)
    }

    /// The original of a type descriptor (`La/b;`, `[La/b;`, `I`); what the mapping does not know
    /// stays.
    pub fn type_descriptor(&self, shrunk: &str) -> String {
        let element = shrunk.trim_start_matches('[');
        let original = self.classes.get(element).map_or(element, |c| &c.original);
        format!("{}{original}", &shrunk[..shrunk.len() - element.len()])
    }

    /// The original of a method descriptor, type by type.
    pub fn method_descriptor(&self, shrunk: &str) -> String {
        let mut out = String::with_capacity(shrunk.len());
        let mut rest = shrunk;
        while let Some(at) = rest.find('L') {
            let Some(length) = rest[at..].find(';') else { break };
            out.push_str(&rest[..at]);
            out.push_str(&self.type_descriptor(&rest[at..=at + length]));
            rest = &rest[at + length + 1..];
        }
        out + rest
    }

    /// The source key (`Lpkg/Cls;->name(I)V`) of a method of the shrunk app.
    ///
    /// Overloads that got one name differ by the descriptor: as R8 states it, else from the
    /// translated types. If R8 changed the descriptor without saying so, the name decides when it
    /// leaves only one choice; else the name stays.
    pub fn method_key(&self, class: &str, name: &str, shrunk: &str) -> String {
        let translated = self.method_descriptor(shrunk);
        let owner = self.classes.get(class);
        let candidates = owner.and_then(|c| c.methods.get(name)).map_or(&[][..], |m| m);
        let stated = || candidates.iter().find(|m| m.residual.as_deref() == Some(shrunk));
        let fits = |m: &&Original| m.residual.is_none() && *m.descriptor == *translated;
        let same = || candidates.iter().filter(|m| !m.inner).find(fits);
        let overload = || candidates.iter().filter(|m| m.inner && m.class.is_none()).find(fits);
        let only = || {
            let mut outer = candidates.iter().filter(|m| !m.inner);
            let first = outer.next()?;
            let alike = |m: &Original| {
                (&m.class, &m.name, &m.descriptor) == (&first.class, &first.name, &first.descriptor)
            };
            (first.residual.is_none() && outer.all(alike)).then_some(first)
        };
        let original = owner.map_or(class, |c| &c.original);
        match stated().or_else(same).or_else(overload).or_else(only) {
            Some(m) => {
                format!("{}->{}{}", m.class.as_deref().unwrap_or(original), m.name, m.descriptor)
            }
            None => format!("{original}->{name}{translated}"),
        }
    }
}

/// The signature in a residual signature comment.
fn residual(comment: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Info {
        id: String,
        #[serde(default)]
        signature: String,
    }
    let info: Info = serde_json::from_str(comment.trim()).ok()?;
    (info.id == "com.android.tools.r8.residualsignature" && info.signature.starts_with('('))
        .then_some(info.signature)
}

/// The left side of a member line: `None` for a field.
fn method(left: &str) -> Result<Option<Original>, &'static str> {
    let Some(open) = left.find('(') else { return Ok(None) };
    let close = left.rfind(')').filter(|c| *c > open).ok_or("a parameter list without end")?;
    // Line numbers may stand before the return type and behind the parameters; the latter do not
    // matter here.
    let mut head = &left[..open];
    let mut range = None;
    if head.starts_with(|c: char| c.is_ascii_digit()) {
        let mut parts = head.splitn(3, ':');
        let numbers = [parts.next(), parts.next()].map(|p| p.and_then(|p| p.parse().ok()));
        let ([Some(from), Some(to)], Some(rest)) = (numbers, parts.next()) else {
            return Err("a line range");
        };
        (range, head) = (Some((from, to)), rest);
    }
    let (result, name) = head.trim().rsplit_once(' ').ok_or("a method without return type")?;
    let parameters: String = left[open + 1..close]
        .split(',')
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .map(descriptor)
        .collect();
    let (class, name) = match name.rsplit_once('.') {
        Some((class, name)) => (Some(descriptor(class).into()), name),
        None => (None, name),
    };
    let descriptor = format!("({parameters}){}", descriptor(result.trim()));
    Ok(Some(Original {
        class,
        name: name.into(),
        descriptor: descriptor.into(),
        residual: None,
        range,
        inner: false,
    }))
}

/// The descriptor of a type as Java writes it: `int[]` → `[I`.
fn descriptor(java: &str) -> String {
    let element = java.trim_end_matches("[]");
    let dimensions = (java.len() - element.len()) / 2;
    let base = match element {
        "void" => "V",
        "boolean" => "Z",
        "byte" => "B",
        "short" => "S",
        "char" => "C",
        "int" => "I",
        "long" => "J",
        "float" => "F",
        "double" => "D",
        class => return format!("{}L{};", "[".repeat(dimensions), class.replace('.', "/")),
    };
    "[".repeat(dimensions) + base
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"# compiler: R8
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
org.example.Main -> a.a:
# {"id":"sourceFile","fileName":"Main.java"}
    int counter -> a
    1:1:void <init>():7:7 -> <init>
    1:3:void run(int,java.lang.String[]):10:12 -> a
    4:4:int org.example.Util.inlined(int):5:5 -> a
    4:4:void run(int,java.lang.String[]):13 -> a
    1:1:org.example.Util run(org.example.Util):20:20 -> a
    void plain() -> b
    1:1:void reduced(int,int):30:30 -> c
    # {"id":"com.android.tools.r8.residualsignature","signature":"(I)V"}
    1:1:void org.example.Merged.absorbed():40:40 -> d
    long changed(int,long) -> e
    1:1:void twin(int):50:50 -> f
    1:1:void twin(long):51:51 -> f
org.example.Util -> a.b:
org.example.Kept -> org.example.Kept:
"#;

    #[track_caller]
    fn check(class: &str, name: &str, descriptor: &str, want: &str) {
        assert_eq!(Mapping::parse(TEXT).unwrap().method_key(class, name, descriptor), want);
    }

    #[test]
    fn overloads_are_told_apart_by_translated_types() {
        check(
            "La/a;",
            "a",
            "(I[Ljava/lang/String;)V",
            "Lorg/example/Main;->run(I[Ljava/lang/String;)V",
        );
        check(
            "La/a;",
            "a",
            "(La/b;)La/b;",
            "Lorg/example/Main;->run(Lorg/example/Util;)Lorg/example/Util;",
        );
        check("La/a;", "f", "(I)V", "Lorg/example/Main;->twin(I)V");
        check("La/a;", "f", "(J)V", "Lorg/example/Main;->twin(J)V");
    }

    #[test]
    fn an_inlined_frame_is_not_the_method() {
        check("La/a;", "a", "(I)I", "Lorg/example/Main;->a(I)I");
    }

    #[test]
    fn a_stated_signature_wins() {
        check("La/a;", "c", "(I)V", "Lorg/example/Main;->reduced(II)V");
    }

    #[test]
    fn a_changed_descriptor_is_found_by_its_only_name() {
        check("La/a;", "e", "(I)J", "Lorg/example/Main;->changed(IJ)J");
    }

    #[test]
    fn a_method_of_a_merged_class_keeps_its_own_class() {
        check("La/a;", "d", "()V", "Lorg/example/Merged;->absorbed()V");
    }

    #[test]
    fn constructors_and_unknown_names_stay() {
        check("La/a;", "<init>", "()V", "Lorg/example/Main;-><init>()V");
        check("La/a;", "zz", "([[La/b;I)V", "Lorg/example/Main;->zz([[Lorg/example/Util;I)V");
        check("Lx/Y;", "q", "(LL;)V", "Lx/Y;->q(LL;)V");
    }

    #[test]
    fn windows_line_ends_are_no_part_of_names() {
        let mapping = Mapping::parse(&TEXT.replace('\n', "\r\n")).unwrap();
        assert_eq!(mapping.method_key("La/a;", "b", "()V"), "Lorg/example/Main;->plain()V");
        assert_eq!(mapping.type_descriptor("[[La/b;"), "[[Lorg/example/Util;");
    }

    #[test]
    fn a_wrong_line_is_named() {
        for text in [
            "x",
            "a.B -> c",
            "    int f -> a",
            "A -> B:\n    1:void m() -> a",
            "A -> B:\n    m) ( -> a",
        ] {
            let line = text.lines().count();
            assert!(
                matches!(Mapping::parse(text), Err(MappingError::Line { line: l, .. }) if l == line),
                "{text}"
            );
        }
    }
}

//! Names of methods in source notation: `Settings.set(String, String)`.

use std::fmt::Write;

pub(crate) use model::descriptors::package;
use model::descriptors::{dotted_name, internal_name, split_type};
use model::map::{Map, MethodId, SourceMethod};

use super::escape::visible;

/// Notation of method names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MethodNotation {
    /// Simple names of classes and parameters. A callback has the package of its class; a call has
    /// it if it differs from its caller's. The file is left out if its name follows from the class.
    #[default]
    Short,
    /// Class with package, descriptor and file, always.
    Full,
}

/// A method of the app, or a source method that was inlined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MethodRef {
    Method(MethodId),
    /// Index in the map's source methods.
    Source(u32),
}

/// Returns the class, name, descriptor and file of a method.
pub(crate) fn source_method(map: &Map, what: MethodRef) -> SourceMethod {
    match what {
        MethodRef::Source(at) => map.places.sources[at as usize],
        MethodRef::Method(MethodId(m)) => map.methods[m as usize - 1].source(),
    }
}

/// Returns a method and its file, safe for a terminal.
pub(crate) fn method(
    map: &Map,
    method: &SourceMethod,
    names: MethodNotation,
    package: bool,
) -> (String, String) {
    let class = dotted_name(map.name(method.class));
    let (name, descriptor) = (map.name(method.name), map.name(method.descriptor));
    let file = method.file.map(|f| map.name(f)).filter(|f| !f.is_empty());
    let (text, file) = match names {
        MethodNotation::Full => (format!("{class}.{name}{descriptor}"), file),
        MethodNotation::Short => {
            let simple = class.rsplit('.').next().unwrap_or(&class);
            let shown = if package { class.as_str() } else { simple };
            let list = parameters(descriptor);
            let list = list.map_or_else(|| descriptor.to_owned(), |list| format!("({list})"));
            (format!("{shown}.{name}{list}"), file.filter(|f| !follows(f, simple)))
        }
    };
    let file = file.map_or(String::new(), |f| format!("  ({f})"));
    (visible(&text).into_owned(), visible(&file).into_owned())
}

/// Returns true if the file is named after the outermost class.
fn follows(file: &str, class: &str) -> bool {
    let outer = class.split('$').next().unwrap_or(class);
    file.strip_prefix(outer).is_some_and(|rest| rest == ".java" || rest == ".kt")
}

/// Returns `String, int[]` for `(Ljava/lang/String;[I)V`; `None` if it is not a descriptor.
pub(crate) fn parameters(descriptor: &str) -> Option<String> {
    let mut rest = descriptor.strip_prefix('(')?.split_once(')')?.0;
    let mut out = String::new();
    let class = |descriptor: &str| {
        let name = internal_name(descriptor);
        name.rsplit('/').next().unwrap_or(name).to_owned()
    };
    while !rest.is_empty() {
        let (name, more) = split_type(rest, &class)?;
        let comma = if out.is_empty() { "" } else { ", " };
        let _ = write!(out, "{comma}{name}");
        rest = more;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_written_as_in_source() {
        let list = |descriptor| parameters(descriptor);
        assert_eq!(list("()V").as_deref(), Some(""));
        let all = "(ZBSCIJFDLjava/lang/String;[[ILa/B$C;)V";
        let want = "boolean, byte, short, char, int, long, float, double, String, int[][], B$C";
        assert_eq!(list(all).as_deref(), Some(want));
        for damaged in ["", "V", "(", "(I", "(Ljava/lang/String)V", "([)V", "(é)V", "(Q)V"] {
            assert_eq!(list(damaged), None, "{damaged}");
        }
    }

    #[test]
    fn a_file_named_as_the_class_goes_without_saying() {
        assert!(follows("Main.java", "Main") && follows("Main.kt", "Main$inner$1"));
        assert!(!follows("Other.kt", "Main") && !follows("MainKt.kt", "Main"));
        assert!(!follows("SourceFile", "Main") && !follows("Main", "Main"));
    }
}

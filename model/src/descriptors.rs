//! Descriptors of classes, as DEX files and maps have them, and their names.

/// Returns the internal name of a class, `com/example/Foo` for `Lcom/example/Foo;`. Any other text
/// is returned unchanged.
pub fn internal_name(descriptor: &str) -> &str {
    descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')).unwrap_or(descriptor)
}

/// Returns the dotted name of a class, `com.example.Foo` for `Lcom/example/Foo;`.
pub fn dotted_name(descriptor: &str) -> String {
    internal_name(descriptor).replace('/', ".")
}

/// Returns the package of a class with slashes, `com/example` for `Lcom/example/Foo;`; empty for
/// the package without a name.
pub fn package(descriptor: &str) -> &str {
    internal_name(descriptor).rsplit_once('/').map_or("", |(package, _)| package)
}

/// Returns the first type of a list of descriptors as Java writes it (`int[]` for `[I`), and the
/// rest of the list. `class` names a class by its descriptor. `None` if no type is there.
pub fn split_type<'t>(list: &'t str, class: &dyn Fn(&str) -> String) -> Option<(String, &'t str)> {
    let element = list.trim_start_matches('[');
    let arrays = list.len() - element.len();
    let (name, length) = match element.as_bytes().first()? {
        b'Z' => ("boolean".to_owned(), 1),
        b'B' => ("byte".to_owned(), 1),
        b'S' => ("short".to_owned(), 1),
        b'C' => ("char".to_owned(), 1),
        b'I' => ("int".to_owned(), 1),
        b'J' => ("long".to_owned(), 1),
        b'F' => ("float".to_owned(), 1),
        b'D' => ("double".to_owned(), 1),
        b'L' => {
            let length = element.find(';')? + 1;
            (class(&element[..length]), length)
        }
        _ => return None,
    };
    // A type has at most 255 dimensions.
    Some((name + &"[]".repeat(arrays.min(255)), &element[length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_whose_name_begins_with_l_keeps_its_first_letter() {
        assert_eq!(dotted_name("LList;"), "List");
        assert_eq!(dotted_name("LLLists$Lazy;"), "LLists$Lazy");
        assert_eq!(package("LLists/Lazy;"), "Lists");
    }

    #[test]
    fn types_are_written_as_in_java() {
        let split = |list| split_type(list, &dotted_name);
        assert_eq!(split("[[I"), Some(("int[][]".into(), "")));
        assert_eq!(split("[Lp/Node;Z"), Some(("p.Node[]".into(), "Z")));
        assert_eq!(split("ZJ"), Some(("boolean".into(), "J")));
        for none in ["", "[", "V", "Lp/Node", "[[x"] {
            assert_eq!(split(none), None, "{none}");
        }
    }

    #[test]
    fn only_the_marks_of_a_descriptor_are_removed() {
        assert_eq!(dotted_name("Lcom/example/Foo;"), "com.example.Foo");
        assert_eq!(internal_name("Lcom/example/Foo;"), "com/example/Foo");
        assert_eq!(package("Lcom/example/Foo;"), "com/example");
        assert_eq!(package("LFoo;"), "");
        assert_eq!(dotted_name("Launcher"), "Launcher");
        assert_eq!(dotted_name("[LFoo;"), "[LFoo;");
    }
}

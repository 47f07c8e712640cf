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
    fn only_the_marks_of_a_descriptor_are_removed() {
        assert_eq!(dotted_name("Lcom/example/Foo;"), "com.example.Foo");
        assert_eq!(internal_name("Lcom/example/Foo;"), "com/example/Foo");
        assert_eq!(package("Lcom/example/Foo;"), "com/example");
        assert_eq!(package("LFoo;"), "");
        assert_eq!(dotted_name("Launcher"), "Launcher");
        assert_eq!(dotted_name("[LFoo;"), "[LFoo;");
    }
}

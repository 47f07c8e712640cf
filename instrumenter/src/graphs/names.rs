//! File names for classes: for any class name, the file lies in the given folder, on any file
//! system.

use std::collections::HashMap;

use model::descriptors::internal_name;

/// Longest name without extension, in bytes; common file systems allow 255.
const LONGEST: usize = 180;

/// Gives each class a unique file name without extension; the same classes in the same order get
/// the same names.
#[derive(Debug, Default)]
pub struct FileNames {
    used: HashMap<String, u32>,
}

impl FileNames {
    /// Returns the name for a class descriptor: dotted, with everything that is not a letter,
    /// digit, `_`, `$`, `-` or a dot between packages written as `%XX`. A name that a file system
    /// would treat as equal to an earlier one (`a.B` and `a.b`) gets `~2`, `~3`, ….
    pub fn name(&mut self, descriptor: &str) -> String {
        let mut name = escape(descriptor);
        if name.len() > LONGEST {
            let hash = fnv(descriptor.as_bytes());
            name.truncate(LONGEST);
            name.push_str(&format!("~{hash:016x}"));
        }
        let n = self.used.entry(name.to_ascii_lowercase()).or_insert(0);
        *n += 1;
        if *n > 1 {
            // No original name contains `~`, so this one is new.
            name.push_str(&format!("~{n}"));
        }
        name
    }
}

fn escape(descriptor: &str) -> String {
    let inner = internal_name(descriptor);
    let mut name = String::with_capacity(inner.len());
    for (i, b) in inner.bytes().enumerate() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => name.push(b as char),
            b'-' if i > 0 => name.push('-'),
            // A slash between two packages becomes a dot; a leading dot would hide the file, and
            // two dots would name a folder.
            b'/' if i > 0 && !name.ends_with('.') => name.push('.'),
            _ => name.push_str(&format!("%{b:02X}")),
        }
    }
    if name.is_empty() {
        name.push('%');
    }
    let first = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    if reserved(&first) {
        let b = name.as_bytes()[0];
        name.replace_range(..1, &format!("%{b:02X}"));
    }
    name
}

/// Returns true for device names of Windows, with any extension.
fn reserved(name: &str) -> bool {
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
    };
    matches!(name, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        let mut n = FileNames::default();
        all.iter().map(|c| n.name(c)).collect()
    }

    #[test]
    fn hostile_names_stay_in_the_folder() {
        let hostile = [
            "L../../etc/passwd;",
            "L/etc/passwd;",
            "L..;",
            "L;",
            "",
            "La\\b;",
            "LC:/x;",
            "L.hidden;",
            "L-rf;",
            "La//b;",
            "La/\0b;",
            "Lé;",
            "Lnul/X;",
            "LCOM1;",
            "[La;",
            "~2",
        ];
        for name in names(&hostile) {
            let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$-.%~".contains(&b));
            assert!(
                plain && !name.is_empty() && !name.starts_with(['.', '-']) && !name.contains(".."),
                "{name}"
            );
            let first = name.split('.').next().unwrap();
            assert!(!["nul", "com1"].contains(&first.to_ascii_lowercase().as_str()), "{name}");
        }
    }

    #[test]
    fn names_that_differ_in_case_only_get_different_files() {
        let all = names(&["La/A;", "La/a;", "La.a;", "LA/a;", "La/A~2;"]);
        assert_eq!(all, ["a.A", "a.a~2", "a%2Ea", "A.a~3", "a.A%7E2"]);
    }

    #[test]
    fn long_names_are_cut_and_stay_different() {
        let long = |end: &str| format!("L{}{end};", "p/".repeat(400));
        let all = names(&[&long("A"), &long("B")]);
        assert_ne!(all[0], all[1]);
        assert!(all.iter().all(|n| n.len() < 240));
    }
}

//! Keys by which profiles name DEX files: `classes2.dex`, `base.apk!classes2.dex`, and `base.apk`
//! for its first.

/// Separator since Android 9; before, it was a colon (`DexFileLoader::kMultiDexSeparator`).
const SEPARATOR: char = '!';
const OLD_SEPARATOR: char = ':';
const FIRST_DEX: &str = "classes.dex";

/// The two components of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DexKey<'a> {
    /// Name of the package's file, with the separator; empty without.
    pub package: &'a str,
    separator: char,
    /// Name of the DEX file within its folder.
    pub dex: &'a str,
}

impl<'a> DexKey<'a> {
    /// Splits a key.
    pub fn of(key: &'a str) -> DexKey<'a> {
        match key.find([SEPARATOR, OLD_SEPARATOR]) {
            Some(at) => {
                let separator = key[at..].chars().next().unwrap_or(SEPARATOR);
                DexKey { package: &key[..at], separator, dex: &key[at + 1..] }
            }
            None if key.ends_with(".dex") => DexKey { package: "", separator: SEPARATOR, dex: key },
            None => DexKey { package: key, separator: SEPARATOR, dex: FIRST_DEX },
        }
    }

    /// Returns the module or split that the key names, without its ending.
    pub fn module(self) -> &'a str {
        let name = self.package.strip_suffix(".apk").unwrap_or(self.package);
        name.strip_prefix("split_").unwrap_or(name)
    }

    /// Returns the key of another DEX file of the same package.
    pub fn sibling(self, dex: &str) -> String {
        match (self.package, dex) {
            ("", dex) => dex.to_owned(),
            (package, FIRST_DEX) => package.to_owned(),
            (package, dex) => format!("{package}{}{dex}", self.separator),
        }
    }
}

/// Returns the name of a DEX file without its folder.
pub(super) fn base_name(entry: &str) -> &str {
    entry.rsplit('/').next().unwrap_or(entry)
}

/// Returns the module of a bundle's DEX file, or an empty name.
pub(super) fn module(entry: &str) -> &str {
    entry.strip_suffix(base_name(entry)).and_then(|dir| dir.strip_suffix("/dex/")).unwrap_or("")
}

/// Returns true if a key means this entry of its package.
pub(super) fn names(key: &str, entry: &str) -> bool {
    let key = DexKey::of(key);
    let module = module(entry);
    let is_own =
        module.is_empty() || module == key.module() || module == "base" && key.package.is_empty();
    key.dex == base_name(entry) && is_own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_name_dex_files_with_and_without_their_package() {
        for key in ["classes2.dex", "base.apk!classes2.dex", "base.apk:classes2.dex"] {
            assert!(names(key, "classes2.dex") && !names(key, "classes.dex"), "{key}");
            assert!(names(key, "base/dex/classes2.dex"), "{key}");
            assert!(!names(key, "maps/dex/classes2.dex"), "{key}");
        }
        assert!(names("base.apk", "classes.dex") && names("classes.dex", "base/dex/classes.dex"));
        assert!(names("split_maps.apk!classes2.dex", "maps/dex/classes2.dex"));
    }

    #[test]
    fn a_sibling_has_the_form_of_its_key() {
        assert_eq!(DexKey::of("classes.dex").sibling("classes3.dex"), "classes3.dex");
        assert_eq!(DexKey::of("base.apk").sibling("classes3.dex"), "base.apk!classes3.dex");
        assert_eq!(DexKey::of("a.apk:classes2.dex").sibling("classes3.dex"), "a.apk:classes3.dex");
        assert_eq!(DexKey::of("a.apk!classes2.dex").sibling("classes.dex"), "a.apk");
    }
}

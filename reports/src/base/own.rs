//! The app's own classes, as opposed to those of libraries.

use glob_match::glob_match;
use model::map::{Map, NameId};

use model::descriptors::dotted_name;

/// Packages of libraries, also if the app's package begins in the same way.
const LIBRARIES: [&str; 25] = [
    "android.",
    "androidx.",
    "com.bumptech.",
    "com.facebook.",
    "com.google.android.",
    "com.google.common.",
    "com.google.firebase.",
    "com.google.gson.",
    "com.google.protobuf.",
    "com.squareup.",
    "dagger.",
    "io.reactivex.",
    "j$.",
    "java.",
    "javax.",
    "kotlin.",
    "kotlinx.",
    "okhttp3.",
    "okio.",
    "org.apache.",
    "org.intellij.",
    "org.jetbrains.",
    "org.json.",
    "retrofit2.",
    "rx.",
];

/// Returns true if a class belongs to a known library.
fn is_library(class: &str) -> bool {
    LIBRARIES.iter().any(|package| class.starts_with(package))
}

/// Distinguishes the app's own classes from those of libraries.
///
/// Globs decide alone. Without them, classes of the manifest's package are the app's own, and those
/// that share its first two names and are no known library. Without a package, all classes but
/// those of known libraries are.
#[derive(Debug, Clone)]
pub(crate) struct OwnClasses<'a> {
    globs: &'a [String],
    /// The app's package, and its first two names, each with a dot after it; none if there is no
    /// such package.
    packages: Option<[String; 2]>,
    /// True if no class of the build is the app's own by these rules: then all are.
    has_all: bool,
}

impl<'a> OwnClasses<'a> {
    /// Takes the globs over dotted names, or the package of the map if there are none.
    pub fn new(map: &Map, globs: &'a [String]) -> OwnClasses<'a> {
        let names: Vec<&str> = map.package.split('.').filter(|name| !name.is_empty()).collect();
        let packages = match &names[..] {
            [first, second, ..] => {
                Some([format!("{}.", map.package), format!("{first}.{second}.")])
            }
            _ => None,
        };
        let own = OwnClasses { globs, packages, has_all: false };
        let has_all = !map.methods.iter().any(|m| own.has(map, m.class));
        OwnClasses { has_all, ..own }
    }

    /// Returns true if a class (by its descriptor) is the app's own.
    pub fn has(&self, map: &Map, class: NameId) -> bool {
        self.has_name(&dotted_name(map.name(class)))
    }

    fn has_name(&self, class: &str) -> bool {
        match &self.packages {
            _ if self.has_all => true,
            _ if !self.globs.is_empty() => self.globs.iter().any(|glob| glob_match(glob, class)),
            Some([whole, start]) => {
                class.starts_with(whole) || (class.starts_with(start) && !is_library(class))
            }
            None => !is_library(class),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(package: &str, globs: &[&str]) -> Vec<bool> {
        let globs: Vec<String> = globs.iter().map(|&glob| glob.into()).collect();
        let names: Vec<&str> = package.split('.').collect();
        let packages = (names.len() > 1)
            .then(|| [format!("{package}."), format!("{}.{}.", names[0], names[1])]);
        let own = OwnClasses { globs: &globs, packages, has_all: false };
        let classes =
            ["com.example.app.Main", "com.example.ui.View", "kotlin.Unit", "org.other.Thing"];
        classes.map(|class| own.has_name(class)).to_vec()
    }

    #[test]
    fn the_package_of_the_manifest_and_its_neighbours_are_own() {
        assert_eq!(own("com.example.app", &[]), [true, true, false, false]);
        assert_eq!(own("com.example.app", &["org.other.*"]), [false, false, false, true]);
    }

    #[test]
    fn without_a_package_all_but_known_libraries_are_own() {
        assert_eq!(own("", &[]), [true, true, false, true]);
    }

    #[test]
    fn a_library_that_shares_the_first_names_is_not_own() {
        let packages = Some(["com.google.app.".to_owned(), "com.google.".to_owned()]);
        let own = OwnClasses { globs: &[], packages, has_all: false };
        assert!(own.has_name("com.google.app.Main") && own.has_name("com.google.maps.View"));
        assert!(!own.has_name("com.google.gson.Gson"));
    }
}

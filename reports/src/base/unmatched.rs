//! Patterns that match nothing, with the names that they could have matched.

use std::collections::BTreeSet;

use glob_match::glob_match;
use model::descriptors::dotted_name;
use model::map::{Map, Method};

use super::filter::Filter;
use super::names::dotted;

/// A pattern that matches nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// Kind of names that it is for: `class`, `method` or `thread`.
    pub noun: &'static str,
    /// The pattern as it was given.
    pub pattern: String,
    /// All names of this kind, sorted.
    pub names: Vec<String>,
    /// True if another pattern beside it matches a name.
    pub others_match: bool,
}

impl Unmatched {
    /// Returns the first of these patterns that matches none of the names.
    pub fn first(
        noun: &'static str,
        patterns: &[String],
        names: impl IntoIterator<Item = String>,
        matches: impl Fn(&str, &str) -> bool,
    ) -> Option<Unmatched> {
        if patterns.is_empty() {
            return None;
        }
        let names: BTreeSet<String> = names.into_iter().collect();
        let is_unmatched = |p: &&String| !names.iter().any(|name| matches(p, name));
        let pattern = patterns.iter().find(is_unmatched)?.clone();
        let others_match = !patterns.iter().all(|p| is_unmatched(&p));
        Some(Unmatched { noun, pattern, names: names.into_iter().collect(), others_match })
    }
}

impl Filter {
    /// Returns a pattern for classes or methods that matches nothing in a build.
    pub fn unmatched(&self, map: &Map) -> Option<Unmatched> {
        let class_of = |m: &Method| dotted_name(map.name(m.class));
        let is_class = |glob: &str, class: &str| {
            let simple = class.rsplit('.').next().unwrap_or(class);
            glob_match(glob, if glob.contains('.') { class } else { simple })
        };
        let classes = map.methods.iter().map(class_of);
        Unmatched::first("class", &self.classes, classes, is_class)
            .or_else(|| {
                let asked = |m: &&Method| {
                    let class = class_of(m);
                    self.classes.is_empty()
                        || self.classes.iter().any(|glob| is_class(glob, &class))
                };
                let methods = map.methods.iter().filter(asked).map(|m| map.name(m.name).to_owned());
                Unmatched::first("method", &self.methods, methods, glob_match)
            })
            .or_else(|| {
                let own = self.own.as_deref().unwrap_or_default();
                Unmatched::first("class", own, map.methods.iter().map(class_of), glob_match)
            })
    }
}

/// Returns a pattern that matches no method of a build (`com.example.Cls.name`).
pub fn unmatched_method(map: &Map, patterns: &[String]) -> Option<Unmatched> {
    Unmatched::first("method", patterns, map.methods.iter().map(|m| dotted(map, m)), glob_match)
}

/// Returns the methods with a name (`com.example.Cls.name` or the end of it, such as `Cls.name`),
/// as `Lcom/example/Cls;->name(I)V`.
///
/// # Errors
/// Fails if no method has the name.
pub fn methods_named(map: &Map, name: &str) -> Result<Vec<String>, Unmatched> {
    let ends = |full: &str| full.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    let has_name = |m: &&Method| {
        let full = dotted(map, m);
        full == name || ends(&full)
    };
    let found: BTreeSet<_> =
        map.methods.iter().filter(has_name).map(|m| map.method_key(m)).collect();
    if found.is_empty() {
        let names: BTreeSet<String> = map.methods.iter().map(|m| dotted(map, m)).collect();
        let names = names.into_iter().collect();
        return Err(Unmatched {
            noun: "method",
            pattern: name.to_owned(),
            names,
            others_match: false,
        });
    }
    Ok(found.into_iter().collect())
}

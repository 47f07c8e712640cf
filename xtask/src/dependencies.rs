//! Licences of everything that is linked, docs/DEPENDENCIES.md, known advisories.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::error::{Error, PathContext, Result};
use crate::process::{output, run as run_command};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Licences that `pathlight` may be built from.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];
const DOCUMENT: &str = "docs/DEPENDENCIES.md";

/// Cargo's metadata of all packages.
struct Tree {
    /// Package id → name and licence.
    packages: BTreeMap<String, (String, String)>,
    /// Package id → the ids of what it, or its tests, depend on.
    edges: BTreeMap<String, Vec<String>>,
    /// Ids of our own crates.
    ours: BTreeSet<String>,
}

impl Tree {
    fn read(metadata: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let mut packages = BTreeMap::new();
        for package in metadata["packages"].as_array()? {
            let licence = text(&package["license"]).unwrap_or_default();
            packages.insert(text(&package["id"])?, (text(&package["name"])?, licence));
        }
        let mut edges = BTreeMap::new();
        for node in metadata["resolve"]["nodes"].as_array()? {
            let found = node["deps"].as_array()?.iter().map(|dep| text(&dep["pkg"]));
            edges.insert(text(&node["id"])?, found.collect::<Option<_>>()?);
        }
        let ours =
            metadata["workspace_members"].as_array()?.iter().map(text).collect::<Option<_>>()?;
        Some(Self { packages, edges, ours })
    }

    fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.packages.get(id).map_or(id, |(name, _)| name)
    }

    /// Names of the foreign crates that the project's crates depend on directly, and which do.
    fn direct(&self) -> BTreeSet<(&str, &str)> {
        let edges = self
            .ours
            .iter()
            .flat_map(|id| self.edges.get(id).into_iter().flatten().map(move |to| (id, to)));
        edges
            .filter(|(_, to)| !self.ours.contains(*to))
            .map(|(id, to)| (self.name(to), self.name(id)))
            .collect()
    }

    /// Every breach of the rules on licences, as text.
    fn breaches(&self) -> Vec<String> {
        let breaches = self.packages.values().filter(|(_, licence)| !permitted(licence));
        breaches
            .map(|(name, licence)| {
                format!("{name} has the licence {licence:?}, which is not on the list")
            })
            .collect()
    }
}

/// True if some choice that the SPDX expression offers consists of allowed licences only.
fn permitted(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    any_of(&mut rest) && rest.is_empty()
}

fn take(rest: &mut &[&str], word: &str) -> bool {
    let found = rest.first() == Some(&word);
    if found {
        *rest = &rest[1..];
    }
    found
}

fn any_of(rest: &mut &[&str]) -> bool {
    let mut good = all_of(rest);
    while take(rest, "OR") {
        good |= all_of(rest);
    }
    good
}

fn all_of(rest: &mut &[&str]) -> bool {
    let mut good = one_licence(rest);
    while take(rest, "AND") {
        good &= one_licence(rest);
    }
    good
}

fn one_licence(rest: &mut &[&str]) -> bool {
    if take(rest, "(") {
        let good = any_of(rest);
        return take(rest, ")") && good;
    }
    let Some((name, after)) = rest.split_first() else { return false };
    *rest = after;
    // An exception only ever permits more.
    if take(rest, "WITH") && !rest.is_empty() {
        *rest = &rest[1..];
    }
    ALLOWED.contains(name)
}

/// Checks licences and the document; asks for advisories where a tool for that is installed.
///
/// # Errors
/// Fails if a rule is broken.
pub fn run(here: &Workspace) -> Result<()> {
    let printed = output(here.cargo("metadata").args(["--format-version", "1", "--locked"]))?;
    let metadata: Value =
        serde_json::from_str(&printed).map_err(|e| Error::Wrong(format!("cargo metadata: {e}")))?;
    let tree = Tree::read(&metadata)
        .ok_or_else(|| Error::Wrong("cargo metadata has another form".into()))?;
    let mut tally = Tally::default();
    let breaches = tree.breaches();
    for breach in &breaches {
        tally.fail(breach);
    }
    if breaches.is_empty() {
        tally.count("licences", Ok(format!("{} packages", tree.packages.len())));
    }
    let file = here.path(DOCUMENT);
    let text = fs::read_to_string(&file).at(&file)?;
    for name in tree.direct().into_iter().map(|(name, _)| name).collect::<BTreeSet<_>>() {
        if text.contains(&format!("| `{name}` |")) {
            tally.pass();
        } else {
            tally.fail(&format!("{DOCUMENT} has no row for {name}"));
        }
    }
    if output(here.cargo("audit").arg("--version")).is_ok() {
        let outcome = run_command(&mut here.cargo("audit")).map(|()| "none known".to_owned());
        tally.count("advisories", outcome.map_err(|error| error.to_string()));
    } else {
        println!("skip advisories: cargo-audit is not installed (no advisory database offline)");
    }
    tally.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn deny_toml_allows_the_same_licences() {
        let text = include_str!("../../deny.toml");
        let (_, list) = text.split_once("\nallow = [").expect("a list of licences");
        let (list, _) = list.split_once(']').expect("its end");
        let names: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
        assert_eq!(names, ALLOWED);
    }

    #[test]
    fn licence_expressions_are_read_as_spdx_means_them() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "MIT OR LGPL-2.1-or-later",
            "(GPL-3.0 OR MIT) AND Unicode-3.0",
        ] {
            assert!(permitted(good), "{good}");
        }
        assert!(permitted("Apache-2.0 WITH LLVM-exception OR GPL-2.0"));
        for bad in [
            "",
            "LGPL-3.0+",
            "MIT AND GPL-3.0",
            "(MIT OR Apache-2.0) AND GPL-3.0",
            "GPL-3.0 WITH x",
            "MIT MIT",
        ] {
            assert!(!permitted(bad), "{bad}");
        }
    }

    #[test]
    fn a_copyleft_crate_is_found_also_where_only_tests_use_it() {
        let package =
            |name: &str, licence: &str| json!({"id": name, "name": name, "license": licence});
        let dep = json!({"pkg": "copyleft"});
        let all = json!({
            "packages": [package("pathlight", "MIT"), package("copyleft", "LGPL-3.0+")],
            "resolve": {"nodes": [
                {"id": "pathlight", "deps": [dep]},
                {"id": "copyleft", "deps": []},
            ]},
            "workspace_members": ["pathlight"],
        });
        let found = Tree::read(&all).unwrap().breaches();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("copyleft has the licence \"LGPL-3.0+\""));
    }
}

//! Documents for users: links lead somewhere, pages are short, lines fit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::repository;
use crate::transcripts::pages;

/// The fragment by which a heading is linked.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            c if c.is_alphanumeric() => Some(c),
            _ => None,
        })
        .collect()
}

/// A text without its code: blocks between fences, and indented lines.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence && !line.starts_with("    ")
    })
}

/// Anchors of a page.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(page).expect("text");
    prose(&text).filter(|line| line.starts_with('#')).map(anchor).collect()
}

/// Targets of all links in a text, as they are written.
fn links(text: &str) -> Vec<String> {
    let text = prose(text).collect::<Vec<_>>().join("\n");
    let mut rest = text.as_str();
    let mut found = Vec::new();
    while let Some(at) = rest.find("](") {
        rest = &rest[at + 2..];
        found.extend(rest.split_once(')').map(|(target, _)| target.to_owned()));
    }
    found
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("text");
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (file, fragment) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            let is_there =
                target.exists() && (fragment.is_empty() || anchors(&target).contains(fragment));
            if !is_there {
                wrong.push(format!("{}: {link}", page.display()));
            }
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} links were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Pages and folders that a page links, as absolute paths.
fn linked_from(page: &Path) -> BTreeSet<PathBuf> {
    let folder = page.parent().expect("a folder");
    let text = std::fs::read_to_string(page).expect("text");
    let targets = links(&text).into_iter();
    targets.filter_map(|link| folder.join(link.split('#').next()?).canonicalize().ok()).collect()
}

/// `docs/README.md` is the index; the folders of design pages and recipes have their own, which
/// the index links.
#[test]
fn every_page_is_linked_from_the_index() {
    let docs = repository("docs").canonicalize().expect("a folder");
    let mut linked = linked_from(&docs.join("README.md"));
    for folder in ["design", "recipes"] {
        let index = docs.join(folder).join("README.md");
        assert!(linked.contains(&index), "docs/README.md does not name docs/{folder}/README.md");
        linked.extend(linked_from(&index));
    }
    let missing: Vec<_> = pages()
        .into_iter()
        .filter_map(|page| page.canonicalize().ok())
        .filter(|page| page.starts_with(&docs) && *page != docs.join("README.md"))
        .filter(|page| !linked.contains(page))
        .collect();
    assert!(missing.is_empty(), "no index names {missing:#?}");
}

#[test]
fn pages_are_short_and_lines_fit() {
    let mut wrong = Vec::new();
    for page in pages() {
        if page.ends_with("CHANGELOG.md") {
            continue;
        }
        let text = std::fs::read_to_string(&page).expect("text");
        let name = page.strip_prefix(repository(".")).expect("in the repository");
        let lines = match name.to_str().expect("UTF-8") {
            "README.md" => 150,
            "docs/ARCHITECTURE.md" => 200,
            // One definition, read by its numbers; a page to search in, made of --help.
            "docs/PROTOCOL.md" | "docs/reference/commands.md" => usize::MAX,
            _ => 300,
        };
        if text.lines().count() > lines {
            wrong.push(format!("{}: more than {lines} lines", name.display()));
        }
        // Tables and the targets of links cannot be broken.
        let long = |line: &&str| {
            line.chars().count() > 100 && !line.starts_with('|') && !line.starts_with("[![")
        };
        wrong.extend(prose(&text).filter(long).map(|line| format!("{}: {line}", name.display())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn anchors_are_those_of_code_hosts() {
    assert_eq!(anchor("## What `crash` claims"), "what-crash-claims");
    assert_eq!(anchor("### A defect of ART 10's compiler"), "a-defect-of-art-10s-compiler");
    assert_eq!(links("a [b](c.md#d) and\n    [e](f)\n```\n[g](h)\n```\n[i](j)"), ["c.md#d", "j"]);
}

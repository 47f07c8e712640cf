//! Paths on one line of text: the lines of their blocks.

use std::collections::HashMap;

use model::map::{BlockId, Map, Method, MethodId};
use model::path_profiles::selected::PathStep;
use model::paths_file::PathEntry;

use crate::base::names::line_in;

/// Number of steps that a text shows if the rest of the path distinguishes it.
const SHOWN: usize = 24;

/// Writes a path of a method on one line.
type TextForm = fn(&Map, &Method, &[PathStep]) -> String;

/// Returns the text of each path: all lines of its blocks, each once in a row, with `!` before a
/// handler. If the lines of two paths of a method are equal, their steps are shown one by one, each
/// with its address, as `88@0 88@2`. So different paths of a method have different texts.
pub(super) fn path_texts(map: &Map, paths: &[(MethodId, &[PathStep])]) -> Vec<String> {
    let all = |form: TextForm| {
        let text = |&(id, steps): &(MethodId, &[PathStep])| {
            map.method(id).map_or(String::new(), |method| form(map, method, steps))
        };
        paths.iter().map(text).collect::<Vec<String>>()
    };
    let mut texts = all(lines);
    for form in [addresses as TextForm, whole] {
        let mut first: HashMap<(MethodId, &str), &[PathStep]> = HashMap::new();
        let mut same = Vec::new();
        for (&(id, steps), text) in paths.iter().zip(&texts) {
            if *first.entry((id, text)).or_insert(steps) != steps {
                same.push((id, text.clone()));
            }
        }
        if same.is_empty() {
            break;
        }
        for ((&(id, _), text), other) in paths.iter().zip(&mut texts).zip(all(form)) {
            if same.iter().any(|(method, same)| *method == id && same == text) {
                *text = other;
            }
        }
    }
    texts
}

/// Returns the text of each selected path of a map's build, as `path_texts` does.
pub fn selected_texts(map: &Map, paths: &[PathEntry]) -> Vec<String> {
    let by_name = methods_by_name(map);
    let steps = |path: &PathEntry| {
        let id = by_name.get(&path.method).copied().unwrap_or(MethodId(0));
        let blocks = map.method(id).map_or(&[][..], |method| &method.blocks);
        let step = |(pc, caught): (u32, bool)| {
            let block = blocks.binary_search_by_key(&pc, |block| block.pc).ok()? as u32;
            Some(if caught {
                PathStep::Caught(BlockId(block))
            } else {
                PathStep::Block(BlockId(block))
            })
        };
        (id, path.steps.iter().filter_map(|at| step(at.parts()?)).collect::<Vec<_>>())
    };
    let all: Vec<_> = paths.iter().map(steps).collect();
    path_texts(map, &all.iter().map(|(id, steps)| (*id, &**steps)).collect::<Vec<_>>())
}

/// Returns the methods of a map by their names in the app. The first one of a name counts.
pub(super) fn methods_by_name(map: &Map) -> HashMap<String, MethodId> {
    let mut by_name = HashMap::new();
    for (id, method) in (1..).map(MethodId).zip(&map.methods) {
        by_name.entry(super::name_in_app(map, method)).or_insert(id);
    }
    by_name
}

/// Returns the lines of a path's blocks, each once in a row.
fn lines(map: &Map, method: &Method, steps: &[PathStep]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for step in steps {
        let block = &method.blocks[step.block().0 as usize];
        let own = block.lines.iter().filter_map(|&(_, place)| line_in(map, method, place));
        let mut own: Vec<String> = own.map(|line| line.to_string()).collect();
        if own.is_empty() {
            own.push(format!("@{}", block.pc));
        }
        if let PathStep::Caught(_) = step {
            own[0].insert(0, '!');
        }
        texts.extend(own);
    }
    texts.dedup();
    shortened(&texts)
}

/// Returns the steps of a path, each with the first line and the address of its block.
fn addresses(map: &Map, method: &Method, steps: &[PathStep]) -> String {
    shortened(&each(map, method, steps))
}

/// Returns all steps of a path, however many there are.
fn whole(map: &Map, method: &Method, steps: &[PathStep]) -> String {
    each(map, method, steps).join(" ")
}

fn each(map: &Map, method: &Method, steps: &[PathStep]) -> Vec<String> {
    let step = |step: &PathStep| {
        let block = &method.blocks[step.block().0 as usize];
        let caught = if matches!(step, PathStep::Caught(_)) { "!" } else { "" };
        let line = crate::base::names::block_line(map, method, block);
        let line = line.map_or(String::new(), |line| line.to_string());
        format!("{caught}{line}@{}", block.pc)
    };
    steps.iter().map(step).collect()
}

/// Returns steps on one line, without the middle of a long path.
fn shortened(texts: &[String]) -> String {
    if texts.len() <= SHOWN {
        return texts.join(" ");
    }
    let half = SHOWN / 2;
    let (begin, end) = (texts[..half].join(" "), texts[texts.len() - half..].join(" "));
    format!("{begin} … {} more … {end}", texts.len() - SHOWN)
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::method;
    use super::super::named;
    use super::*;
    use model::path_profiles::selected::PathKind;

    fn texts(map: &Map, paths: &[&[u32]]) -> Vec<String> {
        let steps = |path: &&[u32]| {
            let steps = path.iter().map(|&block| PathStep::Block(BlockId(block))).collect();
            (MethodId(1), steps)
        };
        let paths: Vec<(MethodId, Vec<PathStep>)> = paths.iter().map(steps).collect();
        selected_texts(map, &named(map, PathKind::Whole, &paths))
    }

    /// A block's later lines are part of the path: 46 is asked for, and its block begins at 45.
    #[test]
    fn all_lines_of_the_blocks_are_shown() {
        let map = method(&[(&[43], &[1]), (&[44], &[2]), (&[44, 45, 46, 47], &[])]);
        assert_eq!(texts(&map, &[&[0, 1, 2]]), ["43 44 45 46 47"]);
    }

    /// `return b == 0 ? a : gcd(b, a % b);` is one line.
    #[test]
    fn paths_over_the_same_lines_show_the_addresses_of_their_blocks() {
        let map = method(&[(&[88], &[1, 2]), (&[88], &[3]), (&[88], &[3]), (&[88], &[])]);
        let both = texts(&map, &[&[0, 1, 3], &[0, 2, 3]]);
        assert_eq!(both, ["88@0 88@10 88@30", "88@0 88@20 88@30"]);
        assert_eq!(texts(&map, &[&[0, 1, 3], &[0, 1, 3]]), ["88", "88"]);
    }

    /// The two differ in the middle, which a long path's text leaves out.
    #[test]
    fn long_paths_differ_where_the_text_would_be_cut() {
        let map = method(&[(&[7], &[1, 2]), (&[7], &[0]), (&[7], &[0])]);
        let path = |odd: u32| {
            let mut path: Vec<u32> = (0..60).map(|i| i % 2).collect();
            path[31] = odd;
            path
        };
        let (one, two) = (path(1), path(2));
        let both = texts(&map, &[&one, &two]);
        assert_ne!(both[0], both[1]);
        assert!(both[1].contains("7@20"), "{}", both[1]);
    }
}

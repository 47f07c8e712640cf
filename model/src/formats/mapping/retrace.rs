//! Lines of stack traces, which name a method without its parameters.

use std::collections::HashSet;

use super::Mapping;
use super::method::{Chained, Frames, MethodMapping, chains};

/// What stands behind one line of a stack trace.
#[derive(Debug, Clone)]
pub struct Retraced<'m> {
    /// Descriptor of the class in the source.
    pub class: String,
    /// A choice for each method that fits; empty if the mapping does not know the method or the
    /// line.
    pub choices: Vec<Frames<'m>>,
    /// The line is one of an outline: its caller, which the next line of the stack trace names, is
    /// to be asked with this line.
    pub outline: Option<u32>,
}

impl Mapping {
    /// The frames behind one line of a stack trace: dotted class, name and line. `outline` is what
    /// [`Retraced::outline`] was for the line before.
    pub fn retrace(
        &self,
        class: &str,
        name: &str,
        line: Option<u32>,
        outline: Option<u32>,
    ) -> Option<Retraced<'_>> {
        let shrunk = super::line::descriptor(class);
        let owner = self.class(&shrunk)?;
        let class = self.names.get(owner.original).to_owned();
        let rows = self.rows_of(owner, name);
        let mut methods: Vec<MethodMapping<'_>> = Vec::new();
        let mut all = chains(rows, Chained::Always);
        let outer = |chain: &std::ops::Range<usize>| rows[chain.end - 1].source;
        if let (Some(first), Some(last)) = (all.first(), all.last())
            && outer(first) == outer(last)
        {
            methods.push(MethodMapping::new(self, owner, rows, std::mem::take(&mut all)));
        }
        for chain in all {
            match methods.last_mut() {
                Some(m) if outer(&m.chains[0]) == outer(&chain) => m.chains.push(chain),
                _ => methods.push(MethodMapping::new(self, owner, rows, vec![chain])),
            }
        }
        let number = line;
        let line = line.filter(|l| *l > 0);
        let mut choices = choices_of(&methods, line);
        if choices.is_empty() && line.is_none() {
            // At least the names are known. Of merged methods the first is taken.
            let mut seen = HashSet::new();
            for m in &methods {
                let row = &rows[m.chains[0].end - 1];
                let in_app = row.residual.unwrap_or(self.sources[row.source as usize].descriptor);
                if seen.insert((row.residual.is_some(), in_app)) {
                    choices.push(Frames::of_name(m.source(), m.is_synthesized()));
                }
            }
        }
        if let Some(inner) = outline {
            let call = |f: &Frames<'_>| -> Option<u32> {
                let calls = f.outline_call?;
                let found = calls.binary_search_by_key(&inner, |c| c.0);
                Some(found.map_or(inner, |at| calls[at].1))
            };
            if let Some(line) = choices.iter().find_map(call) {
                choices = choices_of(&methods, Some(line));
            }
        }
        let is_outline = methods.iter().any(MethodMapping::is_outline) && !choices.is_empty();
        Some(Retraced { class, choices, outline: number.filter(|_| is_outline) })
    }
}

/// Methods without ranges count only where no other has the line.
fn choices_of<'m>(methods: &[MethodMapping<'m>], line: Option<u32>) -> Vec<Frames<'m>> {
    let has_line = |m: &&MethodMapping<'m>| line.is_some_and(|l| m.has_line(l));
    let mut fitting: Vec<&MethodMapping<'m>> = methods.iter().filter(has_line).collect();
    if fitting.is_empty() {
        fitting = methods.iter().filter(|m| m.frames(line, false).is_some()).collect();
    }
    fitting.iter().filter_map(|m| m.frames(line, fitting.len() > 1)).collect()
}

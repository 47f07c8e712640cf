//! Lines of stack traces, which name a method without its parameters.

use std::collections::{HashMap, HashSet};

use super::method::{Chained, Frames, MethodMapping, chains};
use super::names::Name;
use super::{ClassEntry, Mapping, MemberRow};

/// Methods that one line of a stack trace may stand for; more help nobody.
pub const MAX_CHOICES: usize = 64;
/// Methods and inlined frames that are looked at for all lines of all stack traces: seconds.
const MAX_WORK: usize = 1 << 24;

/// Methods and inlined calls of one line of a stack trace.
#[derive(Debug, Clone)]
pub struct Retraced<'m> {
    /// Descriptor of the class in the source.
    pub class: String,
    /// A choice for each method that fits; empty if the mapping does not know the method or the
    /// line. At most [`MAX_CHOICES`].
    pub choices: Vec<Frames<'m>>,
    /// More methods fit than `choices` holds, or further lines cost too much time.
    pub is_cut: bool,
    /// The line is one of an outline: its caller, which the next line of the stack trace names, is
    /// to be asked with this line.
    pub outline: Option<u32>,
}

/// Translates lines of stack traces one by one. Methods of one name are put together once.
#[derive(Debug)]
pub struct Retracer<'m> {
    mapping: &'m Mapping,
    /// By class and name in the app.
    named: HashMap<(Name, Name), Named<'m>>,
    /// Rest of [`MAX_WORK`].
    work: usize,
}

/// All methods of a class that have one name in the app.
#[derive(Debug)]
struct Named<'m> {
    rows: &'m [MemberRow],
    methods: Vec<MethodMapping<'m>>,
    has_outline: bool,
}

impl<'m> Named<'m> {
    fn new(mapping: &'m Mapping, owner: &'m ClassEntry, name: &str) -> Named<'m> {
        let rows = mapping.rows_of(owner, name);
        let mut methods: Vec<MethodMapping<'m>> = Vec::new();
        let mut all = chains(rows, Chained::Always);
        let outer = |chain: &std::ops::Range<usize>| rows[chain.end - 1].source;
        if let (Some(first), Some(last)) = (all.first(), all.last())
            && outer(first) == outer(last)
        {
            methods.push(MethodMapping::new(mapping, owner, rows, std::mem::take(&mut all)));
        }
        for chain in all {
            match methods.last_mut() {
                Some(m) if outer(&m.chains[0]) == outer(&chain) => m.chains.push(chain),
                _ => methods.push(MethodMapping::new(mapping, owner, rows, vec![chain])),
            }
        }
        let has_outline = methods.iter().any(MethodMapping::is_outline);
        Named { rows, methods, has_outline }
    }

    /// Methods that fit, at most one more than [`MAX_CHOICES`]. Methods without ranges count only
    /// where no other has the line.
    fn choices(&self, line: Option<u32>) -> Vec<Frames<'m>> {
        let has_line = |m: &&MethodMapping<'m>| line.is_some_and(|l| m.has_line(l));
        let most = MAX_CHOICES + 1;
        let mut fitting: Vec<&MethodMapping<'m>> =
            self.methods.iter().filter(has_line).take(most).collect();
        if fitting.is_empty() {
            let has_frames = |m: &&MethodMapping<'m>| m.frames(line, false).is_some();
            fitting = self.methods.iter().filter(has_frames).take(most).collect();
        }
        fitting.iter().filter_map(|m| m.frames(line, fitting.len() > 1)).collect()
    }

    /// The methods' names, where no line decides. Of merged methods the first is taken.
    fn names(&self, mapping: &'m Mapping) -> Vec<Frames<'m>> {
        let mut seen = HashSet::new();
        let mut choices = Vec::new();
        for m in &self.methods {
            let row = &self.rows[m.chains[0].end - 1];
            let stated = row.residual.unwrap_or(mapping.sources[row.source as usize].descriptor);
            if seen.insert((row.residual.is_some(), stated)) {
                choices.push(Frames::of_name(m.source(), m.is_synthesized()));
            }
            if choices.len() > MAX_CHOICES {
                break;
            }
        }
        choices
    }
}

impl<'m> Retracer<'m> {
    /// Translates with this mapping.
    pub fn new(mapping: &'m Mapping) -> Self {
        Retracer { mapping, named: HashMap::new(), work: MAX_WORK }
    }

    /// Returns the source frames of one line of a stack trace: dotted class, name and line.
    /// `outline` is [`Retraced::outline`] of the line before.
    pub fn retrace(
        &mut self,
        class: &str,
        name: &str,
        line: Option<u32>,
        outline: Option<u32>,
    ) -> Option<Retraced<'m>> {
        let mapping = self.mapping;
        let shrunk = mapping.names.find(&super::line::descriptor(class))?;
        let owner = mapping.classes.get(&shrunk)?;
        let class = mapping.names.get(owner.original).to_owned();
        let nothing = |class, is_cut| Retraced { class, choices: vec![], is_cut, outline: None };
        let Some(in_app) = mapping.names.find(name) else {
            return Some(nothing(class, false));
        };
        let entry = self.named.entry((shrunk, in_app));
        let named = entry.or_insert_with(|| Named::new(mapping, owner, name));
        let Some(work) = self.work.checked_sub(1 + named.methods.len()) else {
            return Some(nothing(class, true));
        };
        self.work = work;
        let number = line;
        let line = line.filter(|l| *l > 0);
        let mut choices = named.choices(line);
        if choices.is_empty() && line.is_none() {
            // At least the names are known.
            choices = named.names(mapping);
        }
        if let Some(inner) = outline {
            let call = |f: &Frames<'_>| -> Option<u32> {
                let calls = f.outline_call?;
                let found = calls.binary_search_by_key(&inner, |c| c.0);
                Some(found.map_or(inner, |at| calls[at].1))
            };
            if let Some(line) = choices.iter().find_map(call) {
                choices = named.choices(Some(line));
            }
        }
        let frames: usize = choices.iter().map(|c| c.frames.len()).sum();
        self.work = self.work.saturating_sub(frames);
        let is_outline = named.has_outline && !choices.is_empty();
        let is_cut = choices.len() > MAX_CHOICES;
        choices.truncate(MAX_CHOICES);
        Some(Retraced { class, choices, is_cut, outline: number.filter(|_| is_outline) })
    }
}

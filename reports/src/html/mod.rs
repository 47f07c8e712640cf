//! A session as one HTML file, which opens from disk and makes no network requests.
//!
//! A pass over the logs leaves a call tree (`tree`) and counters (`facts`) behind; only these
//! grow with the session, up to the limits named there. At the end they become data blocks
//! (`data`) between the page's styles and its scripts, which draw everything.

mod blocks;
mod data;
mod events;
mod facts;
mod names;
mod paths;
mod tree;
mod when;

use std::io::{self, Write};

use decoder::replay::Program;

pub use facts::Facts;
pub use tree::Calls;

use crate::base::counts::Counts;
use crate::base::sources::Sources;
use crate::crash::Stack;
use crate::frames::Totals;
use tree::Tree;

/// First characters of the file.
pub const HEAD: &str = "<!doctype html>\n<!-- Pathlight report -->\n";

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// The page's scripts, in the order in which they run.
const SCRIPTS: [&str; 28] = [
    include_str!("page/dom.js"),
    include_str!("page/state.js"),
    include_str!("page/names.js"),
    include_str!("page/data.js"),
    include_str!("page/callbacks.js"),
    include_str!("page/calls.js"),
    include_str!("page/parse.js"),
    include_str!("page/colours.js"),
    include_str!("page/path.js"),
    include_str!("page/outcomes.js"),
    include_str!("page/overview.js"),
    include_str!("page/lanes.js"),
    include_str!("page/zoom.js"),
    include_str!("page/nested.js"),
    include_str!("page/chart.js"),
    include_str!("page/details.js"),
    include_str!("page/timeline.js"),
    include_str!("page/interval.js"),
    include_str!("page/flame.js"),
    include_str!("page/tree.js"),
    include_str!("page/methods.js"),
    include_str!("page/conditions.js"),
    include_str!("page/source.js"),
    include_str!("page/exceptions.js"),
    include_str!("page/surprises.js"),
    include_str!("page/exact.js"),
    include_str!("page/search.js"),
    include_str!("page/main.js"),
];

/// Settings of a page.
#[derive(Debug, Clone)]
pub struct PageOptions {
    /// Maximum size of the page in bytes. Paths of callbacks are left out until it fits; all other
    /// data stay.
    pub size: usize,
    /// Number of processes of the logs, if it is known: each gets its share of the paths.
    pub sessions: usize,
    /// Globs over dotted class names that are the app's own code; if there are none, the page
    /// takes the app's package.
    pub own: Vec<String>,
    /// The map, as commands in the page name it.
    pub map: String,
    /// Stack traces, which give the exceptions that they fit a type and a message.
    pub stacks: Vec<Stack>,
}

impl Default for PageOptions {
    fn default() -> Self {
        PageOptions {
            size: 20 << 20,
            sessions: 1,
            own: Vec::new(),
            map: "app.plmap".into(),
            stacks: Vec::new(),
        }
    }
}

/// Source files whose text a page contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Number of files.
    pub files: usize,
    /// Bytes of their text.
    pub bytes: u64,
}

/// Collects the contents of the page.
#[derive(Debug)]
pub struct Html<'p, 'm> {
    program: &'p Program<'m>,
    tree: Tree,
    facts: Facts<'p, 'm>,
    options: PageOptions,
}

impl<'p, 'm> Html<'p, 'm> {
    /// Creates an empty page.
    pub fn new(program: &'p Program<'m>, options: PageOptions) -> Self {
        let facts = Facts::new(program, &options);
        Html { program, tree: Tree::default(), facts, options }
    }

    /// Returns the sink for the frames of the pass, and the one for its events.
    pub fn sinks(&mut self) -> (Calls<'_>, &mut Facts<'p, 'm>) {
        (Calls(&mut self.tree), &mut self.facts)
    }

    /// Returns the counts of blocks, branches and calls.
    pub fn counts(&self) -> &Counts<'p, 'm> {
        &self.facts.counts
    }

    /// Writes the page, with source text where `sources` are given, and returns the size of the
    /// embedded text. `problems` describe inputs that could not be used.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write(
        &mut self,
        out: &mut impl Write,
        totals: Totals,
        problems: &[String],
        sources: Option<&Sources>,
    ) -> io::Result<Embedded> {
        let (head, rest) = PAGE.split_once("{style}").expect("the page has a place for styles");
        let (body, end) = rest.split_once("{scripts}").expect("the page has a place for scripts");
        write!(out, "{HEAD}{head}{STYLE}{body}")?;
        self.facts.kept.finish();
        let Html { program, tree, facts, options } = self;
        let input = data::Input { program, tree, facts, options, totals, problems, sources };
        let embedded = data::write(out, &input)?;
        writeln!(out, "<script>\n'use strict';")?;
        SCRIPTS.iter().try_for_each(|script| out.write_all(script.as_bytes()))?;
        write!(out, "</script>\n{end}")?;
        out.flush()?;
        Ok(embedded)
    }
}

#[cfg(test)]
mod tests;

//! The map (`.plmap`): everything a decoder must know of one instrumented build.
//!
//! The decoder never parses DEX; it walks what is here: per method the basic blocks, the call sites
//! that take part in the protocol, the branch distributions *exactly as the probes carry them*, and
//! names and lines for people. A map is written once, by `instrument`, and never changed.
//!
//! File: `PLMAP`, a version byte, CRC-32 and length of what follows (big-endian), then a
//! raw-deflate stream of the [`Map`] in postcard encoding. Its build id is a hash of the rest of
//! that encoding, so a map that somebody edited is refused, and no log fits it by mistake.

use std::collections::BTreeSet;
use std::io::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use crate::graph::block::{Block, BranchIdentity, CallKind, CallSite, Terminator};
pub use crate::graph::generated::{Generated, GeneratedCode};
pub use crate::graph::ids::{BlockId, HandlerId, MethodId, NameId, OriginId, SlotId};
use crate::graph::implied;
pub use crate::graph::inlined::Inlined;
use crate::graph::inlined::{self, Graph, InlineError, MAX_NODES};
pub use crate::graph::origin::{CallbackOrigin, MAX_ORIGINS, MAX_RANGES, OriginKind, OriginRange};
pub use crate::graph::position::{
    CodeLine, CodeOrigin, InApp, MAX_FRAMES, MethodKind, OutlineCall, Position, PositionId,
    Rewrite, SourceMethod, SourcePositions,
};
use crate::graph::region::TRIP_SYMBOLS;
pub use crate::graph::throwing::ThrowingLines;
use crate::path_profiles::selected::{MAX_OF_BUILD, MAX_STEPS, SelectedPath};
use crate::protocol::Protocol;
use crate::recording::{Recording, UnknownRecordingNumber};

/// First bytes of a map file.
pub const MAGIC: &[u8; 5] = b"PLMAP";
/// Version of the map format that this crate writes.
pub const VERSION: u8 = 11;
/// The oldest version that this crate reads.
pub const OLDEST: u8 = 3;
/// Bytes of a build id, the first field of a map's content.
pub(super) const ID_BYTES: usize = 16;
/// Bytes before a map's content.
const HEADER: usize = 18;

/// Identifies a build: the first 16 bytes of a SHA-256 over the content of its map without this id.
/// See [`Map::seal`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
pub struct BuildId(pub [u8; 16]);

impl std::fmt::Display for BuildId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl BuildId {
    /// Returns the first 8 hex digits, as they stand in names of files.
    pub fn short(&self) -> String {
        self.0[..4].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The 32 hex digits that [`BuildId`]'s `Display` writes.
impl std::str::FromStr for BuildId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut id = [0; ID_BYTES];
        let digits = text.as_bytes().iter().all(u8::is_ascii_hexdigit);
        if !digits || text.len() != 2 * ID_BYTES {
            return Err(());
        }
        for (byte, at) in id.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(drop)?;
        }
        Ok(BuildId(id))
    }
}

/// A fused region: see [`crate::region::Numbering`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// The node ([`crate::inlined`]) that ends in the branch with which it begins.
    pub head: BlockId,
    /// The nodes inside, every edge among them leading forward.
    pub inside: Vec<BlockId>,
    /// Value of the register for path 0; at least 1.
    pub base: u32,
    /// Frequencies of the paths that leave, by ascending number; sum 65,535.
    pub freqs: Vec<u16>,
}

/// A counted loop: see [`crate::region::TripCount`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    /// The node of its only branch, of two alternatives: a whole block of the method.
    pub branch: BlockId,
    /// The alternative that stays.
    pub stay: u8,
    /// Frequencies of its [`crate::region::TRIP_SYMBOLS`] symbols.
    pub freqs: Vec<u16>,
}

/// An instrumented method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// Class descriptor, `Lpkg/Cls;`.
    pub class: NameId,
    /// Method name.
    pub name: NameId,
    /// Descriptor, `(I)V`.
    pub descriptor: NameId,
    /// Source file, if the build names one.
    pub source_file: Option<NameId>,
    /// Its name in the app, if it is another one.
    pub in_app: Option<InApp>,
    /// Relation of the method to the source.
    pub kind: MethodKind,
    /// True if it has a catch-all at its boundary (see `docs/PROTOCOL.md` §5).
    pub guarded: bool,
    /// Basic blocks; block 0 is the entry block.
    pub blocks: Vec<Block>,
    /// Fused regions; no block lies in two of them or in a loop too.
    pub regions: Vec<Region>,
    /// Counted loops.
    pub loops: Vec<Loop>,
    /// Hash of the whole body's shape, for recognising it in another release.
    pub fingerprint: u64,
}

impl Method {
    /// Returns the method as the source names it.
    pub fn source(&self) -> SourceMethod {
        let (class, name, descriptor) = (self.class, self.name, self.descriptor);
        SourceMethod { class, name, descriptor, file: self.source_file }
    }
}

/// An exception handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handler {
    /// The method it belongs to.
    pub method: MethodId,
    /// Its first block.
    pub block: BlockId,
}

/// A slot's distribution. Alternative 0 is *none* (call slots) or *other* (next-callback
/// distributions).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// Callees of alternatives 1…, ascending.
    pub callees: Vec<MethodId>,
    /// Frequencies of all alternatives, alternative 0 first; sum 65,535.
    pub freqs: Vec<u16>,
    /// Name of the slot in the model (`Lpkg/Iface;->call()V`).
    pub site: NameId,
}

/// A method that was left as it was, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// In words.
    pub reason: String,
}

/// The map of one build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Map {
    /// The build. It comes first, because [`Map::from_bytes`] checks it against all that follows.
    pub build: BuildId,
    /// SHA-256 over what the map does not hold of the build: the code that was instrumented, the
    /// runtime and its settings.
    pub origin: [u8; 32],
    /// The kind of data that the build records.
    pub recording: Recording,
    /// Bits of a method or handler id in an escape.
    pub id_bits: u8,
    /// Package name of the app, empty for bare dex files.
    pub package: String,
    /// Names.
    pub names: Vec<String>,
    /// Methods.
    pub methods: Vec<Method>,
    /// Handlers.
    pub handlers: Vec<Handler>,
    /// Slots.
    pub slots: Vec<Slot>,
    /// next-callback distributions of top-level methods, ascending by method.
    pub next_callbacks: Vec<(MethodId, SlotId)>,
    /// Methods left alone.
    pub skipped: Vec<Skipped>,
    /// Places that are no lines of the method itself.
    pub places: SourcePositions,
    /// The number of the [`Protocol`] that the build speaks. Maps before version 6 end before it.
    pub protocol: u8,
    /// Calls whose callee's code stands in their place, ascending by method. Maps before version 7
    /// end before it.
    pub inlined: Vec<Inlined>,
    /// The paths that the build counts, in the order of their cells. Maps before version 8 end
    /// before them.
    pub paths: Vec<SelectedPath>,
    /// The lines of the app's code that stand for positions, ascending; none in builds with a
    /// mapping, whose code has lines of its own everywhere. Maps before version 9 end before them.
    pub code_lines: Vec<CodeLine>,
    /// Code that compilers generated, ascending; maps before version 9 end before it.
    pub generated: Vec<GeneratedCode>,
    /// Values that callbacks may record as their origin; maps before version 10 end before them.
    pub origins: Vec<OriginRange>,
    /// True if the counts of paths are upper bounds, because their encoding gives other paths the
    /// same numbers. Maps before version 11 end before it.
    pub upper_bounds: bool,
    /// Lines on which an instruction can throw; maps before version 11 end before them.
    pub throwing: ThrowingLines,
}

/// Reasons why a map file is refused.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// Not a map at all.
    #[error("not a Pathlight map (it does not begin with PLMAP)")]
    NotAMap,
    /// A version that this program does not know.
    #[error("map version {0}; this program reads versions {OLDEST} to {VERSION}")]
    Version(u8),
    /// A codec that this program does not know.
    #[error("map of a later version: {0}")]
    Recording(UnknownRecordingNumber),
    /// A protocol that this program does not know.
    #[error("map of a later version: protocol {0} is not known to this version")]
    Protocol(u8),
    /// Shorter or longer than in its header.
    #[error("map is damaged: {have} bytes of content instead of {want}")]
    Length {
        /// Bytes present.
        have: usize,
        /// Bytes promised.
        want: u64,
    },
    /// Content does not match its checksum.
    #[error("map is damaged: its checksum does not match")]
    Checksum,
    /// Content that is not what its build id was made of.
    #[error("map was changed: it names build {stated}, but its content is that of build {found}")]
    Changed {
        /// The id in the map.
        stated: BuildId,
        /// The id of its content.
        found: BuildId,
    },
    /// Content that inflates to far more than any map does.
    #[error("map is damaged: {have} bytes inflate to more than {limit}")]
    Inflated {
        /// Bytes of content in the file.
        have: usize,
        /// Limit of the inflated size, in bytes.
        limit: u64,
    },
    /// Content cannot be inflated or parsed.
    #[error("map is damaged: {0}")]
    Content(String),
    /// A reference inside the map leads nowhere.
    #[error("map is inconsistent: {0}")]
    Inconsistent(String),
}

/// The file of a map with this content.
pub(super) fn file_of(plain: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(plain.len() / 2 + HEADER);
    out.resize(HEADER, 0);
    let mut deflate = flate2::write::DeflateEncoder::new(out, flate2::Compression::new(6));
    deflate.write_all(plain).expect("writing to memory");
    let mut out = deflate.finish().expect("writing to memory");
    let content = &out[HEADER..];
    let (crc, length) = (crc32fast::hash(content), content.len() as u64);
    out[..5].copy_from_slice(MAGIC);
    out[5] = VERSION;
    out[6..10].copy_from_slice(&crc.to_be_bytes());
    out[10..HEADER].copy_from_slice(&length.to_be_bytes());
    out.shrink_to_fit();
    out
}

impl Map {
    /// Gives the map the id of its content. Whatever is changed afterwards makes it a map that is
    /// refused.
    pub fn seal(&mut self) {
        self.build = content_id(VERSION, &self.plain());
    }

    fn plain(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("a map in memory always serialises")
    }

    /// The map as file bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        file_of(&self.plain())
    }

    /// The method with this id.
    pub fn method(&self, id: MethodId) -> Option<&Method> {
        self.methods.get((id.0 as usize).checked_sub(1)?)
    }

    /// The number of origins.
    pub fn origin_count(&self) -> u32 {
        self.origins.iter().fold(0, |sum, range| sum.saturating_add(range.count))
    }

    /// The origin with this id in a stream, in the number space of methods.
    pub fn origin_of(&self, id: u32) -> Option<OriginId> {
        let number = id.checked_sub(self.methods.len() as u32)?.checked_sub(1)?;
        (number < self.origin_count()).then_some(OriginId(number))
    }

    /// An origin by its value and name.
    pub fn callback_origin(&self, id: OriginId) -> Option<CallbackOrigin<'_>> {
        let mut at = id.0;
        for range in &self.origins {
            if at < range.count {
                let name = range.names.get(at as usize).copied().flatten();
                return Some(CallbackOrigin {
                    kind: range.kind,
                    value: range.first.wrapping_add(at),
                    name: name.map(|name| self.name(name)),
                });
            }
            at -= range.count;
        }
        None
    }

    /// Returns a name.
    ///
    /// # Panics
    /// The id is not of this map.
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.0 as usize]
    }

    /// `Lpkg/Cls;->name(I)V`.
    pub fn method_key(&self, method: &Method) -> String {
        format!(
            "{}->{}{}",
            self.name(method.class),
            self.name(method.name),
            self.name(method.descriptor)
        )
    }

    /// Returns true if a method was inlined that the app does not have: its source map names none.
    pub fn is_unknown(&self, method: &SourceMethod) -> bool {
        self.name(method.descriptor).is_empty()
    }

    /// The graph of a method as it was instrumented.
    ///
    /// # Errors
    /// Inlined calls that cannot be; never after [`Map::from_bytes`].
    pub fn graph(&self, id: MethodId) -> Result<Graph<'_>, InlineError> {
        let blocks = |m: MethodId| self.method(m).map(|m| &m.blocks[..]);
        match self.inlined.binary_search_by_key(&id, |m| m.method) {
            Ok(i) => Ok(Graph::Nodes(inlined::nodes(&self.inlined[i], &blocks)?)),
            Err(_) => Ok(Graph::Blocks(blocks(id).ok_or(InlineError::Method(id.0))?)),
        }
    }

    /// The lines that the app's code has for a position.
    pub fn code_lines(&self, position: PositionId) -> &[CodeLine] {
        let start = self.code_lines.partition_point(|l| l.position < position.0);
        let rest = &self.code_lines[start..];
        &rest[..rest.partition_point(|l| l.position == position.0)]
    }

    /// The code of a method that a compiler generated.
    pub fn generated_of(&self, method: MethodId) -> &[GeneratedCode] {
        let start = self.generated.partition_point(|g| g.method < method);
        let rest = &self.generated[start..];
        &rest[..rest.partition_point(|g| g.method == method)]
    }

    /// Returns the position of each block's first bit in [`Map::throwing`], in the order of the
    /// map; nothing if the map has no bits.
    pub fn throwing_bits(&self) -> Vec<u32> {
        if self.throwing.is_empty() {
            return Vec::new();
        }
        let blocks = self.methods.iter().flat_map(|m| &m.blocks);
        self.throwing.first_bits(blocks).unwrap_or_default()
    }

    /// The protocol that the build speaks.
    pub fn protocol(&self) -> Protocol {
        Protocol::from_number(self.protocol).unwrap_or_default()
    }

    /// Returns the methods that take part without probes, because their calls already determine
    /// their path.
    pub fn implied_methods(&self) -> BTreeSet<MethodId> {
        self.implied_callees().collect()
    }

    fn implied_callees(&self) -> impl Iterator<Item = MethodId> {
        let calls = self.methods.iter().flat_map(|m| &m.blocks).flat_map(|b| &b.calls);
        calls.filter_map(|c| match c.call {
            CallKind::Implied(m) => Some(m),
            CallKind::Predicted(_) | CallKind::Slot(_) => None,
        })
    }

    pub(super) fn check(&self) -> Result<(), MapError> {
        let bad = |what: String| Err(MapError::Inconsistent(what));
        if Protocol::from_number(self.protocol).is_none() {
            return Err(MapError::Protocol(self.protocol));
        }
        if let Err(what) = self.places.check(self.names.len(), self.methods.len()) {
            return bad(what);
        }
        let name = |id: NameId| (id.0 as usize) < self.names.len();
        if self.id_bits > 32 {
            return bad(format!("{} bits for an id", self.id_bits));
        }
        if self.slots.is_empty() && self.recording != Recording::Reassemble {
            return bad("no next-callback distribution".into());
        }
        for (i, m) in self.methods.iter().enumerate() {
            if !(name(m.class)
                && name(m.name)
                && name(m.descriptor)
                && m.source_file.is_none_or(name)
                && m.in_app.is_none_or(|n| name(n.class) && name(n.name) && name(n.descriptor)))
            {
                return bad(format!("method {} names nothing", i + 1));
            }
            if m.blocks.is_empty() {
                return bad(format!("method {} has no block", i + 1));
            }
            let block = |b: BlockId| (b.0 as usize) < m.blocks.len();
            for b in &m.blocks {
                let ok = match &b.terminator {
                    Terminator::Return | Terminator::Throw => true,
                    Terminator::Goto(t) => block(*t),
                    Terminator::Branch { alternatives, .. } => {
                        alternatives.len() >= 2
                            && alternatives.iter().all(|&(t, f)| block(t) && f > 0)
                            && alternatives.iter().map(|&(_, f)| u32::from(f)).sum::<u32>()
                                == 65_535
                    }
                };
                let calls = b.calls.iter().all(|c| match c.call {
                    CallKind::Predicted(m) | CallKind::Implied(m) => self.method(m).is_some(),
                    CallKind::Slot(s) => (s.0 as usize) < self.slots.len(),
                });
                if b.lines.iter().any(|l| !self.places.has(l.1)) {
                    return bad(format!(
                        "method {} has a line that is nowhere, at {}",
                        i + 1,
                        b.pc
                    ));
                }
                if !ok || !calls {
                    return bad(format!(
                        "method {} has a block that leads nowhere, at {}",
                        i + 1,
                        b.pc
                    ));
                }
            }
        }
        // Where every edge or activation writes something, no method is without probes.
        let may = |m: &&Method| !m.guarded && !self.recording.records_gotos();
        let blocks = |m: MethodId| self.method(m).filter(may).map(|m| &m.blocks[..]);
        if let Some(m) = implied::first_unsound(self.implied_callees(), self.methods.len(), blocks)
        {
            return bad(format!("method {} decides more than its calls determine", m.0));
        }
        if (self.recording != Recording::Paths && !self.paths.is_empty())
            || self.paths.len() > MAX_OF_BUILD
        {
            return bad("it counts paths that it cannot count".into());
        }
        let known = |l: &CodeLine| (l.position as usize) < self.places.positions.len();
        if !self.code_lines.is_sorted() || !self.code_lines.iter().all(known) {
            return bad("lines of inlined code".into());
        }
        let known = |g: &GeneratedCode| g.from < g.to && self.method(g.method).is_some();
        if !self.generated.is_sorted() || !self.generated.iter().all(known) {
            return bad("generated code".into());
        }
        if !self.throwing.is_empty() && self.throwing_bits().is_empty() {
            return bad("lines that can throw".into());
        }
        let is_unsound = |range: &OriginRange| !range.is_sound(self.names.len());
        if let Some(number) = self.origins.iter().position(is_unsound) {
            return bad(format!("origins of callbacks, range {}", number + 1));
        }
        if self.origins.len() > MAX_RANGES || self.origin_count() > MAX_ORIGINS {
            let (ranges, values) = (self.origins.len(), self.origin_count());
            return bad(format!("{ranges} ranges of {values} origins of callbacks"));
        }
        for path in &self.paths {
            let blocks = self.method(path.method).map_or(0, |m| m.blocks.len());
            let there = path.steps.iter().all(|step| (step.block().0 as usize) < blocks);
            if path.steps.is_empty() || path.steps.len() > MAX_STEPS || !there {
                return bad(format!("path {} leads nowhere", path.id));
            }
        }
        if !self.inlined.is_sorted_by(|a, b| a.method < b.method) {
            return bad("inlined calls are out of order".into());
        }
        let mut nodes = 0;
        for (i, m) in self.methods.iter().enumerate() {
            let id = MethodId(i as u32 + 1);
            let graph = match self.graph(id) {
                Ok(graph) => graph,
                Err(e) => return bad(format!("method {}: {e}", id.0)),
            };
            if let Graph::Nodes(all) = &graph {
                nodes += all.len();
            }
            if nodes > MAX_NODES {
                return bad(InlineError::Nodes.to_string());
            }
            if !regions_are_sound(m, &graph) {
                return bad(format!("method {} has a region or a counted loop that is none", id.0));
            }
        }
        let methods = self.methods.len() as u32;
        if self.inlined.iter().any(|m| !(1..=methods).contains(&m.method.0)) {
            return bad("inlined calls of no method".into());
        }
        for (i, h) in self.handlers.iter().enumerate() {
            if self.method(h.method).is_none_or(|m| h.block.0 as usize >= m.blocks.len()) {
                return bad(format!("handler {i} leads nowhere"));
            }
        }
        for (i, s) in self.slots.iter().enumerate() {
            let sorted = s.callees.windows(2).all(|w| w[0] < w[1]);
            let sum: u32 = s.freqs.iter().map(|&f| u32::from(f)).sum();
            if s.freqs.len() != s.callees.len() + 1
                || sum != 65_535
                || s.freqs.contains(&0)
                || !sorted
                || !name(s.site)
                || s.callees.iter().any(|&m| self.method(m).is_none())
            {
                return bad(format!("slot {i}"));
            }
        }
        if self
            .next_callbacks
            .iter()
            .any(|&(m, s)| self.method(m).is_none() || s.0 as usize >= self.slots.len())
        {
            return bad("next-callback distributions".into());
        }
        Ok(())
    }
}

/// The id of a map's content before it is compressed, which begins with 16 bytes for the id itself.
/// From version 5 on no content has the same id in another version.
pub fn content_id(version: u8, plain: &[u8]) -> BuildId {
    let mut hash = Sha256::new();
    hash.update(match version {
        ..5 => b"pathlight build 2",
        5 => b"pathlight build 3",
        6 => b"pathlight build 4",
        7 => b"pathlight build 5",
        8 => b"pathlight build 6",
        9 => b"pathlight build 7",
        10 => b"pathlight build 8",
        11.. => b"pathlight build 9",
    });
    hash.update(plain.get(ID_BYTES..).unwrap_or_default());
    let mut id = [0; ID_BYTES];
    id.copy_from_slice(&hash.finalize()[..ID_BYTES]);
    BuildId(id)
}

/// Returns true if regions and loops are sound: no node is in two of them, and no node inside calls
/// or counts.
fn regions_are_sound(m: &Method, graph: &Graph<'_>) -> bool {
    let sum = |f: &[u16]| f.iter().map(|&f| u32::from(f)).sum::<u32>();
    let mut taken = vec![false; graph.len()];
    let mut take = |b: BlockId| !std::mem::replace(&mut taken[b.0 as usize], true);
    m.regions.iter().all(|r| {
        graph.successors(r.head).is_some_and(|to| to.len() > 1)
            && r.base > 0
            && graph.numbering(r.head, &r.inside).is_ok_and(|n| {
                r.base.checked_add(n.total()).is_some() && n.full_paths().len() == r.freqs.len()
            })
            && sum(&r.freqs) == 65_535
            && !r.freqs.contains(&0)
            && r.inside.iter().all(|&b| graph.is_quiet(b))
            && take(r.head)
            && r.inside.iter().all(|&b| take(b))
    }) && m.loops.iter().all(|l| {
        l.freqs.len() == TRIP_SYMBOLS
            && sum(&l.freqs) == 65_535
            && !l.freqs.contains(&0)
            && graph.trip_count(l.branch, l.stay.into()).is_some_and(|t| {
                // The branch may have a mark, which counts on the way into the loop.
                let quiet = |&b: &BlockId| graph.is_quiet(b);
                let (branch, inner) = t.cycle.split_last().expect("a cycle has its branch");
                graph.successors(*branch).is_some_and(|to| to.len() == 2)
                    && !graph.has_calls(*branch)
                    && inner.iter().all(quiet)
                    && t.cycle.iter().all(|&b| take(b))
            })
    })
}

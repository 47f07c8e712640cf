//! Source positions: lines, and the frames around them that a compiler has inlined.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::graph::ids::{MethodId, NameId};

/// Most frames of a position, inlined ones and the one around them.
pub const MAX_FRAMES: usize = 255;

/// Position in `Map::positions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionId(pub u32);

/// A place in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeOrigin {
    /// A line of the method itself; 0: none is known from here on.
    Line(u32),
    /// Anywhere else: in inlined code, in a method that was merged into this one.
    At(PositionId),
}

impl CodeOrigin {
    /// The line of the method itself, if it is one.
    pub fn own_line(self) -> Option<u32> {
        match self {
            CodeOrigin::Line(line) => Some(line).filter(|l| *l > 0),
            CodeOrigin::At(_) => None,
        }
    }
}

/// One number: most places are lines, and a line stays as short as it was.
impl Serialize for CodeOrigin {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (number, bit) = match *self {
            CodeOrigin::Line(line) => (line, 0),
            CodeOrigin::At(PositionId(id)) => (id, 1),
        };
        to.serialize_u64(u64::from(number) << 1 | bit)
    }
}

impl<'de> Deserialize<'de> for CodeOrigin {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(from)?;
        let value = u32::try_from(number >> 1)
            .map_err(|_| serde::de::Error::custom("a place beyond 32 bits"))?;
        Ok(if number & 1 == 0 {
            CodeOrigin::Line(value)
        } else {
            CodeOrigin::At(PositionId(value))
        })
    }
}

/// A method of the source, whether it is still one in the app or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceMethod {
    /// Class descriptor, `Lpkg/Cls;`.
    pub class: NameId,
    /// Method name.
    pub name: NameId,
    /// Descriptor, `(I)V`.
    pub descriptor: NameId,
    /// File of the class, if it is known.
    pub file: Option<NameId>,
}

/// A place in a method of the source. Equal positions are stored once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Position {
    /// Position in `Map::sources`.
    pub method: u32,
    /// Its line; 0: none is known.
    pub line: u32,
    /// Position of the call, if the method was inlined there: one more than an earlier position in
    /// `Map::positions`, or 0.
    pub caller: u32,
}

impl Position {
    /// Returns the position of the call, if the method was inlined there.
    pub fn caller(self) -> Option<PositionId> {
        self.caller.checked_sub(1).map(PositionId)
    }
}

/// Frames that stack traces of an exception do not show if it was thrown right at a position: the
/// compiler moved a check there that belongs to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rewrite {
    /// Position in `Map::positions`.
    pub position: u32,
    /// Descriptor of the exception.
    pub thrown: NameId,
    /// Number of innermost frames to remove.
    pub remove: u32,
}

/// A line of the app's code that stands for a position: Kotlin's compiler numbers the lines of
/// inlined code after the end of the caller's file. Stack traces of the device have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CodeLine {
    /// Position in `Map::positions`.
    pub position: u32,
    /// Its number in the app.
    pub line: u32,
}

/// A call of an outline: code that the compiler took out of several methods. Its lines are numbers
/// without a meaning of their own; here is what they stand for at this call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineCall {
    /// The caller.
    pub method: MethodId,
    /// Code-unit offset of the call.
    pub pc: u32,
    /// The outline's lines, ascending, and places in the caller.
    pub lines: Vec<(u32, CodeOrigin)>,
}

/// Relation of a method of the app to the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MethodKind {
    /// It is.
    Source,
    /// A shrinker or DEX compiler made it: stack traces do not show it.
    Synthesized,
    /// An outline: its lines stand for places of its callers ([`OutlineCall`]).
    Outline,
    /// The compiler of the language added it: a bridge, an accessor, `values` of an enum. Stack
    /// traces show it.
    Added,
}

/// The name of a method in the app, where it is another one than in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct InApp {
    /// Class descriptor.
    pub class: NameId,
    /// Method name.
    pub name: NameId,
    /// Descriptor.
    pub descriptor: NameId,
}

/// All places of a map that are no lines of the method itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePositions {
    /// Methods of the source that positions are in.
    pub sources: Vec<SourceMethod>,
    /// Callers come first.
    pub positions: Vec<Position>,
    /// Ascending by position.
    pub rewrites: Vec<Rewrite>,
    /// Ascending by method and address.
    pub outline_calls: Vec<OutlineCall>,
}

impl SourcePositions {
    /// The frames of a position, innermost first.
    pub fn frames(&self, position: PositionId) -> impl Iterator<Item = &Position> {
        let at = |id: PositionId| self.positions.get(id.0 as usize);
        std::iter::successors(at(position), move |p| at(p.caller()?))
    }

    /// Returns the frames that stack traces of exceptions omit at this position.
    pub fn rewrites_at(&self, position: PositionId) -> &[Rewrite] {
        let start = self.rewrites.partition_point(|r| r.position < position.0);
        let rest = &self.rewrites[start..];
        &rest[..rest.partition_point(|r| r.position == position.0)]
    }

    /// Returns the lines that the lines of an outline stand for when it is called here.
    pub fn outline_call(&self, method: MethodId, pc: u32) -> Option<&OutlineCall> {
        let key = |c: &OutlineCall| (c.method, c.pc);
        let at = self.outline_calls.binary_search_by_key(&(method, pc), key).ok()?;
        self.outline_calls.get(at)
    }

    /// Returns true if the place exists.
    pub(crate) fn has(&self, place: CodeOrigin) -> bool {
        match place {
            CodeOrigin::Line(_) => true,
            CodeOrigin::At(id) => (id.0 as usize) < self.positions.len(),
        }
    }

    /// Checks the positions of a map with this many names and methods; the error describes the
    /// damage.
    pub(crate) fn check(&self, names: usize, methods: usize) -> Result<(), String> {
        let name = |id: NameId| (id.0 as usize) < names;
        for (i, s) in self.sources.iter().enumerate() {
            if !(name(s.class) && name(s.name) && name(s.descriptor) && s.file.is_none_or(name)) {
                return Err(format!("source method {i} names nothing"));
            }
        }
        let mut depths: Vec<u8> = Vec::with_capacity(self.positions.len());
        for (i, p) in self.positions.iter().enumerate() {
            let depth = match p.caller() {
                None => Some(1),
                // Callers come first, so that no chain is a circle.
                Some(caller) => depths.get(caller.0 as usize).and_then(|d| d.checked_add(1)),
            };
            match depth {
                Some(depth) if (p.method as usize) < self.sources.len() => depths.push(depth),
                _ => return Err(format!("position {i}")),
            }
        }
        let sorted = self.rewrites.windows(2).all(|w| w[0].position <= w[1].position);
        let sound = |r: &Rewrite| (r.position as usize) < self.positions.len() && name(r.thrown);
        if !sorted || !self.rewrites.iter().all(sound) {
            return Err("exceptions of positions".into());
        }
        let key = |c: &OutlineCall| (c.method, c.pc);
        let sorted = self.outline_calls.windows(2).all(|w| key(&w[0]) < key(&w[1]));
        let sound = |c: &OutlineCall| {
            (1..=methods).contains(&(c.method.0 as usize))
                && c.lines.windows(2).all(|w| w[0].0 < w[1].0)
                && c.lines.iter().all(|l| self.has(l.1))
        };
        match sorted && self.outline_calls.iter().all(sound) {
            true => Ok(()),
            false => Err("calls of outlines".into()),
        }
    }
}

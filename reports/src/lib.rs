//! Paths for people (text), for programs (JSON lines) and for viewers of traces and flame graphs.

pub mod analyse;
mod both;
mod calls;
pub mod compare;
mod counts;
pub mod coverage;
pub mod crash;
mod duration;
mod escape;
mod filter;
pub mod html;
mod inside;
mod json;
mod live;
mod ordered;
mod path_ids;
mod price;
pub mod profiles;
pub mod select;
mod session_index;
mod slow;
#[cfg(test)]
mod tests;
mod text;
pub mod traces;
mod unmatched;
mod weights;
mod write;

pub use both::Both;
pub use counts::Counts;
pub use coverage::Coverage;
pub use escape::visible;
pub use filter::{Filter, Filtered, Interval, Paths};
pub use json::{JsonPaths, process_line};
pub use live::{Live, LiveError, LiveForm};
pub use path_ids::PathIds;
pub use price::{Chance, chance, price};
pub use session_index::{IndexError, SessionIndex};
pub use slow::Slow;
pub use text::{Names, Sources, TextOptions, TextPaths, process_heading};
pub use unmatched::{Unmatched, methods_named, unmatched_class, unmatched_method};
pub use weights::Weights;
pub use write::{write_json, write_path_ids, write_text};

use decoder::replay::{BlockNo, Program, ROUNDS_TOLD};
use model::map::{Block, Map, Method, Place};

/// A block's method and description.
fn block_of<'m>(program: &Program<'m>, b: BlockNo) -> (&'m Method, &'m Block) {
    let (m, i) = program.locate(b);
    let method = &program.map.methods[m.0 as usize - 1];
    (method, &method.blocks[i])
}

/// The line of a method at which one of its blocks begins. Every output that names a block by a
/// line names this one.
fn block_line(map: &Map, m: &Method, block: &Block) -> Option<u32> {
    block.place().and_then(|place| line_in(map, m, place))
}

/// The line of a method that a place stands for: of inlined code, the line that it is called from.
fn line_in(map: &Map, m: &Method, place: Place) -> Option<u32> {
    let Place::At(id) = place else { return place.own_line() };
    let outermost = map.places.frames(id).last()?;
    let s = &map.places.sources[outermost.method as usize];
    let is_own = (s.class, s.name, s.descriptor) == (m.class, m.name, m.descriptor);
    Some(outermost.line).filter(|&line| is_own && line > 0)
}

/// `com.example.Cls.name`, as a stack trace has it.
fn dotted(map: &Map, m: &Method) -> String {
    format!("{}.{}", dotted_name(map.name(m.class)), map.name(m.name))
}

/// `com.example.Cls` of its descriptor.
fn dotted_name(class: &str) -> String {
    class.strip_prefix('L').unwrap_or(class).trim_end_matches(';').replace('/', ".")
}

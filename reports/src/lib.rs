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
pub use weights::Weights;
pub use write::{write_json, write_path_ids, write_text};

use decoder::replay::{BlockNo, Program, ROUNDS_TOLD};
use model::map::{Block, Map, Method};

/// A block's method and description.
fn block_of<'m>(program: &Program<'m>, b: BlockNo) -> (&'m Method, &'m Block) {
    let (m, i) = program.locate(b);
    let method = &program.map.methods[m.0 as usize - 1];
    (method, &method.blocks[i])
}

/// `com.example.Cls.name`, as a stack trace has it.
fn dotted(map: &Map, m: &Method) -> String {
    format!("{}.{}", dotted_name(map.name(m.class)), map.name(m.name))
}

/// `com.example.Cls` of its descriptor.
fn dotted_name(class: &str) -> String {
    class.strip_prefix('L').unwrap_or(class).trim_end_matches(';').replace('/', ".")
}

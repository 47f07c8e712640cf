//! Paths for people (text), for programs (JSON lines) and for viewers of traces and flame graphs.

mod calls;
mod escape;
mod json;
#[cfg(test)]
mod tests;
mod text;
pub mod traces;

pub use escape::visible;
pub use json::{JsonPaths, process_line};
pub use text::{TextPaths, process_heading};

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

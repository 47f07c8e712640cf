//! Remarks on decoding that begins inside a callback.

use decoder::replay::{BlockNo, Program};
use model::map::{CodeOrigin, MethodKind};

use super::escape::visible;
use super::names::{block_of, dotted};

/// Remark after the end of that frame.
pub(crate) const BELOW: &str =
    "what called this method is not known: its beginning was overwritten";

/// Returns the line of a block in its method, if known.
pub(crate) fn line_of(program: &Program<'_>, at: BlockNo) -> Option<u32> {
    let (m, block) = block_of(program, at);
    let line = match block.place().filter(|_| m.kind != MethodKind::Outline)? {
        CodeOrigin::Line(line) => line,
        CodeOrigin::At(id) => program.map.places.frames(id).last()?.line,
    };
    (line > 0).then_some(line)
}

/// Returns the remark on the frame in which decoding goes on.
pub(crate) fn inside(program: &Program<'_>, at: BlockNo) -> String {
    let (m, block) = block_of(program, at);
    let line = match line_of(program, at) {
        Some(line) => format!("line {line}"),
        None => format!("@{:x}", block.pc),
    };
    let name = dotted(program.map, m);
    let text = format!("begins inside {name}, {line}; what ran before was overwritten");
    visible(&text).into_owned()
}

//! Methods, classes and lines by the names that stack traces and sources use.

use decoder::replay::{BlockNo, Program};
use model::descriptors::dotted_name;
use model::map::{Block, CodeOrigin, Map, Method, OriginId, OutlineCall};

use crate::base::escape::visible;

/// Returns a block and its method.
pub(crate) fn block_of<'m>(program: &Program<'m>, b: BlockNo) -> (&'m Method, &'m Block) {
    let (m, i) = program.locate(b);
    let method = &program.map.methods[m.0 as usize - 1];
    (method, &method.blocks[i])
}

/// Returns the line of a method at which one of its blocks begins. All outputs that name a block
/// by its line use this line.
pub(crate) fn block_line(map: &Map, m: &Method, block: &Block) -> Option<u32> {
    block.place().and_then(|place| line_in(map, m, place))
}

/// Returns the line of a method for a source position; for inlined code, the line of the call.
pub(crate) fn line_in(map: &Map, m: &Method, place: CodeOrigin) -> Option<u32> {
    let CodeOrigin::At(id) = place else { return place.own_line() };
    let outermost = map.places.frames(id).last()?;
    let s = &map.places.sources[outermost.method as usize];
    let is_own = (s.class, s.name, s.descriptor) == (m.class, m.name, m.descriptor);
    Some(outermost.line).filter(|&line| is_own && line > 0)
}

/// Returns the source position in the caller that a line of an outline represents.
pub(crate) fn stands_for(outline: &OutlineCall, place: CodeOrigin) -> Option<CodeOrigin> {
    let line = place.own_line()?;
    let at = outline.lines.binary_search_by_key(&line, |l| l.0).ok()?;
    Some(outline.lines[at].1)
}

/// Returns `com.example.Cls.name`, as in a stack trace.
pub(crate) fn dotted(map: &Map, m: &Method) -> String {
    format!("{}.{}", dotted_name(map.name(m.class)), map.name(m.name))
}

/// Returns origins of a callback, safe for a terminal: `#list, position 3`; empty without any.
pub(crate) fn origins(map: &Map, origins: impl IntoIterator<Item = OriginId>) -> String {
    let shown = origins.into_iter().filter_map(|id| map.callback_origin(id));
    let shown: Vec<String> = shown.map(|origin| origin.to_string()).collect();
    visible(&shown.join(", ")).into_owned()
}

/// Returns a method with the origins of its call: in place of its parameter list
/// (`Main.onClick(#save)`), or after its descriptor.
pub(crate) fn with_origins(method: &str, origins: &str) -> String {
    match method.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        Some((name, _)) => format!("{name}({origins})"),
        None => format!("{method} {origins}"),
    }
}

#[cfg(test)]
mod tests {
    use super::with_origins;

    #[test]
    fn origins_stand_where_the_parameters_were() {
        assert_eq!(with_origins("p.Main.onClick(View)", "#save"), "p.Main.onClick(#save)");
        let full = "p.Main.onClick(Landroid/view/View;)V";
        assert_eq!(with_origins(full, "#save"), "p.Main.onClick(Landroid/view/View;)V #save");
    }
}

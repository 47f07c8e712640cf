//! Shortens try ranges to the instructions that need them.

use dex::{Item, Node, TryId};

/// Removes the guard's range from sequences in which nothing can throw: they need no `try_item`.
pub(super) fn trim(nodes: &mut [Node], boundary: TryId) {
    let mut start = None;
    let mut throws = false;
    for n in 0..=nodes.len() {
        let inside = n < nodes.len()
            && (nodes[n].try_id == Some(boundary) || !matches!(nodes[n].item, Item::Insn(_)));
        if inside {
            start.get_or_insert(n);
            throws |= matches!(&nodes[n].item, Item::Insn(i) if i.op.can_throw());
        } else if let Some(s) = start.take() {
            if !throws {
                nodes[s..n].iter_mut().for_each(|node| node.try_id = None);
            }
            throws = false;
        }
    }
}

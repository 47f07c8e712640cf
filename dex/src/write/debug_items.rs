//! Selection of the `debug_info_item`s of a file: equal ones once, and one item for two if one
//! continues the other.
//!
//! R8 writes the line table `line = address` once, as long as the longest method needs it, and
//! shares it among all methods: entries after a method's code have no meaning for it. An item
//! serves another one if it begins with the same bytes, if the rest are positions alone, and if the
//! first of them lies after the other's code.

use std::collections::HashMap;

use super::bodies::WantedDebug;
use crate::code::debug;

/// Number of longer items that are compared with each one.
const CANDIDATES: usize = 16;

/// The items of a file.
pub(super) struct DebugItems<'a> {
    /// Their bytes, by first use.
    pub items: Vec<&'a [u8]>,
    /// The item of each body.
    pub of: Vec<Option<u32>>,
}

/// An item that some bodies want.
struct Wanted<'a> {
    bytes: &'a [u8],
    /// End of the last instruction in the longest of these bodies.
    units: u32,
    outline: debug::Outline,
}

impl Wanted<'_> {
    /// True if `longer`, which begins with the same bytes, means the same for this one's bodies.
    fn is_served_by(&self, longer: &Wanted<'_>) -> bool {
        let end = self.bytes.len() - 1;
        let next = debug::next_event(longer.bytes, end, self.outline.end_address);
        longer.outline.only_positions_from <= end && next.is_none_or(|at| at >= self.units)
    }
}

/// Chooses the items for these bodies.
pub(super) fn choose(bodies: &[WantedDebug]) -> DebugItems<'_> {
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    let mut wanted: Vec<Wanted<'_>> = Vec::new();
    let mut of = Vec::with_capacity(bodies.len());
    for body in bodies {
        let number = body.bytes.as_deref().map(|bytes| {
            *numbers.entry(bytes).or_insert_with(|| {
                wanted.push(Wanted { bytes, units: 0, outline: debug::outline(bytes) });
                wanted.len() - 1
            })
        });
        if let Some(number) = number {
            wanted[number].units = wanted[number].units.max(body.instructions_end);
        }
        of.push(number);
    }
    let serves = servers(&wanted);
    let mut items = Vec::new();
    let mut places: HashMap<usize, u32> = HashMap::new();
    let of = of.into_iter().map(|number| {
        let server = serves[number?];
        Some(*places.entry(server).or_insert_with(|| {
            items.push(wanted[server].bytes);
            items.len() as u32 - 1
        }))
    });
    let of = of.collect();
    DebugItems { items, of }
}

/// For each item the one that is written in its place.
fn servers(wanted: &[Wanted<'_>]) -> Vec<usize> {
    // Without the mark of the end, which a longer item has later. Behind each item stand those that
    // begin with it.
    let start = |i: usize| &wanted[i].bytes[..wanted[i].bytes.len() - 1];
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&i| start(i));
    let mut serves: Vec<usize> = (0..wanted.len()).collect();
    for (place, &i) in order.iter().enumerate().rev() {
        let longer = order[place + 1..].iter().take(CANDIDATES);
        let mut longer = longer.take_while(|&&j| wanted[j].bytes.starts_with(start(i)));
        let server = longer.find(|&&j| wanted[i].is_served_by(&wanted[serves[j]]));
        if let Some(&j) = server {
            serves[i] = serves[j];
        }
    }
    serves
}

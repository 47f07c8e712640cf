//! Encodes the tables of the runtime's configuration as strings (`runtime`'s `Slots` describes the
//! format).
//!
//! A DEX file holds a unit from 1 to 127 in one byte, 0 and others up to 2,047 in two, the rest in
//! three. An app's tables are as long as all other additions of the runtime, so frequent values are
//! small units: the number of alternatives of a slot, the distance of one id from the next, a
//! frequency that many symbols have, a sequence that occurred before.

use std::collections::{BTreeMap, HashMap};

use model::map::{Map, OriginKind, Slot};
use model::recording::{Recording, Wire};
use model::table;

/// Units of the symbol table (the runtime's `Slots.symbols`).
mod unit {
    pub const NONE: u16 = 1;
    pub const WHOLE: u16 = 2;
    pub const LOW: u16 = 3;
    pub const ANEW: u16 = 4;
    pub const AGAIN: u16 = 5;
    pub const FREQUENT: u16 = 6;
    /// The last unit of one byte.
    pub const LAST: u16 = 0x7F;
}

/// Splits a number of 32 bits into two units, high half first.
pub(crate) fn pair(v: u32) -> [u16; 2] {
    [(v >> 16) as u16, v as u16]
}

/// Returns the size of units in a DEX file, in bytes.
fn bytes(units: &[u16]) -> usize {
    let each = units.iter().map(|unit| match unit {
        1..=0x7F => 1,
        0 | 0x80..=0x7FF => 2,
        _ => 3,
    });
    each.sum()
}

/// Encodes `Config.SLOTS`.
pub(crate) fn slots(map: &Map) -> Vec<u16> {
    let kind = |slot: &Slot| (slot.freqs.len() as u16, shared_equally(map.recording, &slot.freqs));
    let kinds = by_frequency(map.slots.iter().map(kind));
    let place: HashMap<_, u16> = kinds.iter().copied().zip(1..).collect();
    let mut units = pair(map.slots.len() as u32).to_vec();
    units.push(kinds.len() as u16);
    units.extend(kinds.iter().flat_map(|&(n, first)| [n, first.unwrap_or(0)]));
    for slot in &map.slots {
        let (n, first) = kind(slot);
        units.push(place[&(n, first)]);
        let symbols = match map.recording.wire() {
            _ if first.is_some() => vec![Vec::new(); slot.freqs.len()],
            Wire::Range => slot.freqs.iter().map(|&f| vec![f]).collect(),
            Wire::Packed => {
                map.recording.symbols(&slot.freqs).into_iter().map(|s| pair(s).to_vec()).collect()
            }
        };
        units.extend(&symbols[0]);
        let mut last = 0;
        for (callee, symbol) in slot.callees.iter().zip(&symbols[1..]) {
            match u16::try_from(callee.0 - last) {
                Ok(distance) => units.push(distance),
                Err(_) => {
                    units.push(0);
                    units.extend(pair(callee.0 - last));
                }
            }
            units.extend(symbol);
            last = callee.0;
        }
    }
    units
}

/// Returns the frequency of alternative 0 if the others share the rest as the runtime would
/// compute: so do most slots without history.
fn shared_equally(recording: Recording, freqs: &[u16]) -> Option<u16> {
    if recording == Recording::Edges {
        // Its symbols are consecutive numbers.
        return Some(1);
    }
    let first = freqs[0];
    let (left, n) = (table::SHARE - u32::from(first), freqs.len() as u32 - 1);
    let equal = (0..n).map(|i| (left / n + u32::from(i < left % n)) as u16);
    (recording.wire() == Wire::Range && equal.eq(freqs[1..].iter().copied())).then_some(first)
}

/// Returns the distinct values, the most frequent ones first.
fn by_frequency<T: Ord + Copy>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut counts = BTreeMap::<T, usize>::new();
    values.for_each(|v| *counts.entry(v).or_default() += 1);
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by_key(|&(value, count)| (std::cmp::Reverse(count), value));
    all.into_iter().map(|(value, _)| value).collect()
}

/// Encodes `Config.NEXT_CALLBACKS`.
pub(crate) fn next_callbacks(map: &Map) -> Vec<u16> {
    let mut units = pair(map.next_callbacks.len() as u32).to_vec();
    for (method, slot) in &map.next_callbacks {
        units.extend(pair(method.0));
        units.extend(pair(slot.0));
    }
    units
}

/// Encodes `Config.ORIGINS`.
pub(crate) fn origins(map: &Map) -> Vec<u16> {
    let mut id = map.methods.len() as u32 + 1;
    let mut units = Vec::new();
    for range in &map.origins {
        let numbers = [range.kind.number(), range.first, range.count, id];
        units.extend(numbers.into_iter().flat_map(pair));
        id += range.count;
    }
    units
}

/// Encodes `Config.ACTIONS`.
pub(crate) fn actions(map: &Map) -> String {
    let ranges = map.origins.iter().filter(|range| range.kind == OriginKind::Action);
    let names = ranges.flat_map(|range| range.names.iter().flatten());
    names.map(|name| map.name(*name)).collect::<Vec<&str>>().join("\n")
}

/// Encodes `Config.PATHS`.
pub(crate) fn symbols(all: &[u32], wire: Wire) -> Vec<u16> {
    let writer = SymbolWriter::new(all, wire);
    let mut out = pair(all.len() as u32).to_vec();
    out.push(writer.frequent.len() as u16);
    out.extend(&writer.frequent);
    let mut seen = SequenceIndex::default();
    let mut high = 0;
    let mut at = 0;
    while at < all.len() {
        let (alone, next) = writer.literal(all[at], high);
        let mut count = 1;
        let copy = seen.longest(all, at).filter(|&(back, n)| {
            let each = all[at..at + usize::from(n)].iter().scan(high, |high, &symbol| {
                let (units, next) = writer.literal(symbol, *high);
                *high = next;
                Some(bytes(&units))
            });
            bytes(&[unit::AGAIN, n, back]) < each.sum()
        });
        if let Some((back, n)) = copy {
            out.extend([unit::AGAIN, n, back]);
            count = n.into();
            high = after(all[at + count - 1], wire);
        } else {
            out.extend(alone);
            high = next;
        }
        (at..at + count).for_each(|i| seen.add(all, i));
        at += count;
    }
    out
}

/// Encodes single symbols.
struct SymbolWriter {
    wire: Wire,
    /// Low halves that have a unit of their own.
    frequent: Vec<u16>,
    /// Unit of each such low half.
    places: HashMap<u16, u16>,
}

impl SymbolWriter {
    fn new(all: &[u32], wire: Wire) -> SymbolWriter {
        let mut frequent = by_frequency(all.iter().filter(|&&s| s != 0).map(|&s| s as u16));
        frequent.truncate((unit::LAST - unit::FREQUENT + 1).into());
        let places = frequent.iter().copied().zip(unit::FREQUENT..).collect();
        SymbolWriter { wire, frequent, places }
    }

    /// Returns the units of a symbol after which the high half `expected` is predicted, and the
    /// next prediction.
    fn literal(&self, symbol: u32, expected: u16) -> (Vec<u16>, u16) {
        if symbol == 0 {
            return (vec![unit::NONE], expected);
        }
        let [high, low] = pair(symbol);
        let mut units = match high {
            h if h == expected => Vec::new(),
            0 => vec![unit::ANEW],
            _ => return (vec![unit::WHOLE, high, low], after(symbol, self.wire)),
        };
        match self.places.get(&low) {
            Some(&unit) => units.push(unit),
            None => units.extend([unit::LOW, low]),
        }
        (units, after(symbol, self.wire))
    }
}

/// Returns the predicted high half after a symbol.
fn after(symbol: u32, wire: Wire) -> u16 {
    let [high, low] = pair(symbol);
    match wire {
        Wire::Range => ((u32::from(high) + u32::from(low)) % table::SHARE) as u16,
        Wire::Packed => 0,
    }
}

/// Index of earlier sequences of symbols.
#[derive(Default)]
struct SequenceIndex {
    /// Positions of each sequence of this length.
    places: HashMap<[u32; SequenceIndex::LEAST], Vec<usize>>,
}

impl SequenceIndex {
    /// Smallest number of symbols in a copy.
    const LEAST: usize = 3;
    /// Number of latest positions that are compared.
    const TRIED: usize = 32;

    fn key(all: &[u32], at: usize) -> Option<[u32; SequenceIndex::LEAST]> {
        all.get(at..at + SequenceIndex::LEAST)?.try_into().ok()
    }

    fn add(&mut self, all: &[u32], at: usize) {
        if let Some(key) = SequenceIndex::key(all, at) {
            self.places.entry(key).or_default().push(at);
        }
    }

    /// Returns the distance, in symbols, and the length of the longest earlier sequence that
    /// repeats at `at`.
    fn longest(&self, all: &[u32], at: usize) -> Option<(u16, u16)> {
        let places = self.places.get(&SequenceIndex::key(all, at)?)?;
        let lengths = places.iter().rev().take(SequenceIndex::TRIED).filter_map(|&place| {
            let back = u16::try_from(at - place).ok()?;
            let same = all[at..].iter().zip(&all[place..]).take_while(|(a, b)| a == b).count();
            Some((back, u16::try_from(same).unwrap_or(u16::MAX)))
        });
        // Among equal lengths the nearest wins: its distance is shorter.
        lengths.max_by_key(|&(back, same)| (same, std::cmp::Reverse(back)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Decodes a table as the runtime's `Slots` describes the format.
    fn read(units: &[u16], wire: Wire) -> Vec<u32> {
        let whole = |high: u16, low: u16| u32::from(high) << 16 | u32::from(low);
        let (count, frequent) = (whole(units[0], units[1]) as usize, usize::from(units[2]));
        let (frequent, rest) = units[3..].split_at(frequent);
        let mut rest = rest.iter().copied();
        let mut out = Vec::new();
        let mut expected = 0;
        while out.len() < count {
            match rest.next().expect("a unit") {
                unit::NONE => {
                    out.push(0);
                    continue;
                }
                unit::ANEW => {
                    expected = 0;
                    continue;
                }
                unit::AGAIN => {
                    let (n, back) = (rest.next().unwrap(), usize::from(rest.next().unwrap()));
                    (0..n).for_each(|_| out.push(out[out.len() - back]));
                }
                unit::WHOLE => out.push(whole(rest.next().unwrap(), rest.next().unwrap())),
                unit::LOW => out.push(whole(expected, rest.next().unwrap())),
                unit => out.push(whole(expected, frequent[usize::from(unit - unit::FREQUENT)])),
            }
            let last = *out.last().unwrap();
            let end = ((last >> 16) + (last & 0xFFFF)) % 65_535;
            expected = if wire == Wire::Range { end as u16 } else { 0 };
        }
        assert_eq!(rest.next(), None);
        out
    }

    #[test]
    fn consecutive_slices_are_one_byte_each() {
        let quarters = table::pack_all(&[16_384, 16_384, 16_384, 16_383]);
        let halves = table::pack_all(&[32_768, 32_767]);
        let all = [vec![0], quarters, halves].concat();
        let units = symbols(&all, Wire::Range);
        assert_eq!(units, [
            [0, 7, 4, 16_384, 16_383, 32_767, 32_768].as_slice(),
            &[unit::NONE, 6, 6, 6, 7, 9, 8],
        ]
        .concat());
    }

    #[test]
    fn a_repeated_sequence_is_copied() {
        let lengths: Vec<u32> = (1..20).map(|i| i * 300).collect();
        let units = symbols(&[lengths.clone(), lengths.clone()].concat(), Wire::Packed);
        assert_eq!(units[units.len() - 3..], [unit::AGAIN, 19, 19]);
        assert_eq!(read(&units, Wire::Packed), [lengths.clone(), lengths].concat());
    }

    proptest! {
        #[test]
        fn symbols_are_read_as_they_were_written(
            all in prop::collection::vec(
                prop_oneof![Just(0), Just(1 << 14), 0..70_000u32, any::<u32>()], 1..400),
            packed: bool,
        ) {
            let wire = if packed { Wire::Packed } else { Wire::Range };
            prop_assert_eq!(read(&symbols(&all, wire), wire), all);
        }
    }
}

//! Resource ids of type `id`, with their names: `resources.arsc` of APKs (AOSP
//! `androidfw/ResourceTypes.h`) and `resources.pb` of bundles (`tools/aapt2/Resources.proto`).
//!
//! A resource id is `0xPPTTEEEE`: package, type, entry. A package is usually 0x7f; its types and
//! entries are numbered by the build.

use std::collections::BTreeMap;

use super::error::Fault;
use super::proto_xml::{Message, Wire};
use super::string_pool::{Pool, STRING_POOL, chunk};
use super::zip_read::{u16_at, u32_at};

const TABLE: u16 = 0x0002;
const PACKAGE: u16 = 0x0200;
const TYPE: u16 = 0x0201;
/// Bytes of the header of a `TYPE` chunk before its configuration.
const TYPE_HEADER: usize = 20;
/// Flags of a `TYPE` chunk: the offsets name their entries; the offsets have 16 bits.
const SPARSE: u8 = 1;
const OFFSET16: u8 = 2;
/// Flag of an entry: its key has 16 bits.
const COMPACT: u16 = 8;
/// The type that views and menu items are named by.
const ID: &str = "id";
/// The name that resource shrinking gives to every entry.
const OBFUSCATED: &str = "0_resource_name_obfuscated";
/// Longest name that is kept, in bytes.
const NAME_LIMIT: usize = 200;
/// Largest number of ids that are returned; apps have some thousands.
const COUNT_LIMIT: usize = 1 << 17;

/// Ids of one package and type, from the first entry to the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceIds {
    /// The first id.
    pub first: u32,
    /// The name of each id; `None` for an entry that is missing or has no name.
    pub names: Vec<Option<String>>,
}

/// Returns the ids of type `id` in resource tables of an app, ascending, each package and type
/// once. What cannot be read of a table is left out.
pub fn resource_ids<'a>(tables: impl IntoIterator<Item = &'a [u8]>) -> Vec<ResourceIds> {
    let mut ids = Ids::default();
    for table in tables {
        ids.budget = table.len().saturating_mul(4);
        // What was read before the fault stays.
        let _ = match u16_at(table, 0) {
            Some(TABLE) => ids.table(table),
            _ => ids.proto_table(Message::new(table)),
        };
    }
    ids.ranges()
}

fn bad(offset: usize, reason: &'static str) -> Fault {
    Fault::Manifest { offset, reason }
}

#[derive(Default)]
struct Ids {
    found: BTreeMap<u32, Option<String>>,
    /// Bytes of names that may still be decoded.
    budget: usize,
}

impl Ids {
    fn add(&mut self, id: u32, name: Option<String>) {
        let name = name.filter(|n| !n.is_empty() && n.len() <= NAME_LIMIT && n != OBFUSCATED);
        if let Some(known) = self.found.get_mut(&id) {
            *known = known.take().or(name);
        } else if self.found.len() < COUNT_LIMIT {
            self.found.insert(id, name);
        }
    }

    fn ranges(self) -> Vec<ResourceIds> {
        let mut out: Vec<ResourceIds> = Vec::new();
        let mut count = 0;
        for (id, name) in self.found {
            let range = out.last_mut().filter(|r| r.first >> 16 == id >> 16);
            let gap = range.as_ref().map_or(0, |r| (id - r.first) as usize - r.names.len());
            count += gap + 1;
            if count > COUNT_LIMIT {
                break;
            }
            match range {
                Some(range) => {
                    range.names.resize(range.names.len() + gap, None);
                    range.names.push(name);
                }
                None => out.push(ResourceIds { first: id, names: vec![name] }),
            }
        }
        out
    }

    /// Reads `ResTable_header` and the packages after it.
    fn table(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let (_, header, end) = chunk(bytes, 0, bytes.len())?;
        let mut at = header;
        while at < end {
            let (kind, header, size) = chunk(bytes, at, end)?;
            if kind == PACKAGE {
                self.package(&bytes[at..at + size], header, at)?;
            }
            at += size;
        }
        Ok(())
    }

    /// Reads `ResTable_package`: its id, the offsets of two string pools, then chunks.
    fn package(&mut self, bytes: &[u8], header: usize, base: usize) -> Result<(), Fault> {
        let field = |at| u32_at(bytes, at).ok_or(bad(base, "package header does not fit"));
        let (id, types, keys) = (field(8)?, field(268)?, field(276)?);
        // Package 0 is a library, whose id is only known on the device.
        if !(1..=0xff).contains(&id) {
            return Ok(());
        }
        let pool = |at: u32| {
            let at = at as usize;
            let (kind, header, size) = match at < bytes.len() {
                true => chunk(bytes, at, bytes.len())?,
                false => return Err(bad(base, "string pool outside its package")),
            };
            match kind {
                STRING_POOL => Pool::parse(&bytes[at..at + size], header, base + at),
                _ => Err(bad(base + at, "no string pool")),
            }
        };
        let (types, keys) = (pool(types)?, pool(keys)?);
        let mut at = header;
        while at < bytes.len() {
            let (kind, header, size) = chunk(bytes, at, bytes.len())?;
            let of_type = bytes[at..at + size].get(8).copied().unwrap_or_default();
            if kind == TYPE && of_type > 0 && types.same(u32::from(of_type) - 1, ID) {
                let first = id << 24 | u32::from(of_type) << 16;
                self.entries(&bytes[at..at + size], header, first, &keys)
                    .ok_or(bad(base + at, "entries of a type do not fit"))?;
            }
            at += size;
        }
        Ok(())
    }

    /// Reads `ResTable_type`: the offsets of its entries, then the entries.
    fn entries(&mut self, bytes: &[u8], header: usize, first: u32, keys: &Pool<'_>) -> Option<()> {
        if header < TYPE_HEADER {
            return None;
        }
        let flags = *bytes.get(9)?;
        let (count, start) = (u32_at(bytes, 12)?.min(1 << 16), u32_at(bytes, 16)? as usize);
        for i in 0..count {
            let at =
                header + i as usize * if flags & (SPARSE | OFFSET16) == OFFSET16 { 2 } else { 4 };
            let (entry, offset) = if flags & SPARSE != 0 {
                (u32::from(u16_at(bytes, at)?), usize::from(u16_at(bytes, at + 2)?) * 4)
            } else if flags & OFFSET16 != 0 {
                match u16_at(bytes, at)? {
                    u16::MAX => continue,
                    offset => (i, usize::from(offset) * 4),
                }
            } else {
                match u32_at(bytes, at)? {
                    u32::MAX => continue,
                    offset => (i, offset as usize),
                }
            };
            let at = start.checked_add(offset)?;
            let key = match u16_at(bytes, at.checked_add(2)?)? {
                flags if flags & COMPACT != 0 => u16_at(bytes, at)?.into(),
                _ => u32_at(bytes, at + 4)?,
            };
            let name = self.name(keys, key);
            self.add(first | entry, name);
        }
        Some(())
    }

    /// Decodes a name out of the budget, so that many entries of one long name stay small.
    fn name(&mut self, keys: &Pool<'_>, key: u32) -> Option<String> {
        let (name, units) = keys.get(key).ok()?;
        self.budget = self.budget.checked_sub(units + 1)?;
        Some(name)
    }

    /// Reads `ResourceTable`: packages (2).
    fn proto_table(&mut self, mut message: Message<'_>) -> Result<(), Fault> {
        while let Some((field, value)) = message.field()? {
            if let (2, Wire::Bytes(package)) = (field, value) {
                self.proto_package(package)?;
            }
        }
        Ok(())
    }

    /// Reads `Package`: id (1), types (3).
    fn proto_package(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let package = number_of(message, 1)?;
        let mut rest = message;
        while let Some((field, value)) = rest.field()? {
            if let (3, Wire::Bytes(types)) = (field, value) {
                self.proto_type(types, package)?;
            }
        }
        Ok(())
    }

    /// Reads `Type`: id (1), name (2), entries (3), each with id (1) and name (2).
    fn proto_type(&mut self, message: Message<'_>, package: u32) -> Result<(), Fault> {
        let kind = number_of(message, 1)?;
        let is_named = (1..=0xff).contains(&package) && (1..=0xff).contains(&kind);
        if !is_named || text_of(message)?.as_deref() != Some(ID) {
            return Ok(());
        }
        let mut rest = message;
        while let Some((field, value)) = rest.field()? {
            if let (3, Wire::Bytes(entry)) = (field, value) {
                let number = number_of(entry, 1)?;
                if number <= 0xffff {
                    self.add(package << 24 | kind << 16 | number, text_of(entry)?);
                }
            }
        }
        Ok(())
    }
}

/// Returns the number (1) of the message in this field; 0 where it is left out.
fn number_of(message: Message<'_>, wanted: u64) -> Result<u32, Fault> {
    let (mut rest, mut number) = (message, 0);
    while let Some((field, value)) = rest.field()? {
        if let Wire::Bytes(mut inner) = value
            && field == wanted
        {
            while let Some((field, value)) = inner.field()? {
                if let (1, Wire::Number(n)) = (field, value) {
                    number = u32::try_from(n).unwrap_or(u32::MAX);
                }
            }
        }
    }
    Ok(number)
}

/// Returns the name (2) of a type or an entry.
fn text_of(message: Message<'_>) -> Result<Option<String>, Fault> {
    let mut rest = message;
    while let Some((field, value)) = rest.field()? {
        if let (2, Wire::Bytes(name)) = (field, value) {
            return name.text().map(Some);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use mutation::{Rng, overwrite};

    use super::*;

    const DENSE: &[u8] = include_bytes!("../tests/resources/dense.arsc");
    const SPARSE_TABLE: &[u8] = include_bytes!("../tests/resources/sparse.arsc");
    const NAMELESS: &[u8] = include_bytes!("../tests/resources/nameless.arsc");
    const PROTO: &[u8] = include_bytes!("../tests/resources/resources.pb");

    /// Ids as `aapt2 dump resources` prints them.
    const WANTED: [(u32, &str); 4] = [
        (0x7f01_0000, "delete_note"),
        (0x7f01_0001, "save"),
        (0x7f01_0002, "title"),
        (0x7f01_0040, "back"),
    ];

    fn named(table: &[u8]) -> Vec<(u32, String)> {
        let ranges = resource_ids([table]);
        let named = ranges.into_iter().flat_map(|r| (r.first..).zip(r.names));
        named.filter_map(|(id, name)| Some((id, name?))).collect()
    }

    fn assert_wanted(table: &[u8]) {
        let wanted = WANTED.map(|(id, name)| (id, name.to_owned()));
        assert_eq!(named(table), wanted);
        let ranges = resource_ids([table]);
        assert_eq!((ranges.len(), ranges[0].first, ranges[0].names.len()), (1, 0x7f01_0000, 0x41));
    }

    /// Offset of the `TYPE` chunk of type 1 in `DENSE`.
    fn type_chunk() -> usize {
        (0..DENSE.len() - 12)
            .find(|&at| u16_at(DENSE, at) == Some(TYPE) && DENSE[at + 8] == 1)
            .expect("a chunk of type 1")
    }

    #[test]
    fn tables_of_each_form_give_the_names_that_aapt2_prints() {
        assert_wanted(DENSE);
        assert_wanted(SPARSE_TABLE);
        assert_wanted(PROTO);
    }

    #[test]
    fn obfuscated_names_are_none() {
        assert_eq!(named(NAMELESS), []);
        assert_eq!(resource_ids([NAMELESS])[0].names.len(), 0x41);
    }

    #[test]
    fn offsets_of_16_bits_and_compact_entries_are_read() {
        let at = type_chunk();
        let (header, count) = (usize::from(u16_at(DENSE, at + 2).unwrap()), 0x41);
        let start = at + u32_at(DENSE, at + 16).unwrap() as usize;
        let mut table = DENSE.to_vec();
        table[at + 9] = OFFSET16;
        for i in 0..count {
            let offset = u32_at(DENSE, at + header + 4 * i).unwrap();
            let short = if offset == u32::MAX { u16::MAX } else { (offset / 4) as u16 };
            table[at + header + 2 * i..][..2].copy_from_slice(&short.to_le_bytes());
            if offset != u32::MAX {
                let entry = start + offset as usize;
                let key = u32_at(DENSE, entry + 4).unwrap() as u16;
                table[entry..entry + 2].copy_from_slice(&key.to_le_bytes());
                table[entry + 2..entry + 4].copy_from_slice(&(COMPACT | 0x1200).to_le_bytes());
                table[entry + 4..entry + 8].fill(0);
            }
        }
        assert_wanted(&table);
    }

    #[test]
    fn tables_of_a_set_are_one() {
        let both = resource_ids([NAMELESS, DENSE, SPARSE_TABLE]);
        assert_eq!(both, resource_ids([DENSE]));
    }

    #[test]
    fn the_number_of_ids_is_bounded() {
        // Each type has two entries, the first and the last possible one.
        let mut ids = Ids::default();
        for kind in 0..255_u32 {
            ids.add(0x7f00_0000 | kind << 16, None);
            ids.add(0x7f00_ffff | kind << 16, None);
        }
        assert!(ids.ranges().iter().map(|r| r.names.len()).sum::<usize>() <= COUNT_LIMIT);
    }

    #[test]
    fn damaged_tables_give_less_and_no_panic() {
        for seed in [DENSE, SPARSE_TABLE, PROTO] {
            for end in 0..seed.len() {
                assert!(named(&seed[..end]).len() <= WANTED.len());
            }
            let mut rng = Rng::new(7);
            for _ in 0..4000 {
                let mut table = seed.to_vec();
                overwrite(&mut table, &mut rng);
                let sum: usize = resource_ids([&table[..]]).iter().map(|r| r.names.len()).sum();
                assert!(sum <= COUNT_LIMIT);
            }
        }
    }
}

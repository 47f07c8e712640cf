//! Lists and bitmaps that several versions have.

use std::collections::{BTreeMap, BTreeSet};

use crate::cursor::{Cursor, Result};
use crate::error::{ProfileFault, UnwritableProfile};
use crate::rules::{DexRules, MethodFlags};

/// Marks an inline cache whose types are missing.
const MISSING_TYPES: u8 = 6;
/// Marks an inline cache with too many types to list.
const MEGAMORPHIC: u8 = 7;
/// Number of indices that 16 bits can hold.
const INDICES: u64 = 1 << 16;

/// Indices in a file: as they are, or each as its distance from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Indices {
    Absolute,
    Distances,
}

impl Indices {
    fn next(self, cursor: &mut Cursor<'_>, last: u16, what: &'static str) -> Result<u16> {
        let start = cursor.pos();
        let read = cursor.u16()?;
        match self {
            Indices::Absolute => Ok(read),
            Indices::Distances => last.checked_add(read).ok_or_else(|| {
                let index = u64::from(last) + u64::from(read);
                cursor.error_at(start, ProfileFault::Index { what, index, count: INDICES })
            }),
        }
    }

    fn put(self, index: u16, last: &mut u16, out: &mut Vec<u8>) {
        let written = match self {
            Indices::Absolute => index,
            Indices::Distances => index - *last,
        };
        *last = index;
        out.extend(written.to_le_bytes());
    }

    /// Reads classes.
    pub fn classes(self, cursor: &mut Cursor<'_>, count: u16) -> Result<BTreeSet<u16>> {
        let (mut classes, mut last) = (BTreeSet::new(), 0);
        for _ in 0..count {
            last = self.next(cursor, last, "class")?;
            classes.insert(last);
        }
        Ok(classes)
    }

    /// Writes classes.
    pub fn put_classes(self, classes: &BTreeSet<u16>, out: &mut Vec<u8>) {
        let mut last = 0;
        classes.iter().for_each(|&class| self.put(class, &mut last, out));
    }
}

/// Form of inline caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InlineCaches {
    /// Types stand behind the number of their DEX file.
    ByDexFile,
    /// Types of the method's own DEX file.
    OwnTypes,
}

impl InlineCaches {
    /// Reads the inline caches of one method. Returns their number.
    fn skip(self, cursor: &mut Cursor<'_>) -> Result<usize> {
        let caches = cursor.u16()?;
        for _ in 0..caches {
            cursor.u16()?;
            let entries = cursor.u8()?;
            if matches!(entries, MISSING_TYPES | MEGAMORPHIC) {
                continue;
            }
            match self {
                InlineCaches::OwnTypes => {
                    cursor.bytes(2 * usize::from(entries))?;
                }
                InlineCaches::ByDexFile => {
                    for _ in 0..entries {
                        cursor.u8()?;
                        let types = cursor.u8()?;
                        cursor.bytes(2 * usize::from(types))?;
                    }
                }
            }
        }
        Ok(caches.into())
    }
}

/// Reads hot methods until the position `end`. Returns the number of inline caches.
pub(crate) fn hot_methods(
    cursor: &mut Cursor<'_>,
    end: usize,
    indices: Indices,
    caches: InlineCaches,
    methods: &mut BTreeMap<u16, MethodFlags>,
) -> Result<usize> {
    let (mut last, mut found) = (0, 0);
    while cursor.pos() < end {
        last = indices.next(cursor, last, "method")?;
        *methods.entry(last).or_default() |= MethodFlags::HOT;
        found += caches.skip(cursor)?;
    }
    match cursor.pos() == end {
        true => Ok(found),
        false => Err(cursor.error(ProfileFault::MethodRegion)),
    }
}

/// Writes hot methods, without inline caches.
pub(crate) fn put_hot_methods(rules: &DexRules, indices: Indices, out: &mut Vec<u8>) {
    let mut last = 0;
    let hot = rules.methods.iter().filter(|(_, flags)| flags.contains(MethodFlags::HOT));
    for (&method, _) in hot {
        indices.put(method, &mut last, out);
        out.extend(0u16.to_le_bytes());
    }
}

/// Reads a bitmap: for each of these flags one bit a method id.
pub(crate) fn bitmap(
    cursor: &mut Cursor<'_>,
    flags: &[MethodFlags],
    rules: &mut DexRules,
) -> Result<()> {
    let start = cursor.pos();
    let ids = u64::from(rules.method_ids);
    let bits = ids * flags.len() as u64;
    let bytes = cursor.bytes(usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX))?;
    for (at, &byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
        for bit in (0..8).filter(|bit| byte & 1 << bit != 0) {
            let number = at as u64 * 8 + bit;
            if number >= bits {
                continue;
            }
            let (flag, index) = (number / ids, number % ids);
            let Ok(method) = u16::try_from(index) else {
                let fault = ProfileFault::Index { what: "method", index, count: INDICES };
                return Err(cursor.error_at(start + at, fault));
            };
            *rules.methods.entry(method).or_default() |= flags[flag as usize];
        }
    }
    Ok(())
}

/// Writes a bitmap of these flags.
pub(crate) fn put_bitmap(
    flags: &[MethodFlags],
    rules: &DexRules,
    out: &mut Vec<u8>,
) -> std::result::Result<(), UnwritableProfile> {
    let ids = rules.method_ids as usize;
    let mut bitmap = vec![0u8; (ids * flags.len()).div_ceil(8)];
    for (&method, own) in &rules.methods {
        if usize::from(method) >= ids {
            let (key, count) = (rules.key.clone(), rules.method_ids);
            return Err(UnwritableProfile::Method { key, index: method, count });
        }
        for (number, _) in flags.iter().enumerate().filter(|(_, flag)| own.contains(**flag)) {
            let bit = number * ids + usize::from(method);
            bitmap[bit / 8] |= 1 << (bit % 8);
        }
    }
    out.extend(bitmap);
    Ok(())
}

//! Sizes of a file's sections.

use super::cursor::{Cursor, Result};
use crate::file::error::Section;
use crate::write::map;

/// Bytes of a file by what they hold, gaps for alignment included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SectionBytes {
    /// Bodies without their debug info: instructions, try items, handler lists.
    pub code: u64,
    /// `debug_info_item`s.
    pub debug: u64,
    /// Everything else: the header, pools, classes, annotations, the map.
    pub rest: u64,
}

impl std::ops::Add for SectionBytes {
    type Output = SectionBytes;

    fn add(self, other: SectionBytes) -> SectionBytes {
        SectionBytes {
            code: self.code + other.code,
            debug: self.debug + other.debug,
            rest: self.rest + other.rest,
        }
    }
}

/// Returns the bytes of each section by the file's map. Nothing else is read or checked.
///
/// # Errors
/// Fails if the map does not lie in the file.
pub fn section_bytes(file: &[u8]) -> Result<SectionBytes> {
    let map_off = Cursor::new(file, 52, Section::Header).u32()?;
    let mut c = Cursor::new(file, map_off as usize, Section::Map);
    let mut starts = Vec::new();
    for _ in 0..c.count_u32(12)? {
        let kind = c.u16()?;
        c.skip(6)?;
        starts.push((u64::from(c.u32()?).min(file.len() as u64), kind));
    }
    starts.sort_unstable();
    let mut sum = SectionBytes::default();
    let ends = starts.iter().skip(1).map(|s| s.0).chain([file.len() as u64]);
    for (&(start, kind), end) in starts.iter().zip(ends) {
        match kind {
            map::CODE => sum.code += end - start,
            map::DEBUG_INFO => sum.debug += end - start,
            _ => {}
        }
    }
    sum.rest = file.len() as u64 - sum.code - sum.debug;
    Ok(sum)
}

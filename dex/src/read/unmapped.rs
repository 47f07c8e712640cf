//! Bytes of a file that belong to no section of its map.

use std::ops::Range;

use super::cursor::{Cursor, Result};
use super::header::{HEADER_SIZE, entry};
use super::values::{MAX_NESTING, kind};
use crate::code::debug;
use crate::file::error::{ReadErrorKind, Section};
use crate::write::map;

/// Ranges of a file that have content and belong to no section of its map: after the last section,
/// between two of them, after the stated end of the file, or link data. Reading leaves them out.
/// Each range begins and ends with a byte that is not zero, because zeros are padding.
///
/// ART walks the sections alike (`DexFileVerifier::CheckIntraSection`): it takes nothing but zeros
/// between two sections, and any bytes after the last one.
///
/// # Errors
/// Fails if header or map do not lie in the file.
pub fn unmapped_bytes(file: &[u8]) -> Result<Vec<Range<usize>>> {
    let stated = Cursor::new(file, FILE_SIZE, Section::Header).u32()? as usize;
    let mut held = held_bytes(&file[..stated.min(file.len())])?;
    held.push(file.len()..file.len());
    held.sort_unstable_by_key(|range| range.start);
    let mut unmapped = Vec::new();
    let mut end = 0;
    for range in held {
        unmapped.extend(file.get(end..range.start).and_then(|gap| content(gap, end)));
        end = end.max(range.end);
    }
    Ok(unmapped)
}

/// Position of the file's size in the header.
const FILE_SIZE: usize = 32;
/// Position of the map's offset in the header.
const MAP_OFF: usize = 52;

/// The part of a gap from its first byte that is not zero to its last one.
fn content(gap: &[u8], start: usize) -> Option<Range<usize>> {
    let first = gap.iter().position(|&b| b != 0)?;
    let last = gap.iter().rposition(|&b| b != 0)?;
    Some(start + first..start + last + 1)
}

/// The header, the map and each section that the map lists.
fn held_bytes(data: &[u8]) -> Result<Vec<Range<usize>>> {
    let map_off = Cursor::new(data, MAP_OFF, Section::Header).u32()? as usize;
    let mut c = Cursor::new(data, map_off, Section::Map);
    let mut sections: Vec<(u16, SkipItem, u32, usize)> = Vec::new();
    for _ in 0..c.count_u32(12)? {
        let kind = c.u16()?;
        c.skip(2)?;
        let (count, start) = (c.u32()?, c.u32()? as usize);
        // ART refuses a kind that is unknown or listed twice.
        let is_new = sections.iter().all(|section| section.0 != kind);
        if let Some(skip) = skip_item(kind).filter(|_| is_new) {
            sections.push((kind, skip, count, start));
        }
    }
    let mut held = vec![0..HEADER_SIZE as usize, map_off..c.pos()];
    for &(_, skip, count, start) in &sections {
        let next = sections.iter().map(|section| section.3).filter(|&other| other > start).min();
        // Where an item cannot be followed, the section reaches to the next one.
        let end = end_of_items(data, skip, count, start).unwrap_or(next.unwrap_or(data.len()));
        held.push(start..end);
    }
    Ok(held)
}

/// The end of this number of items.
fn end_of_items(data: &[u8], skip: SkipItem, count: u32, start: usize) -> Result<usize> {
    let mut c = Cursor::new(data, start, Section::Map);
    for _ in 0..count {
        skip(&mut c)?;
    }
    Ok(c.pos())
}

/// Moves a cursor from the start of an item (before its alignment) to its end.
type SkipItem = fn(&mut Cursor<'_>) -> Result<()>;

/// `None` for a kind of section that the format does not have.
fn skip_item(kind: u16) -> Option<SkipItem> {
    Some(match kind {
        map::HEADER => |c| c.skip(HEADER_SIZE as usize),
        map::STRING_ID => |c| c.skip(entry::STRING),
        map::TYPE_ID => |c| c.skip(entry::TYPE),
        map::PROTO_ID => |c| c.skip(entry::PROTO),
        map::FIELD_ID => |c| c.skip(entry::FIELD),
        map::METHOD_ID => |c| c.skip(entry::METHOD),
        map::CLASS_DEF => |c| c.skip(entry::CLASS),
        map::CALL_SITE_ID => |c| c.skip(entry::CALL_SITE),
        map::METHOD_HANDLE => |c| c.skip(entry::METHOD_HANDLE),
        map::MAP_LIST => |c| skip_list(c, 12),
        map::TYPE_LIST => |c| skip_list(c, 2),
        map::ANNOTATION_SET_REF_LIST | map::ANNOTATION_SET => |c| skip_list(c, 4),
        map::CLASS_DATA => skip_class_data,
        map::CODE => skip_code,
        map::STRING_DATA => skip_string,
        map::DEBUG_INFO => skip_debug_info,
        map::ANNOTATION => |c| {
            c.skip(1)?;
            skip_annotation(c, 0)
        },
        map::ENCODED_ARRAY => |c| skip_array(c, 0),
        map::ANNOTATIONS_DIRECTORY => skip_annotations_directory,
        map::HIDDENAPI_CLASS_DATA => |c| {
            let size = c.u32()? as usize;
            c.skip(size.saturating_sub(4))
        },
        _ => return None,
    })
}

fn align(c: &mut Cursor<'_>) -> Result<()> {
    c.skip(c.pos().wrapping_neg() % 4)
}

/// A count and as many entries of this size.
fn skip_list(c: &mut Cursor<'_>, size: usize) -> Result<()> {
    align(c)?;
    let count = c.count_u32(size)?;
    c.skip(count * size)
}

fn skip_ulebs(c: &mut Cursor<'_>, count: usize) -> Result<()> {
    (0..count).try_for_each(|_| c.uleb().map(drop))
}

fn skip_class_data(c: &mut Cursor<'_>) -> Result<()> {
    let counts = [c.uleb()?, c.uleb()?, c.uleb()?, c.uleb()?];
    for (count, numbers) in counts.into_iter().zip([2, 2, 3, 3]) {
        let count = c.check_count(count, numbers)?;
        skip_ulebs(c, count * numbers)?;
    }
    Ok(())
}

fn skip_code(c: &mut Cursor<'_>) -> Result<()> {
    align(c)?;
    c.skip(6)?; // registers, ins, outs
    let tries = usize::from(c.u16()?);
    c.skip(4)?; // debug info
    let units = c.count_u32(2)?;
    c.skip(units * 2)?;
    if tries == 0 {
        return Ok(());
    }
    c.skip(units % 2 * 2 + tries * 8)?;
    for _ in 0..c.count_uleb(1)? {
        let size = c.sleb()?;
        let typed = c.check_count(size.unsigned_abs(), 2)?;
        skip_ulebs(c, typed * 2 + usize::from(size <= 0))?;
    }
    Ok(())
}

fn skip_string(c: &mut Cursor<'_>) -> Result<()> {
    c.uleb()?;
    let len = c.rest().iter().position(|&b| b == 0).unwrap_or(c.rest().len());
    c.skip(len + 1)
}

fn skip_debug_info(c: &mut Cursor<'_>) -> Result<()> {
    match debug::parse(c.rest(), 0) {
        Ok((_, len)) => c.skip(len),
        Err(e) => c.error(ReadErrorKind::Debug(e)),
    }
}

fn skip_annotations_directory(c: &mut Cursor<'_>) -> Result<()> {
    align(c)?;
    c.skip(4)?; // the class's own set
    let mut entries = 0;
    for count in [c.u32()?, c.u32()?, c.u32()?] {
        entries += c.check_count(count, 8)?;
    }
    c.skip(entries * 8)
}

/// `encoded_array`.
fn skip_array(c: &mut Cursor<'_>, depth: u32) -> Result<()> {
    (0..c.count_uleb(1)?).try_for_each(|_| skip_value(c, depth))
}

/// `encoded_annotation`.
fn skip_annotation(c: &mut Cursor<'_>, depth: u32) -> Result<()> {
    c.uleb()?;
    for _ in 0..c.count_uleb(2)? {
        c.uleb()?;
        skip_value(c, depth)?;
    }
    Ok(())
}

/// `encoded_value`.
fn skip_value(c: &mut Cursor<'_>, depth: u32) -> Result<()> {
    if depth > MAX_NESTING {
        return c.error(ReadErrorKind::Nesting(MAX_NESTING));
    }
    let head = c.u8()?;
    match head & 0x1F {
        kind::ARRAY => skip_array(c, depth + 1),
        kind::ANNOTATION => skip_annotation(c, depth + 1),
        kind::NULL | kind::BOOLEAN => Ok(()),
        _ => c.skip(usize::from(head >> 5) + 1),
    }
}

//! Version `015`: sections, each compressed by itself.

use std::collections::BTreeSet;

use crate::compressed::{LIMIT, deflate, inflate};
use crate::cursor::{Cursor, Result};
use crate::error::{ProfileFault, Region, UnwritableProfile};
use crate::regions::{Indices, InlineCaches, bitmap, hot_methods, put_bitmap, put_hot_methods};
use crate::rules::{ArtProfile, DexRules, MethodFlags};
use crate::version::ProfileVersion;

/// `FileSectionType::kDexFiles`: must come first.
const DEX_FILES: u32 = 0;
const EXTRA_DESCRIPTORS: u32 = 1;
const CLASSES: u32 = 2;
const METHODS: u32 = 3;

/// Bytes of the magic, the version and the number of sections.
const HEADER: usize = 12;
/// Bytes of the entry of one section.
const ENTRY: usize = 16;
/// `DexFile::kDexNoIndex16`: type indices lie below.
const TYPE_INDICES: u32 = 0xffff;

const FLAGS: [MethodFlags; 2] = [MethodFlags::STARTUP, MethodFlags::POST_STARTUP];
const VERSION: ProfileVersion = ProfileVersion::S;

/// Reads a profile behind its version.
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<ArtProfile> {
    let whole = cursor.clone();
    let count = cursor.u32()?;
    let mut profile = ArtProfile {
        version: VERSION,
        dex_files: Vec::new(),
        extra_descriptors: Vec::new(),
        inline_caches: 0,
    };
    if count == 0 {
        return Err(cursor.error(ProfileFault::DexFilesSection));
    }
    let mut total = 0u32;
    for number in 0..count {
        let start = cursor.pos();
        let (kind, offset) = (cursor.u32()?, cursor.u32()?);
        let (stored, inflated) = (cursor.u32()?, cursor.u32()?);
        // Sections may share stored bytes.
        total = total.saturating_add(stored.max(inflated));
        if total > LIMIT {
            let fault = ProfileFault::TooLarge { size: total, limit: LIMIT };
            return Err(cursor.error_at(start, fault));
        }
        if (number == 0) != (kind == DEX_FILES) {
            return Err(cursor.error_at(start, ProfileFault::DexFilesSection));
        }
        let mut place = whole.clone();
        // Offsets count from the start of the file.
        let skipped = (offset as usize).checked_sub(whole.pos());
        place.bytes(skipped.unwrap_or(usize::MAX))?;
        let content = match inflated {
            0 => place.bytes(stored as usize)?.to_vec(),
            _ => inflate(&mut place, stored, inflated)?,
        };
        let mut section = Cursor::new(&content, Region::Section(kind));
        match kind {
            DEX_FILES => read_dex_files(&mut section, &mut profile)?,
            EXTRA_DESCRIPTORS => read_extra_descriptors(&mut section, &mut profile)?,
            CLASSES => read_classes(&mut section, &mut profile)?,
            METHODS => read_methods(&mut section, &mut profile)?,
            // As ART does.
            _ => continue,
        }
        section.end()?;
    }
    check_classes(&profile, cursor)?;
    Ok(profile)
}

fn read_dex_files(section: &mut Cursor<'_>, profile: &mut ArtProfile) -> Result<()> {
    for _ in 0..section.u16()? {
        let (checksum, type_ids, method_ids) = (section.u32()?, section.u32()?, section.u32()?);
        let length = section.u16()?;
        let key = section.name(length)?;
        let rules = DexRules { key, checksum, type_ids, method_ids, ..DexRules::default() };
        profile.dex_files.push(rules);
    }
    Ok(())
}

fn read_extra_descriptors(section: &mut Cursor<'_>, profile: &mut ArtProfile) -> Result<()> {
    for _ in 0..section.u16()? {
        let length = section.u16()?;
        profile.extra_descriptors.push(section.name(length)?);
    }
    Ok(())
}

fn rules<'a>(section: &mut Cursor<'_>, profile: &'a mut ArtProfile) -> Result<&'a mut DexRules> {
    let start = section.pos();
    let index = section.u16()?;
    let count = profile.dex_files.len() as u64;
    profile.dex_files.get_mut(usize::from(index)).ok_or_else(|| {
        let fault = ProfileFault::Index { what: "DEX file", index: index.into(), count };
        section.error_at(start, fault)
    })
}

fn read_classes(section: &mut Cursor<'_>, profile: &mut ArtProfile) -> Result<()> {
    while section.left() > 0 {
        let rules = rules(section, profile)?;
        let count = section.u16()?;
        rules.classes.extend(Indices::Distances.classes(section, count)?);
    }
    Ok(())
}

fn read_methods(section: &mut Cursor<'_>, profile: &mut ArtProfile) -> Result<()> {
    let mut caches = 0;
    while section.left() > 0 {
        let rules = rules(section, profile)?;
        let size = section.u32()? as usize;
        let end = section.pos().saturating_add(size);
        let bits = section.u16()?;
        let Some(flags) = MethodFlags::from_bits(bits) else {
            return Err(section.error_at(section.pos() - 2, ProfileFault::Flags(bits)));
        };
        let flags: Vec<MethodFlags> =
            FLAGS.into_iter().filter(|&flag| flags.contains(flag)).collect();
        bitmap(section, &flags, rules)?;
        let form = InlineCaches::OwnTypes;
        caches += hot_methods(section, end, Indices::Distances, form, &mut rules.methods)?;
    }
    profile.inline_caches += caches;
    Ok(())
}

/// Fails if a class is neither a type id nor an extra descriptor, or a method no method id.
fn check_classes(profile: &ArtProfile, cursor: &Cursor<'_>) -> Result<()> {
    for rules in &profile.dex_files {
        let types = u64::from(rules.type_ids) + profile.extra_descriptors.len() as u64;
        let types = types.min(TYPE_INDICES.into());
        let last = |what, index: Option<u16>, count: u64| match index {
            Some(index) if u64::from(index) >= count => {
                Err(cursor.error(ProfileFault::Index { what, index: index.into(), count }))
            }
            _ => Ok(()),
        };
        last("class", rules.classes.last().copied(), types)?;
        let method = rules.methods.last_key_value().map(|(&method, _)| method);
        last("method", method, rules.method_ids.into())?;
    }
    Ok(())
}

/// Writes a profile behind its version.
pub(crate) fn write(
    profile: &ArtProfile,
    out: &mut Vec<u8>,
) -> std::result::Result<(), UnwritableProfile> {
    let short = |what, count| VERSION.count(what, count, u16::MAX.into()).map(|n| n as u16);
    let mut dex_files = short("DEX files", profile.dex_files.len())?.to_le_bytes().to_vec();
    let mut extra = short("descriptors", profile.extra_descriptors.len())?.to_le_bytes().to_vec();
    let (mut classes, mut methods) = (Vec::new(), Vec::new());
    for descriptor in &profile.extra_descriptors {
        extra.extend(short("bytes of a descriptor", descriptor.len())?.to_le_bytes());
        extra.extend(descriptor.as_bytes());
    }
    for (index, rules) in profile.dex_files.iter().enumerate() {
        for number in [rules.checksum, rules.type_ids, rules.method_ids] {
            dex_files.extend(number.to_le_bytes());
        }
        dex_files.extend(short("bytes of a key", rules.key.len())?.to_le_bytes());
        dex_files.extend(rules.key.as_bytes());
        put_classes(index as u16, &rules.classes, &mut classes)?;
        put_methods(index as u16, rules, &mut methods)?;
    }
    let mut sections = vec![(DEX_FILES, dex_files)];
    let optional = [
        (EXTRA_DESCRIPTORS, extra, profile.extra_descriptors.is_empty()),
        (CLASSES, classes, profile.dex_files.iter().all(|rules| rules.classes.is_empty())),
        (METHODS, methods, profile.dex_files.iter().all(|rules| rules.methods.is_empty())),
    ];
    let present = optional.into_iter().filter(|(.., is_empty)| !is_empty);
    sections.extend(present.map(|(kind, bytes, _)| (kind, bytes)));
    out.extend((sections.len() as u32).to_le_bytes());
    let mut offset = HEADER + ENTRY * sections.len();
    let mut contents = Vec::new();
    for (kind, bytes) in sections {
        // ART stores the DEX files uncompressed.
        let (stored, inflated) = match kind {
            DEX_FILES => (bytes, 0),
            _ => (deflate(&bytes), VERSION.count("bytes", bytes.len(), u32::MAX)?),
        };
        let offset_now = VERSION.count("bytes", offset, u32::MAX)?;
        for number in [kind, offset_now, stored.len() as u32, inflated] {
            out.extend(number.to_le_bytes());
        }
        offset += stored.len();
        contents.extend(stored);
    }
    out.extend(contents);
    Ok(())
}

fn put_classes(
    index: u16,
    classes: &BTreeSet<u16>,
    out: &mut Vec<u8>,
) -> std::result::Result<(), UnwritableProfile> {
    if classes.is_empty() {
        return Ok(());
    }
    out.extend(index.to_le_bytes());
    let count = VERSION.count("classes", classes.len(), u16::MAX.into())?;
    out.extend((count as u16).to_le_bytes());
    Indices::Distances.put_classes(classes, out);
    Ok(())
}

fn put_methods(
    index: u16,
    rules: &DexRules,
    out: &mut Vec<u8>,
) -> std::result::Result<(), UnwritableProfile> {
    if rules.methods.is_empty() {
        return Ok(());
    }
    let all = rules.methods.values().fold(MethodFlags::default(), |all, &flags| all | flags);
    let present: Vec<MethodFlags> = FLAGS.into_iter().filter(|&flag| all.contains(flag)).collect();
    let mut body = all.bits().to_le_bytes().to_vec();
    put_bitmap(&present, rules, &mut body)?;
    put_hot_methods(rules, Indices::Distances, &mut body);
    out.extend(index.to_le_bytes());
    out.extend(VERSION.count("bytes", body.len(), u32::MAX)?.to_le_bytes());
    out.extend(body);
    Ok(())
}

//! Versions `001` to `010`: a header for each DEX file, and its rules. In version `010` all headers
//! come first.

use crate::compressed::{deflate, inflate};
use crate::cursor::{Cursor, Result};
use crate::error::{Region, UnwritableProfile};
use crate::regions::{Indices, InlineCaches, bitmap, hot_methods, put_bitmap, put_hot_methods};
use crate::rules::{ArtProfile, DexRules, MethodFlags};
use crate::version::ProfileVersion;

/// Flags of the bitmap, in file order.
const BITMAP: [MethodFlags; 2] = [MethodFlags::STARTUP, MethodFlags::POST_STARTUP];

/// Header of one DEX file.
struct Header {
    classes: u16,
    /// Bytes of the hot methods; in version `001` their number.
    methods: u32,
    rules: DexRules,
}

/// Reads a profile behind its version.
pub(crate) fn read(version: ProfileVersion, cursor: &mut Cursor<'_>) -> Result<ArtProfile> {
    let count = match version {
        ProfileVersion::N => cursor.u16()?,
        _ => cursor.u8()?.into(),
    };
    let inflated;
    let mut cursor = match version.has_flags() {
        true => {
            let (size, compressed) = (cursor.u32()?, cursor.u32()?);
            inflated = inflate(cursor, compressed, size)?;
            cursor.end()?;
            Cursor::new(&inflated, Region::Body)
        }
        false => cursor.clone(),
    };
    let (extra_descriptors, inline_caches) = (Vec::new(), 0);
    let dex_files = Vec::new();
    let mut profile = ArtProfile { version, dex_files, extra_descriptors, inline_caches };
    let mut body = |header, cursor: &mut Cursor<'_>| -> Result<()> {
        let (rules, caches) = read_rules(version, header, cursor)?;
        profile.dex_files.push(rules);
        profile.inline_caches += caches;
        Ok(())
    };
    if version == ProfileVersion::P {
        let headers = (0..count).map(|_| read_header(version, &mut cursor));
        for header in headers.collect::<Result<Vec<_>>>()? {
            body(header, &mut cursor)?;
        }
    } else {
        for _ in 0..count {
            let header = read_header(version, &mut cursor)?;
            body(header, &mut cursor)?;
        }
    }
    cursor.end()?;
    Ok(profile)
}

fn read_header(version: ProfileVersion, cursor: &mut Cursor<'_>) -> Result<Header> {
    let key = cursor.u16()?;
    let (classes, methods) = match version {
        ProfileVersion::N => {
            let methods = cursor.u16()?;
            (cursor.u16()?, methods.into())
        }
        _ => (cursor.u16()?, cursor.u32()?),
    };
    let checksum = cursor.u32()?;
    let method_ids = if version.has_flags() { cursor.u32()? } else { 0 };
    let rules = DexRules { key: cursor.name(key)?, checksum, method_ids, ..DexRules::default() };
    Ok(Header { classes, methods, rules })
}

/// Reads the rules of a DEX file. Returns the number of inline caches with them.
fn read_rules(
    version: ProfileVersion,
    header: Header,
    cursor: &mut Cursor<'_>,
) -> Result<(DexRules, usize)> {
    let Header { classes, methods, mut rules } = header;
    let mut caches = 0;
    if version == ProfileVersion::N {
        for _ in 0..methods {
            rules.methods.insert(cursor.u16()?, MethodFlags::HOT);
        }
    } else {
        let end = cursor.pos().saturating_add(methods as usize);
        let form = InlineCaches::ByDexFile;
        caches = hot_methods(cursor, end, indices(version), form, &mut rules.methods)?;
    }
    rules.classes = indices(version).classes(cursor, classes)?;
    if version.has_flags() {
        bitmap(cursor, &BITMAP, &mut rules)?;
    }
    Ok((rules, caches))
}

fn indices(version: ProfileVersion) -> Indices {
    if version.has_flags() { Indices::Distances } else { Indices::Absolute }
}

/// Writes a profile behind its version.
pub(crate) fn write(
    profile: &ArtProfile,
    out: &mut Vec<u8>,
) -> std::result::Result<(), UnwritableProfile> {
    let version = profile.version;
    let files = |most| version.count("DEX files", profile.dex_files.len(), most);
    match version {
        ProfileVersion::N => out.extend((files(u16::MAX.into())? as u16).to_le_bytes()),
        _ => out.push(files(u8::MAX.into())? as u8),
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for rules in &profile.dex_files {
        let mut body = Vec::new();
        let methods = put_rules(version, rules, &mut body)?;
        put_header(version, rules, methods, &mut first)?;
        // Version 010 has all headers first.
        let bodies = if version == ProfileVersion::P { &mut second } else { &mut first };
        bodies.extend(body);
    }
    first.extend(second);
    if version.has_flags() {
        let compressed = deflate(&first);
        let inflated = version.count("bytes", first.len(), u32::MAX)?;
        out.extend(inflated.to_le_bytes());
        out.extend((compressed.len() as u32).to_le_bytes());
        out.extend(compressed);
    } else {
        out.extend(first);
    }
    Ok(())
}

fn put_header(
    version: ProfileVersion,
    rules: &DexRules,
    methods: u32,
    out: &mut Vec<u8>,
) -> std::result::Result<(), UnwritableProfile> {
    let short = |what, count| version.count(what, count, u16::MAX.into()).map(|n| n as u16);
    out.extend(short("bytes of a key", rules.key.len())?.to_le_bytes());
    let classes = short("classes", rules.classes.len())?;
    if version == ProfileVersion::N {
        out.extend(short("methods", methods as usize)?.to_le_bytes());
        out.extend(classes.to_le_bytes());
    } else {
        out.extend(classes.to_le_bytes());
        out.extend(methods.to_le_bytes());
    }
    out.extend(rules.checksum.to_le_bytes());
    if version.has_flags() {
        out.extend(rules.method_ids.to_le_bytes());
    }
    out.extend(rules.key.as_bytes());
    Ok(())
}

/// Writes rules. Returns the header's number for methods.
fn put_rules(
    version: ProfileVersion,
    rules: &DexRules,
    out: &mut Vec<u8>,
) -> std::result::Result<u32, UnwritableProfile> {
    let methods = if version == ProfileVersion::N {
        let hot = rules.methods.iter().filter(|(_, flags)| flags.contains(MethodFlags::HOT));
        let hot: Vec<u16> = hot.map(|(&method, _)| method).collect();
        hot.iter().for_each(|method| out.extend(method.to_le_bytes()));
        hot.len()
    } else {
        put_hot_methods(rules, indices(version), out);
        out.len()
    };
    indices(version).put_classes(&rules.classes, out);
    if version.has_flags() {
        put_bitmap(&BITMAP, rules, out)?;
    }
    Ok(methods as u32)
}

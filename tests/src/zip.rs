//! ZIP archives of stored entries (APPNOTE.TXT 4.3).

/// An archive with these entries, in this order.
pub fn stored(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in entries {
        let mut common = vec![10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        common.extend(crc32fast::hash(content).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u32).to_le_bytes());
        directory.extend([&b"PK\x01\x02\x0a\0"[..], &common, &[0; 10]].concat());
        directory.extend((out.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        out.extend([&b"PK\x03\x04"[..], &common, name.as_bytes(), content].concat());
    }
    let (at, size) = (out.len() as u32, directory.len() as u32);
    let count = (entries.len() as u16).to_le_bytes();
    out.extend([&directory[..], b"PK\x05\x06\0\0\0\0", &count, &count].concat());
    out.extend([&size.to_le_bytes()[..], &at.to_le_bytes(), &[0, 0]].concat());
    out
}

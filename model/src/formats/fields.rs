//! Fields of files that devices write: big-endian numbers and checksums.

/// The number of four bytes at a place; 0 where the bytes end before.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
}

/// Returns the CRC-32 of these parts, one after the other.
pub(super) fn checksum(parts: &[&[u8]]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    parts.iter().for_each(|p| crc.update(p));
    crc.finalize()
}

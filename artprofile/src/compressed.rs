//! Compressed bytes of profiles (zlib).

use std::io::{Read as _, Write as _};

use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::cursor::{Cursor, Result};
use crate::error::ProfileFault;

/// Largest number of decompressed bytes. ART refuses profiles of apps above 1.5 MB.
pub(crate) const LIMIT: u32 = 16 << 20;

/// Reads compressed bytes of these sizes.
pub(crate) fn inflate(cursor: &mut Cursor<'_>, compressed: u32, inflated: u32) -> Result<Vec<u8>> {
    let start = cursor.pos();
    if inflated > LIMIT {
        let fault = ProfileFault::TooLarge { size: inflated, limit: LIMIT };
        return Err(cursor.error_at(start, fault));
    }
    let bytes = cursor.bytes(compressed as usize)?;
    let mut decoder = ZlibDecoder::new(bytes);
    let mut out = Vec::new();
    // One byte more shows that the data is longer than declared.
    let read = decoder.by_ref().take(u64::from(inflated) + 1).read_to_end(&mut out);
    let is_whole = read.is_ok() && out.len() == inflated as usize;
    if !is_whole || decoder.total_in() != u64::from(compressed) {
        return Err(cursor.error_at(start, ProfileFault::Compressed { compressed, inflated }));
    }
    Ok(out)
}

/// Compresses bytes.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("a vector takes all bytes")
}

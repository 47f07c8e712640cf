//! Data inside the page: JSON, packed with raw deflate, as base64. The page unpacks a block when it
//! is wanted first. Base64 has no character that means something to HTML.

use std::io::{self, Write};

use base64ct::{Base64, Encoding as _};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// A value as the text of a block.
///
/// # Errors
/// None in practice: it is written to memory.
pub(super) fn packed(value: &impl Serialize) -> io::Result<String> {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::new(9));
    serde_json::to_writer(io::BufWriter::new(&mut deflate), value)?;
    Ok(Base64::encode_string(&deflate.finish()?))
}

/// Writes a block under a name of letters, digits and `-`.
///
/// # Errors
/// Those of the output.
pub(super) fn write(out: &mut impl Write, name: &str, packed: &str) -> io::Result<()> {
    writeln!(out, "<script type=\"text/plain\" id=\"data-{name}\">{packed}</script>")
}

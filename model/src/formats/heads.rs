//! First bytes of the files that an instrumented app writes, and of maps: which build they are of.
//! Nothing is checked: the readers of the formats do that.

use std::io::Read;

use super::map::{self, BuildId, ID_BYTES};
use super::{counts, hits, start_table, trace};

/// Bytes before a map's content.
const MAP_HEADER: usize = 18;

/// Returns the build that a file names, given its first 64 bytes: a trace file, start table, count
/// file or hit file. `None` for every other file.
///
/// docs/PROTOCOL.md §7 to §11 have the layouts.
pub fn build_of_log(head: &[u8]) -> Option<BuildId> {
    let at = if trace::is_trace(head) {
        trace::FILE_HEADER
    } else if start_table::is_table(head) {
        start_table::BUILD_AT
    } else if counts::is_count_file(head) {
        counts::HEADER
    } else if hits::is_hit_file(head) {
        hits::HEADER
    } else {
        return None;
    };
    Some(BuildId(head.get(at..at + ID_BYTES)?.try_into().ok()?))
}

/// Returns the build of a map, given its first 4 KiB: its id is the first field of the content.
pub fn build_of_map(head: &[u8]) -> Option<BuildId> {
    let content = head.strip_prefix(map::MAGIC).and_then(|_| head.get(MAP_HEADER..))?;
    let mut id = [0; ID_BYTES];
    flate2::read::DeflateDecoder::new(content).read_exact(&mut id).ok()?;
    Some(BuildId(id))
}

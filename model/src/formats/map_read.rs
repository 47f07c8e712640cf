//! Reading map files, of every version that is still read.

use crate::recording::Recording;
use std::io::Read;

use super::map::{BuildId, MAGIC, Map, MapError, OLDEST, VERSION, content_id};
use super::old_map;

/// Bytes a map may inflate to, whatever its size.
const MIN_INFLATED: u64 = 16 << 20;
/// Bytes that each byte of a larger map may inflate to. Maps of four real apps stay below three.
const MAX_RATIO: u64 = 64;

impl Map {
    /// Reads and checks a map; afterwards every id inside is valid.
    pub fn from_bytes(bytes: &[u8]) -> Result<Map, MapError> {
        let (map, found) = Map::from_file(bytes)?;
        if map.build != found {
            return Err(MapError::Changed { stated: map.build, found });
        }
        map.check()?;
        Ok(map)
    }

    /// A map, and the id of its content. What it holds is not checked.
    pub(super) fn from_file(bytes: &[u8]) -> Result<(Map, BuildId), MapError> {
        if bytes.len() < 18 || &bytes[..5] != MAGIC {
            return Err(MapError::NotAMap);
        }
        let version = bytes[5];
        if !(OLDEST..=VERSION).contains(&version) {
            return Err(MapError::Version(version));
        }
        let crc = u32::from_be_bytes(bytes[6..10].try_into().expect("four bytes"));
        let want = u64::from_be_bytes(bytes[10..18].try_into().expect("eight bytes"));
        let content = &bytes[18..];
        if content.len() as u64 != want {
            return Err(MapError::Length { have: content.len(), want });
        }
        if crc32fast::hash(content) != crc {
            return Err(MapError::Checksum);
        }
        let limit = MIN_INFLATED.max(MAX_RATIO * content.len() as u64);
        let mut plain = Vec::new();
        flate2::read::DeflateDecoder::new(content)
            .take(limit + 1)
            .read_to_end(&mut plain)
            .map_err(|e| MapError::Content(e.to_string()))?;
        if plain.len() as u64 > limit {
            return Err(MapError::Inflated { have: content.len(), limit });
        }
        let parsed = match version {
            OLDEST => old_map::from_bytes(&plain),
            // Version 4 has no implied calls, and is the same as version 5 otherwise.
            4 | 5 => old_map::version_5(&plain),
            6 => old_map::version_6(&plain),
            7 => old_map::version_7(&plain),
            8 => old_map::version_8(&plain),
            9 => old_map::version_9(&plain),
            10 => old_map::version_10(&plain),
            _ => postcard::from_bytes(&plain),
        };
        let map: Map = parsed.map_err(|e| unreadable(&plain, &e))?;
        Ok((map, content_id(version, &plain)))
    }
}

/// Returns the reason why content cannot be parsed. A codec of a later version is named; its number
/// follows the build id and the origin.
fn unreadable(plain: &[u8], error: &postcard::Error) -> MapError {
    match postcard::take_from_bytes::<(BuildId, [u8; 32], u32)>(plain) {
        Ok(((_, _, number), _)) => match Recording::try_from(number) {
            Err(unknown) => MapError::Recording(unknown),
            Ok(_) => MapError::Content(error.to_string()),
        },
        Err(_) => MapError::Content(error.to_string()),
    }
}

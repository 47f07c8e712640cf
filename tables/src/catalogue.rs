//! The catalogue of maps: a folder with `b<id>.plmap` and `b<id>.json`.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use model::map::{BuildId, Map};
use model::text::to_utf8;
use serde::Deserialize;

use crate::Error;

/// All maps; each is read when it is asked for.
#[derive(Debug)]
pub struct Catalogue {
    maps: BTreeMap<BuildId, CatalogueEntry>,
}

#[derive(Debug)]
struct CatalogueEntry {
    path: PathBuf,
    map: OnceLock<Map>,
}

#[derive(Deserialize)]
struct Release {
    version_code: u64,
}

impl Catalogue {
    /// The maps of a folder.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let failed = |source| Error::Read { path: folder.into(), source };
        let mut maps = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            let id = name.strip_prefix('b').and_then(|n| n.strip_suffix(".plmap"));
            if let Some(build) = id.and_then(|id| id.parse::<BuildId>().ok()) {
                maps.insert(build, CatalogueEntry { path, map: OnceLock::new() });
            }
        }
        Ok(Catalogue { maps })
    }

    /// The builds that have a map.
    pub fn builds(&self) -> impl Iterator<Item = BuildId> {
        self.maps.keys().copied()
    }

    /// The map of a build, if there is one.
    ///
    /// # Errors
    /// It cannot be read, or is of another build.
    pub fn map(&self, build: BuildId) -> Result<Option<&Map>, Error> {
        let Some(CatalogueEntry { path, map }) = self.maps.get(&build) else { return Ok(None) };
        if let Some(map) = map.get() {
            return Ok(Some(map));
        }
        let bytes = disk::read(path, disk::MOST)
            .map_err(|source| Error::Read { path: path.clone(), source })?;
        let read =
            Map::from_bytes(&bytes).map_err(|source| Error::Map { path: path.clone(), source })?;
        if read.build != build {
            return Err(Error::MapName { path: path.clone(), build: read.build });
        }
        Ok(Some(map.get_or_init(|| read)))
    }

    /// The keys of a build's methods, if its map is here and readable.
    pub fn method_keys(&self, build: BuildId) -> Option<HashSet<String>> {
        let map = self.map(build).ok().flatten()?;
        Some(map.methods.iter().map(|m| map.method_key(m)).collect())
    }

    /// These builds in the order of their release, by the `version_code` that the catalogue gives
    /// them.
    ///
    /// # Errors
    /// There are several, and one has no `version_code` or two have the same.
    pub fn in_order(&self, builds: &[BuildId]) -> Result<Vec<BuildId>, Error> {
        if builds.len() < 2 {
            return Ok(builds.to_vec());
        }
        let mut codes = Vec::new();
        for &build in builds {
            let Some(CatalogueEntry { path, .. }) = self.maps.get(&build) else {
                return Err(Error::Order { what: format!("build {build} has no map") });
            };
            codes.push((version_code(&path.with_extension("json"))?, build));
        }
        codes.sort_unstable();
        if let Some(same) = codes.windows(2).find(|w| w[0].0 == w[1].0) {
            let (code, a, b) = (same[0].0, same[0].1, same[1].1);
            return Err(Error::Order {
                what: format!("builds {a} and {b} have version_code {code}"),
            });
        }
        Ok(codes.into_iter().map(|c| c.1).collect())
    }
}

/// Bytes of a file that describes a release.
const LONGEST_RELEASE: u64 = 1 << 20;

fn version_code(path: &Path) -> Result<u64, Error> {
    let text = disk::read(path, LONGEST_RELEASE)
        .map_err(|source| Error::Read { path: path.into(), source })?;
    let release: Release = serde_json::from_slice(&to_utf8(&text))
        .map_err(|e| Error::Release { path: path.into(), what: e.to_string() })?;
    Ok(release.version_code)
}

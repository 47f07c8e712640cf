//! Models of shards and days become one model.

use std::path::{Path, PathBuf};

use model::map::BuildId;
use model::profile::Profile;
use model::profile::releases::{Releases, Sums};

use crate::Error;
use crate::catalogue::Catalogue;
use crate::file;
use crate::input::listed;

/// Inputs of a merge.
#[derive(Debug, Clone, Default)]
pub struct Merge<'a> {
    /// Models of one build each, or `@LIST`.
    pub models: &'a [PathBuf],
    /// The model of all that was before.
    pub base: Option<&'a Path>,
    /// The weight of its counts in 65,536ths; `None`: whole.
    pub decay: Option<u16>,
    /// The builds from the oldest to the newest; if empty, the catalogue's order counts.
    pub order: &'a [BuildId],
    /// Maps, for the order and for methods that were renamed.
    pub catalogue: Option<&'a Catalogue>,
}

/// Reads a model, compressed or not.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read_model(path: &Path) -> Result<Profile, Error> {
    let bytes = file::read(path)?;
    Profile::from_bytes(&bytes).map_err(|source| Error::Model { path: path.into(), source })
}

/// The models' files.
///
/// # Errors
/// A list cannot be read.
pub fn files(models: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    for model in models {
        match model.to_str().and_then(|m| m.strip_prefix('@')) {
            None => all.push(model.clone()),
            Some(list) => listed(Path::new(list), &mut |path| {
                all.push(path.into());
                Ok(())
            })?,
        }
    }
    Ok(all)
}

/// decay(base) ⊕ Σ models.
///
/// # Errors
/// A file; or the order of two builds is not known.
pub fn merge(of: &Merge<'_>) -> Result<Profile, Error> {
    let mut sums = Sums::default();
    for path in files(of.models)? {
        let model = read_model(&path)?;
        sums.add(&model).map_err(|source| Error::Part { path, source })?;
    }
    let mut base = of.base.map(read_model).transpose()?;
    if let (Some(base), Some(keep)) = (&mut base, of.decay) {
        base.decay(keep);
    }
    let newest = base.as_ref().and_then(|b| b.builds.last().copied());
    let mut builds: Vec<BuildId> = sums.builds().chain(newest).collect();
    builds.sort_unstable();
    builds.dedup();
    let order = match (of.order, of.catalogue) {
        (order @ [_, ..], _) => order.to_vec(),
        ([], Some(catalogue)) => catalogue.in_order(&builds)?,
        ([], None) => Vec::new(),
    };
    let methods = |build| of.catalogue.and_then(|c| c.method_keys(build));
    Ok(sums.fold(base, &Releases { order: &order, methods: &methods })?)
}

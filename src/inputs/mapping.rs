//! R8's mapping for maps of builds that were instrumented without it.

use std::path::Path;

use super::{FoundMap, read_mapping};
use crate::error::{Result, Usage};
use crate::outputs::print::note;

/// Gives the map of a build the names and lines of a mapping, if one is given.
///
/// # Errors
/// The maps are of several builds, or the mapping is of another build; the error names the file.
pub fn retrace_maps(maps: &mut [FoundMap], mapping: Option<&Path>) -> Result {
    let Some(path) = mapping else { return Ok(()) };
    let [found] = maps else {
        return Err(Usage("--mapping is of one build: pass the logs of one build").into());
    };
    let mapping = read_mapping(path)?;
    let named = |e| format!("{}: {e}", path.display());
    instrumenter::retrace_map(&mut found.map, &mapping).map_err(named)?;
    // The map has no instructions of the app, which say where code can throw.
    note(format_args!(
        "{}: the build was instrumented without it: a line may be one before that in the same \
         block, and calls that R8 inlined may be missing",
        path.display()
    ));
    Ok(())
}

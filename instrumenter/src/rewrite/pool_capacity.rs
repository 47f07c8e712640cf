//! Capacity of the pools: apps are packed up to 65,536 references per file, and probes add a few.

use dex::Dex;

use crate::analysis::program::DexFile;
use crate::error::InstrumentError;
use crate::options::RuntimeHome;
use crate::probes::probe::RUNTIME_METHOD_REFS;

/// Number of references that probes may add to each pool of a dex file, with a margin.
const PROBE_REFERENCES: usize = RUNTIME_METHOD_REFS + 8;
/// Number of references that the whole runtime may add, with a margin.
const RUNTIME_REFERENCES: usize = 600;

/// Files to work on, and for each the input that its classes come from. Files after the inputs are
/// new.
pub(crate) struct SplitFiles {
    pub files: Vec<DexFile>,
    pub origins: Vec<usize>,
}

impl SplitFiles {
    /// Returns the descriptors of the classes that moved out of the first file.
    pub fn moved_from_first(&self) -> Vec<String> {
        let is_moved = |(number, origin): &(usize, &usize)| *number > 0 && **origin == 0;
        let files = self.origins.iter().enumerate().filter(is_moved);
        let classes = files.flat_map(|(number, _)| {
            let dex = &self.files[number].dex;
            dex.classes.iter().map(|class| dex.type_name(class.ty).into_owned())
        });
        classes.collect()
    }
}

/// Moves classes out of files whose pools have no room for the runtime's references.
pub(crate) fn reserve_capacity(
    files: Vec<DexFile>,
    home: RuntimeHome,
) -> Result<SplitFiles, InstrumentError> {
    let mut kept = Vec::new();
    let mut new = Vec::new();
    let mut origins: Vec<usize> = (0..files.len()).collect();
    for (i, mut file) in files.into_iter().enumerate() {
        let room = if i == 0 && home == RuntimeHome::FirstFile {
            RUNTIME_REFERENCES
        } else {
            PROBE_REFERENCES
        };
        let crowded = |d: &Dex| {
            [d.method_count(), d.field_count(), d.type_count(), d.proto_count()]
                .iter()
                .any(|&n| n + room > 65_536)
        };
        let mut rest: Option<Dex> = None;
        while crowded(&file.dex) && file.dex.classes.len() > 1 {
            // The last tenth of the classes is enough in practice, and cheap to repeat.
            let n = file.dex.classes.len();
            let moved: Vec<usize> = (n - n.div_ceil(10)..n).collect();
            let fail = |e: dex::MergeError| InstrumentError::Split {
                file: file.name.clone(),
                problem: e.to_string(),
            };
            let split = file.dex.split_off(&moved).map_err(fail)?;
            file.dex.compact().map_err(fail)?;
            match &mut rest {
                None => rest = Some(split),
                Some(rest) => {
                    for class in 0..split.classes.len() {
                        rest.import_class(&split, class).map_err(fail)?;
                    }
                }
            }
        }
        if let Some(mut dex) = rest {
            dex.compact().map_err(|e| InstrumentError::Split {
                file: file.name.clone(),
                problem: e.to_string(),
            })?;
            new.push(DexFile { name: format!("{} (moved classes)", file.name), dex });
            origins.push(i);
        }
        kept.push(file);
    }
    kept.extend(new);
    Ok(SplitFiles { files: kept, origins })
}

//! Byte ranges of an app's methods in its DEX files: samplers report instructions of interpreted
//! frames as offsets in these files.

use std::ops::Range;
use std::sync::Arc;

use apk::AppSet;
use dex::Dex;

use crate::graphs::GraphError;
use crate::packages::dex_files;

/// Byte range of a method's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeRange {
    /// Class descriptor, `Lpkg/Cls;`.
    pub class: String,
    /// Method name.
    pub method: String,
    /// Method descriptor, `(I)V`.
    pub descriptor: String,
    /// Bytes of the DEX file that hold the method's code units.
    pub bytes: Range<u64>,
}

/// Returns the code ranges of all methods in the DEX files that ART loads.
///
/// # Errors
/// Fails if a package or DEX file cannot be read.
pub fn code_ranges(app: &AppSet) -> Result<Vec<CodeRange>, GraphError> {
    let mut all = Vec::new();
    for (name, bytes) in dex_files(app)?.loaded {
        let dex = Dex::read_shared(Arc::new(bytes)).map_err(|problem| GraphError::Dex {
            file: app.base().file().to_owned(),
            dex: name,
            problem,
        })?;
        for class in &dex.classes {
            for method in class.direct_methods.iter().chain(&class.virtual_methods) {
                let code = method.code.and_then(|c| dex.codes.get(c.0 as usize));
                let known = dex.methods.items().get(method.method.index());
                let (Some(bytes), Some(named)) = (code.and_then(dex::Body::place), known) else {
                    continue;
                };
                all.push(CodeRange {
                    class: dex.type_name(named.class).into_owned(),
                    method: dex.string(named.name).into_owned(),
                    descriptor: dex.proto_name(named.proto),
                    bytes,
                });
            }
        }
    }
    Ok(all)
}

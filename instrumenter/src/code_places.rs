//! Where the code of an app's methods lies in its DEX files: samplers name the instructions of
//! interpreted frames so.

use std::ops::Range;
use std::sync::Arc;

use apk::AppSet;
use dex::Dex;

use crate::graphs::GraphError;
use crate::whole::dex_files;

/// A method's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodePlace {
    /// Class descriptor, `Lpkg/Cls;`.
    pub class: String,
    /// Its name.
    pub method: String,
    /// Its descriptor, `(I)V`.
    pub descriptor: String,
    /// Bytes of its DEX file that are its code units.
    pub bytes: Range<u64>,
}

/// The code of all methods of the DEX files that ART loads.
///
/// # Errors
/// Packages and DEX files that cannot be read.
pub fn code_places(app: &AppSet) -> Result<Vec<CodePlace>, GraphError> {
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
                all.push(CodePlace {
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

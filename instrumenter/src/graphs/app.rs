//! Writes the graphs of a package into a folder.

use std::path::{Path, PathBuf};

use apk::{ApkError, AppSet, dex_name};
use dex::Dex;
use model::descriptors::dotted_name;
use rayon::prelude::*;

use super::{Index, export};
use crate::analysis::program::{DexFile, Program};
use crate::lifecycle::lifecycles;
use crate::packages::{dex_files, whole_manifest};

/// Errors of reading or writing graphs.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// A package that cannot be read.
    #[error(transparent)]
    Package(#[from] ApkError),
    /// A dex file that cannot be read.
    #[error("{file}: {dex}: {problem}")]
    Dex {
        /// Name of the package's file.
        file: String,
        /// Name of the dex file.
        dex: String,
        /// Cause.
        #[source]
        problem: dex::ReadError,
    },
    /// A file or folder that cannot be written.
    #[error("{}: {problem}", path.display())]
    Write {
        /// Path of the file or folder.
        path: PathBuf,
        /// Cause.
        #[source]
        problem: std::io::Error,
    },
}

/// Reads the package at `input`, or the archive of a set of packages, and writes its graphs into
/// the folder `output`, which is created if necessary. Globs in `include` (over dotted class names)
/// restrict the classes. `progress` receives the number of finished classes and of all classes.
///
/// # Errors
/// Fails if the package cannot be used or the folder cannot be written. A method that cannot be
/// decoded is listed in the index instead.
pub fn export_app(
    input: &Path,
    include: &[String],
    output: &Path,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Index, GraphError> {
    let app = AppSet::read(&[input])?;
    let program = Program::new(read(&app)?);
    let manifest = whole_manifest(&app);
    let graphs = lifecycles(&program, manifest.as_ref());
    let package = manifest.as_ref().map_or("", |m| m.package.as_str());
    let make = |path: PathBuf| {
        std::fs::create_dir_all(&path).map_err(|problem| GraphError::Write { path, problem })
    };
    make(output.join("components"))?;
    make(output.join("classes"))?;
    let wanted = |descriptor: &str| {
        let dotted = dotted_name(descriptor);
        include.is_empty() || include.iter().any(|g| glob_match::glob_match(g, &dotted))
    };
    let write = |name: &str, bytes: &[u8]| {
        let path = output.join(name);
        disk::write(&path, bytes).map_err(|problem| GraphError::Write { path, problem })
    };
    export(&program, &graphs, package, &wanted, &write, progress)
}

fn read(app: &AppSet) -> Result<Vec<DexFile>, GraphError> {
    let files = dex_files(app)?.loaded;
    files
        .into_par_iter()
        .enumerate()
        .map(|(i, (name, bytes))| match Dex::read(&bytes) {
            Ok(dex) => Ok(DexFile { name: dex_name(i + 1), dex }),
            Err(problem) => {
                Err(GraphError::Dex { file: app.base().file().to_owned(), dex: name, problem })
            }
        })
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

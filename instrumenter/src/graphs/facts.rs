//! Facts about a package: counts, components, signatures, and the build id if Pathlight has
//! instrumented it.

use std::path::Path;

use apk::{AppSet, Component, Container};
use dex::EncodedValue;
use dex::{Body, Dex, Item};
use model::protocol::ConfigKey;
use rayon::prelude::*;
use serde::Serialize;

use super::GraphError;
use crate::analysis::cfg::Cfg;
use crate::analysis::program::{DexFile, Program};
use crate::app::resources_of;
use crate::packages::{dex_files, whole_manifest};
use crate::plan::origins::OriginFacts;
use crate::probes::runtime;

/// Facts about a dex file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DexFacts {
    /// Name of the file in the package.
    pub name: String,
    /// Format version, 35 for `035`.
    pub version: u16,
    /// Size in bytes.
    pub bytes: usize,
    /// Number of classes.
    pub classes: usize,
    /// Number of method references.
    pub method_refs: usize,
    /// Number of methods that classes define.
    pub methods: usize,
    /// Number of methods with code.
    pub with_code: usize,
    /// Number of instructions; a body that methods share counts once.
    pub instructions: usize,
    /// Number of `if-*` instructions.
    pub ifs: usize,
    /// Number of `switch` instructions.
    pub switches: usize,
    /// Number of blocks with two or more successors.
    pub branch_blocks: usize,
    /// Methods whose code cannot be decoded, with reasons.
    pub unreadable: Vec<super::Failed>,
}

/// Facts about a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppFacts {
    /// Kind of the package: apk, jar or dex.
    pub kind: Container,
    /// Names of the splits beside the base, if the input is an archive of them.
    pub splits: Vec<String>,
    /// Package name, empty without a manifest.
    pub package: String,
    /// `android:versionCode`.
    pub version_code: Option<i32>,
    /// `android:minSdkVersion`.
    pub min_sdk: Option<u32>,
    /// `android:targetSdkVersion`.
    pub target_sdk: Option<u32>,
    /// Application class.
    pub application: Option<String>,
    /// Components of the manifest.
    pub components: Vec<Component>,
    /// Signature schemes present in the base; nothing is verified.
    pub signatures: Vec<String>,
    /// Build id if the package is instrumented.
    pub build: Option<String>,
    /// Dex files that Android loads.
    pub dex: Vec<DexFacts>,
    /// Callbacks that can record their origins; none if the package is instrumented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origins: Option<OriginFacts>,
    /// Dex-like entries that Android does not load by itself.
    pub ignored_dex: Vec<String>,
    /// Size of the package in bytes.
    pub bytes: u64,
}

/// Reads a package, or an archive with a set of packages.
///
/// # Errors
/// Fails if a package or dex file cannot be read.
pub fn app_facts(path: &Path) -> Result<AppFacts, GraphError> {
    let app = AppSet::read(&[path])?;
    let files = dex_files(&app)?;
    let looked: Vec<Result<(DexFacts, Dex), GraphError>> = files
        .loaded
        .par_iter()
        .map(|(name, bytes)| match Dex::read(bytes) {
            Ok(dex) => Ok((dex_facts(name, bytes.len(), &dex), dex)),
            Err(problem) => {
                let file = app.base().file().to_owned();
                Err(GraphError::Dex { file, dex: name.clone(), problem })
            }
        })
        .collect();
    let mut dex = Vec::new();
    let (mut build, mut loaded) = (None, Vec::new());
    for one in looked {
        let (facts, file) = one?;
        build = build.or_else(|| build_id(&file));
        loaded.push(DexFile { name: facts.name.clone(), dex: file });
        dex.push(facts);
    }
    let manifest = whole_manifest(&app);
    let origins = build.is_none().then(|| {
        let resources = resources_of(app.packages());
        OriginFacts::of_app(&Program::new(loaded), manifest.as_ref(), &resources)
    });
    let manifest = manifest.unwrap_or_default();
    let splits = app.packages().iter().filter_map(|p| p.manifest()?.split_name());
    Ok(AppFacts {
        kind: app.base().container(),
        splits: splits.map(str::to_owned).collect(),
        package: manifest.package,
        version_code: manifest.version_code,
        min_sdk: manifest.min_sdk,
        target_sdk: manifest.target_sdk,
        application: manifest.application,
        components: manifest.components,
        signatures: app.base().signatures(),
        build,
        dex,
        origins,
        ignored_dex: files.ignored,
        bytes: std::fs::metadata(path).map_or(0, |m| m.len()),
    })
}

fn dex_facts(name: &str, bytes: usize, dex: &Dex) -> DexFacts {
    let mut facts = DexFacts {
        name: name.to_owned(),
        version: dex.version.0,
        bytes,
        classes: dex.classes.len(),
        method_refs: dex.method_count(),
        ..DexFacts::default()
    };
    let per_body: Vec<Result<[usize; 4], String>> = dex.codes.par_iter().map(body_counts).collect();
    for counts in per_body.iter().flatten() {
        facts.instructions += counts[0];
        facts.ifs += counts[1];
        facts.switches += counts[2];
        facts.branch_blocks += counts[3];
    }
    for m in dex.classes.iter().flat_map(|c| c.methods()) {
        facts.methods += 1;
        let Some(code) = m.code else { continue };
        facts.with_code += 1;
        if let Some(Err(reason)) = per_body.get(code.0 as usize) {
            facts
                .unreadable
                .push(super::Failed { method: dex.method_name(m.method), reason: reason.clone() });
        }
    }
    facts
}

/// Returns the numbers of instructions, `if`s, `switch`es and branch blocks.
fn body_counts(body: &Body) -> Result<[usize; 4], String> {
    let raw = body.item().ok_or("under edit")?;
    let code = dex::decode(&raw).map_err(|e| e.to_string())?;
    let mut counts = [0; 4];
    for node in &code.nodes {
        if let Item::Insn(insn) = &node.item {
            counts[0] += 1;
            counts[1] += usize::from(insn.op.is_branch() && !insn.op.is_goto());
            counts[2] += usize::from(insn.op.is_switch());
        }
    }
    let blocks = Cfg::build(&code).map_or(Vec::new(), |c| c.blocks);
    counts[3] = blocks.iter().filter(|b| b.end.successors().len() > 1).count();
    Ok(counts)
}

/// Returns the build id in the runtime's configuration, if this dex file contains the runtime.
pub fn build_id(dex: &Dex) -> Option<String> {
    let class =
        dex.classes.iter().find(|c| runtime::is_class(&dex.type_name(c.ty), runtime::CONFIG))?;
    let field = class.static_fields.iter().position(|f| {
        dex.fields
            .items()
            .get(f.field.index())
            .is_some_and(|f| dex.string(f.name) == ConfigKey::BuildId.field())
    })?;
    match class.static_values.get(field) {
        Some(EncodedValue::String(s)) => Some(dex.string(*s).into_owned()),
        _ => None,
    }
}

//! Instruments dex files: reads them, and attempts it anew until the result holds all limits and
//! the verifier of ART accepts it.

use std::sync::Arc;

use apk::Manifest;
use dex::Dex;
use model::recording::Recording;
use rayon::prelude::*;

use crate::analysis::program::DexFile;
use crate::attempt::{App, Failure, attempt};
use crate::cost::budget::{Budget, Review};
use crate::error::InstrumentError;
use crate::options::{Inline, Options, RuntimeHome};
use crate::probes::runtime;
use crate::rebuild::rebuild;
use crate::report::{DexReport, Output, Report};
use crate::rewrite::check::{self, Check, MethodOverrides};
use crate::rewrite::pool_capacity::reserve_capacity;
use crate::warnings::{self, Warning};

/// Rewrites dex files that have no manifest.
///
/// # Errors Unreadable or unwritable dex files. A single method never fails the job: it is left as
/// it was and reported.
pub fn instrument(
    inputs: Vec<(String, Vec<u8>)>,
    home: RuntimeHome,
    package: &str,
    options: &Options,
) -> Result<Output, InstrumentError> {
    instrument_with(inputs, home, package, None, options)
}

/// Rewrites the dex files of an app. The manifest lists the app's components; the order in which
/// the platform may call their callbacks follows from that.
///
/// # Errors
/// As [`instrument`].
pub fn instrument_with(
    inputs: Vec<(String, Vec<u8>)>,
    home: RuntimeHome,
    package: &str,
    manifest: Option<&Manifest>,
    options: &Options,
) -> Result<Output, InstrumentError> {
    instrument_checked(inputs, home, package, manifest, options, &check::broken)
}

/// Instruments as [`instrument_with`] does, with the given check of the woven code.
pub(crate) fn instrument_checked(
    inputs: Vec<(String, Vec<u8>)>,
    home: RuntimeHome,
    package: &str,
    manifest: Option<&Manifest>,
    options: &Options,
    check: &Check,
) -> Result<Output, InstrumentError> {
    let inputs: Vec<(String, Arc<Vec<u8>>)> =
        inputs.into_iter().map(|(name, bytes)| (name, Arc::new(bytes))).collect();
    let (files, without_debug) = read_all(&inputs)?;
    let warnings = warnings::of_unmapped(&inputs, options)?;
    let mut report = Report { warnings, ..Report::default() };
    report.warnings.extend(warnings::of_debug_info(without_debug));
    for ((name, bytes), file) in inputs.iter().zip(&files) {
        report.dex.push(DexReport {
            name: name.clone(),
            bytes_in: bytes.len(),
            ..count(&file.dex)
        });
    }
    if options.recording() == Recording::Reassemble {
        return rebuild(files, report);
    }
    warnings::check_mapping(&files, options)?;
    let unfit = warnings::of_names(&files, options);
    let mut overrides = MethodOverrides::new(check);
    let mut budget = Budget::new(options.limits);
    let first_parts = reserve_capacity(files, home)?;
    if home == RuntimeHome::FirstFile {
        report.warnings.extend(Warning::of_moved(&first_parts.moved_from_first(), manifest));
    }
    let mut parts = Some(first_parts);
    // Limits may change options between attempts.
    let mut options = options.clone();
    loop {
        let app = App { files: &inputs, home, package, manifest, options: &options };
        // A second attempt is rare (a limit, a method that cannot be written): reading the files
        // again is cheaper than keeping a copy.
        let now = match parts.take() {
            Some(parts) => parts,
            None => reserve_capacity(read_all(&inputs)?.0, home)?,
        };
        match attempt(app, now, &overrides, report.clone()) {
            Ok((mut output, map, round)) => match budget.review(round) {
                Review::Holds(forecast) => {
                    options.progress.finish();
                    output.map = Some(map);
                    output.report.forecast = Some(*forecast);
                    output.report.warnings.extend(unfit);
                    output.report.warnings.extend(warnings::of_model(output.report.history));
                    return Ok(output);
                }
                Review::GiveUp(methods, back) => {
                    back.iter().for_each(|no| drop(overrides.refused.remove(no)));
                    overrides.refused.extend(methods);
                }
                Review::Simplify(forms) => overrides.simplify(forms),
                Review::InlineMore => options.inline = Inline::All,
                Review::Fails(limit) => return Err(limit.into()),
            },
            Err(Failure::TooLarge(round, unchanged)) => {
                let huge = budget.too_large(*round);
                overrides.refused.extend(huge.leave);
                overrides.simplify(huge.forms);
                overrides.oversized.extend(huge.oversized);
                parts = Some(unchanged);
            }
            Err(Failure::Method(no, reason)) if !overrides.refused.contains_key(&no) => {
                overrides.refused.insert(no, reason);
            }
            Err(Failure::Clone(no)) => drop(overrides.uncloned.insert(no)),
            Err(Failure::Broken(methods)) => {
                report.uninlined.extend(overrides.take_back(methods));
            }
            Err(Failure::Method(_, reason)) => {
                return Err(InstrumentError::Runtime(reason.to_string()));
            }
            Err(Failure::Fatal(e)) => return Err(e),
        }
    }
}

/// Reads all files. Returns them with the number of methods whose debug info is malformed.
fn read_all(inputs: &[(String, Arc<Vec<u8>>)]) -> Result<(Vec<DexFile>, usize), InstrumentError> {
    let read = inputs.par_iter().map(read_one).collect::<Result<Vec<_>, _>>()?;
    let (files, without_debug): (Vec<_>, Vec<_>) = read.into_iter().unzip();
    Ok((files, without_debug.into_iter().sum()))
}

fn read_one((name, bytes): &(String, Arc<Vec<u8>>)) -> Result<(DexFile, usize), InstrumentError> {
    let (mut dex, without_debug) = Dex::read_shared_noting(Arc::clone(bytes))
        .map_err(|problem| InstrumentError::Read { file: name.clone(), problem })?;
    let uses = dex.code_uses();
    let without_debug = without_debug.iter().map(|code| uses[code.0 as usize] as usize).sum();
    // This happens before anything is added: a method whose references dangle is left unchanged,
    // and its indices must not come to name additions.
    dex.pin_dangling().map_err(|problem| InstrumentError::Write { file: name.clone(), problem })?;
    let probes = dex
        .classes
        .iter()
        .any(|c| runtime::is_class(&dex.type_name(c.ty), model::protocol::probes::PROBES));
    if probes {
        return Err(InstrumentError::AlreadyInstrumented { file: name.clone() });
    }
    Ok((DexFile { name: name.clone(), dex }, without_debug))
}

fn count(dex: &Dex) -> DexReport {
    let methods = dex.classes.iter().flat_map(|c| c.methods()).filter(|m| m.code.is_some()).count();
    DexReport { classes: dex.classes.len(), methods, ..DexReport::default() }
}

//! `pathlight inspect --graphs`: the graphs of an app as files.

use std::path::Path;

use apk::AppSet;
use dex::{ClassDef, Dex};
use instrumenter::graphs::export_app;
use model::descriptors::dotted_name;
use reports::Unmatched;

use super::Args;
use crate::args::unmatched;
use crate::error::Result;
use crate::outputs::Files;
use crate::outputs::print::{Printer, counted, show};
use crate::outputs::progress::Progress;

/// Writes the graphs of an app into a folder, and prints the totals.
pub fn write(args: &Args, folder: &Path, out: &mut Printer) -> Result {
    let app = &args.file;
    let mut files = Files::default();
    files.reads("the app", app);
    files.check_folder("--graphs", folder, &["components", "classes"])?;
    let progress = Progress::new(format_args!("reading {}", app.display()));
    let report = |done: usize, all: usize| {
        progress.at_part(done, all, format_args!("{done} of {all} classes"));
    };
    let index = export_app(app, &args.include, folder, &report)?;
    drop(progress);
    if !args.include.is_empty() && index.classes.is_empty() {
        let names = class_names(app)?;
        let unmatched = Unmatched::first("class", &args.include, names, |_, _| false);
        return unmatched::check(unmatched)
            .map_err(|problem| format!("{}: {problem}", app.display()).into());
    }
    let t = &index.totals;
    if args.json {
        let sums = serde_json::json!({
            "package": index.package,
            "initial": index.initial,
            "components": index.components.len(),
            "classes": index.classes.len(),
            "totals": t,
            "failed": index.failed,
            "duplicates": index.duplicates,
        });
        out.json(&sums)?;
        return Ok(());
    }
    if !index.package.is_empty() {
        show!(out, "{}", index.package)?;
    }
    show!(
        out,
        "{}, {}, {}",
        counted(index.components.len(), "component"),
        counted(index.classes.len(), "class"),
        counted(t.methods, "method")
    )?;
    show!(out, "{}, {} of them branch blocks", counted(t.blocks, "block"), t.branches)?;
    show!(
        out,
        "edges: {} fallthrough, {} goto, {} taken, {} case, {} exception",
        t.fallthrough,
        t.goto,
        t.taken,
        t.case,
        t.exception
    )?;
    if !index.components.is_empty() {
        show!(
            out,
            "{} of {} methods are reached from components; {} are not, by the app's code alone",
            t.methods.saturating_sub(t.unreached),
            t.methods,
            t.unreached
        )?;
    }
    if let Some(initial) = &index.initial {
        show!(out, "initial block: {initial}, block 0")?;
    }
    for f in index.failed.iter().take(20) {
        show!(out, "no graph: {}: {}", f.method, f.reason)?;
    }
    if index.failed.len() > 20 {
        let more = counted(index.failed.len() - 20, "more method");
        show!(out, "… and {more} (see index.json)")?;
    }
    show!(out, "{}", folder.join("index.json").display())?;
    Ok(())
}

/// Reads the dotted names of an app's classes.
fn class_names(input: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for package in AppSet::read(&[input])?.packages() {
        for file in package.dex_files()?.loaded {
            let dex = Dex::read(&file.bytes)?;
            let dotted = |class: &ClassDef| dotted_name(&dex.type_name(class.ty));
            names.extend(dex.classes.iter().map(dotted));
        }
    }
    Ok(names)
}

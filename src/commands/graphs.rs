//! `pathlight graphs`.

use std::path::{Path, PathBuf};

use apk::AppSet;
use dex::{ClassDef, Dex};
use instrumenter::graphs::export_app;
use model::descriptors::dotted_name;
use reports::Unmatched;

use super::Result;
use crate::args::unmatched;
use crate::outputs::Files;
use crate::outputs::print::{Printer, show};
use crate::outputs::progress::Progress;

/// Write an app's lifecycle graphs and function graphs as JSON and DOT files.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight graphs app.apk -o graphs
  pathlight graphs app.apk -o graphs --include 'com.example.*'
  dot -Tsvg graphs/components/activity-com.example.MainActivity.dot > main.svg

DIR/index.json   lists all files
DIR/components/  one graph per activity, service, receiver, provider, application, fragment:
                 its callbacks, the order in which the platform calls them, and the functions
                 that each one reaches (the nearest 1,000)
DIR/classes/     one file per class: the blocks of its methods, with addresses in 16-bit units,
                 source lines, in- and out-degree, kinds, and edges; functions that no component
                 reaches are marked: reflection and native code are not followed")]
pub struct Args {
    /// The app: an .apk, a .jar or .zip that holds dex files, or a single .dex.
    input: PathBuf,
    /// Write the files into this folder: it is created if needed, files of the same name are
    /// replaced.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Export only classes whose dotted name matches this glob; repeatable.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Print the totals as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    let mut files = Files::default();
    files.reads("the app", &args.input);
    files.check_folder("-o", &args.output, &["components", "classes"])?;
    let progress = Progress::new(format_args!("reading {}", args.input.display()));
    let report = |done: usize, all: usize| {
        progress.at_part(done, all, format_args!("{done} of {all} classes"));
    };
    let index = export_app(&args.input, &args.include, &args.output, &report)?;
    drop(progress);
    if !args.include.is_empty() && index.classes.is_empty() {
        let names = class_names(&args.input)?;
        let unmatched = Unmatched::first("class", &args.include, names, |_, _| false);
        return unmatched::check(unmatched)
            .map_err(|problem| format!("{}: {problem}", args.input.display()).into());
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
        "{} components, {} classes, {} methods",
        index.components.len(),
        index.classes.len(),
        t.methods
    )?;
    show!(out, "{} blocks, {} of them branch blocks", t.blocks, t.branches)?;
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
        show!(out, "… and {} more methods (see index.json)", index.failed.len() - 20)?;
    }
    show!(out, "{}", args.output.join("index.json").display())?;
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

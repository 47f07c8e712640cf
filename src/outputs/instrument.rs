//! Text about a build for people.

use apk::Container;
use instrumenter::app::AppReport;
use instrumenter::art::{COMPILE_UNITS, INLINE_UNITS};
use instrumenter::plan::subject::SkipReason;
use instrumenter::{BaselineReport, Crossing, Forecast, Growth, RunTime};

use super::messages::option_of;
use crate::error::Result;
use crate::outputs::print::{Printer, counted, show};

/// The kind of file that a build writes.
#[derive(Clone, Copy)]
pub enum Recorded {
    /// A log.
    Log,
    /// A count file with at most this number of bytes.
    Counts(u64),
    /// A hit file for this number of paths.
    Hits(usize),
}

fn print_forecast(f: &Forecast, recorded: Recorded, out: &mut Printer) -> Result {
    show!(
        out,
        "code units {} → {} ({:.2} ×); grown past what ART inlines ({INLINE_UNITS} units): {}",
        f.units_before,
        f.units_after,
        f.units_after as f64 / f.units_before.max(1) as f64,
        counted(f.beyond_inlining, "method")
    )?;
    if let Recorded::Counts(bytes) = recorded {
        show!(out, "count file: at most {} for each process", counted(bytes, "byte"))?;
    } else if let Recorded::Hits(paths) = recorded {
        let bytes = model::hits::bytes_of_thread(paths);
        show!(
            out,
            "{} to count; hit file: {bytes} bytes for each thread that takes one",
            counted(paths, "path")
        )?;
    } else if f.by_model {
        show!(
            out,
            "expected log: {:.1} bits per 1,000 branches, from the {} that the model saw; without \
             the model about {:.0}",
            f.log_rate,
            f.executed,
            f.rate_without_model
        )?;
        show!(
            out,
            "              branches {:.1}, calls with several targets {:.1}, \
             announced calls {:.1}, callbacks {:.1}",
            f.branch_rate,
            f.call_rate,
            f.announced_rate,
            f.callback_rate
        )?;
    } else {
        show!(
            out,
            "expected log: more than {:.1} bits per 1,000 branches, which are their outcomes, all \
             assumed equally likely (no model)",
            f.log_rate
        )?;
        show!(
            out,
            "              announced calls (about {} bits each) and callbacks come on top, and can \
             be the larger part",
            f.announcement
        )?;
    }
    if let Some(time) = &f.run_time {
        print_run_time(time, out)?;
    }
    for s in &f.simplified {
        let calls = if s.calls_stay { "calls in it stay calls, " } else { "" };
        show!(
            out,
            "{} has {} code units so that ART compiles it: {calls}{} ({:.2} % of the model's \
             executed) without history",
            s.method,
            s.after,
            counted(s.branches, "branch"),
            100.0 * s.share
        )?;
    }
    for c in &f.beyond_compiling {
        show!(
            out,
            "warning: {} grows from {} to {} code units, past ART's limit of {COMPILE_UNITS} \
             for compiling: {}",
            c.method,
            c.before,
            c.after,
            treatment(c, f)
        )?;
    }
    for g in &f.given_up {
        show!(
            out,
            "without probes for {}: {} with {}, {:.2} % of {} branches (see --json)",
            option_of(g.limit),
            counted(g.methods, "method"),
            counted(g.branches, "branch"),
            100.0 * g.share,
            if f.by_model { "the model's executed" } else { "all" }
        )?;
    }
    Ok(())
}

/// Describes what becomes of a method that ART does not compile with probes, and the alternative.
fn treatment(c: &Crossing, f: &Forecast) -> String {
    let unknown = match f.by_model {
        true => "the model has no counts of it",
        false => "without a model, how often it runs is unknown",
    };
    match (c.left, c.announced_rate) {
        (true, Some(rate)) => format!(
            "left without probes, with {:.2} % of the model's executed branches; the calls that \
             it makes add {rate:.1} bits per 1,000 branches; --huge-methods keep instruments it",
            100.0 * c.share
        ),
        (true, None) => format!(
            "left without probes; each call that it makes adds {} bits ({unknown}); \
             --huge-methods keep instruments it",
            f.announcement
        ),
        (false, Some(rate)) => format!(
            "ART interprets it; --huge-methods leave avoids that and adds {rate:.1} bits per \
             1,000 branches for the calls that it makes"
        ),
        (false, None) => format!(
            "ART interprets it; --huge-methods leave avoids that and adds {} bits for each call \
             that it makes ({unknown})",
            f.announcement
        ),
    }
}

fn print_run_time(time: &RunTime, out: &mut Printer) -> Result {
    const NAMED: usize = 3;
    show!(
        out,
        "expected run time of the app's own code: {:.2} × compiled, {:.2} × interpreted \
         (prices of one machine, the model's counts)",
        time.compiled,
        time.interpreted
    )?;
    for m in time.most_expensive.iter().take(NAMED).filter(|m| m.added >= 0.01) {
        let calls = counted(m.entries, "call");
        show!(out, "              + {:.2} × in {}, {calls}", m.added, m.method)?;
    }
    if time.inlined_more {
        show!(out, "every call that can be inlined is, for --max-slowdown")?;
    }
    Ok(())
}

/// The largest parts of what was added, in percent of the dex files before.
fn largest_parts(growth: &[Growth], before: usize) -> String {
    const NAMED: usize = 5;
    // Adding zero turns -0.0, which a small negative share rounds to, into 0.0.
    let share = |bytes: i64| (1000.0 * bytes as f64 / before.max(1) as f64).round() / 10.0 + 0.0;
    let (named, rest) = growth.split_at(growth.len().min(NAMED));
    let other: i64 = rest.iter().map(|g| g.bytes).sum();
    let part = |g: &Growth| format!("{} {:.1}", g.purpose.name(), share(g.bytes));
    let mut parts: Vec<String> = named.iter().map(part).collect();
    if !rest.is_empty() {
        parts.push(format!("other {:.1}", share(other)));
    }
    parts.join(", ")
}

fn print_baseline(baseline: &BaselineReport, out: &mut Printer) -> Result {
    let BaselineReport { rules, carried, added, of_model, .. } = baseline;
    let lost = if carried < rules { "; --json names the others" } else { "" };
    let ran = match of_model {
        0 => String::new(),
        n => format!(", {n} more for what ran in the model's sessions"),
    };
    show!(
        out,
        "baseline profile: {carried} of {rules} rules carried over, {added} added{ran}{lost}"
    )?;
    Ok(())
}

/// Prints what became of an app.
pub fn print(r: &AppReport, recorded: Recorded, out: &mut Printer) -> Result {
    let sum = |f: fn(&instrumenter::DexReport) -> usize| r.code.dex.iter().map(f).sum::<usize>();
    let (methods, done) = (sum(|d| d.methods), sum(|d| d.instrumented));
    if !r.package.is_empty() {
        show!(out, "{}", r.package)?;
    }
    show!(
        out,
        "{done} of {}, {}, {}, {}",
        counted(methods, "method"),
        counted(r.code.branches, "branch"),
        counted(r.code.slots, "call slot"),
        counted(r.code.handlers, "handler")
    )?;
    let (dex_in, dex_out) =
        (sum(|d| d.bytes_in), sum(|d| d.bytes_out) + r.added.iter().sum::<usize>());
    show!(
        out,
        "dex {dex_in} → {dex_out} bytes ({:.2} ×), file {} → {} bytes",
        dex_out as f64 / dex_in.max(1) as f64,
        r.bytes_in,
        r.bytes_out
    )?;
    for u in &r.unpacked {
        let more = u.stored.saturating_sub(u.compressed);
        show!(
            out,
            "{} takes {more} bytes more, because it is stored: Android 11 refuses it compressed in \
             an app with targetSdk 30 or above",
            u.name
        )?;
    }
    for p in &r.packages {
        let code = if p.dex == 0 { "no code, signed alike" } else { "with code" };
        let name = p.split.as_deref().unwrap_or("base");
        show!(out, "  {name}: {} → {} bytes, {code}", p.bytes_in, p.bytes_out)?;
    }
    if !r.code.growth.is_empty() {
        let parts = largest_parts(&r.code.growth, dex_in);
        show!(out, "added, in % of the original dex: {parts}")?;
    }
    if r.code.implied > 0 {
        let methods = counted(r.code.implied, "method");
        show!(out, "{methods} without probes: their calls already determine their path")?;
    }
    if r.code.clones > 0 {
        show!(out, "{} with a clone for calls with probes", counted(r.code.clones, "method"))?;
    }
    if r.code.copied > 0 {
        let methods = counted(r.code.copied, "method");
        show!(out, "{methods} with copies of blocks that distinguish paths")?;
    }
    if r.code.inlined > 0 {
        show!(out, "{} inlined", counted(r.code.inlined, "call"))?;
    }
    for method in &r.code.uninlined {
        show!(out, "warning: not inlined, because ART's verifier would refuse the code: {method}")?;
    }
    if let Some(h) = &r.code.history {
        show!(
            out,
            "history of branches: {} exact, {} by fingerprint, {} similar, {} moved, {} without",
            h.exact,
            h.by_fingerprint,
            h.similar,
            h.moved,
            h.none
        )?;
        if h.decisions > 0 {
            show!(
                out,
                "history covers {:.0} % of the {} decisions that the model saw outside methods \
                 left alone, {:.0} % exactly",
                100.0 * h.coverage(),
                h.decisions,
                100.0 * h.found_exact as f64 / h.decisions as f64
            )?;
        }
    }
    // Where nearly all was found, the rest is noise.
    let share = r.code.history.as_ref().map_or(0, |h| h.decisions / 100);
    for lost in r.code.lost_history.iter().filter(|lost| lost.decisions > share) {
        let why = match lost.has_method {
            true => "no branch of the method is like it now",
            false => "the app has no such method now",
        };
        show!(
            out,
            "history lost: {}, branch {}, with {} decisions: {why}",
            lost.method,
            lost.branch,
            lost.decisions
        )?;
    }
    if matches!(r.kind, Container::Apk | Container::Bundle) && r.signed.is_empty() {
        show!(out, "unsigned: sign it before you install it")?;
    }
    if let Some(f) = &r.code.forecast {
        print_forecast(f, recorded, out)?;
        let reason = SkipReason::CallersLeft.to_string();
        let left = r.code.skipped.iter().filter(|skipped| skipped.reason == reason);
        if let more @ 1.. = left.count() {
            let methods = counted(more, "method");
            show!(out, "without probes, too: {methods} that only those call (see --json)")?;
        }
    }
    if r.needs_splits {
        show!(
            out,
            "warning: Android installs this app only together with its splits: give all its APKs, \
             or sign the others with the same key; code in them is not recorded now"
        )?;
    }
    if let Some(baseline) = &r.baseline {
        print_baseline(baseline, out)?;
    }
    let mut dropped: Vec<(&str, usize)> = Vec::new();
    for d in &r.dropped {
        match dropped.iter_mut().find(|(what, _)| *what == d.what) {
            Some((_, times)) => *times += 1,
            None => dropped.push((&d.what, 1)),
        }
    }
    for (what, times) in dropped {
        let of = if times > 1 { format!(" ({times} packages)") } else { String::new() };
        show!(out, "left out: {what}{of}")?;
    }
    // The forecast above sums up what limits cost.
    let refused: Vec<_> = r.code.skipped.iter().filter(|s| !s.by_limit && !s.by_user).collect();
    for s in refused.iter().take(20) {
        show!(out, "left as it was: {}: {}", s.method, s.reason)?;
    }
    if refused.len() > 20 {
        let more = counted(refused.len() - 20, "more method");
        show!(out, "… and {more} (see --json or `pathlight inspect`)")?;
    }
    let excluded = r.code.skipped.iter().filter(|s| s.by_user).count();
    if excluded > 0 {
        let excluded = counted(excluded, "method");
        show!(out, "{excluded} excluded by --include and --exclude")?;
    }
    if !r.build.is_empty() {
        show!(out, "build {}", r.build)?;
    }
    Ok(())
}

//! Filters of callbacks.

use std::ops::RangeInclusive;

use reports::Filter;

use super::times::Time;
use crate::error::Usage;

/// The heading of filters in `--help`.
pub const HEADING: &str = "Filters, for text and JSON";

/// Filters of what is printed. The whole log is decoded and checked in any case.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = HEADING)]
pub struct Shown {
    /// Threads of this name or number. May be repeated, as --class, --method and --callback.
    #[arg(long, value_name = "NAME|N")]
    pub thread: Vec<String>,
    /// Calls of these classes and what they call; * stands for any text. Without a dot in it, the
    /// package does not count. The calls that led there are named.
    #[arg(long, value_name = "GLOB")]
    pub class: Vec<String>,
    /// Calls of these methods and what they call. With --class: methods of these classes.
    #[arg(long, value_name = "GLOB")]
    pub method: Vec<String>,
    /// Top-level callbacks by number (#7 in the text), or several: 3-7, 3-.
    #[arg(long, value_name = "N", value_parser = numbers)]
    pub callback: Vec<RangeInclusive<u64>>,
    /// Callbacks that began at this time or later: 1.5s, 200ms. Times count from the start of the
    /// process; a bare number is in ms. 2026-11-21T09:12:44 is on the wall clock, in UTC.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub from: Option<Time>,
    /// Callbacks that began at this time or earlier.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub to: Option<Time>,
    /// Calls of the app's own classes. Calls of other code are printed only where they lead to own
    /// ones. GLOB matches dotted names and may be repeated; default: the package of the manifest.
    #[arg(long, value_name = "GLOB", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "")]
    pub own: Option<Vec<String>>,
    /// Calls nested so deep; 1 is the callback itself.
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,
}

/// `7`, `3-7` or `3-`.
fn numbers(text: &str) -> std::result::Result<RangeInclusive<u64>, String> {
    let number = |n: &str| n.parse::<u64>().map_err(|e| format!("{n:?}: {e}"));
    let (first, last) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((first, "")) => (number(first)?, u64::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if first > last {
        return Err(format!("{first} is after {last}: did you mean {last}-{first}?"));
    }
    Ok(first..=last)
}

impl Shown {
    /// Returns true if no filter is given but for threads.
    pub fn only_threads(&self) -> bool {
        !Shown { thread: Vec::new(), ..self.clone() }.is_given()
    }

    /// Returns true if there is any filter.
    pub fn is_given(&self) -> bool {
        let lists = [&self.thread, &self.class, &self.method];
        lists.iter().any(|l| !l.is_empty())
            || self.own.is_some()
            || !self.callback.is_empty()
            || self.from.is_some()
            || self.to.is_some()
            || self.depth.is_some()
    }
}

impl Shown {
    /// Returns the filter for a process that started at this time, if that is known.
    ///
    /// # Errors
    /// A time counts from an end or a start that is not known.
    pub fn filter(&self, start_ms: Option<u64>) -> std::result::Result<Filter, Usage> {
        let ms = |time: Time, round: fn(f64) -> f64| match (time, start_ms) {
            (Time::Before(_), _) => Err(Usage(
                "--from and --to count from the start: times before the end are for --interval \
                 with --index",
            )),
            (Time::Wall(_), None) => {
                Err(Usage("times on the wall clock are for logs: pass times such as 1.5s"))
            }
            (time, start) => Ok(round(time.since(start.unwrap_or(0), 0) as f64 / 1000.0) as u64),
        };
        Ok(Filter {
            threads: self.thread.clone(),
            classes: self.class.clone(),
            methods: self.method.clone(),
            own: self
                .own
                .as_ref()
                .map(|globs| globs.iter().filter(|glob| !glob.is_empty()).cloned().collect()),
            callbacks: self.callback.clone(),
            from: self.from.map_or(Ok(0), |time| ms(time, f64::ceil))?,
            to: self.to.map(|time| ms(time, f64::floor)).transpose()?,
            interval: None,
            last: None,
            depth: self.depth,
        })
    }
}

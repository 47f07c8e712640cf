//! The command line as its users see it: exit codes, what is written, what is printed.

#[cfg(unix)]
mod builds;
#[cfg(unix)]
mod ci;
mod completions;
mod config;
mod counts;
mod coverage;
mod crash;
mod damage;
mod decode;
mod documents;
mod exit_notes;
mod forecast;
mod help;
mod hits;
mod hostile;
#[cfg(unix)]
mod inputs;
mod interrupts;
mod keys;
mod kotlin;
#[cfg(unix)]
mod many;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(target_os = "linux")]
mod memory;
mod mistakes;
mod names;
mod nothing;
mod older_builds;
mod outputs;
mod packages;
#[cfg(target_os = "linux")]
mod pager;
mod printing;
mod progress;
#[cfg(unix)]
mod pull;
mod replacing;
mod report;
mod retraced;
mod samples;
mod support;
#[cfg(feature = "tables")]
mod tables;
mod transcripts;
#[cfg(unix)]
mod tutorial;
mod why;

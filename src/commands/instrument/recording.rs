//! The recording that the options ask for. Options of another recording are mistakes.

use instrumenter::{PathOptions, RecordingOptions, Sink, TraceOptions};
use model::adaptive::Rule;
use model::paths_file::PathsFile;
use model::recording::{Recording, TraceCodec};

use super::{Args, Usage};
use crate::args::choices::{AdaptChoice, LogFolder, Profile, SinkChoice};

/// The kind of data that the build records.
pub fn kind(args: &Args) -> Recording {
    match args.profile {
        Some(Profile::Edges) => Recording::Edges,
        Some(Profile::Paths) => Recording::Paths,
        Some(Profile::Trace) | None => args.codec,
    }
}

/// Checks that each option belongs to the recording.
///
/// # Errors
/// [`Usage`]: the first option that does not.
pub fn check(args: &Args) -> std::result::Result<(), Usage> {
    let recording = kind(args);
    if args.select.is_some() != (recording == Recording::Paths) {
        return Err(Usage("--profile paths and --select go together: neither is there alone"));
    }
    match recording {
        Recording::Edges | Recording::Paths => check_counts(args)?,
        Recording::Trace(codec) => check_trace(args, codec)?,
        Recording::Reassemble => check_adaptation(args, recording)?,
    }
    if recording != Recording::ARITH && args.max_slowdown.is_some() {
        return Err(Usage("--max-slowdown has the prices of codec arith alone"));
    }
    Ok(())
}

fn check_counts(args: &Args) -> std::result::Result<(), Usage> {
    if args.sink == SinkChoice::Logcat {
        return Err(Usage("counts go to a file: they have no --sink logcat"));
    }
    if args.ring {
        return Err(Usage(
            "counts do not grow with time: --profile edges and paths have no --ring",
        ));
    }
    if args.max_log_rate.is_some() {
        return Err(Usage("--max-log-rate applies to logs only: counts have none"));
    }
    check_adaptation(args, kind(args))
}

fn check_trace(args: &Args, codec: TraceCodec) -> std::result::Result<(), Usage> {
    check_adaptation(args, codec.into())?;
    let to_logcat = args.sink == SinkChoice::Logcat;
    if args.adapt == AdaptChoice::Persist && to_logcat {
        return Err(Usage("--adapt persist writes tables beside logs: --sink logcat has none"));
    }
    if args.logs == LogFolder::External && to_logcat {
        return Err(Usage("--logs external is about files: --sink logcat writes none"));
    }
    Ok(())
}

fn check_adaptation(args: &Args, recording: Recording) -> std::result::Result<(), Usage> {
    if args.adapt == AdaptChoice::Persist && Rule::of(recording).is_none() {
        return Err(Usage("--adapt persist is for codecs that adapt, such as arith-adaptive"));
    }
    Ok(())
}

/// The options of the recording, once they are [checked](check); `paths` are those of `--select`.
pub fn options(args: &Args, paths: Option<PathsFile>) -> RecordingOptions {
    match (kind(args), paths) {
        (Recording::Trace(codec), _) => RecordingOptions::Trace(TraceOptions {
            codec,
            sink: Sink::from(args.sink),
            ring: args.ring,
            adaptation: args.adapt.into(),
            inline_coder: args.inline_coder.into(),
        }),
        (Recording::Paths, Some(paths)) => RecordingOptions::Paths(PathOptions {
            paths,
            tracking: args.path_tracking.into(),
            storage: args.count_storage.into(),
        }),
        (Recording::Edges, _) => RecordingOptions::Edges,
        (Recording::Reassemble | Recording::Paths, _) => RecordingOptions::Reassemble,
    }
}

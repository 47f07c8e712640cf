//! Apps that are killed, that crash, that run as several processes, whose storage ends.

use clap::Subcommand;

use crate::error::Result;
use crate::workspace::{HandedOn, Workspace};

/// Ends of an app.
#[derive(Subcommand)]
pub enum DeathTask {
    /// SIGKILL at random moments: is what was committed true, and how much is lost?
    #[command(after_help = "\
Example:
  cargo xtask death kill 500              # the recorded run
  cargo xtask death kill 20 --vm art-jit
  cargo xtask death kill -- --help        # all options")]
    Kill(HandedOn),
    /// Uncaught exceptions: is their path complete, and does `crash` join their stack traces?
    #[command(after_help = "Example:\n  cargo xtask death crash")]
    Crash(HandedOn),
    /// Dumps of running and standing threads, as for an ANR: are their lines as before, and does
    /// `crash` join them?
    #[command(after_help = "Example:\n  cargo xtask death dumps r8-26")]
    Dumps(HandedOn),
    /// Three processes of one app at once, into one folder and one logcat
    #[command(after_help = "Example:\n  cargo xtask death processes")]
    Processes(HandedOn),
    /// An app, a feature and a plugin, each instrumented by itself, in one process
    #[command(after_help = "Example:\n  cargo xtask death builds")]
    Builds(HandedOn),
    /// One callback of 10⁸ iterations: is every decision there, and does decoding stay small?
    #[command(after_help = "Example:\n  cargo xtask death long 1000000")]
    Long(HandedOn),
    /// A process that ends itself: is all that its thread did in the log?
    #[command(after_help = "Example:\n  cargo xtask death exits")]
    Exits(HandedOn),
    /// A process that is killed and started again: is the reason that Android gives noted?
    #[command(after_help = "Example:\n  cargo xtask death reasons --vm art")]
    Reasons(HandedOn),
    /// Threads that are one endless callback, in a ring, killed: is the newest part what ran?
    #[command(after_help = "Example:\n  cargo xtask death rings")]
    Rings(HandedOn),
    /// Processes that begin with what earlier ones have learnt: are their paths what ran?
    #[command(after_help = "\
Example:
  cargo xtask death tables
  cargo xtask death tables --measure 12   # the recorded run")]
    Tables(HandedOn),
    /// A build that counts: SIGKILL at random moments, and 300 threads that end
    #[command(after_help = "Example:\n  cargo xtask death counting 500      # the recorded run")]
    Counting(HandedOn),
    /// No storage, full storage, read-only storage, the log's limit, the ring, the off switch
    #[command(
        after_help = "Example:\n  cargo xtask death storage --quick    # none that fill a log"
    )]
    Storage(HandedOn),
}

/// Runs a task.
///
/// # Errors
/// Fails if a check does not hold.
pub fn run(task: DeathTask, here: &Workspace) -> Result<()> {
    here.art("dalvikvm")?;
    if let DeathTask::Crash(_) | DeathTask::Dumps(_) = task {
        here.packages(&["fixtures", "oracles"])?;
        here.d8()?;
    }
    let (script, options) = match task {
        DeathTask::Kill(options) => ("tests/death/kill.py", options),
        DeathTask::Crash(options) => ("tests/death/crash.py", options),
        DeathTask::Dumps(options) => ("tests/death/dumps.py", options),
        DeathTask::Processes(options) => ("tests/death/processes.py", options),
        DeathTask::Builds(options) => ("tests/death/builds.py", options),
        DeathTask::Long(options) => ("tests/death/long.py", options),
        DeathTask::Exits(options) => ("tests/death/exits.py", options),
        DeathTask::Reasons(options) => ("tests/death/reasons.py", options),
        DeathTask::Rings(options) => ("tests/death/rings.py", options),
        DeathTask::Tables(options) => ("tests/death/tables.py", options),
        DeathTask::Counting(options) => ("tests/death/counting.py", options),
        DeathTask::Storage(options) => ("tests/death/storage.py", options),
    };
    here.python(script, options.arguments)
}

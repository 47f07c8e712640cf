//! Ends of processes, as the device noted them, in words and as JSON.

use decoder::log::{Process, wall_clock};
use decoder::uncaught::ExceptionOutcome;
use model::exit_note::{ExitReason, ProcessExit};
use serde_json::{Value, json};

/// Describes the end of a process for people: `ANR at 2026-11-28 12:03:04.000 UTC, in the
/// foreground`.
pub fn exit_words(exit: &ProcessExit) -> String {
    let (day, time) = wall_clock(exit.at_ms);
    let standing = match exit.standing() {
        Some(standing @ ("foreground" | "background")) => format!(", in the {standing}"),
        Some(standing) => format!(", {standing}"),
        None => String::new(),
    };
    format!("{exit} at {day} {time} UTC{standing}")
}

/// Returns the end of a process for programs: `reason` (Android's constant in small letters),
/// `code` (its number), `at_ms` (ms since 1970), `status` (exit code or signal), `importance`;
/// null if the device noted none.
pub fn exit_json(exit: Option<&ProcessExit>) -> Value {
    exit.map_or(Value::Null, |exit| {
        json!({
            "reason": exit.reason.name(), "code": exit.reason.0, "at_ms": exit.at_ms,
            "status": exit.status, "importance": exit.importance,
        })
    })
}

/// Returns the line of a process's end: `ended: …`; `None` if the device noted none.
pub fn ended_line(process: &Process) -> Option<String> {
    process.exit.as_ref().map(|exit| format!("ended: {}", exit_words(exit)))
}

/// Judgement of an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitGrade {
    /// The app failed: a crash, an ANR, no start.
    Failed,
    /// The system or another process ended it.
    Killed,
    /// It ended itself, or a person ended it.
    Wanted,
}

impl ExitGrade {
    /// The grade of a reason.
    pub fn of(reason: ExitReason) -> ExitGrade {
        match reason {
            ExitReason::CRASH
            | ExitReason::CRASH_NATIVE
            | ExitReason::ANR
            | ExitReason::INITIALIZATION_FAILURE => ExitGrade::Failed,
            ExitReason::EXIT_SELF
            | ExitReason::PERMISSION_CHANGE
            | ExitReason::USER_REQUESTED
            | ExitReason::USER_STOPPED
            | ExitReason::PACKAGE_STATE_CHANGE
            | ExitReason::PACKAGE_UPDATED => ExitGrade::Wanted,
            _ => ExitGrade::Killed,
        }
    }
}

/// Returns the fate of an exception with which a thread ends: one that may have ended the process
/// did not if the system or a person ended it. A signal and an exit may follow a crash: libraries
/// that report crashes end the process so.
pub fn settled(outcome: ExceptionOutcome, exit: Option<&ProcessExit>) -> ExceptionOutcome {
    let is_crash = |exit: &ProcessExit| {
        let reason = exit.reason;
        matches!(
            reason,
            ExitReason::CRASH
                | ExitReason::EXIT_SELF
                | ExitReason::SIGNALED
                | ExitReason::UNKNOWN
                | ExitReason::OTHER
        ) || reason > ExitReason::PACKAGE_UPDATED
    };
    match outcome {
        ExceptionOutcome::Open if exit.is_some_and(|exit| !is_crash(exit)) => {
            ExceptionOutcome::Kept
        }
        outcome => outcome,
    }
}

#[cfg(test)]
mod tests {
    use model::exit_note::ExitReason;

    use super::*;

    /// Android's ranges of importance: 100 foreground, 125 foreground service, 200 visible, 230
    /// perceptible, 300 service, 325 top sleeping, 350 cannot save state, 400 cached.
    #[test]
    fn an_exit_names_reason_time_status_and_standing() {
        let words = |reason, status, importance| {
            exit_words(&ProcessExit { reason, at_ms: 1_000, status, importance })
        };
        let at = "at 1970-01-01 00:00:01.000 UTC";
        assert_eq!(
            words(ExitReason::ANR, 3, 100),
            format!("ANR (signal 3) {at}, in the foreground")
        );
        assert_eq!(words(ExitReason::LOW_MEMORY, 0, 400), format!("low memory {at}, cached"));
        assert_eq!(words(ExitReason::SIGNALED, 9, 0), format!("signal 9 {at}"));
        assert_eq!(words(ExitReason::EXIT_SELF, 0, 300), format!("exit with code 0 {at}, service"));
    }

    /// A pool may keep an exception; the device knows if the app crashed.
    #[test]
    fn an_exception_did_not_end_a_process_that_something_else_ended() {
        let settle = |outcome, reason| {
            let exit = ProcessExit { reason, at_ms: 0, status: 0, importance: 0 };
            settled(outcome, Some(&exit))
        };
        use ExceptionOutcome::{Ended, Kept, Open};
        assert_eq!(settle(Open, ExitReason::LOW_MEMORY), Kept);
        assert_eq!(settle(Open, ExitReason::ANR), Kept);
        assert_eq!(settle(Open, ExitReason::CRASH), Open);
        // A library may end the process after a crash.
        assert_eq!(settle(Open, ExitReason::SIGNALED), Open);
        assert_eq!(settle(Open, ExitReason::EXIT_SELF), Open);
        // A reason of a newer Android.
        assert_eq!(settle(Open, ExitReason(99)), Open);
        // What the log proves stays.
        assert_eq!(settle(Ended, ExitReason::LOW_MEMORY), Ended);
        assert_eq!(settled(Open, None), Open);
    }
}

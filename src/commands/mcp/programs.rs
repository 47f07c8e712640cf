//! Runs of this program, bounded in time and in bytes.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;

/// Bytes that are kept of standard error.
const MOST_MESSAGES: u64 = 1 << 16;

/// Bounds of a run.
#[derive(Debug, Clone, Copy)]
pub struct RunLimits {
    /// Time after which the program is stopped.
    pub time: Duration,
    /// Bytes of standard output after which the program is stopped.
    pub printed_bytes: u64,
}

/// A program that prints answers: this one, except in tests.
#[derive(Debug, Clone)]
pub struct CommandRunner {
    path: PathBuf,
    limits: RunLimits,
}

/// The text that a program printed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// Standard output, in whole lines if the program was stopped.
    pub text: String,
    /// Notes of the server, then standard error: damage, and why something is missing.
    pub messages: String,
    /// False if the program failed and printed no text.
    pub is_answer: bool,
}

/// The end of a run.
enum End {
    Exit(ExitStatus),
    TooLong,
    TooSlow,
}

impl CommandRunner {
    /// Names a program and its bounds.
    pub fn new(path: PathBuf, limits: RunLimits) -> CommandRunner {
        CommandRunner { path, limits }
    }

    /// Returns the bounds of each run.
    pub fn limits(&self) -> RunLimits {
        self.limits
    }

    /// Runs the program and collects what it prints. The program ends with the returned future.
    pub async fn run(&self, arguments: &[OsString]) -> Printed {
        match self.collect(arguments).await {
            Ok(printed) => printed,
            Err(error) => Printed {
                messages: format!("error: {}: {error}", self.path.display()),
                ..Printed::default()
            },
        }
    }

    async fn collect(&self, arguments: &[OsString]) -> io::Result<Printed> {
        let mut command = Command::new(&self.path);
        command.args(arguments).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let (mut text, mut messages) = (Vec::new(), Vec::new());
        let most = self.limits.printed_bytes;
        let read = async {
            let output = async {
                let Some(mut output) = output else { return Ok(true) };
                let is_whole = read_most(&mut output, most, &mut text).await?;
                if !is_whole {
                    child.start_kill()?;
                }
                io::Result::Ok(is_whole)
            };
            let errors = async {
                let Some(mut errors) = errors else { return Ok(0) };
                read_most(&mut errors, MOST_MESSAGES, &mut messages).await?;
                // A program whose messages nobody reads would wait forever.
                tokio::io::copy(&mut errors, &mut tokio::io::sink()).await
            };
            let (is_whole, _) = tokio::try_join!(output, errors)?;
            let status = child.wait().await?;
            io::Result::Ok(if is_whole { End::Exit(status) } else { End::TooLong })
        };
        let end = match tokio::time::timeout(self.limits.time, read).await {
            Ok(end) => end?,
            Err(_) => {
                child.kill().await?;
                End::TooSlow
            }
        };
        Ok(self.printed(&text, &messages, &end))
    }

    fn printed(&self, text: &[u8], messages: &[u8], end: &End) -> Printed {
        let note = match end {
            End::Exit(_) => String::new(),
            End::TooLong => format!(
                "note: only the first {} MiB of the answer are kept: ask for fewer sessions, a \
                 thread or a callback\n",
                self.limits.printed_bytes >> 20
            ),
            End::TooSlow => format!(
                "note: stopped after {:.1} s, the answer is not complete: ask for fewer sessions, \
                 or restart the server with a larger --answer-time\n",
                self.limits.time.as_secs_f64()
            ),
        };
        let (is_success, text) = match end {
            End::Exit(status) => (status.success(), text),
            // The last line may be half of one.
            _ => (false, &text[..text.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1)]),
        };
        Printed {
            is_answer: is_success || !text.is_empty(),
            text: String::from_utf8_lossy(text).into_owned(),
            messages: note + &String::from_utf8_lossy(messages),
        }
    }
}

/// Reads at most `most` bytes to the end of `into`. Returns true if the stream has no more.
async fn read_most(
    stream: &mut (impl AsyncRead + Unpin),
    most: u64,
    into: &mut Vec<u8>,
) -> io::Result<bool> {
    (&mut *stream).take(most).read_to_end(into).await?;
    Ok(stream.read(&mut [0]).await? == 0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Runs a script of the shell within these bounds.
    fn run(script: &str, time_ms: u64, printed_bytes: u64) -> Printed {
        let limits = RunLimits { time: Duration::from_millis(time_ms), printed_bytes };
        let arguments = ["-c".into(), script.into()];
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(CommandRunner::new("/bin/sh".into(), limits).run(&arguments))
    }

    #[test]
    fn a_program_that_hangs_is_stopped_and_its_lines_are_kept() {
        let started = std::time::Instant::now();
        let printed = run("echo first; printf half; exec sleep 60", 1000, 1000);
        assert!(started.elapsed() < Duration::from_secs(30));
        assert!(printed.is_answer && printed.text == "first\n", "{printed:?}");
        assert!(printed.messages.contains("stopped after 1.0 s"), "{printed:?}");
    }

    #[test]
    fn a_program_that_hangs_without_a_line_has_no_answer() {
        let printed = run("exec sleep 60", 200, 1000);
        assert!(!printed.is_answer && printed.messages.contains("not complete"), "{printed:?}");
    }

    #[test]
    fn endless_output_is_cut_at_a_line() {
        let printed = run("exec yes line", 60_000, 1002);
        assert!(printed.is_answer, "{printed:?}");
        assert_eq!(printed.text, "line\n".repeat(200));
        assert!(printed.messages.contains("are kept"), "{printed:?}");
    }

    #[test]
    fn output_of_exactly_the_limit_is_whole() {
        let printed = run("printf 12345", 60_000, 5);
        assert_eq!(
            printed,
            Printed { text: "12345".into(), messages: String::new(), is_answer: true }
        );
    }

    #[test]
    fn endless_messages_do_not_stop_the_output() {
        let script = "head -c 1000000 /dev/zero >&2; echo end";
        let printed = run(script, 60_000, 1000);
        assert_eq!(printed.text, "end\n");
        assert_eq!(printed.messages.len(), 1 << 16);
    }

    #[test]
    fn a_failed_program_answers_only_with_text() {
        let printed = run("echo why >&2; exit 1", 60_000, 1000);
        assert!(!printed.is_answer && printed.messages == "why\n", "{printed:?}");
        assert!(run("echo part; exit 1", 60_000, 1000).is_answer);
        assert!(run("exit 0", 60_000, 1000).is_answer);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_ends_with_its_question() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let script = format!("echo $$ > '{}'; exec sleep 600", file.display());
        let limits = RunLimits { time: Duration::from_secs(600), printed_bytes: 1 };
        let program = CommandRunner::new("/bin/sh".into(), limits);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let process = runtime.block_on(async {
            let arguments = ["-c".into(), script.into()];
            let run = program.run(&arguments);
            let wait = async {
                loop {
                    let text = std::fs::read_to_string(&file).unwrap_or_default();
                    if text.ends_with('\n') {
                        return text;
                    }
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            };
            tokio::select! {
                _ = run => panic!("it sleeps"),
                process = wait => process,
            }
        });
        let state = format!("/proc/{}/stat", process.trim());
        for _ in 0..1000 {
            // A killed process is a zombie until it is waited for.
            match std::fs::read_to_string(&state) {
                Ok(text) if !text.contains(") Z") => {}
                _ => return,
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the program runs on");
    }

    #[test]
    fn a_program_that_cannot_start_is_named() {
        let limits = RunLimits { time: Duration::from_secs(1), printed_bytes: 1 };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let printed =
            runtime.block_on(CommandRunner::new("/no/such/program".into(), limits).run(&[]));
        assert!(!printed.is_answer && printed.messages.contains("/no/such/program"));
    }
}

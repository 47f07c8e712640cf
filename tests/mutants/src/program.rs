//! The program itself on a damaged file: it ends in time, by itself, with the right exit code, and
//! an error names the file.

use model::recording::{Recording, TraceCodec};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Case, fixtures};

/// A run that takes longer is a finding.
const LIMIT: Duration = Duration::from_secs(10);

/// The program, and a folder with sound files that it may need beside the damaged one: `APP` (a
/// package), `DEX`, `LOG` and `BUILD` (a log and its map).
pub struct Program {
    binary: PathBuf,
    folder: TempDir,
}

impl Program {
    /// Makes the folder.
    ///
    /// # Errors
    /// A file that cannot be made.
    pub fn new(binary: &Path) -> Result<Program, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let program = Program { binary: binary.to_owned(), folder };
        let map = fixtures::map_of("inline", Recording::Trace(TraceCodec::ArithAdaptive))?;
        program.write("APP", &fixtures::file("android-fixtures/kernels/prebuilt/kernels.apk")?)?;
        program.write("DEX", &fixtures::file("tests/truth/fixtures/inline/program.dex")?)?;
        program.write("BUILD", &map.to_bytes())?;
        program.write("LOG", &fixtures::session(&map, &mut mutation::Rng::new(1), 50))?;
        Ok(program)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        std::fs::write(self.folder.path().join(name), bytes).map_err(|e| format!("{name}: {e}"))
    }

    /// Runs a call on the damaged file.
    ///
    /// # Errors
    /// The misbehaviour, as text.
    pub fn run(&self, call: &str, case: &Case) -> Result<(), String> {
        self.write("FILE", &case.bytes)?;
        if let Some(beside) = &case.beside {
            self.write("BESIDE", beside)?;
        }
        let at = |name: &str| self.folder.path().join(name);
        let io = |e: std::io::Error| e.to_string();
        let (out, err) = (at("stdout"), at("stderr"));
        let mut child = Command::new(&self.binary)
            .args(call.split(' '))
            .current_dir(self.folder.path())
            .env("XDG_CONFIG_HOME", self.folder.path())
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&out).map_err(io)?)
            .stderr(std::fs::File::create(&err).map_err(io)?)
            .spawn()
            .map_err(io)?;
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(io)? {
                break status;
            }
            if began.elapsed() > LIMIT {
                // It may have ended by itself meanwhile, which changes nothing.
                let _ = child.kill();
                child.wait().map_err(io)?;
                return Err(format!("`pathlight {call}` takes more than {} s", LIMIT.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let output = String::from_utf8_lossy(&std::fs::read(&err).map_err(io)?).replace('\n', " ");
        // Outputs of other kinds would be refused in the next case.
        for name in ["OUT", "MAP"] {
            let _ = std::fs::remove_file(at(name));
        }
        let _ = std::fs::remove_dir_all(at("FOLDER"));
        let wrong = match status.code() {
            Some(0) => None,
            // Several logs may have a part in this; the output before it names them and the places.
            Some(1) if output.contains("damage in what was read") => None,
            Some(1)
                if ["FILE", "BESIDE", "DEX: ", "APP: "]
                    .iter()
                    .any(|name| output.contains(name)) =>
            {
                None
            }
            Some(1) => Some("an error that does not name the file".to_owned()),
            Some(code) => Some(format!("exit code {code}")),
            None => Some(status.to_string()),
        };
        let output: String = output.chars().take(400).collect();
        wrong.map_or(Ok(()), |wrong| Err(format!("`pathlight {call}`: {wrong}: {output}")))
    }
}

//! A folder with an app, its map, logs and a model, and the program to run in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use model::map::Map;
use model::trace::{SlabHeader, encode_logcat};
use tempfile::TempDir;
use tests::sim::{Habits, Rng, file_header, identity, play, slabs};

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Files that every folder gets: made once by the program itself.
struct Made {
    folder: TempDir,
}

/// A folder of its own for one test.
pub struct Work {
    folder: TempDir,
}

/// The result of a run.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(o: Output) -> Ran {
        Ran {
            code: o.status.code(),
            out: String::from_utf8(o.stdout).expect("output is UTF-8"),
            err: String::from_utf8(o.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Ran {
    /// Demands success.
    #[track_caller]
    pub fn ok(self) -> Ran {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self
    }

    /// Demands that the job failed, with these words on standard error.
    #[track_caller]
    pub fn fails(self, words: &str) -> Ran {
        assert_eq!(self.code, Some(1), "{}{}", self.out, self.err);
        assert!(self.err.contains(words), "{}", self.err);
        self
    }
}

/// The program, to run in `folder`; nothing of the user's own configuration reaches it.
pub fn pathlight(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pathlight"));
    command.current_dir(folder).env("XDG_CONFIG_HOME", made().folder.path().join("config"));
    command
}

/// `app.apk` (the tether fixture), `split_config.de.apk` (a split of it), `app.apks` (both),
/// `app.aab`, `beta.apk` and `app.plmap` (instrumented), `session.plt` and `beta.log` (a
/// simulated session, as a trace file and in logcat), `model.json` (trained with them),
/// `release.p12` (a key; its password is `secret1`), `password.txt`, `mapping.txt`.
fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        let copy = |from: &str, to: &str| {
            std::fs::copy(repository(from), at(to)).expect("a file of the repository")
        };
        copy("android-fixtures/tether/prebuilt/tether.apk", "app.apk");
        copy("android-fixtures/tether/prebuilt/split_config.de.apk", "split_config.de.apk");
        let read = |name: &str| std::fs::read(at(name)).expect("it was copied");
        let (base, split) = (read("app.apk"), read("split_config.de.apk"));
        let apks: [(&str, &[u8]); 3] = [
            ("toc.pb", b"of bundletool"),
            ("splits/base-de.apk", &split),
            ("splits/base-master.apk", &base),
        ];
        std::fs::write(at("app.apks"), tests::zip::stored(&apks)).expect("written");
        std::fs::write(at("app.aab"), bundle(&at("app.apk"), b"")).expect("written");
        copy("android-fixtures/notes/prebuilt/notes.mapping.txt", "mapping.txt");
        copy(KEY, "release.p12");
        std::fs::write(at("password.txt"), "secret1\n").expect("written");
        let run = |args: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_pathlight"));
            command.current_dir(folder.path()).env("XDG_CONFIG_HOME", at("config")).args(args);
            Ran::from(command.output().expect("the program starts")).ok();
        };
        run(&[
            "instrument",
            "app.apk",
            "-o",
            "beta.apk",
            "--map",
            "app.plmap",
            "--codec",
            "arith-adaptive-shift",
        ]);
        let map = Map::from_bytes(&std::fs::read(at("app.plmap")).expect("a map")).expect("a map");
        std::fs::write(at("session.plt"), trace(&map, "main")).expect("written");
        std::fs::write(at("beta.log"), logcat(&map)).expect("written");
        std::fs::create_dir(at("bin")).expect("a folder");
        script(&at("bin/adb"), PHONE);
        run(&["train", "--map", "app.plmap", "session.plt", "-o", "model.json"]);
        Made { folder }
    })
}

/// An adb that sees one phone: its log is beta.log, and the app's cache holds session.plt. The real
/// one is asked by `cargo xtask oracles device`.
const PHONE: &str = r#"#!/bin/sh
case "$*" in
  "devices -l")
    printf 'List of devices attached\nemulator-5554 device product:sdk model:Pixel_7\n' ;;
  version) printf 'Android Debug Bridge version 1.0.41\nVersion 35.0.2-12147458\n' ;;
  "logcat -d") cat beta.log ;;
  "-s emulator-5554 logcat "*) grep 'Pathlight: ' beta.log ;;
  "-s emulator-5554 install"*) echo Success ;;
  "-s emulator-5554 shell am start "*) echo Starting ;;
  "-s emulator-5554 exec-out "*" ls;"*)
    echo "pathlight-0123abcd-4711-1700000000000.plt"; echo "PATHLIGHT-END 0" ;;
  "-s emulator-5554 exec-out "*cat*) cat session.plt; echo "PATHLIGHT-END 0" ;;
  *) echo "adb: no such command: $*" >&2; exit 1 ;;
esac
"#;

/// A PKCS#12 file with one RSA key.
const KEY: &str = "apk/tests/keys/keytool17.p12";

/// An app bundle with the code of this app, and where there is one, R8's mapping.
pub fn bundle(apk: &Path, mapping: &[u8]) -> Vec<u8> {
    let dex = apk::Apk::read(apk).and_then(|apk| apk.dex_files()).expect("dex files");
    // `XmlNode` and `XmlElement` of aapt2's Resources.proto: <manifest package="…">.
    let field = |number: u8, bytes: &[u8]| [&[number << 3 | 2, bytes.len() as u8], bytes].concat();
    let package = [field(2, b"package"), field(3, b"org.example.tether")].concat();
    let manifest = field(1, &[field(3, b"manifest"), field(4, &package)].concat());
    let mut entries: Vec<(&str, &[u8])> = vec![
        ("BundleConfig.pb", b""),
        ("base/manifest/AndroidManifest.xml", &manifest),
        ("base/dex/classes.dex", &dex.loaded[0].bytes),
    ];
    if !mapping.is_empty() {
        let name = "BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map";
        entries.push((name, mapping));
    }
    tests::zip::stored(&entries)
}

/// Writes a program in a scripting language.
pub fn script(path: &Path, text: &str) {
    std::fs::write(path, text).expect("written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
            .expect("permissions");
    }
}

fn session(map: &Map, thread: &str) -> Vec<(SlabHeader, Vec<u8>)> {
    slabs(&play(map, map, thread, &mut Rng::new(7), Habits::plain(3000, false)), 1, 500, true)
}

/// The same in logcat, among other apps' lines.
fn logcat(map: &Map) -> String {
    let line = |tag: &str, text: &str| format!("11-21 09:12:45.002  4711  4711 I {tag}: {text}\n");
    let lines = session(map, "main").into_iter().map(|(h, p)| {
        line("Pathlight", &encode_logcat(&identity(map, 4711), &h, &p))
            + &line("chatty", "nothing of ours")
    });
    lines.collect()
}

/// A trace file of one thread of this name, with random paths through the app.
pub fn trace(map: &Map, thread: &str) -> Vec<u8> {
    let slabs = session(map, thread);
    model::trace::write_trace(&file_header(map, 544, 4711), slabs.iter().map(|(h, p)| (*h, &p[..])))
}

/// The commands that `--help` lists, with those inside them ("", "device", "device pull"); hidden
/// ones are not among them.
pub fn commands(work: &Work) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut next = 0;
    while let Some(command) = found.get(next).cloned() {
        next += 1;
        let help = work.run(&format!("{command} --help")).ok().out;
        // Headings end with a colon; a command's line is its name, two spaces and what it does.
        let is_of_commands = |heading: &str| match command.as_str() {
            "" => heading != "Options:" && !heading.starts_with("Example"),
            _ => heading == "Commands:",
        };
        let mut within = false;
        for line in help.lines().skip(1) {
            if !line.starts_with(' ') {
                within = (within && line.is_empty()) || is_of_commands(line);
            } else if let Some((name, _)) = line.trim_start().split_once("  ").filter(|_| within)
                && name != "help"
            {
                found.push(format!("{command} {name}").trim_start().to_owned());
            }
        }
    }
    assert!(found.len() >= 25, "{found:?}");
    found
}

impl Work {
    /// A folder with the files of [`made`].
    pub fn new() -> Work {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for entry in std::fs::read_dir(made().folder.path()).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.file_name().expect("a name");
                std::fs::copy(&path, folder.path().join(name)).expect("copied");
            }
        }
        Work { folder }
    }

    /// An empty folder.
    pub fn empty() -> Work {
        Work { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The bytes of a file in the folder.
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
    }

    /// The map.
    pub fn map(&self) -> Map {
        Map::from_bytes(&self.read("app.plmap")).expect("a map")
    }

    /// Names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Runs the program with these words, split at spaces.
    pub fn run(&self, words: &str) -> Ran {
        let mut command = pathlight(self.folder.path());
        command.args(words.split_whitespace());
        command.output().expect("the program starts").into()
    }

    /// Runs a line in the shell; `pathlight` there is the program.
    pub fn shell(&self, line: &str) -> Ran {
        // The program's own folder, and one with a phone (`adb`) that is none.
        let program = Path::new(env!("CARGO_BIN_EXE_pathlight"));
        let path = std::env::var("PATH").unwrap_or_default();
        let folder = program.parent().expect("a folder").display();
        let mut command = Command::new("bash");
        command.args(["-c", line]).current_dir(self.folder.path());
        command
            .env("PATH", format!("{folder}:{}:{path}", made().folder.path().join("bin").display()));
        command.env("XDG_CONFIG_HOME", made().folder.path().join("config")).env("PAGER", "cat");
        command.output().expect("bash starts").into()
    }
}

//! Installs each download in an empty root folder, and runs it there on a fixture app.

use std::env::consts::OS;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::content::{Content, SHELLS};
use super::{Downloads, LinuxDownloads, SUMS, file_name, image, packages, place};
use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sha256, sorted};
use crate::portable::{furnish, inside};
use crate::process::output;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Tasks of each download. The outputs must be those of the binary that it was made from.
const TASKS: [&str; 2] =
    ["instrument app.apk -o beta.apk --map app.plmap", "crash --map recorded.plmap session.plt"];
/// Files that [`TASKS`] write.
const WRITTEN: [&str; 2] = ["beta.apk", "app.plmap"];

/// Outputs of the tasks.
#[derive(PartialEq)]
struct Results {
    printed: Vec<String>,
    written: Vec<Vec<u8>>,
}

/// Checks all files.
///
/// # Errors
/// Fails if one does not pass.
pub fn run(downloads: &Downloads, content: &Content, here: &Workspace) -> Result<()> {
    let mut tally = Tally::default();
    sums(downloads, &mut tally)?;
    bill(&downloads.list, content, &mut tally)?;
    let Some(linux) = &downloads.linux else {
        println!("skipped: downloads in an empty root folder: this is not Linux");
        return tally.finish();
    };
    let trial = Trial::new(content, here)?;
    let count = |tally: &mut Tally, name: &str, outcome: Result<String>| {
        tally.count(name, outcome.map_err(|error| error.to_string()));
    };
    count(&mut tally, "archive", archive(&trial, &downloads.archive));
    count(&mut tally, "symbols", symbols(&linux.symbols, content));
    count(&mut tally, "Debian package", debian_package(&trial, &linux.deb));
    count(&mut tally, "container image", container_image(&trial, &linux.image));
    count(&mut tally, "wheel", wheel(&trial, linux));
    tally.finish()
}

fn wrong<T>(text: impl Into<String>) -> Result<T> {
    Err(Error::Wrong(text.into()))
}

/// The sums must be those that coreutils computes, for every file.
fn sums(downloads: &Downloads, tally: &mut Tally) -> Result<()> {
    let file = downloads.folder.join(SUMS);
    let lines = fs::read_to_string(&file).at(&file)?.lines().count();
    // Not every other system has coreutils.
    if OS == "linux" {
        let mut command = Command::new("sha256sum");
        command.current_dir(&downloads.folder).args(["--check", "--strict", "--quiet", SUMS]);
        let outcome = output(&mut command).map_err(|error| error.to_string());
        tally.count("sums", outcome.map(|_| format!("{lines} files")));
    }
    let all = downloads.files().len();
    let complete = if lines == all { Ok(format!("all {all}")) } else { Err(format!("not {all}")) };
    tally.count("files in the list of sums", complete);
    Ok(())
}

fn bill(file: &Path, content: &Content, tally: &mut Tally) -> Result<()> {
    let text = fs::read_to_string(file).at(file)?;
    let bill: Value = serde_json::from_str(&text)
        .map_err(|e| Error::Wrong(format!("{}: {e}", file.display())))?;
    let mut faults = packages::faults(&bill);
    let nothing = Vec::new();
    let components = bill["components"].as_array().unwrap_or(&nothing);
    let is_listed = |name: &str| components.iter().any(|c| c["name"] == name);
    let missing = content.packages.foreign().filter(|name| !is_listed(name));
    faults.extend(missing.map(|name| format!("{name} is linked and not listed")));
    let outcome = match faults.is_empty() {
        true => Ok(format!("{} components", components.len())),
        false => Err(faults.join("; ")),
    };
    tally.count("bill of materials", outcome);
    Ok(())
}

/// The inputs of the tasks, and what the binary itself makes of them.
struct Trial<'a> {
    here: &'a Workspace,
    /// The debug key of all runs: a new one would change the signature.
    keys: PathBuf,
    expected: Results,
    version: String,
    _work: tempfile::TempDir,
}

impl<'a> Trial<'a> {
    fn new(content: &Content, here: &'a Workspace) -> Result<Self> {
        let work = scratch()?;
        furnish(work.path(), here)?;
        let keys = work.path().join("config");
        let mut printed = Vec::new();
        for task in TASKS {
            let mut command = Command::new(&content.binary);
            command.current_dir(work.path()).env_clear().env("XDG_CONFIG_HOME", &keys);
            printed.push(output(command.args(task.split(' ')))?);
        }
        let expected = Results { printed, written: written(work.path())? };
        let version = format!("pathlight {}", content.version);
        Ok(Self { here, keys, expected, version, _work: work })
    }

    /// Runs the tasks in a root folder that has nothing but the download; `program` is the path
    /// there.
    fn run(&self, root: &Path, program: &str) -> Result<String> {
        furnish(root, self.here)?;
        for key in sorted(&self.keys.join("pathlight"))? {
            place(&key, &root.join("config/pathlight").join(file_name(&key)))?;
        }
        let version = output(inside(root)?.args([program, "--version"]))?;
        if version.trim() != self.version {
            return wrong(format!("its version is {version:?}, not {:?}", self.version));
        }
        let mut printed = Vec::new();
        for task in TASKS {
            printed.push(output(inside(root)?.arg(program).args(task.split(' ')))?);
        }
        if (Results { printed, written: written(root)? }) != self.expected {
            return wrong("its outputs differ from those of the binary");
        }
        Ok("runs in an empty root folder; the same outputs".into())
    }
}

fn written(folder: &Path) -> Result<Vec<Vec<u8>>> {
    WRITTEN.iter().map(|name| fs::read(folder.join(name)).at(&folder.join(name))).collect()
}

fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    output(tar.arg("--extract").arg("--file").arg(archive).arg("--directory").arg(folder)).map(drop)
}

fn archive(trial: &Trial, archive: &Path) -> Result<String> {
    let root = scratch()?;
    unpack(archive, root.path())?;
    let name = file_name(archive);
    let name = name.strip_suffix(".tar.xz").unwrap_or(&name);
    let folder = root.path().join(name);
    manual_pages(&sorted(&folder.join("man"))?)?;
    let scripts = SHELLS.map(|(_, file)| folder.join("completions").join(file));
    completions(&scripts[0], &scripts)?;
    for file in ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt", "README.md"] {
        folder.join(file).metadata().at(&folder.join(file))?;
    }
    trial.run(root.path(), &format!("/{name}/pathlight"))
}

/// The symbols must belong to the binary, and name its functions.
fn symbols(archive: &Path, content: &Content) -> Result<String> {
    let folder = scratch()?;
    unpack(archive, folder.path())?;
    let file = folder.path().join("pathlight.debug");
    let names = output(Command::new("nm").arg(&file))?;
    let count = names.lines().count();
    let id = |file: &Path| -> Result<Option<String>> {
        let notes = output(Command::new("readelf").args(["--notes", "--wide"]).arg(file))?;
        Ok(notes.lines().find_map(|l| l.trim().strip_prefix("Build ID: ").map(str::to_owned)))
    };
    let (symbols, program) = (id(&file)?, id(&content.binary)?);
    if symbols != program {
        return wrong(format!("they are of build {symbols:?}, the binary of {program:?}"));
    }
    let mut link = Command::new("readelf");
    let link = output(link.arg("--string-dump=.gnu_debuglink").arg(&content.binary))?;
    if !link.contains("pathlight.debug") {
        return wrong("the binary does not name the file of its symbols");
    }
    let stripped = output(Command::new("nm").arg(&content.binary)).unwrap_or_default();
    if !names.contains("main") || !stripped.is_empty() {
        return wrong("they are not apart from the binary");
    }
    Ok(format!("{count} symbols, of the same build; the binary names them"))
}

fn manual_pages(pages: &[PathBuf]) -> Result<()> {
    if !pages.iter().any(|page| file_name(page).starts_with("pathlight-instrument.1")) {
        return wrong("no manual page of `instrument`");
    }
    for page in pages {
        let text = output(Command::new("gzip").args(["-d", "-c", "-f"]).arg(page))?;
        if !text.contains(".TH ") {
            return wrong(format!("{}: not a manual page", page.display()));
        }
    }
    Ok(())
}

fn completions(bash: &Path, all: &[PathBuf]) -> Result<()> {
    for script in all {
        let text = fs::read_to_string(script).at(script)?;
        if !text.contains("instrument") {
            return wrong(format!("{}: does not know `instrument`", script.display()));
        }
    }
    output(Command::new("bash").arg("-n").arg(bash)).map(drop)
}

/// `dpkg` with this root folder. There are no scripts of maintainers that would need a shell there.
fn dpkg(root: &Path) -> Result<Command> {
    let is_root = output(Command::new("id").arg("-u"))?.trim() == "0";
    let mut command = Command::new(if is_root { "dpkg" } else { "unshare" });
    if !is_root {
        command.args(["--map-root-user", "dpkg"]);
    }
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").arg(format!("--root={}", root.display()));
    Ok(command)
}

fn debian_package(trial: &Trial, package: &Path) -> Result<String> {
    let folder = scratch()?;
    let root = folder.path();
    let state = root.join("var/lib/dpkg");
    for folder in ["info", "updates", "triggers"] {
        fs::create_dir_all(state.join(folder)).at(&state)?;
    }
    fs::write(state.join("status"), "").at(&state)?;
    output(dpkg(root)?.arg("--install").arg(package))?;
    let status = output(dpkg(root)?.args(["--status", "pathlight"]))?;
    if !status.contains("Status: install ok installed") {
        return wrong(format!("dpkg reports: {status}"));
    }
    let share = root.join("usr/share");
    manual_pages(&sorted(&share.join("man/man1"))?)?;
    let bash = share.join("bash-completion/completions/pathlight");
    let zsh = share.join("zsh/vendor-completions/_pathlight");
    let fish = share.join("fish/vendor_completions.d/pathlight.fish");
    completions(&bash, &[bash.clone(), zsh, fish])?;
    for file in ["copyright", "LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt.gz"] {
        let file = share.join("doc/pathlight").join(file);
        file.metadata().at(&file)?;
    }
    let ran = trial.run(root, "/usr/bin/pathlight")?;
    output(dpkg(root)?.args(["--remove", "pathlight"]))?;
    if root.join("usr/bin/pathlight").exists() || share.join("doc/pathlight").exists() {
        return wrong("files are left after `dpkg --remove`");
    }
    Ok(format!("dpkg installs and removes it; {ran}"))
}

/// Follows the layout from its index: every blob must have the digest and the size that name it.
fn container_image(trial: &Trial, archive: &Path) -> Result<String> {
    let (layout, root) = (scratch()?, scratch()?);
    unpack(archive, layout.path())?;
    let read = |name: &str| -> Result<Value> {
        let file = layout.path().join(name);
        let text = fs::read_to_string(&file).at(&file)?;
        serde_json::from_str(&text).map_err(|e| Error::Wrong(format!("{name}: {e}")))
    };
    let blob = |descriptor: &Value| -> Result<String> {
        let name = image::path_of(descriptor);
        let file = layout.path().join(&name);
        let size = file.metadata().at(&file)?.len();
        if descriptor["digest"] != format!("sha256:{}", sha256(&file)?)
            || descriptor["size"] != size
        {
            return wrong(format!("{name} differs from its descriptor"));
        }
        Ok(name)
    };
    if read("oci-layout")?["imageLayoutVersion"] != "1.0.0" {
        return wrong("no OCI layout");
    }
    let manifest = read(&blob(&read("index.json")?["manifests"][0])?)?;
    let config_name = blob(&manifest["config"])?;
    let config = read(&config_name)?;
    let layer = blob(&manifest["layers"][0])?;
    let docker = read("manifest.json")?;
    if docker[0]["Config"] != config_name.as_str() || docker[0]["Layers"][0] != layer.as_str() {
        return wrong("manifest.json names other blobs than the index");
    }
    let layer = layout.path().join(layer);
    let plain = layout.path().join("layer.tar");
    let mut gzip = Command::new("gzip");
    gzip.args(["--decompress", "--stdout"]).arg(&layer);
    gzip.stdout(fs::File::create(&plain).at(&plain)?);
    crate::process::quietly(&mut gzip)?;
    if config["rootfs"]["diff_ids"][0] != format!("sha256:{}", sha256(&plain)?) {
        return wrong("the layer's content differs from the configuration");
    }
    unpack(&layer, root.path())?;
    let program = config["config"]["Entrypoint"][0].as_str().unwrap_or_default();
    trial.run(root.path(), program)
}

/// Installs the wheel with pip; the program must be what every Linux of this machine can start.
fn wheel(trial: &Trial, linux: &LinuxDownloads) -> Result<String> {
    let (folder, root) = (scratch()?, scratch()?);
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-cache-dir"]);
    pip.arg("--target").arg(folder.path()).arg(&linux.wheel);
    output(&mut pip)?;
    let program = folder.path().join("bin/pathlight");
    place(&program, &root.path().join("pathlight"))?;
    trial.run(root.path(), "/pathlight").map(|ran| format!("pip installs it; {ran}"))
}

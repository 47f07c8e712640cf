//! The downloads: an archive, a Debian package, a wheel, a container image, the symbols, the
//! list of everything that is linked, and the sums of all files.

mod check;
mod content;
mod deb;
mod image;
mod packages;
mod wheel;

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{PathContext, Result};
use crate::files::sha256;
use crate::portable;
use crate::process::output;
use crate::workspace::Workspace;
use content::Content;

/// The file that lists the sums.
const SUMS: &str = "SHA256SUMS";

/// Folder of the downloads, and their checks.
#[derive(clap::Args)]
pub struct ReleaseOptions {
    /// Write the files into this folder; files of the same names are replaced [default:
    /// target/downloads]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only build the binary
    #[arg(long, conflicts_with_all = ["out", "check"])]
    binary_only: bool,
    /// Install each file in an empty root folder, and run it there on a fixture app
    #[arg(long)]
    check: bool,
}

/// The files of a release. Systems other than Linux have the archive and the list only.
pub struct Downloads {
    /// The folder of all files.
    folder: PathBuf,
    archive: PathBuf,
    list: PathBuf,
    linux: Option<LinuxDownloads>,
}

/// Files that only a static Linux binary makes possible.
pub struct LinuxDownloads {
    symbols: PathBuf,
    deb: PathBuf,
    wheel: PathBuf,
    image: PathBuf,
}

impl Downloads {
    fn files(&self) -> Vec<&Path> {
        let linux = self.linux.iter().flat_map(|l| [&l.symbols, &l.deb, &l.wheel, &l.image]);
        [&self.archive, &self.list].into_iter().chain(linux).map(PathBuf::as_path).collect()
    }
}

/// Makes the files of a release from `$PATHLIGHT` or from a static build.
///
/// # Errors
/// Fails if the binary does not build or is not static, a file cannot be made, or a download does
/// not pass its check.
pub fn run(options: &ReleaseOptions, here: &Workspace) -> Result<()> {
    if OS == "linux" {
        here.packages(&["release"])?;
    }
    if options.binary_only {
        return portable::build(here).map(drop);
    }
    let folder = options.out.clone().unwrap_or_else(|| here.target.join("downloads"));
    fs::create_dir_all(&folder).at(&folder)?;
    let folder = folder.canonicalize().at(&folder)?;
    let content = Content::collect(here)?;
    let downloads = make(&content, folder)?;
    write_sums(&downloads)?;
    for file in downloads.files() {
        let size = file.metadata().at(file)?.len();
        println!("{:>7.1} MB  {}", size as f64 / 1e6, file.display());
    }
    if options.check { check::run(&downloads, &content, here) } else { Ok(()) }
}

fn make(content: &Content, folder: PathBuf) -> Result<Downloads> {
    let name = format!("pathlight-{}-{ARCH}-{OS}", content.version);
    let list = folder.join(format!("{name}.cdx.json"));
    let text = serde_json::to_string_pretty(
        &content.packages.bill_of_materials(&content.time()?, content.symbols.is_some()),
    )
    .expect("JSON of strings");
    fs::write(&list, text + "\n").at(&list)?;
    let ending = match OS {
        "linux" => "tar.xz",
        "windows" => "zip",
        _ => "tar.gz",
    };
    let archive = folder.join(format!("{name}.{ending}"));
    content.pack(&content.folder(&name)?, &name, &archive)?;
    let linux = if let Some(symbols) = &content.symbols {
        let file = folder.join(format!("{name}-symbols.tar.xz"));
        let parent = symbols.parent().expect("a folder");
        // The strongest level takes minutes for a few per cent less.
        content.tar(parent, "pathlight.debug", &file, "xz -1 -T0")?;
        Some(LinuxDownloads {
            symbols: file,
            deb: deb::write(content, &folder)?,
            wheel: wheel::write(content, &folder)?,
            image: image::write(content, &folder.join(format!("{name}.oci.tar")))?,
        })
    } else {
        None
    };
    Ok(Downloads { folder, archive, list, linux })
}

fn write_sums(downloads: &Downloads) -> Result<()> {
    let mut lines = Vec::new();
    for file in downloads.files() {
        lines.push(format!("{}  {}\n", sha256(file)?, file_name(file)));
    }
    lines.sort_by(|a, b| a[64..].cmp(&b[64..]));
    let file = downloads.folder.join(SUMS);
    fs::write(&file, lines.concat()).at(&file)
}

/// The last component of a path.
fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Copies a file, and makes the folders above the copy.
fn place(source: &Path, copy: &Path) -> Result<()> {
    let parent = copy.parent().expect("a folder above the copy");
    fs::create_dir_all(parent).at(parent)?;
    fs::copy(source, copy).at(source).map(drop)
}

/// Writes a text file, and makes the folders above it.
fn place_text(text: &str, file: &Path) -> Result<()> {
    let parent = file.parent().expect("a folder above the file");
    fs::create_dir_all(parent).at(parent)?;
    fs::write(file, text).at(file)
}

/// Compresses a file in its place with gzip, without name and time.
fn gzip(file: &Path) -> Result<()> {
    output(Command::new("gzip").args(["-9", "-n", "-f"]).arg(file)).map(drop)
}

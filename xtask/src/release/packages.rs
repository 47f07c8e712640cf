//! Everything that is linked into the binary: as a CycloneDX bill of materials, and the texts of
//! the licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::file_name;
use crate::error::{Error, PathContext, Result};
use crate::files::{sha256, sorted};
use crate::process::output;
use crate::workspace::Workspace;

/// Beginnings of the names of licence files.
const LICENCE_FILES: [&str; 6] =
    ["licen", "copying", "copyright", "notice", "unlicense", "authors"];

/// A crate.
struct Linked {
    name: String,
    version: String,
    licence: String,
    description: Option<String>,
    /// The SHA-256 of its archive; the project's own crates have none.
    checksum: Option<String>,
    folder: PathBuf,
    /// References of the crates that it uses.
    uses: BTreeSet<String>,
}

/// The crates that are linked into the binary.
pub struct Packages {
    /// The version of the program.
    pub version: String,
    /// The program's own reference.
    root: String,
    /// Reference → crate.
    linked: BTreeMap<String, Linked>,
    /// The version of the compiler, whose library is linked too.
    rust: String,
    /// The version of the C library, if it is linked statically.
    glibc: Option<String>,
    sums: String,
}

impl Packages {
    /// Reads what cargo links into `pathlight` on this machine; crates of tests and of build
    /// scripts are left out.
    ///
    /// # Errors
    /// Fails if cargo fails or its answer has another form.
    pub fn linked(here: &Workspace) -> Result<Self> {
        let rustc = output(Command::new("rustc").args(["--version", "--verbose"]))?;
        let field = |name: &str| {
            let value = rustc.lines().find_map(|line| line.strip_prefix(name));
            value.map(str::to_owned).ok_or_else(|| Error::Wrong(format!("rustc has no {name}")))
        };
        let mut metadata = here.cargo("metadata");
        metadata.args([
            "--format-version",
            "1",
            "--locked",
            "--filter-platform",
            &field("host: ")?,
        ]);
        let metadata: Value = serde_json::from_str(&output(&mut metadata)?)
            .map_err(|e| Error::Wrong(format!("cargo metadata: {e}")))?;
        let lock = here.path("Cargo.lock");
        let sums = sha256(&lock)?;
        let lock = fs::read_to_string(&lock).at(&lock)?;
        let glibc = output(Command::new("getconf").arg("GNU_LIBC_VERSION")).ok();
        let glibc = glibc.and_then(|text| text.trim().strip_prefix("glibc ").map(str::to_owned));
        Self::read(&metadata, (&lock, sums), field("release: ")?, glibc)
            .ok_or_else(|| Error::Wrong("cargo metadata has another form".into()))
    }

    /// `lock` is the text of `Cargo.lock`, and its sum.
    fn read(
        metadata: &Value,
        (lock, sums): (&str, String),
        rust: String,
        glibc: Option<String>,
    ) -> Option<Self> {
        let checksums = checksums(lock);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let packages: BTreeMap<&str, &Value> = metadata["packages"]
            .as_array()?
            .iter()
            .map(|package| Some((package["id"].as_str()?, package)))
            .collect::<Option<_>>()?;
        let nodes: BTreeMap<&str, &Value> = metadata["resolve"]["nodes"]
            .as_array()?
            .iter()
            .map(|node| Some((node["id"].as_str()?, node)))
            .collect::<Option<_>>()?;
        let root_id = *packages.iter().find(|(_, p)| p["name"] == "pathlight")?.0;
        let mut linked = BTreeMap::new();
        let mut waiting = vec![root_id];
        let mut seen = BTreeSet::from([root_id]);
        while let Some(id) = waiting.pop() {
            let package = packages.get(id)?;
            let mut uses = BTreeSet::new();
            for dependency in nodes.get(id)?["deps"].as_array()? {
                let kinds = dependency["dep_kinds"].as_array()?;
                // Crates of tests are `dev`, those of build scripts `build`.
                if !kinds.iter().any(|kind| kind["kind"].is_null()) {
                    continue;
                }
                let used = dependency["pkg"].as_str()?;
                uses.insert(reference(packages.get(used)?)?);
                if seen.insert(used) {
                    waiting.push(used);
                }
            }
            let (name, version) = (text(&package["name"])?, text(&package["version"])?);
            let known = Linked {
                checksum: checksums
                    .get(&(name.as_str(), version.as_str()))
                    .map(|c| (*c).to_owned()),
                name,
                version,
                licence: text(&package["license"])?.replace('/', " OR "),
                description: text(&package["description"]),
                folder: Path::new(package["manifest_path"].as_str()?).parent()?.to_owned(),
                uses,
            };
            linked.insert(reference(package)?, known);
        }
        let root = reference(packages.get(root_id)?)?;
        let version = linked.get(&root)?.version.clone();
        Some(Self { version, root, linked, rust, glibc, sums })
    }

    /// The bill of materials in CycloneDX 1.5. `time` is in the form of RFC 3339; a static binary
    /// contains the C library.
    pub fn bill_of_materials(&self, time: &str, with_c_library: bool) -> Value {
        let mut components = Vec::new();
        let mut dependencies = Vec::new();
        for (reference, linked) in &self.linked {
            let mut uses: Vec<&str> = linked.uses.iter().map(String::as_str).collect();
            if *reference == self.root {
                uses.extend(["rust-std"].into_iter().chain(with_c_library.then_some("glibc")));
            } else {
                components.push(linked.component(reference));
            }
            dependencies.push(json!({"ref": reference, "dependsOn": uses}));
        }
        let mut add = |name: &str, version: &str, licence: &str| {
            components.push(json!({
                "type": "library", "bom-ref": name, "name": name, "version": version,
                "licenses": [{"expression": licence}],
            }));
            dependencies.push(json!({"ref": name, "dependsOn": []}));
        };
        add("rust-std", &self.rust, "MIT OR Apache-2.0");
        if with_c_library {
            let version = self.glibc.as_deref().unwrap_or("unknown");
            add("glibc", version, "LGPL-2.1-or-later");
        }
        let mut program = self.linked[&self.root].component(&self.root);
        program["type"] = json!("application");
        json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "serialNumber": format!("urn:uuid:{}", self.serial()),
            "version": 1,
            "metadata": {
                "timestamp": time,
                "tools": {"components": [{"type": "application", "name": "cargo xtask release"}]},
                "component": program,
            },
            "components": components,
            "dependencies": dependencies,
        })
    }

    /// A UUID (version 8) that is the same for the same `Cargo.lock`.
    fn serial(&self) -> String {
        let s = &self.sums;
        format!("{}-{}-8{}-8{}-{}", &s[..8], &s[8..12], &s[13..16], &s[17..20], &s[20..32])
    }

    /// The licence texts of everything that is linked; a text that several crates have is printed
    /// once.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn licence_texts(&self) -> Result<String> {
        let mut all = String::from(
            "Licences of what is linked into pathlight\n\
             =========================================\n\n",
        );
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for linked in self.linked.values().filter(|linked| linked.checksum.is_some()) {
            let name = format!("{} {}", linked.name, linked.version);
            writeln!(all, "{name}: {}", linked.licence).expect("text in memory");
            let mut folders = vec![linked.folder.clone()];
            // C sources lie in a folder of their own, with their own licence.
            folders.extend(sorted(&linked.folder)?.into_iter().filter(|path| path.is_dir()));
            for folder in folders {
                for file in sorted(&folder)?.iter().filter(|file| is_licence(file)) {
                    let text = fs::read(file).at(file)?;
                    let text = String::from_utf8_lossy(&text).replace('\r', "");
                    texts.entry(text.trim().to_owned()).or_default().push(name.clone());
                }
            }
        }
        let rust = &self.rust;
        writeln!(all, "rust-std {rust}: MIT OR Apache-2.0").expect("text in memory");
        if let Some(version) = &self.glibc {
            write!(
                all,
                "glibc {version}, in static binaries: LGPL-2.1-or-later. The sources of this \
                 version of pathlight\nand `cargo xtask release` link the program anew with \
                 another version of that library.\n"
            )
            .expect("text in memory");
        }
        for (text, mut names) in texts {
            names.dedup();
            write!(all, "\n{}\n{}\n\n{text}\n", "-".repeat(72), names.join(", "))
                .expect("text in memory");
        }
        Ok(all)
    }

    /// Names of all linked crates of others.
    pub fn foreign(&self) -> impl Iterator<Item = &str> {
        self.linked.values().filter(|l| l.checksum.is_some()).map(|l| l.name.as_str())
    }
}

impl Linked {
    fn component(&self, reference: &str) -> Value {
        let mut component = json!({
            "type": "library",
            "bom-ref": reference,
            "name": self.name,
            "version": self.version,
            "licenses": [{"expression": self.licence}],
        });
        if let Some(description) = &self.description {
            component["description"] =
                json!(description.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        if let Some(checksum) = &self.checksum {
            component["purl"] = json!(reference);
            component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
        }
        component
    }
}

/// The package URL of a crate of others, the name and version of one of ours.
fn reference(package: &Value) -> Option<String> {
    let (name, version) = (package["name"].as_str()?, package["version"].as_str()?);
    let is_ours = package["source"].is_null();
    Some(if is_ours { format!("{name}@{version}") } else { format!("pkg:cargo/{name}@{version}") })
}

/// Name and version → checksum, out of `Cargo.lock`.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let mut found = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key));
            line.and_then(|rest| rest.strip_prefix(" = \"")?.strip_suffix('"'))
        };
        if let (Some(name), Some(version), Some(sum)) =
            (value("name"), value("version"), value("checksum"))
        {
            found.insert((name, version), sum);
        }
    }
    found
}

fn is_licence(file: &Path) -> bool {
    let name = file_name(file).to_lowercase();
    file.is_file() && LICENCE_FILES.iter().any(|beginning| name.starts_with(beginning))
}

/// Every breach of the form of a bill of materials, as text.
pub fn faults(bill: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if bill["bomFormat"] != "CycloneDX" || bill["specVersion"] != "1.5" {
        found.push("not a CycloneDX 1.5 document".to_owned());
    }
    let nothing = Vec::new();
    let list = |value: &'_ Value| value.as_array().unwrap_or(&nothing).clone();
    let program = bill["metadata"]["component"].clone();
    let mut references = BTreeSet::new();
    for component in list(&bill["components"]).iter().chain([&program]) {
        let reference = text(&component["bom-ref"]);
        if reference.is_empty() || text(&component["name"]).is_empty() {
            found.push(format!("a component without a name or a reference: {component}"));
        }
        if text(&component["licenses"][0]["expression"]).is_empty() {
            found.push(format!("{reference} has no licence"));
        }
        for hash in list(&component["hashes"]) {
            let digits = text(&hash["content"]);
            if digits.len() != 64 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                found.push(format!("{reference} has no SHA-256"));
            }
        }
        if !references.insert(reference.clone()) {
            found.push(format!("{reference} stands twice"));
        }
    }
    let mut reached = BTreeSet::from([text(&program["bom-ref"])]);
    let mut listed = BTreeSet::new();
    for dependency in list(&bill["dependencies"]) {
        listed.insert(text(&dependency["ref"]));
        reached.extend(list(&dependency["dependsOn"]).iter().map(text));
    }
    for other in reached.symmetric_difference(&references) {
        found.push(format!("{other} is a component that nothing uses, or is used and none"));
    }
    for other in listed.symmetric_difference(&references) {
        found.push(format!("{other} is not in both lists"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"SUM\"\n\
                        dependencies = [\n \"b\",\n]\n\n[[package]]\nname = \"pathlight\"\n\
                        version = \"2.0.0\"\n";

    fn packages() -> Packages {
        let package = |name: &str, version: &str, source: Value| {
            json!({
                "id": name, "name": name, "version": version, "source": source,
                "license": "MIT/Apache-2.0", "manifest_path": "/x/Cargo.toml",
            })
        };
        let registry = || json!("registry+https://example.com");
        let dep = |pkg: &str, kind: Value| json!({"pkg": pkg, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [
                package("pathlight", "2.0.0", Value::Null),
                package("a", "1.0.0", registry()),
                package("tested", "3.0.0", registry()),
                package("built", "4.0.0", registry()),
            ],
            "resolve": {"nodes": [
                {"id": "pathlight", "deps": [
                    dep("a", Value::Null),
                    dep("tested", json!("dev")),
                    dep("built", json!("build")),
                ]},
                {"id": "a", "deps": []},
                {"id": "tested", "deps": []},
                {"id": "built", "deps": []},
            ]},
        });
        let lock = LOCK.replace("SUM", &"5".repeat(64));
        Packages::read(
            &metadata,
            (&lock, "0123456789abcdef".repeat(4)),
            "1.90.0".into(),
            Some("2.36".into()),
        )
        .expect("packages")
    }

    #[test]
    fn a_bill_lists_what_is_linked_and_nothing_else() {
        let bill = packages().bill_of_materials("2026-01-01T00:00:00Z", true);
        let components = bill["components"].as_array().unwrap();
        let names: Vec<_> = components.iter().map(|c| c["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["a", "rust-std", "glibc"]);
        assert_eq!(components[0]["purl"], "pkg:cargo/a@1.0.0");
        assert_eq!(components[0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(components[0]["hashes"][0]["content"], "5".repeat(64));
        assert_eq!(bill["metadata"]["component"]["name"], "pathlight");
        assert_eq!(bill["serialNumber"], "urn:uuid:01234567-89ab-8def-8123-456789abcdef");
        assert_eq!(faults(&bill), Vec::<String>::new());
    }

    #[test]
    fn faults_of_a_bill_are_found() {
        let good = packages().bill_of_materials("2026-01-01T00:00:00Z", true);
        for (pointer, value) in [
            ("/specVersion", json!("9")),
            ("/components/0/hashes/0/content", json!("55")),
            ("/components/0/licenses", json!([])),
            ("/components/0/bom-ref", json!("glibc")),
            ("/dependencies/1/dependsOn", json!(["nothing"])),
        ] {
            let mut bad = good.clone();
            *bad.pointer_mut(pointer).expect(pointer) = value;
            assert!(!faults(&bad).is_empty(), "{pointer}");
        }
    }
}

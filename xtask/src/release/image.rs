//! The container image: an OCI image layout in a tar, from scratch, with the binary only.

use std::env::consts::OS;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::content::{Content, debian_architecture};
use super::{file_name, gzip, place, place_text};
use crate::error::{PathContext, Result};
use crate::files::sha256;

const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// The folder that a user mounts the app into.
const MOUNTED: &str = "/work";

/// Writes the image. `manifest.json` is for Docker before 25, which does not know OCI layouts.
///
/// # Errors
/// Fails if a file cannot be written or `tar` fails.
pub fn write(content: &Content, image: &Path) -> Result<PathBuf> {
    let root = content.empty_folder("image-root")?.join("root");
    place(&content.binary, &root.join("pathlight"))?;
    for file in &content.licences {
        place(file, &root.join("licenses").join(file_name(file)))?;
    }
    for folder in ["tmp", &MOUNTED[1..]] {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).at(&folder)?;
        // Any user may write there: `docker run --user` names one that the image does not know.
        fs::set_permissions(&folder, permissions(0o1777)).at(&folder)?;
    }
    let layout = content.empty_folder("image")?.join("layout");
    fs::create_dir_all(&layout).at(&layout)?;
    let layer = layout.join("layer");
    content.layer(&root, &layer)?;
    let unpacked = sha256(&layer)?;
    gzip(&layer)?;
    let layer = blob(&layout, &layout.join("layer.gz"), LAYER)?;

    let (time, version) = (content.time()?, &content.version);
    let config = json!({
        "created": time,
        "architecture": debian_architecture(),
        "os": OS,
        "config": {
            "Entrypoint": ["/pathlight"],
            "WorkingDir": MOUNTED,
            "Labels": {
                "org.opencontainers.image.title": "pathlight",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{unpacked}")]},
        "history": [{"created": time, "created_by": "cargo xtask release"}],
    });
    let config = json_blob(&layout, &config, CONFIG)?;
    let docker = json!([{
        "Config": path_of(&config),
        "RepoTags": [format!("pathlight:{version}")],
        "Layers": [path_of(&layer)],
    }]);
    let manifest = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer],
    });
    let mut manifest = json_blob(&layout, &manifest, MANIFEST)?;
    manifest["annotations"] = json!({"org.opencontainers.image.ref.name": version});
    manifest["platform"] = json!({"architecture": debian_architecture(), "os": OS});
    let index = json!({"schemaVersion": 2, "manifests": [manifest]});
    place_text(&index.to_string(), &layout.join("index.json"))?;
    place_text(&docker.to_string(), &layout.join("manifest.json"))?;
    let layout_version = json!({"imageLayoutVersion": "1.0.0"}).to_string();
    place_text(&layout_version, &layout.join("oci-layout"))?;
    content.tar(&layout, ".", image, "")?;
    Ok(image.to_owned())
}

#[cfg(unix)]
fn permissions(mode: u32) -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(mode)
}

#[cfg(not(unix))]
fn permissions(_: u32) -> fs::Permissions {
    unreachable!("images are made on Linux")
}

/// Moves a file among the blobs, and returns its descriptor.
fn blob(layout: &Path, file: &Path, kind: &str) -> Result<Value> {
    let digest = sha256(file)?;
    let size = file.metadata().at(file)?.len();
    let blobs = layout.join("blobs/sha256");
    fs::create_dir_all(&blobs).at(&blobs)?;
    fs::rename(file, blobs.join(&digest)).at(file)?;
    Ok(json!({"mediaType": kind, "digest": format!("sha256:{digest}"), "size": size}))
}

fn json_blob(layout: &Path, value: &Value, kind: &str) -> Result<Value> {
    let file = layout.join("blob.json");
    place_text(&value.to_string(), &file)?;
    blob(layout, &file, kind)
}

/// The path of a blob within the layout.
pub fn path_of(descriptor: &Value) -> String {
    let digest = descriptor["digest"].as_str().unwrap_or_default();
    format!("blobs/{}", digest.replace(':', "/"))
}

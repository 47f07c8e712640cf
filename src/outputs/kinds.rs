//! The kinds of files that commands write.

use super::formats;

/// The kinds of files that commands write, recognised by their first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An APK, a jar or zip, or a single dex file.
    Package,
    /// A map.
    Map,
    /// A model.
    Model,
    /// A profile for the Firefox Profiler.
    Firefox,
    /// Selected paths.
    Paths,
    /// A time tree.
    TimeTree,
    /// A flow of Maestro.
    Flow,
    /// A shell script of `adb`.
    Script,
    /// A file of `report`, by the name of its format.
    Report(&'static str),
}

impl Kind {
    /// The kind of a file that begins like this; `None` for every other.
    pub fn of(head: &[u8]) -> Option<Kind> {
        let model = model::profile::FORMAT.as_bytes();
        let paths = model::paths_file::FORMAT.as_bytes();
        if head.starts_with(model::map::MAGIC) {
            Some(Kind::Map)
        } else if head.starts_with(&timetree::MAGIC) {
            Some(Kind::TimeTree)
        } else if [b"PK\x03\x04".as_slice(), b"PK\x05\x06", b"dex\n"]
            .iter()
            .any(|m| head.starts_with(m))
        {
            Some(Kind::Package)
        } else if head.trim_ascii_start().starts_with(b"{")
            && head.windows(model.len()).any(|w| w == model)
        {
            Some(Kind::Model)
        } else if head.starts_with(b"{") && head.windows(paths.len()).any(|w| w == paths) {
            Some(Kind::Paths)
        } else if head.starts_with(reports::crash::FLOW_HEAD.as_bytes()) {
            Some(Kind::Flow)
        } else if head.starts_with(reports::crash::SCRIPT_HEAD.as_bytes()) {
            Some(Kind::Script)
        } else if head.starts_with(samples::firefox::HEAD) {
            Some(Kind::Firefox)
        } else {
            formats::recognise(head).map(|format| Kind::Report(format.name))
        }
    }

    /// Returns its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Package => "a package",
            Kind::Map => "a map",
            Kind::Model => "a model",
            Kind::Firefox => "a Firefox profile",
            Kind::Paths => "selected paths",
            Kind::TimeTree => "a time tree",
            Kind::Flow => "a Maestro flow",
            Kind::Script => "a script of steps",
            Kind::Report(name) => name,
        }
    }
}

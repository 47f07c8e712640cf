//! The kinds of files that commands write.

/// The kinds of files that commands write, recognised by their first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An APK, a jar or zip, or a single dex file.
    Package,
    /// A map.
    Map,
    /// A model.
    Model,
    /// Folded stacks.
    Folded,
    /// A file for speedscope.
    Speedscope,
    /// A profile for the Firefox Profiler.
    Firefox,
    /// A trace for Perfetto.
    Perfetto,
    /// A page.
    Html,
    /// Coverage for lcov.
    Lcov,
    /// Coverage as JaCoCo writes it.
    Jacoco,
    /// Coverage as Cobertura writes it.
    Cobertura,
    /// A baseline or startup profile.
    Profile,
    /// Selected paths.
    Paths,
    /// A time tree.
    TimeTree,
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
        } else if head.starts_with(reports::traces::SPEEDSCOPE_HEAD.as_bytes()) {
            Some(Kind::Speedscope)
        } else if head.starts_with(samples::firefox::HEAD) {
            Some(Kind::Firefox)
        } else if head.starts_with(reports::traces::PERFETTO_HEAD) {
            Some(Kind::Perfetto)
        } else if head.starts_with(reports::html::HEAD.as_bytes()) {
            Some(Kind::Html)
        } else if head.starts_with(reports::coverage::LCOV_HEAD.as_bytes()) {
            Some(Kind::Lcov)
        } else if head.starts_with(reports::coverage::JACOCO_HEAD.as_bytes()) {
            Some(Kind::Jacoco)
        } else if head.starts_with(reports::coverage::COBERTURA_HEAD.as_bytes()) {
            Some(Kind::Cobertura)
        } else if reports::profiles::is_profile(head) {
            Some(Kind::Profile)
        } else if is_folded(head) {
            Some(Kind::Folded)
        } else {
            None
        }
    }

    /// Returns true if it is written from counts of lines and branches.
    pub fn is_coverage(self) -> bool {
        matches!(self, Kind::Lcov | Kind::Jacoco | Kind::Cobertura)
    }

    /// Returns its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Package => "a package",
            Kind::Map => "a map",
            Kind::Model => "a model",
            Kind::Folded => "folded stacks",
            Kind::Speedscope => "a file for speedscope",
            Kind::Firefox => "a Firefox profile",
            Kind::Perfetto => "a Perfetto trace",
            Kind::Html => "a page",
            Kind::Lcov => "coverage for lcov",
            Kind::Jacoco => "coverage as JaCoCo's XML",
            Kind::Cobertura => "coverage as Cobertura's XML",
            Kind::Profile => "a profile of methods",
            Kind::Paths => "selected paths",
            Kind::TimeTree => "a time tree",
        }
    }
}

/// Returns true if the first line is frames with semicolons between them, then a number.
fn is_folded(head: &[u8]) -> bool {
    let line = head.split(|&b| b == b'\n').next().unwrap_or_default();
    let space = line.iter().rposition(|&b| b == b' ').unwrap_or(line.len());
    let (stack, number) = line.split_at(space);
    stack.contains(&b';') && number.len() > 1 && number[1..].iter().all(u8::is_ascii_digit)
}

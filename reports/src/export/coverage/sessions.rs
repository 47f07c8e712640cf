//! Sessions that contributed to a coverage.

/// A process that wrote logs or counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Session {
    /// Wall clock at its start, in ms since 1970.
    pub start_ms: u64,
    /// Process id on the device.
    pub pid: u32,
    /// Process name; empty if the device did not give one.
    pub name: String,
}

impl Session {
    /// Returns `org.example.app-4711`.
    pub(super) fn id(&self) -> String {
        let name = if self.name.is_empty() { "process" } else { &self.name };
        format!("{}-{}", crate::base::escape::visible(name), self.pid)
    }
}

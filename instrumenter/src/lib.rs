//! Control-flow graphs, probe plan and probes; APK in and out.

pub mod apk;

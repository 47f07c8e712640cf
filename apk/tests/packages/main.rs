//! `apk` against packages built in code; with `PATHLIGHT_CORPUS` set also against the real APKs
//! there.

mod bundle;
mod copy;
mod dex_list;
mod manifest;
mod mutate;
mod refuse;
mod set;
mod sign;
mod support;

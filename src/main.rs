//! Command line of Pathlight.
fn main() {}

//! Stack traces.

use std::io::Read as _;
use std::path::Path;

use model::mapping::{MAX_CHOICES, Mapping};
use reports::crash::{MAX_BYTES, Stack};

use crate::error::Result;
use crate::outputs::print::note;

/// Reads the stack traces of a file; errors name it.
pub fn read_stacks(path: &Path) -> Result<Vec<Stack>> {
    let named = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let mut bytes = Vec::new();
    let read = match path.as_os_str() == "-" {
        true => std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes),
        false => {
            disk::open_log(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        }
    };
    read.map_err(|e| named(&e))?;
    Ok(Stack::read(&bytes).map_err(|e| named(&e))?)
}

/// Retraces stack traces, and notes what was left out.
pub fn retrace(stacks: Vec<Stack>, mapping: &Mapping, path: &Path) -> Vec<Stack> {
    let retraced = Stack::retrace_all(stacks, mapping);
    let path = path.display();
    let frames = |count: usize| match count {
        1 => "1 frame".to_owned(),
        _ => format!("{count} frames"),
    };
    if retraced.ambiguous > 0 {
        note(format!(
            "{path}: of {}, more than {MAX_CHOICES} methods have the name; the first {MAX_CHOICES} \
             are compared",
            frames(retraced.ambiguous)
        ));
    }
    if retraced.kept > 0 {
        note(format!(
            "{path}: not retraced: {}, as there are too many; cut out the stack trace you mean",
            frames(retraced.kept)
        ));
    }
    retraced.stacks
}

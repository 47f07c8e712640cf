//! Files as every command reads and writes them: inputs are files that end, and outputs appear
//! whole or not at all, also if a signal ends the program.

mod input;
mod output;
mod unpack;

pub use input::{MOST, is_open_file, open, open_log, read, read_to_string};
pub use output::{
    NewFolder, StagedFile, StagedPath, TemporaryFolder, persist_all, remove_unfinished, write,
};
pub use unpack::{is_compressed, unpacked};

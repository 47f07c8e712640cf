//! The files of `report`: an option for each of its formats.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use crate::outputs::formats::{FORMATS, ReportContent, ReportFormat};

/// The group of options that name an output.
pub const GROUP: &str = "output";

/// A file to write.
#[derive(Debug, Clone)]
pub struct ReportFile {
    /// Its format.
    pub format: &'static ReportFormat,
    /// Its path.
    pub path: PathBuf,
}

/// The files to write, in the order of [`FORMATS`].
#[derive(Debug, Clone, Default)]
pub struct ReportFiles(pub Vec<ReportFile>);

impl ReportFiles {
    /// Returns the page alone.
    pub fn of_page(path: &Path) -> ReportFiles {
        let pages = FORMATS.iter().filter(|format| matches!(format.content, ReportContent::Page));
        ReportFiles(pages.map(|format| ReportFile { format, path: path.to_owned() }).collect())
    }
}

impl Args for ReportFiles {
    fn augment_args(command: Command) -> Command {
        // The page comes first in the help: it is the default.
        let is_page = |format: &&ReportFormat| matches!(format.content, ReportContent::Page);
        let others = FORMATS.iter().filter(|format| !is_page(format));
        command.args(FORMATS.iter().filter(is_page).chain(others).map(|format| {
            let name = format.name_of_option();
            Arg::new(name)
                .long(name)
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .group(GROUP)
                .help(format.help)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReportFiles {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ReportFiles, clap::Error> {
        let file = |format: &'static ReportFormat| {
            let path = matches.get_one::<PathBuf>(format.name_of_option())?.clone();
            Some(ReportFile { format, path })
        };
        Ok(ReportFiles(FORMATS.iter().filter_map(file).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

//! Formats, and the layout of text.

use std::path::PathBuf;

use reports::{MethodNotation, Sources, TextOptions};

use crate::outputs::print::Colour;

/// An output format.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// Options for the layout of text.
#[derive(clap::Args)]
#[command(next_help_heading = "Text")]
pub struct Text {
    /// Print all rows of long callbacks, not just their beginnings and ends.
    #[arg(long)]
    full: bool,
    /// Print repetitions one by one: to compare two outputs line by line.
    #[arg(long)]
    unfolded: bool,
    /// Name methods as people do, or in full: with package, descriptor and file.
    #[arg(long, value_enum, default_value_t = NameStyle::Short)]
    names: NameStyle,
    /// Folder of source files, whose lines are printed; repeatable.
    #[arg(long, value_name = "DIR")]
    pub sources: Vec<PathBuf>,
    /// Colour the text. auto: on terminals, if NO_COLOR is not set.
    #[arg(long, alias = "colour", value_enum, default_value_t = Colour::Auto)]
    color: Colour,
}

/// The form of methods' names.
#[derive(Clone, Copy, clap::ValueEnum)]
enum NameStyle {
    Short,
    Full,
}

impl Text {
    /// As the writer of the text wants it.
    pub fn options<'p>(&self, sources: Option<&'p Sources>) -> TextOptions<'p> {
        TextOptions {
            full: self.full,
            full_option: "--full",
            unfolded: self.unfolded,
            names: match self.names {
                NameStyle::Short => MethodNotation::Short,
                NameStyle::Full => MethodNotation::Full,
            },
            colour: self.color.is_on(),
            sources,
        }
    }
}

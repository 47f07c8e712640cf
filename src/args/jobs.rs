//! `--jobs`.

use decoder::crew::Cores;

/// The number of cores that decode.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Cores")]
pub struct Jobs {
    /// Decode on N cores. Default: on all. The number changes no output.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
}

impl Jobs {
    /// The cores.
    pub fn cores(&self) -> Cores {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        Cores::new(self.jobs.map_or_else(all, usize::from))
    }
}

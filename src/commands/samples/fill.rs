//! Options and output of blocks between the samples of a pass.

use model::map::Map;
use samples::fill::{AllBounds, BEAM, BlockEvidence, Filler, FramePrecision, Gap};
use samples::filled::{PassGap, Spacing, fill_pass};
use samples::graph::{Graph, NodeId};
use samples::passes::Pass;
use samples::placed::Placer;
use serde::Serialize;

use super::calibration::{Calibration, Conditions, Quality, name};
use super::{Result, Usage};
use crate::args::times::sampling;
use crate::outputs::print::{Printer, show};

/// Options of gaps.
#[derive(Debug, clap::Args)]
pub struct FillArgs {
    /// Print what ran between the samples of each typical pass: blocks that are forced, or likely
    /// with a probability, or unknown. Gaps longer than measured probabilities hold are refused:
    /// only their forced blocks are printed. Needs --every or --block-time.
    #[arg(long, conflicts_with = "method")]
    pub fill: bool,
    /// One block in N was sampled.
    #[arg(long, value_name = "N", requires = "fill", conflicts_with = "block_time")]
    #[arg(value_parser = clap::value_parser!(u32).range(2..))]
    every: Option<u32>,
    /// With --every: intervals were longer or shorter by up to this share.
    #[arg(long, value_name = "SHARE", requires = "every", default_value_t = 0.0)]
    #[arg(value_parser = super::score::share)]
    jitter: f64,
    /// Samples were taken by time; a block takes about this long: 50ns. Estimated lengths make
    /// probabilities less certain than measured ones.
    #[arg(long, value_name = "TIME", requires = "fill", conflicts_with = "split")]
    #[arg(value_parser = sampling)]
    block_time: Option<u64>,
}

/// Gaps that are filled in a pass at most.
const MOST_GAPS: usize = 1000;

impl FillArgs {
    /// Fails if the length of gaps is unknown.
    pub fn check(&self) -> Result {
        match self.spacing() {
            None if self.fill => Err(Usage(
                "--fill needs the length of gaps: --every N blocks, or --block-time of a block",
            )
            .into()),
            _ => Ok(()),
        }
    }

    fn spacing(&self) -> Option<Spacing> {
        match (self.every, self.block_time) {
            (Some(every), _) => Some(Spacing::Blocks { every, jitter: self.jitter }),
            (None, Some(ns)) => Some(Spacing::Time { block: ns as f64 }),
            (None, None) => None,
        }
    }
}

/// Fills gaps of one build.
pub struct GapFiller<'a> {
    pub map: &'a Map,
    pub graph: &'a Graph,
    pub bounds: &'a AllBounds,
    pub spacing: Spacing,
    /// Prices are those of a model that is given.
    pub has_model: bool,
}

/// Blocks between the samples of a pass.
#[derive(Serialize)]
pub struct GapsAnswer {
    /// Precision of the samples: stack, line or method.
    precision: &'static str,
    /// The longest gap that is filled, in blocks.
    limit: u32,
    /// True if lengths are known to the precision at which probabilities were measured.
    is_length_measured: bool,
    first: BlockAnswer,
    gaps: Vec<GapAnswer>,
}

#[derive(Serialize)]
struct GapAnswer {
    /// Blocks, about; the later sample included.
    blocks: f64,
    /// Too long for the limit: `steps` are forced blocks by position, not in the order of time.
    refused: bool,
    /// Paths were left out of the search.
    unproven: bool,
    /// Only an exception, or a call past its callee, explains it.
    surprise: bool,
    /// Measured quality of gaps of this length.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Quality>,
    steps: Vec<GapStep>,
}

#[derive(Serialize)]
struct GapStep {
    how: &'static str,
    p: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<BlockAnswer>,
}

/// A block of the map.
#[derive(Serialize)]
struct BlockAnswer {
    method: String,
    pc: u32,
    lines: Vec<u32>,
}

impl<'a> GapFiller<'a> {
    /// Fills the gaps of builds' passes, if the user asks for it.
    pub fn new(
        args: &FillArgs,
        map: &'a Map,
        (graph, bounds): (&'a Graph, Option<&'a AllBounds>),
        has_model: bool,
    ) -> Option<GapFiller<'a>> {
        let spacing = args.spacing().filter(|_| args.fill)?;
        Some(GapFiller { map, graph, bounds: bounds?, spacing, has_model })
    }

    /// Fills the gaps of a pass; `None` if no sample of it has a place in the map.
    pub fn fill(&self, placer: &Placer<'_>, pass: &Pass) -> Option<GapsAnswer> {
        let stops = pass.stops.iter().map(|s| placer.precision(s.call));
        let precision = stops.max().unwrap_or(FramePrecision::Method);
        let is_length_known =
            matches!(self.spacing, Spacing::Blocks { jitter, .. } if jitter == 0.0);
        let conditions = Conditions { precision, is_length_known, has_model: self.has_model };
        let calibration = Calibration::new(conditions);
        let limit = calibration.limit();
        let mut filler = Filler::new(self.graph, self.bounds, BEAM);
        let most = (limit, MOST_GAPS);
        let (first, gaps) = fill_pass(&mut filler, self.graph, placer, pass, self.spacing, most)?;
        let first = first.block().or_else(|| Some(first.stack.last()?.at.first()?.0))?;
        let gap = |gap: PassGap| match gap {
            PassGap::Filled { blocks, gap } => GapAnswer {
                blocks,
                refused: false,
                unproven: gap.unproven,
                surprise: gap.surprise,
                measured: calibration.quality(blocks),
                steps: self.steps(&gap),
            },
            PassGap::Refused { blocks, forced } => {
                let step = |node| GapStep { how: "forced", p: 1.0, block: self.block(node) };
                GapAnswer {
                    blocks,
                    refused: true,
                    unproven: true,
                    surprise: false,
                    measured: None,
                    steps: forced.into_iter().map(step).collect(),
                }
            }
        };
        Some(GapsAnswer {
            precision: name(precision),
            limit,
            is_length_measured: !matches!(self.spacing, Spacing::Time { .. }),
            first: self.block(first)?,
            gaps: gaps.into_iter().map(gap).collect(),
        })
    }

    fn steps(&self, gap: &Gap) -> Vec<GapStep> {
        let step = |step: &samples::fill::TraceStep| GapStep {
            how: match step.how {
                BlockEvidence::Observed => "observed",
                BlockEvidence::Forced => "forced",
                BlockEvidence::Likely => "likely",
                BlockEvidence::Unknown => "unknown",
            },
            p: step.p,
            block: step.node.and_then(|n| self.block(n)),
        };
        gap.steps.iter().map(step).collect()
    }

    fn block(&self, node: NodeId) -> Option<BlockAnswer> {
        let (id, number) = self.graph.locate(node);
        let method = self.map.method(id)?;
        let block = method.blocks.get(number.0 as usize)?;
        let class = self.map.name(method.class).trim_matches(['L', ';']).replace('/', ".");
        Some(BlockAnswer {
            method: format!("{class}.{}", self.map.name(method.name)),
            pc: block.pc,
            lines: block.lines.iter().filter_map(|l| l.1.own_line()).collect(),
        })
    }
}

impl BlockAnswer {
    fn describe(&self) -> String {
        let (first, last) = (self.lines.iter().min(), self.lines.iter().max());
        match (first, last) {
            (Some(first), Some(last)) if first < last => {
                format!("{}:{first}-{last}", self.method)
            }
            (Some(first), _) => format!("{}:{first}", self.method),
            _ => format!("{}, instruction {}", self.method, self.pc),
        }
    }
}

impl GapsAnswer {
    /// Prints the first gaps for people.
    pub fn print(&self, top: usize, out: &mut Printer) -> Result {
        let precision = match self.precision {
            "stack" => "exact blocks",
            "line" => "lines",
            _ => "methods only",
        };
        let unmeasured = match self.is_length_measured {
            true => "",
            false => "; lengths are estimates, whose probabilities are not measured",
        };
        show!(
            out,
            "  gaps of the typical pass, samples with {precision}: filled to {} blocks{unmeasured}",
            self.limit
        )?;
        show!(out, "    observed    {}", self.first.describe())?;
        let mut shown = None;
        for gap in self.gaps.iter().take(top) {
            if gap.measured != shown && !gap.refused {
                shown = gap.measured;
                print_quality(gap.measured, out)?;
            }
            gap.print(self.limit, out)?;
        }
        if self.gaps.len() > top {
            show!(out, "  … {} more gaps", self.gaps.len() - top)?;
        }
        Ok(())
    }
}

/// Prints how well gaps of a length were filled.
fn print_quality(quality: Option<Quality>, out: &mut Printer) -> Result {
    let Some(q) = quality else { return Ok(()) };
    show!(
        out,
        "  measured on {} programs at one block in {}: F1 {:.2} to {:.2}; a decile of \
         probabilities is off by {:.2} (worst of the median program), {:.2} (of all)",
        q.programs,
        q.blocks,
        q.f1.0,
        q.f1.1,
        q.off.0,
        q.off.1
    )?;
    Ok(())
}

impl GapAnswer {
    fn print(&self, limit: u32, out: &mut Printer) -> Result {
        let blocks = self.blocks.round();
        if self.refused {
            let forced = match self.steps.is_empty() {
                true => "no block is forced",
                false => "forced, in the order of the code:",
            };
            show!(
                out,
                "  gap of about {blocks:.0} blocks, refused: longer than {limit}; {forced}"
            )?;
        } else {
            let unproven = if self.unproven { ", unproven" } else { "" };
            let surprise = if self.surprise { ", by an exception or skipped call" } else { "" };
            show!(out, "  gap of {blocks:.0} blocks{unproven}{surprise}:")?;
        }
        for step in &self.steps {
            let how = match step.how {
                "likely" => format!("likely {:.2}", step.p),
                how => how.to_owned(),
            };
            match &step.block {
                Some(block) => show!(out, "    {how:<11} {}", block.describe())?,
                None => show!(out, "    {how}")?,
            }
        }
        Ok(())
    }
}

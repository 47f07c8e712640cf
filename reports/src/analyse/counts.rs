//! Path counts of each method in decoded sessions.

use std::collections::HashMap;

use decoder::replay::{BlockNo, Decision, LoopRounds, PathEvent, PathSink, Program};
use decoder::session::Note;
use model::map::{BlockId, MethodId};
use model::path_profiles::method_graph::MethodGraph;

use super::graph::graph_of;
use super::truncation::{Cut, Reason};

/// Maximum number of different paths counted per method.
const PATHS: usize = 20_000;

/// Counts of one method.
#[derive(Debug, Clone, Default)]
pub(super) struct MethodPathCounts {
    /// Number of runs by path: the edges of the method's graph from the source to the sink.
    pub paths: HashMap<Box<[u32]>, u64>,
    /// Passes that an exception, or the end of the log, cut short.
    pub cut: Cut,
    /// Number of passes on paths beyond the limit.
    pub uncounted: u64,
}

impl MethodPathCounts {
    fn add(&mut self, path: &[u32], times: u64) {
        if let Some(count) = self.paths.get_mut(path) {
            *count = count.saturating_add(times);
        } else if self.paths.len() < PATHS {
            self.paths.insert(path.into(), times);
        } else {
            self.uncounted = self.uncounted.saturating_add(times);
        }
    }

    fn merge(&mut self, other: &MethodPathCounts) {
        other.paths.iter().for_each(|(path, times)| self.add(path, *times));
        self.cut.merge(&other.cut);
        self.uncounted = self.uncounted.saturating_add(other.uncounted);
    }
}

/// Counts paths as Ball and Larus cut them ([`MethodGraph`]): exactly, because all of a path's
/// branches are in the log. Counters of several cores add up.
#[derive(Debug, Clone)]
pub struct PathCounts<'p, 'm> {
    program: &'p Program<'m>,
    /// Graphs of the methods that ran, by index; `None` inside: a method without a graph.
    graphs: HashMap<MethodId, Option<MethodGraph>>,
    pub(super) counted: HashMap<MethodId, MethodPathCounts>,
    frames: Vec<PassFrame>,
    /// Paths of frames that ended, for reuse.
    spare: Vec<Vec<u32>>,
    /// Paths that ended while a loop's rounds are followed.
    ended: Option<Vec<(MethodId, Box<[u32]>)>>,
    /// True if the next frame is known only from its middle on.
    inside: bool,
}

#[derive(Debug, Clone)]
struct PassFrame {
    method: MethodId,
    /// Its block, and the alternative that it took there.
    at: Option<(usize, usize)>,
    /// Edges since the path began.
    path: Vec<u32>,
    pass: Pass,
    /// True if the activation is known from its beginning.
    begun: bool,
}

/// Knowledge of the path that a frame is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// The path is known from its beginning.
    Whole,
    /// The beginning of the path was overwritten.
    Beginless,
    /// There is no path.
    None,
}

impl<'p, 'm> PathCounts<'p, 'm> {
    /// Creates counts of 0.
    pub fn new(program: &'p Program<'m>) -> Self {
        PathCounts {
            program,
            graphs: HashMap::new(),
            counted: HashMap::new(),
            frames: Vec::new(),
            spare: Vec::new(),
            ended: None,
            inside: false,
        }
    }

    /// Returns the program whose paths are counted.
    pub fn program(&self) -> &'p Program<'m> {
        self.program
    }

    /// Returns the paths of a method that ran, each as edges of its [`MethodGraph`] from the source
    /// to the sink with the number of runs, and the number of paths that were cut short.
    pub fn paths(&self, method: MethodId) -> (Vec<(Vec<usize>, u64)>, u64) {
        let Some(counted) = self.counted.get(&method) else { return (Vec::new(), 0) };
        let edges = |path: &[u32]| path.iter().map(|&edge| edge as usize).collect();
        (
            counted.paths.iter().map(|(path, times)| (edges(path), *times)).collect(),
            counted.cut.passes(),
        )
    }

    /// Adds the counts of another counter.
    pub fn merge(&mut self, other: &PathCounts<'_, '_>) {
        for (method, counted) in &other.counted {
            self.counted.entry(*method).or_default().merge(counted);
        }
    }

    fn graph(&mut self, method: MethodId) -> Option<&MethodGraph> {
        let program = self.program;
        let make = || graph_of(program.map, method);
        self.graphs.entry(method).or_insert_with(make).as_ref()
    }

    /// Moves the innermost frame to a block of its method.
    fn go_on(&mut self, block: usize) {
        let Some(mut frame) = self.frames.pop() else { return };
        match frame.at {
            None if block == 0 => self.begin(&mut frame, block),
            // The path before is not known.
            None => frame.pass = Pass::Beginless,
            Some((from, alternative)) => {
                let to = Some(BlockId(block as u32));
                let way = self.graph(frame.method).and_then(|g| g.way(from, alternative));
                match way.filter(|w| w.to == to) {
                    None => self.cut(&mut frame, Reason::Exception),
                    Some(way) => {
                        frame.path.push(way.edge as u32);
                        if way.goes_back {
                            self.end(&mut frame);
                            self.begin(&mut frame, block);
                        }
                    }
                }
            }
        }
        frame.at = Some((block, 0));
        self.frames.push(frame);
    }

    fn begin(&mut self, frame: &mut PassFrame, block: usize) {
        frame.path.clear();
        let edge = self.graph(frame.method).and_then(|g| g.begin(block));
        frame.pass = if edge.is_some() { Pass::Whole } else { Pass::None };
        frame.path.extend(edge.map(|e| e as u32));
    }

    /// Completes the path.
    fn end(&mut self, frame: &mut PassFrame) {
        let counted = self.counted.entry(frame.method).or_default();
        match std::mem::replace(&mut frame.pass, Pass::None) {
            Pass::None => {}
            Pass::Beginless => {
                counted.cut.overwritten = counted.cut.overwritten.saturating_add(1);
            }
            Pass::Whole => {
                counted.add(&frame.path, 1);
                if let Some(ended) = &mut self.ended {
                    ended.push((frame.method, frame.path.as_slice().into()));
                }
            }
        }
    }

    /// Records that the path was cut short.
    fn cut(&mut self, frame: &mut PassFrame, reason: Reason) {
        let cut = &mut self.counted.entry(frame.method).or_default().cut;
        match std::mem::replace(&mut frame.pass, Pass::None) {
            Pass::None => {}
            Pass::Beginless => cut.overwritten = cut.overwritten.saturating_add(1),
            Pass::Whole => cut.pass(&frame.path, reason),
        }
    }

    /// Ends frames by an exception or by the log's end.
    fn drop_frames(&mut self, count: usize, reason: Reason) {
        for mut frame in self.frames.split_off(self.frames.len().saturating_sub(count)) {
            self.cut(&mut frame, reason);
            self.counted.entry(frame.method).or_default().cut.activation(false);
            self.spare.push(frame.path);
        }
    }
}

impl PathSink for PathCounts<'_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, .. } => {
                let mut path = self.spare.pop().unwrap_or_default();
                path.clear();
                let begun = !std::mem::take(&mut self.inside);
                self.frames.push(PassFrame { method, at: None, path, pass: Pass::None, begun });
            }
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what, alternative } => self.decision(what, alternative),
            PathEvent::Leave => self.leave(),
            PathEvent::Caught { dropped, block, .. } => {
                self.drop_frames(dropped, Reason::Exception);
                let (_, block) = self.program.locate(block);
                if let Some(mut frame) = self.frames.pop() {
                    self.cut(&mut frame, Reason::Exception);
                    self.begin(&mut frame, block);
                    frame.at = Some((block, 0));
                    self.frames.push(frame);
                }
            }
            PathEvent::Unwound { dropped, .. } => self.drop_frames(dropped, Reason::Exception),
            PathEvent::Note(note) => {
                // Each of these ends a path; the next event may be of another thread.
                if matches!(note, Note::Resumed { .. } | Note::Ended(_) | Note::Faulty(_)) {
                    self.drop_frames(usize::MAX, Reason::LogEnd);
                }
                self.inside = matches!(note, Note::Inside { .. });
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let times = rounds.times;
        // The second round begins as all others do: a path that ends in it ends in each of them.
        (0..times.min(1)).for_each(|_| rounds.pass_one(self));
        if times < 2 {
            return;
        }
        self.ended = Some(Vec::new());
        rounds.pass_one(self);
        for (method, path) in self.ended.take().unwrap_or_default() {
            let counted = self.counted.entry(method).or_default();
            counted.add(&path, u64::from(times - 2));
        }
    }
}

impl PathCounts<'_, '_> {
    fn block(&mut self, block: BlockNo) {
        let (_, block) = self.program.locate(block);
        self.go_on(block);
    }

    fn decision(&mut self, what: Decision, alternative: usize) {
        let Decision::Branch(branch) = what else { return };
        let (_, block) = self.program.locate(branch);
        if let Some(PassFrame { at: Some((at, taken)), .. }) = self.frames.last_mut()
            && *at == block
        {
            *taken = alternative;
        }
    }

    fn leave(&mut self) {
        let Some(mut frame) = self.frames.pop() else { return };
        if let Some((block, _)) = frame.at {
            let way = self.graph(frame.method).and_then(|g| g.way(block, 0));
            match way.filter(|w| w.to.is_none()) {
                None => self.cut(&mut frame, Reason::Exception),
                Some(way) => {
                    frame.path.push(way.edge as u32);
                    self.end(&mut frame);
                }
            }
        }
        self.counted.entry(frame.method).or_default().cut.activation(frame.begun);
        self.spare.push(frame.path);
    }
}

//! Whole activations of methods, from entry to return.

use decoder::replay::{BlockNo, LoopRounds, PathEvent, PathSink, Program};
use decoder::session::Note;
use model::map::{BlockId, MethodId};
use model::path_profiles::selected::{MAX_STEPS, PathStep};

use super::PathFindings;

/// Counts the whole paths of activations. Counters of several cores add up
/// ([`PathFindings::merge`]).
#[derive(Debug, Clone)]
pub struct Activations<'p, 'm> {
    program: &'p Program<'m>,
    /// Paths found so far.
    pub found: PathFindings,
    frames: Vec<ActivationFrame>,
    /// Paths of frames that ended, for reuse.
    spare: Vec<Vec<PathStep>>,
}

#[derive(Debug, Clone)]
struct ActivationFrame {
    method: MethodId,
    path: Vec<PathStep>,
    state: ActivationState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ActivationState {
    Known,
    Long,
    Unsure,
}

impl<'p, 'm> Activations<'p, 'm> {
    /// Creates a counter without paths.
    pub fn new(program: &'p Program<'m>) -> Self {
        let (found, frames, spare) = Default::default();
        Activations { program, found, frames, spare }
    }

    fn push(&mut self, step: PathStep) {
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.path.len() < MAX_STEPS {
            frame.path.push(step);
        } else if frame.state == ActivationState::Known {
            frame.state = ActivationState::Long;
        }
    }

    fn end(&mut self, returned: bool) {
        let Some(frame) = self.frames.pop() else { return };
        let found = &mut self.found;
        match frame.state {
            _ if !returned => found.cut += 1,
            ActivationState::Known if frame.path.first() == Some(&PathStep::Block(BlockId(0))) => {
                found.add(frame.method, &frame.path, 1);
            }
            ActivationState::Known | ActivationState::Unsure => found.unsure += 1,
            ActivationState::Long => found.long += 1,
        }
        self.spare.push(frame.path);
    }

    fn drop_frames(&mut self, count: usize) {
        (0..count.min(self.frames.len())).for_each(|_| self.end(false));
    }
}

impl PathSink for Activations<'_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, .. } => {
                let mut path = self.spare.pop().unwrap_or_default();
                path.clear();
                self.frames.push(ActivationFrame { method, path, state: ActivationState::Known });
            }
            PathEvent::Block(block) => self.block(block),
            PathEvent::Leave => self.end(true),
            PathEvent::Caught { dropped, block, from, .. } => self.catch(dropped, block, from),
            PathEvent::Unwound { dropped, .. } => self.drop_frames(dropped),
            // Each of these ends a path; the next event may be of another thread.
            PathEvent::Note(Note::Resumed { .. } | Note::Ended(_) | Note::Faulty(_)) => {
                self.drop_frames(usize::MAX);
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        for _ in 0..rounds.times {
            // A path that is already too long does not get longer.
            if self.frames.last().is_none_or(|frame| frame.state == ActivationState::Long) {
                return;
            }
            rounds.pass_one(self);
        }
    }
}

impl Activations<'_, '_> {
    fn block(&mut self, block: BlockNo) {
        let (_, block) = self.program.locate(block);
        self.push(PathStep::Block(BlockId(block as u32)));
    }

    fn catch(&mut self, dropped: usize, block: BlockNo, from: &[BlockNo]) {
        self.drop_frames(dropped);
        let (_, block) = self.program.locate(block);
        // An exception of a callee was thrown at the call; else perhaps in one of several blocks.
        if dropped == 0
            && from.len() != 1
            && let Some(frame) = self.frames.last_mut()
        {
            frame.state = ActivationState::Unsure;
        }
        self.push(PathStep::Caught(BlockId(block as u32)));
    }
}

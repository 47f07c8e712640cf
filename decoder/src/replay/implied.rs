//! Calls that nothing records: the callee has no probes, and its calls already determine its path
//! (`docs/PROTOCOL.md` §4).

use model::map::{CallKind, MethodId};

use super::block::{BlockEnd, BlockNo};
use super::fault::FaultKind;
use super::walk::{Result, Walker};
use super::{PathSink, SendEvents, Via};

impl Walker<'_> {
    /// Steps of an implied method. It always returns: [`model::map::Map::from_bytes`] sees to that.
    #[inline]
    pub(super) fn implied_steps(&self, m: MethodId) -> u64 {
        self.program.silent[m.0 as usize - 1].map_or(0, |s| s.steps)
    }

    /// Reports an implied call that returned. Its steps are paid for.
    pub(super) fn pass_implied<P: PathSink>(&self, m: MethodId, sink: &mut P) -> Result<()> {
        if P::DECISIONS_ONLY {
            return Ok(());
        }
        let p = self.program;
        let enter = |m: MethodId, sink: &mut P| {
            sink.enter(m, Via::Implied);
            let entry = p.entry(m);
            sink.block(entry);
            (entry, p.blocks[entry.0 as usize].calls.0)
        };
        let mut frames: Vec<(BlockNo, u32)> = vec![enter(m, sink)];
        while let Some((block, call)) = frames.last_mut() {
            let at = p.blocks[block.0 as usize];
            if *call < at.calls.1 {
                let CallKind::Implied(callee) = p.calls[*call as usize] else {
                    return Err(FaultKind::DeadEnd);
                };
                *call += 1;
                frames.push(enter(callee, sink));
                continue;
            }
            match at.step {
                BlockEnd::Goto(to) => {
                    (*block, *call) = (to, p.blocks[to.0 as usize].calls.0);
                    sink.block(to);
                }
                BlockEnd::Return => {
                    sink.leave();
                    frames.pop();
                }
                _ => return Err(FaultKind::DeadEnd),
            }
        }
        Ok(())
    }

    /// Passes a void call that the innermost frame stands at, and implied calls after it: the frame
    /// has come further than that.
    pub(super) fn pass_void_and_implied(&mut self, sink: &mut impl PathSink) -> Result<()> {
        if let Some(frame) = self.frames.last_mut().filter(|f| !f.entering && !f.stopped) {
            frame.call += u32::from(std::mem::take(&mut frame.void));
        }
        self.pass_all_implied(sink)
    }

    /// Passes the implied calls that the innermost frame stands before.
    pub(super) fn pass_all_implied(&mut self, sink: &mut impl PathSink) -> Result<()> {
        while let Some(frame) = self.frames.last_mut().filter(|f| !f.void && !f.entering) {
            let block = &self.program.blocks[frame.block.0 as usize];
            let calls = &self.program.calls[frame.call as usize..block.calls.1 as usize];
            let Some(&CallKind::Implied(m)) = calls.first() else { break };
            frame.call += 1;
            self.pay(self.implied_steps(m))?;
            self.pass_implied(m, sink)?;
        }
        Ok(())
    }

    /// Takes `steps` steps from the budget.
    pub(super) fn pay(&mut self, steps: u64) -> Result<()> {
        self.steps = self.steps.checked_sub(steps).ok_or_else(|| self.too_far())?;
        Ok(())
    }

    /// Reports the implied and inlined calls that frames from this one on may have come to since
    /// the last entry, exit, mark or symbol: an event happened among them.
    pub(super) fn possible<P: PathSink>(&self, from: usize, sink: &mut P) {
        if P::DECISIONS_ONLY {
            return;
        }
        for (at, frame) in self.frames.iter().enumerate().skip(from) {
            // If a frame itself called the next one, it is past the calls before that call.
            let calls = self.frames.get(at + 1).is_some_and(|inner| !inner.from_outside);
            if calls || frame.entering || frame.stopped {
                continue;
            }
            let block = &self.program.blocks[frame.block.0 as usize];
            let next = (frame.call + u32::from(frame.void)).min(block.calls.1);
            let calls = &self.program.calls[next as usize..block.calls.1 as usize];
            let mut possible: Vec<MethodId> = calls
                .iter()
                .map_while(|call| match call {
                    CallKind::Implied(m) => Some(*m),
                    CallKind::Predicted(_) | CallKind::Slot(_) => None,
                })
                .collect();
            // An inlined callee may follow them, whose probes may have found no stack.
            if let (true, BlockEnd::Enter(callee, _)) = (possible.len() == calls.len(), block.step)
            {
                possible.push(callee);
            }
            if !possible.is_empty() {
                let depth: usize = (0..=at).map(|at| 1 + self.inlined_around(at)).sum();
                sink.possible(depth, &possible);
            }
        }
    }
}

//! A hand-made walker for the one program `runtime/test/Overflow.java`.

use model::coder::{CoderError, Decoder};

use super::script::{DURATION, GAP, hash, span};

/// Counts of a walk.
#[derive(Debug, Default)]
pub struct Seen {
    pub rounds: u32,
    pub caught: u32,
    pub deepest: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Top,
    Even,
    Odd,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    method: Method,
    depth: u32,
    number: u32,
    /// 0 before the first symbol, 1 before the call, 2 before the second symbol, 3 before the exit.
    at: u32,
}

/// (cum, freq) at a depth, as in the driver.
fn slice(d: u32) -> (u32, u32) {
    [(0, 60000), (60000, 5000), (65000, 534), (65534, 1)][((d * 7 / 3) & 3) as usize]
}

struct Walk<'a> {
    d: Decoder<'a>,
    progress: u32,
    stack: Vec<Frame>,
    guards: Vec<u32>,
    seen: Seen,
}

impl Walk<'_> {
    fn push(&mut self, method: Method, depth: u32) {
        self.progress += 1;
        self.stack.push(Frame { method, depth, number: self.progress, at: 0 });
        self.seen.deepest = self.seen.deepest.max(depth);
    }

    /// One step that costs no symbol; false where a symbol or an announcement is due.
    fn free_step(&mut self) -> Result<bool, String> {
        let Some(top) = self.stack.last_mut() else { return Ok(false) };
        match (top.at, top.method) {
            (1, Method::Top) => {
                top.at = 2;
                self.push(Method::Even, 0);
            }
            (1, Method::Odd) => {
                top.at = 2;
                let depth = top.depth + 1;
                self.push(Method::Even, depth);
            }
            (3, _) => {
                let number = top.number;
                self.progress += 1;
                self.stack.pop();
                if self.guards.last() == Some(&number) {
                    self.guards.pop();
                    self.closed()?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn closed(&mut self) -> Result<(), String> {
        if !self.guards.is_empty() {
            return Ok(());
        }
        span(&mut self.d, DURATION).map_err(|e| format!("duration: {e}"))?;
        let long = self.d.renormalisations() > 0;
        let h = hash(self.progress);
        self.d.consume(257 * (h % 255), 257).map_err(|e| format!("check: {e}"))?;
        if long {
            self.d.consume(257 * (h / 255 % 255), 257).map_err(|e| format!("second check: {e}"))?;
        }
        if !self.stack.is_empty() {
            return Err("record closed with frames on the stack".into());
        }
        self.d.flush().map_err(|e| e.to_string())?;
        self.seen.rounds += 1;
        Ok(())
    }

    fn event(&mut self) -> Result<(), String> {
        let coder = |e: CoderError| e.to_string();
        self.d.escape().map_err(coder)?;
        let kind = self.d.bits(3).map_err(coder)?;
        let n = 4 << self.d.bits(2).map_err(coder)?;
        let low = self.d.bits(n).map_err(coder)?;
        let mask = if n == 32 { u32::MAX } else { (1 << n) - 1 };
        let to = self.progress + (low.wrapping_sub(self.progress) & mask);
        while self.progress != to {
            if !self.free_step()? {
                return Err(format!(
                    "position {to} cannot be reached from {}: {:?}",
                    self.progress,
                    self.stack.last()
                ));
            }
        }
        let handler = if kind < 2 { self.d.bits(17).map_err(coder)? } else { 0 };
        let frame = if kind > 0 { self.progress - self.d.gamma().map_err(coder)? } else { 0 };
        match kind {
            0 => {
                let caller = self.stack.last_mut().ok_or("entry without a caller")?;
                if (handler, caller.at, caller.method) != (5, 1, Method::Even) {
                    return Err(format!("method {handler} entered in {caller:?}"));
                }
                caller.at = 2;
                let depth = caller.depth + 1;
                self.push(Method::Odd, depth);
                self.guards.push(self.progress);
            }
            1 => {
                let at = self
                    .stack
                    .iter()
                    .rposition(|f| f.number == frame)
                    .ok_or("handler of no frame")?;
                self.stack.truncate(at + 1);
                let f = &mut self.stack[at];
                if (handler, f.method) != (40, Method::Even) || !(1..=2).contains(&f.at) {
                    return Err(format!("handler {handler} in {f:?}"));
                }
                f.at = 2;
                self.guards.retain(|g| *g <= frame);
                self.seen.caught += 1;
            }
            2 => {
                let at = self
                    .stack
                    .iter()
                    .rposition(|f| f.number == frame)
                    .ok_or("unwinding of no frame")?;
                let guard = self
                    .guards
                    .iter()
                    .position(|g| *g == frame)
                    .ok_or("unwinding of a frame without guard")?;
                self.stack.truncate(at);
                self.guards.truncate(guard);
                self.closed()?;
            }
            _ => return Err(format!("kind {kind}")),
        }
        Ok(())
    }

    fn symbol(&mut self) -> Result<(), String> {
        while self.free_step()? {}
        let Some(top) = self.stack.last_mut() else { return Ok(()) };
        let depth = match (top.at, top.method) {
            (0, _) => top.depth,
            (2, Method::Even) => top.depth + 2,
            (2, _) => top.depth + 1,
            _ => return Err(format!("a symbol in {top:?}")),
        };
        let (cum, freq) = slice(depth);
        self.d.consume(cum, freq).map_err(|e| format!("{e} at {top:?}"))?;
        top.at += 1;
        Ok(())
    }

    fn top_level(&mut self) -> Result<(), String> {
        // Slot 0 before the first callback, slot 1 (where 3 is among "other") after it.
        if self.seen.rounds == 0 {
            self.d.consume(40000, 4096).map_err(|e| e.to_string())?;
        } else {
            self.d.consume(0, 1000).map_err(|e| e.to_string())?;
            let id = self.d.bits(17).map_err(|e| e.to_string())?;
            if id != 3 {
                return Err(format!("callback {id}"));
            }
        }
        span(&mut self.d, GAP).map_err(|e| e.to_string())?;
        self.push(Method::Top, self.seen.rounds);
        self.guards.push(self.progress);
        Ok(())
    }
}

/// Walks the whole stream.
pub fn walk(data: &[u8]) -> Result<Seen, String> {
    let mut w = Walk {
        d: Decoder::new(data, 0),
        progress: 0,
        stack: Vec::new(),
        guards: Vec::new(),
        seen: Seen::default(),
    };
    loop {
        let step = if w.stack.is_empty() {
            if w.d.at_end() {
                return Ok(w.seen);
            }
            w.top_level()
        } else {
            match w.d.is_escape() {
                Ok(true) => w.event(),
                Ok(false) => w.symbol(),
                Err(e) => Err(e.to_string()),
            }
        };
        step.map_err(|e| {
            format!(
                "round {}, progress {}, depth {}: {e}",
                w.seen.rounds,
                w.progress,
                w.stack.len()
            )
        })?;
    }
}

//! Stacks that were seen, in few bytes each.

use super::{CallId, StackSample};

/// Bytes of a block.
const BLOCK: usize = 1 << 15;
/// Bytes of a sample at most: its call with two flags, its time, its thread, how often.
const MOST: usize = 6 + 10 + 5 + 10;

/// The thread is another one than before.
const THREAD: u64 = 1;
/// It was seen more than once in a row, or not at all.
const TIMES: u64 = 2;

/// Stacks that were seen, in the order of the file. Each is written as its difference from the one
/// before: some 4 bytes in place of 24.
#[derive(Debug, Clone)]
pub struct AllSeen {
    blocks: Vec<Vec<u8>>,
    len: usize,
    last: StackSample,
    sorted: bool,
}

/// Value to which the first one is compared.
const NONE: StackSample = StackSample { ns: 0, thread: 0, call: CallId(0), times: 1 };

impl Default for AllSeen {
    fn default() -> Self {
        AllSeen { blocks: Vec::new(), len: 0, last: NONE, sorted: true }
    }
}

fn zigzag(before: u64, now: u64) -> u64 {
    let off = now.wrapping_sub(before) as i64;
    (off << 1 ^ off >> 63) as u64
}

fn applied(before: u64, zigzag: u64) -> u64 {
    before.wrapping_add(zigzag >> 1 ^ (zigzag & 1).wrapping_neg())
}

fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn get(bytes: &mut std::slice::Iter<'_, u8>) -> u64 {
    let (mut n, mut shift) = (0, 0);
    for &byte in bytes.by_ref() {
        n |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    n
}

impl AllSeen {
    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds one.
    pub fn push(&mut self, seen: StackSample) {
        if self.blocks.last().is_none_or(|b| b.len() + MOST > BLOCK) {
            // Small files of a few kB do not need a whole block.
            let room = if self.blocks.is_empty() { 0 } else { BLOCK };
            self.blocks.push(Vec::with_capacity(room));
        }
        let Some(out) = self.blocks.last_mut() else { return };
        let last = std::mem::replace(&mut self.last, seen);
        self.sorted &= seen.ns >= last.ns || self.len == 0;
        self.len += 1;
        let (other, often) = (seen.thread != last.thread, seen.times != 1);
        let flags = (if other { THREAD } else { 0 }) | (if often { TIMES } else { 0 });
        put(out, zigzag(last.call.0.into(), seen.call.0.into()) << 2 | flags);
        put(out, zigzag(last.ns, seen.ns));
        if other {
            put(out, seen.thread.into());
        }
        if often {
            put(out, seen.times);
        }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = StackSample> + '_ {
        let mut last = NONE;
        self.blocks
            .iter()
            .flat_map(|b| {
                let mut bytes = b.iter();
                std::iter::from_fn(move || {
                    if bytes.as_slice().is_empty() {
                        return None;
                    }
                    let call = get(&mut bytes);
                    Some((call, get(&mut bytes), {
                        let thread = (call & THREAD != 0).then(|| get(&mut bytes) as u32);
                        (thread, if call & TIMES != 0 { get(&mut bytes) } else { 1 })
                    }))
                })
            })
            .map(move |(call, ns, (thread, times))| {
                last = StackSample {
                    ns: applied(last.ns, ns),
                    thread: thread.unwrap_or(last.thread),
                    call: CallId(applied(last.call.0.into(), call >> 2) as u32),
                    times,
                };
                last
            })
    }

    /// All of them by time; those of one time in the order of the file.
    pub fn by_time(&self) -> impl Iterator<Item = StackSample> + '_ {
        let mut sorted: Vec<StackSample> = Vec::new();
        if !self.sorted {
            sorted.reserve_exact(self.len);
            sorted.extend(self.iter());
            sorted.sort_by_key(|s| s.ns);
        }
        let in_order = self.sorted.then(|| self.iter()).into_iter().flatten();
        in_order.chain(sorted)
    }
}

impl FromIterator<StackSample> for AllSeen {
    fn from_iter<I: IntoIterator<Item = StackSample>>(all: I) -> Self {
        let mut seen = AllSeen::default();
        all.into_iter().for_each(|s| seen.push(s));
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_comes_back_as_it_was() {
        let mut rng = mutation::Rng::new(3);
        let mut all = vec![];
        for _ in 0..50_000 {
            let any = |rng: &mut mutation::Rng| {
                let n = (rng.below(1 << 30) as u64) << 34 | rng.below(1 << 30) as u64;
                if rng.one_in(9) { n } else { n >> (30 + rng.below(30)) }
            };
            let times = if rng.one_in(3) { any(&mut rng) } else { 1 };
            let (thread, call) = (any(&mut rng) as u32, CallId(any(&mut rng) as u32));
            all.push(StackSample { ns: any(&mut rng), thread, call, times });
        }
        let seen: AllSeen = all.iter().copied().collect();
        assert_eq!((seen.len(), seen.iter().collect::<Vec<_>>()), (all.len(), all.clone()));
        all.sort_by_key(|s| s.ns);
        assert_eq!(seen.by_time().collect::<Vec<_>>(), all);
        let seen: AllSeen = all.iter().copied().collect();
        assert_eq!(seen.by_time().collect::<Vec<_>>(), all);
    }
}

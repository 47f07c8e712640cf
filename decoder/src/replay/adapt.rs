//! The decoder's mirror of distributions that adapt (`docs/PROTOCOL.md` §9).

use model::adaptive::{KEPT, RESET, Rule};
use model::symbols::{Alternative, Symbols};

use super::fault::FaultKind;
use super::program::Program;

/// The cells of one thread; nothing for codecs that do not adapt.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables {
    rule: Option<Rule>,
    cells: Vec<u16>,
    /// No top-level record was read yet: the first one must restart the tables.
    first: bool,
    /// The distribution that was asked for last.
    slices: Vec<Alternative>,
}

impl Tables {
    pub(super) fn new(program: &Program<'_>) -> Self {
        // The cells come when they are first asked for: decoding may begin in a million places, and
        // fail at once.
        Tables { rule: program.rule, cells: vec![], first: true, slices: vec![] }
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.rule = other.rule;
        self.first = other.first;
        self.cells.clone_from(&other.cells);
    }

    /// Returns true if a cell was read before the cells restarted.
    pub(super) fn need_older(&self) -> bool {
        self.first && !self.cells.is_empty()
    }

    /// Reads the first symbol of a top-level record: whether the tables restart.
    pub(super) fn begin(&self, decoder: &mut impl Symbols) -> Result<bool, FaultKind> {
        if self.rule.is_none() {
            return Ok(false);
        }
        let slice = |(first, width), index| Alternative { first, width, index, to: index };
        Ok(decoder.among(&[slice(KEPT, 0), slice(RESET, 1)])? == 1)
    }

    /// The record has begun.
    pub(super) fn begun(&mut self, anew: bool, program: &Program<'_>) -> Result<(), FaultKind> {
        if self.rule.is_none() {
            return Ok(());
        }
        if anew {
            self.cells.clone_from(&program.cells);
        } else if self.first {
            return Err(FaultKind::Tables);
        }
        self.first = false;
        Ok(())
    }

    /// Takes a symbol of a pair: its index and the frequency it had.
    #[inline]
    pub(super) fn pair(
        &mut self,
        program: &Program<'_>,
        cell: u32,
        decoder: &mut impl Symbols,
    ) -> Result<(usize, u16), FaultKind> {
        if self.cells.is_empty() {
            self.cells.clone_from(&program.cells);
        }
        let cell = &mut self.cells[cell as usize];
        let first = u32::from(*cell);
        let Some(i) = decoder.two(first)? else {
            return Err(FaultKind::DeadEnd);
        };
        let freq = if i == 0 { *cell } else { 65_535 - *cell };
        if let Some(rule) = self.rule {
            *cell = rule.pair(*cell, i);
        }
        Ok((i, freq))
    }

    /// The same for a branch with `len` alternatives, whose frequencies begin at `cell`.
    pub(super) fn many(
        &mut self,
        program: &Program<'_>,
        cell: u32,
        len: u32,
        decoder: &mut impl Symbols,
    ) -> Result<(usize, u16), FaultKind> {
        if self.cells.is_empty() {
            self.cells.clone_from(&program.cells);
        }
        let freqs = &mut self.cells[cell as usize..][..len as usize];
        let mut first = 0;
        self.slices.clear();
        for (&f, index) in freqs.iter().zip(0..) {
            self.slices.push(Alternative { first, width: f.into(), index, to: index });
            first += u32::from(f);
        }
        let i = decoder.among(&self.slices)?;
        let freq = freqs[i];
        if let Some(rule) = self.rule {
            rule.update(freqs, i);
        }
        Ok((i, freq))
    }
}

//! Lines where there are none.
//!
//! Where no line holds for an address, ART prints the address (`Thread::CreateInternalStackTrace`:
//! "make the line number field hold the dex pc"), and R8's mapping files translate that. That is so
//! in methods without lines, and before the first line of a method. Probes move addresses. So each
//! place at which a stack trace may find the method gets its *original* address as line: what may
//! throw or call, where loops go round, the beginning and the ends.
//!
//! Stack traces find a method at its first address before it runs: while a static initialiser of
//! its class does, in thread dumps, and when the stack is full. So a line that holds there must
//! hold for the prologue.

use dex::debug::{DebugEvent, DebugHeader};
use dex::{Insn, Item, Node};

use super::Weaver;
use crate::plan::subject::Subject;

/// The head of the woven method's debug info.
pub(super) fn header(subject: &Subject, address_lines: bool) -> Option<DebugHeader> {
    let mut header = match &subject.code.debug {
        Some(own) => own.clone(),
        None if !address_lines => return None,
        // One name for each parameter, as compilers write it: ART's debugger counts them.
        None => {
            let parameter_names = vec![None; subject.declared_parameters];
            DebugHeader { line_start: 0, parameter_names }
        }
    };
    if subject.state_parameter.is_some() {
        header.parameter_names.push(None);
    }
    Some(header)
}

impl Weaver<'_> {
    /// Before instruction `n`: its original address as line, if a stack trace may name it.
    pub(super) fn keep_address(&mut self, n: usize, insn: &Insn) {
        let address = self.subject.addresses[n];
        let goes_back = || {
            let target = insn.label().and_then(|l| self.subject.cfg.block_of(l));
            target.is_some_and(|b| self.subject.cfg.block(b).first <= n)
        };
        if self.address_lines && (insn.op.can_throw() || insn.op.is_return() || goes_back()) {
            self.line(address);
        }
    }

    /// At the entry: the line that held at the first address, or that address.
    pub(super) fn entry_line(&mut self) {
        if !self.address_lines {
            return;
        }
        // Of several lines at one address, the last one holds.
        let first = self.subject.cfg.blocks[0].first;
        let nodes = self.subject.code.nodes[..first].iter().enumerate().rev();
        let mut lines = nodes.filter_map(|(n, node)| match node.item {
            Item::Debug(DebugEvent::Line(line)) => Some((n, line)),
            _ => None,
        });
        let found = lines.next();
        self.entry_line = found.map(|f| f.0);
        self.address_lines = found.is_none();
        let line = found.map_or(self.subject.addresses[first], |f| f.1);
        // The line register begins where the first position wants it: no event has to move it.
        if let Some(header) = &mut self.out.debug {
            header.line_start = line;
        }
        self.line(line);
    }

    /// Passes one of the method's debug events: behind its first line, no address is needed.
    pub(super) fn passes(&mut self, event: &DebugEvent) {
        self.address_lines &= !matches!(event, DebugEvent::Line(_));
    }

    /// From here on this line holds.
    pub(super) fn line(&mut self, line: u32) {
        let item = Item::Debug(DebugEvent::Line(line));
        self.out.nodes.push(Node { item, try_id: None });
    }
}

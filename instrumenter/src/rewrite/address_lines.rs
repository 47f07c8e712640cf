//! Line numbers for code that has none.
//!
//! If an address has no line, ART prints the address (`Thread::CreateInternalStackTrace`: "make the
//! line number field hold the dex pc"), and R8's mapping files translate that. This happens in
//! methods without lines, and before the first line of a method. Probes move addresses. So each
//! instruction at which a stack trace may find the method gets its *original* address as line:
//! those that may throw or call, loop heads, the beginning and the ends.
//!
//! Stack traces find a method at its first address before it runs: while a static initialiser of
//! its class runs, in thread dumps, and when the stack overflows. So the line of the first address
//! must cover the prologue.

use dex::debug::{DebugEvent, DebugHeader};
use dex::{Insn, Item, Node};

use super::MethodRewriter;
use crate::plan::subject::Subject;

/// Returns the head of the woven method's debug info.
pub(super) fn header(subject: &Subject, address_lines: bool) -> Option<DebugHeader> {
    let mut header = match &subject.code.debug {
        Some(own) => own.clone(),
        None if !address_lines => return None,
        // Each parameter gets a name, as compilers write it: ART's debugger counts them.
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

impl MethodRewriter<'_> {
    /// Sets the original address of instruction `n` as its line, if a stack trace may show it.
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

    /// Sets the line of the entry: that of the first address, or the address itself.
    pub(super) fn entry_line(&mut self) {
        if !self.address_lines {
            return;
        }
        // The last of several lines at one address is valid.
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
        // The line register starts with the line of the first position: no event has to change it.
        if let Some(header) = &mut self.out.debug {
            header.line_start = line;
        }
        self.line(line);
    }

    /// Handles one of the method's debug events: after the method's first line no address is
    /// needed.
    pub(super) fn passes(&mut self, event: &DebugEvent) {
        self.address_lines &= !matches!(event, DebugEvent::Line(_));
    }

    /// Sets the line from here on.
    pub(super) fn line(&mut self, line: u32) {
        let item = Item::Debug(DebugEvent::Line(line));
        self.out.nodes.push(Node { item, try_id: None });
    }
}

//! Writes of fields on other threads.

use std::collections::{BTreeSet, HashMap};

use decoder::replay::{BlockNo, LoopRounds, PathEvent, PathSink, Program};

use crate::code::{self, AppCode};
use crate::words;
use crate::{Address, Certainty, Role, SliceStep};

/// Looks for the last write of each of some fields on a thread before a time.
pub struct FieldWrites<'c, 'p, 'm> {
    code: &'c AppCode<'m>,
    program: &'p Program<'m>,
    fields: &'c BTreeSet<String>,
    until_us: u64,
    clock_us: u64,
    /// Writes of the fields in a block: node and field.
    of_block: HashMap<BlockNo, Vec<(usize, String)>>,
    last: HashMap<String, (BlockNo, usize)>,
}

impl<'c, 'p, 'm> FieldWrites<'c, 'p, 'm> {
    /// Looks for writes of these fields (`Lpkg/Cls;->name:type`) up to this time in µs since the
    /// trace began.
    pub fn new(
        code: &'c AppCode<'m>,
        program: &'p Program<'m>,
        fields: &'c BTreeSet<String>,
        until_us: u64,
    ) -> Self {
        FieldWrites {
            code,
            program,
            fields,
            until_us,
            clock_us: 0,
            of_block: HashMap::new(),
            last: HashMap::new(),
        }
    }

    /// The last writes, one a field, as candidate steps with the name of the thread.
    pub fn into_steps(self, thread: &str) -> Vec<SliceStep> {
        let mut fields: Vec<_> = self.last.into_iter().collect();
        fields.sort();
        let step = |(field, (block, node)): (String, (BlockNo, usize))| {
            let (id, _, in_map, body) = self.code.at(self.program, block)?;
            let method = self.program.map.method(id)?;
            let insn = body.insn(node)?;
            Some(SliceStep {
                role: Role::Set,
                certainty: Certainty::Candidate,
                at: words::target(self.program.map, method, in_map, body.address(node)),
                code: Address {
                    method: code::key(self.program.map, method),
                    units: body.address(node),
                },
                text: words::insn(self.code, &body, insn),
                probability: None,
                field: Some(field),
                thread: Some(thread.to_owned()),
            })
        };
        fields.into_iter().filter_map(step).collect()
    }

    fn writes(&self, block: BlockNo) -> Vec<(usize, String)> {
        let Some((_, _, in_map, body)) = self.code.at(self.program, block) else {
            return Vec::new();
        };
        let puts = body.insns(in_map).filter(|(_, insn)| insn.op.name().contains("put"));
        puts.filter_map(|(node, insn)| Some((node, self.code.field(&body, insn)?)))
            .filter(|(_, field)| self.fields.contains(field))
            .collect()
    }
}

impl PathSink for FieldWrites<'_, '_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.clock_us = self.clock_us.max(times.begin_us),
            PathEvent::Clock(us) => self.clock_us = self.clock_us.max(us),
            PathEvent::Block(block) => self.block(block),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { cycle, times, .. } = rounds;
        if times > 0 {
            cycle.iter().for_each(|&b| self.block(b));
        }
    }

    fn is_full(&self) -> bool {
        self.clock_us > self.until_us
    }
}

impl FieldWrites<'_, '_, '_> {
    fn block(&mut self, block: BlockNo) {
        if self.clock_us > self.until_us {
            return;
        }
        if !self.of_block.contains_key(&block) {
            let writes = self.writes(block);
            self.of_block.insert(block, writes);
        }
        for (node, field) in &self.of_block[&block] {
            self.last.insert(field.clone(), (block, *node));
        }
    }
}

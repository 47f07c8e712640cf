//! Code units to an edit list.

use std::borrow::Cow;

use crate::code::debug::DebugEvent;
use crate::code::error::CodeError;
use crate::code::insn::{Args, Insn, Ref, RegList};
use crate::code::opcode::{INFO, Info, InsnFormat, Op, RefKind};
use crate::code::raw::{FILL_ARRAY, PACKED_SWITCH, RawKind, SPARSE_SWITCH, raw_insns};
use crate::code::{Code, Handlers, Item, Node, Payload};
use crate::file::{Body, CodeItem, Dex, RawHandlers};
use crate::ids::*;

/// Turns a body into an edit list.
///
/// Nothing that runs is lost: dead code stays; tables move into [`Code::payloads`], one per user,
/// in the order of the file; the `nop` that only aligns a table goes. Every try item becomes a
/// [`TryId`] of its own. A debug event stands before the instruction at, or first after, its
/// address, and a line that no instruction has goes; labels stand before the events of the same
/// address.
///
/// ```
/// use dex::{CodeItem, IndexMap, Item, decode, lower};
/// // if-eqz v0, +3; nop; return-void
/// let insns = vec![0x0038, 3, 0x0000, 0x000e];
/// let body = CodeItem { registers: 1, ins: 1, insns, ..CodeItem::default() };
/// let mut code = decode(&body)?;
/// assert_eq!(code.nodes.len(), 4, "three instructions and a label");
/// code.nodes.retain(|node| !matches!(node.item, Item::Insn(insn) if insn.op == dex::Op::Nop));
/// assert_eq!(lower(&code, &IndexMap::default())?.insns, [0x0038, 2, 0x000e]);
/// # Ok::<(), dex::CodeError>(())
/// ```
///
/// # Errors
/// Fails on all that ART's verifier rejects as malformed: truncated or unknown instructions,
/// targets that are no instructions, bad tables, bad try ranges, fewer registers than the
/// parameters need.
pub fn decode(item: &CodeItem) -> Result<Code, CodeError> {
    decode_with_addresses(item).map(|(code, _)| code)
}

/// Decodes as [`decode`], and returns for each node the address (in code units) of the instruction
/// that it is or precedes; for nodes after the last instruction the length of the code.
///
/// # Errors
/// See [`decode`].
pub fn decode_with_addresses(item: &CodeItem) -> Result<(Code, Vec<u32>), CodeError> {
    if item.ins > item.registers {
        return Err(CodeError::Parameters { registers: item.registers, ins: item.ins });
    }
    let map = Map::sweep(&item.insns)?;
    Decoder { item, map, users: Vec::new() }.run()
}

impl Dex {
    /// The body as an edit list, decoded when it is not under edit yet. `None` when there is no
    /// such body.
    ///
    /// # Errors
    /// See [`decode`].
    pub fn code(&self, id: CodeId) -> Option<Result<Cow<'_, Code>, CodeError>> {
        Some(match self.codes.get(id.0 as usize)? {
            Body::Raw(item) => decode(item).map(Cow::Owned),
            Body::Stored(body) => decode(&body.item()).map(Cow::Owned),
            Body::Edited(code) => Ok(Cow::Borrowed(&**code)),
        })
    }
}

impl Dex {
    /// Kind of the item that a reference names and the file lacks; `None` if the file has the item.
    pub fn lacks(&self, reference: Ref) -> Option<&'static str> {
        let (index, items, what) = match reference {
            Ref::String(i) => (i.index(), self.strings.len(), "string"),
            Ref::Type(i) => (i.index(), self.types.len(), "type"),
            Ref::Field(i) => (i.index(), self.fields.len(), "field"),
            Ref::Method(i) => (i.index(), self.methods.len(), "method"),
            Ref::Proto(i) => (i.index(), self.protos.len(), "prototype"),
            Ref::CallSite(i) => (i.index(), self.call_sites.len(), "call site"),
            Ref::MethodHandle(i) => (i.index(), self.method_handles.len(), "method handle"),
        };
        (index >= items).then_some(what)
    }

    /// Finds the first instruction or range of a body that names an item that the file does not
    /// have. Returns its node (for a range the number of nodes) and the kind of the item. Decoding
    /// does not check this: a body need not be valid to be written again.
    pub fn dangling(&self, code: &Code) -> Option<(usize, &'static str)> {
        let found = code.insns().find_map(|(n, insn)| {
            let proto = match insn.args {
                Args::PolyList(.., proto) | Args::PolyRange(.., proto) => {
                    self.lacks(Ref::Proto(proto))
                }
                _ => None,
            };
            Some((n, insn.reference().and_then(|r| self.lacks(r)).or(proto)?))
        });
        let mut types = code.tries.iter().flat_map(|t| &t.catches).map(|c| c.0);
        found.or_else(|| types.find_map(|t| Some((code.nodes.len(), self.lacks(Ref::Type(t))?))))
    }
}

/// Role of a code unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Inside an instruction or table.
    Inner,
    /// First unit of an instruction.
    Insn,
    /// First unit of an instruction that something jumps to.
    Target,
    /// First unit of a table.
    Payload,
}

/// Role of each code unit, from one linear pass.
struct Map<'a> {
    insns: &'a [u16],
    units: Vec<Unit>,
}

impl<'a> Map<'a> {
    fn sweep(insns: &'a [u16]) -> Result<Map<'a>, CodeError> {
        let mut units = vec![Unit::Inner; insns.len()];
        for insn in raw_insns(insns) {
            let at = insn.at as u32;
            units[insn.at] = match insn.kind {
                RawKind::Unknown(opcode) => return Err(CodeError::UnknownOpcode { at, opcode }),
                _ if !insn.whole => return Err(CodeError::Truncated { at }),
                RawKind::Table => Unit::Payload,
                RawKind::Insn(_) => Unit::Insn,
            };
        }
        Ok(Map { insns, units })
    }

    /// First units of instructions and tables, ascending.
    fn starts(&self) -> impl Iterator<Item = (usize, Unit)> + '_ {
        self.units.iter().copied().enumerate().filter(|&(_, unit)| unit != Unit::Inner)
    }

    fn kind(&self, at: i64) -> Unit {
        usize::try_from(at).ok().and_then(|at| self.units.get(at)).copied().unwrap_or(Unit::Inner)
    }

    /// An instruction's first unit, as a target of `user`.
    fn target(&self, user: usize, target: i64) -> Result<usize, CodeError> {
        match self.kind(target) {
            Unit::Insn | Unit::Target => Ok(target as usize),
            Unit::Inner | Unit::Payload => Err(CodeError::BadTarget { at: user as u32, target }),
        }
    }

    fn long(&self, at: usize) -> i32 {
        (self.insns[at] as u32 | (self.insns[at + 1] as u32) << 16) as i32
    }

    /// Calls `f` with every target of the instruction at `at`, in order.
    fn targets(&self, at: usize, mut f: impl FnMut(usize)) -> Result<(), CodeError> {
        let info = info(self.insns, at)?;
        let distance = match info.format {
            InsnFormat::F10t => ((self.insns[at] >> 8) as i8).into(),
            InsnFormat::F20t | InsnFormat::F21t | InsnFormat::F22t => {
                (self.insns[at + 1] as i16).into()
            }
            InsnFormat::F30t => self.long(at + 1),
            InsnFormat::F31t => {
                for (_, distance) in self.cases(at, info.op)? {
                    f(self.target(at, at as i64 + i64::from(distance))?);
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        f(self.target(at, at as i64 + i64::from(distance))?);
        Ok(())
    }

    /// Returns the start of the table of the 31t instruction at `at`.
    fn payload(&self, at: usize, op: Op) -> Result<usize, CodeError> {
        let bad = |what| CodeError::BadPayload { at: at as u32, op, what };
        let target = at as i64 + i64::from(self.long(at + 1));
        let ident = match op {
            Op::PackedSwitch => PACKED_SWITCH,
            Op::SparseSwitch => SPARSE_SWITCH,
            _ => FILL_ARRAY,
        };
        if self.kind(target) != Unit::Payload {
            return Err(bad("its operand does not lead to a table"));
        }
        let table = target as usize;
        if self.insns[table] != ident {
            Err(bad("its table is of another kind"))
        } else {
            Ok(table)
        }
    }

    /// Keys and distances of the switch at `at`; empty for `fill-array-data`.
    fn cases(&self, at: usize, op: Op) -> Result<Vec<(i32, i32)>, CodeError> {
        let table = self.payload(at, op)?;
        let bad = |what| CodeError::BadPayload { at: at as u32, op, what };
        let count = self.insns[table + 1] as usize;
        // The sweep saw the whole table, so `count` is bounded by the code's length.
        match op {
            Op::PackedSwitch => {
                let first = self.long(table + 2);
                if count > 0 && first.checked_add(count as i32 - 1).is_none() {
                    return Err(bad("its keys overflow"));
                }
                Ok((0..count).map(|i| (first + i as i32, self.long(table + 4 + 2 * i))).collect())
            }
            Op::SparseSwitch => {
                let pair = |i: usize| {
                    (self.long(table + 2 + 2 * i), self.long(table + 2 + 2 * (count + i)))
                };
                let cases: Vec<_> = (0..count).map(pair).collect();
                if cases.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
                    return Err(bad("its keys do not ascend"));
                }
                Ok(cases)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Marks the units that control can arrive at, from the first one and from `entries`; the last
    /// flag stands for the end of the code.
    fn reachable(&self, entries: impl Iterator<Item = usize>) -> Result<Vec<bool>, CodeError> {
        let mut seen = vec![false; self.insns.len() + 1];
        let mut work: Vec<usize> = entries.chain([0]).collect();
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut seen[at], true)
                || self.units.get(at).is_none_or(|&unit| unit == Unit::Payload)
            {
                continue;
            }
            let info = info(self.insns, at)?;
            self.targets(at, |target| work.push(target))?;
            if info.op.can_continue() {
                work.push(at + info.units as usize);
            }
        }
        Ok(seen)
    }
}

fn info(insns: &[u16], at: usize) -> Result<&'static Info, CodeError> {
    let opcode = insns[at] as u8;
    INFO[opcode as usize].as_ref().ok_or(CodeError::UnknownOpcode { at: at as u32, opcode })
}

struct Decoder<'a> {
    item: &'a CodeItem,
    map: Map<'a>,
    /// Table and user of each 31t instruction, in file order: the position is the [`PayloadId`].
    users: Vec<(usize, usize)>,
}

impl Decoder<'_> {
    fn run(mut self) -> Result<(Code, Vec<u32>), CodeError> {
        let item = self.item;
        self.check_tries()?;
        self.mark_targets()?;
        let dropped = self.alignment_nops()?;
        let (labels, next_label) = self.number_labels();

        let no_events = Vec::new();
        let events = item.debug.as_ref().map_or(&no_events, |debug| &debug.events);
        if let Some(i) = events.windows(2).position(|pair| pair[0].0 > pair[1].0) {
            return Err(CodeError::DebugOrder { index: i + 1 });
        }
        let mut events = events.iter().peekable();
        let mut tries = item.tries.iter().enumerate().peekable();
        let expected = item.insns.len() / 2 + labels.len() + events.len() + 1;
        let mut nodes = Vec::with_capacity(expected);
        let mut addresses = Vec::with_capacity(expected);
        let plain = |item| Node { item, try_id: None };

        for at in 0..item.insns.len() {
            let unit = self.map.units[at];
            if matches!(unit, Unit::Inner | Unit::Payload) || dropped.contains(&at) {
                continue;
            }
            if unit == Unit::Target {
                nodes.push(plain(Item::Label(label_at(&labels, at))));
            }
            while let Some((address, event)) =
                events.next_if(|(address, _)| *address as usize <= at)
            {
                // R8's tables have a line for each code unit. Within an instruction none counts.
                let next = events.peek().filter(|(address, _)| *address as usize <= at);
                let replaced = *address < at as u32
                    && matches!(
                        (event, next),
                        (DebugEvent::Line(_), Some((_, DebugEvent::Line(_))))
                    );
                if !replaced {
                    nodes.push(plain(Item::Debug(event.clone())));
                }
            }
            while tries
                .next_if(|(_, range)| range.start as usize + range.len as usize <= at)
                .is_some()
            {}
            let try_id = tries
                .peek()
                .filter(|(_, range)| range.start as usize <= at)
                .map(|&(i, _)| TryId(i as u32));
            let insn = self.insn(at, &labels)?;
            nodes.push(Node { item: Item::Insn(insn), try_id });
            addresses.resize(nodes.len(), at as u32);
        }
        // A line within the last instruction or after it does not count either.
        let rest = events.filter(|(_, event)| !matches!(event, DebugEvent::Line(_)));
        nodes.extend(rest.map(|(_, event)| plain(Item::Debug(event.clone()))));

        let payload = |&(_, user): &(usize, usize)| self.payload(user, &labels);
        let payloads = self.users.iter().map(payload).collect::<Result<_, _>>()?;
        let handlers = |list: &RawHandlers| Handlers {
            catches: list
                .catches
                .iter()
                .map(|&(ty, at)| (ty, label_at(&labels, at as usize)))
                .collect(),
            catch_all: list.catch_all.map(|at| label_at(&labels, at as usize)),
        };
        addresses.resize(nodes.len(), item.insns.len() as u32);
        let code = Code {
            registers: item.registers,
            ins: item.ins,
            outs: item.outs,
            nodes,
            tries: item
                .tries
                .iter()
                .map(|range| handlers(&item.handlers[range.handlers as usize]))
                .collect(),
            payloads,
            debug: item.debug.as_ref().map(|debug| debug.header.clone()),
            next_label,
        };
        Ok((code, addresses))
    }

    fn check_tries(&self) -> Result<(), CodeError> {
        let mut last_end = 0;
        for (index, range) in self.item.tries.iter().enumerate() {
            let bad = |what| Err(CodeError::BadTry { index, what });
            let end = u64::from(range.start) + u64::from(range.len);
            if u64::from(range.start) < last_end {
                return bad("it does not lie after its predecessor");
            }
            if end > self.item.insns.len() as u64 {
                return bad("it runs past the end of the code");
            }
            if range.len > 0 && self.map.kind(range.start.into()) == Unit::Inner {
                return bad("it starts inside an instruction");
            }
            if range.handlers as usize >= self.item.handlers.len() {
                return bad("it has no handler list");
            }
            last_end = end;
        }
        Ok(())
    }

    /// Every target of a handler.
    fn handler_targets(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.item.tries.iter().flat_map(|range| {
            let list = &self.item.handlers[range.handlers as usize];
            list.catches.iter().map(|&(_, at)| at).chain(list.catch_all).map(|at| (range.start, at))
        })
    }

    fn mark_targets(&mut self) -> Result<(), CodeError> {
        let mut targets = Vec::new();
        let mut users = Vec::new();
        for (at, unit) in self.map.starts() {
            if unit == Unit::Payload {
                continue;
            }
            self.map.targets(at, |target| targets.push(target))?;
            let info = info(self.map.insns, at)?;
            if info.format == InsnFormat::F31t {
                users.push((self.map.payload(at, info.op)?, at));
            }
        }
        users.sort_unstable();
        self.users = users;
        for (start, at) in self.handler_targets() {
            targets.push(self.map.target(start as usize, at.into())?);
        }
        for target in targets {
            self.map.units[target] = Unit::Target;
        }
        Ok(())
    }

    /// The `nop`s right before a table that cannot run, ascending.
    ///
    /// # Errors
    /// Fails if control can run into a table or off the end of the code.
    fn alignment_nops(&self) -> Result<Vec<usize>, CodeError> {
        let falls = |place: Option<(usize, Unit)>| match place {
            // Nothing precedes the first instruction, but control enters there.
            None => Ok(true),
            Some((_, Unit::Payload)) => Ok(false),
            Some((at, _)) => info(self.map.insns, at).map(|info| info.op.can_continue()),
        };
        let mut nops = Vec::new();
        // Addresses that must be unreachable although code before them falls through to them: odd,
        // but legal while that code is dead.
        let mut suspects = Vec::new();
        let mut previous: [Option<(usize, Unit)>; 2] = [None, None];
        for (at, unit) in self.map.starts() {
            if unit == Unit::Payload {
                match previous[1] {
                    Some((nop, Unit::Insn)) if self.is_nop(nop) && !falls(previous[0])? => {
                        nops.push(nop)
                    }
                    last if falls(last)? => suspects.push(at),
                    _ => {}
                }
            }
            previous = [previous[1], Some((at, unit))];
        }
        let end = self.map.insns.len();
        if falls(previous[1])? {
            suspects.push(end);
        }
        if !suspects.is_empty() {
            let reachable =
                self.map.reachable(self.handler_targets().map(|(_, at)| at as usize))?;
            if let Some(&at) = suspects.iter().find(|&&at| reachable[at]) {
                let at = at as u32;
                return Err(if at as usize == end {
                    CodeError::RunsOffEnd
                } else {
                    CodeError::PayloadExecuted { at }
                });
            }
        }
        Ok(nops)
    }

    fn is_nop(&self, at: usize) -> bool {
        self.map.insns[at] as u8 == Op::Nop.value()
    }

    /// Target addresses, ascending; a label's number is its position.
    fn number_labels(&self) -> (Vec<u32>, u32) {
        let targets = self.map.starts().filter(|&(_, unit)| unit == Unit::Target);
        let labels: Vec<u32> = targets.map(|(at, _)| at as u32).collect();
        let next = labels.len() as u32;
        (labels, next)
    }

    fn insn(&self, at: usize, labels: &[u32]) -> Result<Insn, CodeError> {
        use InsnFormat::*;
        let insns = self.map.insns;
        let info = info(insns, at)?;
        let op = info.op;
        let first = insns[at];
        let unit = |i: usize| insns[at + i];
        let a4 = Reg(first >> 8 & 15);
        let b4 = Reg(first >> 12);
        let a8 = Reg(first >> 8);
        let reg = |i: usize| Reg(unit(i));
        let low = |i: usize| Reg(unit(i) & 0xff);
        let high = |i: usize| Reg(unit(i) >> 8);
        let short = |i: usize| unit(i) as i16;
        let long = |i: usize| self.map.long(at + i);
        let jump = |distance: i32| label_at(labels, (at as i64 + i64::from(distance)) as usize);
        let reference = |index: u32| reference(info.ref_kind, index);
        let args = match info.format {
            F10x => Args::None,
            F12x => Args::AB(a4, b4),
            F11n => Args::ALit(a4, (first as i16 >> 12).into()),
            F11x => Args::A(a8),
            F10t => Args::Jump(jump((first as i16 >> 8).into())),
            F20t => Args::Jump(jump(short(1).into())),
            F22x => Args::AB(a8, reg(1)),
            F21t => Args::AJump(a8, jump(short(1).into())),
            F21s => Args::ALit(a8, short(1).into()),
            F21h => {
                Args::ALit(a8, i64::from(short(1)) << if op == Op::ConstHigh16 { 16 } else { 48 })
            }
            F21c => Args::ARef(a8, reference(unit(1).into())),
            F23x => Args::ABC(a8, low(1), high(1)),
            F22b => Args::ABLit(a8, low(1), (short(1) >> 8).into()),
            F22t => Args::ABJump(a4, b4, jump(short(1).into())),
            F22s => Args::ABLit(a4, b4, short(1).into()),
            F22c => Args::ABRef(a4, b4, reference(unit(1).into())),
            F30t => Args::Jump(jump(long(1))),
            F32x => Args::AB(reg(1), reg(2)),
            F31i => Args::ALit(a8, long(1).into()),
            F31t => {
                let user = (self.map.payload(at, op)?, at);
                // `mark_targets` noted all users.
                let id = self.users.binary_search(&user).unwrap_or_else(|i| i);
                Args::APayload(a8, PayloadId(id as u32))
            }
            F31c => Args::ARef(a8, reference(long(1) as u32)),
            F35c => Args::List(list(at, op, first, unit(2))?, reference(unit(1).into())),
            F3rc => Args::Range(reg(2), first >> 8, reference(unit(1).into())),
            F45cc => {
                let (method, proto) = (MethodIdx(unit(1).into()), ProtoIdx(unit(3).into()));
                Args::PolyList(list(at, op, first, unit(2))?, method, proto)
            }
            F4rcc => Args::PolyRange(
                reg(2),
                first >> 8,
                MethodIdx(unit(1).into()),
                ProtoIdx(unit(3).into()),
            ),
            F51l => Args::ALit(a8, i64::from(long(3)) << 32 | i64::from(long(1) as u32)),
        };
        Ok(Insn { op, args })
    }

    /// The table of the 31t instruction at `at`.
    fn payload(&self, at: usize, labels: &[u32]) -> Result<Payload, CodeError> {
        let op = info(self.map.insns, at)?.op;
        let cases = self.map.cases(at, op)?;
        let label = |distance: i32| label_at(labels, (at as i64 + i64::from(distance)) as usize);
        let table = self.map.payload(at, op)?;
        Ok(match op {
            Op::PackedSwitch => Payload::PackedSwitch {
                first_key: self.map.long(table + 2),
                targets: cases.iter().map(|&(_, distance)| label(distance)).collect(),
            },
            Op::SparseSwitch => Payload::SparseSwitch {
                cases: cases.iter().map(|&(key, distance)| (key, label(distance))).collect(),
            },
            _ => {
                let width = self.map.insns[table + 1];
                if !matches!(width, 1 | 2 | 4 | 8) {
                    let what = "its element width is none of 1, 2, 4, 8";
                    return Err(CodeError::BadPayload { at: at as u32, op, what });
                }
                let bytes = self.map.long(table + 2) as u32 as usize * width as usize;
                let units = &self.map.insns[table + 4..table + 4 + bytes.div_ceil(2)];
                let mut data: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                data.truncate(bytes);
                Payload::FillArray { width, data }
            }
        })
    }
}

/// The label of an address that [`Decoder::mark_targets`] has checked and marked.
fn label_at(labels: &[u32], at: usize) -> Label {
    Label(labels.binary_search(&(at as u32)).unwrap_or_else(|i| i) as u32)
}

fn reference(kind: RefKind, index: u32) -> Ref {
    match kind {
        RefKind::String => Ref::String(StringIdx(index)),
        // No format with an index has kind `None`.
        RefKind::Type | RefKind::None => Ref::Type(TypeIdx(index)),
        RefKind::Field => Ref::Field(FieldIdx(index)),
        RefKind::Method | RefKind::MethodAndProto => Ref::Method(MethodIdx(index)),
        RefKind::CallSite => Ref::CallSite(CallSiteIdx(index)),
        RefKind::MethodHandle => Ref::MethodHandle(MethodHandleIdx(index)),
        RefKind::Proto => Ref::Proto(ProtoIdx(index)),
    }
}

/// The registers of formats 35c and 45cc: count and fifth register in the first unit, the others in
/// the third.
fn list(at: usize, op: Op, first: u16, third: u16) -> Result<RegList, CodeError> {
    let count = first >> 12;
    let all = [third & 15, third >> 4 & 15, third >> 8 & 15, third >> 12, first >> 8 & 15].map(Reg);
    let regs = all.get(..count as usize);
    regs.and_then(RegList::new).ok_or(CodeError::ArgumentCount { at: at as u32, op, count })
}

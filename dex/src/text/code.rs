//! Text to code.

use std::collections::HashMap;

use crate::code::debug::{DebugEvent, DebugHeader};
use crate::code::insn::{Args, Insn, RegList};
use crate::code::opcode::{InsnFormat, Op};
use crate::code::{Code, Handlers, Item, Node, Payload};
use crate::file::Dex;
use crate::ids::*;

use super::cursor::{LineCursor, Lines, Result, TextErrorKind};
use super::refs::RefParser;

/// The highest label that text may name by number.
const MAX_LABEL: i64 = (1 << 24) - 1;
/// The most instructions that `.repeat` may give.
const MAX_INSNS: usize = 1 << 20;

/// Reads a body (see the [module](self::super)); what it names is added to the pools.
///
/// Without `ins=` there are no parameters; without `outs=` there is room for the longest call.
///
/// # Errors
/// A [`TextError`](super::TextError) with line and column.
pub fn parse_code(text: &str, dex: &mut Dex) -> Result<Code> {
    let mut lines = Lines::new(text);
    let (code, end) = body(&mut lines, dex, 0)?;
    end.map_or(Ok(code), |line| line.expected("another line of code"))
}

/// Reads a body up to a line `.end method`, which is returned, or the end of the text. `ins` are
/// the words of parameters where the text has none.
pub(super) fn body<'a>(
    lines: &mut Lines<'a>,
    dex: &mut Dex,
    ins: u16,
) -> Result<(Code, Option<LineCursor<'a>>)> {
    let Some(mut head) = lines.next() else { return Err(lines.ends(".code")) };
    if !head.eat_word(".code") {
        return head.expected(".code");
    }
    let (mut code, outs) = frame(&mut head, ins)?;
    let mut parser = Parser { code: &mut code, names: HashMap::new(), open: None };
    let mut last = None;
    for line in lines.by_ref() {
        let mut ahead = line;
        if ahead.eat_word(".end") && ahead.eat_word("method") {
            ahead.end()?;
            last = Some(line);
            break;
        }
        let mut reader = RefParser { dex, cursor: line };
        parser.line(&mut reader)?;
        reader.cursor.end()?;
    }
    if parser.open.is_some() {
        return match last {
            Some(line) => line.error(TextErrorKind::OpenTry),
            None => Err(lines.ends(".end try")),
        };
    }
    parser.number_labels();
    if outs.is_none() {
        code.outs = longest_call(&code);
    }
    Ok((code, last))
}

/// `registers=3 ins=1 outs=0`.
fn frame(head: &mut LineCursor<'_>, ins: u16) -> Result<(Code, Option<u16>)> {
    let mut count = |name| -> Result<Option<u16>> {
        if !head.eat(name) {
            return Ok(None);
        }
        head.number(0, u16::MAX.into()).map(|n| Some(n as u16))
    };
    let registers = count("registers=")?;
    let (given_ins, outs) = (count("ins=")?, count("outs=")?);
    let Some(registers) = registers else { return head.expected("registers=") };
    head.end()?;
    let ins = given_ins.unwrap_or(ins);
    Ok((Code { registers, ins, outs: outs.unwrap_or(0), ..Code::default() }, outs))
}

/// Words of the longest argument list.
fn longest_call(code: &Code) -> u16 {
    let words =
        code.insns().filter(|(_, insn)| insn.op.is_invoke()).map(|(_, insn)| match insn.args {
            Args::List(regs, _) | Args::PolyList(regs, ..) => regs.len() as u16, // at most 5
            Args::Range(_, count, _) | Args::PolyRange(_, count, ..) => count,
            _ => 0,
        });
    words.max().unwrap_or(0)
}

struct Parser<'c> {
    code: &'c mut Code,
    /// Labels with names of their own, numbered from above [`MAX_LABEL`] until all are known.
    names: HashMap<String, Label>,
    open: Option<TryId>,
}

impl Parser<'_> {
    fn line(&mut self, reader: &mut RefParser<'_, '_>) -> Result<()> {
        let start = reader.cursor;
        match reader.cursor.peek() {
            Some(':') => {
                let label = self.label(reader)?;
                self.push(Item::Label(label));
            }
            Some('.') => {
                let name = reader.cursor.word();
                self.directive(name, start, reader)?;
            }
            _ => {
                let insn = self.insn(reader)?;
                self.push(Item::Insn(insn));
            }
        }
        Ok(())
    }

    fn push(&mut self, item: Item) {
        let try_id = self.open.filter(|_| matches!(item, Item::Insn(_)));
        self.code.nodes.push(Node { item, try_id });
    }

    fn directive(
        &mut self,
        name: &str,
        start: LineCursor<'_>,
        reader: &mut RefParser<'_, '_>,
    ) -> Result<()> {
        let event = match name {
            ".debug" => {
                self.code.debug = Some(header(reader)?);
                return Ok(());
            }
            ".try" => {
                if self.open.is_some() {
                    return start.error(TextErrorKind::NestedTry);
                }
                self.open = Some(TryId(reader.cursor.number(0, MAX_LABEL)? as u32));
                return Ok(());
            }
            ".catch" => {
                count_up(reader, self.code.tries.len())?;
                let handlers = self.handlers(reader)?;
                self.code.tries.push(handlers);
                return Ok(());
            }
            ".payload" => {
                count_up(reader, self.code.payloads.len())?;
                let payload = self.payload(reader)?;
                self.code.payloads.push(payload);
                return Ok(());
            }
            ".repeat" => {
                let count = reader.cursor.number(0, MAX_INSNS as i64)? as usize;
                let insn = self.insn(reader)?;
                if self.code.nodes.len() + count > MAX_INSNS {
                    return start.error(TextErrorKind::TooMuch(MAX_INSNS));
                }
                (0..count).for_each(|_| self.push(Item::Insn(insn)));
                return Ok(());
            }
            ".end" if reader.cursor.eat_word("try") => {
                if self.open.take().is_none() {
                    return start.error(TextErrorKind::NoOpenTry);
                }
                return Ok(());
            }
            ".end" if reader.cursor.eat_word("local") => DebugEvent::EndLocal(self.reg(reader)?),
            ".restart" if reader.cursor.eat_word("local") => {
                DebugEvent::RestartLocal(self.reg(reader)?)
            }
            ".line" => DebugEvent::Line(reader.cursor.number(0, u32::MAX.into())? as u32),
            ".local" => self.local(reader)?,
            ".prologue" => DebugEvent::PrologueEnd,
            ".epilogue" => DebugEvent::EpilogueBegin,
            ".file" => DebugEvent::SetFile(reader.optional_string()?),
            _ => return start.error(TextErrorKind::UnknownDirective(name.into())),
        };
        self.push(Item::Debug(event));
        Ok(())
    }

    fn local(&mut self, reader: &mut RefParser<'_, '_>) -> Result<DebugEvent> {
        let reg = self.reg(reader)?;
        let name = reader.optional_string()?;
        let ty = if reader.cursor.eat_word("-") { None } else { Some(reader.ty()?) };
        let extended = !reader.cursor.at_end();
        let signature = if extended { reader.optional_string()? } else { None };
        Ok(DebugEvent::StartLocal { reg, name, ty, signature, extended })
    }

    /// `:name`.
    fn label(&mut self, reader: &mut RefParser<'_, '_>) -> Result<Label> {
        reader.cursor.need(":", "a label, such as :L0")?;
        let start = reader.cursor;
        let name = reader.cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() {
            return start.expected("the label's name");
        }
        let digits = name
            .strip_prefix('L')
            .filter(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
        if digits.is_some() {
            reader.cursor = start;
            reader.cursor.eat_here("L");
            return reader.cursor.number(0, MAX_LABEL).map(|n| Label(n as u32));
        }
        let next = Label(MAX_LABEL as u32 + 1 + self.names.len() as u32);
        Ok(*self.names.entry(name.into()).or_insert(next))
    }

    /// Gives the labels with names of their own the numbers after the others.
    fn number_labels(&mut self) {
        let named = |label: &Label| i64::from(label.0) > MAX_LABEL;
        let mut next = 0;
        self.code.visit_labels_mut(|label| {
            if !named(label) {
                next = next.max(label.0 + 1);
            }
        });
        self.code.next_label = next + self.names.len() as u32;
        if self.names.is_empty() {
            return;
        }
        self.code.visit_labels_mut(|label| {
            if named(label) {
                label.0 = label.0 - MAX_LABEL as u32 - 1 + next;
            }
        });
    }

    /// `v3`, or `p0` for the first word of the parameters.
    fn reg(&mut self, reader: &mut RefParser<'_, '_>) -> Result<Reg> {
        reader.cursor.skip();
        let start = reader.cursor;
        if reader.cursor.eat_here("v") {
            return reader.cursor.number(0, u16::MAX.into()).map(|n| Reg(n as u16));
        }
        if !reader.cursor.eat_here("p") {
            return start.expected("a register, such as v0");
        }
        let n = reader.cursor.number(0, u16::MAX.into())? as u16;
        let Code { registers, ins, .. } = *self.code;
        match registers.checked_sub(ins) {
            Some(first) if n < ins => Ok(Reg(first + n)),
            _ => start.error(TextErrorKind::NoParameter),
        }
    }

    /// `{v1, v2}`.
    fn list(&mut self, reader: &mut RefParser<'_, '_>) -> Result<RegList> {
        reader.cursor.need("{", "registers in braces")?;
        let start = reader.cursor;
        let mut regs = Vec::new();
        while !reader.cursor.eat("}") {
            if !regs.is_empty() {
                reader.cursor.comma()?;
            }
            regs.push(self.reg(reader)?);
        }
        RegList::new(&regs)
            .map_or_else(|| start.expected("at most five registers, none above v15"), Ok)
    }

    /// `{v1 .. v7}`, `{v1}`, or `{v1 ..}` for none.
    fn range(&mut self, reader: &mut RefParser<'_, '_>) -> Result<(Reg, u16)> {
        reader.cursor.need("{", "registers in braces")?;
        let first = self.reg(reader)?;
        let mut count = 1;
        if reader.cursor.eat("..") {
            let first = i64::from(first.0);
            count = match reader.cursor.peek() {
                Some('v') => {
                    reader.cursor.eat("v");
                    reader.cursor.number(first, first + i64::from(u16::MAX) - 1)? - first + 1
                }
                Some('p') => (i64::from(self.reg(reader)?.0) - first + 1).max(0),
                _ => 0,
            };
        }
        reader.cursor.need("}", "a closing brace")?;
        Ok((first, count as u16))
    }

    fn insn(&mut self, reader: &mut RefParser<'_, '_>) -> Result<Insn> {
        reader.cursor.skip();
        let start = reader.cursor;
        let name = reader.cursor.word();
        let Some(op) = Op::from_name(name) else {
            return start.error(TextErrorKind::UnknownOpcode(name.into()));
        };
        let insn = Insn { op, args: self.args(op, reader)? };
        match insn.misfit() {
            None => Ok(insn),
            Some(what) => start.error(TextErrorKind::Operand { op, what }),
        }
    }

    fn args(&mut self, op: Op, reader: &mut RefParser<'_, '_>) -> Result<Args> {
        use InsnFormat::*;
        let format = op.format();
        match format {
            F10x => return Ok(Args::None),
            F10t | F20t | F30t => return self.label(reader).map(Args::Jump),
            F35c | F45cc => {
                let regs = self.list(reader)?;
                reader.cursor.comma()?;
                if format == F35c {
                    return Ok(Args::List(regs, reader.reference(op.ref_kind())?));
                }
                let method = reader.method()?;
                reader.cursor.comma()?;
                return Ok(Args::PolyList(regs, method, reader.proto()?));
            }
            F3rc | F4rcc => {
                let (first, count) = self.range(reader)?;
                reader.cursor.comma()?;
                if format == F3rc {
                    return Ok(Args::Range(first, count, reader.reference(op.ref_kind())?));
                }
                let method = reader.method()?;
                reader.cursor.comma()?;
                return Ok(Args::PolyRange(first, count, method, reader.proto()?));
            }
            _ => {}
        }
        let a = self.reg(reader)?;
        if format == F11x {
            return Ok(Args::A(a));
        }
        reader.cursor.comma()?;
        match format {
            F11n | F21s | F21h | F31i | F51l => {
                return reader.cursor.number(i64::MIN, i64::MAX).map(|value| Args::ALit(a, value));
            }
            F21t => return self.label(reader).map(|label| Args::AJump(a, label)),
            F31t => {
                reader.cursor.need(":P", "a table, such as :P0")?;
                return reader
                    .cursor
                    .number(0, MAX_LABEL)
                    .map(|n| Args::APayload(a, PayloadId(n as u32)));
            }
            F21c | F31c => return reader.reference(op.ref_kind()).map(|r| Args::ARef(a, r)),
            _ => {}
        }
        let b = self.reg(reader)?;
        if matches!(format, F12x | F22x | F32x) {
            return Ok(Args::AB(a, b));
        }
        reader.cursor.comma()?;
        match format {
            F22t => self.label(reader).map(|label| Args::ABJump(a, b, label)),
            F22c => reader.reference(op.ref_kind()).map(|r| Args::ABRef(a, b, r)),
            F23x => self.reg(reader).map(|c| Args::ABC(a, b, c)),
            _ => {
                let value = reader.cursor.number(i32::MIN.into(), i32::MAX.into())?;
                Ok(Args::ABLit(a, b, value as i32))
            }
        }
    }

    /// `type :label, …, all :label`.
    fn handlers(&mut self, reader: &mut RefParser<'_, '_>) -> Result<Handlers> {
        let mut handlers = Handlers::default();
        while !reader.cursor.at_end() {
            if !handlers.catches.is_empty() {
                reader.cursor.comma()?;
            }
            if reader.cursor.eat_word("all") {
                handlers.catch_all = Some(self.label(reader)?);
                break;
            }
            let ty = reader.ty()?;
            handlers.catches.push((ty, self.label(reader)?));
        }
        Ok(handlers)
    }

    fn payload(&mut self, reader: &mut RefParser<'_, '_>) -> Result<Payload> {
        let start = reader.cursor;
        match reader.cursor.word() {
            "packed-switch" => {
                let first_key = reader.cursor.number(i32::MIN.into(), i32::MAX.into())? as i32;
                let mut targets = Vec::new();
                while !reader.cursor.at_end() {
                    targets.push(self.label(reader)?);
                }
                Ok(Payload::PackedSwitch { first_key, targets })
            }
            "sparse-switch" => {
                let mut cases = Vec::new();
                while !reader.cursor.at_end() {
                    let key = reader.cursor.number(i32::MIN.into(), i32::MAX.into())? as i32;
                    reader.cursor.need("->", "->")?;
                    cases.push((key, self.label(reader)?));
                }
                Ok(Payload::SparseSwitch { cases })
            }
            "array-data" => {
                let width = reader.cursor.number(0, u16::MAX.into())? as u16;
                let mut data = Vec::new();
                while !reader.cursor.at_end() {
                    let here = reader.cursor;
                    match u8::from_str_radix(reader.cursor.word(), 16) {
                        Ok(byte) => data.push(byte),
                        Err(_) => return here.expected("a byte in two hexadecimal digits"),
                    }
                }
                Ok(Payload::FillArray { width, data })
            }
            _ => start.expected("packed-switch, sparse-switch or array-data"),
        }
    }
}

/// `line 12 parameters "a" -`.
fn header(reader: &mut RefParser<'_, '_>) -> Result<DebugHeader> {
    if !reader.cursor.eat_word("line") {
        return reader.cursor.expected("line");
    }
    let line_start = reader.cursor.number(0, u32::MAX.into())? as u32;
    let mut parameter_names = Vec::new();
    if reader.cursor.eat_word("parameters") {
        while !reader.cursor.at_end() {
            parameter_names.push(reader.optional_string()?);
        }
    }
    Ok(DebugHeader { line_start, parameter_names })
}

/// The number of the next table or handler list.
fn count_up(reader: &mut RefParser<'_, '_>, expected: usize) -> Result<()> {
    reader.cursor.skip();
    let start = reader.cursor;
    if reader.cursor.number(0, i64::MAX)? == expected as i64 {
        return Ok(());
    }
    start.error(TextErrorKind::Order { expected })
}

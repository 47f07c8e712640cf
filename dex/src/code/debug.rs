//! Debug info (`debug_info_item`): line table and local variables, as events rather than bytecode.

use crate::code::error::CodeError;
use crate::ids::*;

/// The head of a method's debug info.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct DebugHeader {
    /// Initial value of the line register.
    pub line_start: u32,
    /// Names of the parameters, `this` left out; `None` where the file gives none.
    pub parameter_names: Vec<Option<StringIdx>>,
}

/// One event of the debug state machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DebugEvent {
    /// A position entry: the next instruction begins this source line.
    Line(u32),
    /// `DBG_START_LOCAL`, or `DBG_START_LOCAL_EXTENDED` when `signature` is present.
    StartLocal {
        /// Register that holds the variable.
        reg: Reg,
        /// Name.
        name: Option<StringIdx>,
        /// Type.
        ty: Option<TypeIdx>,
        /// Generic signature.
        signature: Option<StringIdx>,
        /// True if the file used the extended opcode (an absent signature can be written with
        /// either opcode).
        extended: bool,
    },
    /// `DBG_END_LOCAL`.
    EndLocal(Reg),
    /// `DBG_RESTART_LOCAL`.
    RestartLocal(Reg),
    /// `DBG_SET_PROLOGUE_END`.
    PrologueEnd,
    /// `DBG_SET_EPILOGUE_BEGIN`.
    EpilogueBegin,
    /// `DBG_SET_FILE`.
    SetFile(Option<StringIdx>),
}

/// Debug info of a method that is not under edit: events by code-unit address, ascending.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct DebugInfo {
    /// First line and parameter names.
    pub header: DebugHeader,
    /// Events and the address (in code units) from which they hold.
    pub events: Vec<(u32, DebugEvent)>,
}

// Opcodes of the debug state machine.
const DBG_END_SEQUENCE: u8 = 0x00;
const DBG_ADVANCE_PC: u8 = 0x01;
const DBG_ADVANCE_LINE: u8 = 0x02;
const DBG_START_LOCAL: u8 = 0x03;
const DBG_START_LOCAL_EXTENDED: u8 = 0x04;
const DBG_END_LOCAL: u8 = 0x05;
const DBG_RESTART_LOCAL: u8 = 0x06;
const DBG_SET_PROLOGUE_END: u8 = 0x07;
const DBG_SET_EPILOGUE_BEGIN: u8 = 0x08;
const DBG_SET_FILE: u8 = 0x09;
const DBG_FIRST_SPECIAL: u8 = 0x0a;
const DBG_LINE_BASE: i32 = -4;
const DBG_LINE_RANGE: u32 = 15;

/// Parses the `debug_info_item` that starts at byte `at`; also returns its end.
///
/// Indices are not checked.
///
/// # Errors
/// As [`parse_within`].
pub fn parse(bytes: &[u8], at: usize) -> Result<(DebugInfo, usize), CodeError> {
    parse_until(bytes, at, u64::MAX)
}

/// Parses as [`parse`] for a body of `units` code units, up to the first event after its code. R8
/// shares one item among all methods, and most of its events lie after the code of a short one.
///
/// # Errors
/// [`CodeError::BadDebug`] if the bytes end early, a number is longer than five bytes, a register
/// does not fit 16 bits, or the address register overflows.
pub fn parse_within(bytes: &[u8], at: usize, units: u32) -> Result<(DebugInfo, usize), CodeError> {
    parse_until(bytes, at, units.into())
}

fn parse_until(bytes: &[u8], at: usize, end: u64) -> Result<(DebugInfo, usize), CodeError> {
    let mut cursor = DebugBytes { bytes, at };
    let line_start = cursor.uleb()?;
    let count = cursor.uleb()?;
    // Each name takes at least one byte.
    if count as usize > bytes.len().saturating_sub(cursor.at) {
        return Err(cursor.error("more parameter names than bytes"));
    }
    let parameter_names = (0..count).map(|_| cursor.string()).collect::<Result<_, _>>()?;
    let mut info =
        DebugInfo { header: DebugHeader { line_start, parameter_names }, events: Vec::new() };
    let (mut address, mut line) = (0u32, line_start);
    loop {
        let opcode = cursor.byte()?;
        let event = match opcode {
            DBG_END_SEQUENCE => return Ok((info, cursor.at)),
            DBG_ADVANCE_PC => {
                let distance = cursor.uleb()?;
                address = address
                    .checked_add(distance)
                    .ok_or_else(|| cursor.error("the address overflows"))?;
                if u64::from(address) >= end {
                    return Ok((info, cursor.at));
                }
                continue;
            }
            DBG_ADVANCE_LINE => {
                line = line.wrapping_add_signed(cursor.sleb()?);
                continue;
            }
            DBG_START_LOCAL | DBG_START_LOCAL_EXTENDED => {
                let extended = opcode == DBG_START_LOCAL_EXTENDED;
                let reg = cursor.reg()?;
                let name = cursor.string()?;
                let ty = cursor.index()?.map(TypeIdx);
                let signature = if extended { cursor.string()? } else { None };
                DebugEvent::StartLocal { reg, name, ty, signature, extended }
            }
            DBG_END_LOCAL => DebugEvent::EndLocal(cursor.reg()?),
            DBG_RESTART_LOCAL => DebugEvent::RestartLocal(cursor.reg()?),
            DBG_SET_PROLOGUE_END => DebugEvent::PrologueEnd,
            DBG_SET_EPILOGUE_BEGIN => DebugEvent::EpilogueBegin,
            DBG_SET_FILE => DebugEvent::SetFile(cursor.string()?),
            special => {
                let adjusted = u32::from(special - DBG_FIRST_SPECIAL);
                let distance = adjusted / DBG_LINE_RANGE;
                address = address
                    .checked_add(distance)
                    .ok_or_else(|| cursor.error("the address overflows"))?;
                if u64::from(address) >= end {
                    return Ok((info, cursor.at));
                }
                line = line.wrapping_add_signed(DBG_LINE_BASE + (adjusted % DBG_LINE_RANGE) as i32);
                DebugEvent::Line(line)
            }
        };
        info.events.push((address, event));
    }
}

/// Appends `info`, whose indices are final, as a `debug_info_item`.
///
/// A position takes one special opcode where one reaches, else `DBG_ADVANCE_LINE` or
/// `DBG_ADVANCE_PC` before it.
///
/// # Errors
/// [`CodeError::DebugOrder`] when an event lies before its predecessor.
pub fn write(info: &DebugInfo, out: &mut Vec<u8>) -> Result<(), CodeError> {
    put_uleb(out, info.header.line_start);
    put_uleb(out, info.header.parameter_names.len() as u32);
    for name in &info.header.parameter_names {
        put_index(out, name.map(|name| name.0));
    }
    let (mut address, mut line) = (0u32, info.header.line_start);
    for (index, (at, event)) in info.events.iter().enumerate() {
        let mut distance = at.checked_sub(address).ok_or(CodeError::DebugOrder { index })?;
        address = *at;
        if let DebugEvent::Line(new) = event {
            let mut delta = new.wrapping_sub(line) as i32;
            line = *new;
            if !(DBG_LINE_BASE..DBG_LINE_BASE + DBG_LINE_RANGE as i32).contains(&delta) {
                out.push(DBG_ADVANCE_LINE);
                put_sleb(out, delta);
                delta = 0;
            }
            let mut special = special_opcode(delta, distance);
            if special.is_none() {
                out.push(DBG_ADVANCE_PC);
                put_uleb(out, distance);
                distance = 0;
                special = special_opcode(delta, distance);
            }
            out.extend(special); // with distance 0 every delta in range has one
            continue;
        }
        if distance > 0 {
            out.push(DBG_ADVANCE_PC);
            put_uleb(out, distance);
        }
        match event {
            DebugEvent::Line(_) => {}
            DebugEvent::StartLocal { reg, name, ty, signature, extended } => {
                let extended = *extended || signature.is_some();
                out.push(if extended { DBG_START_LOCAL_EXTENDED } else { DBG_START_LOCAL });
                put_uleb(out, reg.0.into());
                put_index(out, name.map(|name| name.0));
                put_index(out, ty.map(|ty| ty.0));
                if extended {
                    put_index(out, signature.map(|signature| signature.0));
                }
            }
            DebugEvent::EndLocal(reg) => {
                out.push(DBG_END_LOCAL);
                put_uleb(out, reg.0.into());
            }
            DebugEvent::RestartLocal(reg) => {
                out.push(DBG_RESTART_LOCAL);
                put_uleb(out, reg.0.into());
            }
            DebugEvent::PrologueEnd => out.push(DBG_SET_PROLOGUE_END),
            DebugEvent::EpilogueBegin => out.push(DBG_SET_EPILOGUE_BEGIN),
            DebugEvent::SetFile(name) => {
                out.push(DBG_SET_FILE);
                put_index(out, name.map(|name| name.0));
            }
        }
    }
    out.push(DBG_END_SEQUENCE);
    Ok(())
}

/// Facts about an item that [`write`] made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outline {
    /// The address register at the end.
    pub end_address: u32,
    /// From this byte on there is nothing but positions, up to the end.
    pub only_positions_from: usize,
}

/// Looks through an item that [`write`] made.
pub(crate) fn outline(bytes: &[u8]) -> Outline {
    let mut cursor = DebugBytes { bytes, at: 0 };
    let mut outline = Outline { end_address: 0, only_positions_from: bytes.len() };
    // Its numbers were written by this file; anything else would only share less.
    let _ = cursor.outline(&mut outline);
    outline
}

/// The address of the first event from byte `at` on, where the address register is `address`.
pub(crate) fn next_event(bytes: &[u8], at: usize, mut address: u32) -> Option<u32> {
    let mut cursor = DebugBytes { bytes, at };
    loop {
        match cursor.byte().ok()? {
            DBG_END_SEQUENCE => return None,
            DBG_ADVANCE_PC => address = address.saturating_add(cursor.uleb().ok()?),
            DBG_ADVANCE_LINE => drop(cursor.sleb().ok()?),
            special if special >= DBG_FIRST_SPECIAL => {
                let distance = u32::from(special - DBG_FIRST_SPECIAL) / DBG_LINE_RANGE;
                return Some(address.saturating_add(distance));
            }
            _ => return Some(address),
        }
    }
}

/// The one byte that advances both registers and emits a position, if there is one. `delta` lies in
/// the range of lines that special opcodes cover.
fn special_opcode(delta: i32, distance: u32) -> Option<u8> {
    let line = (delta - DBG_LINE_BASE) as u32;
    let value =
        distance.checked_mul(DBG_LINE_RANGE)?.checked_add(line + u32::from(DBG_FIRST_SPECIAL))?;
    u8::try_from(value).ok()
}

struct DebugBytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl DebugBytes<'_> {
    /// Walks an item and keeps what [`Outline`] has up to here.
    fn outline(&mut self, out: &mut Outline) -> Result<(), CodeError> {
        self.uleb()?;
        for _ in 0..self.uleb()? {
            self.uleb()?;
        }
        out.only_positions_from = self.at;
        loop {
            match self.byte()? {
                DBG_END_SEQUENCE => return Ok(()),
                DBG_ADVANCE_PC => out.end_address = out.end_address.saturating_add(self.uleb()?),
                DBG_ADVANCE_LINE => drop(self.sleb()?),
                special if special >= DBG_FIRST_SPECIAL => {
                    let distance = u32::from(special - DBG_FIRST_SPECIAL) / DBG_LINE_RANGE;
                    out.end_address = out.end_address.saturating_add(distance);
                }
                other => {
                    let numbers = match other {
                        DBG_START_LOCAL => 3,
                        DBG_START_LOCAL_EXTENDED => 4,
                        DBG_SET_PROLOGUE_END | DBG_SET_EPILOGUE_BEGIN => 0,
                        _ => 1,
                    };
                    for _ in 0..numbers {
                        self.uleb()?;
                    }
                    out.only_positions_from = self.at;
                }
            }
        }
    }

    fn error(&self, what: &'static str) -> CodeError {
        CodeError::BadDebug { at: self.at, what }
    }

    fn byte(&mut self) -> Result<u8, CodeError> {
        let byte = *self.bytes.get(self.at).ok_or_else(|| self.error("the bytes end early"))?;
        self.at += 1;
        Ok(byte)
    }

    /// Up to five bytes of seven bits each, and how many bits there were.
    fn leb(&mut self) -> Result<(u32, u32), CodeError> {
        let (mut value, mut bits) = (0u32, 0);
        loop {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << bits;
            bits += 7;
            if byte & 0x80 == 0 {
                return Ok((value, bits));
            }
            if bits == 35 {
                return Err(self.error("a number is longer than five bytes"));
            }
        }
    }

    fn uleb(&mut self) -> Result<u32, CodeError> {
        self.leb().map(|(value, _)| value)
    }

    fn sleb(&mut self) -> Result<i32, CodeError> {
        let (value, bits) = self.leb()?;
        let unused = 32u32.saturating_sub(bits);
        Ok((value << unused) as i32 >> unused)
    }

    /// `uleb128p1`: zero stands for none.
    fn index(&mut self) -> Result<Option<u32>, CodeError> {
        Ok(self.uleb()?.checked_sub(1))
    }

    fn string(&mut self) -> Result<Option<StringIdx>, CodeError> {
        Ok(self.index()?.map(StringIdx))
    }

    fn reg(&mut self) -> Result<Reg, CodeError> {
        let number = self.uleb()?;
        u16::try_from(number).map(Reg).map_err(|_| self.error("a register does not fit 16 bits"))
    }
}

fn put_uleb(out: &mut Vec<u8>, mut value: u32) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_sleb(out: &mut Vec<u8>, mut value: i32) {
    while !(-64..64).contains(&value) {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7f);
}

fn put_index(out: &mut Vec<u8>, index: Option<u32>) {
    put_uleb(out, index.map_or(0, |index| index.wrapping_add(1)));
}

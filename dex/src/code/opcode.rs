//! The opcode table: every Dalvik instruction up to DEX 040, each described once.
//!
//! Names, values, formats, reference kinds, control flow and register roles are all read from the
//! one table in this file (source: the [Dalvik bytecode] document; flow and `THROW` as in ART's
//! `dex_instruction_list.h`). Runtime-internal opcodes (`*-quick`, 0x73, 0xe3…0xf9) are absent.
//!
//! [Dalvik bytecode]: https://source.android.com/docs/core/runtime/dalvik-bytecode

use std::fmt;

use crate::ids::PoolKind;

/// An instruction format, named as in the [instruction formats] document: code units, number of
/// registers, kind of extra data.
///
/// [instruction formats]: https://source.android.com/docs/core/runtime/instruction-formats
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the specification")]
#[non_exhaustive]
pub enum InsnFormat {
    F10x,
    F12x,
    F11n,
    F11x,
    F10t,
    F20t,
    F22x,
    F21t,
    F21s,
    F21h,
    F21c,
    F23x,
    F22b,
    F22t,
    F22s,
    F22c,
    F30t,
    F32x,
    F31i,
    F31t,
    F31c,
    F35c,
    F3rc,
    F45cc,
    F4rcc,
    F51l,
}

impl InsnFormat {
    /// Length in 16-bit code units.
    pub const fn units(self) -> u32 {
        use InsnFormat::*;
        match self {
            F10x | F12x | F11n | F11x | F10t => 1,
            F20t | F22x | F21t | F21s | F21h | F21c | F23x | F22b | F22t | F22s | F22c => 2,
            F30t | F32x | F31i | F31t | F31c | F35c | F3rc => 3,
            F45cc | F4rcc => 4,
            F51l => 5,
        }
    }
}

/// Pools that an instruction's indices name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefKind {
    /// The instruction has no index.
    None,
    /// `string_ids`.
    String,
    /// `type_ids`.
    Type,
    /// `field_ids`.
    Field,
    /// `method_ids`.
    Method,
    /// `method_ids` and, as a second index, `proto_ids` (`invoke-polymorphic`).
    MethodAndProto,
    /// `call_site_ids`.
    CallSite,
    /// The method handle section.
    MethodHandle,
    /// `proto_ids`.
    Proto,
}

impl RefKind {
    /// The pool of the (first) index.
    pub fn pool(self) -> Option<PoolKind> {
        Some(match self {
            RefKind::None => return None,
            RefKind::String => PoolKind::String,
            RefKind::Type => PoolKind::Type,
            RefKind::Field => PoolKind::Field,
            RefKind::Method | RefKind::MethodAndProto => PoolKind::Method,
            RefKind::CallSite => PoolKind::CallSite,
            RefKind::MethodHandle => PoolKind::MethodHandle,
            RefKind::Proto => PoolKind::Proto,
        })
    }
}

/// Control flow and other yes/no properties of an opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flags(u8);

impl Flags {
    /// Control can continue to the next instruction.
    pub const CONTINUE: Flags = Flags(1);
    /// The instruction may throw (ART's `kThrow`).
    pub const THROW: Flags = Flags(2);
    /// It jumps to a label: `goto*`, `if-*`.
    pub const BRANCH: Flags = Flags(4);
    /// `packed-switch`, `sparse-switch`.
    pub const SWITCH: Flags = Flags(8);
    /// It leaves the method normally.
    pub const RETURN: Flags = Flags(16);
    /// It calls: every `invoke-*`, `invoke-custom` included (ART's `kInvoke` leaves that one out).
    pub const INVOKE: Flags = Flags(32);
    /// A `move-result*` may follow.
    pub const RESULT: Flags = Flags(64);

    /// True if all of `other`'s flags are set.
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Access of an instruction to one register operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Only read.
    Read,
    /// Only written.
    Write,
    /// Read, then written: the first operand of `*/2addr`, and `check-cast`.
    Modify,
}

impl Access {
    /// True if the instruction reads the old value.
    pub const fn reads(self) -> bool {
        !matches!(self, Access::Write)
    }

    /// True if the register holds a new value afterwards.
    pub const fn writes(self) -> bool {
        !matches!(self, Access::Read)
    }
}

/// Value in one register operand, as far as the opcode alone defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegKind {
    /// A 32-bit primitive.
    Single,
    /// A `long` or `double`, in this register and the next.
    Wide,
    /// A reference.
    Object,
    /// A 32-bit primitive or a reference: `const*` (zero is also null), `if-eq`, `if-ne`, `if-eqz`,
    /// `if-nez`.
    Any,
    /// One word of an argument list: half of a wide value or any 32-bit one; the prototype decides.
    Word,
}

/// Access and kind of one register operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OperandRole {
    /// Read or written.
    pub access: Access,
    /// Kind of value that it holds.
    pub kind: RegKind,
}

impl OperandRole {
    /// True if the operand covers two registers.
    pub const fn is_wide(self) -> bool {
        matches!(self.kind, RegKind::Wide)
    }
}

macro_rules! role {
    ($access:ident $kind:ident) => {
        OperandRole { access: Access::$access, kind: RegKind::$kind }
    };
}

// Abbreviations of the table's last column: Write, Read or Modify, then Single, Wide, Object, X =
// any.
const WS: OperandRole = role!(Write Single);
const WW: OperandRole = role!(Write Wide);
const WO: OperandRole = role!(Write Object);
const WX: OperandRole = role!(Write Any);
const RS: OperandRole = role!(Read Single);
const RW: OperandRole = role!(Read Wide);
const RO: OperandRole = role!(Read Object);
const RX: OperandRole = role!(Read Any);
const MS: OperandRole = role!(Modify Single);
const MW: OperandRole = role!(Modify Wide);
const MO: OperandRole = role!(Modify Object);

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Info {
    pub op: Op,
    pub name: &'static str,
    pub format: InsnFormat,
    pub ref_kind: RefKind,
    pub flags: Flags,
    pub roles: &'static [OperandRole],
    pub units: u8,
}

macro_rules! opcodes {
    ($($value:literal $variant:ident $name:literal $format:ident $kind:ident
       [$($flag:ident)*] [$($role:ident)*];)*) => {
        /// A Dalvik opcode.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Op {
            $(#[doc = concat!("`", $name, "`.")] $variant = $value,)*
        }

        impl Op {
            /// All opcodes, ascending.
            pub const ALL: &'static [Op] = &[$(Op::$variant),*];
        }

        const ROWS: &[Info] = &[$(Info {
            op: Op::$variant,
            name: $name,
            format: InsnFormat::$format,
            ref_kind: RefKind::$kind,
            flags: Flags(0 $(| Flags::$flag.0)*),
            roles: &[$($role),*],
            units: InsnFormat::$format.units() as u8,
        }),*];
    };
}

opcodes! {
    0x00 Nop "nop" F10x None [CONTINUE] [];
    0x01 Move "move" F12x None [CONTINUE] [WS RS];
    0x02 MoveFrom16 "move/from16" F22x None [CONTINUE] [WS RS];
    0x03 Move16 "move/16" F32x None [CONTINUE] [WS RS];
    0x04 MoveWide "move-wide" F12x None [CONTINUE] [WW RW];
    0x05 MoveWideFrom16 "move-wide/from16" F22x None [CONTINUE] [WW RW];
    0x06 MoveWide16 "move-wide/16" F32x None [CONTINUE] [WW RW];
    0x07 MoveObject "move-object" F12x None [CONTINUE] [WO RO];
    0x08 MoveObjectFrom16 "move-object/from16" F22x None [CONTINUE] [WO RO];
    0x09 MoveObject16 "move-object/16" F32x None [CONTINUE] [WO RO];
    0x0a MoveResult "move-result" F11x None [CONTINUE] [WS];
    0x0b MoveResultWide "move-result-wide" F11x None [CONTINUE] [WW];
    0x0c MoveResultObject "move-result-object" F11x None [CONTINUE] [WO];
    0x0d MoveException "move-exception" F11x None [CONTINUE] [WO];
    0x0e ReturnVoid "return-void" F10x None [RETURN] [];
    0x0f Return "return" F11x None [RETURN] [RS];
    0x10 ReturnWide "return-wide" F11x None [RETURN] [RW];
    0x11 ReturnObject "return-object" F11x None [RETURN] [RO];
    0x12 Const4 "const/4" F11n None [CONTINUE] [WX];
    0x13 Const16 "const/16" F21s None [CONTINUE] [WX];
    0x14 Const "const" F31i None [CONTINUE] [WX];
    0x15 ConstHigh16 "const/high16" F21h None [CONTINUE] [WX];
    0x16 ConstWide16 "const-wide/16" F21s None [CONTINUE] [WW];
    0x17 ConstWide32 "const-wide/32" F31i None [CONTINUE] [WW];
    0x18 ConstWide "const-wide" F51l None [CONTINUE] [WW];
    0x19 ConstWideHigh16 "const-wide/high16" F21h None [CONTINUE] [WW];
    0x1a ConstString "const-string" F21c String [CONTINUE THROW] [WO];
    0x1b ConstStringJumbo "const-string/jumbo" F31c String [CONTINUE THROW] [WO];
    0x1c ConstClass "const-class" F21c Type [CONTINUE THROW] [WO];
    0x1d MonitorEnter "monitor-enter" F11x None [CONTINUE THROW] [RO];
    0x1e MonitorExit "monitor-exit" F11x None [CONTINUE THROW] [RO];
    0x1f CheckCast "check-cast" F21c Type [CONTINUE THROW] [MO];
    0x20 InstanceOf "instance-of" F22c Type [CONTINUE THROW] [WS RO];
    0x21 ArrayLength "array-length" F12x None [CONTINUE THROW] [WS RO];
    0x22 NewInstance "new-instance" F21c Type [CONTINUE THROW] [WO];
    0x23 NewArray "new-array" F22c Type [CONTINUE THROW] [WO RS];
    0x24 FilledNewArray "filled-new-array" F35c Type [CONTINUE THROW RESULT] [];
    0x25 FilledNewArrayRange "filled-new-array/range" F3rc Type [CONTINUE THROW RESULT] [];
    0x26 FillArrayData "fill-array-data" F31t None [CONTINUE THROW] [RO];
    0x27 Throw "throw" F11x None [THROW] [RO];
    0x28 Goto "goto" F10t None [BRANCH] [];
    0x29 Goto16 "goto/16" F20t None [BRANCH] [];
    0x2a Goto32 "goto/32" F30t None [BRANCH] [];
    0x2b PackedSwitch "packed-switch" F31t None [CONTINUE SWITCH] [RS];
    0x2c SparseSwitch "sparse-switch" F31t None [CONTINUE SWITCH] [RS];
    0x2d CmplFloat "cmpl-float" F23x None [CONTINUE] [WS RS RS];
    0x2e CmpgFloat "cmpg-float" F23x None [CONTINUE] [WS RS RS];
    0x2f CmplDouble "cmpl-double" F23x None [CONTINUE] [WS RW RW];
    0x30 CmpgDouble "cmpg-double" F23x None [CONTINUE] [WS RW RW];
    0x31 CmpLong "cmp-long" F23x None [CONTINUE] [WS RW RW];
    0x32 IfEq "if-eq" F22t None [CONTINUE BRANCH] [RX RX];
    0x33 IfNe "if-ne" F22t None [CONTINUE BRANCH] [RX RX];
    0x34 IfLt "if-lt" F22t None [CONTINUE BRANCH] [RS RS];
    0x35 IfGe "if-ge" F22t None [CONTINUE BRANCH] [RS RS];
    0x36 IfGt "if-gt" F22t None [CONTINUE BRANCH] [RS RS];
    0x37 IfLe "if-le" F22t None [CONTINUE BRANCH] [RS RS];
    0x38 IfEqz "if-eqz" F21t None [CONTINUE BRANCH] [RX];
    0x39 IfNez "if-nez" F21t None [CONTINUE BRANCH] [RX];
    0x3a IfLtz "if-ltz" F21t None [CONTINUE BRANCH] [RS];
    0x3b IfGez "if-gez" F21t None [CONTINUE BRANCH] [RS];
    0x3c IfGtz "if-gtz" F21t None [CONTINUE BRANCH] [RS];
    0x3d IfLez "if-lez" F21t None [CONTINUE BRANCH] [RS];
    0x44 Aget "aget" F23x None [CONTINUE THROW] [WS RO RS];
    0x45 AgetWide "aget-wide" F23x None [CONTINUE THROW] [WW RO RS];
    0x46 AgetObject "aget-object" F23x None [CONTINUE THROW] [WO RO RS];
    0x47 AgetBoolean "aget-boolean" F23x None [CONTINUE THROW] [WS RO RS];
    0x48 AgetByte "aget-byte" F23x None [CONTINUE THROW] [WS RO RS];
    0x49 AgetChar "aget-char" F23x None [CONTINUE THROW] [WS RO RS];
    0x4a AgetShort "aget-short" F23x None [CONTINUE THROW] [WS RO RS];
    0x4b Aput "aput" F23x None [CONTINUE THROW] [RS RO RS];
    0x4c AputWide "aput-wide" F23x None [CONTINUE THROW] [RW RO RS];
    0x4d AputObject "aput-object" F23x None [CONTINUE THROW] [RO RO RS];
    0x4e AputBoolean "aput-boolean" F23x None [CONTINUE THROW] [RS RO RS];
    0x4f AputByte "aput-byte" F23x None [CONTINUE THROW] [RS RO RS];
    0x50 AputChar "aput-char" F23x None [CONTINUE THROW] [RS RO RS];
    0x51 AputShort "aput-short" F23x None [CONTINUE THROW] [RS RO RS];
    0x52 Iget "iget" F22c Field [CONTINUE THROW] [WS RO];
    0x53 IgetWide "iget-wide" F22c Field [CONTINUE THROW] [WW RO];
    0x54 IgetObject "iget-object" F22c Field [CONTINUE THROW] [WO RO];
    0x55 IgetBoolean "iget-boolean" F22c Field [CONTINUE THROW] [WS RO];
    0x56 IgetByte "iget-byte" F22c Field [CONTINUE THROW] [WS RO];
    0x57 IgetChar "iget-char" F22c Field [CONTINUE THROW] [WS RO];
    0x58 IgetShort "iget-short" F22c Field [CONTINUE THROW] [WS RO];
    0x59 Iput "iput" F22c Field [CONTINUE THROW] [RS RO];
    0x5a IputWide "iput-wide" F22c Field [CONTINUE THROW] [RW RO];
    0x5b IputObject "iput-object" F22c Field [CONTINUE THROW] [RO RO];
    0x5c IputBoolean "iput-boolean" F22c Field [CONTINUE THROW] [RS RO];
    0x5d IputByte "iput-byte" F22c Field [CONTINUE THROW] [RS RO];
    0x5e IputChar "iput-char" F22c Field [CONTINUE THROW] [RS RO];
    0x5f IputShort "iput-short" F22c Field [CONTINUE THROW] [RS RO];
    0x60 Sget "sget" F21c Field [CONTINUE THROW] [WS];
    0x61 SgetWide "sget-wide" F21c Field [CONTINUE THROW] [WW];
    0x62 SgetObject "sget-object" F21c Field [CONTINUE THROW] [WO];
    0x63 SgetBoolean "sget-boolean" F21c Field [CONTINUE THROW] [WS];
    0x64 SgetByte "sget-byte" F21c Field [CONTINUE THROW] [WS];
    0x65 SgetChar "sget-char" F21c Field [CONTINUE THROW] [WS];
    0x66 SgetShort "sget-short" F21c Field [CONTINUE THROW] [WS];
    0x67 Sput "sput" F21c Field [CONTINUE THROW] [RS];
    0x68 SputWide "sput-wide" F21c Field [CONTINUE THROW] [RW];
    0x69 SputObject "sput-object" F21c Field [CONTINUE THROW] [RO];
    0x6a SputBoolean "sput-boolean" F21c Field [CONTINUE THROW] [RS];
    0x6b SputByte "sput-byte" F21c Field [CONTINUE THROW] [RS];
    0x6c SputChar "sput-char" F21c Field [CONTINUE THROW] [RS];
    0x6d SputShort "sput-short" F21c Field [CONTINUE THROW] [RS];
    0x6e InvokeVirtual "invoke-virtual" F35c Method [CONTINUE THROW INVOKE RESULT] [];
    0x6f InvokeSuper "invoke-super" F35c Method [CONTINUE THROW INVOKE RESULT] [];
    0x70 InvokeDirect "invoke-direct" F35c Method [CONTINUE THROW INVOKE RESULT] [];
    0x71 InvokeStatic "invoke-static" F35c Method [CONTINUE THROW INVOKE RESULT] [];
    0x72 InvokeInterface "invoke-interface" F35c Method [CONTINUE THROW INVOKE RESULT] [];
    0x74 InvokeVirtualRange "invoke-virtual/range" F3rc Method [CONTINUE THROW INVOKE RESULT] [];
    0x75 InvokeSuperRange "invoke-super/range" F3rc Method [CONTINUE THROW INVOKE RESULT] [];
    0x76 InvokeDirectRange "invoke-direct/range" F3rc Method [CONTINUE THROW INVOKE RESULT] [];
    0x77 InvokeStaticRange "invoke-static/range" F3rc Method [CONTINUE THROW INVOKE RESULT] [];
    0x78 InvokeInterfaceRange "invoke-interface/range" F3rc Method
        [CONTINUE THROW INVOKE RESULT] [];
    0x7b NegInt "neg-int" F12x None [CONTINUE] [WS RS];
    0x7c NotInt "not-int" F12x None [CONTINUE] [WS RS];
    0x7d NegLong "neg-long" F12x None [CONTINUE] [WW RW];
    0x7e NotLong "not-long" F12x None [CONTINUE] [WW RW];
    0x7f NegFloat "neg-float" F12x None [CONTINUE] [WS RS];
    0x80 NegDouble "neg-double" F12x None [CONTINUE] [WW RW];
    0x81 IntToLong "int-to-long" F12x None [CONTINUE] [WW RS];
    0x82 IntToFloat "int-to-float" F12x None [CONTINUE] [WS RS];
    0x83 IntToDouble "int-to-double" F12x None [CONTINUE] [WW RS];
    0x84 LongToInt "long-to-int" F12x None [CONTINUE] [WS RW];
    0x85 LongToFloat "long-to-float" F12x None [CONTINUE] [WS RW];
    0x86 LongToDouble "long-to-double" F12x None [CONTINUE] [WW RW];
    0x87 FloatToInt "float-to-int" F12x None [CONTINUE] [WS RS];
    0x88 FloatToLong "float-to-long" F12x None [CONTINUE] [WW RS];
    0x89 FloatToDouble "float-to-double" F12x None [CONTINUE] [WW RS];
    0x8a DoubleToInt "double-to-int" F12x None [CONTINUE] [WS RW];
    0x8b DoubleToLong "double-to-long" F12x None [CONTINUE] [WW RW];
    0x8c DoubleToFloat "double-to-float" F12x None [CONTINUE] [WS RW];
    0x8d IntToByte "int-to-byte" F12x None [CONTINUE] [WS RS];
    0x8e IntToChar "int-to-char" F12x None [CONTINUE] [WS RS];
    0x8f IntToShort "int-to-short" F12x None [CONTINUE] [WS RS];
    0x90 AddInt "add-int" F23x None [CONTINUE] [WS RS RS];
    0x91 SubInt "sub-int" F23x None [CONTINUE] [WS RS RS];
    0x92 MulInt "mul-int" F23x None [CONTINUE] [WS RS RS];
    0x93 DivInt "div-int" F23x None [CONTINUE THROW] [WS RS RS];
    0x94 RemInt "rem-int" F23x None [CONTINUE THROW] [WS RS RS];
    0x95 AndInt "and-int" F23x None [CONTINUE] [WS RS RS];
    0x96 OrInt "or-int" F23x None [CONTINUE] [WS RS RS];
    0x97 XorInt "xor-int" F23x None [CONTINUE] [WS RS RS];
    0x98 ShlInt "shl-int" F23x None [CONTINUE] [WS RS RS];
    0x99 ShrInt "shr-int" F23x None [CONTINUE] [WS RS RS];
    0x9a UshrInt "ushr-int" F23x None [CONTINUE] [WS RS RS];
    0x9b AddLong "add-long" F23x None [CONTINUE] [WW RW RW];
    0x9c SubLong "sub-long" F23x None [CONTINUE] [WW RW RW];
    0x9d MulLong "mul-long" F23x None [CONTINUE] [WW RW RW];
    0x9e DivLong "div-long" F23x None [CONTINUE THROW] [WW RW RW];
    0x9f RemLong "rem-long" F23x None [CONTINUE THROW] [WW RW RW];
    0xa0 AndLong "and-long" F23x None [CONTINUE] [WW RW RW];
    0xa1 OrLong "or-long" F23x None [CONTINUE] [WW RW RW];
    0xa2 XorLong "xor-long" F23x None [CONTINUE] [WW RW RW];
    0xa3 ShlLong "shl-long" F23x None [CONTINUE] [WW RW RS];
    0xa4 ShrLong "shr-long" F23x None [CONTINUE] [WW RW RS];
    0xa5 UshrLong "ushr-long" F23x None [CONTINUE] [WW RW RS];
    0xa6 AddFloat "add-float" F23x None [CONTINUE] [WS RS RS];
    0xa7 SubFloat "sub-float" F23x None [CONTINUE] [WS RS RS];
    0xa8 MulFloat "mul-float" F23x None [CONTINUE] [WS RS RS];
    0xa9 DivFloat "div-float" F23x None [CONTINUE] [WS RS RS];
    0xaa RemFloat "rem-float" F23x None [CONTINUE] [WS RS RS];
    0xab AddDouble "add-double" F23x None [CONTINUE] [WW RW RW];
    0xac SubDouble "sub-double" F23x None [CONTINUE] [WW RW RW];
    0xad MulDouble "mul-double" F23x None [CONTINUE] [WW RW RW];
    0xae DivDouble "div-double" F23x None [CONTINUE] [WW RW RW];
    0xaf RemDouble "rem-double" F23x None [CONTINUE] [WW RW RW];
    0xb0 AddInt2Addr "add-int/2addr" F12x None [CONTINUE] [MS RS];
    0xb1 SubInt2Addr "sub-int/2addr" F12x None [CONTINUE] [MS RS];
    0xb2 MulInt2Addr "mul-int/2addr" F12x None [CONTINUE] [MS RS];
    0xb3 DivInt2Addr "div-int/2addr" F12x None [CONTINUE THROW] [MS RS];
    0xb4 RemInt2Addr "rem-int/2addr" F12x None [CONTINUE THROW] [MS RS];
    0xb5 AndInt2Addr "and-int/2addr" F12x None [CONTINUE] [MS RS];
    0xb6 OrInt2Addr "or-int/2addr" F12x None [CONTINUE] [MS RS];
    0xb7 XorInt2Addr "xor-int/2addr" F12x None [CONTINUE] [MS RS];
    0xb8 ShlInt2Addr "shl-int/2addr" F12x None [CONTINUE] [MS RS];
    0xb9 ShrInt2Addr "shr-int/2addr" F12x None [CONTINUE] [MS RS];
    0xba UshrInt2Addr "ushr-int/2addr" F12x None [CONTINUE] [MS RS];
    0xbb AddLong2Addr "add-long/2addr" F12x None [CONTINUE] [MW RW];
    0xbc SubLong2Addr "sub-long/2addr" F12x None [CONTINUE] [MW RW];
    0xbd MulLong2Addr "mul-long/2addr" F12x None [CONTINUE] [MW RW];
    0xbe DivLong2Addr "div-long/2addr" F12x None [CONTINUE THROW] [MW RW];
    0xbf RemLong2Addr "rem-long/2addr" F12x None [CONTINUE THROW] [MW RW];
    0xc0 AndLong2Addr "and-long/2addr" F12x None [CONTINUE] [MW RW];
    0xc1 OrLong2Addr "or-long/2addr" F12x None [CONTINUE] [MW RW];
    0xc2 XorLong2Addr "xor-long/2addr" F12x None [CONTINUE] [MW RW];
    0xc3 ShlLong2Addr "shl-long/2addr" F12x None [CONTINUE] [MW RS];
    0xc4 ShrLong2Addr "shr-long/2addr" F12x None [CONTINUE] [MW RS];
    0xc5 UshrLong2Addr "ushr-long/2addr" F12x None [CONTINUE] [MW RS];
    0xc6 AddFloat2Addr "add-float/2addr" F12x None [CONTINUE] [MS RS];
    0xc7 SubFloat2Addr "sub-float/2addr" F12x None [CONTINUE] [MS RS];
    0xc8 MulFloat2Addr "mul-float/2addr" F12x None [CONTINUE] [MS RS];
    0xc9 DivFloat2Addr "div-float/2addr" F12x None [CONTINUE] [MS RS];
    0xca RemFloat2Addr "rem-float/2addr" F12x None [CONTINUE] [MS RS];
    0xcb AddDouble2Addr "add-double/2addr" F12x None [CONTINUE] [MW RW];
    0xcc SubDouble2Addr "sub-double/2addr" F12x None [CONTINUE] [MW RW];
    0xcd MulDouble2Addr "mul-double/2addr" F12x None [CONTINUE] [MW RW];
    0xce DivDouble2Addr "div-double/2addr" F12x None [CONTINUE] [MW RW];
    0xcf RemDouble2Addr "rem-double/2addr" F12x None [CONTINUE] [MW RW];
    0xd0 AddIntLit16 "add-int/lit16" F22s None [CONTINUE] [WS RS];
    0xd1 RsubInt "rsub-int" F22s None [CONTINUE] [WS RS];
    0xd2 MulIntLit16 "mul-int/lit16" F22s None [CONTINUE] [WS RS];
    0xd3 DivIntLit16 "div-int/lit16" F22s None [CONTINUE THROW] [WS RS];
    0xd4 RemIntLit16 "rem-int/lit16" F22s None [CONTINUE THROW] [WS RS];
    0xd5 AndIntLit16 "and-int/lit16" F22s None [CONTINUE] [WS RS];
    0xd6 OrIntLit16 "or-int/lit16" F22s None [CONTINUE] [WS RS];
    0xd7 XorIntLit16 "xor-int/lit16" F22s None [CONTINUE] [WS RS];
    0xd8 AddIntLit8 "add-int/lit8" F22b None [CONTINUE] [WS RS];
    0xd9 RsubIntLit8 "rsub-int/lit8" F22b None [CONTINUE] [WS RS];
    0xda MulIntLit8 "mul-int/lit8" F22b None [CONTINUE] [WS RS];
    0xdb DivIntLit8 "div-int/lit8" F22b None [CONTINUE THROW] [WS RS];
    0xdc RemIntLit8 "rem-int/lit8" F22b None [CONTINUE THROW] [WS RS];
    0xdd AndIntLit8 "and-int/lit8" F22b None [CONTINUE] [WS RS];
    0xde OrIntLit8 "or-int/lit8" F22b None [CONTINUE] [WS RS];
    0xdf XorIntLit8 "xor-int/lit8" F22b None [CONTINUE] [WS RS];
    0xe0 ShlIntLit8 "shl-int/lit8" F22b None [CONTINUE] [WS RS];
    0xe1 ShrIntLit8 "shr-int/lit8" F22b None [CONTINUE] [WS RS];
    0xe2 UshrIntLit8 "ushr-int/lit8" F22b None [CONTINUE] [WS RS];
    0xfa InvokePolymorphic "invoke-polymorphic" F45cc MethodAndProto
        [CONTINUE THROW INVOKE RESULT] [];
    0xfb InvokePolymorphicRange "invoke-polymorphic/range" F4rcc MethodAndProto
        [CONTINUE THROW INVOKE RESULT] [];
    0xfc InvokeCustom "invoke-custom" F35c CallSite [CONTINUE THROW INVOKE RESULT] [];
    0xfd InvokeCustomRange "invoke-custom/range" F3rc CallSite [CONTINUE THROW INVOKE RESULT] [];
    0xfe ConstMethodHandle "const-method-handle" F21c MethodHandle [CONTINUE THROW] [WO];
    0xff ConstMethodType "const-method-type" F21c Proto [CONTINUE THROW] [WO];
}

/// The table by opcode value.
pub(crate) static INFO: [Option<Info>; 256] = {
    let mut table = [None; 256];
    let mut i = 0;
    while i < ROWS.len() {
        table[ROWS[i].op as usize] = Some(ROWS[i]);
        i += 1;
    }
    table
};

impl Op {
    /// The opcode of that value; `None` for unused values.
    pub fn from_u8(value: u8) -> Option<Op> {
        INFO[value as usize].as_ref().map(|info| info.op)
    }

    /// Its value.
    pub const fn value(self) -> u8 {
        self as u8
    }

    /// The opcode of that smali name.
    pub fn from_name(name: &str) -> Option<Op> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.op)
    }

    pub(crate) fn info(self) -> &'static Info {
        INFO[self as usize].as_ref().unwrap_or(&ROWS[0]) // every variant has a row
    }

    /// The name in smali and in the specification, such as `invoke-virtual/range`.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The instruction format.
    pub fn format(self) -> InsnFormat {
        self.info().format
    }

    /// Length in 16-bit code units.
    pub fn units(self) -> u32 {
        self.info().units.into()
    }

    /// The pools its indices name.
    pub fn ref_kind(self) -> RefKind {
        self.info().ref_kind
    }

    /// Control flow and the like.
    pub fn flags(self) -> Flags {
        self.info().flags
    }

    /// Roles of the register operands A, B, C. Empty for argument lists and ranges (35c, 3rc, 45cc,
    /// 4rcc), whose registers are all read.
    pub fn roles(self) -> &'static [OperandRole] {
        self.info().roles
    }

    /// True if the instruction may throw.
    pub fn can_throw(self) -> bool {
        self.flags().has(Flags::THROW)
    }

    /// True if control can continue to the next instruction.
    pub fn can_continue(self) -> bool {
        self.flags().has(Flags::CONTINUE)
    }

    /// `goto*` and `if-*`.
    pub fn is_branch(self) -> bool {
        self.flags().has(Flags::BRANCH)
    }

    /// `goto`, `goto/16`, `goto/32`.
    pub fn is_goto(self) -> bool {
        self.is_branch() && !self.can_continue()
    }

    /// `packed-switch`, `sparse-switch`.
    pub fn is_switch(self) -> bool {
        self.flags().has(Flags::SWITCH)
    }

    /// `return*`.
    pub fn is_return(self) -> bool {
        self.flags().has(Flags::RETURN)
    }

    /// `invoke-*`.
    pub fn is_invoke(self) -> bool {
        self.flags().has(Flags::INVOKE)
    }

    /// True if a `move-result*` may follow.
    pub fn sets_result(self) -> bool {
        self.flags().has(Flags::RESULT)
    }

    /// `move-result`, `move-result-wide`, `move-result-object`.
    pub fn is_move_result(self) -> bool {
        matches!(self, Op::MoveResult | Op::MoveResultWide | Op::MoveResultObject)
    }

    /// True if the instruction writes a register (always its first operand).
    pub fn sets_register(self) -> bool {
        self.roles().first().is_some_and(|role| role.access.writes())
    }

    /// True if the instruction writes a register pair.
    pub fn sets_wide(self) -> bool {
        self.roles().first().is_some_and(|role| role.access.writes() && role.is_wide())
    }

    /// The `if-*` that jumps exactly when this one does not; `None` for other opcodes.
    pub fn inverted(self) -> Option<Op> {
        let value = self.value();
        let first = match value {
            0x32..=0x37 => 0x32,
            0x38..=0x3d => 0x38,
            _ => return None,
        };
        // They come in pairs: eq/ne, lt/ge, gt/le.
        Op::from_u8(first + ((value - first) ^ 1))
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inversion_is_an_involution_on_conditional_branches() {
        for &op in Op::ALL {
            let conditional = op.is_branch() && op.can_continue();
            assert_eq!(op.inverted().is_some(), conditional, "{op}");
            if let Some(inverse) = op.inverted() {
                assert_ne!(inverse, op);
                assert_eq!(inverse.inverted(), Some(op));
                assert_eq!(inverse.format(), op.format());
            }
        }
        assert_eq!(Op::IfLt.inverted(), Some(Op::IfGe));
        assert_eq!(Op::IfGtz.inverted(), Some(Op::IfLez));
    }

    #[test]
    fn unused_values_have_no_opcode() {
        let unused = |v: u8| matches!(v, 0x3e..=0x43 | 0x73 | 0x79 | 0x7a | 0xe3..=0xf9);
        for value in 0..=255u8 {
            assert_eq!(Op::from_u8(value).is_none(), unused(value), "{value:#04x}");
        }
        assert_eq!(Op::ALL.len(), 224);
    }

    #[test]
    fn roles_match_the_registers_that_the_format_has() {
        use InsnFormat::*;
        for &op in Op::ALL {
            let registers = match op.format() {
                F10x | F10t | F20t | F30t | F35c | F3rc | F45cc | F4rcc => 0,
                F11n | F11x | F21t | F21s | F21h | F21c | F31i | F31t | F31c | F51l => 1,
                F12x | F22x | F22b | F22t | F22s | F22c | F32x => 2,
                F23x => 3,
            };
            assert_eq!(op.roles().len(), registers, "{op}");
        }
    }
}

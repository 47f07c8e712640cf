//! Kinds of register contents, and their join where two paths meet (ART's `reg_type.cc`, without
//! classes but those of one file).

use crate::ids::TypeIdx;

pub(super) const OBJECT: &[u8] = b"Ljava/lang/Object;";

/// Smaller types that the values of an integer fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fits(u8);

impl Fits {
    const ZERO: u8 = 1;
    const BOOLEAN: u8 = 2;
    const BYTE: u8 = 4;
    const SHORT: u8 = 8;
    const CHAR: u8 = 16;

    pub const INT: Fits = Fits(0);
    pub const CHARS: Fits = Fits(Fits::CHAR);
    pub const SHORTS: Fits = Fits(Fits::SHORT);
    pub const BYTES: Fits = Fits(Fits::BYTE | Fits::SHORT);
    pub const BOOLEANS: Fits = Fits(Fits::BOOLEAN | Fits::BYTE | Fits::SHORT | Fits::CHAR);

    fn of(value: i64) -> Fits {
        let all = [
            (value == 0, Fits::ZERO),
            ((0..2).contains(&value), Fits::BOOLEAN),
            (i8::try_from(value).is_ok(), Fits::BYTE),
            (i16::try_from(value).is_ok(), Fits::SHORT),
            (u16::try_from(value).is_ok(), Fits::CHAR),
        ];
        Fits(all.iter().filter(|(fits, _)| *fits).fold(0, |bits, (_, bit)| bits | bit))
    }

    /// The smallest type that all values fit.
    fn as_type(self) -> Fits {
        let types = [Fits::BOOLEANS, Fits::BYTES, Fits::SHORTS, Fits::CHARS];
        let lowest = |t: &Fits| t.0 & t.0.wrapping_neg();
        types.into_iter().find(|t| self.0 & lowest(t) != 0).unwrap_or(Fits::INT)
    }

    /// True if values of this kind may stand where that type is expected.
    pub fn within(self, wanted: Fits) -> bool {
        wanted.0 & self.0 & wanted.0.wrapping_neg() != 0 || wanted == Fits::INT
    }
}

/// The class of an object, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectClass {
    /// Nothing is known.
    Unknown,
    /// `java.lang.Object` and no more: any other class needs a cast or a test first.
    Object,
    /// This type of the pool.
    Named(TypeIdx),
    /// An array of primitives.
    Array(Array),
}

impl ObjectClass {
    /// The primitives that an array's elements are; `None` if they are not, or nothing is known.
    pub fn primitives(self) -> Option<u8> {
        match self {
            ObjectClass::Array(Array { dimensions: 1, element }) => Some(element),
            _ => None,
        }
    }

    /// The class that values of two classes share.
    fn join(self, other: ObjectClass) -> ObjectClass {
        match (self, other) {
            _ if self == other => self,
            (ObjectClass::Object, _) | (_, ObjectClass::Object) => ObjectClass::Object,
            _ => ObjectClass::Unknown,
        }
    }
}

/// The type of an array of primitives: it decides what `aget` gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Array {
    pub dimensions: u8,
    pub element: u8,
}

/// Contents of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegisterKind {
    /// Nothing that may be read: not written yet, or different things on different paths.
    Conflict,
    /// A constant of 32 bits: an `int` or a `float`; zero is also null.
    Const(Fits),
    Int(Fits),
    Float,
    /// An `int` or a `float`, from an array of which nothing is known.
    Single,
    ConstLow,
    ConstHigh,
    LongLow,
    LongHigh,
    DoubleLow,
    DoubleHigh,
    /// A `long` or a `double`, from an array of which nothing is known.
    WideLow,
    WideHigh,
    /// An object that is initialised, or null.
    Ref(ObjectClass),
    /// The object that the `new-instance` at that node made, before its constructor ran.
    Fresh(u32),
    /// `this` of a constructor, before the superclass's constructor ran.
    This,
}

impl RegisterKind {
    /// A reference of which nothing is known.
    pub const REFERENCE: RegisterKind = RegisterKind::Ref(ObjectClass::Unknown);

    pub fn constant(value: i64) -> RegisterKind {
        RegisterKind::Const(Fits::of(value))
    }

    pub fn is_zero(self) -> bool {
        matches!(self, RegisterKind::Const(fits) if fits.0 & Fits::ZERO != 0)
    }

    /// As an `int`.
    pub fn as_int(self) -> Option<Fits> {
        match self {
            RegisterKind::Int(fits) | RegisterKind::Const(fits) => Some(fits),
            RegisterKind::Single => Some(Fits::INT),
            _ => None,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, RegisterKind::Float | RegisterKind::Const(_) | RegisterKind::Single)
    }

    /// True if `move` copies it.
    pub fn is_single(self) -> bool {
        matches!(
            self,
            RegisterKind::Int(_)
                | RegisterKind::Float
                | RegisterKind::Const(_)
                | RegisterKind::Single
        )
    }

    /// True if it is null or an object whose constructor ran.
    pub fn is_object(self) -> bool {
        matches!(self, RegisterKind::Ref(_)) || self.is_zero()
    }

    /// True if it is a reference of any kind.
    pub fn is_reference(self) -> bool {
        self.is_object() || matches!(self, RegisterKind::Fresh(_) | RegisterKind::This)
    }

    /// True if both are the halves of one kind of value.
    pub fn pairs_with(self, high: RegisterKind) -> bool {
        matches!(
            (self, high),
            (RegisterKind::ConstLow, RegisterKind::ConstHigh)
                | (RegisterKind::LongLow, RegisterKind::LongHigh)
                | (RegisterKind::DoubleLow, RegisterKind::DoubleHigh)
                | (RegisterKind::WideLow, RegisterKind::WideHigh)
        )
    }

    /// Contents of a register that held this on one path and `other` on another.
    pub fn join(self, other: RegisterKind) -> RegisterKind {
        use RegisterKind::*;
        if self == other {
            return self;
        }
        match (self, other) {
            (Const(a), Const(b)) => Const(Fits(a.0 & b.0)),
            (Int(a) | Const(a), Int(b) | Const(b)) => Int(Fits(a.0 & b.0).as_type()),
            (Single, Const(_)) | (Const(_), Single) => Single,
            (Single, Int(_)) | (Int(_), Single) => Int(Fits::INT),
            (Float, Const(_) | Single) | (Const(_) | Single, Float) => Float,
            (ConstLow, k @ (LongLow | DoubleLow | WideLow))
            | (k @ (LongLow | DoubleLow | WideLow), ConstLow) => k,
            (ConstHigh, k @ (LongHigh | DoubleHigh | WideHigh))
            | (k @ (LongHigh | DoubleHigh | WideHigh), ConstHigh) => k,
            (WideLow, k @ (LongLow | DoubleLow)) | (k @ (LongLow | DoubleLow), WideLow) => k,
            (WideHigh, k @ (LongHigh | DoubleHigh)) | (k @ (LongHigh | DoubleHigh), WideHigh) => k,
            (Ref(a), Ref(b)) => Ref(a.join(b)),
            (k @ Ref(_), zero) | (zero, k @ Ref(_)) if zero.is_zero() => k,
            _ => Conflict,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            RegisterKind::Conflict => "nothing that is known",
            RegisterKind::Const(_) => "a constant",
            RegisterKind::Int(_) => "an int",
            RegisterKind::Float => "a float",
            RegisterKind::Single => "an int or a float",
            RegisterKind::ConstLow
            | RegisterKind::LongLow
            | RegisterKind::DoubleLow
            | RegisterKind::WideLow => "the first half of a wide value",
            RegisterKind::ConstHigh
            | RegisterKind::LongHigh
            | RegisterKind::DoubleHigh
            | RegisterKind::WideHigh => "the second half of a wide value",
            RegisterKind::Ref(_) => "a reference",
            RegisterKind::Fresh(_) | RegisterKind::This => {
                "an object whose constructor has not run"
            }
        }
    }
}

/// Contents that a declared type allows in its registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    Void,
    Int(Fits),
    Float,
    Long,
    Double,
    Ref(ObjectClass),
}

impl Declared {
    pub fn of(ty: TypeIdx, descriptor: &[u8]) -> Declared {
        match descriptor.first() {
            Some(b'V') => Declared::Void,
            Some(b'Z') => Declared::Int(Fits::BOOLEANS),
            Some(b'B') => Declared::Int(Fits::BYTES),
            Some(b'S') => Declared::Int(Fits::SHORTS),
            Some(b'C') => Declared::Int(Fits::CHARS),
            Some(b'I') => Declared::Int(Fits::INT),
            Some(b'F') => Declared::Float,
            Some(b'J') => Declared::Long,
            Some(b'D') => Declared::Double,
            _ => Declared::Ref(Declared::class(ty, descriptor)),
        }
    }

    fn class(ty: TypeIdx, descriptor: &[u8]) -> ObjectClass {
        let dimensions = descriptor.iter().take_while(|&&b| b == b'[').count();
        match (u8::try_from(dimensions), descriptor.get(dimensions)) {
            (Ok(0), _) if descriptor == OBJECT => ObjectClass::Object,
            (Ok(1..), Some(&element)) if element != b'L' => {
                ObjectClass::Array(Array { dimensions: dimensions as u8, element })
            }
            _ => ObjectClass::Named(ty),
        }
    }

    /// The kinds of its one or two registers.
    pub fn kinds(self) -> (RegisterKind, Option<RegisterKind>) {
        match self {
            Declared::Void => (RegisterKind::Conflict, None),
            Declared::Int(fits) => (RegisterKind::Int(fits), None),
            Declared::Float => (RegisterKind::Float, None),
            Declared::Long => (RegisterKind::LongLow, Some(RegisterKind::LongHigh)),
            Declared::Double => (RegisterKind::DoubleLow, Some(RegisterKind::DoubleHigh)),
            Declared::Ref(class) => (RegisterKind::Ref(class), None),
        }
    }

    pub fn words(self) -> usize {
        if matches!(self, Declared::Long | Declared::Double) { 2 } else { 1 }
    }
}

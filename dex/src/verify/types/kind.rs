//! What a register holds, and what it holds where two paths meet (ART's `reg_type.cc`, without
//! classes but those of one file).

use crate::ids::TypeIdx;

pub(super) const OBJECT: &[u8] = b"Ljava/lang/Object;";

/// Which smaller types the values of an integer fit.
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

    /// Whether values of this kind may stand where that type is expected.
    pub fn within(self, wanted: Fits) -> bool {
        wanted.0 & self.0 & wanted.0.wrapping_neg() != 0 || wanted == Fits::INT
    }
}

/// The class of an object, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Nothing is known.
    Unknown,
    /// `java.lang.Object` and no more: any other class needs a cast or a test first.
    Object,
    /// This type of the pool.
    Named(TypeIdx),
    /// An array of primitives.
    Array(Array),
}

impl Class {
    /// The primitives that an array's elements are; `None` if they are not, or nothing is known.
    pub fn primitives(self) -> Option<u8> {
        match self {
            Class::Array(Array { dimensions: 1, element }) => Some(element),
            _ => None,
        }
    }

    /// The class that values of two classes share.
    fn join(self, other: Class) -> Class {
        match (self, other) {
            _ if self == other => self,
            (Class::Object, _) | (_, Class::Object) => Class::Object,
            _ => Class::Unknown,
        }
    }
}

/// The type of an array of primitives: it decides what `aget` gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Array {
    pub dimensions: u8,
    pub element: u8,
}

/// What a register holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
    Ref(Class),
    /// What the `new-instance` at that node made, before its constructor ran.
    Fresh(u32),
    /// `this` of a constructor, before the superclass's constructor ran.
    This,
}

impl Kind {
    /// A reference of which nothing is known.
    pub const REFERENCE: Kind = Kind::Ref(Class::Unknown);

    pub fn constant(value: i64) -> Kind {
        Kind::Const(Fits::of(value))
    }

    pub fn is_zero(self) -> bool {
        matches!(self, Kind::Const(fits) if fits.0 & Fits::ZERO != 0)
    }

    /// As an `int`.
    pub fn as_int(self) -> Option<Fits> {
        match self {
            Kind::Int(fits) | Kind::Const(fits) => Some(fits),
            Kind::Single => Some(Fits::INT),
            _ => None,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Kind::Float | Kind::Const(_) | Kind::Single)
    }

    /// Whether `move` copies it.
    pub fn is_single(self) -> bool {
        matches!(self, Kind::Int(_) | Kind::Float | Kind::Const(_) | Kind::Single)
    }

    /// Whether it is null or an object whose constructor ran.
    pub fn is_object(self) -> bool {
        matches!(self, Kind::Ref(_)) || self.is_zero()
    }

    /// Whether it is a reference of any kind.
    pub fn is_reference(self) -> bool {
        self.is_object() || matches!(self, Kind::Fresh(_) | Kind::This)
    }

    /// Whether both are the halves of one kind of value.
    pub fn pairs_with(self, high: Kind) -> bool {
        matches!(
            (self, high),
            (Kind::ConstLow, Kind::ConstHigh)
                | (Kind::LongLow, Kind::LongHigh)
                | (Kind::DoubleLow, Kind::DoubleHigh)
                | (Kind::WideLow, Kind::WideHigh)
        )
    }

    /// What a register holds that held this on one way and `other` on another.
    pub fn join(self, other: Kind) -> Kind {
        use Kind::*;
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
            Kind::Conflict => "nothing that is known",
            Kind::Const(_) => "a constant",
            Kind::Int(_) => "an int",
            Kind::Float => "a float",
            Kind::Single => "an int or a float",
            Kind::ConstLow | Kind::LongLow | Kind::DoubleLow | Kind::WideLow => {
                "the first half of a wide value"
            }
            Kind::ConstHigh | Kind::LongHigh | Kind::DoubleHigh | Kind::WideHigh => {
                "the second half of a wide value"
            }
            Kind::Ref(_) => "a reference",
            Kind::Fresh(_) | Kind::This => "an object whose constructor has not run",
        }
    }
}

/// What a declared type means for the registers that hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    Void,
    Int(Fits),
    Float,
    Long,
    Double,
    Ref(Class),
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

    fn class(ty: TypeIdx, descriptor: &[u8]) -> Class {
        let dimensions = descriptor.iter().take_while(|&&b| b == b'[').count();
        match (u8::try_from(dimensions), descriptor.get(dimensions)) {
            (Ok(0), _) if descriptor == OBJECT => Class::Object,
            (Ok(1..), Some(&element)) if element != b'L' => {
                Class::Array(Array { dimensions: dimensions as u8, element })
            }
            _ => Class::Named(ty),
        }
    }

    /// The kinds of its one or two registers.
    pub fn kinds(self) -> (Kind, Option<Kind>) {
        match self {
            Declared::Void => (Kind::Conflict, None),
            Declared::Int(fits) => (Kind::Int(fits), None),
            Declared::Float => (Kind::Float, None),
            Declared::Long => (Kind::LongLow, Some(Kind::LongHigh)),
            Declared::Double => (Kind::DoubleLow, Some(Kind::DoubleHigh)),
            Declared::Ref(class) => (Kind::Ref(class), None),
        }
    }

    pub fn words(self) -> usize {
        if matches!(self, Declared::Long | Declared::Double) { 2 } else { 1 }
    }
}

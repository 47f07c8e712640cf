//! Access flags of classes, fields and methods.

bitflags::bitflags! {
    /// `ACC_*` flags, as in the [DEX format]. Some bits mean one thing on a field and another on a
    /// method or class; each meaning has its name here. Bits without a name are kept.
    ///
    /// ```
    /// use dex::AccessFlags;
    /// let flags = AccessFlags::PUBLIC | AccessFlags::STATIC;
    /// assert!(flags.contains(AccessFlags::STATIC));
    /// assert_eq!(flags.bits(), 0x9);
    /// ```
    ///
    /// [DEX format]: https://source.android.com/docs/core/runtime/dex-format#access-flags
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct AccessFlags: u32 {
        /// Visible everywhere.
        const PUBLIC = 0x1;
        /// Visible in the class alone.
        const PRIVATE = 0x2;
        /// Visible in the package and in subclasses.
        const PROTECTED = 0x4;
        /// Not of an instance.
        const STATIC = 0x8;
        /// Cannot be extended, overridden or assigned again.
        const FINAL = 0x10;
        /// A native method that locks; other methods carry
        /// [`DECLARED_SYNCHRONIZED`](AccessFlags::DECLARED_SYNCHRONIZED).
        const SYNCHRONIZED = 0x20;
        /// A field that other threads may change.
        const VOLATILE = 0x40;
        /// A method that the compiler made for the sake of another signature.
        const BRIDGE = 0x40;
        /// A field that is not part of the serial form.
        const TRANSIENT = 0x80;
        /// A method whose last parameter takes any number of arguments.
        const VARARGS = 0x80;
        /// A method without bytecode.
        const NATIVE = 0x100;
        /// An interface.
        const INTERFACE = 0x200;
        /// Without an implementation of its own.
        const ABSTRACT = 0x400;
        /// A method with strict rules for floating-point numbers.
        const STRICT = 0x800;
        /// Not in the sources.
        const SYNTHETIC = 0x1000;
        /// An annotation class.
        const ANNOTATION = 0x2000;
        /// An enumeration, or one of its values.
        const ENUM = 0x4000;
        /// `<init>` or `<clinit>`.
        const CONSTRUCTOR = 0x1_0000;
        /// A method that was declared `synchronized`.
        const DECLARED_SYNCHRONIZED = 0x2_0000;

        const _ = !0;
    }
}

/// Kind of item that has access flags: it determines the names of some bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    Class,
    Field,
    Method,
}

impl Holder {
    /// The words for the flags that it can have, in the order in which they are written.
    pub(crate) fn words(self) -> &'static [(AccessFlags, &'static str)] {
        use AccessFlags as A;
        match self {
            Holder::Class => &[
                (A::PUBLIC, "public"),
                (A::PRIVATE, "private"),
                (A::PROTECTED, "protected"),
                (A::STATIC, "static"),
                (A::FINAL, "final"),
                (A::INTERFACE, "interface"),
                (A::ABSTRACT, "abstract"),
                (A::SYNTHETIC, "synthetic"),
                (A::ANNOTATION, "annotation"),
                (A::ENUM, "enum"),
            ],
            Holder::Field => &[
                (A::PUBLIC, "public"),
                (A::PRIVATE, "private"),
                (A::PROTECTED, "protected"),
                (A::STATIC, "static"),
                (A::FINAL, "final"),
                (A::VOLATILE, "volatile"),
                (A::TRANSIENT, "transient"),
                (A::SYNTHETIC, "synthetic"),
                (A::ENUM, "enum"),
            ],
            Holder::Method => &[
                (A::PUBLIC, "public"),
                (A::PRIVATE, "private"),
                (A::PROTECTED, "protected"),
                (A::STATIC, "static"),
                (A::FINAL, "final"),
                (A::SYNCHRONIZED, "synchronized"),
                (A::BRIDGE, "bridge"),
                (A::VARARGS, "varargs"),
                (A::NATIVE, "native"),
                (A::ABSTRACT, "abstract"),
                (A::STRICT, "strictfp"),
                (A::SYNTHETIC, "synthetic"),
                (A::CONSTRUCTOR, "constructor"),
                (A::DECLARED_SYNCHRONIZED, "declared-synchronized"),
            ],
        }
    }
}

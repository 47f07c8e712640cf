//! The model of a DEX file.

pub mod access;
pub mod error;
pub mod index_map;
pub mod mutf8;
mod names;
pub mod pool;

use std::borrow::Cow;
use std::sync::Arc;

use crate::code::Code;
use crate::code::debug::DebugInfo;
use crate::file::access::AccessFlags;
use crate::file::pool::Pool;
use crate::ids::*;

/// Format version, `035`…`040`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u16);

/// A string as the file holds it: modified UTF-8, without the terminating zero.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DexString(pub Box<[u8]>);

/// A prototype (`proto_id_item`). The shorty is derived.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Proto {
    /// Return type.
    pub return_type: TypeIdx,
    /// Parameter types.
    pub parameters: Vec<TypeIdx>,
}

/// A field reference (`field_id_item`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldRef {
    /// Class that is named.
    pub class: TypeIdx,
    /// Type of the field.
    pub ty: TypeIdx,
    /// Name.
    pub name: StringIdx,
}

/// A method reference (`method_id_item`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodRef {
    /// Class that is named.
    pub class: TypeIdx,
    /// Prototype.
    pub proto: ProtoIdx,
    /// Name.
    pub name: StringIdx,
}

/// A method handle (`method_handle_item`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodHandle {
    /// Raw kind, 0…8.
    pub kind: u16,
    /// The field or method that it accesses.
    pub target: HandleTarget,
}

/// The field or method that a method handle accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandleTarget {
    /// Kinds 0–3.
    Field(FieldIdx),
    /// Kinds 4–8.
    Method(MethodIdx),
}

/// A value (`encoded_value`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum EncodedValue {
    /// `VALUE_BYTE`.
    Byte(i8),
    /// `VALUE_SHORT`.
    Short(i16),
    /// `VALUE_CHAR`.
    Char(u16),
    /// `VALUE_INT`.
    Int(i32),
    /// `VALUE_LONG`.
    Long(i64),
    /// `VALUE_FLOAT`, as its bits.
    Float(u32),
    /// `VALUE_DOUBLE`, as its bits.
    Double(u64),
    /// `VALUE_METHOD_TYPE`.
    MethodType(ProtoIdx),
    /// `VALUE_METHOD_HANDLE`.
    MethodHandle(MethodHandleIdx),
    /// `VALUE_STRING`.
    String(StringIdx),
    /// `VALUE_TYPE`.
    Type(TypeIdx),
    /// `VALUE_FIELD`.
    Field(FieldIdx),
    /// `VALUE_METHOD`.
    Method(MethodIdx),
    /// `VALUE_ENUM`.
    Enum(FieldIdx),
    /// `VALUE_ARRAY`. In a box, because Kotlin's metadata are long arrays: with it each of their
    /// values takes 16 bytes instead of 24.
    #[allow(clippy::box_collection)]
    Array(Box<Vec<EncodedValue>>),
    /// `VALUE_ANNOTATION`.
    Annotation(Box<EncodedAnnotation>),
    /// `VALUE_NULL`.
    Null,
    /// `VALUE_BOOLEAN`.
    Boolean(bool),
}

/// An annotation's type and elements (`encoded_annotation`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EncodedAnnotation {
    /// Annotation class.
    pub ty: TypeIdx,
    /// Elements, by name.
    pub elements: Vec<(StringIdx, EncodedValue)>,
}

/// An annotation with its visibility (`annotation_item`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Annotation {
    /// 0 build, 1 runtime, 2 system.
    pub visibility: u8,
    /// The annotation.
    pub annotation: EncodedAnnotation,
}

/// A set of annotations (`annotation_set_item`).
pub type AnnotationSet = Vec<Annotation>;

/// All annotations of a class (`annotations_directory_item`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Annotations {
    /// On the class itself; `Some(empty)` and `None` are written differently.
    pub class: Option<AnnotationSet>,
    /// On fields.
    pub fields: Vec<(FieldIdx, AnnotationSet)>,
    /// On methods.
    pub methods: Vec<(MethodIdx, AnnotationSet)>,
    /// On parameters; `None` for a parameter without a set.
    pub parameters: Vec<(MethodIdx, Vec<Option<AnnotationSet>>)>,
}

/// The annotations of a class: as values, or still in the bytes of their file
/// ([`Dex::read_shared`]).
#[derive(Debug, Clone)]
pub enum ClassAnnotations {
    /// As values.
    Known(Box<Annotations>),
    /// As read.
    Stored(StoredAnnotations),
}

/// Annotations in the bytes of their file.
#[derive(Clone)]
pub struct StoredAnnotations {
    file: Arc<dyn StoredItems>,
    offset: u32,
}

impl StoredAnnotations {
    pub(crate) fn new(file: Arc<dyn StoredItems>, offset: u32) -> StoredAnnotations {
        StoredAnnotations { file, offset }
    }
}

impl std::fmt::Debug for StoredAnnotations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.file.annotations(self.offset).fmt(f)
    }
}

impl ClassAnnotations {
    /// The values.
    pub fn values(&self) -> Cow<'_, Annotations> {
        match self {
            ClassAnnotations::Known(values) => Cow::Borrowed(values),
            ClassAnnotations::Stored(stored) => Cow::Owned(stored.file.annotations(stored.offset)),
        }
    }
}

impl PartialEq for ClassAnnotations {
    /// Equal values, wherever they are.
    fn eq(&self, other: &ClassAnnotations) -> bool {
        self.values() == other.values()
    }
}

impl Eq for ClassAnnotations {}

impl From<Annotations> for ClassAnnotations {
    fn from(values: Annotations) -> ClassAnnotations {
        ClassAnnotations::Known(Box::new(values))
    }
}

/// A field of a class (`encoded_field`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedField {
    /// The field's reference.
    pub field: FieldIdx,
    /// Access flags; bits that have no name stay as read.
    pub access: AccessFlags,
    /// Hidden-API flags (`hiddenapi_class_data_item`), when the file has that section for the
    /// class.
    pub hiddenapi: Option<u32>,
}

/// A method of a class (`encoded_method`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedMethod {
    /// The method's reference.
    pub method: MethodIdx,
    /// Access flags; bits that have no name stay as read.
    pub access: AccessFlags,
    /// Body in [`Dex::codes`]; several methods may name the same one. `None`: abstract or native.
    pub code: Option<CodeId>,
    /// Hidden-API flags, as for fields.
    pub hiddenapi: Option<u32>,
}

/// A class (`class_def_item` with its class data).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassDef {
    /// The class.
    pub ty: TypeIdx,
    /// Access flags; bits that have no name stay as read.
    pub access: AccessFlags,
    /// Superclass; `None` for `java.lang.Object` alone.
    pub superclass: Option<TypeIdx>,
    /// Interfaces.
    pub interfaces: Vec<TypeIdx>,
    /// Source file name.
    pub source_file: Option<StringIdx>,
    /// Annotations; `None` when the class has no directory.
    pub annotations: Option<ClassAnnotations>,
    /// Initial values of the first static fields.
    pub static_values: Vec<EncodedValue>,
    /// Static fields.
    pub static_fields: Vec<EncodedField>,
    /// Instance fields.
    pub instance_fields: Vec<EncodedField>,
    /// Static, private and constructor methods.
    pub direct_methods: Vec<EncodedMethod>,
    /// All other methods.
    pub virtual_methods: Vec<EncodedMethod>,
}

impl ClassDef {
    /// A class with these access flags that names nothing else and has no members.
    pub fn new(ty: TypeIdx, access: AccessFlags) -> ClassDef {
        ClassDef {
            ty,
            access,
            superclass: None,
            interfaces: Vec::new(),
            source_file: None,
            annotations: None,
            static_values: Vec::new(),
            static_fields: Vec::new(),
            instance_fields: Vec::new(),
            direct_methods: Vec::new(),
            virtual_methods: Vec::new(),
        }
    }

    /// Direct methods, then virtual ones.
    pub fn methods(&self) -> impl Iterator<Item = &EncodedMethod> {
        self.direct_methods.iter().chain(&self.virtual_methods)
    }

    /// Direct methods, then virtual ones.
    pub fn methods_mut(&mut self) -> impl Iterator<Item = &mut EncodedMethod> {
        self.direct_methods.iter_mut().chain(&mut self.virtual_methods)
    }
}

impl Dex {
    /// Number of methods that name each body, by [`CodeId`]. Copy a body that several methods share
    /// before you edit it for one of them.
    pub fn code_uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.codes.len()];
        for code in self.classes.iter().flat_map(ClassDef::methods).filter_map(|m| m.code) {
            if let Some(n) = uses.get_mut(code.0 as usize) {
                *n += 1;
            }
        }
        uses
    }
}

/// A try range of a body that is not under edit (`try_item`), addresses in code units.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RawTry {
    /// First covered unit.
    pub start: u32,
    /// Covered units.
    pub len: u16,
    /// Position in [`CodeItem::handlers`].
    pub handlers: u32,
}

/// Handlers of a body that is not under edit, targets as code-unit addresses.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct RawHandlers {
    /// Typed handlers.
    pub catches: Vec<(TypeIdx, u32)>,
    /// The handler for everything else.
    pub catch_all: Option<u32>,
}

/// A body as the file holds it (`code_item`); indices inside `insns` are those of this [`Dex`]'s
/// pools *as read*, so raw bodies can only name the first 65,536 items of a pool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CodeItem {
    /// Registers used, parameters included.
    pub registers: u16,
    /// Words of incoming parameters.
    pub ins: u16,
    /// Words of outgoing argument space.
    pub outs: u16,
    /// Code units.
    pub insns: Vec<u16>,
    /// Try ranges, ascending, disjoint.
    pub tries: Vec<RawTry>,
    /// Handler lists.
    pub handlers: Vec<RawHandlers>,
    /// Debug info.
    pub debug: Option<DebugInfo>,
}

/// A method body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// As read.
    Raw(Box<CodeItem>),
    /// As read, still in the bytes of its file ([`Dex::read_shared`]).
    Stored(StoredBody),
    /// Under edit; lowered when written.
    Edited(Box<Code>),
}

/// A body in the bytes of its file.
#[derive(Clone)]
pub struct StoredBody {
    file: Arc<dyn StoredItems>,
    offset: u32,
}

/// A file that decodes bodies and annotations on demand; reading has checked them before.
pub(crate) trait StoredItems: Send + Sync {
    /// The body at this offset.
    fn item(&self, offset: u32) -> CodeItem;
    /// Its code units.
    fn insns(&self, offset: u32) -> Vec<u16>;
    /// Number of its code units.
    fn units(&self, offset: u32) -> usize;
    /// The annotations at this offset.
    fn annotations(&self, offset: u32) -> Annotations;
}

impl StoredBody {
    pub(crate) fn new(file: Arc<dyn StoredItems>, offset: u32) -> StoredBody {
        StoredBody { file, offset }
    }

    /// The body.
    pub fn item(&self) -> CodeItem {
        self.file.item(self.offset)
    }
}

impl std::fmt::Debug for StoredBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.item().fmt(f)
    }
}

impl PartialEq for StoredBody {
    /// Equal bodies, wherever they are.
    fn eq(&self, other: &StoredBody) -> bool {
        self.item() == other.item()
    }
}

impl Eq for StoredBody {}

impl Body {
    /// The body as the file holds it; `None` when it is under edit.
    pub fn item(&self) -> Option<Cow<'_, CodeItem>> {
        match self {
            Body::Raw(item) => Some(Cow::Borrowed(item)),
            Body::Stored(body) => Some(Cow::Owned(body.item())),
            Body::Edited(_) => None,
        }
    }

    /// The code units of [`item`](Body::item).
    pub fn insns(&self) -> Option<Cow<'_, [u16]>> {
        match self {
            Body::Raw(item) => Some(Cow::Borrowed(&item.insns)),
            Body::Stored(body) => Some(Cow::Owned(body.file.insns(body.offset))),
            Body::Edited(_) => None,
        }
    }

    /// Number of code units of [`item`](Body::item).
    pub fn units(&self) -> Option<usize> {
        match self {
            Body::Raw(item) => Some(item.insns.len()),
            Body::Stored(body) => Some(body.file.units(body.offset)),
            Body::Edited(_) => None,
        }
    }

    /// Byte range of its code units in the file; `None` unless the body is still stored there.
    pub fn place(&self) -> Option<std::ops::Range<u64>> {
        let Body::Stored(body) = self else { return None };
        let begin = u64::from(body.offset) + CODE_UNITS;
        Some(begin..begin + 2 * body.file.units(body.offset) as u64)
    }
}

/// Bytes of a `code_item` before its code units.
const CODE_UNITS: u64 = 16;

impl From<CodeItem> for Body {
    fn from(item: CodeItem) -> Body {
        Body::Raw(Box::new(item))
    }
}

impl From<Code> for Body {
    fn from(code: Code) -> Body {
        Body::Edited(Box::new(code))
    }
}

/// A DEX file.
#[derive(Debug, Clone, PartialEq)]
pub struct Dex {
    /// Format version; the writer keeps it.
    pub version: Version,
    /// Strings.
    pub strings: Pool<StringIdx, DexString>,
    /// Types, each the string of its descriptor.
    pub types: Pool<TypeIdx, StringIdx>,
    /// Prototypes.
    pub protos: Pool<ProtoIdx, Proto>,
    /// Field references.
    pub fields: Pool<FieldIdx, FieldRef>,
    /// Method references.
    pub methods: Pool<MethodIdx, MethodRef>,
    /// Call sites: the array of values that `call_site_item` holds.
    pub call_sites: Pool<CallSiteIdx, Vec<EncodedValue>>,
    /// Method handles.
    pub method_handles: Pool<MethodHandleIdx, MethodHandle>,
    /// Classes in file order.
    pub classes: Vec<ClassDef>,
    /// Bodies by [`CodeId`].
    pub codes: Vec<Body>,
}

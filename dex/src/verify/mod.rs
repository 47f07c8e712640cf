//! Structural rules on a model: those of ART's `dex_file_verifier.cc` and of the structural half of
//! its `method_verifier.cc`, except rules that the reader and the writer already enforce.
//!
//! The module [`types`] follows the contents of registers, apart from these rules.

mod body;
pub mod types;

use std::collections::HashSet;
use std::fmt;

use crate::code::error::CodeError;
use crate::code::opcode::Op;
use crate::file::access::AccessFlags;
use crate::file::{ClassDef, Dex, EncodedField, EncodedMethod, EncodedValue};
use crate::ids::*;
use crate::parallel::map;

/// A rule that is broken, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The class, or `class->member`.
    pub place: String,
    /// Position in the body: the code unit for bodies as read, the node for bodies under edit.
    pub at: Option<u32>,
    /// The rule.
    pub problem: Problem,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "{} at {at:#06x}: {}", self.place, self.problem),
            None => write!(f, "{}: {}", self.place, self.problem),
        }
    }
}

/// Rules that a file can break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages describe them")]
#[non_exhaustive]
pub enum Problem {
    #[error("{0} is no class descriptor")]
    NotAClass(String),
    #[error("defined twice")]
    Duplicate,
    #[error("only java.lang.Object has no superclass")]
    NoSuperclass,
    #[error("it extends or implements itself, or one interface twice")]
    Inheritance,
    #[error("access flags {0:#x} contradict each other")]
    ClassFlags(AccessFlags),
    #[error("access flags {0:#x} are not allowed on this field")]
    FieldFlags(AccessFlags),
    #[error("access flags {0:#x} are not allowed on this method")]
    MethodFlags(AccessFlags),
    #[error("it belongs to another class")]
    ForeignMember,
    #[error("it stands in the list of {0} methods")]
    WrongList(&'static str),
    #[error("a static field among instance fields or the reverse")]
    WrongFieldList,
    #[error("it has a body but is native or abstract")]
    UnexpectedBody,
    #[error("it has no body and is neither native nor abstract")]
    NoBody,
    #[error("a constructor must return nothing, and a class initialiser take nothing")]
    ConstructorSignature,
    #[error("{values} initial values for {fields} static fields")]
    TooManyValues { values: usize, fields: usize },
    #[error("its initial value is of another type")]
    ValueType,
    #[error("{0} names a {1} that its pool has not")]
    Dangling(Op, &'static str),
    #[error(transparent)]
    Code(#[from] CodeError),
    #[error("{ins} words of arguments, but the prototype has {expected}")]
    Ins { ins: u16, expected: u32 },
    #[error("{op} uses v{reg} of {registers} registers")]
    Register { op: Op, reg: u32, registers: u16 },
    #[error("{op}: {what}")]
    Operand { op: Op, what: &'static str },
    #[error("{op} passes {given} words where {expected} are expected")]
    ArgumentCount { op: Op, given: u32, expected: u32 },
    #[error("{op} passes {words} words, but the method's outgoing space is {outs}")]
    Outs { op: Op, words: u32, outs: u16 },
    #[error("{0} does not follow an instruction with a result")]
    StrayMoveResult(Op),
    #[error("{0} can be reached without the instruction before it")]
    MoveResultTarget(Op),
    #[error("move-exception can be reached without an exception")]
    StrayMoveException,
    #[error("execution runs off the end of the code")]
    FallsOffEnd,
    #[error("there is no code")]
    Empty,
    #[error("{0} does not return the prototype's type")]
    ReturnType(Op),
    #[error("a handler catches {0}, which is no class")]
    HandlerType(String),
}

/// Checks every class and every body. An empty list means that nothing is wrong.
pub fn verify(dex: &Dex) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut defined = HashSet::new();
    for class in &dex.classes {
        if !defined.insert(dex.type_name(class.ty)) {
            found.push(Violation {
                place: dex.type_name(class.ty).into_owned(),
                at: None,
                problem: Problem::Duplicate,
            });
        }
    }
    let classes = map(&dex.classes, |class| {
        let mut check = ClassCheck { dex, class, found: Vec::new() };
        check.run();
        check.found
    });
    found.extend(classes.into_iter().flatten());
    found
}

struct ClassCheck<'a> {
    dex: &'a Dex,
    class: &'a ClassDef,
    found: Vec<Violation>,
}

impl ClassCheck<'_> {
    fn report(&mut self, place: String, problem: Problem) {
        self.found.push(Violation { place, at: None, problem });
    }

    fn run(&mut self) {
        let (dex, class) = (self.dex, self.class);
        let name = dex.type_name(class.ty).into_owned();
        let mut problems = Vec::new();
        if !is_class(&name) {
            problems.push(Problem::NotAClass(name.clone()));
        }
        if class.superclass.is_none() && name != "Ljava/lang/Object;" {
            problems.push(Problem::NoSuperclass);
        }
        let parents = class.superclass.iter().chain(&class.interfaces);
        for parent in
            parents.clone().map(|&ty| dex.type_name(ty)).filter(|parent| !is_class(parent))
        {
            problems.push(Problem::NotAClass(parent.into_owned()));
        }
        let distinct: HashSet<TypeIdx> = class.interfaces.iter().copied().collect();
        if parents.into_iter().any(|&ty| ty == class.ty) || distinct.len() != class.interfaces.len()
        {
            problems.push(Problem::Inheritance);
        }
        let has = |flags| class.access.contains(flags);
        let is_interface = has(AccessFlags::INTERFACE);
        if has(AccessFlags::ANNOTATION) && !is_interface
            || is_interface && (!has(AccessFlags::ABSTRACT) || has(AccessFlags::FINAL))
            || has(AccessFlags::FINAL | AccessFlags::ABSTRACT)
        {
            problems.push(Problem::ClassFlags(class.access));
        }
        problems.into_iter().for_each(|problem| self.report(name.clone(), problem));
        self.fields();
        self.methods();
    }

    fn fields(&mut self) {
        let (dex, class) = (self.dex, self.class);
        let mut seen = HashSet::new();
        for (list, is_static) in [(&class.static_fields, true), (&class.instance_fields, false)] {
            for field in list {
                if !seen.insert(field.field) {
                    self.report(dex.field_name(field.field), Problem::Duplicate);
                }
                if let Some(problem) = self.field_problem(field, is_static) {
                    self.report(dex.field_name(field.field), problem);
                }
            }
        }
        let (values, fields) = (class.static_values.len(), class.static_fields.len());
        if values > fields {
            self.report(
                dex.type_name(class.ty).into_owned(),
                Problem::TooManyValues { values, fields },
            );
        }
        for (field, value) in class.static_fields.iter().zip(&class.static_values) {
            let fits = dex.fields.items().get(field.field.index());
            if fits.is_some_and(|f| !value_fits(&dex.type_name(f.ty), value)) {
                self.report(dex.field_name(field.field), Problem::ValueType);
            }
        }
    }

    fn field_problem(&self, field: &EncodedField, is_static: bool) -> Option<Problem> {
        let has = |flags| field.access.contains(flags);
        let Some(f) = self.dex.fields.items().get(field.field.index()) else {
            return Some(Problem::ForeignMember);
        };
        if f.class != self.class.ty {
            return Some(Problem::ForeignMember);
        }
        if has(AccessFlags::STATIC) != is_static {
            return Some(Problem::WrongFieldList);
        }
        let in_interface = self.class.access.contains(AccessFlags::INTERFACE);
        let constant = AccessFlags::PUBLIC | AccessFlags::STATIC | AccessFlags::FINAL;
        let bad = !SIXTEEN_BITS.contains(field.access)
            || !one_visibility(field.access)
            || has(AccessFlags::VOLATILE | AccessFlags::FINAL)
            // Before version 037 a warning only.
            || in_interface && self.dex.version.0 >= 37 && !has(constant);
        bad.then_some(Problem::FieldFlags(field.access))
    }

    fn methods(&mut self) {
        let (dex, class) = (self.dex, self.class);
        let mut seen = HashSet::new();
        for (list, direct) in [(&class.direct_methods, true), (&class.virtual_methods, false)] {
            for method in list {
                let name = || dex.method_name(method.method);
                if !seen.insert(method.method) {
                    self.report(name(), Problem::Duplicate);
                }
                if let Some(problem) = self.method_problem(method, direct) {
                    self.report(name(), problem);
                }
                if let Some(code) = method.code {
                    let found = body::check(dex, method, code);
                    let place = |(at, problem)| Violation { place: name(), at, problem };
                    self.found.extend(found.into_iter().map(place));
                }
            }
        }
    }

    fn method_problem(&self, method: &EncodedMethod, direct: bool) -> Option<Problem> {
        let dex = self.dex;
        let Some(m) = dex.methods.items().get(method.method.index()) else {
            return Some(Problem::ForeignMember);
        };
        if m.class != self.class.ty {
            return Some(Problem::ForeignMember);
        }
        let has = |flags| method.access.contains(flags);
        let any = |flags| method.access.intersects(flags);
        let name = dex.string(m.name);
        let (init, clinit) = (name == "<init>", name == "<clinit>");
        let is_direct = any(AccessFlags::STATIC | AccessFlags::PRIVATE) || init || clinit;
        if is_direct != direct {
            return Some(Problem::WrongList(if direct { "direct" } else { "virtual" }));
        }
        let flags = Some(Problem::MethodFlags(method.access));
        let known = SIXTEEN_BITS | AccessFlags::CONSTRUCTOR | AccessFlags::DECLARED_SYNCHRONIZED;
        if !known.contains(method.access) || !one_visibility(method.access) {
            return flags;
        }
        if has(AccessFlags::CONSTRUCTOR) && !init && !clinit {
            return flags;
        }
        // Default methods came with 037; older files get warnings.
        let recent = dex.version.0 >= 37;
        if recent && (init && has(AccessFlags::STATIC) || clinit && !has(AccessFlags::STATIC)) {
            return flags;
        }
        if (init || clinit)
            && let Some(proto) = dex.protos.items().get(m.proto.index())
            && (dex.type_name(proto.return_type) != "V" || clinit && !proto.parameters.is_empty())
        {
            return Some(Problem::ConstructorSignature);
        }
        let in_interface = self.class.access.contains(AccessFlags::INTERFACE);
        if recent
            && in_interface
            && !any(AccessFlags::PUBLIC | AccessFlags::PRIVATE | AccessFlags::STATIC)
        {
            return flags;
        }
        let bodiless = any(AccessFlags::NATIVE | AccessFlags::ABSTRACT);
        match method.code {
            Some(_) if bodiless => return Some(Problem::UnexpectedBody),
            None if !bodiless => return Some(Problem::NoBody),
            None if recent && (init || clinit) => return flags,
            _ => {}
        }
        let not_abstract = AccessFlags::PRIVATE
            | AccessFlags::STATIC
            | AccessFlags::FINAL
            | AccessFlags::NATIVE
            | AccessFlags::STRICT
            | AccessFlags::SYNCHRONIZED;
        if has(AccessFlags::ABSTRACT) && any(not_abstract) {
            return flags;
        }
        let on_init = AccessFlags::FINAL
            | AccessFlags::SYNCHRONIZED
            | AccessFlags::NATIVE
            | AccessFlags::ABSTRACT
            | AccessFlags::STATIC;
        if init && any(on_init) {
            return flags;
        }
        None
    }
}

/// The bits that fields and classes can have, and methods with two more: named or not.
const SIXTEEN_BITS: AccessFlags = AccessFlags::from_bits_retain(0xFFFF);

fn one_visibility(flags: AccessFlags) -> bool {
    let visibility = AccessFlags::PUBLIC | AccessFlags::PROTECTED | AccessFlags::PRIVATE;
    (flags & visibility).bits().count_ones() <= 1
}

/// `Lsome/Name;`.
fn is_class(descriptor: &str) -> bool {
    descriptor.len() > 2 && descriptor.starts_with('L') && descriptor.ends_with(';')
}

fn value_fits(descriptor: &str, value: &EncodedValue) -> bool {
    match descriptor.as_bytes().first() {
        Some(b'Z') => matches!(value, EncodedValue::Boolean(_)),
        Some(b'B') => matches!(value, EncodedValue::Byte(_)),
        Some(b'S') => matches!(value, EncodedValue::Short(_)),
        Some(b'C') => matches!(value, EncodedValue::Char(_)),
        Some(b'I') => matches!(value, EncodedValue::Int(_)),
        Some(b'J') => matches!(value, EncodedValue::Long(_)),
        Some(b'F') => matches!(value, EncodedValue::Float(_)),
        Some(b'D') => matches!(value, EncodedValue::Double(_)),
        _ => matches!(
            value,
            EncodedValue::Null
                | EncodedValue::String(_)
                | EncodedValue::Type(_)
                | EncodedValue::MethodType(_)
                | EncodedValue::MethodHandle(_)
        ),
    }
}

//! Relations of the classes of one file: enough to be certain that a value is not what an
//! instruction takes it for. Where a class of another file decides, nothing is certain.

use super::kind::{Array, Declared, OBJECT, ObjectClass, RegisterKind};
use crate::file::Dex;
use crate::file::access::AccessFlags;
use crate::ids::*;

/// Classes of the platform that values are often tested for; none is an interface.
const PLATFORM: [&[u8]; 9] = [
    b"Ljava/lang/String;",
    b"Ljava/lang/Class;",
    b"Ljava/lang/Boolean;",
    b"Ljava/lang/Byte;",
    b"Ljava/lang/Character;",
    b"Ljava/lang/Short;",
    b"Ljava/lang/Integer;",
    b"Ljava/lang/Long;",
    b"Ljava/lang/Throwable;",
];

/// A type of the pool.
#[derive(Debug, Clone, Copy, Default)]
struct TypeFacts {
    /// The class that it extends.
    superclass: Option<TypeIdx>,
    is_class: bool,
    is_interface: bool,
}

/// The types of one file.
#[derive(Debug)]
pub(super) struct Classes {
    /// By type index.
    known: Vec<TypeFacts>,
    object: Option<TypeIdx>,
    /// `Object[]`.
    objects: Option<TypeIdx>,
}

impl Classes {
    pub fn of(dex: &Dex) -> Classes {
        let descriptor =
            |&s: &StringIdx| dex.strings.items().get(s.index()).map_or(&[][..], |s| &s.0);
        let types = || dex.types.items().iter().map(descriptor);
        let find = |wanted: &[u8]| types().position(|d| d == wanted).map(|i| TypeIdx(i as u32));
        let is_class = |d: &[u8]| d.starts_with(b"[") || d == OBJECT || PLATFORM.contains(&d);
        let mut known: Vec<TypeFacts> =
            types().map(|d| TypeFacts { is_class: is_class(d), ..TypeFacts::default() }).collect();
        for class in &dex.classes {
            if let Some(known) = known.get_mut(class.ty.index()) {
                let is_interface = class.access.contains(AccessFlags::INTERFACE);
                let superclass = class.superclass;
                *known = TypeFacts { superclass, is_class: !is_interface, is_interface };
            }
        }
        Classes { known, object: find(OBJECT), objects: find(b"[Ljava/lang/Object;") }
    }

    fn known(&self, ty: TypeIdx) -> TypeFacts {
        self.known.get(ty.index()).copied().unwrap_or_default()
    }

    /// The elements of an array of references.
    pub fn element(&self, array: ObjectClass) -> ObjectClass {
        match array {
            ObjectClass::Array(array) if array.dimensions > 1 => {
                ObjectClass::Array(Array { dimensions: array.dimensions - 1, ..array })
            }
            ObjectClass::Named(ty) if Some(ty) == self.objects => ObjectClass::Object,
            _ => ObjectClass::Unknown,
        }
    }

    /// Returns true if a class is certainly none that an instruction takes it for. `is_class`: the
    /// instruction itself shows that it wants no interface, which ART lets any object stand for.
    pub fn excludes(&self, held: ObjectClass, wanted: TypeIdx, is_class: bool) -> bool {
        let known = self.known(wanted);
        if known.is_interface || Some(wanted) == self.object {
            return false;
        }
        match held {
            ObjectClass::Object => is_class || known.is_class,
            ObjectClass::Named(held) => self.extends(wanted, held),
            ObjectClass::Unknown | ObjectClass::Array(_) => false,
        }
    }

    /// Returns true if this file shows that a class is a proper subclass of another.
    fn extends(&self, class: TypeIdx, other: TypeIdx) -> bool {
        let mut superclass = self.known(class).superclass;
        // Malformed files may have circles.
        for _ in 0..self.known.len() {
            match superclass {
                Some(ty) if ty == other => return true,
                Some(ty) => superclass = self.known(ty).superclass,
                None => return false,
            }
        }
        false
    }

    /// Returns the kind of an object where a test has found that it has a type. `None`: as before,
    /// because ART does not narrow (to an interface, to a wider type), or nothing is certain.
    pub fn narrowed(
        &self,
        kind: RegisterKind,
        ty: TypeIdx,
        declared: Declared,
    ) -> Option<RegisterKind> {
        let Declared::Ref(class) = declared else { return None };
        let narrows = match kind {
            RegisterKind::Ref(ObjectClass::Object) => {
                class != ObjectClass::Object && !self.known(ty).is_interface
            }
            RegisterKind::Ref(ObjectClass::Named(held)) => {
                held != ty && !self.known(ty).is_interface && !self.extends(held, ty)
            }
            RegisterKind::Ref(ObjectClass::Unknown) => matches!(class, ObjectClass::Array(_)),
            _ => false,
        };
        narrows.then_some(RegisterKind::Ref(class))
    }
}

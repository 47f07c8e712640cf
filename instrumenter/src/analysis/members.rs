//! Code by which an app can notice how many methods its classes have: reflection that lists them,
//! and the number that serialization computes for a class.

use std::collections::HashSet;

use dex::{AccessFlags, Dex, Insn, MethodIdx, Ref};

use crate::analysis::program::{ClassNo, MethodNo, Program};

/// Members that a call lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listed {
    /// Methods.
    Methods,
    /// Constructors.
    Constructors,
}

/// Classes and interfaces of the platform that cannot be serialized, and often have subclasses in
/// apps.
const PLAIN: &[&str] = &[
    "Ljava/lang/Object;",
    "Ljava/lang/Runnable;",
    "Ljava/lang/Comparable;",
    "Ljava/lang/Iterable;",
    "Ljava/lang/CharSequence;",
    "Ljava/lang/Cloneable;",
    "Ljava/lang/AutoCloseable;",
    "Ljava/lang/Thread;",
    "Ljava/io/Closeable;",
    "Ljava/io/Flushable;",
    "Ljava/io/InputStream;",
    "Ljava/io/OutputStream;",
    "Ljava/io/Reader;",
    "Ljava/io/Writer;",
    "Ljava/util/Iterator;",
    "Ljava/util/ListIterator;",
    "Ljava/util/Enumeration;",
    "Ljava/util/Comparator;",
    "Ljava/util/Collection;",
    "Ljava/util/List;",
    "Ljava/util/Set;",
    "Ljava/util/Map;",
    "Ljava/util/Map$Entry;",
    "Ljava/util/Queue;",
    "Ljava/util/Deque;",
    "Ljava/util/AbstractCollection;",
    "Ljava/util/AbstractList;",
    "Ljava/util/AbstractSet;",
    "Ljava/util/AbstractMap;",
    "Ljava/util/RandomAccess;",
    "Ljava/util/concurrent/Callable;",
    "Landroid/app/Activity;",
    "Landroid/app/Application;",
    "Landroid/app/Service;",
    "Landroid/content/BroadcastReceiver;",
    "Landroid/content/ContentProvider;",
    "Landroid/content/ContextWrapper;",
    "Landroid/os/Handler;",
    "Landroid/view/View;",
    "Landroid/view/ViewGroup;",
];

/// Returns the members that a call of this method lists, if it lists any.
pub(crate) fn of_method(dex: &Dex, method: MethodIdx) -> Option<Listed> {
    let method = dex.methods.items().get(method.index())?;
    let proto = &dex.protos.items()[method.proto.index()];
    if !proto.parameters.is_empty() || dex.type_name(method.class) != "Ljava/lang/Class;" {
        return None;
    }
    match &*dex.string(method.name) {
        "getMethods" | "getDeclaredMethods" => Some(Listed::Methods),
        "getConstructors" | "getDeclaredConstructors" => Some(Listed::Constructors),
        _ => None,
    }
}

/// Returns the members that an instruction lists, if it lists any.
pub(crate) fn listed(dex: &Dex, insn: &Insn) -> Option<Listed> {
    match insn.reference()? {
        Ref::Method(method) => of_method(dex, method),
        _ => None,
    }
}

/// Returns true if code of this dex file could list the members of a class.
pub(crate) fn names_a_list(dex: &Dex) -> bool {
    (0..dex.methods.len()).any(|m| of_method(dex, m.into()).is_some())
}

/// Returns true if serialization does not notice another method like this one in its class. A
/// serializable class without `serialVersionUID` gets one computed from the names and signatures of
/// all methods and constructors that are not private (Java Object Serialization Specification,
/// 4.6).
pub(crate) fn may_grow(program: &Program, no: MethodNo) -> bool {
    let method = program.method(no);
    method.access.contains(AccessFlags::PRIVATE)
        || has_version(program, method.class)
        || !may_be_serializable(program, method.class)
}

fn has_version(program: &Program, class: ClassNo) -> bool {
    let class = program.class(class);
    let dex = &program.files[class.dex].dex;
    dex.classes[class.def].static_fields.iter().any(|f| {
        let field = &dex.fields.items()[f.field.index()];
        dex.string(field.name) == "serialVersionUID" && dex.type_name(field.ty) == "J"
    })
}

/// Returns true if a class may implement `Serializable`, as far as the app shows. Enums may not:
/// their number is always 0.
fn may_be_serializable(program: &Program, class: ClassNo) -> bool {
    /// Largest number of superclasses and interfaces that is searched.
    const MOST: usize = 1024;
    let mut at = Some(class);
    for _ in 0..MOST {
        let Some(class) = at else { break };
        match program.superclass(class) {
            Some(("Ljava/lang/Enum;", None)) => return false,
            above => at = above.and_then(|(_, above)| above),
        }
    }
    let mut seen = HashSet::from([class]);
    let mut work = vec![class];
    while let Some(class) = work.pop() {
        for (name, above) in program.superclass(class).into_iter().chain(program.interfaces(class))
        {
            match above {
                Some(above) => {
                    if seen.insert(above) {
                        work.push(above);
                    }
                }
                None if PLAIN.contains(&name) => {}
                None => return true,
            }
        }
        if seen.len() > MOST {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::program::DexFile;

    /// Returns true if `m` of a class with this head may get a second method beside it.
    fn grows(head: &str, access: &str) -> bool {
        let text = format!(
            ".class public Lp/C;\n{head}\n.method {access} m()V\n.code registers=1 ins=0 outs=0\n\
             return-void\n.end method\n.class public Lp/Base;\n.super Ljava/lang/Object;\n\
             .implements Ljava/io/Serializable;\n"
        );
        let mut dex = Dex::new(dex::Version(35));
        dex::text::parse_classes(&text, &mut dex).expect("parses");
        let program = Program::new(vec![DexFile { name: "classes.dex".into(), dex }]);
        let class = program.find_class("Lp/C;").expect("is there");
        may_grow(&program, program.declared(class, "m()V").expect("is there"))
    }

    #[test]
    fn a_computed_serial_version_stays() {
        assert!(grows(".super Ljava/lang/Object;", "static"));
        assert!(!grows(".super Ljava/lang/Object;\n.implements Ljava/io/Serializable;", "static"));
        // Serializable by inheritance, or by a class or interface that only the platform has.
        assert!(!grows(".super Lp/Base;", "static"));
        assert!(!grows(".super Ljava/lang/Exception;", "static"));
        assert!(!grows(".super Ljava/lang/Object;\n.implements Ljava/security/Key;", "static"));
    }

    #[test]
    fn methods_outside_a_computed_serial_version_may_grow() {
        let serial = ".super Ljava/lang/Object;\n.implements Ljava/io/Serializable;";
        assert!(grows(serial, "private static"));
        let version = format!("{serial}\n.field private static final serialVersionUID:J");
        assert!(grows(&version, "static"));
        assert!(grows(".super Ljava/lang/Enum;\n.implements Ljava/io/Serializable;", "static"));
    }
}

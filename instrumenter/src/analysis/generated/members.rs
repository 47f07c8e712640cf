//! Methods that a compiler generated as a whole although they have lines of the source.

use dex::{AccessFlags, Args, Op, Ref};
use model::map::Generated;

use super::{Body, has_name};

pub(super) fn kind(body: &Body<'_>) -> Option<Generated> {
    if is_empty_constructor(body) {
        return Some(Generated::EmptyConstructor);
    }
    is_of_record(body).then_some(Generated::Record)
}

/// Returns true for a private constructor without parameters, or an enum's constructor without its
/// own, that only calls the constructor of the superclass. It prevents instances and never runs.
fn is_empty_constructor(body: &Body<'_>) -> bool {
    let method = body.program.method(body.no);
    let sig = body.program.text(method.sig);
    let superclass = body.program.superclass(method.class).map(|s| s.0);
    let of_enum = superclass == Some("Ljava/lang/Enum;") && sig == "<init>(Ljava/lang/String;I)V";
    method.access.contains(AccessFlags::PRIVATE)
        && (sig == "<init>()V" || of_enum)
        && body.len() == 2
        && body
            .called(0)
            .is_some_and(|(class, sig)| Some(class) == superclass && has_name(sig, "<init>"))
        && body.op(1) == Some(Op::ReturnVoid)
}

/// Returns true for `toString`, `hashCode` and `equals` of a record and for methods that return a
/// component, if the compiler generated them.
fn is_of_record(body: &Body<'_>) -> bool {
    const FIELDS: &str = "$record$getFieldsAsObjects()[Ljava/lang/Object;";
    let program = body.program;
    let method = program.method(body.no);
    let is_record = program.superclass(method.class).is_some_and(|s| s.0 == "Ljava/lang/Record;")
        || program.declared(method.class, FIELDS).is_some();
    if !is_record {
        return false;
    }
    let sig = program.text(method.sig);
    let of_object = ["toString()Ljava/lang/String;", "hashCode()I", "equals(Ljava/lang/Object;)Z"];
    if of_object.contains(&sig) {
        return (0..body.len()).any(|at| {
            let custom = matches!(body.op(at), Some(Op::InvokeCustom | Op::InvokeCustomRange));
            custom || body.called(at).is_some_and(|(_, sig)| sig.starts_with("$record$"))
        });
    }
    let Some((name, rest)) = sig.split_once('(') else { return false };
    let component = |reference: Ref| match reference {
        Ref::Field(field) => {
            let dex = &program.files[body.file].dex;
            let field = dex.fields.items().get(field.index());
            field.is_some_and(|f| dex.string(f.name) == name)
        }
        _ => false,
    };
    rest.starts_with(')')
        && body.len() == 2
        && body.insn(0).is_some_and(|i| match i.args {
            Args::ABRef(_, _, field) => component(field),
            _ => false,
        })
        && body.op(1).is_some_and(Op::is_return)
}

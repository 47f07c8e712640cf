//! Effects of instructions beside computing: throw, run other code, end the process.

use dex::{AccessFlags, Args, Code, Insn, Item, Op, Ref};

use crate::analysis::cfg::{BlockEnd, Cfg};
use crate::analysis::program::{Program, ProgramMethod};

/// Returns true if an instruction of a method may find that an array is null or too short.
pub(crate) fn uses_arrays(code: &Code) -> bool {
    let elements = Op::Aget.value()..=Op::AputShort.value();
    code.insns().any(|(_, i)| {
        elements.contains(&i.op.value()) || matches!(i.op, Op::ArrayLength | Op::FillArrayData)
    })
}

/// Returns true if nothing in a method can throw, call or branch: one call at its entry then
/// records its whole path.
pub(crate) fn is_leaf(
    program: &Program,
    file: usize,
    method: &ProgramMethod,
    code: &Code,
    cfg: &Cfg,
) -> bool {
    let [block] = &cfg.blocks[..] else { return false };
    if block.end != BlockEnd::Return {
        return false;
    }
    let dex = &program.files[file].dex;
    let this =
        (!method.access.contains(AccessFlags::STATIC)).then(|| dex::Reg(code.registers - code.ins));
    let overwritten = code.nodes.iter().any(|n| match &n.item {
        Item::Insn(i) => i.def().is_some_and(|(r, kind)| {
            Some(r) == this || (kind == dex::RegKind::Wide && Some(dex::Reg(r.0 + 1)) == this)
        }),
        _ => false,
    });
    code.nodes.iter().all(|n| {
        let Item::Insn(insn) = &n.item else { return true };
        match (insn.op, insn.args) {
            (op, _) if !op.can_throw() => true,
            // `this` is never null.
            (op, Args::ABRef(_, object, Ref::Field(_))) if is_instance_access(op) => {
                Some(object) == this && !overwritten
            }
            // The class is initialised, or being initialised, when its method runs.
            (op, Args::ARef(_, Ref::Field(f))) if is_static_access(op) => {
                let own = dex.methods.items()[method.method.index()].class;
                dex.fields.items()[f.index()].class == own
            }
            (Op::ConstString | Op::ConstStringJumbo, _) => true,
            (Op::InvokeDirect, Args::List(_, Ref::Method(m))) => {
                program.reference(file, m) == ("Ljava/lang/Object;", "<init>()V")
            }
            _ => false,
        }
    })
}

/// Returns true if an instruction may run other code of the app: a call, a static initialiser, a
/// class loader.
pub(crate) fn runs_code(dex: &dex::Dex, method: dex::MethodIdx, insn: &Insn) -> bool {
    match (insn.op, insn.args) {
        (Op::ConstString | Op::ConstStringJumbo, _) => false,
        (Op::MonitorEnter | Op::MonitorExit, _) => true,
        // Its own class is initialised, or being initialised, when its method runs.
        (op, Args::ARef(_, Ref::Field(f))) if is_static_access(op) => {
            dex.fields.items()[f.index()].class != dex.methods.items()[method.index()].class
        }
        (_, Args::ABRef(_, _, Ref::Field(_))) => false,
        (_, Args::ARef(_, Ref::Type(t)) | Args::ABRef(_, _, Ref::Type(t))) => {
            !is_basic_array(&dex.type_name(t))
        }
        _ => insn.reference().is_some(),
    }
}

/// Returns true for `[I` and other arrays of primitives, which need no class loader.
fn is_basic_array(name: &str) -> bool {
    name.starts_with('[') && name.trim_start_matches('[').len() == 1
}

/// Returns true if a call ends the process: the thread's records must be written before it.
pub(crate) fn ends_process(program: &Program, file: usize, insn: &Insn) -> bool {
    let (true, Some(Ref::Method(m))) = (insn.op.is_invoke(), insn.reference()) else {
        return false;
    };
    matches!(
        program.reference(file, m),
        ("Ljava/lang/System;" | "Ljava/lang/Runtime;", "exit(I)V")
            | ("Ljava/lang/Runtime;", "halt(I)V")
            | ("Landroid/os/Process;", "killProcess(I)V")
    )
}

pub(crate) fn is_instance_access(op: Op) -> bool {
    (Op::Iget.value()..=Op::IputShort.value()).contains(&op.value())
}

pub(crate) fn is_static_access(op: Op) -> bool {
    (Op::Sget.value()..=Op::SputShort.value()).contains(&op.value())
}

//! Bodies of the app's methods, as they were before `instrument`.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use decoder::replay::{BlockNo, Program};
use dex::{Code, CodeId, Dex, FieldIdx, Insn, Item, Label, Op, RawKind, Ref};
use model::descriptors::dotted_name;
use model::map::{Block, CallKind, Map, Method, MethodId, Terminator};

use crate::control::ControlDependence;

/// Most bodies that are kept decoded.
const MAX_BODIES: usize = 4_096;

/// The dex files are not those of the map's build.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CodeProblem {
    /// The app was instrumented: addresses in it are not those of the map.
    #[error("the app is instrumented; the app as it was before `instrument` is needed")]
    Instrumented,
    /// The app has too few of the map's methods, or they have other code.
    #[error(
        "another build: of {all} methods of the map, {missing} are not in the app and {other} have \
         other code"
    )]
    OtherBuild {
        /// Methods of the map that the app lacks.
        missing: usize,
        /// Methods whose code in the app has not the blocks of the map.
        other: usize,
        /// Methods of the map.
        all: usize,
    },
}

/// A method's body.
pub(crate) struct MethodBody {
    /// The dex file that it is in.
    pub file: usize,
    /// The instructions.
    pub code: Code,
    /// Address in code units of each node of the list.
    addresses: Vec<u32>,
    /// True if the method has no `this`.
    pub is_static: bool,
    /// Control dependence among its blocks.
    pub control: ControlDependence,
}

impl MethodBody {
    /// The instructions of a block, ascending.
    pub fn insns(&self, block: &Block) -> impl DoubleEndedIterator<Item = (usize, &Insn)> {
        let from = self.addresses.partition_point(|&a| a < block.pc);
        let to = self.addresses.partition_point(|&a| a < block.end);
        (from..to).filter_map(|node| Some((node, self.code.insn(node)?)))
    }

    /// The instruction of a node.
    pub fn insn(&self, node: usize) -> Option<&Insn> {
        self.code.insn(node)
    }

    /// The address of a node in code units.
    pub fn address(&self, node: usize) -> u32 {
        self.addresses.get(node).copied().unwrap_or(u32::MAX)
    }

    /// The position of a register among the words of the incoming arguments, if it is one of them
    /// at the entry.
    pub fn argument(&self, register: u16) -> Option<u16> {
        register.checked_sub(self.code.registers.checked_sub(self.code.ins)?)
    }
}

/// The app's code, by the methods of a map.
pub struct AppCode<'m> {
    map: &'m Map,
    files: Rc<[Dex]>,
    /// File, body and whether it is static, by method.
    methods: Vec<Option<(usize, CodeId, bool)>>,
    bodies: RefCell<HashMap<MethodId, Option<Rc<MethodBody>>>>,
    /// `Lpkg/Cls;->name:type` of fields that methods write whose calls may leave no trace.
    unrecorded: OnceCell<HashSet<String>>,
    /// Names of classes in the source by those in the app, where R8 renamed them.
    source_names: OnceCell<HashMap<&'m str, &'m str>>,
}

impl<'m> AppCode<'m> {
    /// Finds the methods of a map in the dex files of the app, in the order in which Android loads
    /// them.
    ///
    /// # Errors
    /// [`CodeProblem`] if the files are not those that `instrument` read.
    pub fn new(map: &'m Map, files: impl Into<Rc<[Dex]>>) -> Result<AppCode<'m>, CodeProblem> {
        let files: Rc<[Dex]> = files.into();
        let mut by_key: HashMap<String, (usize, CodeId, bool)> = HashMap::new();
        for (number, dex) in files.iter().enumerate() {
            for class in &dex.classes {
                let name = dex.type_name(class.ty);
                if name.starts_with("Lpathlight/") {
                    return Err(CodeProblem::Instrumented);
                }
                for method in class.methods() {
                    let Some(code) = method.code else { continue };
                    let is_static = method.access.contains(dex::AccessFlags::STATIC);
                    // The first file that defines a class is the one that runs.
                    by_key
                        .entry(dex.method_name(method.method))
                        .or_insert((number, code, is_static));
                }
            }
        }
        let mut methods: Vec<_> =
            map.methods.iter().map(|m| by_key.get(&key(map, m)).copied()).collect();
        let missing = methods.iter().filter(|m| m.is_none()).count();
        let mut other = 0;
        for (method, found) in map.methods.iter().zip(&mut methods) {
            let is_same = found.is_none_or(|(file, code, _)| {
                let body = files[file].codes.get(code.0 as usize).and_then(|body| body.insns());
                body.is_some_and(|units| has_blocks(&units, &method.blocks))
            });
            if !is_same {
                (*found, other) = (None, other + 1);
            }
        }
        // The app may be split, and a part of it not given; but its code is as it was.
        if missing * 10 > methods.len() || other * 100 > methods.len() {
            return Err(CodeProblem::OtherBuild { missing, other, all: methods.len() });
        }
        Ok(AppCode {
            map,
            files,
            methods,
            bodies: RefCell::default(),
            unrecorded: OnceCell::new(),
            source_names: OnceCell::new(),
        })
    }

    /// The dex file of a body.
    pub(crate) fn dex(&self, body: &MethodBody) -> &Dex {
        &self.files[body.file]
    }

    /// The body of a method; none if it cannot be decoded, or its blocks are not those of the map.
    pub(crate) fn body(&self, id: MethodId) -> Option<Rc<MethodBody>> {
        if let Some(known) = self.bodies.borrow().get(&id) {
            return known.clone();
        }
        let body = self.decode(id).map(Rc::new);
        let mut bodies = self.bodies.borrow_mut();
        if bodies.len() >= MAX_BODIES {
            bodies.clear();
        }
        bodies.insert(id, body.clone());
        body
    }

    fn decode(&self, id: MethodId) -> Option<MethodBody> {
        let method = self.map.method(id)?;
        let (file, code, is_static) = (*self.methods.get(id.0 as usize - 1)?)?;
        let item = self.files[file].codes.get(code.0 as usize)?.item()?.into_owned();
        let (code, addresses) = dex::decode_with_addresses(&item).ok()?;
        let control = ControlDependence::new(&method.blocks);
        Some(MethodBody { file, code, addresses, is_static, control })
    }

    /// The method, its block and its body, for a block that ran.
    pub(crate) fn at(
        &self,
        program: &Program<'m>,
        block: BlockNo,
    ) -> Option<(MethodId, usize, &'m Block, Rc<MethodBody>)> {
        let (id, number) = program.locate(block);
        let block = self.map.method(id)?.blocks.get(number)?;
        Some((id, number, block, self.body(id)?))
    }

    /// The dotted name that a class of the app (`La/b;`) has in the source, if the map has it; else
    /// that in the app.
    pub(crate) fn source_name(&self, class: &str) -> String {
        let map = self.map;
        let renamed = |m: &'m Method| Some((map.name(m.in_app?.class), map.name(m.class)));
        let names =
            self.source_names.get_or_init(|| map.methods.iter().filter_map(renamed).collect());
        dotted_name(names.get(class).copied().unwrap_or(class))
    }

    /// The classes of exceptions that the handler at a block takes, as the source names them as far
    /// as the map has their names; none if they are not known.
    pub(crate) fn catch_types(&self, program: &Program<'m>, block: BlockNo) -> Option<Vec<String>> {
        let (_, _, block, body) = self.at(program, block)?;
        let is_here = |label: Label| {
            let nodes = body.code.nodes.iter().zip(&body.addresses);
            let mut labels = nodes.filter(|(node, _)| node.item == Item::Label(label));
            labels.any(|(_, &address)| address == block.pc)
        };
        let mut names = Vec::new();
        for handlers in &body.code.tries {
            for &(class, _) in handlers.catches.iter().filter(|(_, label)| is_here(*label)) {
                names.push(self.source_name(&self.dex(&body).type_name(class)));
            }
            if handlers.catch_all.is_some_and(is_here) {
                names.push("any class".to_owned());
            }
        }
        names.sort();
        names.dedup();
        (!names.is_empty()).then_some(names)
    }

    /// True if a method writes the field whose calls may leave no trace: one without probes, or one
    /// that decides nothing and that code outside the app may call. Constructors do not count: they
    /// write fields of an object that nobody has read yet.
    pub(crate) fn has_unrecorded_writers(&self, field: &str) -> bool {
        self.unrecorded.get_or_init(|| self.unrecorded_writes()).contains(field)
    }

    fn unrecorded_writes(&self) -> HashSet<String> {
        let recorded: HashSet<String> =
            self.map.methods.iter().filter(|m| leaves_trace(m)).map(|m| key(self.map, m)).collect();
        let mut fields = HashSet::new();
        for dex in self.files.iter() {
            for method in dex.classes.iter().flat_map(|class| class.methods()) {
                let name = dex.method_name(method.method);
                let is_constructor = name.contains("-><init>(") || name.contains("-><clinit>(");
                let Some(code) = method.code.filter(|_| !is_constructor) else { continue };
                if recorded.contains(&name) {
                    continue;
                }
                let body = dex.codes.get(code.0 as usize).and_then(|body| body.insns());
                for insn in body.iter().flat_map(|units| dex::raw_insns(units)) {
                    let RawKind::Insn(op) = insn.kind else { continue };
                    if !(op.name().starts_with("iput") || op.name().starts_with("sput")) {
                        continue;
                    }
                    // The index is in the second unit of formats 21c and 22c.
                    let units = body.as_deref().unwrap_or_default();
                    if let Some(&index) = units.get(insn.at + 1) {
                        fields.insert(dex.field_name(FieldIdx(index.into())));
                    }
                }
            }
        }
        fields
    }

    /// `Lpkg/Cls;->name:type` of the field that an instruction reads or writes.
    pub(crate) fn field(&self, body: &MethodBody, insn: &Insn) -> Option<String> {
        match insn.reference()? {
            Ref::Field(field) => Some(self.dex(body).field_name(field)),
            _ => None,
        }
    }

    /// `Lpkg/Cls;->name(I)V` of the method that an instruction calls.
    pub(crate) fn callee(&self, body: &MethodBody, insn: &Insn) -> Option<String> {
        match insn.reference()? {
            Ref::Method(method) => Some(self.dex(body).method_name(method)),
            _ => None,
        }
    }
}

/// True if code consists of whole instructions at the bounds of these blocks, and has branches and
/// calls where the blocks have them.
fn has_blocks(units: &[u16], blocks: &[Block]) -> bool {
    let insns: Vec<dex::RawInsn> = dex::raw_insns(units).collect();
    let starting = |pc: u32| insns.binary_search_by_key(&(pc as usize), |insn| insn.at).ok();
    let op = |at: usize| match insns[at].kind {
        RawKind::Insn(op) => Some(op),
        _ => None,
    };
    blocks.iter().all(|block| {
        let is_bound = block.end as usize == units.len() || starting(block.end).is_some();
        let last = insns.partition_point(|insn| insn.at < block.end as usize).checked_sub(1);
        let decides = match &block.terminator {
            Terminator::Branch { .. } => last
                .and_then(op)
                .is_some_and(|op| op.is_switch() || op.is_branch() && !op.is_goto()),
            Terminator::Return | Terminator::Throw | Terminator::Goto(_) => true,
        };
        let calls = |pc: u32| starting(pc).and_then(op).is_some_and(Op::is_invoke);
        block.pc <= block.end
            && starting(block.pc).is_some()
            && is_bound
            && decides
            && block.calls.iter().all(|site| calls(site.pc))
    })
}

/// True if every activation of a method is recorded, no matter which code calls it: it announces
/// itself, or it decides something.
fn leaves_trace(m: &Method) -> bool {
    let decides = |b: &Block| {
        matches!(b.terminator, Terminator::Branch { .. })
            || b.calls.iter().any(|site| matches!(site.call, CallKind::Slot(_)))
    };
    m.guarded || m.blocks.iter().any(decides)
}

/// `Lpkg/Cls;->name(I)V`, as the app names the method.
pub(crate) fn key(map: &Map, m: &Method) -> String {
    let (class, name, descriptor) = match m.in_app {
        Some(app) => (app.class, app.name, app.descriptor),
        None => (m.class, m.name, m.descriptor),
    };
    format!("{}->{}{}", map.name(class), map.name(name), map.name(descriptor))
}

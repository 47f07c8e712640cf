//! Model of the whole app: every class of every dex file by name, the class hierarchy, and the
//! methods that a call can reach. A [`Program`] does not change once its files are read;
//! [`CallTargets`] has what a build knows besides.
//!
//! Classes outside the app are deliberately unknown: the tool needs no platform jar. Unknown
//! classes lead to the cautious answer ("may be called from outside", "may lead outside").

use std::collections::{HashMap, HashSet};

use dex::{AccessFlags, Dex, MethodIdx, TypeIdx};

mod hierarchy;
mod reach;
mod targets;

use hierarchy::HierarchyFacts;
pub use reach::{Dispatch, Reach};
pub use targets::CallTargets;

/// Methods that calls through a type outside the app were observed to reach, by class and signature
/// of the reference.
pub(crate) type CalledBack = HashMap<(Sym, Sym), CalledBackMethods>;

/// Methods of the app that calls of one reference reach.
#[derive(Debug)]
pub(crate) struct CalledBackMethods {
    /// The methods, ascending.
    pub methods: Vec<MethodNo>,
    /// True if the calls went through a slot already, so that the model counts them as such; else
    /// it counts them as announced calls.
    pub had_slot: bool,
}

/// A dex file of the app.
#[derive(Debug)]
pub struct DexFile {
    /// Entry name in the container (`classes2.dex`), or the file's own name.
    pub name: String,
    /// Its content.
    pub dex: Dex,
}

/// Interned name (a type descriptor, or a method's name with its descriptor).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(u32);

/// A class of the app: position in [`Program::classes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassNo(pub u32);

/// A method of the app that a class defines: position in [`Program::methods`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodNo(pub u32);

/// A class of the app.
#[derive(Debug)]
pub struct ProgramClass {
    /// Descriptor.
    pub name: Sym,
    /// Position of its dex file.
    pub dex: usize,
    /// Position of the class in that file.
    pub def: usize,
    /// Access flags.
    pub access: AccessFlags,
    superclass: Option<Sym>,
    interfaces: Vec<Sym>,
    /// Methods by name; the first of two equal ones.
    methods: Box<[(Sym, MethodNo)]>,
    /// App classes that name this one as superclass or interface.
    children: Vec<ClassNo>,
    /// True if the platform may have a class of this name, which would then be loaded instead.
    shadowed: bool,
    /// True if an earlier dex file defines the class: this one is never loaded.
    duplicate: bool,
    place: HierarchyFacts,
}

/// A method that a class of the app defines.
#[derive(Debug)]
pub struct ProgramMethod {
    /// Defining class.
    pub class: ClassNo,
    /// Name and descriptor.
    pub sig: Sym,
    /// Position in the class: direct methods, then virtual ones.
    pub position: usize,
    /// The reference in its dex file.
    pub method: MethodIdx,
    /// Access flags.
    pub access: AccessFlags,
    /// The body.
    pub code: Option<dex::CodeId>,
}

/// All dex files of an app and their relations.
#[derive(Debug)]
pub struct Program {
    /// The files.
    pub files: Vec<DexFile>,
    /// The classes, file by file.
    pub classes: Vec<ProgramClass>,
    /// The methods, class by class.
    pub methods: Vec<ProgramMethod>,
    names: Texts,
    by_name: HashMap<Sym, ClassNo>,
    type_syms: Vec<Vec<Sym>>,
    /// Element type without any brackets, by array type.
    elements: HashMap<Sym, Sym>,
    method_sigs: Vec<Vec<Sym>>,
    /// All methods by signature and the number of their class (`HierarchyFacts::subclasses`).
    overriders: Vec<(Sym, u32, MethodNo)>,
    /// Classes that name a type outside the app as superclass or interface, by that type.
    named_outside: HashMap<Sym, Vec<ClassNo>>,
}

/// Platform packages that an app may contain a copy of. The copy never runs, or runs under another
/// name's rules, so calls into them are not predicted.
const PLATFORM: &[&str] = &[
    "Ljava/",
    "Ljavax/",
    "Landroid/",
    "Ldalvik/",
    "Llibcore/",
    "Lsun/",
    "Lcom/android/",
    "Lorg/json/",
    "Lorg/xml/",
    "Lorg/xmlpull/",
    "Lorg/w3c/",
    "Lorg/apache/http/",
    "Lorg/apache/harmony/",
    "Ljunit/",
];

/// Packages of apps that begin like platform packages.
const NOT_PLATFORM: &[&str] =
    &["Landroid/support/", "Landroid/arch/", "Ljavax/inject/", "Lcom/android/volley/"];

/// Interfaces outside the app without methods that matter.
const MARKERS: &[&str] = &[
    "Ljava/io/Serializable;",
    "Ljava/lang/Cloneable;",
    "Ljava/util/RandomAccess;",
    "Ljava/lang/annotation/Annotation;",
];

/// Methods, with descriptors, that code outside the app finds by name.
const CALLED_FROM_OUTSIDE: &[&str] = &[
    "<clinit>()V",
    "main([Ljava/lang/String;)V",
    "toString()Ljava/lang/String;",
    "hashCode()I",
    "equals(Ljava/lang/Object;)Z",
    "finalize()V",
    "clone()Ljava/lang/Object;",
    "readObject(Ljava/io/ObjectInputStream;)V",
    "writeObject(Ljava/io/ObjectOutputStream;)V",
    "readResolve()Ljava/lang/Object;",
    "writeReplace()Ljava/lang/Object;",
    "readObjectNoData()V",
];

/// Texts of all names in one allocation: most are short, and there are hundreds of thousands.
#[derive(Debug, Default)]
struct Texts {
    text: String,
    /// End of each name in the text.
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, name: &str) -> Sym {
        self.text.push_str(name);
        self.ends.push(self.text.len());
        Sym(self.ends.len() as u32 - 1)
    }

    fn get(&self, sym: Sym) -> &str {
        let at = sym.0 as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[at]]
    }
}

#[derive(Default)]
struct Interner {
    names: Texts,
    lookup: HashMap<Box<str>, Sym>,
}

impl Interner {
    fn intern(&mut self, name: &str) -> Sym {
        if let Some(&sym) = self.lookup.get(name) {
            return sym;
        }
        let sym = self.names.push(name);
        self.lookup.insert(name.into(), sym);
        sym
    }
}

impl ProgramClass {
    /// Returns the class's own method of this name.
    fn method(&self, sig: Sym) -> Option<MethodNo> {
        let at = self.methods.binary_search_by_key(&sig, |(s, _)| *s).ok()?;
        Some(self.methods[at].1)
    }

    /// Returns true if an earlier dex file defines the class, so that this one never loads.
    pub fn is_duplicate(&self) -> bool {
        self.duplicate
    }
}

impl Program {
    /// Builds the program from its files, in the order in which the runtime searches them.
    pub fn new(files: Vec<DexFile>) -> Program {
        let mut interner = Interner::default();
        let mut type_syms = Vec::new();
        let mut method_sigs = Vec::new();
        let mut elements = HashMap::new();
        for file in &files {
            let dex = &file.dex;
            let mut intern = |i| {
                let name = dex.type_name(TypeIdx::from(i));
                let sym = interner.intern(&name);
                if name.starts_with('[') {
                    elements.insert(sym, interner.intern(name.trim_start_matches('[')));
                }
                sym
            };
            let types: Vec<Sym> = (0..dex.types.len()).map(&mut intern).collect();
            let sigs = dex.methods.items().iter().map(|m| {
                let proto = &dex.protos.items()[m.proto.index()];
                let mut sig = dex.string(m.name).into_owned();
                sig.push('(');
                for &p in &proto.parameters {
                    sig.push_str(interner.names.get(types[p.index()]));
                }
                sig.push(')');
                sig.push_str(interner.names.get(types[proto.return_type.index()]));
                interner.intern(&sig)
            });
            method_sigs.push(sigs.collect());
            type_syms.push(types);
        }
        let mut program = Program {
            files: Vec::new(),
            classes: Vec::new(),
            methods: Vec::new(),
            names: interner.names,
            by_name: HashMap::new(),
            type_syms,
            elements,
            method_sigs,
            overriders: Vec::new(),
            named_outside: HashMap::new(),
        };
        for (n, file) in files.iter().enumerate() {
            program.add_classes(n, &file.dex);
        }
        program.files = files;
        program.link();
        program
    }

    fn add_classes(&mut self, file: usize, dex: &Dex) {
        for (def, class) in dex.classes.iter().enumerate() {
            let no = ClassNo(self.classes.len() as u32);
            let sym = |t: TypeIdx| self.type_syms[file][t.index()];
            let name = sym(class.ty);
            let text = self.names.get(name);
            let shadowed = PLATFORM.iter().any(|p| text.starts_with(p))
                && !NOT_PLATFORM.iter().any(|p| text.starts_with(p));
            let mut methods = Vec::new();
            for (position, m) in class.methods().enumerate() {
                let sig = self.method_sigs[file][m.method.index()];
                methods.push((sig, MethodNo(self.methods.len() as u32)));
                self.methods.push(ProgramMethod {
                    class: no,
                    sig,
                    position,
                    method: m.method,
                    access: m.access,
                    code: m.code,
                });
            }
            // The runtime finds the first of two equal methods.
            methods.sort_unstable();
            methods.dedup_by_key(|(sig, _)| *sig);
            let methods = methods.into();
            let superclass = class.superclass.map(sym);
            let interfaces = class.interfaces.iter().map(|&t| sym(t)).collect();
            let duplicate = self.by_name.contains_key(&name);
            self.by_name.entry(name).or_insert(no);
            self.classes.push(ProgramClass {
                name,
                dex: file,
                def,
                access: class.access,
                superclass,
                interfaces,
                methods,
                children: Vec::new(),
                shadowed,
                duplicate,
                place: HierarchyFacts::default(),
            });
        }
    }

    /// Returns the text of a name.
    pub fn text(&self, sym: Sym) -> &str {
        self.names.get(sym)
    }

    /// Returns the class with a number.
    pub fn class(&self, no: ClassNo) -> &ProgramClass {
        &self.classes[no.0 as usize]
    }

    /// Returns the method with a number.
    pub fn method(&self, no: MethodNo) -> &ProgramMethod {
        &self.methods[no.0 as usize]
    }

    /// Returns the class of this descriptor, if the app defines it.
    pub fn find_class(&self, descriptor: &str) -> Option<ClassNo> {
        // Such look-ups are rare (components of the manifest): a scan keeps the table small.
        self.classes
            .iter()
            .position(|c| !c.duplicate && self.text(c.name) == descriptor)
            .map(|i| ClassNo(i as u32))
    }

    /// Returns the class of the app that a type of a dex file refers to, if there is one.
    pub fn class_of(&self, file: usize, ty: TypeIdx) -> Option<ClassNo> {
        self.by_name.get(self.type_syms[file].get(ty.index())?).copied()
    }

    /// Returns true if a type of a dex file refers to a class of the app or an array of one.
    pub fn is_of_app(&self, file: usize, ty: TypeIdx) -> bool {
        let sym = self.type_syms[file].get(ty.index());
        let element = sym.map(|sym| self.elements.get(sym).unwrap_or(sym));
        element.is_some_and(|element| self.by_name.contains_key(element))
    }

    /// Returns the prototype of a method that a dex file refers to.
    pub fn proto(&self, file: usize, method: MethodIdx) -> Option<&dex::Proto> {
        let dex = &self.files[file].dex;
        dex.protos.items().get(dex.methods.items().get(method.index())?.proto.index())
    }

    /// Returns true if ART's verifier keeps the type of values where paths meet. For arrays of two
    /// classes that share an interface it falls back to an array of `Object`.
    pub fn joins_as_declared(&self, file: usize, ty: TypeIdx) -> bool {
        let Some(&sym) = self.type_syms[file].get(ty.index()) else { return true };
        let Some(element) = self.elements.get(&sym) else { return true };
        let is_class = |class: &ClassNo| {
            let class = self.class(*class);
            !class.shadowed && !class.access.contains(AccessFlags::INTERFACE)
        };
        !self.text(*element).starts_with('L')
            || matches!(self.text(*element), "Ljava/lang/Object;" | "Ljava/lang/String;")
            || self.by_name.get(element).is_some_and(is_class)
    }

    /// Returns the method's key, `Lpkg/Cls;->name(I)V`.
    pub fn method_key(&self, no: MethodNo) -> String {
        let m = self.method(no);
        format!("{}->{}", self.text(self.class(m.class).name), self.text(m.sig))
    }

    /// Returns the method of a class by name and descriptor.
    pub fn declared(&self, class: ClassNo, sig: &str) -> Option<MethodNo> {
        self.class(class).methods.iter().find(|(s, _)| self.text(*s) == sig).map(|(_, m)| *m)
    }

    /// Returns the descriptor of the superclass, and the class if the app defines it.
    pub fn superclass(&self, class: ClassNo) -> Option<(&str, Option<ClassNo>)> {
        let sym = self.class(class).superclass?;
        Some((self.text(sym), self.by_name.get(&sym).copied()))
    }

    /// Returns the interfaces that a class itself declares.
    pub fn interfaces(&self, class: ClassNo) -> impl Iterator<Item = (&str, Option<ClassNo>)> + '_ {
        self.class(class).interfaces.iter().map(|s| (self.text(*s), self.by_name.get(s).copied()))
    }

    /// Returns class and signature of a method reference in a dex file.
    pub fn reference(&self, file: usize, method: MethodIdx) -> (&str, &str) {
        let (class, sig) = self.reference_syms(file, method);
        (self.text(class), self.text(sig))
    }

    fn reference_syms(&self, file: usize, method: MethodIdx) -> (Sym, Sym) {
        let m = &self.files[file].dex.methods.items()[method.index()];
        (self.type_syms[file][m.class.index()], self.method_sigs[file][method.index()])
    }

    /// Returns class and signature of all references to methods of types outside the app.
    pub(crate) fn references_outside(&self) -> HashSet<(Sym, Sym)> {
        let files = self.files.iter().enumerate();
        let all = files.flat_map(|(file, DexFile { dex, .. })| {
            let references = dex.methods.items().iter().zip(&self.method_sigs[file]);
            references.map(move |(m, &sig)| (self.type_syms[file][m.class.index()], sig))
        });
        all.filter(|(class, _)| !self.by_name.contains_key(class)).collect()
    }

    /// Returns true for a static initialiser.
    pub fn is_initialiser(&self, no: MethodNo) -> bool {
        self.text(self.method(no).sig) == "<clinit>()V"
    }

    /// Returns true if code outside the app may call this method by name, so that an exception
    /// which leaves the method may end outside.
    pub fn called_from_outside(&self, no: MethodNo) -> bool {
        let m = self.method(no);
        let sig = self.text(m.sig);
        if CALLED_FROM_OUTSIDE.contains(&sig) {
            return true;
        }
        if m.access.intersects(AccessFlags::STATIC | AccessFlags::PRIVATE) || sig.starts_with('<') {
            return false;
        }
        let place = self.class(m.class).place;
        place.outside_above || place.outside_below
    }
}

#[cfg(test)]
mod tests;

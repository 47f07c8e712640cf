//! The whole app at a glance: every class of every dex file by name, who extends whom, and which
//! method a call can reach.
//!
//! Classes outside the app are unknown here, on purpose: the tool needs no platform jar. What
//! follows from that ignorance is always the cautious answer ("may be called from outside", "may
//! lead outside").

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use dex::{AccessFlags, Dex, MethodIdx, TypeIdx};

mod hierarchy;

use hierarchy::{MAX_GENERATIONS, Place};

/// A dex file of the app.
#[derive(Debug)]
pub struct DexFile {
    /// Entry name in the container (`classes2.dex`), or the file's own name.
    pub name: String,
    /// Its content.
    pub dex: Dex,
}

/// An interned name (a type descriptor, or a method's name with its descriptor).
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
pub struct Class {
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
    /// By name; of two methods alike the first.
    methods: Box<[(Sym, MethodNo)]>,
    /// App classes that name this one as superclass or interface.
    children: Vec<ClassNo>,
    /// A class of this name may exist in the platform too, and would win there.
    shadowed: bool,
    /// Another dex file before this one defines the class already; this one is never loaded.
    duplicate: bool,
    place: Place,
}

/// A method that a class of the app defines.
#[derive(Debug)]
pub struct Method {
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

/// What a call can reach inside the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Nothing known inside the app.
    Outside,
    /// Exactly this method, nothing else.
    One(MethodNo),
    /// Any of these (ascending), perhaps also code outside.
    Any(Arc<[MethodNo]>),
}

impl Reach {
    /// The methods of the app.
    pub fn methods(&self) -> impl Iterator<Item = MethodNo> + '_ {
        let (one, any): (Option<MethodNo>, &[MethodNo]) = match self {
            Reach::Outside => (None, &[]),
            Reach::One(m) => (Some(*m), &[]),
            Reach::Any(all) => (None, all),
        };
        one.into_iter().chain(any.iter().copied())
    }
}

/// How a call selects its method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dispatch {
    /// `invoke-static`, `invoke-direct`.
    Exact,
    /// `invoke-super`, from a class.
    Super,
    /// `invoke-virtual`.
    Virtual,
    /// `invoke-interface`.
    Interface,
}

/// All dex files of an app and their relations.
#[derive(Debug)]
pub struct Program {
    /// The files.
    pub files: Vec<DexFile>,
    /// The classes, file by file.
    pub classes: Vec<Class>,
    /// The methods, class by class.
    pub methods: Vec<Method>,
    names: Texts,
    by_name: HashMap<Sym, ClassNo>,
    type_syms: Vec<Vec<Sym>>,
    /// Of array types: the type that remains without any brackets.
    elements: HashMap<Sym, Sym>,
    method_sigs: Vec<Vec<Sym>>,
    /// Every method by signature and its class's number (`Place::subclasses`).
    overriders: Vec<(Sym, u32, MethodNo)>,
    /// Per type outside the app: the classes that name it as superclass or interface.
    named_outside: HashMap<Sym, Vec<ClassNo>>,
    reach: Mutex<HashMap<(ClassNo, Sym, Dispatch), Reach>>,
    started: HashSet<MethodNo>,
}

/// Platform packages whose classes an app may carry a copy of that never runs (or runs under
/// another name's rules): calls into them are not predicted.
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

/// App packages that begin like platform ones.
const NOT_PLATFORM: &[&str] =
    &["Landroid/support/", "Landroid/arch/", "Ljavax/inject/", "Lcom/android/volley/"];

/// Interfaces outside the app without methods that matter.
const MARKERS: &[&str] = &[
    "Ljava/io/Serializable;",
    "Ljava/lang/Cloneable;",
    "Ljava/util/RandomAccess;",
    "Ljava/lang/annotation/Annotation;",
];

/// Names (with descriptors) that code outside finds by itself.
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

/// Interfaces outside the app that exist to be called back through, so that a call slot pays.
fn slot_worthy(interface: &str) -> bool {
    matches!(
        interface,
        "Ljava/lang/Runnable;"
            | "Ljava/util/concurrent/Callable;"
            | "Ljava/util/Comparator;"
            | "Ljava/lang/Comparable;"
            | "Ljava/util/Iterator;"
            | "Ljava/lang/Iterable;"
    ) || interface.starts_with("Ljava/util/function/")
        || !(interface.starts_with("Ljava/"))
}

/// The texts of all names in one piece: most are short, and there are hundreds of thousands.
#[derive(Debug, Default)]
struct Texts {
    text: String,
    /// Where each ends.
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

impl Class {
    /// The class's own method of this name.
    fn method(&self, sig: Sym) -> Option<MethodNo> {
        let at = self.methods.binary_search_by_key(&sig, |(s, _)| *s).ok()?;
        Some(self.methods[at].1)
    }

    /// Whether an earlier dex file defines the class too, so that this one never loads.
    pub fn is_duplicate(&self) -> bool {
        self.duplicate
    }
}

impl Program {
    /// Takes the files in the order in which the runtime searches them.
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
            reach: Mutex::default(),
            started: HashSet::new(),
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
                self.methods.push(Method {
                    class: no,
                    sig,
                    position,
                    method: m.method,
                    access: m.access,
                    code: m.code,
                });
            }
            // Of two methods alike, the runtime finds the first.
            methods.sort_unstable();
            methods.dedup_by_key(|(sig, _)| *sig);
            let methods = methods.into();
            let superclass = class.superclass.map(sym);
            let interfaces = class.interfaces.iter().map(|&t| sym(t)).collect();
            let duplicate = self.by_name.contains_key(&name);
            self.by_name.entry(name).or_insert(no);
            self.classes.push(Class {
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
                place: Place::default(),
            });
        }
    }

    /// The text of a name.
    pub fn text(&self, sym: Sym) -> &str {
        self.names.get(sym)
    }

    /// The class.
    pub fn class(&self, no: ClassNo) -> &Class {
        &self.classes[no.0 as usize]
    }

    /// The method.
    pub fn method(&self, no: MethodNo) -> &Method {
        &self.methods[no.0 as usize]
    }

    /// The class of this descriptor, if the app defines it.
    pub fn find_class(&self, descriptor: &str) -> Option<ClassNo> {
        // Rarely asked (components of the manifest): a scan keeps the table small.
        self.classes
            .iter()
            .position(|c| !c.duplicate && self.text(c.name) == descriptor)
            .map(|i| ClassNo(i as u32))
    }

    /// The class that a type of a dex file is, if the app defines it.
    pub fn class_of(&self, file: usize, ty: TypeIdx) -> Option<ClassNo> {
        self.by_name.get(self.type_syms[file].get(ty.index())?).copied()
    }

    /// Whether the app defines the class that a type of a dex file is, or is an array of.
    pub fn is_of_app(&self, file: usize, ty: TypeIdx) -> bool {
        let sym = self.type_syms[file].get(ty.index());
        let element = sym.map(|sym| self.elements.get(sym).unwrap_or(sym));
        element.is_some_and(|element| self.by_name.contains_key(element))
    }

    /// `Lpkg/Cls;->name(I)V`.
    pub fn method_key(&self, no: MethodNo) -> String {
        let m = self.method(no);
        format!("{}->{}", self.text(self.class(m.class).name), self.text(m.sig))
    }

    /// The method of a class by name and descriptor.
    pub fn declared(&self, class: ClassNo, sig: &str) -> Option<MethodNo> {
        self.class(class).methods.iter().find(|(s, _)| self.text(*s) == sig).map(|(_, m)| *m)
    }

    /// The superclass: its descriptor, and the class if the app defines it.
    pub fn superclass(&self, class: ClassNo) -> Option<(&str, Option<ClassNo>)> {
        let sym = self.class(class).superclass?;
        Some((self.text(sym), self.by_name.get(&sym).copied()))
    }

    /// The interfaces a class names itself.
    pub fn interfaces(&self, class: ClassNo) -> impl Iterator<Item = (&str, Option<ClassNo>)> + '_ {
        self.class(class).interfaces.iter().map(|s| (self.text(*s), self.by_name.get(s).copied()))
    }

    /// What a reference to a method in a dex file names: class and signature.
    pub fn reference(&self, file: usize, method: MethodIdx) -> (&str, &str) {
        let m = &self.files[file].dex.methods.items()[method.index()];
        (
            self.text(self.type_syms[file][m.class.index()]),
            self.text(self.method_sigs[file][method.index()]),
        )
    }

    /// Notes methods that the platform calls although nothing in the code shows it: the
    /// constructors of components.
    pub fn add_called_from_outside(&mut self, methods: impl IntoIterator<Item = MethodNo>) {
        self.started.extend(methods);
    }

    /// Whether code outside the app may call this method by name, so that an exception which leaves
    /// it may end outside.
    pub fn called_from_outside(&self, no: MethodNo) -> bool {
        let m = self.method(no);
        let sig = self.text(m.sig);
        if CALLED_FROM_OUTSIDE.contains(&sig) || self.started.contains(&no) {
            return true;
        }
        if m.access.intersects(AccessFlags::STATIC | AccessFlags::PRIVATE) || sig.starts_with('<') {
            return false;
        }
        let place = self.class(m.class).place;
        place.outside_above || place.outside_below
    }

    /// Forgets what calls were found to reach; who asks again waits longer.
    pub(crate) fn forget_reach(&mut self) {
        self.reach = Mutex::default();
    }

    /// What a call in `file`, from a method of `caller`, can reach.
    pub fn reach(
        &self,
        file: usize,
        method: MethodIdx,
        dispatch: Dispatch,
        caller: ClassNo,
    ) -> Reach {
        let reference = &self.files[file].dex.methods.items()[method.index()];
        let sig = self.method_sigs[file][method.index()];
        let name = self.type_syms[file][reference.class.index()];
        let Some(&class) = self.by_name.get(&name) else {
            return self.reach_outside_type(name, sig, dispatch);
        };
        if self.class(class).shadowed {
            return Reach::Outside;
        }
        match dispatch {
            Dispatch::Exact => self.exact(class, sig),
            Dispatch::Super => self.super_call(class, sig, caller),
            Dispatch::Virtual | Dispatch::Interface => self.memoised(class, sig, dispatch),
        }
    }

    fn memoised(&self, class: ClassNo, sig: Sym, dispatch: Dispatch) -> Reach {
        if let Some(r) =
            self.reach.lock().expect("no panic while held").get(&(class, sig, dispatch))
        {
            return r.clone();
        }
        let r = self.polymorphic(class, sig, dispatch);
        self.reach.lock().expect("no panic while held").insert((class, sig, dispatch), r.clone());
        r
    }

    fn exact(&self, class: ClassNo, sig: Sym) -> Reach {
        match self.find(class, sig) {
            Found::Here(m)
                if self.method(m).code.is_some() && !self.class(self.method(m).class).shadowed =>
            {
                Reach::One(m)
            }
            _ => Reach::Outside,
        }
    }

    fn super_call(&self, class: ClassNo, sig: Sym, caller: ClassNo) -> Reach {
        // `invoke-super C.m` starts above the *caller's* class; for an interface C it means C's
        // default method.
        if self.class(class).access.contains(AccessFlags::INTERFACE) {
            return self.exact(class, sig);
        }
        match self.class(caller).superclass.and_then(|s| self.by_name.get(&s)) {
            Some(&parent) => self.exact(parent, sig),
            None => Reach::Outside,
        }
    }

    fn polymorphic(&self, class: ClassNo, sig: Sym, dispatch: Dispatch) -> Reach {
        let found = self.find(class, sig);
        if let Found::Here(m) = found {
            let access = self.method(m).access;
            let fixed = (access | self.class(class).access).contains(AccessFlags::FINAL)
                || access.contains(AccessFlags::PRIVATE);
            let inherited = !access.contains(AccessFlags::PRIVATE) || self.method(m).class == class;
            if fixed && inherited && dispatch == Dispatch::Virtual {
                return self.exact(class, sig);
            }
        }
        let mut all = Vec::new();
        let mut outside = !matches!(found, Found::Here(_));
        if let Found::Here(m) = found {
            all.push(m);
            // A private method of a class above is not inherited: ART looks past it, to an older
            // one or an interface's default.
            if self.method(m).access.contains(AccessFlags::PRIVATE) {
                let Some(above) = self.above(class) else { return Reach::Outside };
                all.extend(above.into_iter().filter_map(|c| self.class(c).method(sig)));
                outside = true;
            }
        }
        let deep = self.class(class).place.generations > MAX_GENERATIONS;
        if dispatch == Dispatch::Virtual
            && !self.class(class).access.contains(AccessFlags::INTERFACE)
        {
            let below = self.overriders_below(class, sig);
            if deep && !below.is_empty() {
                return Reach::Outside;
            }
            all.extend(below.iter().map(|o| o.2));
            return self.reach_of(all, outside, dispatch);
        }
        if deep {
            return Reach::Outside;
        }
        let mut work = self.class(class).children.clone();
        let mut seen = HashSet::new();
        while let Some(k) = work.pop() {
            if !seen.insert(k) {
                continue;
            }
            work.extend_from_slice(&self.class(k).children);
            if dispatch == Dispatch::Virtual {
                all.extend(self.class(k).method(sig));
            } else if !self.class(k).access.contains(AccessFlags::INTERFACE) {
                match self.find(k, sig) {
                    Found::Here(m) => all.push(m),
                    _ => outside = true,
                }
            }
        }
        self.reach_of(all, outside, dispatch)
    }

    fn reach_of(&self, mut all: Vec<MethodNo>, mut outside: bool, dispatch: Dispatch) -> Reach {
        all.retain(|&m| !self.method(m).access.contains(AccessFlags::ABSTRACT));
        outside |= all
            .iter()
            .any(|&m| self.method(m).code.is_none() || self.class(self.method(m).class).shadowed);
        all.retain(|&m| self.method(m).code.is_some());
        all.sort_unstable();
        all.dedup();
        match all[..] {
            [] => Reach::Outside,
            // An interface can also be implemented by a Proxy: the caller must notice.
            [one] if !outside && dispatch == Dispatch::Virtual => Reach::One(one),
            _ => Reach::Any(all.into()),
        }
    }

    /// The classes and interfaces of the app that a class has above it, unless they are far more
    /// than any class has.
    fn above(&self, class: ClassNo) -> Option<HashSet<ClassNo>> {
        const MOST: usize = 4096;
        let mut all = HashSet::new();
        let mut work = vec![class];
        while let Some(at) = work.pop() {
            let c = self.class(at);
            let parents =
                c.superclass.iter().chain(&c.interfaces).filter_map(|s| self.by_name.get(s));
            work.extend(parents.filter(|&&p| all.insert(p)));
            if all.len() > MOST {
                return None;
            }
        }
        Some(all)
    }

    /// A call through a type from outside: worth a slot when it is an interface that app classes
    /// implement.
    fn reach_outside_type(&self, name: Sym, sig: Sym, dispatch: Dispatch) -> Reach {
        if dispatch != Dispatch::Interface || !slot_worthy(self.text(name)) {
            return Reach::Outside;
        }
        let key = (ClassNo(u32::MAX - name.0), sig, dispatch);
        if let Some(r) = self.reach.lock().expect("no panic while held").get(&key) {
            return r.clone();
        }
        let mut all = Vec::new();
        let mut work = self.named_outside.get(&name).cloned().unwrap_or_default();
        let mut seen = HashSet::new();
        while let Some(k) = work.pop() {
            if !seen.insert(k) {
                continue;
            }
            let c = self.class(k);
            work.extend_from_slice(&c.children);
            if !c.access.contains(AccessFlags::INTERFACE)
                && let Found::Here(m) = self.find(k, sig)
            {
                all.push(m);
            }
        }
        all.retain(|&m| self.method(m).code.is_some());
        all.sort_unstable();
        all.dedup();
        let r = if all.is_empty() { Reach::Outside } else { Reach::Any(all.into()) };
        self.reach.lock().expect("no panic while held").insert(key, r.clone());
        r
    }

    /// Method lookup: up the superclasses, then through the interfaces.
    fn find(&self, class: ClassNo, sig: Sym) -> Found {
        let mut at = class;
        let mut leaves = false;
        for _ in 0..256 {
            let c = self.class(at);
            if let Some(m) = c.method(sig)
                && !self.method(m).access.contains(AccessFlags::ABSTRACT)
            {
                return if leaves { Found::Outside } else { Found::Here(m) };
            }
            match c.superclass {
                None => break,
                Some(s) => match self.by_name.get(&s) {
                    Some(&p) => at = p,
                    None => {
                        leaves = self.text(s) != "Ljava/lang/Object;";
                        break;
                    }
                },
            }
        }
        if leaves {
            return Found::Outside;
        }
        self.find_default(class, sig, 0)
    }

    fn find_default(&self, class: ClassNo, sig: Sym, depth: usize) -> Found {
        // Maximally specific selection is not modelled: several defaults make the answer "outside",
        // which only costs an announcement.
        let mut found = Vec::new();
        let mut outside = false;
        self.collect_defaults(class, sig, depth, &mut HashSet::new(), &mut found, &mut outside);
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [one] if !outside => Found::Here(one),
            [] if !outside => Found::Nowhere,
            _ => Found::Outside,
        }
    }

    fn collect_defaults(
        &self,
        class: ClassNo,
        sig: Sym,
        depth: usize,
        seen: &mut HashSet<ClassNo>,
        found: &mut Vec<MethodNo>,
        outside: &mut bool,
    ) {
        if !seen.insert(class) {
            return;
        }
        if depth > 64 {
            *outside = true;
            return;
        }
        let c = self.class(class);
        if c.access.contains(AccessFlags::INTERFACE)
            && let Some(m) = c.method(sig)
            && !self.method(m).access.contains(AccessFlags::ABSTRACT)
        {
            found.push(m);
            return;
        }
        for s in c.superclass.iter().chain(&c.interfaces) {
            match self.by_name.get(s) {
                Some(&p) => self.collect_defaults(p, sig, depth + 1, seen, found, outside),
                None => {
                    *outside |=
                        self.text(*s) != "Ljava/lang/Object;" && !MARKERS.contains(&self.text(*s))
                }
            }
        }
    }
}

/// Result of a method lookup.
enum Found {
    /// This method of the app.
    Here(MethodNo),
    /// The search left the app.
    Outside,
    /// No such method.
    Nowhere,
}

#[cfg(test)]
mod tests;

//! Positions of names in the new DEX files.

use std::collections::HashMap;

use dex::{Dex, DexString, MethodRef, Pool, Proto, TypeIdx};

use super::NewDex;
use super::names::{ClassName, Entry, MethodName};

/// A method of a new DEX file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MethodPlace {
    /// Position of the DEX file.
    pub file: usize,
    pub index: u16,
}

/// A class in a new DEX file.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClassPlace<'a> {
    /// Position of the DEX file.
    pub file: usize,
    pub class: &'a ClassName,
    /// Index of its type id.
    pub ty: Option<u16>,
    /// Position of its definition.
    pub definition: Option<u16>,
}

/// Sizes of the tables of a DEX file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TableSizes {
    pub types: u32,
    pub methods: u32,
}

/// The new DEX files, read when a name is looked up in them. The first ones are the rewritten files
/// in the order of the old.
pub(super) struct NewFiles<'a> {
    files: &'a [NewDex<'a>],
    read: Vec<Option<ReadFile>>,
}

struct ReadFile {
    dex: Dex,
    /// Positions of class definitions by type.
    definitions: HashMap<TypeIdx, u16>,
}

impl ReadFile {
    fn new(bytes: &[u8]) -> Option<ReadFile> {
        let mut dex = Dex::read_with(bytes, dex::ReadOptions::any_check_sum()).ok()?;
        index(&mut dex.strings);
        index(&mut dex.types);
        index(&mut dex.protos);
        index(&mut dex.methods);
        let definitions = dex.classes.iter().enumerate();
        let definitions = definitions.filter_map(|(at, c)| Some((c.ty, u16::try_from(at).ok()?)));
        let definitions = definitions.collect();
        Some(ReadFile { dex, definitions })
    }

    fn ty(&self, descriptor: &DexString) -> Option<TypeIdx> {
        self.dex.types.find(&self.dex.strings.find(descriptor)?)
    }

    fn definition(&self, class: &DexString) -> Option<u16> {
        self.definitions.get(&self.ty(class)?).copied()
    }

    fn method(&self, method: &MethodName) -> Option<u16> {
        let parameters = method.parameters.iter().map(|p| self.ty(p)).collect::<Option<_>>()?;
        let proto = Proto { return_type: self.ty(&method.return_type)?, parameters };
        let proto = self.dex.protos.find(&proto)?;
        let (class, name) = (self.ty(&method.class)?, self.dex.strings.find(&method.name)?);
        let index = self.dex.methods.find(&MethodRef { class, proto, name })?;
        u16::try_from(index.index()).ok()
    }
}

/// Fills the table that finds items of a pool.
fn index<I: From<usize> + Copy, T: Eq + std::hash::Hash + Clone>(pool: &mut Pool<I, T>) {
    if let Some(first) = pool.items().first().cloned() {
        pool.intern(first);
    }
}

impl<'a> NewFiles<'a> {
    /// The new DEX files; none is read yet.
    pub fn new(files: &'a [NewDex<'a>]) -> NewFiles<'a> {
        NewFiles { files, read: files.iter().map(|_| None).collect() }
    }

    /// Returns the package of a file.
    pub fn package(&self, file: usize) -> usize {
        self.files[file].package
    }

    fn read(&mut self, file: usize) -> Option<&ReadFile> {
        let read = &mut self.read[file];
        if read.is_none() {
            *read = ReadFile::new(&self.files[file].entry.bytes);
        }
        read.as_ref()
    }

    /// Returns the sizes of the tables of a file.
    pub fn sizes(&mut self, file: usize) -> Option<TableSizes> {
        let dex = &self.read(file)?.dex;
        Some(TableSizes { types: dex.types.len() as u32, methods: dex.methods.len() as u32 })
    }

    /// Returns the file that defines a class: the rewritten old one if it still does, then one of
    /// the same package, then any.
    fn defining(&mut self, package: usize, old: Entry, class: &DexString) -> Option<usize> {
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by_key(|&file| (file != old.position, self.files[file].package != package));
        order
            .into_iter()
            .find(|&file| self.read(file).is_some_and(|read| read.definition(class).is_some()))
    }

    /// Returns the position of a method: in the file that defines its class, or without one in the
    /// rewritten old file. A reference to a class of another file stays in its file.
    pub fn method(
        &mut self,
        package: usize,
        old: Entry,
        method: &MethodName,
    ) -> Option<MethodPlace> {
        if !old.defines
            && let Some(place) = self.method_in(old.position, method)
        {
            return Some(place);
        }
        let file = self.defining(package, old, &method.class).unwrap_or(old.position);
        self.method_in(file, method)
    }

    /// Returns the position of a method in a file.
    pub fn method_in(&mut self, file: usize, method: &MethodName) -> Option<MethodPlace> {
        let index = self.read(file)?.method(method)?;
        Some(MethodPlace { file, index })
    }

    /// Returns the position of a class, found as that of a method's class.
    pub fn class<'c>(
        &mut self,
        package: usize,
        old: Entry,
        class: &'c ClassName,
    ) -> Option<ClassPlace<'c>> {
        let stays = !old.defines && self.read(old.position)?.ty(&class.0).is_some();
        let file = match stays {
            true => old.position,
            false => self.defining(package, old, &class.0).unwrap_or(old.position),
        };
        let read = self.read(file)?;
        let ty = read.ty(&class.0).and_then(|ty| u16::try_from(ty.index()).ok());
        let definition = read.definition(&class.0);
        Some(ClassPlace { file, class, ty, definition })
    }

    /// Returns the content of a file.
    pub fn dex(&mut self, file: usize) -> Option<&Dex> {
        Some(&self.read(file)?.dex)
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apk::NewEntry;

    /// A DEX file that defines a class with a method, and refers to a method of another class.
    fn dex_file(name: &str, own: &str, other: &str) -> NewEntry {
        let text = format!(
            "\
.class public {own}
.super Ljava/lang/Object;
.method public static run()V
.code registers=0 ins=0 outs=0
    invoke-static {{}}, {other}->run()V
    return-void
.end method
"
        );
        let mut dex = Dex::new(dex::Version(35));
        dex::text::parse_classes(&text, &mut dex).expect("parses");
        NewEntry { name: name.into(), bytes: dex.write().expect("writes") }
    }

    const FIRST: Entry = Entry { position: 0, defines: true };

    fn text(s: &str) -> DexString {
        DexString(s.as_bytes().into())
    }

    fn run_of(class: &str) -> MethodName {
        let (name, return_type) = (text("run"), text("V"));
        MethodName { class: text(class), name, return_type, parameters: Vec::new() }
    }

    #[test]
    fn a_method_is_found_where_its_class_is_defined_now() {
        let entries = [
            dex_file("classes.dex", "La/A;", "La/B;"),
            dex_file("classes2.dex", "La/C;", "La/A;"),
            dex_file("classes3.dex", "La/B;", "La/A;"),
        ];
        let new: Vec<_> = entries.iter().map(|entry| NewDex { package: 0, entry }).collect();
        let mut files = NewFiles::new(&new);
        let mut file = |class, old| {
            files.method(0, Entry { position: old, defines: true }, &run_of(class)).map(|p| p.file)
        };
        assert_eq!(file("La/A;", 0), Some(0));
        // It moved from the first file to the third.
        assert_eq!(file("La/B;", 0), Some(2));
        // No file defines it, and the first has no reference to it.
        assert_eq!(file("La/Gone;", 0), None);
        let class = ClassName(text("La/B;"));
        let place = files.class(0, FIRST, &class).expect("is there");
        assert_eq!((place.file, place.definition), (2, Some(0)));
    }

    /// Builders of profiles list a method in each DEX file that refers to it.
    #[test]
    fn a_reference_stays_in_its_file() {
        let entries =
            [dex_file("classes.dex", "La/A;", "La/B;"), dex_file("classes2.dex", "La/B;", "La/A;")];
        let new: Vec<_> = entries.iter().map(|entry| NewDex { package: 0, entry }).collect();
        let mut files = NewFiles::new(&new);
        let reference = Entry { position: 0, defines: false };
        let place = files.method(0, reference, &run_of("La/B;")).expect("is there");
        assert_eq!(place.file, 0);
    }

    #[test]
    fn of_two_definitions_that_of_the_own_package_counts() {
        let entries = [
            dex_file("classes.dex", "La/A;", "La/B;"),
            dex_file("classes.dex", "La/B;", "La/A;"),
            dex_file("classes2.dex", "La/B;", "La/C;"),
        ];
        let packages = [0, 1, 0];
        let new: Vec<_> = packages
            .into_iter()
            .zip(&entries)
            .map(|(package, entry)| NewDex { package, entry })
            .collect();
        let mut files = NewFiles::new(&new);
        let place = files.method(0, FIRST, &run_of("La/B;")).expect("is there");
        assert_eq!(place.file, 2);
    }
}

//! Source names of everything in a minified app, so that hashes of its code equal those of the app
//! before minification.

use model::mapping::{Mapping, MethodMapping};
use rayon::prelude::*;

use dex::{FieldIdx, MethodIdx, TypeIdx};

use crate::analysis::program::{MethodNo, Program};

/// Mapped names of everything that the app's dex files refer to; empty without a mapping.
#[derive(Debug, Default)]
pub struct SourceNames<'m> {
    mapping: Option<&'m Mapping>,
    files: Vec<FileNames>,
}

/// Names by index in one file; `None` if the app's name is the source name.
#[derive(Debug)]
struct FileNames {
    types: Vec<Option<Box<str>>>,
    methods: Vec<Option<Box<str>>>,
    fields: Vec<Option<Box<str>>>,
}

impl<'m> SourceNames<'m> {
    /// Looks up all names.
    pub fn new(program: &Program, mapping: Option<&'m Mapping>) -> SourceNames<'m> {
        let Some(mapping) = mapping else { return SourceNames::default() };
        let files = (0..program.files.len()).map(|file| FileNames::new(program, file, mapping));
        SourceNames { files: files.collect(), mapping: Some(mapping) }
    }

    /// Returns the mapping's entry for a method of the app.
    pub fn mapped(&self, program: &Program, no: MethodNo) -> Option<MethodMapping<'m>> {
        let method = program.method(no);
        let sig = program.text(method.sig);
        let (name, descriptor) = sig.split_at(sig.find('(')?);
        self.mapping?.method(program.text(program.class(method.class).name), name, descriptor)
    }

    /// Returns the descriptor of a type.
    pub fn ty(&self, file: usize, ty: TypeIdx) -> Option<&str> {
        self.files.get(file)?.types[ty.index()].as_deref()
    }

    /// Returns name and descriptor of a method.
    pub fn method(&self, file: usize, method: MethodIdx) -> Option<&str> {
        self.files.get(file)?.methods[method.index()].as_deref()
    }

    /// Returns the name of a field.
    pub fn field(&self, file: usize, field: FieldIdx) -> Option<&str> {
        self.files.get(file)?.fields[field.index()].as_deref()
    }
}

impl FileNames {
    fn new(program: &Program, file: usize, mapping: &Mapping) -> FileNames {
        let dex = &program.files[file].dex;
        let type_name = |ty: TypeIdx| dex.type_name(ty);
        let other = |source: String, in_app: &str| (source != in_app).then(|| source.into());
        let types = (0..dex.types.len()).into_par_iter().map(|i| {
            let name = type_name(TypeIdx(i as u32));
            other(mapping.type_descriptor(&name), &name)
        });
        let methods = (0..dex.methods.len()).into_par_iter().map(|i| {
            let method = MethodIdx(i as u32);
            let (_, sig) = program.reference(file, method);
            let (name, descriptor) = sig.split_at(sig.find('(').unwrap_or(sig.len()));
            let class = dex.methods.items()[i].class;
            let known = named(program, file, class, |class| {
                let source = mapping.method(class, name, descriptor)?.source();
                Some(format!("{}{}", source.name, source.descriptor))
            });
            other(
                known.unwrap_or_else(|| name.to_owned() + &mapping.method_descriptor(descriptor)),
                sig,
            )
        });
        let fields = (0..dex.fields.len()).into_par_iter().map(|i| {
            let field = &dex.fields.items()[i];
            let name = String::from_utf8_lossy(&dex.strings.items()[field.name.index()].0);
            let known = named(program, file, field.class, |class| {
                mapping.field_name(class, &name).map(str::to_owned)
            });
            other(known?, &name)
        });
        FileNames { types: types.collect(), methods: methods.collect(), fields: fields.collect() }
    }
}

/// Looks up a member in a class, or in the nearest of its superclasses that declares it: references
/// may name a class that inherits the member.
fn named<T>(
    program: &Program,
    file: usize,
    class: TypeIdx,
    of: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    /// Length limit of a chain of superclasses; no real app has longer ones.
    const DEPTH: usize = 64;
    let mut class = program.class_of(file, class)?;
    for _ in 0..DEPTH {
        if let Some(found) = of(program.text(program.class(class).name)) {
            return Some(found);
        }
        class = program.superclass(class)?.1?;
    }
    None
}

#[cfg(test)]
mod tests {
    use dex::{Dex, Version};
    use model::recording::Recording;

    use super::*;
    use crate::analysis::by_convention::Outside;
    use crate::analysis::program::{CallTargets, DexFile};
    use crate::plan::selection::select;

    const SOURCE: &str = "\
.class public Lorg/Base;
.super Ljava/lang/Object;
.field count:I
.method draw(Lorg/Base;)V
.code registers=2 ins=2
    return-void
.end method
.class public Lorg/View;
.super Lorg/Base;
.method run([Lorg/View;)V
.code registers=4 ins=2 outs=2
    iget v0, v2, Lorg/View;->count:I
    if-lez v0, :out
    new-instance v1, Lorg/Base;
    invoke-virtual {v2, v1}, Lorg/View;->draw(Lorg/Base;)V
:out
    return-void
.end method
";
    /// Minified code of `View.run` and its references. References to members name the class that
    /// inherits them.
    const SHRUNK: [(&str, &str); 5] = [
        ("Lorg/Base;", "La/a;"),
        ("Lorg/View;", "La/b;"),
        ("count", "c"),
        ("draw(", "a("),
        ("run(", "b("),
    ];
    const MAPPING: &str = "\
org.Base -> a.a:
    int count -> c
    java.lang.String other -> d
    void draw(org.Base) -> a
org.View -> a.b:
    void run(org.View[]) -> b
";

    /// Returns the fingerprints of all methods and their branches, sorted.
    fn fingerprints(text: &str, mapping: Option<&str>) -> Vec<u64> {
        let mut dex = Dex::new(Version(35));
        dex::text::parse_classes(text, &mut dex).expect("parses");
        let dex = Dex::read(&dex.write().expect("writes")).expect("reads");
        let program = Program::new(vec![DexFile { name: "classes.dex".into(), dex }]);
        let mapping = mapping.map(|text| Mapping::parse(text).expect("a mapping"));
        let names = SourceNames::new(&program, mapping.as_ref());
        let (all, none) = (|_: &str| None, Default::default());
        let texts = Default::default();
        let outside = Outside::FirstRelease(&texts);
        let selection = select(
            &CallTargets::of(&program),
            &names,
            Recording::ARITH.into(),
            &all,
            &none,
            outside,
        );
        let of = selection.subjects.map(|_, s| {
            let branches = s.branches.iter().map(|b| b.fingerprint);
            branches.chain([s.fingerprint]).collect::<Vec<u64>>()
        });
        let mut out: Vec<u64> = of.iter().flatten().copied().collect();
        out.sort_unstable();
        out
    }

    #[test]
    fn minified_code_has_the_fingerprints_of_its_source() {
        let shrunk =
            SHRUNK.iter().fold(SOURCE.to_owned(), |text, (from, to)| text.replace(from, to));
        let source = fingerprints(SOURCE, None);
        assert_eq!(source.len(), 3, "two methods, one branch");
        assert_eq!(fingerprints(&shrunk, Some(MAPPING)), source);
        let others = fingerprints(&shrunk, None);
        assert!(source.iter().filter(|f| others.contains(f)).count() == 1, "but `return-void`");
        for line in ["    int count -> c\n", "    void draw(org.Base) -> a\n", "org.View -> a.b:\n"]
        {
            let less = MAPPING.replace(line, "");
            assert_ne!(fingerprints(&shrunk, Some(&less)), source, "without {line:?}");
        }
    }
}

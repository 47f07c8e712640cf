//! Methods that libraries and the platform call by reflection because of their names: constructors
//! without parameters, `newInstance`, the accessors of beans, constructors of views
//! (`LayoutInflater` passes a `Context`), and methods that layouts name as `android:onClick`. If an
//! exception leaves such a method, the library may swallow it, so each gets a guard in a first
//! release; later releases learn from their model which methods were called so.
//!
//! Only classes count that the app names where a library can read the name: in a string of the code
//! or of a text beside it (`Class.forName`, factories, services), or in an operand of `const-class`
//! outside the class itself (mappers of JSON and XML). The types of a bean's properties and fields
//! are beans as well, including the types in their generic signatures.

use std::collections::{HashMap, HashSet};

use dex::{AccessFlags, Dex, EncodedValue};

use super::program::{ClassNo, MethodNo, Program};
use crate::options::NamesInTexts;

/// Evidence of methods that code outside the app enters.
#[derive(Clone, Copy)]
pub enum Outside<'a> {
    /// A model's observation: returns true if it saw such code enter a method.
    Observed(&'a (dyn Fn(MethodNo) -> bool + Sync)),
    /// No observations: methods that libraries call by convention count. With names from texts
    /// beside the code.
    FirstRelease(&'a NamesInTexts),
}

/// Longest string, in bytes, that may be a class name.
const MAX_NAME: usize = 400;

/// Returns methods of the classes that `const-class` names and of those that strings name.
///
/// `texts` contains names from the app's resources.
pub fn reached(
    program: &Program,
    texts: &NamesInTexts,
    named: impl IntoIterator<Item = ClassNo>,
) -> HashSet<MethodNo> {
    let classes = classes(program);
    let beans = with_properties(program, &classes, named);
    let strings = program.files.iter().flat_map(|file| file.dex.strings.items());
    let strings = strings.filter_map(|s| std::str::from_utf8(&s.0).ok());
    let by_string = strings.chain(texts.classes.iter().map(String::as_str)).filter_map(|name| {
        let descriptor = is_class_name(name).then(|| format!("L{};", name.replace('.', "/")))?;
        classes.get(&*descriptor).copied()
    });
    let by_string: HashSet<ClassNo> = by_string.collect();
    let handlers: HashSet<&str> = texts.handlers.iter().map(String::as_str).collect();
    let is_reached = |no: &MethodNo| {
        let method = program.method(*no);
        let (bean, named) = (beans.contains(&method.class), by_string.contains(&method.class));
        let sig = program.text(method.sig);
        let factory = sig == "<init>()V"
            || sig.starts_with("newInstance(")
            || sig.starts_with("<init>(Landroid/content/Context;");
        let handler = sig.strip_suffix("(Landroid/view/View;)V");
        let accessor = !method.access.contains(AccessFlags::STATIC) && is_accessor(sig);
        method.access.contains(AccessFlags::PUBLIC)
            && (factory && (bean || named)
                || accessor && bean
                || handler.is_some_and(|name| handlers.contains(name)))
    };
    (0..program.methods.len() as u32).map(MethodNo).filter(is_reached).collect()
}

/// Returns the app's classes by descriptor.
fn classes(program: &Program) -> HashMap<&str, ClassNo> {
    let all = (0..program.classes.len() as u32).map(ClassNo);
    let all = all.filter(|&class| !program.class(class).is_duplicate());
    all.map(|class| (program.text(program.class(class).name), class)).collect()
}

/// Returns true if a text has the form `package.Class`.
fn is_class_name(text: &str) -> bool {
    let part = |c: char| c == '.' || c == '_' || c == '$' || c.is_alphanumeric();
    text.len() <= MAX_NAME && text.contains('.') && text.chars().all(part)
}

/// Returns true if a name with its descriptor is that of a property's accessor.
fn is_accessor(sig: &str) -> bool {
    let Some((name, descriptor)) = sig.split_once('(') else { return false };
    let Some((parameters, result)) = descriptor.split_once(')') else { return false };
    let property = |prefix: &str| {
        let rest = name.strip_prefix(prefix).and_then(|rest| rest.chars().next());
        rest.is_some_and(|c| !c.is_lowercase())
    };
    match parameters {
        "" => property("get") && result != "V" || property("is") && result == "Z",
        one => property("set") && is_one_type(one),
    }
}

fn is_one_type(descriptors: &str) -> bool {
    let element = descriptors.trim_start_matches('[');
    element.len() == 1 || element.starts_with('L') && element.find(';') == Some(element.len() - 1)
}

/// Returns these classes and, transitively, the app's classes among the types of their properties.
fn with_properties(
    program: &Program,
    classes: &HashMap<&str, ClassNo>,
    named: impl IntoIterator<Item = ClassNo>,
) -> HashSet<ClassNo> {
    let mut beans: HashSet<ClassNo> = HashSet::new();
    let mut work: Vec<ClassNo> = named.into_iter().collect();
    while let Some(class) = work.pop() {
        if !beans.insert(class) {
            continue;
        }
        work.extend(program.superclass(class).and_then(|(_, superclass)| superclass));
        visit_property_types(program, class, &mut |descriptors| {
            let names = descriptors.split(';').filter_map(|d| d.find('L').map(|at| &d[at..]));
            // Generic arguments follow their class: `Ljava/util/List<`.
            let names = names.map(|name| name.rsplit('<').next().unwrap_or(name));
            work.extend(names.filter_map(|name| classes.get(&*format!("{name};")).copied()));
        });
    }
    beans
}

/// Calls `visit` with each text of descriptors among a class's accessors, fields and signatures.
fn visit_property_types(program: &Program, class: ClassNo, visit: &mut dyn FnMut(&str)) {
    let (file, def) = (program.class(class).dex, program.class(class).def);
    let dex = &program.files[file].dex;
    let def = &dex.classes[def];
    for method in &def.virtual_methods {
        let (_, sig) = program.reference(file, method.method);
        if is_accessor(sig) {
            visit(sig.split_once('(').map_or("", |(_, descriptor)| descriptor));
        }
    }
    for field in &def.instance_fields {
        let Some(field) = dex.fields.items().get(field.field.index()) else { continue };
        visit(&dex.type_name(field.ty));
    }
    let Some(annotations) = &def.annotations else { return };
    let annotations = annotations.values();
    let sets = annotations.fields.iter().map(|(_, set)| set);
    for annotation in sets.chain(annotations.methods.iter().map(|(_, set)| set)).flatten() {
        if let Some(signature) = signature(dex, &annotation.annotation) {
            visit(&signature);
        }
    }
}

/// Returns the text of a `dalvik.annotation.Signature`, whose value is an array of strings that are
/// split where types begin and end.
fn signature(dex: &Dex, annotation: &dex::EncodedAnnotation) -> Option<String> {
    if dex.type_name(annotation.ty) != "Ldalvik/annotation/Signature;" {
        return None;
    }
    let (_, EncodedValue::Array(parts)) = annotation.elements.first()? else { return None };
    let text = |part: &EncodedValue| match part {
        EncodedValue::String(s) => Some(dex.string(*s).into_owned()),
        _ => None,
    };
    parts.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accessors_are_named_like_properties() {
        for sig in ["getName()Ljava/lang/String;", "isBig()Z", "setTags([Lp/T;)V", "get$()I"] {
            assert!(is_accessor(sig), "{sig}");
        }
        for sig in ["get()I", "getaway()I", "getName(I)I", "isBig()I", "getIt()V", "setTwo(II)V"] {
            assert!(!is_accessor(sig), "{sig}");
        }
    }

    #[test]
    fn class_names_have_a_package_and_no_spaces() {
        assert!(is_class_name("p.q.Named$Inner"));
        for text in ["Named", "p.q, r", "http://p.q", &"p.".repeat(300)] {
            assert!(!is_class_name(text), "{text}");
        }
    }
}

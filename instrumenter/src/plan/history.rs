//! The model's history of a method, and the method's name in the model.

use model::profile::BranchHistory;

use crate::analysis::program::{MethodNo, Program};
use crate::options::Options;
use crate::plan::by_block::ByBlock;

/// The model's history of one method's branches.
pub(crate) type Known<'p> = ByBlock<Option<BranchHistory<'p>>>;

/// Returns the method's identity for the model: its name in the sources.
pub(crate) fn source_key(program: &Program, no: MethodNo, options: &Options) -> String {
    let (class, name, descriptor) = source_names(program, no, options);
    format!("{class}->{name}{descriptor}")
}

/// Returns class, name and descriptor in the sources.
pub(crate) fn source_names(
    program: &Program,
    no: MethodNo,
    options: &Options,
) -> (String, String, String) {
    let method = program.method(no);
    let class = program.text(program.class(method.class).name);
    let sig = program.text(method.sig);
    let (name, descriptor) = sig.split_at(sig.find('(').unwrap_or(0));
    match &options.mapping {
        None => (class.into(), name.into(), descriptor.into()),
        Some(m) => {
            let key = m.method_key(class, name, descriptor);
            let split = key.split_once("->").and_then(|(c, rest)| Some((c, rest, rest.find('(')?)));
            match split {
                Some((c, rest, at)) => (c.into(), rest[..at].into(), rest[at..].into()),
                None => (class.into(), name.into(), descriptor.into()),
            }
        }
    }
}

/// Returns the name of a call site's method in the sources.
pub(crate) fn slot_key(key: &str, options: &Options) -> String {
    let parts = key.split_once("->").and_then(|(class, rest)| Some((class, rest, rest.find('(')?)));
    match (&options.mapping, parts) {
        (Some(m), Some((class, rest, at))) => m.method_key(class, &rest[..at], &rest[at..]),
        _ => key.to_owned(),
    }
}

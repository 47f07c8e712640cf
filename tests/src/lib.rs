//! Shared helpers of the cross-crate tests.

use dex::EncodedMethod;
use dex::{AccessFlags, ClassDef, Dex};

pub mod cells;
pub mod sim;
pub mod zip;

/// Adds a public class without fields that extends `Object`.
pub fn add_class(dex: &mut Dex, name: &str, direct_methods: Vec<EncodedMethod>) {
    let ty = dex.intern_type(name);
    let superclass = Some(dex.intern_type("Ljava/lang/Object;"));
    dex.classes.push(ClassDef {
        superclass,
        direct_methods,
        ..ClassDef::new(ty, AccessFlags::PUBLIC)
    });
}

//! Shared helpers of the cross-crate tests.

use dex::file::EncodedMethod;
use dex::{ClassDef, Dex};

pub mod sim;

/// Adds a public class without fields that extends `Object`.
pub fn add_class(dex: &mut Dex, name: &str, direct_methods: Vec<EncodedMethod>) {
    let ty = dex.intern_type(name);
    let superclass = Some(dex.intern_type("Ljava/lang/Object;"));
    dex.classes.push(ClassDef {
        ty,
        access: 1,
        superclass,
        interfaces: Vec::new(),
        source_file: None,
        annotations: None,
        static_values: Vec::new(),
        static_fields: Vec::new(),
        instance_fields: Vec::new(),
        direct_methods,
        virtual_methods: Vec::new(),
    });
}

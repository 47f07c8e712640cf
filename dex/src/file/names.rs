//! Looking things up in a [`Dex`] by index and by name, and adding what is missing.

use std::borrow::Cow;

use crate::file::mutf8;
use crate::file::{Dex, DexString, FieldRef, MethodRef, Proto};
use crate::ids::*;

/// The lookups are for display and matching; an index outside its pool gives `"?"`.
impl Dex {
    /// The text of a string. Lone surrogates, which text cannot hold, become U+FFFD; the exact
    /// bytes are in [`Dex::strings`].
    pub fn string(&self, i: StringIdx) -> Cow<'_, str> {
        self.strings
            .items()
            .get(i.index())
            .map_or(Cow::Borrowed("?"), |s| mutf8::decode_lossy(&s.0))
    }

    /// The descriptor of a type, such as `Ljava/lang/Object;` or `[I`.
    pub fn type_name(&self, i: TypeIdx) -> Cow<'_, str> {
        self.types.items().get(i.index()).map_or(Cow::Borrowed("?"), |&s| self.string(s))
    }

    /// A prototype in descriptor form, such as `(I[J)V`.
    pub fn proto_name(&self, i: ProtoIdx) -> String {
        let Some(proto) = self.protos.items().get(i.index()) else { return "?".into() };
        let mut name = String::from("(");
        for &parameter in &proto.parameters {
            name += &self.type_name(parameter);
        }
        name + ")" + &self.type_name(proto.return_type)
    }

    /// A method as smali writes it: `Lcls;->name(sig)ret`.
    pub fn method_name(&self, i: MethodIdx) -> String {
        let Some(m) = self.methods.items().get(i.index()) else { return "?".into() };
        format!("{}->{}{}", self.type_name(m.class), self.string(m.name), self.proto_name(m.proto))
    }

    /// A field as smali writes it: `Lcls;->name:type`.
    pub fn field_name(&self, i: FieldIdx) -> String {
        let Some(f) = self.fields.items().get(i.index()) else { return "?".into() };
        format!("{}->{}:{}", self.type_name(f.class), self.string(f.name), self.type_name(f.ty))
    }

    /// The string with this text, added if the pool lacks it.
    pub fn intern_str(&mut self, text: &str) -> StringIdx {
        self.strings.intern(DexString(mutf8::encode(text).into()))
    }

    /// The type with this descriptor, added if the pool lacks it.
    pub fn intern_type(&mut self, descriptor: &str) -> TypeIdx {
        let string = self.intern_str(descriptor);
        self.types.intern(string)
    }

    /// The prototype with these descriptors, added if the pool lacks it.
    pub fn intern_proto(&mut self, return_type: &str, parameters: &[&str]) -> ProtoIdx {
        let return_type = self.intern_type(return_type);
        let parameters = parameters.iter().map(|p| self.intern_type(p)).collect();
        self.protos.intern(Proto { return_type, parameters })
    }

    /// The method reference with these descriptors, added if the pool lacks it.
    pub fn intern_method(
        &mut self,
        class: &str,
        name: &str,
        return_type: &str,
        parameters: &[&str],
    ) -> MethodIdx {
        let class = self.intern_type(class);
        let name = self.intern_str(name);
        let proto = self.intern_proto(return_type, parameters);
        self.methods.intern(MethodRef { class, proto, name })
    }

    /// The field reference with these descriptors, added if the pool lacks it.
    pub fn intern_field(&mut self, class: &str, name: &str, ty: &str) -> FieldIdx {
        let class = self.intern_type(class);
        let name = self.intern_str(name);
        let ty = self.intern_type(ty);
        self.fields.intern(FieldRef { class, ty, name })
    }

    /// Number of method references; a file holds at most 65,536.
    pub fn method_count(&self) -> usize {
        self.methods.len()
    }

    /// Number of field references; a file holds at most 65,536.
    pub fn field_count(&self) -> usize {
        self.fields.len()
    }

    /// Number of types; a file holds at most 65,536.
    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// Number of prototypes; a file holds at most 65,536.
    pub fn proto_count(&self) -> usize {
        self.protos.len()
    }
}

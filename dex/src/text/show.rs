//! Pool items as text: names where the pools have them, positions where not.

use crate::code::insn::Ref;
use crate::file::mutf8;
use crate::file::{Dex, EncodedAnnotation, EncodedValue, HandleTarget};
use crate::ids::*;

use super::cursor::is_plain;

/// The names of method handle kinds 0…8, as smali has them.
pub(super) const HANDLE_KINDS: [&str; 9] = [
    "static-put",
    "static-get",
    "instance-put",
    "instance-get",
    "invoke-static",
    "invoke-instance",
    "invoke-constructor",
    "invoke-direct",
    "invoke-interface",
];

/// Writes pool items by name, or by position where there are no pools or no such item.
#[derive(Debug, Clone, Copy)]
pub(super) struct PoolNames<'a>(pub Option<&'a Dex>);

impl PoolNames<'_> {
    pub(super) fn string(self, i: StringIdx) -> String {
        self.dex_string(i).map_or_else(|| format!("string@{}", i.0), quoted)
    }

    pub(super) fn ty(self, i: TypeIdx) -> String {
        self.try_ty(i).unwrap_or_else(|| format!("type@{}", i.0))
    }

    pub(super) fn field(self, i: FieldIdx) -> String {
        self.try_field(i).unwrap_or_else(|| format!("field@{}", i.0))
    }

    pub(super) fn method(self, i: MethodIdx) -> String {
        self.try_method(i).unwrap_or_else(|| format!("method@{}", i.0))
    }

    pub(super) fn proto(self, i: ProtoIdx) -> String {
        self.try_proto(i).unwrap_or_else(|| format!("proto@{}", i.0))
    }

    pub(super) fn call_site(self, i: CallSiteIdx) -> String {
        let site = self.0.and_then(|dex| dex.call_sites.items().get(i.index()));
        site.map_or_else(
            || format!("call_site@{}", i.0),
            |values| format!("call-site({})", self.values(values)),
        )
    }

    pub(super) fn method_handle(self, i: MethodHandleIdx) -> String {
        self.try_method_handle(i).unwrap_or_else(|| format!("method_handle@{}", i.0))
    }

    pub(super) fn reference(self, r: Ref) -> String {
        match r {
            Ref::String(i) => self.string(i),
            Ref::Type(i) => self.ty(i),
            Ref::Field(i) => self.field(i),
            Ref::Method(i) => self.method(i),
            Ref::Proto(i) => self.proto(i),
            Ref::CallSite(i) => self.call_site(i),
            Ref::MethodHandle(i) => self.method_handle(i),
        }
    }

    /// The name part of a member, for where its class is known: `run(I)V`.
    pub(super) fn member_method(self, i: MethodIdx) -> Option<String> {
        let m = self.0?.methods.items().get(i.index())?;
        Some(format!("{}{}", self.name(m.name)?, self.try_proto(m.proto)?))
    }

    /// The name part of a member, for where its class is known: `x:I`.
    pub(super) fn member_field(self, i: FieldIdx) -> Option<String> {
        let f = self.0?.fields.items().get(i.index())?;
        Some(format!("{}:{}", self.name(f.name)?, self.try_ty(f.ty)?))
    }

    fn dex_string(&self, i: StringIdx) -> Option<&[u8]> {
        Some(&self.0?.strings.items().get(i.index())?.0)
    }

    fn try_ty(self, i: TypeIdx) -> Option<String> {
        let string = *self.0?.types.items().get(i.index())?;
        let bytes = self.dex_string(string)?;
        let plain = std::str::from_utf8(bytes).ok().filter(|text| is_descriptor(text));
        Some(plain.map_or_else(|| quoted(bytes), str::to_owned))
    }

    fn name(self, i: StringIdx) -> Option<String> {
        let bytes = self.dex_string(i)?;
        let plain = std::str::from_utf8(bytes).ok().filter(|text| is_name(text));
        Some(plain.map_or_else(|| quoted(bytes), str::to_owned))
    }

    fn try_field(self, i: FieldIdx) -> Option<String> {
        let f = self.0?.fields.items().get(i.index())?;
        Some(format!("{}->{}", self.try_ty(f.class)?, self.member_field(i)?))
    }

    fn try_method(self, i: MethodIdx) -> Option<String> {
        let m = self.0?.methods.items().get(i.index())?;
        Some(format!("{}->{}", self.try_ty(m.class)?, self.member_method(i)?))
    }

    fn try_proto(self, i: ProtoIdx) -> Option<String> {
        let proto = self.0?.protos.items().get(i.index())?;
        let parameters =
            proto.parameters.iter().map(|&ty| self.try_ty(ty)).collect::<Option<String>>()?;
        Some(format!("({parameters}){}", self.try_ty(proto.return_type)?))
    }

    fn try_method_handle(self, i: MethodHandleIdx) -> Option<String> {
        let handle = self.0?.method_handles.items().get(i.index())?;
        let kind = HANDLE_KINDS.get(usize::from(handle.kind))?;
        let target = match handle.target {
            HandleTarget::Field(i) => self.try_field(i)?,
            HandleTarget::Method(i) => self.try_method(i)?,
        };
        Some(format!("{kind} {target}"))
    }

    fn values(self, values: &[EncodedValue]) -> String {
        values.iter().map(|value| self.value(value)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn value(self, value: &EncodedValue) -> String {
        match value {
            EncodedValue::Byte(v) => format!("byte {v}"),
            EncodedValue::Short(v) => format!("short {v}"),
            EncodedValue::Char(v) => format!("char {v}"),
            EncodedValue::Int(v) => format!("int {v}"),
            EncodedValue::Long(v) => format!("long {v}"),
            EncodedValue::Float(bits) => match f32::from_bits(*bits) {
                v if v.is_finite() => format!("float {v:?}"),
                _ => format!("float {bits:#x}"),
            },
            EncodedValue::Double(bits) => match f64::from_bits(*bits) {
                v if v.is_finite() => format!("double {v:?}"),
                _ => format!("double {bits:#x}"),
            },
            EncodedValue::MethodType(i) => format!("proto {}", self.proto(*i)),
            EncodedValue::MethodHandle(i) => format!("handle {}", self.method_handle(*i)),
            EncodedValue::String(i) => self.string(*i),
            EncodedValue::Type(i) => format!("type {}", self.ty(*i)),
            EncodedValue::Field(i) => format!("field {}", self.field(*i)),
            EncodedValue::Method(i) => format!("method {}", self.method(*i)),
            EncodedValue::Enum(i) => format!("enum {}", self.field(*i)),
            EncodedValue::Array(values) => format!("{{{}}}", self.values(values)),
            EncodedValue::Annotation(a) => self.annotation(a),
            EncodedValue::Null => "null".into(),
            EncodedValue::Boolean(v) => v.to_string(),
        }
    }

    fn annotation(self, a: &EncodedAnnotation) -> String {
        let element = |(name, value): &(StringIdx, EncodedValue)| {
            format!("{} = {}", self.string(*name), self.value(value))
        };
        let elements = a.elements.iter().map(element).collect::<Vec<_>>().join(", ");
        format!("annotation {} {{{elements}}}", self.ty(a.ty))
    }
}

/// True if a name needs no quotes.
fn is_name(text: &str) -> bool {
    matches!(text, "<init>" | "<clinit>") || !text.is_empty() && text.chars().all(is_plain)
}

/// True if a type descriptor needs no quotes.
fn is_descriptor(text: &str) -> bool {
    let base = text.trim_start_matches('[');
    match base.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
        Some(name) => !name.is_empty() && name.chars().all(|c| is_plain(c) || c == '/'),
        None => matches!(base, "V" | "Z" | "B" | "S" | "C" | "I" | "J" | "F" | "D"),
    }
}

/// Modified UTF-8 in quotes; what is no letter, digit or ASCII sign is written as `\u{HEX}`.
fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for unit in char::decode_utf16(mutf8::units(bytes)) {
        match unit {
            Ok(c @ ('"' | '\\')) => text.extend(['\\', c]),
            Ok('\n') => text += "\\n",
            Ok('\r') => text += "\\r",
            Ok('\t') => text += "\\t",
            Ok(c) if c == ' ' || c.is_ascii_graphic() || !c.is_ascii() && c.is_alphanumeric() => {
                text.push(c)
            }
            Ok(c) => text += &format!("\\u{{{:x}}}", c as u32),
            Err(lone) => text += &format!("\\u{{{:x}}}", lone.unpaired_surrogate()),
        }
    }
    text.push('"');
    text
}

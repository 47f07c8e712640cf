//! Pool items from text, put into the pools as they are named.

use crate::code::insn::Ref;
use crate::code::opcode::RefKind;
use crate::file::mutf8;
use crate::file::{
    Dex, DexString, EncodedAnnotation, EncodedValue, FieldRef, HandleTarget, MethodHandle,
    MethodRef, Proto,
};
use crate::ids::*;

use super::cursor::{LineCursor, Result, TextErrorKind, is_plain};
use super::show::HANDLE_KINDS;

/// A line, and the pools that its names go into.
pub(super) struct RefParser<'d, 'a> {
    pub dex: &'d mut Dex,
    pub cursor: LineCursor<'a>,
}

/// Deepest nesting of arrays and annotations.
const DEPTH: u32 = 16;

impl RefParser<'_, '_> {
    /// `kind@position`.
    fn position(&mut self, kind: &str) -> Result<Option<u32>> {
        self.cursor.skip();
        let mut ahead = self.cursor;
        if !(ahead.eat_here(kind) && ahead.eat_here("@")) {
            return Ok(None);
        }
        self.cursor = ahead;
        self.cursor.number(0, u32::MAX.into()).map(|i| Some(i as u32))
    }

    fn text(&mut self) -> Result<StringIdx> {
        let units = self.cursor.quoted()?;
        Ok(self.dex.strings.intern(DexString(mutf8::encode_units(units.into_iter()).into())))
    }

    pub(super) fn string(&mut self) -> Result<StringIdx> {
        match self.position("string")? {
            Some(i) => Ok(StringIdx(i)),
            None => self.text(),
        }
    }

    /// A string, or `-` for none.
    pub(super) fn optional_string(&mut self) -> Result<Option<StringIdx>> {
        if self.cursor.eat_word("-") { Ok(None) } else { self.string().map(Some) }
    }

    /// A name, in quotes where it is not plain.
    fn name(&mut self) -> Result<StringIdx> {
        if self.cursor.rest().starts_with('"') {
            return self.text();
        }
        for special in ["<init>", "<clinit>"] {
            if self.cursor.eat_here(special) {
                return Ok(self.dex.intern_str(special));
            }
        }
        match self.cursor.take_while(is_plain) {
            "" => self.cursor.expected("a name"),
            name => Ok(self.dex.intern_str(name)),
        }
    }

    pub(super) fn ty(&mut self) -> Result<TypeIdx> {
        if let Some(i) = self.position("type")? {
            return Ok(TypeIdx(i));
        }
        if self.cursor.rest().starts_with('"') {
            let string = self.text()?;
            return Ok(self.dex.types.intern(string));
        }
        let start = self.cursor;
        self.cursor.take_while(|c| c == '[');
        if self.cursor.eat_here("L") {
            self.cursor.take_while(|c| is_plain(c) || c == '/');
            if !self.cursor.eat_here(";") {
                return start.expected("a type, such as I or [Ljava/lang/String;");
            }
        } else if !["V", "Z", "B", "S", "C", "I", "J", "F", "D"]
            .iter()
            .any(|p| self.cursor.eat_here(p))
        {
            return start.expected("a type, such as I or [Ljava/lang/String;");
        }
        let all = start.rest();
        Ok(self.dex.intern_type(&all[..all.len() - self.cursor.rest().len()]))
    }

    pub(super) fn proto(&mut self) -> Result<ProtoIdx> {
        if let Some(i) = self.position("proto")? {
            return Ok(ProtoIdx(i));
        }
        self.cursor.need("(", "a prototype, such as (I)V")?;
        let mut parameters = Vec::new();
        while !self.cursor.eat(")") {
            parameters.push(self.ty()?);
        }
        let return_type = self.ty()?;
        Ok(self.dex.protos.intern(Proto { return_type, parameters }))
    }

    /// `class->`.
    fn owner(&mut self) -> Result<TypeIdx> {
        let class = self.ty()?;
        if self.cursor.eat_here("->") { Ok(class) } else { self.cursor.expected("->") }
    }

    /// `name:type`.
    pub(super) fn member_field(&mut self, class: TypeIdx) -> Result<FieldIdx> {
        self.cursor.skip();
        let name = self.name()?;
        if !self.cursor.eat_here(":") {
            return self.cursor.expected("a colon and the field's type");
        }
        let ty = self.ty()?;
        Ok(self.dex.fields.intern(FieldRef { class, ty, name }))
    }

    /// `name(parameters)type`.
    pub(super) fn member_method(&mut self, class: TypeIdx) -> Result<MethodIdx> {
        self.cursor.skip();
        let name = self.name()?;
        let proto = self.proto()?;
        Ok(self.dex.methods.intern(MethodRef { class, proto, name }))
    }

    pub(super) fn field(&mut self) -> Result<FieldIdx> {
        if let Some(i) = self.position("field")? {
            return Ok(FieldIdx(i));
        }
        let class = self.owner()?;
        self.member_field(class)
    }

    pub(super) fn method(&mut self) -> Result<MethodIdx> {
        if let Some(i) = self.position("method")? {
            return Ok(MethodIdx(i));
        }
        let class = self.owner()?;
        self.member_method(class)
    }

    fn method_handle(&mut self) -> Result<MethodHandleIdx> {
        if let Some(i) = self.position("method_handle")? {
            return Ok(MethodHandleIdx(i));
        }
        let start = self.cursor;
        let word = self.cursor.word();
        let Some(kind) = HANDLE_KINDS.iter().position(|&name| name == word) else {
            return start.expected("a method handle, such as invoke-static Lx/Y;->m()V");
        };
        let target = match kind {
            0..4 => HandleTarget::Field(self.field()?),
            _ => HandleTarget::Method(self.method()?),
        };
        Ok(self.dex.method_handles.intern(MethodHandle { kind: kind as u16, target }))
    }

    fn call_site(&mut self) -> Result<CallSiteIdx> {
        if let Some(i) = self.position("call_site")? {
            return Ok(CallSiteIdx(i));
        }
        self.cursor
            .need("call-site(", "a call site, such as call-site(handle …, \"name\", proto ()V)")?;
        let values = self.values(")", 0)?;
        Ok(self.dex.call_sites.intern(values))
    }

    /// Values with commas between them, up to the closing bracket.
    fn values(&mut self, close: &str, depth: u32) -> Result<Vec<EncodedValue>> {
        let mut values = Vec::new();
        while !self.cursor.eat(close) {
            if !values.is_empty() {
                self.cursor.comma()?;
            }
            values.push(self.nested_value(depth)?);
        }
        Ok(values)
    }

    /// A value, such as `int 5` or `type Lx/Y;`.
    pub(super) fn value(&mut self) -> Result<EncodedValue> {
        self.nested_value(0)
    }

    fn nested_value(&mut self, depth: u32) -> Result<EncodedValue> {
        if depth > DEPTH {
            return self.cursor.error(TextErrorKind::TooMuch(DEPTH as usize));
        }
        if self.cursor.eat("{") {
            return self.values("}", depth + 1).map(|all| EncodedValue::Array(Box::new(all)));
        }
        if self.cursor.peek() == Some('"') || self.cursor.rest().starts_with("string@") {
            return self.string().map(EncodedValue::String);
        }
        let start = self.cursor;
        let word = self.cursor.take_while(|c| c.is_ascii_alphabetic());
        let number = |reader: &mut Self, min: i64, max: i64| reader.cursor.number(min, max);
        Ok(match word {
            "byte" => EncodedValue::Byte(number(self, i8::MIN.into(), i8::MAX.into())? as i8),
            "short" => EncodedValue::Short(number(self, i16::MIN.into(), i16::MAX.into())? as i16),
            "char" => EncodedValue::Char(number(self, 0, u16::MAX.into())? as u16),
            "int" => EncodedValue::Int(number(self, i32::MIN.into(), i32::MAX.into())? as i32),
            "long" => EncodedValue::Long(number(self, i64::MIN, i64::MAX)?),
            "float" => {
                let bits = self.float(u32::MAX.into(), |text| {
                    text.parse().ok().map(|v: f32| v.to_bits().into())
                })?;
                EncodedValue::Float(bits as u32)
            }
            "double" => EncodedValue::Double(
                self.float(u64::MAX, |text| text.parse().ok().map(f64::to_bits))?,
            ),
            "proto" => EncodedValue::MethodType(self.proto()?),
            "handle" => EncodedValue::MethodHandle(self.method_handle()?),
            "type" => EncodedValue::Type(self.ty()?),
            "field" => EncodedValue::Field(self.field()?),
            "method" => EncodedValue::Method(self.method()?),
            "enum" => EncodedValue::Enum(self.field()?),
            "annotation" => EncodedValue::Annotation(Box::new(self.annotation(depth + 1)?)),
            "null" => EncodedValue::Null,
            "true" => EncodedValue::Boolean(true),
            "false" => EncodedValue::Boolean(false),
            _ => return start.expected("a value, such as int 5 or \"text\""),
        })
    }

    /// A decimal number, or the bits as `0x…`.
    fn float(&mut self, max: u64, parse: impl Fn(&str) -> Option<u64>) -> Result<u64> {
        self.cursor.skip();
        let start = self.cursor;
        let text =
            self.cursor.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
        let bits = text
            .strip_prefix("0x")
            .map_or_else(|| parse(text), |hex| u64::from_str_radix(hex, 16).ok());
        bits.filter(|&bits| bits <= max).map_or_else(|| start.expected("a number"), Ok)
    }

    fn annotation(&mut self, depth: u32) -> Result<EncodedAnnotation> {
        let ty = self.ty()?;
        self.cursor.need("{", "{")?;
        let mut elements = Vec::new();
        while !self.cursor.eat("}") {
            if !elements.is_empty() {
                self.cursor.comma()?;
            }
            let name = self.string()?;
            self.cursor.need("=", "=")?;
            elements.push((name, self.nested_value(depth)?));
        }
        Ok(EncodedAnnotation { ty, elements })
    }

    /// Parses the item that an instruction with a reference of this kind names.
    pub(super) fn reference(&mut self, kind: RefKind) -> Result<Ref> {
        Ok(match kind {
            RefKind::String => Ref::String(self.string()?),
            // No format with an index has kind `None`.
            RefKind::Type | RefKind::None => Ref::Type(self.ty()?),
            RefKind::Field => Ref::Field(self.field()?),
            RefKind::Method | RefKind::MethodAndProto => Ref::Method(self.method()?),
            RefKind::CallSite => Ref::CallSite(self.call_site()?),
            RefKind::MethodHandle => Ref::MethodHandle(self.method_handle()?),
            RefKind::Proto => Ref::Proto(self.proto()?),
        })
    }
}

//! Small classes as text: members with their code, without annotations and hidden-API flags.

use std::fmt;

use crate::file::access::{AccessFlags, Holder};
use crate::file::{Body, ClassDef, Dex, EncodedField, EncodedMethod, EncodedValue};
use crate::ids::*;

use super::code::body;
use super::cursor::{LineCursor, Lines, Result, TextErrorKind};
use super::refs::RefParser;
use super::show::PoolNames;

/// All classes of a file as text; see the [module](self::super) for the form.
///
/// Annotations and hidden-API flags are left out. A body that cannot be decoded is a comment.
pub fn classes(dex: &Dex) -> impl fmt::Display + '_ {
    AllText(dex)
}

/// One class as text; see [`classes`].
pub fn class<'a>(dex: &'a Dex, class: &'a ClassDef) -> impl fmt::Display + 'a {
    ClassText { dex, class }
}

struct AllText<'a>(&'a Dex);

impl fmt::Display for AllText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, class) in self.0.classes.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { "\n" }, ClassText { dex: self.0, class })?;
        }
        Ok(())
    }
}

struct ClassText<'a> {
    dex: &'a Dex,
    class: &'a ClassDef,
}

impl fmt::Display for ClassText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClassText { dex, class } = *self;
        let names = PoolNames(Some(dex));
        writeln!(f, ".class {}{}", flags(Holder::Class, class.access), names.ty(class.ty))?;
        if let Some(superclass) = class.superclass {
            writeln!(f, ".super {}", names.ty(superclass))?;
        }
        class.interfaces.iter().try_for_each(|&ty| writeln!(f, ".implements {}", names.ty(ty)))?;
        if let Some(file) = class.source_file {
            writeln!(f, ".source {}", names.string(file))?;
        }
        let mut values = class.static_values.iter();
        for field in &class.static_fields {
            write!(f, ".field {}", member(names, field))?;
            match values.next() {
                Some(value) => writeln!(f, " = {}", names.value(value))?,
                None => writeln!(f)?,
            }
        }
        class
            .instance_fields
            .iter()
            .try_for_each(|field| writeln!(f, ".field {}", member(names, field)))?;
        class.methods().try_for_each(|m| write!(f, "{}", MethodText { dex, method: m }))
    }
}

fn member(names: PoolNames<'_>, field: &EncodedField) -> String {
    let name = names.member_field(field.field).unwrap_or_else(|| names.field(field.field));
    format!("{}{name}", flags(Holder::Field, field.access))
}

struct MethodText<'a> {
    dex: &'a Dex,
    method: &'a EncodedMethod,
}

impl fmt::Display for MethodText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MethodText { dex, method } = *self;
        let names = PoolNames(Some(dex));
        let name =
            names.member_method(method.method).unwrap_or_else(|| names.method(method.method));
        writeln!(f, ".method {}{name}", flags(Holder::Method, method.access))?;
        match method.code.map(|id| dex.code(id)) {
            None => {}
            Some(Some(Ok(code))) => write!(f, "{}", super::code(dex, &code))?,
            Some(Some(Err(error))) => writeln!(f, "; no code: {error}")?,
            Some(None) => writeln!(f, "; no code: there is no such body")?,
        }
        writeln!(f, ".end method")
    }
}

/// The flags' words with a space after each; bits without a word as one number.
fn flags(holder: Holder, access: AccessFlags) -> String {
    let mut text = String::new();
    let mut rest = access;
    for &(flag, word) in holder.words() {
        if rest.contains(flag) {
            rest.remove(flag);
            text += word;
            text.push(' ');
        }
    }
    if !rest.is_empty() {
        text += &format!("{:#x} ", rest.bits());
    }
    text
}

fn parse_flags(holder: Holder, cursor: &mut LineCursor<'_>) -> Result<AccessFlags> {
    let mut all = AccessFlags::empty();
    loop {
        if cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
            all |= AccessFlags::from_bits_retain(cursor.number(0, u32::MAX.into())? as u32);
            continue;
        }
        match holder.words().iter().find(|(_, word)| cursor.eat_word(word)) {
            Some(&(flag, _)) => all |= flag,
            None => return Ok(all),
        }
    }
}

/// Reads classes (see the [module](self::super)) and adds them to the file; where they are in
/// [`Dex::classes`] is returned.
///
/// ```
/// use dex::{Dex, Version, text};
/// let mut dex = Dex::new(Version(39));
/// let text = ".class La/B;\n.method run()V\n.code registers=0\n  frob\n";
/// let error = text::parse_classes(text, &mut dex);
/// assert_eq!(error.unwrap_err().to_string(), "line 4, column 3: there is no opcode \"frob\"");
/// ```
///
/// # Errors
/// A [`TextError`](super::TextError) with line and column; the file may then hold some of the
/// names.
pub fn parse_classes(text: &str, dex: &mut Dex) -> Result<Vec<usize>> {
    let mut lines = Lines::new(text);
    let (mut classes, mut bodies) = (Vec::<ClassDef>::new(), Vec::new());
    while let Some(line) = lines.next() {
        let mut reader = RefParser { dex, cursor: line };
        let word = reader.cursor.word();
        if word == ".class" {
            let access = parse_flags(Holder::Class, &mut reader.cursor)?;
            let ty = reader.ty()?;
            reader.cursor.end()?;
            classes.push(ClassDef::new(ty, access));
            continue;
        }
        let Some(class) = classes.last_mut() else { return line.expected(".class") };
        match word {
            ".super" => class.superclass = Some(reader.ty()?),
            ".implements" => class.interfaces.push(reader.ty()?),
            ".source" => class.source_file = Some(reader.string()?),
            ".field" => field(&mut reader, class)?,
            ".method" => {
                let method = method_head(&mut reader, class)?;
                reader.cursor.end()?;
                add_method(&mut lines, dex, class, method, &mut bodies)?;
                continue;
            }
            _ => return line.error(TextErrorKind::UnknownDirective(word.into())),
        }
        reader.cursor.end()?;
    }
    let first = dex.classes.len();
    dex.codes.extend(bodies.into_iter().map(Body::from));
    dex.classes.extend(classes);
    Ok((first..dex.classes.len()).collect())
}

/// `static x:I = int 5`.
fn field(reader: &mut RefParser<'_, '_>, class: &mut ClassDef) -> Result<()> {
    let access = parse_flags(Holder::Field, &mut reader.cursor)?;
    let field = EncodedField { field: reader.member_field(class.ty)?, access, hiddenapi: None };
    let is_static = access.contains(AccessFlags::STATIC);
    if is_static && reader.cursor.eat("=") {
        let value = reader.value()?;
        let unset = &class.static_fields[class.static_values.len()..];
        class.static_values.extend(unset.iter().map(|f| default_value(reader.dex, f.field)));
        class.static_values.push(value);
    }
    if is_static { &mut class.static_fields } else { &mut class.instance_fields }.push(field);
    Ok(())
}

/// Value of a static field without an initial value.
fn default_value(dex: &Dex, field: FieldIdx) -> EncodedValue {
    match &*dex.type_name(dex.fields.items()[field.index()].ty) {
        "Z" => EncodedValue::Boolean(false),
        "B" => EncodedValue::Byte(0),
        "S" => EncodedValue::Short(0),
        "C" => EncodedValue::Char(0),
        "I" => EncodedValue::Int(0),
        "J" => EncodedValue::Long(0),
        "F" => EncodedValue::Float(0),
        "D" => EncodedValue::Double(0),
        _ => EncodedValue::Null,
    }
}

/// `public static run(I)V`.
fn method_head(reader: &mut RefParser<'_, '_>, class: &ClassDef) -> Result<EncodedMethod> {
    let access = parse_flags(Holder::Method, &mut reader.cursor)?;
    Ok(EncodedMethod {
        method: reader.member_method(class.ty)?,
        access,
        code: None,
        hiddenapi: None,
    })
}

/// Reads what stands up to `.end method`.
fn add_method(
    lines: &mut Lines<'_>,
    dex: &mut Dex,
    class: &mut ClassDef,
    mut method: EncodedMethod,
    bodies: &mut Vec<crate::code::Code>,
) -> Result<()> {
    let is_static = method.access.contains(AccessFlags::STATIC);
    let mut ahead = lines.clone();
    let Some(mut first) = ahead.next() else { return Err(lines.ends(".end method")) };
    if first.eat_word(".end") && first.eat_word("method") {
        first.end()?;
        *lines = ahead;
    } else {
        let ins = parameter_words(dex, method.method) + u16::from(!is_static);
        let (code, end) = body(lines, dex, ins)?;
        if end.is_none() {
            return Err(lines.ends(".end method"));
        }
        method.code = Some(CodeId((dex.codes.len() + bodies.len()) as u32));
        bodies.push(code);
    }
    let special = dex
        .methods
        .items()
        .get(method.method.index())
        .is_some_and(|m| dex.string(m.name).starts_with('<'));
    let direct = special || method.access.intersects(AccessFlags::STATIC | AccessFlags::PRIVATE);
    if direct { &mut class.direct_methods } else { &mut class.virtual_methods }.push(method);
    Ok(())
}

/// Words that the parameters take, `this` left out.
fn parameter_words(dex: &Dex, method: MethodIdx) -> u16 {
    let proto = dex
        .methods
        .items()
        .get(method.index())
        .and_then(|m| dex.protos.items().get(m.proto.index()));
    let wide = |&&ty: &&TypeIdx| matches!(&*dex.type_name(ty), "J" | "D");
    let words = proto.map_or(0, |p| p.parameters.len() + p.parameters.iter().filter(wide).count());
    words.min(usize::from(u16::MAX) - 1) as u16
}

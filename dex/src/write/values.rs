//! Encoded values.

use super::order::Order;
use super::sink::Sink;
use crate::file::error::WriteError;
use crate::file::{EncodedAnnotation, EncodedValue};
use crate::read::values::kind;

type Result<T> = std::result::Result<T, WriteError>;

/// `encoded_array`.
pub(super) fn array(out: &mut Sink, order: &Order<'_>, values: &[EncodedValue]) -> Result<()> {
    out.uleb(values.len() as u32);
    values.iter().try_for_each(|v| value(out, order, v))
}

/// `encoded_annotation`, elements in ascending order of their final name numbers.
pub(super) fn annotation(
    out: &mut Sink,
    order: &Order<'_>,
    annotation: &EncodedAnnotation,
) -> Result<()> {
    out.uleb(order.ty(annotation.ty)?);
    out.uleb(annotation.elements.len() as u32);
    let mut elements: Vec<(u32, &EncodedValue)> = annotation
        .elements
        .iter()
        .map(|(name, v)| Ok((order.string(*name)?, v)))
        .collect::<Result<_>>()?;
    elements.sort_by_key(|(name, _)| *name);
    for (name, v) in elements {
        out.uleb(name);
        value(out, order, v)?;
    }
    Ok(())
}

fn value(out: &mut Sink, order: &Order<'_>, v: &EncodedValue) -> Result<()> {
    match v {
        EncodedValue::Byte(v) => signed(out, kind::BYTE, (*v).into()),
        EncodedValue::Short(v) => signed(out, kind::SHORT, (*v).into()),
        EncodedValue::Char(v) => unsigned(out, kind::CHAR, (*v).into()),
        EncodedValue::Int(v) => signed(out, kind::INT, (*v).into()),
        EncodedValue::Long(v) => signed(out, kind::LONG, *v),
        EncodedValue::Float(bits) => left(out, kind::FLOAT, u64::from(*bits) << 32),
        EncodedValue::Double(bits) => left(out, kind::DOUBLE, *bits),
        EncodedValue::MethodType(i) => unsigned(out, kind::METHOD_TYPE, order.proto(*i)?),
        EncodedValue::MethodHandle(i) => {
            unsigned(out, kind::METHOD_HANDLE, order.method_handle(*i)?)
        }
        EncodedValue::String(i) => unsigned(out, kind::STRING, order.string(*i)?),
        EncodedValue::Type(i) => unsigned(out, kind::TYPE, order.ty(*i)?),
        EncodedValue::Field(i) => unsigned(out, kind::FIELD, order.field(*i)?),
        EncodedValue::Method(i) => unsigned(out, kind::METHOD, order.method(*i)?),
        EncodedValue::Enum(i) => unsigned(out, kind::ENUM, order.field(*i)?),
        EncodedValue::Array(values) => {
            out.u8(kind::ARRAY);
            array(out, order, values)?;
        }
        EncodedValue::Annotation(a) => {
            out.u8(kind::ANNOTATION);
            annotation(out, order, a)?;
        }
        EncodedValue::Null => out.u8(kind::NULL),
        EncodedValue::Boolean(v) => out.u8(kind::BOOLEAN | u8::from(*v) << 5),
    }
    Ok(())
}

/// Head byte and the `len` given bytes.
fn put(out: &mut Sink, kind: u8, bytes: &[u8]) {
    out.u8(kind | (bytes.len() as u8 - 1) << 5);
    out.extend(bytes);
}

/// Sign-extended on reading: leaves out high bytes that repeat the sign.
fn signed(out: &mut Sink, kind: u8, v: i64) {
    let significant = 65 - (if v < 0 { !v } else { v }).leading_zeros();
    put(out, kind, &v.to_le_bytes()[..significant.div_ceil(8).max(1) as usize]);
}

/// Zero-extended on reading: leaves out high zero bytes.
fn unsigned(out: &mut Sink, kind: u8, v: u32) {
    let significant = 32 - v.leading_zeros();
    put(out, kind, &v.to_le_bytes()[..significant.div_ceil(8).max(1) as usize]);
}

/// Extended by zeros to the right on reading: leaves out low zero bytes. `bits` stand at the top.
fn left(out: &mut Sink, kind: u8, bits: u64) {
    let first = (bits.trailing_zeros() / 8).min(7) as usize;
    put(out, kind, &bits.to_le_bytes()[first..]);
}

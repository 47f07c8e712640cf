//! Class data, hidden-API flags and static values of one class, in final order.

use super::order::Order;
use super::sink::Sink;
use crate::file::error::WriteError;
use crate::file::{ClassDef, Dex, EncodedField, EncodedMethod, EncodedValue};
use crate::ids::*;

type Result<T> = std::result::Result<T, WriteError>;

/// The members of a class, each list ascending by final number.
pub(super) struct Members<'a> {
    static_fields: Vec<(u32, &'a EncodedField)>,
    instance_fields: Vec<(u32, &'a EncodedField)>,
    direct_methods: Vec<(u32, &'a EncodedMethod)>,
    virtual_methods: Vec<(u32, &'a EncodedMethod)>,
    /// Initial values in the order of the sorted static fields.
    pub static_values: Vec<EncodedValue>,
}

impl<'a> Members<'a> {
    pub fn of(dex: &Dex, order: &Order<'_>, class: &'a ClassDef) -> Result<Members<'a>> {
        let fields = |list: &'a [EncodedField]| -> Result<Vec<(u32, &'a EncodedField)>> {
            list.iter().map(|f| Ok((order.field(f.field)?, f))).collect()
        };
        let methods = |list: &'a [EncodedMethod]| -> Result<Vec<(u32, &'a EncodedMethod)>> {
            let mut list: Vec<_> =
                list.iter().map(|m| Ok((order.method(m.method)?, m))).collect::<Result<_>>()?;
            list.sort_by_key(|(number, _)| *number);
            Ok(list)
        };
        let mut static_fields = fields(&class.static_fields)?;
        let mut instance_fields = fields(&class.instance_fields)?;
        instance_fields.sort_by_key(|(number, _)| *number);
        let mut static_values = class.static_values.clone();
        if !static_fields.is_sorted_by_key(|(number, _)| *number) {
            // Values belong to fields by position, so they move along.
            let mut pairs: Vec<_> = static_fields.into_iter().zip(0..).collect();
            pairs.sort_by_key(|((number, _), _)| *number);
            let mut moved: Vec<Option<EncodedValue>> =
                pairs.iter().map(|(_, old)| static_values.get(*old as usize).cloned()).collect();
            while moved.last().is_some_and(Option::is_none) {
                moved.pop();
            }
            static_fields = pairs.into_iter().map(|(field, _)| field).collect();
            static_values = (moved.into_iter().zip(&static_fields))
                .map(|(value, (_, field))| value.unwrap_or_else(|| default_value(dex, field.field)))
                .collect();
        }
        Ok(Members {
            static_fields,
            instance_fields,
            direct_methods: methods(&class.direct_methods)?,
            virtual_methods: methods(&class.virtual_methods)?,
            static_values,
        })
    }

    /// Direct methods, then virtual ones, each ascending.
    pub fn methods(&self) -> impl Iterator<Item = &'a EncodedMethod> + '_ {
        self.direct_methods.iter().chain(&self.virtual_methods).map(|(_, method)| *method)
    }

    pub fn is_empty(&self) -> bool {
        self.static_fields.is_empty()
            && self.instance_fields.is_empty()
            && self.direct_methods.is_empty()
            && self.virtual_methods.is_empty()
    }

    /// `class_data_item`.
    pub fn write(&self, out: &mut Sink, code_offset: impl Fn(CodeId) -> u32) {
        let fields = [&self.static_fields, &self.instance_fields];
        let methods = [&self.direct_methods, &self.virtual_methods];
        fields.iter().for_each(|list| out.uleb(list.len() as u32));
        methods.iter().for_each(|list| out.uleb(list.len() as u32));
        for list in fields {
            let mut last = 0;
            for (number, field) in list {
                out.uleb(number - last);
                out.uleb(field.access.bits());
                last = *number;
            }
        }
        for list in methods {
            let mut last = 0;
            for (number, method) in list {
                out.uleb(number - last);
                out.uleb(method.access.bits());
                out.uleb(method.code.map_or(0, &code_offset));
                last = *number;
            }
        }
    }

    /// Hidden-API flags of each member in class data order; `None` when no member has any.
    pub fn hiddenapi(&self) -> Option<Vec<u32>> {
        let fields =
            self.static_fields.iter().chain(&self.instance_fields).map(|(_, f)| f.hiddenapi);
        let methods =
            self.direct_methods.iter().chain(&self.virtual_methods).map(|(_, m)| m.hiddenapi);
        let flags: Vec<Option<u32>> = fields.chain(methods).collect();
        flags
            .iter()
            .any(Option::is_some)
            .then(|| flags.into_iter().map(Option::unwrap_or_default).collect())
    }
}

/// The value that a static field without one starts with.
fn default_value(dex: &Dex, field: FieldIdx) -> EncodedValue {
    let ty = dex.fields.items()[field.index()].ty;
    let descriptor = &dex.strings.items()[dex.types.items()[ty.index()].index()];
    match descriptor.0.first() {
        Some(b'Z') => EncodedValue::Boolean(false),
        Some(b'B') => EncodedValue::Byte(0),
        Some(b'S') => EncodedValue::Short(0),
        Some(b'C') => EncodedValue::Char(0),
        Some(b'I') => EncodedValue::Int(0),
        Some(b'J') => EncodedValue::Long(0),
        Some(b'F') => EncodedValue::Float(0),
        Some(b'D') => EncodedValue::Double(0),
        _ => EncodedValue::Null,
    }
}

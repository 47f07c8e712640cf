//! `class_def_item`, `class_data_item` and `hiddenapi_class_data_item`.

use std::collections::HashMap;
use std::sync::Arc;

use super::DexReader;
use super::bodies::StoredFile;
use super::cursor::{Cursor, Result};
use super::ids::NO_INDEX;
use crate::file::access::AccessFlags;
use crate::file::error::{ReadErrorKind, Section};
use crate::file::{ClassAnnotations, ClassDef, EncodedField, EncodedMethod, StoredAnnotations};
use crate::ids::CodeId;

/// Numbers code items by offset: methods that share one get the same id.
#[derive(Default)]
struct CodeIds {
    by_offset: HashMap<u32, CodeId>,
    offsets: Vec<u32>,
}

impl CodeIds {
    fn id(&mut self, offset: u32) -> Option<CodeId> {
        if offset == 0 {
            return None;
        }
        Some(*self.by_offset.entry(offset).or_insert_with(|| {
            self.offsets.push(offset);
            CodeId(self.offsets.len() as u32 - 1)
        }))
    }
}

impl DexReader<'_> {
    /// The classes, and the offset of each code item by [`CodeId`]. Annotations stay in this
    /// source's bytes.
    pub fn read_classes(
        &self,
        source: Option<&Arc<StoredFile>>,
    ) -> Result<(Vec<ClassDef>, Vec<u32>)> {
        let mut codes = CodeIds::default();
        let mut c = self.at(self.header.classes.offset, Section::ClassDefs);
        let mut classes = Vec::with_capacity(self.header.classes.count as usize);
        for i in 0..self.header.classes.count {
            let ty = c.u32()?;
            let ty = self.ty(&c, ty)?;
            let access = AccessFlags::from_bits_retain(c.u32()?);
            let superclass = match c.u32()? {
                NO_INDEX => None,
                index => Some(self.ty(&c, index)?),
            };
            let interfaces = self.type_list(c.u32()?)?;
            let source_file = c.u32()?;
            let source_file = self.optional_string(&c, source_file)?;
            let annotations = match c.u32()? {
                0 => None,
                offset => {
                    let values = self.annotations(offset)?;
                    Some(match source {
                        Some(source) => {
                            ClassAnnotations::Stored(StoredAnnotations::new(source.clone(), offset))
                        }
                        None => values.into(),
                    })
                }
            };
            let class_data = c.u32()?;
            let static_values = match c.u32()? {
                0 => Vec::new(),
                offset => self.array_item(offset)?,
            };
            let mut class = ClassDef {
                superclass,
                interfaces,
                source_file,
                annotations,
                static_values,
                ..ClassDef::new(ty, access)
            };
            if class_data != 0 {
                self.class_data(&mut class, class_data, &mut codes)?;
            }
            if let Some(offset) = self.header.hiddenapi {
                self.hiddenapi(&mut class, offset, i)?;
            }
            classes.push(class);
        }
        Ok((classes, codes.offsets))
    }

    fn class_data(&self, class: &mut ClassDef, offset: u32, codes: &mut CodeIds) -> Result<()> {
        let mut c = self.at(offset, Section::ClassData);
        let counts = [c.uleb()?, c.uleb()?, c.uleb()?, c.uleb()?];
        for (list, count) in
            [&mut class.static_fields, &mut class.instance_fields].into_iter().zip(counts)
        {
            let count = c.check_count(count, 2)?;
            self.budget.spend(&c, count)?;
            list.reserve_exact(count);
            let mut index = 0u64;
            for _ in 0..count {
                index += u64::from(c.uleb()?);
                let field = c.index("field", index, self.sizes.fields)?.into();
                let access = AccessFlags::from_bits_retain(c.uleb()?);
                list.push(EncodedField { field, access, hiddenapi: None });
            }
        }
        for (list, &count) in
            [&mut class.direct_methods, &mut class.virtual_methods].into_iter().zip(&counts[2..])
        {
            let count = c.check_count(count, 3)?;
            self.budget.spend(&c, count)?;
            list.reserve_exact(count);
            let mut index = 0u64;
            for _ in 0..count {
                index += u64::from(c.uleb()?);
                let method = c.index("method", index, self.sizes.methods)?.into();
                let access = AccessFlags::from_bits_retain(c.uleb()?);
                let code = codes.id(c.uleb()?);
                list.push(EncodedMethod { method, access, code, hiddenapi: None });
            }
        }
        Ok(())
    }

    /// Flags of class number `i`: one number per member, in class data order.
    fn hiddenapi(&self, class: &mut ClassDef, section: u32, i: u32) -> Result<()> {
        let mut c = self.at(section, Section::HiddenapiClassData);
        let size = c.u32()?;
        c.check_count(self.header.classes.count, 4)?;
        c.skip(i as usize * 4)?;
        let offset = c.u32()?;
        if offset == 0 {
            return Ok(()); // All flags of the class are zero.
        }
        if offset >= size {
            return c.error(ReadErrorKind::Invalid {
                what: "offset of hiddenapi flags",
                value: offset.into(),
            });
        }
        let start = section as usize + offset as usize;
        let mut c = Cursor::new(self.data, start, Section::HiddenapiClassData);
        for field in class.static_fields.iter_mut().chain(&mut class.instance_fields) {
            field.hiddenapi = Some(c.uleb()?);
        }
        for method in class.methods_mut() {
            method.hiddenapi = Some(c.uleb()?);
        }
        Ok(())
    }
}

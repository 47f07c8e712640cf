//! `annotations_directory_item` and what hangs below it.

use super::DexReader;
use super::cursor::{Cursor, Result};
use crate::file::error::{ReadErrorKind, Section};
use crate::file::{Annotation, AnnotationSet, Annotations};

impl DexReader<'_> {
    pub fn annotations(&self, offset: u32) -> Result<Annotations> {
        let mut c = self.at(offset, Section::AnnotationsDirectory);
        let class = match c.u32()? {
            0 => None,
            offset => Some(self.annotation_set(offset)?),
        };
        let (fields, methods, parameters) = (c.u32()?, c.u32()?, c.u32()?);
        let count = |c: &Cursor<'_>, n| -> Result<usize> {
            let n = c.check_count(n, 8)?;
            self.budget.spend(c, n)?;
            Ok(n)
        };
        Ok(Annotations {
            class,
            fields: (0..count(&c, fields)?)
                .map(|_| {
                    let field = c.u32()?;
                    let field = c.index("field", field, self.sizes.fields)?;
                    Ok((field.into(), self.annotation_set(c.u32()?)?))
                })
                .collect::<Result<_>>()?,
            methods: (0..count(&c, methods)?)
                .map(|_| {
                    let method = c.u32()?;
                    let method = c.index("method", method, self.sizes.methods)?;
                    Ok((method.into(), self.annotation_set(c.u32()?)?))
                })
                .collect::<Result<_>>()?,
            parameters: (0..count(&c, parameters)?)
                .map(|_| {
                    let method = c.u32()?;
                    let method = c.index("method", method, self.sizes.methods)?;
                    Ok((method.into(), self.annotation_set_list(c.u32()?)?))
                })
                .collect::<Result<_>>()?,
        })
    }

    /// `annotation_set_ref_list`.
    fn annotation_set_list(&self, offset: u32) -> Result<Vec<Option<AnnotationSet>>> {
        let mut c = self.at(offset, Section::AnnotationSet);
        let count = c.count_u32(4)?;
        self.budget.spend(&c, count)?;
        (0..count)
            .map(|_| match c.u32()? {
                0 => Ok(None),
                offset => self.annotation_set(offset).map(Some),
            })
            .collect()
    }

    /// `annotation_set_item`; offset 0, which a field or method should not have, is the empty set.
    fn annotation_set(&self, offset: u32) -> Result<AnnotationSet> {
        if offset == 0 {
            return Ok(AnnotationSet::new());
        }
        let mut c = self.at(offset, Section::AnnotationSet);
        let count = c.count_u32(4)?;
        self.budget.spend(&c, count)?;
        let mut set = (0..count)
            .map(|_| {
                let mut item = self.at(c.u32()?, Section::Annotation);
                let visibility = item.u8()?;
                if visibility > 2 {
                    let kind =
                        ReadErrorKind::Invalid { what: "visibility", value: visibility.into() };
                    return item.error_at(item.pos() - 1, kind);
                }
                Ok(Annotation { visibility, annotation: self.annotation(&mut item, 0)? })
            })
            .collect::<Result<Vec<_>>>()?;
        set.shrink_to_fit();
        Ok(set)
    }
}

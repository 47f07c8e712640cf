//! Moving classes between files.
//!
//! A file holds at most 65,536 methods, and apps are packed up to that: when references have to be
//! added, classes must go. [`Dex::split_off`] moves them to a new file.

use std::collections::{HashMap, HashSet};

use crate::bodies::decode::decode;
use crate::code::error::CodeError;
use crate::file::index_map::IndexMap;
use crate::file::pool::Pool;
use crate::file::*;
use crate::ids::{CodeId, PoolKind, TypeIdx};
use crate::renumber::refs::Translate;
use crate::renumber::reindex::remap_raw;

/// Reasons why a class cannot be copied to another file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The source has no class of that number.
    #[error("there is no class {0}")]
    NoSuchClass(usize),
    /// A method names a body that is not there.
    #[error("there is no body {0}")]
    NoSuchBody(u32),
    /// The target defines a class of that name.
    #[error("{0} is already defined")]
    AlreadyDefined(String),
    /// The class uses an index outside its pool.
    #[error("{pool} {index} is named, but there is no such item")]
    Index {
        /// The full pool.
        pool: PoolKind,
        /// The index.
        index: u32,
    },
    /// A body makes no sense, so that its references cannot be renumbered.
    #[error("{method}: {problem}")]
    Body {
        /// The first method that has this body.
        method: String,
        /// The reason.
        #[source]
        problem: CodeError,
    },
    /// As [`Body`](MergeError::Body), where the method is not known yet.
    #[error(transparent)]
    Code(#[from] CodeError),
}

type Result<T> = std::result::Result<T, MergeError>;

impl Dex {
    /// A file without classes.
    pub fn new(version: Version) -> Dex {
        Dex {
            version,
            strings: Pool::default(),
            types: Pool::default(),
            protos: Pool::default(),
            fields: Pool::default(),
            methods: Pool::default(),
            call_sites: Pool::default(),
            method_handles: Pool::default(),
            classes: Vec::new(),
            codes: Vec::new(),
        }
    }

    /// Copies a class of `from` with all that it refers to; its number in this file is returned.
    ///
    /// Bodies that several methods of the class share stay shared. To copy several classes that
    /// share bodies, use one [`Importer`].
    ///
    /// # Errors
    /// See [`MergeError`]. Pool items that were added until then stay.
    pub fn import_class(&mut self, from: &Dex, class: usize) -> Result<usize> {
        Importer::new(from).class(self, class)
    }

    /// Moves classes to a new file of the same version. What the pools hold for them alone stays
    /// behind until [`compact`](Dex::compact).
    ///
    /// # Errors
    /// See [`MergeError`]; this file is then unchanged.
    pub fn split_off(&mut self, classes: &[usize]) -> Result<Dex> {
        let new = self.extract(classes)?;
        let moved: HashSet<usize> = classes.iter().copied().collect();
        let mut i = 0;
        self.classes.retain(|_| {
            i += 1;
            !moved.contains(&(i - 1))
        });
        Ok(new)
    }

    /// Drops pool items and bodies that no class uses, and duplicates. All indices into this file
    /// that one kept become meaningless; numbers of classes stay.
    ///
    /// # Errors
    /// See [`MergeError`]; this file is then unchanged.
    pub fn compact(&mut self) -> Result<()> {
        let all: Vec<usize> = (0..self.classes.len()).collect();
        *self = self.extract(&all)?;
        Ok(())
    }

    /// A new file with these classes. Its pools hold what they use in the order of this file, so
    /// that no index grows and raw bodies stay raw.
    fn extract(&self, classes: &[usize]) -> Result<Dex> {
        let mut trial = Importer::new(self);
        let mut scratch = Dex::new(self.version);
        for &class in classes {
            trial.class(&mut scratch, class)?;
        }
        let mut importer = Importer::new(self);
        let mut new = Dex::new(self.version);
        for pool in [
            PoolKind::String,
            PoolKind::Type,
            PoolKind::Proto,
            PoolKind::Field,
            PoolKind::Method,
            PoolKind::MethodHandle,
            PoolKind::CallSite,
        ] {
            for (i, &used) in (0..).zip(trial.map.pool(pool)) {
                if used != UNMAPPED {
                    MergeTarget { importer: &mut importer, to: &mut new }.index(pool, i)?;
                }
            }
        }
        for &class in classes {
            importer.class(&mut new, class)?;
        }
        Ok(new)
    }
}

const UNMAPPED: u32 = u32::MAX;

/// Copies classes of one file to another, and remembers what became of every item and body.
pub struct Importer<'a> {
    from: &'a Dex,
    /// By position in the pools of `from`; [`UNMAPPED`] as long as nothing needed the item.
    map: IndexMap,
    codes: HashMap<CodeId, CodeId>,
    /// The classes of the target, once they have been looked at.
    defined: Option<HashSet<TypeIdx>>,
}

impl<'a> Importer<'a> {
    /// For copying classes of `from`. Use one importer for one target only.
    pub fn new(from: &'a Dex) -> Importer<'a> {
        let unmapped = |n| vec![UNMAPPED; n];
        let map = IndexMap {
            strings: unmapped(from.strings.len()),
            types: unmapped(from.types.len()),
            protos: unmapped(from.protos.len()),
            fields: unmapped(from.fields.len()),
            methods: unmapped(from.methods.len()),
            call_sites: unmapped(from.call_sites.len()),
            method_handles: unmapped(from.method_handles.len()),
        };
        Importer { from, map, codes: HashMap::new(), defined: None }
    }

    /// Copies a class; its number in `to` is returned.
    ///
    /// # Errors
    /// See [`MergeError`]. Pool items that were added until then stay.
    pub fn class(&mut self, to: &mut Dex, class: usize) -> Result<usize> {
        let from = self.from;
        let old = from.classes.get(class).ok_or(MergeError::NoSuchClass(class))?;
        let mut new = MergeTarget { importer: self, to }.class(old)?;
        let defined =
            self.defined.get_or_insert_with(|| to.classes.iter().map(|class| class.ty).collect());
        if !defined.insert(new.ty) {
            return Err(MergeError::AlreadyDefined(to.type_name(new.ty).into_owned()));
        }
        for (method, old) in new.methods_mut().zip(old.methods()) {
            let Some(code) = method.code else { continue };
            let body = self.body(to, code).map_err(|e| match e {
                MergeError::Code(problem) => {
                    MergeError::Body { method: from.method_name(old.method), problem }
                }
                other => other,
            });
            method.code = Some(body?);
        }
        to.classes.push(new);
        Ok(to.classes.len() - 1)
    }

    fn body(&mut self, to: &mut Dex, code: CodeId) -> Result<CodeId> {
        if let Some(&known) = self.codes.get(&code) {
            return Ok(known);
        }
        let body = match self.from.codes.get(code.0 as usize) {
            None => return Err(MergeError::NoSuchBody(code.0)),
            Some(Body::Edited(code)) => MergeTarget { importer: self, to }.code(code)?.into(),
            Some(Body::Raw(item)) => self.raw_body(to, item)?,
            Some(Body::Stored(body)) => self.raw_body(to, &body.item())?,
        };
        let new = CodeId(to.codes.len() as u32);
        to.codes.push(body);
        self.codes.insert(code, new);
        Ok(new)
    }

    fn raw_body(&mut self, to: &mut Dex, item: &CodeItem) -> Result<Body> {
        MergeTarget { importer: self, to }.visit_raw(item)?;
        Ok(match remap_raw(item, &self.map) {
            Ok(new) if new.insns.len() == item.insns.len() => new.into(),
            // The pools in memory may be larger than 16-bit indices reach, although those of the
            // file will not be: leave the choice of widths to the writer.
            _ => MergeTarget { importer: self, to }.code(&decode(item)?)?.into(),
        })
    }
}

/// Destination of an [`Importer`]'s copies.
struct MergeTarget<'i, 'a, 't> {
    importer: &'i mut Importer<'a>,
    to: &'t mut Dex,
}

impl MergeTarget<'_, '_, '_> {
    /// Copies one pool item that is not there yet.
    fn add(&mut self, pool: PoolKind, index: u32) -> Result<u32> {
        fn get<T>(items: &[T], pool: PoolKind, index: u32) -> Result<&T> {
            items.get(index as usize).ok_or(MergeError::Index { pool, index })
        }
        let from = self.importer.from;
        Ok(match pool {
            PoolKind::String => {
                let text = get(from.strings.items(), pool, index)?.clone();
                self.to.strings.intern(text).0
            }
            PoolKind::Type => {
                let name = self.string(*get(from.types.items(), pool, index)?)?;
                self.to.types.intern(name).0
            }
            PoolKind::Proto => {
                let proto = get(from.protos.items(), pool, index)?;
                let return_type = self.ty(proto.return_type)?;
                let parameters =
                    proto.parameters.iter().map(|&ty| self.ty(ty)).collect::<Result<_>>()?;
                self.to.protos.intern(Proto { return_type, parameters }).0
            }
            PoolKind::Field => {
                let f = get(from.fields.items(), pool, index)?;
                let field = FieldRef {
                    class: self.ty(f.class)?,
                    ty: self.ty(f.ty)?,
                    name: self.string(f.name)?,
                };
                self.to.fields.intern(field).0
            }
            PoolKind::Method => {
                let m = get(from.methods.items(), pool, index)?;
                let (class, proto) = (self.ty(m.class)?, self.proto(m.proto)?);
                let method = MethodRef { class, proto, name: self.string(m.name)? };
                self.to.methods.intern(method).0
            }
            PoolKind::MethodHandle => {
                let handle = get(from.method_handles.items(), pool, index)?;
                let target = match handle.target {
                    HandleTarget::Field(f) => HandleTarget::Field(self.field(f)?),
                    HandleTarget::Method(m) => HandleTarget::Method(self.method(m)?),
                };
                self.to.method_handles.intern(MethodHandle { kind: handle.kind, target }).0
            }
            PoolKind::CallSite => {
                let site = self.values(get(from.call_sites.items(), pool, index)?)?;
                // Equal call sites are linked separately, so they stay separate.
                self.to.call_sites.push(site).0
            }
        })
    }
}

impl Translate for MergeTarget<'_, '_, '_> {
    type Error = MergeError;

    fn index(&mut self, pool: PoolKind, index: u32) -> Result<u32> {
        match self.importer.map.pool(pool).get(index as usize) {
            Some(&UNMAPPED) => {}
            Some(&known) => return Ok(known),
            None => return Err(MergeError::Index { pool, index }),
        }
        let new = self.add(pool, index)?;
        let map = &mut self.importer.map;
        let numbers = match pool {
            PoolKind::String => &mut map.strings,
            PoolKind::Type => &mut map.types,
            PoolKind::Proto => &mut map.protos,
            PoolKind::Field => &mut map.fields,
            PoolKind::Method => &mut map.methods,
            PoolKind::CallSite => &mut map.call_sites,
            PoolKind::MethodHandle => &mut map.method_handles,
        };
        numbers[index as usize] = new;
        Ok(new)
    }
}

//! The indices of the written file, by in-memory position.

use crate::code::debug::{DebugEvent, DebugHeader};
use crate::code::error::CodeError;
use crate::file::Dex;
use crate::ids::*;

/// For each pool the final index of every in-memory position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexMap {
    /// Strings.
    pub strings: Vec<u32>,
    /// Types.
    pub types: Vec<u32>,
    /// Prototypes.
    pub protos: Vec<u32>,
    /// Fields.
    pub fields: Vec<u32>,
    /// Methods.
    pub methods: Vec<u32>,
    /// Call sites.
    pub call_sites: Vec<u32>,
    /// Method handles.
    pub method_handles: Vec<u32>,
}

impl IndexMap {
    /// The map that changes nothing, for the pools of `dex`.
    pub fn identity(dex: &Dex) -> IndexMap {
        let upto = |n: usize| (0..n as u32).collect();
        IndexMap {
            strings: upto(dex.strings.len()),
            types: upto(dex.types.len()),
            protos: upto(dex.protos.len()),
            fields: upto(dex.fields.len()),
            methods: upto(dex.methods.len()),
            call_sites: upto(dex.call_sites.len()),
            method_handles: upto(dex.method_handles.len()),
        }
    }

    /// The map that changes nothing, for pools of `n` items each.
    pub fn identity_of_size(n: u32) -> IndexMap {
        let all: Vec<u32> = (0..n).collect();
        IndexMap {
            strings: all.clone(),
            types: all.clone(),
            protos: all.clone(),
            fields: all.clone(),
            methods: all.clone(),
            call_sites: all.clone(),
            method_handles: all,
        }
    }

    /// The final indices of one pool.
    pub fn pool(&self, pool: PoolKind) -> &[u32] {
        match pool {
            PoolKind::String => &self.strings,
            PoolKind::Type => &self.types,
            PoolKind::Proto => &self.protos,
            PoolKind::Field => &self.fields,
            PoolKind::Method => &self.methods,
            PoolKind::CallSite => &self.call_sites,
            PoolKind::MethodHandle => &self.method_handles,
        }
    }

    /// The final index of position `index` of `pool`.
    pub fn get(&self, pool: PoolKind, index: u32) -> Result<u32, CodeError> {
        self.pool(pool).get(index as usize).copied().ok_or(CodeError::NotInPool { pool, index })
    }

    fn string(&self, index: Option<StringIdx>) -> Result<Option<StringIdx>, CodeError> {
        index.map(|s| self.get(PoolKind::String, s.0).map(StringIdx)).transpose()
    }

    /// A type in its final place.
    pub(crate) fn ty(&self, index: TypeIdx) -> Result<TypeIdx, CodeError> {
        self.get(PoolKind::Type, index.0).map(TypeIdx)
    }

    /// A debug header with final indices.
    pub(crate) fn header(&self, header: &DebugHeader) -> Result<DebugHeader, CodeError> {
        let names = header.parameter_names.iter().map(|&name| self.string(name));
        Ok(DebugHeader {
            line_start: header.line_start,
            parameter_names: names.collect::<Result<_, _>>()?,
        })
    }

    /// A debug event with final indices.
    pub(crate) fn event(&self, event: &DebugEvent) -> Result<DebugEvent, CodeError> {
        Ok(match *event {
            DebugEvent::StartLocal { reg, name, ty, signature, extended } => {
                DebugEvent::StartLocal {
                    reg,
                    name: self.string(name)?,
                    ty: ty.map(|t| self.ty(t)).transpose()?,
                    signature: self.string(signature)?,
                    extended,
                }
            }
            DebugEvent::SetFile(name) => DebugEvent::SetFile(self.string(name)?),
            ref other => other.clone(),
        })
    }
}

//! Raw code that names items which its file does not have.
//!
//! Android refuses the class of such code when it verifies it, and nothing else of the file
//! (ART's verifier looks at every instruction, reached or not). So the code can stay, as long as it
//! goes on naming nothing.

use std::borrow::Cow;

use crate::code::error::CodeError;
use crate::code::raw::raw_insns;
use crate::file::error::WriteError;
use crate::file::{Body, Dex};
use crate::ids::{CodeId, PoolKind};

/// Pools with more items can grow until the highest index of 16 bits names one.
const MAX_ITEMS: usize = 0xFF00;

/// The index that names nothing, in an instruction that holds 32 bits or 16.
pub(crate) fn nothing(wide: bool) -> u32 {
    if wide { u32::MAX } else { u16::MAX.into() }
}

impl Dex {
    fn pool_len(&self, pool: PoolKind) -> usize {
        match pool {
            PoolKind::String => self.strings.len(),
            PoolKind::Type => self.types.len(),
            PoolKind::Proto => self.protos.len(),
            PoolKind::Field => self.fields.len(),
            PoolKind::Method => self.methods.len(),
            PoolKind::CallSite => self.call_sites.len(),
            PoolKind::MethodHandle => self.method_handles.len(),
        }
    }

    /// Gives indices in raw code that name nothing the highest number that their instruction holds.
    /// Such a body can then be written beside others, and items that are added to the file do not
    /// come to be what it names. Call it before anything is added.
    ///
    /// # Errors
    /// [`WriteError::Body`] for a body that names nothing in a pool that is nearly full: there
    /// every number may come to name something.
    pub fn pin_dangling(&mut self) -> Result<(), WriteError> {
        let mut pinned = Vec::new();
        for (body, code) in self.codes.iter().enumerate() {
            let Some(insns) = code.insns() else { continue };
            for insn in raw_insns(&insns) {
                for (pool, offset, wide) in insn.indices() {
                    let at = insn.at + offset;
                    let unit = |at: usize| insns.get(at).map(|&unit| u32::from(unit));
                    let high = if wide { unit(at + 1).map(|high| high << 16) } else { Some(0) };
                    let (Some(low), Some(high)) = (unit(at), high) else { continue };
                    let items = self.pool_len(pool);
                    if ((low | high) as usize) < items {
                        continue;
                    }
                    if items > MAX_ITEMS && !wide {
                        let (body, problem) =
                            (CodeId(body as u32), CodeError::NotInPool { pool, index: low });
                        return Err(WriteError::Body {
                            body,
                            method: self.method_of(body),
                            problem,
                        });
                    }
                    pinned.push((body, at, wide));
                }
            }
        }
        for (body, at, wide) in pinned {
            let Some(item) = self.codes[body].item().map(Cow::into_owned) else { continue };
            self.codes[body] = item.into();
            if let Body::Raw(item) = &mut self.codes[body] {
                item.insns[at..=at + usize::from(wide)].fill(u16::MAX);
            }
        }
        Ok(())
    }

    /// The first method that has this body.
    fn method_of(&self, code: CodeId) -> String {
        let mut methods = self.classes.iter().flat_map(|class| class.methods());
        methods
            .find(|m| m.code == Some(code))
            .map_or_else(String::new, |m| self.method_name(m.method))
    }
}

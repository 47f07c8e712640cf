//! Rewrites dex files without probes.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use dex::{CodeId, IndexMap};

use crate::analysis::program::DexFile;
use crate::error::InstrumentError;
use crate::plan::selection::decode_sound;
use crate::report::{Output, Report, SkippedMethod};

/// Decodes, edits and lowers every body without adding a probe (codec `none`).
pub(crate) fn rebuild(files: Vec<DexFile>, mut report: Report) -> Result<Output, InstrumentError> {
    let mut out = Vec::new();
    for (file, counts) in files.into_iter().zip(&mut report.dex) {
        let dex = &file.dex;
        let instructions = AtomicUsize::new(0);
        let reasons: Mutex<HashMap<CodeId, String>> = Mutex::default();
        let make = |body: CodeId, map: &IndexMap| {
            let raw = dex.codes[body.0 as usize].item()?;
            match decode_sound(dex, &raw) {
                Ok((code, _)) => {
                    instructions.fetch_add(code.insns().count(), Ordering::Relaxed);
                    Some(dex::lower(&code, map))
                }
                Err(reason) => {
                    let mut reasons = reasons.lock().expect("no panic while held");
                    reasons.insert(body, reason.to_string());
                    None
                }
            }
        };
        let written = dex.write_with(&make);
        let bytes = written
            .map_err(|problem| InstrumentError::Write { file: file.name.clone(), problem })?
            .bytes;
        let reasons = reasons.into_inner().expect("no panic while held");
        counts.instructions = instructions.into_inner();
        counts.instrumented = counts.methods;
        for m in dex.classes.iter().flat_map(|class| class.methods()) {
            if let Some(reason) = m.code.and_then(|body| reasons.get(&body)) {
                counts.instrumented -= 1;
                report.skipped.push(SkippedMethod {
                    method: dex.method_name(m.method),
                    reason: reason.clone(),
                    by_limit: false,
                    by_user: false,
                });
            }
        }
        counts.bytes_out = bytes.len();
        out.push((file.name, bytes));
    }
    Ok(Output { files: out, added: Vec::new(), map: None, report, ran: Vec::new() })
}

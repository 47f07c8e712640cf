//! `simpleperf report-sample --protobuf` (AOSP, `simpleperf/cmd_report_sample.proto`).

use hashbrown::HashMap;

use super::protobuf::Fields;
use super::{CodeAddress, NO_CALL, Name, ReadError, Samples, StackSample, split_name};

pub(super) const MAGIC: &[u8; 10] = b"SIMPLEPERF";
const FORMAT: &str = "simpleperf protobuf";
/// Execution type of a frame of the interpreter.
const INTERPRETED: u64 = 1;
/// Without `--show-execution-type`, files whose frames are of the interpreter.
const DEX: [&str; 4] = [".dex", ".vdex", ".apk", ".jar"];

/// Numbers that were assigned.
#[derive(Default)]
struct AssignedNumbers {
    /// Of file, symbol and offset: positions in [`Samples::names`].
    names: HashMap<(u64, u64, Option<u64>), u32>,
    /// Positions in [`Samples::files`].
    files: HashMap<u64, u32>,
}

/// Tables may follow their use: they are read first.
pub(super) fn read(bytes: &[u8]) -> Result<Samples, ReadError> {
    let damaged = |at, what| ReadError::Damaged { format: FORMAT, at, what };
    let version = bytes.get(10..12).ok_or(damaged(10, "no version"))?;
    let version = u16::from_le_bytes([version[0], version[1]]);
    if version != 1 {
        return Err(ReadError::Version { format: FORMAT, version: version.into() });
    }
    let mut samples = Samples::default();
    let mut files: HashMap<u64, (String, Vec<&[u8]>)> = HashMap::new();
    for (kind, record) in Records::new(bytes).flat_map(Fields::new) {
        match kind {
            3 => {
                let (mut id, mut path, mut symbols) = (0, String::new(), Vec::new());
                for (field, value) in Fields::new(record.bytes()) {
                    match field {
                        1 => id = value.number(),
                        2 => path = value.text(),
                        3 => symbols.push(value.bytes()),
                        _ => {}
                    }
                }
                files.insert(id, (path, symbols));
            }
            4 => {
                let (mut id, mut name) = (0, String::new());
                for (field, value) in Fields::new(record.bytes()) {
                    match field {
                        1 => id = value.number() as u32,
                        3 => name = value.text(),
                        _ => {}
                    }
                }
                samples.threads.insert(id, name);
            }
            2 => {
                let lost = Fields::new(record.bytes()).find(|f| f.0 == 2);
                samples.lost = lost.map_or(0, |f| f.1.number());
            }
            _ => {}
        }
    }
    let mut known = AssignedNumbers::default();
    let mut records = Records::new(bytes);
    for record in records.by_ref() {
        for (_, sample) in Fields::new(record).filter(|f| f.0 == 1) {
            read_sample(&mut samples, &files, &mut known, sample.bytes());
        }
    }
    samples.cut = records.cut;
    Ok(samples)
}

fn read_sample(
    samples: &mut Samples,
    files: &HashMap<u64, (String, Vec<&[u8]>)>,
    known: &mut AssignedNumbers,
    record: &[u8],
) {
    let (mut ns, mut thread, mut chain) = (0, 0, Vec::new());
    for (field, value) in Fields::new(record) {
        match field {
            1 => ns = value.number(),
            2 => thread = value.number() as u32,
            // Innermost first.
            3 => chain.push(value.bytes()),
            _ => {}
        }
    }
    let mut call = NO_CALL;
    for entry in chain.into_iter().rev() {
        let (mut file, mut symbol, mut offset, mut kind) = (0, u64::MAX, 0, None);
        for (field, value) in Fields::new(entry) {
            match field {
                1 => offset = value.number(),
                4 => kind = Some(value.number()),
                2 => file = value.number(),
                3 => symbol = value.number(),
                _ => {}
            }
        }
        // Of other frames the offset is one of machine code.
        let is_dex = || files.get(&file).is_some_and(|f| DEX.iter().any(|e| f.0.ends_with(e)));
        let offset = kind.map_or_else(is_dex, |k| k == INTERPRETED).then_some(offset);
        let name = match known.names.get(&(file, symbol, offset)) {
            Some(&name) => name,
            None => {
                let mut name = named(files, file, symbol);
                if let Some(offset) = offset.filter(|_| !name.class.is_empty()) {
                    let number = *known.files.entry(file).or_insert_with(|| {
                        samples.files.push(files.get(&file).map_or(String::new(), |f| f.0.clone()));
                        samples.files.len() as u32 - 1
                    });
                    name.at = Some(CodeAddress::Dex { file: number, offset });
                }
                let name = samples.name(name);
                known.names.insert((file, symbol, offset), name);
                name
            }
        };
        call = samples.call(call, name);
    }
    if call == NO_CALL {
        samples.broken += 1;
    }
    samples.seen.push(StackSample { ns, thread, call, times: 1 });
}

fn named(files: &HashMap<u64, (String, Vec<&[u8]>)>, file: u64, symbol: u64) -> Name {
    let Some((path, symbols)) = files.get(&file) else { return Name::default() };
    let symbol = usize::try_from(symbol).ok().and_then(|s| symbols.get(s));
    let text = symbol.map_or(path.as_str().into(), |s| String::from_utf8_lossy(s));
    let native = path.ends_with(".so") || path.starts_with('[') && !path.contains("dex");
    match split_name(&text).filter(|_| !native) {
        Some((class, method)) => {
            Name { class: class.into(), method: method.into(), ..Name::default() }
        }
        None => Name { method: text.into_owned(), ..Name::default() },
    }
}

/// The records of a file.
struct Records<'b> {
    bytes: &'b [u8],
    at: usize,
    cut: bool,
}

impl<'b> Records<'b> {
    fn new(bytes: &'b [u8]) -> Records<'b> {
        Records { bytes, at: MAGIC.len() + 2, cut: false }
    }
}

impl<'b> Iterator for Records<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        if self.cut {
            return None;
        }
        let size = self.bytes.get(self.at..self.at.saturating_add(4));
        let Some(size) = size else {
            self.cut = true;
            return None;
        };
        let size = u32::from_le_bytes([size[0], size[1], size[2], size[3]]) as usize;
        if size == 0 {
            return None;
        }
        let record = self.bytes.get(self.at + 4..(self.at + 4).saturating_add(size));
        self.cut = record.is_none();
        self.at += 4 + size;
        record
    }
}

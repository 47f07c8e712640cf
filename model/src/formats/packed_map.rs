//! A map in bytes, put together method by method: as values, all of an app's blocks take twenty
//! times the memory.

use serde::Serialize;

use super::map::{BuildId, ID_BYTES, Map, Method, VERSION, content_id, file_of};

/// The methods of a map in bytes, which take a fraction of the memory.
#[derive(Debug, Default)]
pub struct PackedMethods {
    count: usize,
    bytes: Vec<u8>,
}

impl PackedMethods {
    /// Adds a method.
    pub fn push(&mut self, method: &Method) {
        self.count += 1;
        append(&mut self.bytes, method);
    }

    /// The map that has these methods and else what `rest` has, packed. Gives both their id.
    pub fn seal(self, rest: &mut Map) -> PackedMap {
        let Map {
            build,
            origin,
            recording,
            id_bits,
            package,
            names,
            methods: _,
            handlers,
            slots,
            next_callbacks,
            skipped,
            places,
            protocol,
            inlined,
            paths,
            code_lines,
            generated,
            origins,
            upper_bounds,
            throwing,
        } = rest;
        let names_bytes: usize = names.iter().map(|name| name.len() + 5).sum();
        let mut plain = Vec::with_capacity(self.bytes.len() + names_bytes + package.len() + 100);
        *build = BuildId::default();
        append(&mut plain, &(&build, &origin, recording, id_bits, &package, &names, self.count));
        plain.extend(self.bytes);
        append(&mut plain, &(&handlers, &slots, &next_callbacks, &skipped, &places, protocol));
        append(&mut plain, &(&inlined, &paths, &code_lines, &generated, &origins));
        append(&mut plain, &(upper_bounds, &throwing));
        *build = content_id(VERSION, &plain);
        plain[..ID_BYTES].copy_from_slice(&build.0);
        PackedMap { build: *build, file: file_of(&plain) }
    }
}

/// Appends a part of a map as the map's own encoding has it.
fn append(out: &mut Vec<u8>, part: &impl Serialize) {
    let appended = postcard::to_extend(part, std::mem::take(out));
    *out = appended.expect("a map in memory always serialises");
}

/// A map as the bytes of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedMap {
    build: BuildId,
    file: Vec<u8>,
}

impl PackedMap {
    /// The map.
    pub fn unpack(&self) -> Map {
        Map::from_file(&self.file).expect("a map was packed").0
    }

    /// Its build.
    pub fn build(&self) -> BuildId {
        self.build
    }

    /// The bytes of its file, those of [`Map::to_bytes`].
    pub fn as_bytes(&self) -> &[u8] {
        &self.file
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::block::{Block, Terminator};
    use crate::map::{
        MethodKind, NameId, OriginKind, OriginRange, Skipped, Slot, SourcePositions, ThrowingLines,
    };
    use crate::recording::TraceCodec;

    fn method(fingerprint: u64) -> Method {
        let block = Block {
            pc: 0,
            end: 3,
            lines: Vec::new(),
            calls: Vec::new(),
            throws: true,
            mark: false,
            terminator: Terminator::Return,
        };
        Method {
            class: NameId(0),
            name: NameId(1),
            descriptor: NameId(2),
            source_file: None,
            in_app: None,
            kind: MethodKind::Source,
            guarded: true,
            blocks: vec![block],
            regions: Vec::new(),
            loops: Vec::new(),
            fingerprint,
        }
    }

    #[test]
    fn a_map_packed_method_by_method_is_the_map_sealed_as_a_whole() {
        let slot = Slot { callees: Vec::new(), freqs: vec![65_535], site: NameId(0) };
        let mut whole = Map {
            build: BuildId([7; 16]),
            origin: [3; 32],
            recording: TraceCodec::Huffman.into(),
            id_bits: 5,
            package: "a.b".into(),
            names: vec!["La/B;".into(), "c".into(), "()V".into()],
            methods: (0..200).map(method).collect(),
            handlers: Vec::new(),
            slots: vec![slot],
            next_callbacks: Vec::new(),
            skipped: vec![Skipped { method: "La/D;->e()V".into(), reason: "none".into() }],
            places: SourcePositions::default(),
            protocol: 3,
            inlined: Vec::new(),
            paths: Vec::new(),
            code_lines: Vec::new(),
            generated: Vec::new(),
            origins: vec![OriginRange {
                kind: OriginKind::Id,
                first: 7,
                count: 1,
                names: vec![Some(NameId(1))],
            }],
            upper_bounds: true,
            throwing: ThrowingLines::default(),
        };
        let mut packed = PackedMethods::default();
        whole.methods.iter().for_each(|m| packed.push(m));
        let mut rest = Map { methods: Vec::new(), ..whole.clone() };
        let packed = packed.seal(&mut rest);
        whole.seal();
        assert_eq!(rest.build, whole.build);
        assert_eq!(packed.build(), whole.build);
        assert!(packed.unpack() == whole);
        assert!(packed.as_bytes() == whole.to_bytes());
        assert!(Map::from_bytes(packed.as_bytes()).is_ok());
    }
}

//! Small packages built in code: a zip writer that can also write wrong zips, and a binary XML
//! writer.

use std::io::Write;

/// One entry to write, with everything that the tests vary.
#[derive(Clone)]
pub struct Item {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    pub method: u16,
    pub time: u16,
    pub date: u16,
    pub external: u32,
    pub local_extra: Vec<u8>,
    pub central_extra: Vec<u8>,
    /// Sizes in a data descriptor after the data, zeros in the local header.
    pub streamed: bool,
    /// Flags added to both headers.
    pub flags: u16,
    /// Name in the local header, where it is to differ.
    pub local_name: Option<&'static str>,
    /// Checksum and size of the content, where `bytes` are deflated already.
    pub deflated: Option<(u32, u32)>,
}

pub fn item(name: &'static str, bytes: &[u8]) -> Item {
    Item {
        name,
        bytes: bytes.to_vec(),
        method: 8,
        time: 0x0822,
        date: 0x0221,
        external: 0o100_644 << 16,
        local_extra: Vec::new(),
        central_extra: Vec::new(),
        streamed: false,
        flags: 0,
        local_name: None,
        deflated: None,
    }
}

impl Item {
    pub fn stored(mut self) -> Self {
        self.method = 0;
        self
    }

    fn raw(&self) -> Vec<u8> {
        match self.method {
            8 if self.deflated.is_none() => {
                // Another level than the writer under test, so that recompressing would show.
                let mut encoder =
                    flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(&self.bytes).unwrap();
                encoder.finish().unwrap()
            }
            _ => self.bytes.clone(),
        }
    }

    /// Checksum, compressed size and size.
    fn sums(&self, raw: &[u8]) -> [u32; 3] {
        let (crc, size) =
            self.deflated.unwrap_or((crc32fast::hash(&self.bytes), self.bytes.len() as u32));
        [crc, raw.len() as u32, size]
    }
}

/// An entry of a few hundred kilobytes that inflates to this many MiB of zeros.
pub fn bomb(name: &'static str, mebibytes: u32) -> Item {
    let mebibyte = vec![0; 1 << 20];
    let mut part = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    // A flush ends at a byte and needs nothing of what was before, so the part can be repeated.
    part.write_all(&mebibyte).and_then(|()| part.flush()).unwrap();
    let mut raw = part.get_ref().repeat(mebibytes as usize);
    // An empty last block.
    raw.extend([1, 0, 0, 0xff, 0xff]);
    let mut one = crc32fast::Hasher::new();
    one.update(&mebibyte);
    let mut crc = crc32fast::Hasher::new();
    (0..mebibytes).for_each(|_| crc.combine(&one));
    Item { deflated: Some((crc.finalize(), mebibytes << 20)), ..item(name, &raw) }
}

/// Writes the items in order; the central directory lists them in the order of `central`.
pub fn zip_with_order(items: &[Item], central: &[usize], comment: &[u8]) -> Vec<u8> {
    let (mut out, mut offsets) = (Vec::new(), Vec::new());
    for it in items {
        let raw = it.raw();
        offsets.push(out.len());
        let flags = it.flags | if it.streamed { 8 } else { 0 };
        let sums = it.sums(&raw);
        let local = it.local_name.unwrap_or(it.name);
        out.extend(b"PK\x03\x04\x14\0");
        for half in [flags, it.method, it.time, it.date] {
            out.extend(half.to_le_bytes());
        }
        for sum in if it.streamed { [0; 3] } else { sums } {
            out.extend(sum.to_le_bytes());
        }
        out.extend((local.len() as u16).to_le_bytes());
        out.extend((it.local_extra.len() as u16).to_le_bytes());
        out.extend(local.as_bytes());
        out.extend(&it.local_extra);
        out.extend(&raw);
        if it.streamed {
            out.extend(b"PK\x07\x08");
            sums.iter().for_each(|sum| out.extend(sum.to_le_bytes()));
        }
    }
    let start = out.len();
    for &i in central {
        let it = &items[i];
        out.extend(b"PK\x01\x02\x14\x03\x14\0");
        for half in [it.flags | if it.streamed { 8 } else { 0 }, it.method, it.time, it.date] {
            out.extend(half.to_le_bytes());
        }
        for sum in it.sums(&it.raw()) {
            out.extend(sum.to_le_bytes());
        }
        for half in [it.name.len(), it.central_extra.len(), 0, 0, 0] {
            out.extend((half as u16).to_le_bytes());
        }
        out.extend(it.external.to_le_bytes());
        out.extend((offsets[i] as u32).to_le_bytes());
        out.extend(it.name.as_bytes());
        out.extend(&it.central_extra);
    }
    let size = out.len() - start;
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend((central.len() as u16).to_le_bytes());
    out.extend((central.len() as u16).to_le_bytes());
    out.extend((size as u32).to_le_bytes());
    out.extend((start as u32).to_le_bytes());
    out.extend((comment.len() as u16).to_le_bytes());
    out.extend(comment);
    out
}

pub fn zip(items: &[Item]) -> Vec<u8> {
    zip_with_order(items, &(0..items.len()).collect::<Vec<_>>(), b"")
}

/// An entry as a reader finds it by the central directory.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub name: String,
    pub method: u16,
    pub time: u32,
    pub flags: u16,
    pub external: u32,
    pub local_at: usize,
    pub data_at: usize,
    pub raw: Vec<u8>,
    pub local_extra: Vec<u8>,
    pub central_extra: Vec<u8>,
}

pub fn u16_at(b: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([b[at], b[at + 1]]))
}

pub fn u32_at(b: &[u8], at: usize) -> usize {
    u32::from_le_bytes(b[at..at + 4].try_into().unwrap()) as usize
}

/// Start of the end record; the tests write no PK\5\6 anywhere else.
pub fn end_at(b: &[u8]) -> usize {
    b.windows(4).rposition(|w| w == b"PK\x05\x06").unwrap()
}

/// Lists a zip by the shortest possible reader.
pub fn list(b: &[u8]) -> Vec<Found> {
    let end = end_at(b);
    let mut at = u32_at(b, end + 16);
    let mut found = Vec::new();
    for _ in 0..u16_at(b, end + 10) {
        let (n, x, c) = (u16_at(b, at + 28), u16_at(b, at + 30), u16_at(b, at + 32));
        let local_at = u32_at(b, at + 42);
        let (ln, lx) = (u16_at(b, local_at + 26), u16_at(b, local_at + 28));
        let data_at = local_at + 30 + ln + lx;
        found.push(Found {
            name: String::from_utf8_lossy(&b[at + 46..at + 46 + n]).into_owned(),
            method: u16_at(b, at + 10) as u16,
            time: u32_at(b, at + 12) as u32,
            flags: u16_at(b, at + 8) as u16,
            external: u32_at(b, at + 38) as u32,
            local_at,
            data_at,
            raw: b[data_at..data_at + u32_at(b, at + 20)].to_vec(),
            local_extra: b[local_at + 30 + ln..data_at].to_vec(),
            central_extra: b[at + 46 + n..at + 46 + n + x].to_vec(),
        });
        at += 46 + n + x + c;
    }
    found
}

pub fn names(b: &[u8]) -> Vec<String> {
    list(b).into_iter().map(|f| f.name).collect()
}

/// An attribute of a binary XML element.
pub enum Attr {
    /// Framework attribute by resource id; its name in the pool is empty, as obfuscators leave it.
    Text(u32, &'static str),
    Int(u32, i32),
    Bool(u32, bool),
    /// By id, with the longest string of the pool.
    Again(u32),
    /// Without namespace and id.
    Plain(&'static str, &'static str),
    /// In the android namespace by name only.
    Named(&'static str, &'static str),
}

/// An element and the elements inside it.
pub struct El(pub &'static str, pub Vec<Attr>, pub Vec<El>);

/// Encodes binary XML, strings in UTF-8 or UTF-16.
pub fn axml(root: &El, utf8: bool) -> Vec<u8> {
    let mut ids = Vec::new();
    collect_ids(root, &mut ids);
    let mut strings: Vec<String> = ids.iter().map(|_| String::new()).collect();
    strings.push("http://schemas.android.com/apk/res/android".into());
    let namespace = ids.len() as u32;
    let mut body = Vec::new();
    element(root, &ids, namespace, &mut strings, &mut body);
    let (mut data, mut offsets) = (Vec::new(), Vec::new());
    for s in &strings {
        offsets.extend((data.len() as u32).to_le_bytes());
        if utf8 {
            data.extend([s.chars().count() as u8, s.len() as u8]);
            data.extend(s.as_bytes());
            data.push(0);
        } else {
            let units: Vec<u16> = s.encode_utf16().collect();
            data.extend((units.len() as u16).to_le_bytes());
            units.iter().chain(&[0]).for_each(|u| data.extend(u.to_le_bytes()));
        }
    }
    data.resize(data.len().next_multiple_of(4), 0);
    let mut pool = Vec::new();
    for word in
        [strings.len() as u32, 0, if utf8 { 0x100 } else { 0 }, 28 + offsets.len() as u32, 0]
    {
        pool.extend(word.to_le_bytes());
    }
    let ids: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
    let chunks =
        [chunk(1, 28, &[pool, offsets, data].concat()), chunk(0x180, 8, &ids), body].concat();
    chunk(3, 8, &chunks)
}

fn chunk(kind: u16, header: u16, body: &[u8]) -> Vec<u8> {
    let head = [kind.to_le_bytes(), header.to_le_bytes()].concat();
    [head.as_slice(), &(8 + body.len() as u32).to_le_bytes(), body].concat()
}

fn collect_ids(e: &El, ids: &mut Vec<u32>) {
    for a in &e.1 {
        if let Attr::Text(id, _) | Attr::Int(id, _) | Attr::Bool(id, _) = a
            && !ids.contains(id)
        {
            ids.push(*id);
        }
    }
    e.2.iter().for_each(|child| collect_ids(child, ids));
}

fn longest(strings: &[String]) -> u32 {
    (0..strings.len()).max_by_key(|&i| strings[i].len()).unwrap_or(0) as u32
}

fn element(e: &El, ids: &[u32], namespace: u32, strings: &mut Vec<String>, out: &mut Vec<u8>) {
    let text = |strings: &mut Vec<String>, s: &str| {
        strings.push(s.to_owned());
        strings.len() as u32 - 1
    };
    let none = u32::MAX;
    let place = |id: &u32| ids.iter().position(|i| i == id).unwrap() as u32;
    let name = text(strings, e.0);
    let mut body: Vec<u8> =
        [1, none, none, name].iter().flat_map(|w: &u32| w.to_le_bytes()).collect();
    for half in [20, 20, e.1.len() as u16, 0, 0, 0] {
        body.extend(half.to_le_bytes());
    }
    for a in &e.1 {
        let (ns, name, kind, data) = match a {
            Attr::Text(id, s) => (namespace, place(id), 3u8, text(strings, s)),
            Attr::Int(id, v) => (namespace, place(id), 0x10, *v as u32),
            Attr::Bool(id, v) => (namespace, place(id), 0x12, if *v { none } else { 0 }),
            Attr::Again(id) => (namespace, place(id), 3, longest(strings)),
            Attr::Plain(n, s) => (none, text(strings, n), 3, text(strings, s)),
            Attr::Named(n, s) => (namespace, text(strings, n), 3, text(strings, s)),
        };
        let raw = if kind == 3 { data } else { none };
        [ns, name, raw].iter().for_each(|w| body.extend(w.to_le_bytes()));
        body.extend([8, 0, 0, kind]);
        body.extend(data.to_le_bytes());
    }
    out.extend(chunk(0x102, 16, &body));
    e.2.iter().for_each(|child| element(child, ids, namespace, strings, out));
    let end: Vec<u8> = [1, none, none, name].iter().flat_map(|w: &u32| w.to_le_bytes()).collect();
    out.extend(chunk(0x103, 16, &end));
}

pub const NAME: u32 = 0x0101_0003;
pub const SHARED_USER_ID: u32 = 0x0101_000b;
pub const ENABLED: u32 = 0x0101_000e;
pub const EXPORTED: u32 = 0x0101_0010;
pub const PROCESS: u32 = 0x0101_0011;
pub const TARGET_ACTIVITY: u32 = 0x0101_0202;
pub const MIN_SDK: u32 = 0x0101_020c;
pub const TARGET_SDK: u32 = 0x0101_0270;
pub const IS_SPLIT_REQUIRED: u32 = 0x0101_0591;
pub const REQUIRED_SPLIT_TYPES: u32 = 0x0101_064e;

/// A manifest with nothing but a package and SDK numbers.
pub fn manifest(min_sdk: i32, target_sdk: i32) -> Vec<u8> {
    let sdk = El(
        "uses-sdk",
        vec![Attr::Int(MIN_SDK, min_sdk), Attr::Int(TARGET_SDK, target_sdk)],
        vec![],
    );
    axml(&El("manifest", vec![Attr::Plain("package", "a.b")], vec![sdk]), true)
}

/// Bytes that begin like a DEX file and compress badly.
pub fn dex(seed: u8, len: usize) -> Vec<u8> {
    let mut state = u32::from(seed) + 1;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 26) as u8
    });
    b"dex\n035\0".iter().copied().chain(noise).take(len).collect()
}

/// An APK with one of everything: three DEX files after a gap, resources, libraries, a profile, an
/// old signature.
pub fn full_apk(min_sdk: i32, target_sdk: i32) -> Vec<Item> {
    let mut timed = item("classes2.dex", &dex(2, 3000));
    (timed.time, timed.date) = (0x1234, 0x5678);
    let mut extra = item("assets/kept.bin", &[7; 999]).stored();
    extra.local_extra = [b"UT\x05\0\x01\x02\x03\x04\x05".as_slice(), &[0; 3]].concat();
    extra.central_extra = b"UT\x05\0\x01\x02\x03\x04\x05".to_vec();
    extra.external = 0o100_755 << 16;
    let mut streamed = item("res/a.xml", &[b'x'; 500]);
    streamed.streamed = true;
    let mut odd = item("assets/odd.method", b"copied as it is");
    odd.method = 14;
    vec![
        item("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\n\r\n"),
        item("META-INF/CERT.SF", b"old"),
        item("META-INF/CERT.RSA", b"old"),
        item("META-INF/androidx.core_core.version", b"1.0\n"),
        item("AndroidManifest.xml", &manifest(min_sdk, target_sdk)),
        item("classes.dex", &dex(1, 5000)),
        timed,
        item("classes4.dex", &dex(4, 100)),
        streamed,
        extra,
        odd,
        item("lib/arm64-v8a/libx.so", &[1; 100]).stored(),
        item("lib/arm64-v8a/libpacked.so", &[2; 100]),
        item("resources.arsc", &[3; 400]).stored(),
        item("assets/dexopt/baseline.prof", b"prof"),
        item("assets/empty/", b"").stored(),
    ]
}

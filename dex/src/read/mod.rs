//! Bytes to model.

mod annotations;
mod bodies;
mod classes;
pub(crate) mod cursor;
pub(crate) mod header;
pub(crate) mod ids;
pub(crate) mod sections;
pub(crate) mod unmapped;
pub(crate) mod values;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::file::error::{ReadError, ReadErrorKind, Section};
use crate::file::{Body, Dex, StoredBody, Version};
use crate::ids::CodeId;
use bodies::StoredFile;
use cursor::{Cursor, Result};
use header::Header;

/// Options of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// True if a wrong Adler-32 checksum is an error (default). The SHA-1 signature is never
    /// checked: no runtime checks it, and the checksum finds damage as well.
    pub check_sums: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { check_sums: true }
    }
}

impl ReadOptions {
    /// Takes files with any Adler-32 checksum, such as mutated ones.
    pub fn any_check_sum() -> ReadOptions {
        ReadOptions { check_sums: false }
    }
}

impl Dex {
    /// Reads a DEX file, version 035 to 040, whole: every item of every section, bodies as
    /// [`Body::Raw`](crate::Body::Raw).
    ///
    /// # Errors
    /// Fails if the file is damaged or of another kind. Reading checks indices, so those of the
    /// model are valid; those inside instructions are checked when a body is decoded or written.
    pub fn read(bytes: &[u8]) -> std::result::Result<Dex, ReadError> {
        Dex::read_with(bytes, ReadOptions::default())
    }

    /// [`read`](Dex::read), with options.
    ///
    /// # Errors
    /// As for `read`.
    pub fn read_with(bytes: &[u8], options: ReadOptions) -> std::result::Result<Dex, ReadError> {
        let header = Header::read(bytes, options.check_sums)?;
        let budget = Budget::new(header.file_size);
        let file = DexReader::new(bytes, &header, &budget);
        file.read_dex(None).map(|(dex, _)| dex)
    }

    /// As [`read`](Dex::read), but bodies and annotations stay where they are, as
    /// [`Body::Stored`](crate::Body::Stored) and
    /// [`ClassAnnotations::Stored`](crate::ClassAnnotations::Stored): they are checked now, and
    /// read again whenever one is looked at. Takes a small part of the memory.
    ///
    /// # Errors
    /// As for `read`.
    pub fn read_shared(bytes: Arc<Vec<u8>>) -> std::result::Result<Dex, ReadError> {
        Dex::read_shared_noting(bytes).map(|(dex, _)| dex)
    }

    /// As [`read_shared`](Dex::read_shared), with the bodies whose debug info is malformed. They
    /// have none in the model.
    ///
    /// # Errors
    /// As for `read`.
    pub fn read_shared_noting(
        bytes: Arc<Vec<u8>>,
    ) -> std::result::Result<(Dex, Vec<CodeId>), ReadError> {
        let source = StoredFile::new(bytes)?;
        let budget = Budget::new(source.header.file_size);
        let file = DexReader::new(&source.bytes, &source.header, &budget);
        file.read_dex(Some(&source))
    }
}

impl DexReader<'_> {
    /// The whole file, and the bodies whose debug info is malformed. Bodies and annotations stay in
    /// this source's bytes.
    fn read_dex(&self, source: Option<&Arc<StoredFile>>) -> Result<(Dex, Vec<CodeId>)> {
        let file = self;
        let strings = file.read_strings()?;
        let types = file.read_types()?;
        let protos = file.read_protos()?;
        let fields = file.read_fields()?;
        let methods = file.read_methods()?;
        let method_handles = file.read_method_handles()?;
        let call_sites = file.read_call_sites()?;
        let (classes, offsets) = file.read_classes(source)?;
        let stored = |source: &Arc<StoredFile>| {
            let body = |&at| Body::Stored(StoredBody::new(source.clone(), at));
            offsets.iter().map(body).collect::<Vec<_>>()
        };
        let (codes, without_debug) = match source {
            None => file.read_bodies(&offsets)?,
            Some(source) => (stored(source), file.check_bodies(&offsets)?),
        };
        let dex = Dex {
            version: Version(file.header.version),
            strings: strings.into(),
            types: types.into(),
            protos: protos.into(),
            fields: fields.into(),
            methods: methods.into(),
            call_sites: call_sites.into(),
            method_handles: method_handles.into(),
            classes,
            codes,
        };
        Ok((dex, without_debug))
    }
}

/// Sizes of the pools, against which every index is checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolSizes {
    strings: usize,
    types: usize,
    protos: usize,
    fields: usize,
    methods: usize,
    method_handles: usize,
}

/// The file under reading.
struct DexReader<'a> {
    data: &'a [u8],
    header: &'a Header,
    sizes: PoolSizes,
    budget: &'a Budget,
}

impl<'a> DexReader<'a> {
    fn new(bytes: &'a [u8], header: &'a Header, budget: &'a Budget) -> DexReader<'a> {
        DexReader { data: &bytes[..header.file_size], header, sizes: header.sizes(), budget }
    }

    fn at(&self, offset: u32, section: Section) -> Cursor<'a> {
        Cursor::new(self.data, offset as usize, section)
    }
}

/// Bounds the memory that a file can make the reader use.
///
/// Items are referred to by offset, so a few bytes can refer to the same large item thousands of
/// times, or to items that overlap each other. Compilers share items too (type lists, annotation
/// sets), hence the factor.
struct Budget {
    left: AtomicU64,
}

impl Budget {
    const FACTOR: u64 = 4;
    const FLOOR: u64 = 1 << 16;

    fn new(file_size: usize) -> Budget {
        Budget { left: AtomicU64::new(Self::FLOOR + Self::FACTOR * file_size as u64) }
    }

    /// Takes `amount` (elements of some tens of bytes at most) off the budget.
    fn spend(&self, at: &Cursor<'_>, amount: usize) -> Result<()> {
        let amount = amount as u64;
        let take = |left: u64| left.checked_sub(amount);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => Ok(()),
            Err(_) => at.error(ReadErrorKind::Expansion),
        }
    }
}

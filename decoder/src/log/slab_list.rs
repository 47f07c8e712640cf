//! The pieces of a stream by sequence. Memory holds few of them; the others wait in the temporary
//! file.
//!
//! A stream comes nearly in order, so it is cut into chunks of neighbours. The first chunk and the
//! ones that were used last are held.

use std::borrow::Cow;

use super::store::{InputError, Stores};
use super::stored_slab::StoredSlab;

/// Pieces in a full chunk.
const CHUNK: usize = 128;

/// Chunks of a stream that are held beside the first one.
const HELD: usize = 4;

type NumberedSlab = (u32, StoredSlab);

/// Neighbours by sequence.
#[derive(Debug)]
struct Chunk {
    first: u32,
    count: u32,
    /// Its room in the temporary file, once it has some.
    at: Option<u64>,
    /// `None`: they are in the temporary file.
    held: Option<Vec<NumberedSlab>>,
}

impl Chunk {
    fn of(rows: Vec<NumberedSlab>) -> Self {
        let first = rows.first().map_or(0, |r| r.0);
        Chunk { first, count: rows.len() as u32, at: None, held: Some(rows) }
    }

    fn fetched(&self, stores: &mut Stores) -> Result<Vec<NumberedSlab>, InputError> {
        let mut bytes = vec![0; self.count as usize * StoredSlab::PACKED];
        stores.read_temporary(self.at.unwrap_or(0), &mut bytes)?;
        Ok(bytes.chunks_exact(StoredSlab::PACKED).map(StoredSlab::unpack).collect())
    }

    fn rows(&self, stores: &mut Stores) -> Result<Cow<'_, [NumberedSlab]>, InputError> {
        match &self.held {
            Some(rows) => Ok(Cow::Borrowed(rows)),
            None => Ok(Cow::Owned(self.fetched(stores)?)),
        }
    }

    fn put(&mut self, stores: &mut Stores) -> Result<(), InputError> {
        let Some(rows) = self.held.take() else { return Ok(()) };
        let mut bytes = Vec::with_capacity(CHUNK * StoredSlab::PACKED);
        rows.iter().for_each(|(sequence, piece)| piece.pack(*sequence, &mut bytes));
        match self.at {
            Some(at) => stores.write_temporary(at, &bytes)?,
            None => {
                // With room for the pieces that may come.
                bytes.resize(CHUNK * StoredSlab::PACKED, 0);
                self.at = Some(stores.append(&bytes)?.1);
            }
        }
        Ok(())
    }
}

/// Pieces by sequence.
#[derive(Debug, Default)]
pub(super) struct SlabList {
    /// Ascending; none is empty.
    chunks: Vec<Chunk>,
    /// Chunks that are held, but for the first; the one that was used last at the end.
    recent: Vec<usize>,
    len: usize,
}

impl FromIterator<NumberedSlab> for SlabList {
    /// Takes rows in ascending order, all held.
    fn from_iter<I: IntoIterator<Item = NumberedSlab>>(rows: I) -> Self {
        let mut all = SlabList::default();
        for row in rows {
            all.len += 1;
            match all.chunks.last_mut() {
                Some(Chunk { count, held: Some(rows), .. }) if rows.len() < CHUNK => {
                    rows.push(row);
                    *count += 1;
                }
                _ => all.chunks.push(Chunk::of(vec![row])),
            }
        }
        all.recent = (1..all.chunks.len()).collect();
        all
    }
}

impl SlabList {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns how many of them memory holds.
    pub fn held(&self) -> usize {
        self.chunks.iter().filter_map(|c| c.held.as_ref()).map(Vec::len).sum()
    }

    /// Returns true if memory can hold all of them.
    pub fn are_few(&self) -> bool {
        self.chunks.len() <= 1
    }

    /// The chunk that has a sequence, or would have it, held.
    fn hold(&mut self, sequence: u32, stores: &mut Stores) -> Result<usize, InputError> {
        let at = self.chunks.partition_point(|c| c.first <= sequence).saturating_sub(1);
        if self.recent.last() == Some(&at) || at == 0 {
            return Ok(at);
        }
        if self.chunks[at].held.is_none() {
            self.chunks[at].held = Some(self.chunks[at].fetched(stores)?);
        }
        self.use_of(at, stores)?;
        Ok(at)
    }

    /// Notes that a held chunk was used; the one that was not used for longest may be put away.
    fn use_of(&mut self, at: usize, stores: &mut Stores) -> Result<(), InputError> {
        self.recent.retain(|&i| i != at);
        self.recent.push(at);
        while self.recent.len() > HELD {
            let oldest = self.recent.remove(0);
            self.chunks[oldest].put(stores)?;
        }
        Ok(())
    }

    /// A piece.
    pub fn get(
        &mut self,
        sequence: u32,
        stores: &mut Stores,
    ) -> Result<Option<StoredSlab>, InputError> {
        if self.chunks.is_empty() {
            return Ok(None);
        }
        let at = self.hold(sequence, stores)?;
        let rows = self.chunks[at].held.as_deref().unwrap_or_default();
        Ok(rows.binary_search_by_key(&sequence, |r| r.0).ok().map(|i| rows[i].1))
    }

    /// Puts a piece in its place, or in that of the one with its sequence.
    pub fn insert(
        &mut self,
        sequence: u32,
        piece: StoredSlab,
        stores: &mut Stores,
    ) -> Result<(), InputError> {
        let row = (sequence, piece);
        if self.chunks.is_empty() {
            self.len = 1;
            self.chunks.push(Chunk::of(vec![row]));
            return Ok(());
        }
        let at = self.hold(sequence, stores)?;
        let (last, chunk) = (at + 1 == self.chunks.len(), &mut self.chunks[at]);
        let Some(rows) = &mut chunk.held else { return Ok(()) };
        let place = match rows.binary_search_by_key(&sequence, |r| r.0) {
            Ok(i) => {
                rows[i] = row;
                return Ok(());
            }
            Err(place) => place,
        };
        self.len += 1;
        if rows.len() < CHUNK {
            rows.insert(place, row);
            (chunk.first, chunk.count) = (rows[0].0, rows.len() as u32);
            return Ok(());
        }
        // A growing stream leaves full chunks in the earlier places.
        let kept = if last && place == rows.len() { CHUNK } else { CHUNK / 2 };
        let mut later = rows.split_off(kept);
        match place.checked_sub(kept) {
            Some(place) => later.insert(place, row),
            None => rows.insert(place, row),
        }
        rows.shrink_to_fit();
        (chunk.first, chunk.count) = (rows[0].0, rows.len() as u32);
        self.chunks.insert(at + 1, Chunk::of(later));
        self.recent.iter_mut().filter(|i| **i > at).for_each(|i| *i += 1);
        self.use_of(at + 1, stores)
    }

    /// Puts all but the first chunk into the temporary file.
    pub fn put(&mut self, stores: &mut Stores) -> Result<(), InputError> {
        for at in std::mem::take(&mut self.recent) {
            self.chunks[at].put(stores)?;
        }
        Ok(())
    }

    /// The pieces of the first chunk, in order.
    pub fn first(&self) -> &[NumberedSlab] {
        self.chunks.first().and_then(|c| c.held.as_deref()).unwrap_or_default()
    }

    /// The last piece.
    pub fn last(&self, stores: &mut Stores) -> Result<Option<NumberedSlab>, InputError> {
        let Some(chunk) = self.chunks.last() else { return Ok(None) };
        Ok(chunk.rows(stores)?.last().copied())
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The pieces of a chunk, in order.
    pub fn chunk(
        &self,
        number: usize,
        stores: &mut Stores,
    ) -> Result<Cow<'_, [NumberedSlab]>, InputError> {
        self.chunks[number].rows(stores)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn piece(n: u32) -> StoredSlab {
        let mut bytes = vec![0; StoredSlab::PACKED];
        bytes[16..20].copy_from_slice(&n.to_le_bytes());
        StoredSlab::unpack(&bytes).1
    }

    fn number(piece: &StoredSlab) -> u32 {
        let mut bytes = vec![];
        piece.pack(0, &mut bytes);
        u32::from_le_bytes(std::array::from_fn(|i| bytes[16 + i]))
    }

    /// In order, from the end, from both ends, in jumps: as a map of all in memory has them.
    #[test]
    fn pieces_in_any_order_are_those_of_a_map() {
        let count = 3_001u32;
        let orders: [fn(u32) -> u32; 5] = [
            |i| i,
            |i| 3_000 - i,
            |i| if i % 2 == 0 { i } else { 3_001 - i },
            |i| i * 1_009 % 3_001,
            |i| i * 7 % 400,
        ];
        for order in orders {
            let (mut stores, mut pieces) = (Stores::new(), SlabList::default());
            let mut map = BTreeMap::new();
            for i in 0..count {
                let sequence = order(i);
                let known = pieces.get(sequence, &mut stores).unwrap().map(|p| number(&p));
                assert_eq!(known, map.insert(sequence, i));
                pieces.insert(sequence, piece(i), &mut stores).unwrap();
                assert!(pieces.held() <= (HELD + 1) * CHUNK);
            }
            pieces.put(&mut stores).unwrap();
            assert!(pieces.held() <= CHUNK);
            let mut all = vec![];
            for n in 0..pieces.chunks() {
                all.extend_from_slice(&pieces.chunk(n, &mut stores).unwrap());
            }
            let all: Vec<_> = all.iter().map(|(n, p)| (*n, number(p))).collect();
            assert_eq!((all.len(), all), (pieces.len(), map.into_iter().collect()));
        }
    }
}

//! Length of a trace file that is in use. The runtime creates files in their full size; bytes never
//! written are zeros, most of a short session's file.

use std::io::{self, Read, Seek, SeekFrom};

use super::{MAX_FILE_HEADER, TraceFile};

/// Bytes that are looked through at a time: as many as a slab can have.
const PIECE: u64 = 65536;

/// Returns the number of bytes of a trace file that are in use: up to the end of the last slab that
/// was begun. Zeros follow, and the file means the same without them. Of a file that is not
/// understood, all bytes are in use. (Files that were joined by `cat`: see [`last_used`].)
///
/// # Errors
/// The file cannot be read.
pub fn used_len(file: &mut (impl Read + Seek)) -> io::Result<u64> {
    let len = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    file.by_ref().take(MAX_FILE_HEADER as u64).read_to_end(&mut head)?;
    let Ok(trace) = TraceFile::parse(&head) else { return Ok(len) };
    let slab = u64::from(trace.header.slab_size);
    let end = last_used(file, len)?;
    // Slabs begin at multiples of their size, which divides this one.
    Ok(end.next_multiple_of(slab).min(len))
}

/// Returns the offset at which the trailing zeros of the first `len` bytes begin. Little more than
/// these zeros is read.
///
/// # Errors
/// The file cannot be read.
pub fn last_used(file: &mut (impl Read + Seek), len: u64) -> io::Result<u64> {
    let mut piece = vec![0; PIECE.min(len) as usize];
    let mut end = len;
    while end > 0 {
        let begin = end.saturating_sub(PIECE);
        let piece = &mut piece[..(end - begin) as usize];
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(piece)?;
        if let Some(last) = last_byte(piece) {
            return Ok(begin + last as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

/// Returns the length up to the last byte that is not zero.
fn last_byte(bytes: &[u8]) -> Option<usize> {
    let (rest, words) = bytes.as_rchunks::<16>();
    match words.iter().rposition(|word| u128::from_ne_bytes(*word) != 0) {
        Some(at) => words[at].iter().rposition(|b| *b != 0).map(|b| rest.len() + 16 * at + b),
        None => rest.iter().rposition(|b| *b != 0),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::{FileHeader, Identity, SlabHeader, write_trace};
    use super::*;

    fn trace(payloads: &[&[u8]]) -> Vec<u8> {
        let header = FileHeader {
            slab_size: 1024,
            refused: None,
            identity: Identity::default(),
            table: None,
        };
        let slabs = payloads.iter().enumerate().map(|(i, payload)| {
            let slab = SlabHeader {
                thread: 1,
                sequence: i as u32,
                order: i as u32,
                shift: 0,
                sync: None,
                clock: 0,
                closed: i + 1 < payloads.len(),
                late: false,
                unrecorded: false,
                ring: false,
            };
            (slab, *payload)
        });
        write_trace(&header, slabs)
    }

    #[test]
    fn slabs_that_were_never_begun_are_not_in_use() {
        for payloads in [&[&b"first"[..], b"second"][..], &[b"one\0\0\0"], &[]] {
            let mut bytes = trace(payloads);
            let used = bytes.len() as u64;
            bytes.resize(bytes.len() + 300_000, 0);
            // Without a slab, the header's own place stays.
            let want = if payloads.is_empty() { 1024 } else { used };
            assert_eq!(used_len(&mut Cursor::new(&bytes)).unwrap(), want);
            let cut = &bytes[..want as usize];
            let slabs = |bytes| TraceFile::parse(bytes).unwrap().slabs().collect::<Vec<_>>();
            assert_eq!(slabs(cut).len(), slabs(&bytes).len());
        }
    }

    #[test]
    fn zeros_that_were_committed_stay() {
        // An open slab, whose payload ends in zeros.
        let payload = [&[1_u8][..], &[0; 700]].concat();
        let mut bytes = trace(&[&payload]);
        bytes.resize(bytes.len() + 5000, 0);
        let used = used_len(&mut Cursor::new(&bytes)).unwrap() as usize;
        let file = TraceFile::parse(&bytes[..used]).unwrap();
        let slab = file.slabs().next().unwrap().unwrap();
        assert_eq!(slab.payload, payload);
    }

    #[test]
    fn what_is_not_understood_stays_whole() {
        let bytes = [&b"PLTR"[..], &[0; 5000]].concat();
        assert_eq!(used_len(&mut Cursor::new(&bytes)).unwrap(), 5004);
        assert_eq!(used_len(&mut Cursor::new(b"")).unwrap(), 0);
    }

    #[test]
    fn the_last_byte_is_found_wherever_it_is() {
        for len in [1, 15, 16, 17, 65536, 65537, 200_000] {
            for at in [0, 1, 15, 16, len / 2, len - 1] {
                let mut bytes = vec![0; len];
                let at = at.min(len - 1);
                bytes[at] = 1;
                assert_eq!(last_used(&mut Cursor::new(&bytes), len as u64).unwrap(), at as u64 + 1);
            }
        }
        assert_eq!(last_used(&mut Cursor::new([0; 100]), 100).unwrap(), 0);
    }
}

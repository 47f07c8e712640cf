//! A device in Rust: plays random executions of random programs and writes what the probes would
//! write, following `docs/PROTOCOL.md` alone. It shares the encoder, the containers and the map
//! with the product and no line with the decoder, and it keeps its own list of what ran
//! ([`Truth`]): an oracle for whatever reads the bytes.
//!
//! The *truth* is kept as far as a log can hold it: a block reached by a `goto` counts
//! as begun when the next entry, exit or symbol of its frame follows; a callback out of an opaque
//! call stands before such blocks; when an exception comes first, they are among the places where
//! it can have been thrown.

mod device;
mod history;
mod maps;
mod play;
mod wire;

pub use device::{Device, Record, SYSTEM_ID};
pub use history::random_history;
pub use maps::{Shape, counts_to_map, random_map, sealed, uniform};
pub use mutation::Rng;
pub use play::{Event, Habits, How, Played, ThrowPoint, Truth, play, play_from};

use model::map::Map;
use model::trace::{
    CLOCK_BITS, FileHeader, Identity, Refused, SLAB_HEADER, SlabHeader, Sync, write_trace,
};

/// The slabs of a thread's stream: payloads of `size` bytes (the last one shorter), with the sync
/// points of the records.
pub fn slabs(
    played: &Played,
    thread: u32,
    size: usize,
    last_closed: bool,
) -> Vec<(SlabHeader, Vec<u8>)> {
    let count = played.bytes.len().div_ceil(size);
    let mut records = played.records.iter().peekable();
    (0..count)
        .map(|i| {
            let (from, to) = (i * size, played.bytes.len().min((i + 1) * size));
            while records.next_if(|r| r.at < from).is_some() {}
            let sync = records.peek().filter(|r| r.at < to).map(|r| Sync {
                offset: (r.at - from) as u16,
                progress: r.progress,
                last_top: r.last_top,
                time: r.time,
            });
            let closed = last_closed || i + 1 < count;
            let header = SlabHeader {
                thread,
                sequence: i as u32,
                order: i as u32,
                shift: 0,
                sync,
                clock: played.clock(from) & ((1 << CLOCK_BITS) - 1),
                closed,
                late: false,
                unrecorded: false,
                ring: false,
            };
            (header, played.bytes[from..to].to_vec())
        })
        .collect()
}

/// The header of a trace file of this map's build.
pub fn file_header(map: &Map, slab_size: u32, pid: u32) -> FileHeader {
    let refused = Some(Refused::default());
    FileHeader { slab_size, refused, identity: identity(map, pid), table: None }
}

/// A process of this map's build.
pub fn identity(map: &Map, pid: u32) -> Identity {
    Identity {
        build: map.build,
        start_ms: 1_700_000_000_000,
        pid,
        instance: 1,
        boot_ns: 2,
        process: "org.example".into(),
    }
}

/// A trace file of one thread: `slabs` full and closed slabs of `size` bytes, without a place to
/// begin decoding at. What reads it must read all of it, and decodes nothing.
pub fn closed_log(map: &Map, pid: u32, size: u32, slabs: u32) -> Vec<u8> {
    let payload: Vec<u8> = (0..size - SLAB_HEADER as u32)
        .map(|n| (n ^ pid).wrapping_mul(0x9E37_79B9).to_be_bytes()[0])
        .collect();
    let header = |order| SlabHeader {
        thread: 1,
        sequence: order + 1,
        order,
        shift: 0,
        sync: None,
        clock: u64::from(order),
        closed: true,
        late: false,
        unrecorded: false,
        ring: false,
    };
    write_trace(&file_header(map, size, pid), (0..slabs).map(|i| (header(i), &payload[..])))
}

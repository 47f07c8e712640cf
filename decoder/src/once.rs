//! Decoding in one walk, for sinks that can forget: events are passed on before they are proven.

use model::coder::Decoder;
use model::recording::Wire;

use model::packed::PackedDecoder;
use model::symbols::Symbols;

use crate::crew::Cores;
use crate::log::{Segment, ThreadLog};
use crate::prove::{StretchEnd, prove};
use crate::reader::{Decoding, RecordReader, ThreadTotals};
use crate::replay::{Ended, Fault, Note, PathSink, Program, SendEvents, Start, Walker};
use crate::session::{decode_thread, decode_with};
use crate::source::Whole;

/// The sink received records that are not proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misled;

/// Decodes one thread as [`decode_thread`] does, for a sink that takes no clocks and no ends of
/// callbacks (those of [`Times`](crate::replay::Times) are not known yet), in half the time: it
/// walks once, and a log without a fault is proven at its end. (Codec `pap` is read record by
/// record anyway.)
///
/// # Errors
/// [`Misled`] when there is a fault. The sink then has to forget what it received since this call
/// began; a second decoding of the same thread sends the same events.
pub fn decode_thread_once(
    program: &Program<'_>,
    thread: &ThreadLog,
    sink: &mut impl PathSink,
) -> Result<ThreadTotals, Misled> {
    if program.map.recording.numbers_paths() {
        return Ok(decode_thread(program, thread, sink));
    }
    let Ok(totals) = decode_with(&Cores::new(1), program, &mut Whole(thread), sink, &Once);
    if totals.faulty == 0 { Ok(totals) } else { Err(Misled) }
}

/// Passes on what it walks.
struct Once;

impl RecordReader for Once {
    fn read(
        &self,
        decoding: &mut Decoding<'_>,
        segment: &Segment,
        from: (usize, Start),
        sink: &mut impl PathSink,
    ) -> Result<Ended, Fault> {
        let bytes = &segment.bytes;
        match decoding.program.map.recording.wire() {
            Wire::Range => walk(decoding, segment, Decoder::new(bytes, from.0), from, sink),
            Wire::Packed => walk(decoding, segment, PackedDecoder::new(bytes, from.0), from, sink),
        }
    }
}

fn walk<S: Symbols>(
    decoding: &mut Decoding<'_>,
    segment: &Segment,
    mut decoder: S,
    (offset, start): (usize, Start),
    sink: &mut impl PathSink,
) -> Result<Ended, Fault> {
    let mut walker = Walker::new(decoding.program, start);
    (walker.steps, walker.credit) = (decoding.steps, decoding.credit);
    let mut syncs = &segment.syncs[segment.syncs.partition_point(|p| p.offset <= offset)..];
    loop {
        let stretch = prove(&mut walker, &mut decoder, &mut syncs, sink);
        (decoding.steps, decoding.credit) = (walker.steps, walker.credit);
        decoding.totals.proven += stretch.records;
        match stretch.end {
            StretchEnd::Sync => {}
            StretchEnd::Fault(fault) => return Err(fault),
            StretchEnd::Below(fault) => {
                decoding.totals.unproven += 1;
                sink.note(Note::Unproven);
                walker.end(sink);
                return Err(fault);
            }
            StretchEnd::Bytes(ended) => {
                if stretch.has_rest && !sink.is_full() {
                    decoding.totals.unproven += 1;
                    sink.note(Note::Unproven);
                }
                if ended != Ended::Clean {
                    walker.end(sink);
                }
                return Ok(ended);
            }
        }
    }
}

//! Tests that read traces back, with a reader of Protocol Buffers that only has wire types.

use std::collections::HashMap;

use decoder::replay::{LoopRounds, PathSink, SendEvents, Times};

use super::*;

/// Numbers and bytes of a message, by field.
#[derive(Debug, Default, Clone)]
struct Fields(HashMap<u64, Vec<(u64, Vec<u8>)>>);

fn number(bytes: &mut &[u8]) -> u64 {
    let mut n = 0;
    for shift in (0..).step_by(7) {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return n;
        }
    }
    unreachable!()
}

impl Fields {
    fn of(mut bytes: &[u8]) -> Fields {
        let mut fields = Fields::default();
        while !bytes.is_empty() {
            let key = number(&mut bytes);
            let value = number(&mut bytes);
            let mut content = Vec::new();
            match key & 7 {
                0 => {}
                2 => {
                    let (head, rest) = bytes.split_at(value as usize);
                    (content, bytes) = (head.to_vec(), rest);
                }
                kind => panic!("wire type {kind}"),
            }
            fields.0.entry(key >> 3).or_default().push((value, content));
        }
        fields
    }

    fn all(&self, field: u64) -> &[(u64, Vec<u8>)] {
        self.0.get(&field).map_or(&[], Vec::as_slice)
    }

    fn number(&self, field: u64) -> Option<u64> {
        self.all(field).last().map(|v| v.0)
    }

    fn message(&self, field: u64) -> Option<Fields> {
        // Some readers would merge two of them, and others would not.
        assert!(self.all(field).len() < 2, "field {field} comes twice");
        self.all(field).first().map(|v| Fields::of(&v.1))
    }

    fn text(&self, field: u64) -> Option<String> {
        self.all(field).last().map(|v| String::from_utf8(v.1.clone()).unwrap())
    }
}

/// Events as text: time in ns, track, begin or end, annotations.
fn shown(bytes: &[u8]) -> Vec<String> {
    let mut tracks = HashMap::new();
    let mut interned: HashMap<(u64, u64, u64), String> = HashMap::new();
    let mut clocks: HashMap<u64, (u64, u64)> = HashMap::new();
    let mut out = Vec::new();
    for (_, packet) in Fields::of(bytes).all(1) {
        let packet = Fields::of(packet);
        if let Some(track) = packet.message(60) {
            let parent = track.number(5).map_or("", |p| tracks.get(&p).map_or("?", String::as_str));
            let name = format!("{parent}/{}", track.text(2).unwrap());
            tracks.insert(track.number(1).unwrap(), name);
        }
        let sequence = packet.number(10).unwrap_or(0);
        if let Some(data) = packet.message(12) {
            for (&list, entries) in &data.0 {
                for entry in entries.iter().map(|e| Fields::of(&e.1)) {
                    let id = entry.number(1).unwrap();
                    assert!(id > 0);
                    interned.insert((sequence, list, id), entry.text(2).unwrap());
                }
            }
        }
        if let Some(defaults) = packet.message(59) {
            assert_eq!((defaults.number(58), packet.number(13)), (Some(64), Some(3)));
            let snapshot = packet.message(6).unwrap();
            let steps = Fields::of(&snapshot.all(1)[2].1);
            assert_eq!([1, 3, 4].map(|f| steps.number(f)), [Some(64), Some(1), Some(1)]);
            let track = defaults.message(11).unwrap().number(11).unwrap();
            clocks.insert(sequence, (steps.number(2).unwrap(), track));
        }
        let Some(event) = packet.message(11) else {
            continue;
        };
        assert_eq!(packet.number(13), Some(2));
        let (now, calls) = clocks.get_mut(&sequence).unwrap();
        let at = if packet.number(58) == Some(6) {
            packet.number(8).unwrap()
        } else {
            *now += packet.number(8).unwrap();
            *now
        };
        let track = &tracks[&event.number(11).unwrap_or(*calls)];
        let track = track.rsplit('/').next().unwrap().split(' ').next().unwrap();
        let kind = ["?", "begin", "end", "at"][event.number(9).unwrap() as usize];
        let look = |list, id| interned[&(sequence, list, id)].clone();
        let name = event.number(10).map(|id| look(2, id)).or(event.text(23)).unwrap_or_default();
        let category = event.number(3).map_or(String::new(), |id| format!(" [{}]", look(1, id)));
        let mut line = format!("{at} {track} {kind} {name}{category}");
        for annotation in event.all(4).iter().map(|a| Fields::of(&a.1)) {
            let value = annotation.number(3).map(|n| n.to_string());
            let value = value.unwrap_or_else(|| look(29, annotation.number(17).unwrap()));
            line += &format!(" {}={value}", look(3, annotation.number(1).unwrap()));
        }
        out.push(line);
    }
    out
}

fn perfetto(names: &[&str], limit: u64, path: impl FnOnce(&mut Path<'_, '_, '_>)) -> Vec<String> {
    let map = map(names);
    let program = Program::new(&map);
    let mut out = Vec::new();
    written(&program, Perfetto::with_limit(FrameNames(&program), &mut out, limit), path);
    assert!(out.starts_with(PERFETTO_HEAD));
    shown(&out)
}

#[test]
fn the_head_is_one_packet() {
    let packet = Fields::of(PERFETTO_HEAD).message(1).unwrap();
    assert_eq!(packet.message(60).unwrap().text(2).unwrap(), "Pathlight");
}

#[test]
fn calls_take_a_microsecond_for_a_step_and_say_that_it_is_no_time() {
    let all = perfetto(&["a", "b", "c"], CALLS_LIMIT, thrown);
    let want = [
        "1005000000 callbacks at A.a [callback] time=measured start",
        "1005000000 calls begin A.a [callback]",
        "1005001000 calls begin A.b [call]",
        "1005002000 calls begin A.c [call]",
        "1005003000 calls end  time=order steps=1 ended=by an exception",
        "1005003000 calls end  time=order steps=2 ended=by an exception",
        "1005004000 calls end  time=order steps=4",
    ];
    assert_eq!(all, want);
}

#[test]
fn calls_are_squeezed_before_the_next_start() {
    let all = perfetto(&["a", "b"], CALLS_LIMIT, |path| {
        path.enter(A, Via::TopLevel(0));
        path.rounds(LoopRounds {
            branch: BlockNo(0),
            stay: 0,
            cycle: &[BlockNo(0)],
            times: 4_000_000,
        });
        path.leave();
        path.enter(B, Via::TopLevel(1));
        path.leave();
    });
    let want = [
        "1000000000 callbacks at A.a [callback] time=measured start",
        "1000000000 calls begin A.a [callback]",
        "1001000000 calls end  time=order steps=4000000",
        "1001000000 callbacks at A.b [callback] time=measured start",
        "1001000000 calls begin A.b [callback]",
        "1001000000 calls end  time=order steps=0",
    ];
    assert_eq!(all, want);
}

#[test]
fn callbacks_of_one_millisecond_follow_each_other() {
    let all = perfetto(&["a", "b"], CALLS_LIMIT, |path| {
        for method in [A, B] {
            path.enter(method, Via::TopLevel(0));
            path.block(BlockNo(0));
            path.leave();
        }
    });
    let want = [
        "1000000000 callbacks at A.a [callback] time=measured start",
        "1000000001 callbacks at A.b [callback] time=measured start",
        "1000000000 calls begin A.a [callback]",
        "1000001000 calls end  time=order steps=1",
        "1000001000 calls begin A.b [callback]",
        "1000002000 calls end  time=order steps=1",
    ];
    assert_eq!(all, want);
}

#[test]
fn a_full_trace_counts_the_calls_that_it_leaves_out() {
    let all = perfetto(&["a", "b", "c"], 0, thrown);
    assert_eq!(all.last().unwrap(), "1005004000 calls end  time=order steps=4 calls left out=2");
    assert_eq!(all.len(), 3);
}

#[test]
fn control_characters_in_names_are_written_out() {
    let all = perfetto(&["a\u{1b}[2J\n"], CALLS_LIMIT, |path| path.enter(A, Via::TopLevel(0)));
    assert_eq!(all[1], r"1000000000 calls begin A.a\u001b[2J\n [callback]");
    assert_eq!(all[2], "1000000000 calls end  time=order steps=0 ended=unknown");
}

#[test]
fn what_is_missing_is_a_note_between_the_callbacks() {
    let all = perfetto(&["a"], CALLS_LIMIT, |path| {
        path.enter(A, Via::TopLevel(0));
        path.note(Note::Gap { from: 2, to: 5 });
    });
    assert_eq!(all[1], "1000000001 callbacks at 3 slabs are missing [note]");
}

#[test]
fn times_and_steps_of_a_forged_log_stay_in_order() {
    let all = perfetto(&["a"], CALLS_LIMIT, |path| {
        for _ in 0..3 {
            path.enter(A, Via::TopLevel(u32::MAX));
            for _ in 0..3 {
                path.rounds(LoopRounds {
                    branch: BlockNo(0),
                    stay: 0,
                    cycle: &[BlockNo(0); 1000],
                    times: u32::MAX,
                });
            }
            path.leave();
        }
        path.note(Note::Resumed { time_ms: 0 });
        path.enter(A, Via::TopLevel(0));
        path.leave();
    });
    let times = all.iter().filter(|l| l.contains("calls")).map(|l| l.split(' ').next().unwrap());
    let times: Vec<u64> = times.map(|t| t.parse().unwrap()).collect();
    assert!(times.len() == 8 && times.is_sorted(), "{times:?}");
}

/// Three calls of a block each within a callback of 10 ms; a slab began after the first call.
#[test]
fn calls_lie_between_the_clocks_of_the_log_and_tell_their_error() {
    let all = perfetto(&["a", "b"], CALLS_LIMIT, |path| {
        path.times(Times { begin_us: 2000, end_us: Some(12_000), tick_us: 250 });
        path.enter(A, Via::TopLevel(2));
        path.enter(B, Via::Call);
        path.block(BlockNo(1));
        path.leave();
        path.clock(4000);
        path.enter(B, Via::Call);
        path.block(BlockNo(1));
        path.leave();
        path.block(BlockNo(0));
        path.leave();
    });
    assert_eq!(
        all,
        [
            "1002000000 callbacks begin A.a [callback] time=measured",
            "1012000000 callbacks end ",
            "1002000000 calls begin A.a [callback]",
            "1002000000 calls begin A.b [call]",
            "1004000000 calls end  time=interpolated error us=4000 steps=1",
            "1004000000 calls begin A.b [call]",
            "1008000000 calls end  time=interpolated error us=4000 steps=1",
            "1012000000 calls end  time=interpolated error us=4000 steps=3",
        ]
    );
}

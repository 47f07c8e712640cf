use proptest::prelude::*;

use super::*;
use crate::codecs::symbols::{Symbols, alternatives};

/// An item to write.
#[derive(Debug, Clone)]
enum Item {
    Symbol(u32),
    Bits(u32, u32),
    Gamma(u32),
    Escape,
    Flush,
}

fn any_item() -> impl Strategy<Value = Item> {
    prop_oneof![
        8 => (1u32..=24).prop_flat_map(|l| {
            (0..1u32 << l).prop_map(move |b| Item::Symbol(code::pack(b, l)))
        }),
        2 => (any::<u32>(), 1u32..=32).prop_map(|(v, n)| Item::Bits(v >> (32 - n), n)),
        1 => (any::<u32>(), 0u32..32).prop_map(|(v, n)| Item::Gamma(v >> n)),
        2 => Just(Item::Escape),
        1 => Just(Item::Flush),
    ]
}

/// The wire as the page describes it, bit by bit, and nothing else.
struct Oracle {
    stream: Vec<bool>,
    word: Vec<bool>,
    open: bool,
}

impl Oracle {
    fn new() -> Self {
        Oracle { stream: vec![], word: vec![], open: false }
    }

    fn push(&mut self, value: u64, bits: u32) {
        self.open = true;
        for i in (0..bits).rev() {
            self.word.push(value >> i & 1 == 1);
            if self.word.len() == 63 {
                self.stream.push(false);
                self.stream.append(&mut self.word);
            }
        }
    }

    fn flag(&mut self) {
        self.open = true;
        self.stream.push(true);
        let m = self.word.len();
        self.stream.extend((0..6).rev().map(|i| m >> i & 1 == 1));
        self.stream.append(&mut self.word);
        while !self.stream.len().is_multiple_of(8) {
            self.stream.push(false);
        }
    }

    fn item(&mut self, item: &Item) {
        let low_first = |o: &mut Self, v: u32, n: u32| {
            if n > 16 {
                o.push(u64::from(v % 65_536), 16);
                o.push(u64::from(v / 65_536), n - 16);
            } else {
                o.push(u64::from(v), n);
            }
        };
        match *item {
            Item::Symbol(c) => self.push(u64::from(c / 32), c % 32),
            Item::Bits(v, n) => low_first(self, v, n),
            Item::Gamma(v) => {
                let length = (0..=32).find(|l| u64::from(v) < 1 << l).unwrap();
                self.push(u64::from(length), 6);
                if length > 1 {
                    low_first(self, v - (1 << (length - 1)), length - 1);
                }
            }
            Item::Escape => self.flag(),
            Item::Flush => {
                if std::mem::take(&mut self.open) {
                    self.flag();
                    self.open = false;
                }
            }
        }
    }

    fn bytes(mut self) -> Vec<u8> {
        self.item(&Item::Flush);
        self.stream.chunks(8).map(|b| b.iter().fold(0, |n, bit| n << 1 | u8::from(*bit))).collect()
    }
}

fn encode(items: &[Item]) -> Vec<u8> {
    let mut e = PackedEncoder::new();
    for item in items {
        match *item {
            Item::Symbol(c) => e.symbol(c),
            Item::Bits(v, n) => e.bits(v, n),
            Item::Gamma(v) => e.gamma(v),
            Item::Escape => e.escape(),
            Item::Flush => e.flush(),
        }
    }
    e.finish()
}

/// Reads one item; `None` if it is another one.
fn read(d: &mut PackedDecoder<'_>, item: &Item) -> Result<Option<()>, CoderError> {
    let same = match *item {
        Item::Symbol(c) => {
            // Among words of which this is one: its sibling, and itself.
            let mut words = [c, c ^ 32];
            words.sort_unstable();
            let all =
                alternatives(crate::recording::TraceCodec::Huffman.into(), &words, |i| i as u32);
            if code::length(c) > 1 && d.peek() >> (32 - code::length(c)) >> 1 != code::bits(c) >> 1
            {
                // A cut stream shows zeros: not there.
                d.take(code::length(c))?;
                return Ok(None);
            }
            let at = d.among(&all)?;
            words[all[at].index as usize] == c
        }
        Item::Bits(v, n) => d.bits(n)? == v,
        Item::Gamma(v) => d.gamma()? == v,
        Item::Escape => {
            let is = d.is_escape()?;
            if is {
                d.escape()?;
            }
            is
        }
        Item::Flush => d.flush().map(|_| true)?,
    };
    Ok(same.then_some(()))
}

/// Parses the page's stream, bit by bit, and returns how many of the items are there.
fn proven(bytes: &[u8], items: &[Item]) -> usize {
    let bit = |i: usize| bytes.get(i / 8).map(|b| b >> (7 - i % 8) & 1 == 1);
    // Tokens: bits, and flags (true: the word ended with an escape or flush).
    let mut bits: Vec<usize> = vec![0];
    let (mut flags, mut at) = (0, 0);
    while let Some(flag) = bit(at) {
        let (from, m) = match flag {
            false => (at + 1, 63),
            true => (
                at + 7,
                (0..6).fold(0, |m, i| m << 1 | usize::from(bit(at + 1 + i).unwrap_or(false))),
            ),
        };
        let there = (0..m).take_while(|i| bit(from + i).is_some()).count();
        *bits.last_mut().unwrap() += there;
        if there < m {
            break;
        }
        at = from + m;
        if flag {
            at = at.div_ceil(8) * 8;
            flags += 1;
            bits.push(0);
        }
    }
    // Now the items, by how many bits and flags they take.
    let (mut flag, mut used, mut open) = (0, 0, false);
    for (i, item) in items.iter().enumerate() {
        let need = match *item {
            Item::Symbol(c) => c % 32,
            Item::Bits(_, n) => n,
            Item::Gamma(v) => 6 + (32 - v.leading_zeros()).saturating_sub(1),
            Item::Escape => 0,
            Item::Flush if !open => continue,
            Item::Flush => 0,
        } as usize;
        open = !matches!(item, Item::Flush);
        if need == 0 {
            if flag == flags {
                return i;
            }
            flag += 1;
            used = 0;
        } else if used + need > bits[flag] {
            return i;
        } else {
            used += need;
        }
    }
    items.len()
}

proptest! {
    /// The encoder writes the format that the page defines, the decoder reads it, and any bytes may
    /// follow the last record.
    #[test]
    fn the_wire_is_what_the_page_says(
        items in prop::collection::vec(any_item(), 0..120),
        tail in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let mut items = items;
        items.push(Item::Flush);
        let mut oracle = Oracle::new();
        items.iter().for_each(|i| oracle.item(i));
        let mut bytes = oracle.bytes();
        prop_assert_eq!(&encode(&items), &bytes);
        let length = bytes.len();
        bytes.extend(tail);
        let mut d = PackedDecoder::new(&bytes, 0);
        for item in &items {
            prop_assert!(matches!(item, Item::Escape | Item::Flush) || d.is_escape() == Ok(false));
            prop_assert_eq!(read(&mut d, item), Ok(Some(())), "{:?}", item);
        }
        prop_assert_eq!(d.record_start(), length);
    }

    /// Cut at every byte, exactly those items are read whose bits are there; then the decoder
    /// reports the end of the data.
    #[test]
    fn a_cut_stream_gives_what_is_there(items in prop::collection::vec(any_item(), 1..40)) {
        let mut items = items;
        items.push(Item::Flush);
        let bytes = encode(&items);
        for cut in 0..bytes.len() {
            let mut d = PackedDecoder::new(&bytes[..cut], 0);
            let there = proven(&bytes[..cut], &items);
            prop_assert!(there < items.len());
            for item in &items[..there] {
                let got = read(&mut d, item);
                prop_assert_eq!(got, Ok(Some(())), "{:?} of {:?} at {}", item, items, cut);
            }
            let got = read(&mut d, &items[there]);
            prop_assert_eq!(got, Err(CoderError::Truncated { at: cut }), "{:?} at {}", items, cut);
        }
    }

    #[test]
    fn any_bytes_are_decoded_without_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        ways in prop::collection::vec(0u32..40, 0..60),
    ) {
        let mut d = PackedDecoder::new(&bytes, 0);
        let words = crate::coding::huffman::codes(&[5, 3, 1, 1]);
        let all = alternatives(crate::recording::TraceCodec::Huffman.into(), &words, |i| i as u32);
        for way in ways {
            let before = format!("{d:?}");
            let failed = match way {
                0..33 => d.bits(way).is_err(),
                33 => d.gamma().is_err(),
                34 => d.among(&all).is_err(),
                35 => d.two(1).is_err(),
                36 => d.escape().is_err(),
                37 => d.flush().is_err(),
                _ => d.check(77).is_err(),
            };
            prop_assert!(!failed || before == format!("{d:?}"), "an error moved it");
            prop_assert!(d.position() <= bytes.len());
        }
    }

    #[test]
    fn choosing_finds_the_alternative(
        counts in prop::collection::vec(0u64..100, 1..30),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let recording = crate::recording::Recording::Trace(crate::recording::TraceCodec::Huffman);
        let constants = recording.symbols(&crate::coding::table::quantise(&counts).unwrap());
        let all = alternatives(recording, &constants, |i| i as u32 + 100);
        let mut e = PackedEncoder::new();
        picks.iter().for_each(|p| e.symbol(constants[p.index(constants.len())]));
        e.escape();
        let bytes = e.finish();
        let mut d = PackedDecoder::new(&bytes, 0);
        for pick in &picks {
            prop_assert_eq!(d.is_escape(), Ok(false));
            let a = all[d.among(&all).unwrap()];
            prop_assert_eq!((a.index as usize, a.to), (pick.index(constants.len()), a.index + 100));
        }
        prop_assert_eq!(d.is_escape(), Ok(true));
    }
}

/// Worked out by hand from the page.
#[test]
fn an_example() {
    let mut e = PackedEncoder::new();
    e.symbol(code::pack(0b10, 2));
    e.symbol(code::pack(0, 1));
    e.escape();
    e.bits(0x5_A5A5, 19);
    e.flush();
    e.escape();
    // 1 000011 1 | 00 + padding; 1 010011 1 | 01001011 | 01001011 | 01 + padding (low 16 bits
    // first: A5A5, then 101); 1 000000 0
    assert_eq!(e.published(), [0x87, 0x00, 0xA7, 0x4B, 0x4B, 0x40, 0x80]);
}

#[test]
fn a_flagged_word_of_63_bits_and_padding_that_is_not_zero_are_refused() {
    for bytes in [&[0xFE, 0, 0, 0, 0, 0, 0, 0, 0][..], &[0x81][..], &[0x85, 0x40]] {
        let mut d = PackedDecoder::new(bytes, 0);
        assert!(matches!(d.is_escape(), Err(CoderError::Corrupt { .. })), "{bytes:x?}");
        assert!(matches!(d.bits(1), Err(CoderError::Corrupt { .. })), "{bytes:x?}");
    }
}

#[test]
fn an_escape_inside_a_symbol_is_refused() {
    let mut e = PackedEncoder::new();
    e.bits(1, 3);
    e.escape();
    e.bits(1, 3);
    let bytes = e.finish();
    let mut d = PackedDecoder::new(&bytes, 0);
    assert_eq!(d.bits(4), Err(CoderError::Corrupt { at: 2 }));
    assert_eq!(d.bits(3), Ok(1));
}

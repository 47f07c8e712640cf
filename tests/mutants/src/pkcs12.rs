//! Key stores: tags, lengths, numbers, nesting. In half of them the MAC is left out, so that the
//! damage is not found by it first.

use std::path::PathBuf;

use apk::Signer;
use mutation::{Rng, overwrite};

use crate::{Case, fixtures};

const SEEDS: [&str; 9] = [
    "apk/tests/keys/ec.p12",
    "apk/tests/keys/ec384.p12",
    "apk/tests/keys/keytool17.p12",
    "apk/tests/keys/keytool-legacy.p12",
    "apk/tests/keys/openssl-2des-rc2.p12",
    "apk/tests/keys/openssl-sha512.p12",
    "apk/tests/keys/openssl3-chain.p12",
    "apk/tests/keys/two-keys.p12",
    "apk/tests/keys/no-key.p12",
];
const INTEGER: u8 = 2;
const OCTETS: u8 = 4;
const SEQUENCE: u8 = 0x30;

/// A DER element.
#[derive(Clone)]
struct Element {
    tag: u8,
    content: Content,
}

#[derive(Clone)]
enum Content {
    Bytes(Vec<u8>),
    Elements(Vec<Element>),
}

/// All elements of these bytes; octet strings that hold elements are decoded, too.
fn parse(mut bytes: &[u8]) -> Option<Vec<Element>> {
    let mut found = Vec::new();
    while let [tag, first, rest @ ..] = bytes {
        let (length, rest) = if *first < 0x80 {
            (usize::from(*first), rest)
        } else {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7F))?;
            (digits.iter().fold(0, |n, &d| n << 8 | usize::from(d)), rest)
        };
        let (body, behind) = rest.split_at_checked(length)?;
        let inside = if tag & 0x20 != 0 || *tag == OCTETS && body.first() == Some(&SEQUENCE) {
            parse(body)
        } else {
            None
        };
        let content = inside.map_or_else(|| Content::Bytes(body.to_vec()), Content::Elements);
        found.push(Element { tag: *tag, content });
        bytes = behind;
    }
    bytes.is_empty().then_some(found)
}

fn write(element: &Element, rng: &mut Rng, wrong: usize, out: &mut Vec<u8>) {
    let mut body = Vec::new();
    match &element.content {
        Content::Bytes(bytes) => body.extend_from_slice(bytes),
        Content::Elements(all) => all.iter().for_each(|e| write(e, rng, wrong, &mut body)),
    }
    out.push(element.tag);
    let length = if rng.one_in(wrong) {
        mutation::number(body.len() as u64, 4, rng)
    } else {
        body.len() as u64
    };
    match length {
        // Indefinite, as Bouncy Castle writes it.
        _ if element.tag & 0x20 != 0 && rng.one_in(wrong) => {
            out.push(0x80);
            body.extend([0, 0]);
        }
        0..0x80 => out.push(length as u8),
        _ => {
            out.push(0x84);
            out.extend((length as u32).to_be_bytes());
        }
    }
    out.extend(body);
}

/// Calls `f` with an element somewhere in the tree.
fn somewhere(
    all: &mut Vec<Element>,
    rng: &mut Rng,
    f: &mut dyn FnMut(&mut Vec<Element>, usize, &mut Rng),
) {
    let at = rng.below(all.len());
    match all.get_mut(at).map(|e| &mut e.content) {
        Some(Content::Elements(inside)) if !inside.is_empty() && !rng.one_in(6) => {
            somewhere(inside, rng, f)
        }
        Some(_) => f(all, at, rng),
        None => {}
    }
}

fn damage(all: &mut Vec<Element>, at: usize, rng: &mut Rng) {
    let element = &mut all[at];
    match rng.below(8) {
        0 => {
            element.tag =
                *rng.pick(&[INTEGER, OCTETS, 5, 6, 0x24, SEQUENCE, 0x31, 0x80, 0xA0, 0xA1])
        }
        1 => drop(all.remove(at)),
        2 => {
            let again = element.clone();
            let times = if rng.one_in(4) { rng.below(40) } else { 1 };
            (0..times).for_each(|_| all.insert(at, again.clone()));
        }
        3 => {
            for _ in 0..1 + rng.below(100) {
                let inside = std::mem::replace(
                    element,
                    Element { tag: SEQUENCE, content: Content::Elements(vec![]) },
                );
                element.content = Content::Elements(vec![inside]);
            }
        }
        _ => match &mut element.content {
            Content::Bytes(bytes) if element.tag == INTEGER => {
                let counts: [&[u8]; 8] = [
                    &[0],
                    &[0x80],
                    &[0xFF; 4],
                    &[],
                    &[0, 0x80, 0, 0, 0],
                    &[0x7F, 0xFF, 0xFF, 0xFF],
                    // As many as are taken.
                    &[0x4C, 0x4B, 0x40],
                    &[1; 20],
                ];
                *bytes = rng.pick(&counts).to_vec();
            }
            Content::Bytes(bytes) => overwrite(bytes, rng),
            Content::Elements(inside) => inside.reverse(),
        },
    }
}

pub struct Kind {
    seeds: Vec<Vec<Element>>,
}

impl Kind {
    pub fn new(inputs: &[PathBuf]) -> Result<Kind, String> {
        let seeds = fixtures::seeds(inputs, &SEEDS)?;
        let seeds = seeds.iter().map(|bytes| parse(bytes).ok_or("a seed is no DER".into()));
        Ok(Kind { seeds: seeds.collect::<Result<_, String>>()? })
    }
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        let mut store = rng.pick(&self.seeds).clone();
        if rng.one_in(2)
            && let Some(Content::Elements(parts)) = store.first_mut().map(|e| &mut e.content)
        {
            parts.truncate(2);
        }
        for _ in 0..rng.below(4) {
            somewhere(&mut store, rng, &mut damage);
        }
        let wrong = if rng.one_in(3) { 20 } else { 0 };
        let mut bytes = Vec::new();
        store.iter().for_each(|e| write(e, rng, wrong, &mut bytes));
        if rng.one_in(8) {
            overwrite(&mut bytes, rng);
        }
        bytes.into()
    }

    fn feed(&self, case: &Case, _: &mut Rng) -> bool {
        Signer::from_pkcs12_bytes(&case.bytes, "secret1", None).is_ok()
    }

    fn calls(&self) -> &'static [&'static str] {
        &["instrument APP -o OUT --map MAP --ks FILE --ks-pass pass:secret1"]
    }
}

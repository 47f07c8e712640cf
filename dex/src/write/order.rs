//! The order in which pools and classes are written, and so every final number.

use std::collections::HashMap;

use crate::file::error::WriteError;
use crate::file::index_map::IndexMap;
use crate::file::mutf8;
use crate::file::{Dex, HandleTarget};
use crate::ids::*;

/// Final numbers of a pool's items, and which item stands at each final position.
#[derive(Default)]
pub(super) struct Numbering {
    /// Final number by position in the pool. Equal items have the same.
    pub number: Vec<u32>,
    /// Position in the pool by final number.
    pub at: Vec<u32>,
}

impl Numbering {
    /// Sorts by `key`, equal keys becoming one item.
    fn sorted<K: Ord>(keys: &[K]) -> Numbering {
        let mut order: Vec<u32> = (0..keys.len() as u32).collect();
        let ascending = keys.windows(2).all(|w| w[0] < w[1]);
        if ascending {
            return Numbering { number: order.clone(), at: order };
        }
        order.sort_by(|&a, &b| keys[a as usize].cmp(&keys[b as usize]));
        let mut numbering =
            Numbering { number: vec![0; keys.len()], at: Vec::with_capacity(keys.len()) };
        for position in order {
            let last = numbering.at.last();
            if last.is_none_or(|&last| keys[last as usize] != keys[position as usize]) {
                numbering.at.push(position);
            }
            numbering.number[position as usize] = numbering.at.len() as u32 - 1;
        }
        numbering
    }

    fn get(&self, what: &'static str, index: u32) -> Result<u32, WriteError> {
        get(&self.number, what, index)
    }
}

fn get(numbers: &[u32], what: &'static str, index: u32) -> Result<u32, WriteError> {
    let count = numbers.len();
    numbers.get(index as usize).copied().ok_or(WriteError::Index { what, index, count })
}

/// Everything that depends on order.
pub(super) struct Order<'a> {
    /// All strings, the derived shorties included, by final number.
    pub strings: Vec<&'a [u8]>,
    /// Position in the pool by final number.
    pub types: Vec<u32>,
    /// Likewise.
    pub protos: Vec<u32>,
    /// Likewise.
    pub fields: Vec<u32>,
    /// Likewise.
    pub methods: Vec<u32>,
    /// Final numbers by position in the pool.
    pub map: IndexMap,
    /// True if that map changes nothing, so that bodies can be copied.
    pub identity: bool,
    /// Final string number of the shorty, by position in the pool of prototypes.
    pub shorties: Vec<u32>,
    /// Positions in [`Dex::classes`], superclasses and interfaces before their users.
    pub classes: Vec<u32>,
}

/// A string that orders by UTF-16 units.
#[derive(PartialEq, Eq)]
struct Utf16Order<'a>(&'a [u8]);

impl Ord for Utf16Order<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        mutf8::compare(self.0, other.0)
    }
}

impl PartialOrd for Utf16Order<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The shorty of each prototype.
pub(super) fn shorties(dex: &Dex) -> Result<Vec<Box<[u8]>>, WriteError> {
    let letter = |ty: TypeIdx| -> Result<u8, WriteError> {
        let what = "type";
        let &string = dex.types.items().get(ty.index()).ok_or(WriteError::Index {
            what,
            index: ty.0,
            count: dex.types.len(),
        })?;
        let strings = dex.strings.items();
        let text = strings.get(string.index()).ok_or(WriteError::Index {
            what: "string",
            index: string.0,
            count: strings.len(),
        })?;
        match text.0.first() {
            Some(b'[') => Ok(b'L'),
            Some(&letter) => Ok(letter),
            None => Err(WriteError::Unencodable {
                place: "prototype".into(),
                problem: "empty type descriptor",
            }),
        }
    };
    let protos = dex.protos.items().iter();
    protos
        .map(|p| {
            std::iter::once(&p.return_type).chain(&p.parameters).map(|&ty| letter(ty)).collect()
        })
        .collect()
}

impl<'a> Order<'a> {
    /// `shorties`: those of [`shorties`], of the same `dex`.
    pub fn of(dex: &'a Dex, shorties: &'a [Box<[u8]>]) -> Result<Order<'a>, WriteError> {
        let own = dex.strings.items().iter().map(|s| &s.0[..]);
        // Distinct shorties that are no string of the file yet come after its strings. A set, as
        // there are few shorties and many strings.
        let mut extra: HashMap<&[u8], Option<u32>> =
            shorties.iter().map(|s| (&s[..], None)).collect();
        for (i, text) in own.clone().enumerate() {
            if let Some(place) = extra.get_mut(text) {
                *place = Some(i as u32);
            }
        }
        let mut texts: Vec<Utf16Order<'a>> = own.map(Utf16Order).collect();
        let mut shorty_at = Vec::with_capacity(shorties.len());
        for shorty in shorties {
            let place = extra.get_mut(&shorty[..]).expect("every shorty was put in");
            shorty_at.push(*place.get_or_insert_with(|| {
                texts.push(Utf16Order(shorty));
                texts.len() as u32 - 1
            }));
        }
        let mut strings = Numbering::sorted(&texts);
        let shorties = shorty_at.iter().map(|&at| strings.number[at as usize]).collect();
        let sorted_texts = strings.at.iter().map(|&at| texts[at as usize].0).collect();
        strings.number.truncate(dex.strings.len());

        let string = |s: StringIdx| strings.get("string", s.0);
        let keys: Vec<u32> =
            dex.types.items().iter().map(|&s| string(s)).collect::<Result<_, _>>()?;
        let types = Numbering::sorted(&keys);

        let ty = |t: TypeIdx| types.get("type", t.0);
        let keys: Vec<(u32, Vec<u32>)> = (dex.protos.items().iter())
            .map(|p| {
                Ok((
                    ty(p.return_type)?,
                    p.parameters.iter().map(|&t| ty(t)).collect::<Result<_, _>>()?,
                ))
            })
            .collect::<Result<_, WriteError>>()?;
        let protos = Numbering::sorted(&keys);

        let keys: Vec<_> = (dex.fields.items().iter())
            .map(|f| Ok((ty(f.class)?, string(f.name)?, ty(f.ty)?)))
            .collect::<Result<_, WriteError>>()?;
        let fields = Numbering::sorted(&keys);

        let keys: Vec<_> = (dex.methods.items().iter())
            .map(|m| Ok((ty(m.class)?, string(m.name)?, protos.get("prototype", m.proto.0)?)))
            .collect::<Result<_, WriteError>>()?;
        let methods = Numbering::sorted(&keys);

        // The format document allows one type and one prototype less than indices could name.
        for (pool, count, limit) in [
            ("types", types.at.len(), 65_535),
            ("prototypes", protos.at.len(), 65_535),
            ("fields", fields.at.len(), 65_536),
            ("methods", methods.at.len(), 65_536),
            ("method handles", dex.method_handles.len(), 65_536),
            ("call sites", dex.call_sites.len(), 65_536),
        ] {
            if count > limit {
                return Err(WriteError::TooMany { pool, count, limit });
            }
        }
        let classes = class_order(dex, &types)?;
        let map = IndexMap {
            strings: strings.number,
            types: types.number,
            protos: protos.number,
            fields: fields.number,
            methods: methods.number,
            // The format does not order method handles, and call sites only by where their arrays
            // lie.
            call_sites: (0..dex.call_sites.len() as u32).collect(),
            method_handles: (0..dex.method_handles.len() as u32).collect(),
        };
        let pools = [&map.strings, &map.types, &map.protos, &map.fields, &map.methods];
        let identity =
            pools.iter().all(|numbers| numbers.iter().zip(0..).all(|(&number, i)| number == i));
        let order = Order {
            strings: sorted_texts,
            types: types.at,
            protos: protos.at,
            fields: fields.at,
            methods: methods.at,
            map,
            identity,
            shorties,
            classes,
        };
        for handle in dex.method_handles.items() {
            match handle.target {
                HandleTarget::Field(f) => order.field(f)?,
                HandleTarget::Method(m) => order.method(m)?,
            };
        }
        Ok(order)
    }

    pub fn string(&self, i: StringIdx) -> Result<u32, WriteError> {
        get(&self.map.strings, "string", i.0)
    }

    pub fn ty(&self, i: TypeIdx) -> Result<u32, WriteError> {
        get(&self.map.types, "type", i.0)
    }

    pub fn proto(&self, i: ProtoIdx) -> Result<u32, WriteError> {
        get(&self.map.protos, "prototype", i.0)
    }

    pub fn field(&self, i: FieldIdx) -> Result<u32, WriteError> {
        get(&self.map.fields, "field", i.0)
    }

    pub fn method(&self, i: MethodIdx) -> Result<u32, WriteError> {
        get(&self.map.methods, "method", i.0)
    }

    pub fn method_handle(&self, i: MethodHandleIdx) -> Result<u32, WriteError> {
        get(&self.map.method_handles, "method handle", i.0)
    }
}

/// File order, except that a superclass or interface that the file defines later is moved before
/// its first user. Cyclic inheritance, which no runtime loads, is cut anywhere.
fn class_order(dex: &Dex, types: &Numbering) -> Result<Vec<u32>, WriteError> {
    let ty = |t: TypeIdx| types.get("type", t.0);
    let mut by_type: HashMap<u32, u32> = HashMap::with_capacity(dex.classes.len());
    for (i, class) in dex.classes.iter().enumerate() {
        by_type.entry(ty(class.ty)?).or_insert(i as u32);
        class.superclass.iter().chain(&class.interfaces).try_for_each(|&t| ty(t).map(drop))?;
    }
    let parents = |i: u32| {
        let class = &dex.classes[i as usize];
        let types = class.superclass.iter().chain(&class.interfaces);
        types.filter_map(|&t| by_type.get(&ty(t).ok()?).copied())
    };
    let mut seen = vec![false; dex.classes.len()];
    let mut order = Vec::with_capacity(dex.classes.len());
    // Depth first, by an explicit stack: hierarchies in hostile files may be deep.
    let mut stack = Vec::new();
    for root in 0..dex.classes.len() as u32 {
        stack.push((root, false));
        while let Some((i, parents_done)) = stack.pop() {
            if parents_done {
                order.push(i);
            } else if !std::mem::replace(&mut seen[i as usize], true) {
                stack.push((i, true));
                let at = stack.len();
                stack.extend(parents(i).filter(|&p| !seen[p as usize]).map(|p| (p, false)));
                stack[at..].reverse();
            }
        }
    }
    Ok(order)
}

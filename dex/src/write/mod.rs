//! Model to bytes.

mod annotations;
pub(crate) mod bodies;
mod classes;
mod debug_items;
pub(crate) mod map;
mod order;
mod sink;
mod values;

use std::collections::HashMap;

use sha1::{Digest, Sha1};

use crate::code::error::CodeError;
use crate::file::error::WriteError;
use crate::file::mutf8;
use crate::file::{CodeItem, Dex, HandleTarget};
use crate::ids::*;
use crate::read::header::{ENDIAN, HEADER_SIZE, entry};
use crate::read::ids::NO_INDEX;
use annotations::{Distinct, section};
use bodies::MakeBody;
use classes::Members;
use debug_items::DebugItems;
use map::MapList;
use order::Order;
use sink::Sink;

type Result<T> = std::result::Result<T, WriteError>;

/// Bodies that are encoded at a time.
const STRETCH: usize = 2048;

/// A file with the sizes of its bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenDex {
    /// The file.
    pub bytes: Vec<u8>,
    /// By [`CodeId`](crate::ids::CodeId); all zero for bodies that no method names.
    pub bodies: Vec<BodySize>,
}

/// Bytes of a body in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BodySize {
    /// Code units (16 bits), tables included.
    pub units: u32,
    /// Bytes: code, try ranges, handlers, alignment and the debug info (which equal bodies may
    /// share).
    pub bytes: u32,
    /// Of them try items and handler lists.
    pub protection: u32,
}

impl CodeItem {
    /// Returns the bytes of this body when it is written unchanged.
    ///
    /// # Errors
    /// Fails if the body cannot be encoded.
    pub fn size(&self) -> std::result::Result<BodySize, CodeError> {
        Ok(bodies::encode_item(self)?.size)
    }
}

impl Dex {
    /// The file: pools sorted and without duplicates, every reference renumbered, bodies under edit
    /// lowered. The same model always gives the same bytes.
    ///
    /// Nothing in the pools is dropped (see [`compact`](Dex::compact) for that); bodies that no
    /// method names are.
    ///
    /// # Errors
    /// Fails if a pool has outgrown its limit, a body cannot be encoded, or an index in the model
    /// is outside its pool.
    pub fn write(&self) -> Result<Vec<u8>> {
        Ok(self.write_measured()?.bytes)
    }

    /// As [`write`](Dex::write), with the size that each body has in the file.
    ///
    /// # Errors
    /// As [`write`](Dex::write).
    pub fn write_measured(&self) -> Result<WrittenDex> {
        self.write_with(&|_, _| None)
    }

    /// As [`write_measured`](Dex::write_measured), with bodies that are made just before they are
    /// written: `make` gets a body's id and the final indices, and gives the body with these
    /// indices, or `None` for the one in [`codes`](Dex::codes). It is called on all processors.
    /// Its bodies must name only items of the pools.
    ///
    /// # Errors
    /// As [`write`](Dex::write), and those of `make`, as [`WriteError::Body`].
    pub fn write_with(&self, make: &MakeBody<'_>) -> Result<WrittenDex> {
        let shorties = order::shorties(self)?;
        let order = Order::of(self, &shorties)?;
        let members: Vec<Members<'_>> = self
            .classes
            .iter()
            .map(|class| Members::of(self, &order, class))
            .collect::<Result<_>>()?;
        let used = bodies::used(self, &order, &members)?;
        // The tables come first but name what follows: their place is left free.
        let layout = Tables::new(self, &order);
        let mut map = MapList::default();
        layout.note(&mut map);
        let mut out = Sink { bytes: vec![0; layout.end as usize] };

        // Code first, as D8 has it: class data names its offsets in as few bytes as they need. A
        // stretch at a time: as bytes it takes a small part of what it takes before.
        let mut offsets = Vec::with_capacity(used.len());
        let mut wanted = Vec::with_capacity(used.len());
        let mut sizes = vec![BodySize::default(); self.codes.len()];
        let start = out.pos();
        for stretch in used.chunks(STRETCH) {
            let bodies = bodies::encode(self, &order, make, stretch)?;
            for (&(code, _), body) in stretch.iter().zip(bodies) {
                out.align(4);
                offsets.push(out.pos());
                out.extend(&body.code);
                sizes[code.0 as usize] = body.size;
                wanted.push(body.debug);
            }
        }
        map.add(map::CODE, offsets.len(), start);
        let DebugItems { items, of: debug_of } = debug_items::choose(&wanted);
        let debug = section(&mut out, &mut map, map::DEBUG_INFO, 1, items, |out, bytes| {
            out.extend(bytes);
        });
        for (offset, number) in offsets.iter().zip(&debug_of) {
            if let Some(number) = number {
                let at = *offset as usize + bodies::DEBUG_OFF;
                out.patch_u32(at, debug[*number as usize]);
            }
        }
        drop(wanted);
        let mut code_offsets = vec![0; self.codes.len()];
        for ((code, _), offset) in used.iter().zip(offsets) {
            code_offsets[code.0 as usize] = offset;
        }

        let type_lists = TypeLists::write(self, &order, &mut out, &mut map)?;
        let strings =
            section(&mut out, &mut map, map::STRING_DATA, 1, order.strings.clone(), |out, text| {
                out.uleb(mutf8::utf16_len(text) as u32);
                out.extend(text);
                out.u8(0);
            });

        let with_data: Vec<u32> =
            order.classes.iter().copied().filter(|&i| !members[i as usize].is_empty()).collect();
        let offsets =
            section(&mut out, &mut map, map::CLASS_DATA, 1, with_data.clone(), |out, i| {
                members[i as usize].write(out, |code| code_offsets[code.0 as usize]);
            });
        let mut class_data = vec![0; self.classes.len()];
        for (i, offset) in with_data.into_iter().zip(offsets) {
            class_data[i as usize] = offset;
        }
        let arrays = Arrays::write(self, &order, &members, &mut out, &mut map)?;
        let directories = annotations::write(&mut out, &mut map, self, &order)?;
        write_hiddenapi(&order, &members, &mut out, &mut map);
        let map_off = map.write(&mut out);
        if u32::try_from(out.bytes.len()).is_err() {
            return Err(WriteError::FileTooLarge);
        }

        let mut tables = Sink { bytes: Vec::with_capacity(layout.end as usize) };
        tables.bytes.resize(HEADER_SIZE as usize, 0);
        strings.iter().for_each(|&offset| tables.u32(offset));
        for &at in &order.types {
            tables.u32(order.string(self.types.items()[at as usize])?);
        }
        for &at in &order.protos {
            let proto = &self.protos.items()[at as usize];
            tables.u32(order.shorties[at as usize]);
            tables.u32(order.ty(proto.return_type)?);
            tables.u32(type_lists.offset(&order, &proto.parameters)?);
        }
        for &at in &order.fields {
            let field = &self.fields.items()[at as usize];
            tables.u16(order.ty(field.class)? as u16);
            tables.u16(order.ty(field.ty)? as u16);
            tables.u32(order.string(field.name)?);
        }
        for &at in &order.methods {
            let method = &self.methods.items()[at as usize];
            tables.u16(order.ty(method.class)? as u16);
            tables.u16(order.proto(method.proto)? as u16);
            tables.u32(order.string(method.name)?);
        }
        for &i in &order.classes {
            let class = &self.classes[i as usize];
            tables.u32(order.ty(class.ty)?);
            tables.u32(class.access.bits());
            tables.u32(class.superclass.map_or(Ok(NO_INDEX), |ty| order.ty(ty))?);
            tables.u32(type_lists.offset(&order, &class.interfaces)?);
            tables.u32(class.source_file.map_or(Ok(NO_INDEX), |s| order.string(s))?);
            tables.u32(directories[i as usize]);
            tables.u32(class_data[i as usize]);
            tables.u32(arrays.static_values[i as usize]);
        }
        arrays.call_sites.iter().for_each(|&offset| tables.u32(offset));
        for handle in self.method_handles.items() {
            tables.u16(handle.kind);
            tables.u16(0);
            tables.u16(match handle.target {
                HandleTarget::Field(f) => order.field(f)? as u16,
                HandleTarget::Method(m) => order.method(m)? as u16,
            });
            tables.u16(0);
        }
        debug_assert_eq!(tables.pos(), layout.end);
        out.bytes[..tables.bytes.len()].copy_from_slice(&tables.bytes);
        self.write_header(&mut out.bytes, &layout, map_off);
        out.bytes.shrink_to_fit();
        Ok(WrittenDex { bytes: out.bytes, bodies: sizes })
    }

    fn write_header(&self, bytes: &mut [u8], layout: &Tables, map_off: u32) {
        let mut head = Sink { bytes: Vec::with_capacity(HEADER_SIZE as usize) };
        head.extend(format!("dex\n{:03}\0", self.version.0).as_bytes());
        head.bytes.resize(32, 0); // checksum and signature
        head.u32(bytes.len() as u32);
        head.u32(HEADER_SIZE);
        head.u32(ENDIAN);
        head.u32(0); // link data
        head.u32(0);
        head.u32(map_off);
        for &(_, count, offset) in &layout.tables[..6] {
            head.u32(count);
            head.u32(if count == 0 { 0 } else { offset });
        }
        head.u32(bytes.len() as u32 - layout.end);
        head.u32(layout.end);
        debug_assert_eq!(head.pos(), HEADER_SIZE);
        bytes[..HEADER_SIZE as usize].copy_from_slice(&head.bytes);
        let signature = Sha1::digest(&bytes[32..]);
        bytes[12..32].copy_from_slice(&signature);
        let checksum = adler2::adler32_slice(&bytes[12..]);
        bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
    }
}

/// `hiddenapi_class_data_item`: offsets of the flags by class, then the flags.
fn write_hiddenapi(order: &Order<'_>, members: &[Members<'_>], out: &mut Sink, map: &mut MapList) {
    let all: Vec<_> = order.classes.iter().map(|&i| members[i as usize].hiddenapi()).collect();
    if all.iter().all(Option::is_none) {
        return;
    }
    out.align(4);
    let start = out.pos();
    map.add(map::HIDDENAPI_CLASS_DATA, 1, start);
    let mut item = Sink { bytes: vec![0; 4 + 4 * order.classes.len()] };
    for (place, flags) in all.into_iter().enumerate() {
        if let Some(flags) = flags {
            let offset = item.pos();
            item.patch_u32(4 + 4 * place, offset);
            flags.iter().for_each(|&flag| item.uleb(flag));
        }
    }
    let size = item.pos();
    item.patch_u32(0, size);
    out.extend(&item.bytes);
}

/// Positions of the tables of fixed-size entries.
struct Tables {
    /// Map code, count, offset; in file order.
    tables: [(u16, u32, u32); 8],
    /// Offset of what follows.
    end: u32,
}

impl Tables {
    fn new(dex: &Dex, order: &Order<'_>) -> Tables {
        let mut end = HEADER_SIZE;
        let tables = [
            (map::STRING_ID, order.strings.len(), entry::STRING),
            (map::TYPE_ID, order.types.len(), entry::TYPE),
            (map::PROTO_ID, order.protos.len(), entry::PROTO),
            (map::FIELD_ID, order.fields.len(), entry::FIELD),
            (map::METHOD_ID, order.methods.len(), entry::METHOD),
            (map::CLASS_DEF, dex.classes.len(), entry::CLASS),
            (map::CALL_SITE_ID, dex.call_sites.len(), entry::CALL_SITE),
            (map::METHOD_HANDLE, dex.method_handles.len(), entry::METHOD_HANDLE),
        ];
        let tables = tables.map(|(kind, count, size)| {
            let offset = end;
            end += (count * size) as u32;
            (kind, count as u32, offset)
        });
        Tables { tables, end }
    }

    fn note(&self, map: &mut MapList) {
        map.add(map::HEADER, 1, 0);
        for (kind, count, offset) in self.tables {
            map.add(kind, count as usize, offset);
        }
    }
}

/// Offsets of the distinct type lists.
struct TypeLists {
    offsets: HashMap<Vec<u16>, u32>,
}

impl TypeLists {
    fn write(dex: &Dex, order: &Order<'_>, out: &mut Sink, map: &mut MapList) -> Result<TypeLists> {
        let mut lists = Distinct::default();
        for &at in &order.protos {
            lists.add(Self::numbers(order, &dex.protos.items()[at as usize].parameters)?);
        }
        for &i in &order.classes {
            lists.add(Self::numbers(order, &dex.classes[i as usize].interfaces)?);
        }
        let mut lists = lists.into_list();
        lists.retain(|list| !list.is_empty());
        let offsets = section(out, map, map::TYPE_LIST, 4, lists.clone(), |out, list| {
            out.u32(list.len() as u32);
            list.iter().for_each(|&ty| out.u16(ty));
        });
        Ok(TypeLists { offsets: lists.into_iter().zip(offsets).collect() })
    }

    fn numbers(order: &Order<'_>, types: &[TypeIdx]) -> Result<Vec<u16>> {
        types.iter().map(|&ty| Ok(order.ty(ty)? as u16)).collect()
    }

    /// 0 for the empty list.
    fn offset(&self, order: &Order<'_>, types: &[TypeIdx]) -> Result<u32> {
        if types.is_empty() {
            return Ok(0);
        }
        Ok(self.offsets[&Self::numbers(order, types)?])
    }
}

/// Offsets of encoded arrays.
struct Arrays {
    /// By call site.
    call_sites: Vec<u32>,
    /// By position in [`Dex::classes`]; 0 for none.
    static_values: Vec<u32>,
}

impl Arrays {
    fn write(
        dex: &Dex,
        order: &Order<'_>,
        members: &[Members<'_>],
        out: &mut Sink,
        map: &mut MapList,
    ) -> Result<Arrays> {
        let encode = |values| {
            let mut bytes = Sink::default();
            values::array(&mut bytes, order, values)?;
            Ok(bytes.bytes)
        };
        // Call sites first and each with an array of its own: their table must ascend by offset,
        // and two equal call sites are still linked separately.
        let mut items: Vec<Vec<u8>> =
            dex.call_sites.items().iter().map(|site| encode(site)).collect::<Result<_>>()?;
        let mut distinct = Distinct::default();
        let mut array_of = vec![None; dex.classes.len()];
        for &i in &order.classes {
            let values = &members[i as usize].static_values;
            if !values.is_empty() {
                array_of[i as usize] = Some(distinct.add(encode(values)?));
            }
        }
        items.extend(distinct.into_list());
        let offsets =
            section(out, map, map::ENCODED_ARRAY, 1, items, |out, bytes| out.extend(&bytes));
        let (call_sites, arrays) = offsets.split_at(dex.call_sites.len());
        let static_values =
            array_of.into_iter().map(|a| a.map_or(0, |a: u32| arrays[a as usize])).collect();
        Ok(Arrays { call_sites: call_sites.to_vec(), static_values })
    }
}

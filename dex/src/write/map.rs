//! `map_list`.

use super::sink::Sink;

pub(crate) const HEADER: u16 = 0x0000;
pub(crate) const STRING_ID: u16 = 0x0001;
pub(crate) const TYPE_ID: u16 = 0x0002;
pub(crate) const PROTO_ID: u16 = 0x0003;
pub(crate) const FIELD_ID: u16 = 0x0004;
pub(crate) const METHOD_ID: u16 = 0x0005;
pub(crate) const CLASS_DEF: u16 = 0x0006;
pub(crate) const CALL_SITE_ID: u16 = 0x0007;
pub(crate) const METHOD_HANDLE: u16 = 0x0008;
pub(crate) const MAP_LIST: u16 = 0x1000;
pub(crate) const TYPE_LIST: u16 = 0x1001;
pub(crate) const ANNOTATION_SET_REF_LIST: u16 = 0x1002;
pub(crate) const ANNOTATION_SET: u16 = 0x1003;
pub(crate) const CLASS_DATA: u16 = 0x2000;
pub(crate) const CODE: u16 = 0x2001;
pub(crate) const STRING_DATA: u16 = 0x2002;
pub(crate) const DEBUG_INFO: u16 = 0x2003;
pub(crate) const ANNOTATION: u16 = 0x2004;
pub(crate) const ENCODED_ARRAY: u16 = 0x2005;
pub(crate) const ANNOTATIONS_DIRECTORY: u16 = 0x2006;
pub(crate) const HIDDENAPI_CLASS_DATA: u16 = 0xF000;

/// The sections written so far, in file order.
#[derive(Default)]
pub(super) struct MapList {
    entries: Vec<(u16, u32, u32)>,
}

impl MapList {
    /// Notes a section; an empty one does not appear in the map.
    pub fn add(&mut self, kind: u16, count: usize, offset: u32) {
        if count > 0 {
            self.entries.push((kind, count as u32, offset));
        }
    }

    /// Writes the list, itself included, and returns its offset.
    pub fn write(mut self, out: &mut Sink) -> u32 {
        out.align(4);
        let offset = out.pos();
        self.add(MAP_LIST, 1, offset);
        out.u32(self.entries.len() as u32);
        for (kind, count, offset) in self.entries {
            out.u16(kind);
            out.u16(0);
            out.u32(count);
            out.u32(offset);
        }
        offset
    }
}

//! Frames and their names.

use decoder::replay::Program;
use model::descriptors::dotted_name;

use crate::base::escape::visible;
use crate::base::names::dotted;

/// A method of the app (its index), or a source method that was inlined (after all methods).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame(pub(crate) u32);

/// Names of frames.
#[derive(Debug, Clone, Copy)]
pub struct FrameNames<'p, 'm>(pub &'p Program<'m>);

impl FrameNames<'_, '_> {
    /// Returns the number of frames.
    pub(crate) fn len(&self) -> usize {
        self.0.map.methods.len() + self.0.map.places.sources.len()
    }

    pub(crate) fn inlined(&self, source: u32) -> Frame {
        Frame(self.0.map.methods.len() as u32 + source)
    }

    /// Returns `com.example.Cls.name`, without control characters.
    pub(crate) fn name(&self, frame: Frame) -> String {
        let (map, at) = (self.0.map, frame.0 as usize);
        let name = match at.checked_sub(map.methods.len()) {
            None => dotted(map, &map.methods[at]),
            Some(source) => {
                let s = &map.places.sources[source];
                format!("{}.{}", dotted_name(map.name(s.class)), map.name(s.name))
            }
        };
        visible(&name).into_owned()
    }

    /// Returns the source file, if known.
    pub(crate) fn file(&self, frame: Frame) -> Option<&str> {
        let (map, at) = (self.0.map, frame.0 as usize);
        let file = match at.checked_sub(map.methods.len()) {
            None => map.methods[at].source_file,
            Some(source) => map.places.sources[source].file,
        };
        file.map(|f| map.name(f))
    }
}

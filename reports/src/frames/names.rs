//! Frames and their names.

use decoder::replay::Program;

use crate::base::escape::visible;
use crate::base::names::{dotted, dotted_name};

/// What a frame runs: a method of the app, or behind these one of the source that was inlined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame(pub(crate) u32);

/// Names of frames.
#[derive(Debug, Clone, Copy)]
pub struct Names<'p, 'm>(pub &'p Program<'m>);

impl Names<'_, '_> {
    /// How many frames there are.
    pub(crate) fn len(&self) -> usize {
        self.0.map.methods.len() + self.0.map.places.sources.len()
    }

    pub(crate) fn inlined(&self, source: u32) -> Frame {
        Frame(self.0.map.methods.len() as u32 + source)
    }

    /// `com.example.Cls.name`, without control characters.
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

    /// The source file, where it is known.
    pub(crate) fn file(&self, frame: Frame) -> Option<&str> {
        let (map, at) = (self.0.map, frame.0 as usize);
        let file = match at.checked_sub(map.methods.len()) {
            None => map.methods[at].source_file,
            Some(source) => map.places.sources[source].file,
        };
        file.map(|f| map.name(f))
    }
}

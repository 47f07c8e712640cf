//! Little-endian numbers and names out of bytes, with offsets for errors.

use crate::error::{ProfileError, ProfileFault, Region};

pub(crate) type Result<T> = std::result::Result<T, ProfileError>;

/// Position in bytes.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    pos: usize,
    region: Region,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], region: Region) -> Cursor<'a> {
        Cursor { bytes, pos: 0, region }
    }

    pub fn pos(&self) -> usize {
        self.pos
    }

    pub fn left(&self) -> usize {
        self.bytes.len() - self.pos
    }

    /// Returns a fault at the current position.
    pub fn error(&self, fault: ProfileFault) -> ProfileError {
        self.error_at(self.pos, fault)
    }

    pub fn error_at(&self, offset: usize, fault: ProfileFault) -> ProfileError {
        ProfileError { offset, region: self.region, fault }
    }

    pub fn bytes(&mut self, needed: usize) -> Result<&'a [u8]> {
        let left = self.left();
        match self.bytes[self.pos..].get(..needed) {
            Some(taken) => {
                self.pos += needed;
                Ok(taken)
            }
            None => Err(self.error(ProfileFault::Truncated { needed, left })),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.bytes(N)?.try_into().expect("as many bytes as asked for"))
    }

    pub fn u8(&mut self) -> Result<u8> {
        self.array::<1>().map(u8::from_le_bytes)
    }

    pub fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn version(&mut self) -> Result<[u8; 4]> {
        self.array()
    }

    /// Reads a name of this many bytes.
    pub fn name(&mut self, length: u16) -> Result<String> {
        let start = self.pos;
        let name = std::str::from_utf8(self.bytes(length.into())?).ok();
        let name = name.filter(|name| !name.is_empty());
        name.map(str::to_owned).ok_or_else(|| self.error_at(start, ProfileFault::Name))
    }

    /// Fails if bytes are left.
    pub fn end(&self) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            left => Err(self.error(ProfileFault::Trailing(left))),
        }
    }
}

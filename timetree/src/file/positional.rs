//! Bytes that are read by their place.

use std::fs::File;
use std::io;

/// Bytes that are read by their place.
pub trait Bytes {
    /// Fills `buffer` with the bytes from `at` on.
    ///
    /// # Errors
    /// The bytes end before, or cannot be read.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()>;

    /// The number of bytes.
    ///
    /// # Errors
    /// It cannot be found out.
    fn size(&self) -> io::Result<u64>;
}

impl Bytes for File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, at)
    }

    #[cfg(not(unix))]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(buffer)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl Bytes for Vec<u8> {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let from = usize::try_from(at).ok();
        let part = from.and_then(|from| self.get(from..)?.get(..buffer.len()));
        buffer.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}

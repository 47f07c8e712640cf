//! Bytes that are read by position.

use std::fs::File;
use std::io;

/// Bytes that are read by position.
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

    #[cfg(windows)]
    fn read_at(&self, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
        use std::os::windows::fs::FileExt;
        // One call for position and bytes: another thread may read the same file.
        while !buffer.is_empty() {
            match self.seek_read(buffer, at) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    buffer = &mut buffer[count..];
                    at += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
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

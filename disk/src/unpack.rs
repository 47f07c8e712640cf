//! Compressed inputs: recognised by their first bytes, unpacked as they are read.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

/// First bytes of gzip and of zstd (RFC 1952 §2.3.1, RFC 8878 §3.1.1).
const GZIP: [u8; 2] = [0x1F, 0x8B];
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// Bytes that are read at a time.
const CHUNK: usize = 64 << 10;
/// More bytes than this, zeros at the end included, come out of no log.
const MOST: u64 = 4 << 30;

/// Returns the content of an input: decompressed if it is gzip or zstd, else as it is. Zeros at the
/// end, which preallocated logs have, are left out but for 64 KiB.
///
/// # Errors
/// The input cannot be read; reading goes on to fail after 4 GiB of content.
pub fn unpacked<'r>(input: impl Read + Send + 'r) -> io::Result<Box<dyn BufRead + Send + 'r>> {
    let mut input = BufReader::with_capacity(CHUNK, input);
    let start = input.fill_buf()?;
    if start.starts_with(&GZIP) {
        Ok(limited(MultiGzDecoder::new(input)))
    } else if start.starts_with(&ZSTD) {
        Ok(limited(zstd::Decoder::with_buffer(input)?))
    } else {
        Ok(limited(input))
    }
}

/// Returns whether a file that begins like this is compressed with gzip or zstd.
pub fn is_compressed(head: &[u8]) -> bool {
    head.starts_with(&GZIP) || head.starts_with(&ZSTD)
}

fn limited<'r>(input: impl Read + Send + 'r) -> Box<dyn BufRead + Send + 'r> {
    Box::new(BufReader::with_capacity(
        CHUNK,
        Tailless { input, left: MOST, zeros: 0, held: 0, chunk: vec![0; CHUNK], at: 0 },
    ))
}

/// Leaves out the zeros at the end of a log, but for 64 KiB at most: the last slab is whole, as it
/// has no more.
struct Tailless<R> {
    input: R,
    /// Bytes that may still be read.
    left: u64,
    /// Zeros that were read and are not handed out yet. The rest of `chunk` comes after them.
    zeros: u64,
    chunk: Vec<u8>,
    /// Bytes in `chunk`, and where in it to go on.
    held: usize,
    at: usize,
}

impl<R: Read> Tailless<R> {
    /// Reads until there is something that is not zero.
    fn fill(&mut self) -> io::Result<()> {
        while self.at == self.held {
            let read = match self.input.read(&mut self.chunk) {
                Ok(0) => {
                    self.zeros = self.zeros.min(CHUNK as u64);
                    return Ok(());
                }
                Ok(n) => n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
                io::Error::other(format!("more than {MOST} bytes unpacked: no log is so long"))
            })?;
            if is_zero(&self.chunk[..read]) {
                self.zeros += read as u64;
            } else {
                (self.at, self.held) = (0, read);
            }
        }
        Ok(())
    }
}

fn is_zero(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<16>();
    words.iter().all(|w| u128::from_ne_bytes(*w) == 0) && rest.iter().all(|b| *b == 0)
}

impl<R: Read> Read for Tailless<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.held {
            self.fill()?;
        }
        if self.zeros > 0 {
            let n = out.len().min(usize::try_from(self.zeros).unwrap_or(usize::MAX));
            out[..n].fill(0);
            self.zeros -= n as u64;
            return Ok(n);
        }
        let n = out.len().min(self.held - self.at);
        out[..n].copy_from_slice(&self.chunk[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        unpacked(bytes).expect("readable").read_to_end(&mut out).expect("readable");
        out
    }

    #[test]
    fn zeros_at_the_end_are_cut_and_others_stay() {
        let mut bytes = vec![7; 100];
        bytes.extend(vec![0; 3 * CHUNK]);
        bytes.push(9);
        assert_eq!(through(&bytes), bytes);
        let used = bytes.len();
        bytes.extend(vec![0; 20 * CHUNK]);
        let out = through(&bytes);
        assert!(out.len() >= used && out.len() <= used + 2 * CHUNK, "{}", out.len());
        assert_eq!(out, bytes[..out.len()]);
        assert!(through(&[]).is_empty());
        assert_eq!(through(&[0; 9]), [0; 9]);
    }

    #[test]
    fn compressed_inputs_are_told_by_their_first_bytes() {
        use std::io::Write;
        let plain = b"PLTR and more".repeat(1000);
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&plain).unwrap();
        assert_eq!(through(&gz.finish().unwrap()), plain);
        assert_eq!(through(&zstd::encode_all(&plain[..], 3).unwrap()), plain);
        let mut cut = zstd::encode_all(&plain[..], 3).unwrap();
        cut.truncate(cut.len() - 3);
        assert!(unpacked(&cut[..]).and_then(|mut r| r.read_to_end(&mut Vec::new())).is_err());
    }
}

//! Whether a batch is whole, and where, behind bytes that are none, the next one begins.
//!
//! At any byte something may seem to begin that claims millions of bytes, and only its checksum
//! shows that it is none. So what cannot be a batch is told by its header first, and the bytes
//! whose checksum was computed in vain are counted: when they are many times the file, the
//! search gives up. Time is linear in the size of the file, whatever it holds.

use std::io::{self, Read, Seek};

use super::bytes::Bytes;
use super::header::{Header, CHECKED, HEADER, MAGIC};

/// Bytes that are looked through at a time.
pub(super) const STRIDE: usize = 1 << 16;

/// Checksums in vain for each byte of the file. Damage costs one or two.
const IN_VAIN: u64 = 8;

/// The search for batches in one file.
#[derive(Debug)]
pub struct Search {
    /// Bytes whose checksum may yet be computed in vain.
    left: u64,
    gave_up: bool,
}

impl Search {
    /// In a file of this length.
    pub fn new(length: u64) -> Self {
        Search {
            left: length.saturating_mul(IN_VAIN),
            gave_up: false,
        }
    }

    /// Whether something that may be a batch was passed over, for too much was looked at.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Counts bytes whose checksum was computed in vain.
    pub fn in_vain(&mut self, bytes: u64) {
        self.gave_up |= bytes > self.left;
        self.left = self.left.saturating_sub(bytes);
    }

    /// The first position from this one on, up to another, at which a whole batch stands: a
    /// header that may be one, whose length fits into the file, and the right checksum. `next`
    /// is the offset that the log goes on at, if it is known.
    pub fn batch_between<R: Read + Seek>(
        &mut self,
        bytes: &mut Bytes<R>,
        from: u64,
        to: u64,
        next: Option<i64>,
    ) -> io::Result<Option<u64>> {
        let mut stride = vec![0; STRIDE + HEADER];
        let mut at = from;
        while at < to && !self.gave_up {
            let read = bytes.read_at(at, &mut stride)?;
            if read < HEADER {
                break;
            }
            for start in 0..(read - HEADER + 1).min(STRIDE) {
                let position = at + start as u64;
                if stride[start + MAGIC] <= 2
                    && position < to
                    && self.whole_batch(bytes, position, &stride[start..start + HEADER], next)?
                {
                    return Ok(Some(position));
                }
            }
            at += STRIDE as u64;
        }
        Ok(None)
    }

    /// Whether a whole batch stands at this position.
    pub fn is_batch<R: Read + Seek>(
        &mut self,
        bytes: &mut Bytes<R>,
        at: u64,
        next: Option<i64>,
    ) -> io::Result<bool> {
        let mut header = [0; HEADER];
        let read = bytes.read_at(at, &mut header)?;
        self.whole_batch(bytes, at, &header[..read], next)
    }

    fn whole_batch<R: Read + Seek>(
        &mut self,
        bytes: &mut Bytes<R>,
        at: u64,
        start: &[u8],
        next: Option<i64>,
    ) -> io::Result<bool> {
        let Ok(Some(header)) = Header::parse(start) else {
            return Ok(false);
        };
        let size = u64::from(header.size());
        if size > bytes.length() - at || !header.may_be_one(next) {
            return Ok(false);
        }
        if size > self.left {
            self.gave_up = true;
            return Ok(false);
        }
        let is_right = checksum_is_right(bytes, at, &header)?;
        if !is_right {
            self.in_vain(size);
        }
        Ok(is_right)
    }
}

/// Whether the checksum of what begins here with this header, and all of which is there, is right.
pub fn checksum_is_right<R: Read + Seek>(
    bytes: &mut Bytes<R>,
    at: u64,
    header: &Header,
) -> io::Result<bool> {
    let end = at + u64::from(header.size());
    Ok(match header {
        Header::Batch(batch) => bytes.crc32c(at + CHECKED as u64, end)? == batch.crc,
        Header::Message(message) => bytes.crc32(at + MAGIC as u64, end)? == message.crc,
    })
}

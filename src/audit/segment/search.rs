//! Whether a batch is whole, and where, behind bytes that are none, the next one begins.

use std::io::{self, Read, Seek};

use super::bytes::Bytes;
use super::header::{Header, CHECKED, HEADER, MAGIC};

/// Bytes that are looked through at a time.
pub(super) const STRIDE: usize = 1 << 16;

/// The first position from this one on, up to another, at which a whole batch stands: a header
/// whose length fits into the file, and the right checksum.
pub fn batch_between<R: Read + Seek>(
    bytes: &mut Bytes<R>,
    from: u64,
    to: u64,
) -> io::Result<Option<u64>> {
    let mut stride = vec![0; STRIDE + HEADER];
    let mut at = from;
    while at < to {
        let read = bytes.read_at(at, &mut stride)?;
        if read < HEADER {
            break;
        }
        for start in 0..(read - HEADER + 1).min(STRIDE) {
            let position = at + start as u64;
            if stride[start + MAGIC] <= 2
                && position < to
                && whole_batch(bytes, position, &stride[start..start + HEADER])?
            {
                return Ok(Some(position));
            }
        }
        at += STRIDE as u64;
    }
    Ok(None)
}

/// Whether a whole batch stands at this position.
pub fn is_batch<R: Read + Seek>(bytes: &mut Bytes<R>, at: u64) -> io::Result<bool> {
    let mut header = [0; HEADER];
    let read = bytes.read_at(at, &mut header)?;
    whole_batch(bytes, at, &header[..read])
}

fn whole_batch<R: Read + Seek>(bytes: &mut Bytes<R>, at: u64, start: &[u8]) -> io::Result<bool> {
    let Ok(Some(header)) = Header::parse(start) else {
        return Ok(false);
    };
    Ok(u64::from(header.size()) <= bytes.length() - at && checksum_is_right(bytes, at, &header)?)
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

//! Where, behind bytes that are no batch, the next batch begins.

use std::io::{self, Read, Seek};

use super::bytes::Bytes;
use super::header::{Header, CHECKED, HEADER, MAGIC};

/// Bytes that are looked through at a time.
pub(super) const STRIDE: usize = 1 << 16;

/// The first position from this one on, up to another, at which a whole batch of magic 2 stands:
/// a header with nothing strange in it, and the right checksum.
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
            if stride[start + MAGIC] == 2
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

/// Whether a whole batch of magic 2 stands at this position.
pub fn is_batch<R: Read + Seek>(bytes: &mut Bytes<R>, at: u64) -> io::Result<bool> {
    let mut header = [0; HEADER];
    let read = bytes.read_at(at, &mut header)?;
    whole_batch(bytes, at, &header[..read])
}

fn whole_batch<R: Read + Seek>(bytes: &mut Bytes<R>, at: u64, header: &[u8]) -> io::Result<bool> {
    let Ok(Some(Header::Batch(header))) = Header::parse(header) else {
        return Ok(false);
    };
    let size = u64::from(header.size);
    Ok(header.is_plausible()
        && size <= bytes.length() - at
        && bytes.crc32c_at(at + CHECKED as u64, size - CHECKED as u64)? == header.crc)
}

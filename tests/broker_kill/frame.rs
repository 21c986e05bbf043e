//! The format of the broker's log, written down a second time.

use super::request::Request;

/// One batch in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub base_offset: i64,
    pub request: Request,
}

impl Frame {
    /// Offset of the record after its last.
    pub fn end(&self) -> i64 {
        self.base_offset + i64::from(self.request.count)
    }

    /// Its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut body = self.base_offset.to_be_bytes().to_vec();
        body.extend(self.request.line().bytes());
        let mut bytes = vec![b'\n'];
        bytes.extend((body.len() as u64).to_be_bytes());
        bytes.extend(crc32c::crc32c(&body).to_be_bytes());
        bytes.extend(body);
        bytes
    }

    /// The frame at the start of these bytes, if it is whole, and how many bytes it takes.
    pub fn first_of(bytes: &[u8]) -> Option<(Self, usize)> {
        const HEAD: usize = 13;
        if *bytes.first()? != b'\n' {
            return None;
        }
        let length = u64::from_be_bytes(bytes.get(1..9)?.try_into().ok()?);
        let checksum = u32::from_be_bytes(bytes.get(9..HEAD)?.try_into().ok()?);
        let size = HEAD.checked_add(usize::try_from(length).ok()?)?;
        let body = bytes.get(HEAD..size)?;
        let base_offset = i64::from_be_bytes(body.get(..8)?.try_into().ok()?);
        if crc32c::crc32c(body) != checksum {
            return None;
        }
        let line = std::str::from_utf8(&body[8..]).ok()?;
        let request = Request::of_line(line).expect("the log has what was sent, byte for byte");
        let frame = Frame {
            base_offset,
            request,
        };
        Some((frame, size))
    }
}

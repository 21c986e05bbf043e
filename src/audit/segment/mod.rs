//! The files that a broker writes a log into, `00000000000000000000.log`: batch headers are
//! read, records are not.
//!
//! Of every batch the checksum is computed, over the records as they lie there, compressed or
//! not: CRC-32C for magic 2, CRC-32 for the messages of magic 0 and 1, from before release
//! 0.11, in which there is no producer id.
//!
//! What is no batch is one of three things. Zeros to the end of the file are room that the
//! broker reserved (`preallocate=true`), and no fault. A batch that begins as one does and is
//! longer than the rest of the file is a torn tail, what a crash leaves, unless a whole batch
//! follows somewhere. Everything else is damage. A batch whose
//! checksum is wrong is told as such, and the next is expected where its length says, unless
//! another whole one begins before.
//!
//! The file is read in a window of 256 KiB, whatever its size and whatever a length field
//! claims, and where it is damaged at most some ten times.

mod bytes;
mod header;
mod search;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Seek};

use self::bytes::Bytes;
use self::header::{BatchHeader, Header, MessageHeader, HEADER};
use self::search::Search;
use super::{FileId, LoggedBatch, Place, Position, Reader, Seen, Unreadable};

/// Digits of the offset in the name of a file of a log (Kafka: `LogFileUtils.filenamePrefixFromOffset`).
const OFFSET_DIGITS: usize = 20;

/// What is said where the search gave up ([`Search`]).
const GAVE_UP: &str =
    "too much of what follows looks like a batch and is none, so the rest of the \
                       file was not judged";

/// Reads one segment file.
#[derive(Debug)]
pub struct SegmentReader<R> {
    file: FileId,
    path: Vec<u8>,
    bytes: Bytes<R>,
    search: Search,
    told: Told,
    /// Where the next batch begins.
    at: u64,
    /// Whether a batch has been found.
    any: bool,
    /// The offset behind the batch before, if one was read.
    next_offset: Option<i64>,
}

/// What of the file has been told besides its batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    Segment,
    All,
}

impl<R: Read + Seek> SegmentReader<R> {
    /// Reads this file from its beginning. The path is told, and the offset in its last part.
    ///
    /// # Errors
    /// If the file is none to seek in.
    pub fn new(file: FileId, path: &[u8], segment: R) -> Result<Self, Unreadable> {
        let bytes = Bytes::new(segment).map_err(|error| Unreadable::io(file, error))?;
        Ok(SegmentReader {
            file,
            path: path.to_vec(),
            search: Search::new(bytes.length()),
            bytes,
            told: Told::Nothing,
            at: 0,
            any: false,
            next_offset: None,
        })
    }

    fn place(&self, byte: u64) -> Place {
        Place {
            file: self.file,
            position: Position::Byte(byte),
        }
    }

    fn next_in_file(&mut self) -> io::Result<Result<Option<Seen<'static>>, Unreadable>> {
        let left = self.bytes.length() - self.at;
        let mut start = [0; HEADER];
        let read = self.bytes.read_at(self.at, &mut start)?;
        let start = &start[..read];
        if start.iter().all(|byte| *byte == 0) && self.bytes.only_zeros_from(self.at)? {
            self.at = self.bytes.length();
            return Ok(Ok(None));
        }
        let seen =
            match Header::parse(start) {
                Ok(Some(header)) if u64::from(header.size()) <= left => self.whole(&header)?,
                Ok(_) => {
                    let what = "the length of the batch is more than is left of the file";
                    match self.damaged(what)? {
                        Some(seen) => seen,
                        None => self.torn(left),
                    }
                }
                Err(what) => match self.damaged(what)? {
                    Some(seen) => seen,
                    None if self.any => {
                        let place = self.place(self.at);
                        self.at = self.bytes.length();
                        Seen::Damaged { place, what }
                    }
                    None => return Ok(Err(Unreadable::form(
                        self.place(self.at),
                        "this is no segment of a log: it does not begin with a batch, and none is \
                         in it",
                    ))),
                },
            };
        Ok(Ok(Some(seen)))
    }

    /// A batch of which all bytes are there, if its length can be believed.
    fn whole(&mut self, header: &Header) -> io::Result<Seen<'static>> {
        let valid = search::checksum_is_right(&mut self.bytes, self.at, header)?;
        let end = self.at + u64::from(header.size());
        let next_offset = self.next_offset;
        if !valid && !self.search.is_batch(&mut self.bytes, end, next_offset)? {
            let within =
                self.search
                    .batch_between(&mut self.bytes, self.at + 1, end, next_offset)?;
            if let Some(next) = within {
                let what = "another batch begins within this one: its length is wrong";
                self.search.in_vain(header.size().into());
                return Ok(self.damaged_up_to(next, what));
            }
        }
        if !valid && self.search.gave_up() {
            return Ok(self.damaged_up_to(self.bytes.length(), GAVE_UP));
        }
        let batch = match header {
            Header::Batch(batch) => self.batch(batch, valid),
            Header::Message(message) => self.message(message, valid),
        };
        self.at = end;
        self.any = true;
        self.next_offset = batch.last_offset.checked_add(1);
        Ok(Seen::Batch(batch))
    }

    /// What stands here cannot be walked past: a whole batch is looked for behind it.
    fn damaged(&mut self, what: &'static str) -> io::Result<Option<Seen<'static>>> {
        let end = self.bytes.length();
        let next =
            self.search
                .batch_between(&mut self.bytes, self.at + 1, end, self.next_offset)?;
        if next.is_none() && self.search.gave_up() {
            return Ok(Some(self.damaged_up_to(end, GAVE_UP)));
        }
        Ok(next.map(|next| self.damaged_up_to(next, what)))
    }

    fn damaged_up_to(&mut self, next: u64, what: &'static str) -> Seen<'static> {
        let place = self.place(self.at);
        self.at = next;
        self.any = true;
        Seen::Damaged { place, what }
    }

    fn torn(&mut self, bytes: u64) -> Seen<'static> {
        let place = self.place(self.at);
        self.at += bytes;
        Seen::TornTail { place, bytes }
    }

    fn batch(&self, header: &BatchHeader, valid: bool) -> LoggedBatch {
        LoggedBatch {
            place: self.place(self.at),
            base_offset: header.base_offset,
            last_offset: header.last_offset(),
            count: u32::try_from(header.count).ok(),
            base_sequence: header.base_sequence,
            last_sequence: header.last_sequence(),
            producer_id: header.producer_id,
            producer_epoch: header.producer_epoch,
            leader_epoch: Some(header.leader_epoch),
            is_transactional: header.is_transactional(),
            is_control: header.is_control(),
            position: Some(self.at),
            size: Some(header.size),
            crc: Some(header.crc),
            // A count below 0 is none, whatever the checksum covers.
            is_valid: Some(valid && header.count >= 0),
            has_delete_horizon: header.has_delete_horizon(),
        }
    }

    /// A message of before release 0.11. Of a compressed set only the last offset is known: its
    /// first is taken to be the next one.
    fn message(&self, header: &MessageHeader, valid: bool) -> LoggedBatch {
        let first = self
            .next_offset
            .filter(|next| header.is_set && *next <= header.offset);
        LoggedBatch {
            place: self.place(self.at),
            base_offset: first.unwrap_or(header.offset),
            last_offset: header.offset,
            count: None,
            base_sequence: -1,
            last_sequence: -1,
            producer_id: -1,
            producer_epoch: -1,
            leader_epoch: None,
            is_transactional: false,
            is_control: false,
            position: Some(self.at),
            size: Some(header.size),
            crc: Some(header.crc),
            is_valid: Some(valid),
            has_delete_horizon: false,
        }
    }
}

impl<R: Read + Seek> Reader for SegmentReader<R> {
    fn next(&mut self) -> Result<Option<Seen<'_>>, Unreadable> {
        if self.told == Told::Nothing {
            self.told = Told::Segment;
            return Ok(Some(Seen::Segment {
                place: self.place(0),
                path: &self.path,
            }));
        }
        if self.told == Told::Segment {
            self.told = Told::All;
            if let Some(offset) = offset_in_name(&self.path) {
                return Ok(Some(Seen::LogStart { offset }));
            }
        }
        self.next_in_file()
            .map_err(|error| Unreadable::io(self.file, error))?
    }
}

/// The offset that the name of a segment file begins with.
fn offset_in_name(path: &[u8]) -> Option<i64> {
    let name = path.rsplit(|byte| *byte == b'/' || *byte == b'\\').next()?;
    let (digits, rest) = name.split_at_checked(OFFSET_DIGITS)?;
    if !rest.starts_with(b".") || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

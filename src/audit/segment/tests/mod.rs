//! What a reader of segment files tells of small files that are whole, cut, altered or something else.

mod any;
mod damage;
mod whole;

use std::io::Cursor;

use super::SegmentReader;
use crate::audit::{FileId, LoggedBatch, Position, Reader, Seen, Unreadable};

const NAME: &[u8] = b"orders-0/00000000000000000000.log";

/// What is told of a file besides where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Told {
    Batch(LoggedBatch),
    Damaged(u64),
    Torn(u64, u64),
}

impl Told {
    /// The batch, as its base offset and whether its checksum is right.
    fn short(&self) -> Short {
        match self {
            Told::Batch(batch) => Short::Batch(batch.base_offset, batch.is_valid),
            Told::Damaged(at) => Short::Damaged(*at),
            Told::Torn(at, bytes) => Short::Torn(*at, *bytes),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Short {
    Batch(i64, Option<bool>),
    Damaged(u64),
    Torn(u64, u64),
}

const VALID: Option<bool> = Some(true);
const INVALID: Option<bool> = Some(false);

fn read(segment: &[u8]) -> Result<Vec<Told>, Unreadable> {
    let mut reader = SegmentReader::new(FileId(0), NAME, Cursor::new(segment))?;
    let mut told = Vec::new();
    while let Some(seen) = reader.next()? {
        told.push(match seen {
            Seen::Segment { path, .. } => {
                assert_eq!(path, NAME);
                continue;
            }
            Seen::LogStart { offset } => {
                assert_eq!(offset, 0);
                continue;
            }
            Seen::Batch(batch) => Told::Batch(batch),
            Seen::Damaged { place, .. } => Told::Damaged(byte(place.position)),
            Seen::TornTail { place, bytes } => Told::Torn(byte(place.position), bytes),
            other => panic!("a segment file has none of these: {other:?}"),
        });
    }
    Ok(told)
}

fn short(segment: &[u8]) -> Vec<Short> {
    let told = read(segment).expect("readable");
    told.iter().map(Told::short).collect()
}

fn byte(position: Position) -> u64 {
    match position {
        Position::Byte(byte) => byte,
        Position::Line(_) => panic!("a segment file has no lines"),
    }
}

/// A batch of producer 7 as Kafka writes it, the records replaced by these bytes.
fn batch(base_offset: i64, sequence: i32, count: i32, records: &[u8]) -> Vec<u8> {
    let mut checked = Vec::new();
    checked.extend(0x10_i16.to_be_bytes()); // transactional
    checked.extend((count - 1).to_be_bytes());
    checked.extend(1_700_000_000_000_i64.to_be_bytes());
    checked.extend(1_700_000_000_000_i64.to_be_bytes());
    checked.extend(7_i64.to_be_bytes());
    checked.extend(3_i16.to_be_bytes());
    checked.extend(sequence.to_be_bytes());
    checked.extend(count.to_be_bytes());
    checked.extend(records);

    let mut whole = Vec::new();
    whole.extend(base_offset.to_be_bytes());
    whole.extend((checked.len() as i32 + 9).to_be_bytes());
    whole.extend(5_i32.to_be_bytes());
    whole.push(2);
    whole.extend(crc32c::crc32c(&checked).to_be_bytes());
    whole.extend(checked);
    whole
}

/// A message of magic 0, without key and value.
fn message(offset: i64) -> Vec<u8> {
    message_of(0, offset)
}

/// A message of magic 0 with these attributes, without key and value.
fn message_of(attributes: u8, offset: i64) -> Vec<u8> {
    let mut whole = Vec::new();
    let mut checked = vec![0, attributes];
    checked.extend([0xff; 8]);
    let mut crc = flate2::Crc::new();
    crc.update(&checked);

    whole.extend(offset.to_be_bytes());
    whole.extend((checked.len() as i32 + 4).to_be_bytes());
    whole.extend(crc.sum().to_be_bytes());
    whole.extend(checked);
    whole
}

/// Three batches, and where each begins.
fn three() -> (Vec<u8>, [usize; 3]) {
    let parts = [
        batch(0, 10, 2, b"first"),
        batch(2, 12, 1, b""),
        batch(3, 13, 4, b"the third"),
    ];
    let starts = [0, parts[0].len(), parts[0].len() + parts[1].len()];
    (parts.concat(), starts)
}

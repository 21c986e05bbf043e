//! Apache Kafka's snapshot format, byte for byte (`ProducerSnapshot.json`, version 1; the
//! same bytes since 0.11).
//!
//! All numbers are big-endian. A file is a header and then one entry for each producer, in
//! no particular order:
//!
//! | header | bytes | type | |
//! |---|---|---|---|
//! | version | 0–1 | i16 | 1 |
//! | checksum | 2–5 | u32 | CRC-32C of every byte from 6 to the end |
//! | count | 6–9 | i32 | entries that follow |
//!
//! | entry | bytes | type | |
//! |---|---|---|---|
//! | producer id | 0–7 | i64 | 0 or more |
//! | epoch | 8–9 | i16 | −1 if the producer wrote nothing that had one |
//! | last sequence | 10–13 | i32 | of the newest batch; −1 if there is none, or it has none |
//! | last offset | 14–21 | i64 | of the newest batch; −1 if there is none |
//! | offset delta | 22–25 | i32 | last offset − first offset of that batch; 0 if there is none |
//! | timestamp | 26–33 | i64 | last timestamp of the producer, ms |
//! | coordinator epoch | 34–37 | i32 | of the last transaction marker; −1 if there was none |
//! | transaction's first offset | 38–45 | i64 | of the open transaction; −1 if there is none |
//!
//! The offset up to which the log is covered is in the name of the file only.
//!
//! Only the newest batch has a place. The rest of the window is lost, here as in Kafka.

use super::field::Field;
use super::plausible::{fault_of_offsets, fault_of_producer, fault_of_sequence};
use super::SnapshotError;

/// The version that is known, in the first two bytes.
pub const VERSION: i16 = 1;
/// Bytes of the header.
pub const HEADER_SIZE: usize = 10;
/// Bytes of an entry.
pub const ENTRY_SIZE: usize = 46;

const FORMAT_VERSION: Field<0> = Field;
const CHECKSUM: Field<2> = Field;
const COUNT: Field<6> = Field;
/// Where the bytes begin that the checksum is taken of.
const CHECKED: usize = 6;

const PRODUCER_ID: Field<0> = Field;
const EPOCH: Field<8> = Field;
const LAST_SEQUENCE: Field<10> = Field;
const LAST_OFFSET: Field<14> = Field;
const OFFSET_DELTA: Field<22> = Field;
const TIMESTAMP: Field<26> = Field;
const COORDINATOR_EPOCH: Field<34> = Field;
const TRANSACTION_FIRST_OFFSET: Field<38> = Field;

/// What a file holds of one producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Producer id, 0 or more.
    pub producer_id: i64,
    /// Producer epoch; any number.
    pub epoch: i16,
    /// Last sequence of the newest batch; −1 if there is no batch, or it has no sequence, as
    /// those of the group coordinator.
    pub last_sequence: i32,
    /// Last offset of the newest batch; −1 if there is no batch.
    pub last_offset: i64,
    /// Last offset − first offset of the newest batch; 0 if there is none.
    pub offset_delta: i32,
    /// Last timestamp of the producer, in ms.
    pub timestamp: i64,
    /// Epoch of the coordinator that wrote the last transaction marker; −1 if there was none.
    pub coordinator_epoch: i32,
    /// First offset of the open transaction; −1 if there is none.
    pub transaction_first_offset: i64,
}

impl Entry {
    /// Whether the producer has a batch. If not, last sequence and offset delta mean nothing.
    #[inline]
    pub const fn has_batch(&self) -> bool {
        self.last_offset >= 0
    }

    #[inline]
    fn from_bytes(bytes: &[u8; ENTRY_SIZE]) -> Self {
        Entry {
            producer_id: i64::from_be_bytes(PRODUCER_ID.get(bytes)),
            epoch: i16::from_be_bytes(EPOCH.get(bytes)),
            last_sequence: i32::from_be_bytes(LAST_SEQUENCE.get(bytes)),
            last_offset: i64::from_be_bytes(LAST_OFFSET.get(bytes)),
            offset_delta: i32::from_be_bytes(OFFSET_DELTA.get(bytes)),
            timestamp: i64::from_be_bytes(TIMESTAMP.get(bytes)),
            coordinator_epoch: i32::from_be_bytes(COORDINATOR_EPOCH.get(bytes)),
            transaction_first_offset: i64::from_be_bytes(TRANSACTION_FIRST_OFFSET.get(bytes)),
        }
    }

    #[inline]
    fn to_bytes(self) -> [u8; ENTRY_SIZE] {
        let mut bytes = [0; ENTRY_SIZE];
        PRODUCER_ID.put(&mut bytes, self.producer_id.to_be_bytes());
        EPOCH.put(&mut bytes, self.epoch.to_be_bytes());
        LAST_SEQUENCE.put(&mut bytes, self.last_sequence.to_be_bytes());
        LAST_OFFSET.put(&mut bytes, self.last_offset.to_be_bytes());
        OFFSET_DELTA.put(&mut bytes, self.offset_delta.to_be_bytes());
        TIMESTAMP.put(&mut bytes, self.timestamp.to_be_bytes());
        COORDINATOR_EPOCH.put(&mut bytes, self.coordinator_epoch.to_be_bytes());
        let first_offset = self.transaction_first_offset.to_be_bytes();
        TRANSACTION_FIRST_OFFSET.put(&mut bytes, first_offset);
        bytes
    }

    /// What cannot be about this entry, if anything.
    fn fault(&self) -> Option<&'static str> {
        let of_offsets = match self.last_offset {
            -1 => None,
            last_offset => fault_of_offsets(last_offset, self.offset_delta),
        };
        fault_of_producer(self.producer_id, self.transaction_first_offset)
            .or(fault_of_sequence(self.last_sequence, self.offset_delta))
            .or(of_offsets)
    }
}

/// Puts entries into a file.
///
/// They are written as they are: whoever calls sees to it that the numbers can be, and that
/// no producer comes twice.
///
/// # Errors
/// [`SnapshotError::TooManyProducers`] beyond 2³¹−1 entries.
pub fn encode(entries: impl ExactSizeIterator<Item = Entry>) -> Result<Vec<u8>, SnapshotError> {
    let count = count_of(entries.len())?;
    let mut bytes = Vec::with_capacity(HEADER_SIZE + entries.len() * ENTRY_SIZE);
    let mut header = [0; HEADER_SIZE];
    FORMAT_VERSION.put(&mut header, VERSION.to_be_bytes());
    COUNT.put(&mut header, count.to_be_bytes());
    bytes.extend_from_slice(&header);
    for entry in entries {
        bytes.extend_from_slice(&entry.to_bytes());
    }
    // The checksum stands before what it is taken of.
    let checksum = crc32c::crc32c(&bytes[CHECKED..]);
    CHECKSUM.put(&mut header, checksum.to_be_bytes());
    bytes[..HEADER_SIZE].copy_from_slice(&header);
    Ok(bytes)
}

/// The number of entries as the header has it.
fn count_of(entries: usize) -> Result<i32, SnapshotError> {
    i32::try_from(entries).map_err(|_| SnapshotError::TooManyProducers { found: entries })
}

/// A file that was found to be whole and plausible.
#[derive(Clone, Copy, Debug)]
pub struct Parsed<'a> {
    checksum: u32,
    entries: &'a [[u8; ENTRY_SIZE]],
}

impl<'a> Parsed<'a> {
    /// The entries, in the order of the file.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry> + use<'a> {
        self.entries.iter().map(Entry::from_bytes)
    }

    /// CRC-32C of the file.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }
}

/// Looks at a file from its first byte to its last.
///
/// # Errors
/// If the file has another version, another length or another checksum than it says, or an
/// entry holds a number that cannot be: a negative producer id, offset delta or first
/// offset, or any other below −1. Epochs and timestamps can be any number.
pub fn parse(bytes: &[u8]) -> Result<Parsed<'_>, SnapshotError> {
    let Some((header, entries)) = bytes.split_first_chunk::<HEADER_SIZE>() else {
        return Err(SnapshotError::too_short(bytes, HEADER_SIZE));
    };
    let version = i16::from_be_bytes(FORMAT_VERSION.get(header));
    if version != VERSION {
        let found = i64::from(version);
        return Err(SnapshotError::UnknownVersion { found });
    }
    let Ok(count) = u32::try_from(i32::from_be_bytes(COUNT.get(header))) else {
        let what = "the number of producers is negative";
        return Err(SnapshotError::ImplausibleHeader { what });
    };
    let needed = HEADER_SIZE as u64 + u64::from(count) * ENTRY_SIZE as u64;
    SnapshotError::check_length(bytes.len(), needed)?;
    let checksum = u32::from_be_bytes(CHECKSUM.get(header));
    SnapshotError::check_checksum(checksum, &bytes[CHECKED..])?;
    let (entries, _) = entries.as_chunks();
    let parsed = Parsed { checksum, entries };
    for (entry, read) in parsed.entries().enumerate() {
        if let Some(what) = read.fault() {
            return Err(SnapshotError::Implausible { entry, what });
        }
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Apache Kafka 4.3.1 wrote after 3 records of producer 7 in epoch 2, 2 more of it,
    /// and one of producer 9.
    const TWO_PRODUCERS: &str = "0001985549ca00000002\
        0000000000000007000200000004000000000000000400000001000001a3185c6388ffffffffffffffffffffffff\
        0000000000000009000000000000000000000000000500000000000001a3185c6388ffffffffffffffffffffffff";
    /// What it wrote after record 99 of producer 1 at offset 1.
    const ONE_PRODUCER: &str = "000174e381f200000001\
        0000000000000001000000000063000000000000000100000000000001a31877c743ffffffffffffffffffffffff";

    fn bytes(hex: &str) -> Vec<u8> {
        let digit = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(digit).collect()
    }

    fn entry() -> Entry {
        Entry {
            producer_id: 7,
            epoch: 2,
            last_sequence: 4,
            last_offset: 4,
            offset_delta: 1,
            timestamp: 1_800_000_005_000,
            coordinator_epoch: -1,
            transaction_first_offset: -1,
        }
    }

    /// What parsing a file with this one entry comes to.
    fn parsed(entry: Entry) -> Result<(), SnapshotError> {
        parse(&encode([entry].into_iter())?).map(drop)
    }

    #[test]
    fn files_that_kafka_wrote_are_read() {
        let file = bytes(TWO_PRODUCERS);
        let parsed = parse(&file).unwrap();
        assert_eq!(parsed.checksum(), 0x9855_49ca);
        let other = Entry {
            producer_id: 9,
            epoch: 0,
            last_sequence: 0,
            last_offset: 5,
            offset_delta: 0,
            ..entry()
        };
        assert_eq!(parsed.entries().len(), 2);
        assert!(parsed.entries().eq([entry(), other]));

        let file = bytes(ONE_PRODUCER);
        let parsed = parse(&file).unwrap();
        assert_eq!(parsed.checksum(), 0x74e3_81f2);
        assert!(parsed.entries().eq([Entry {
            producer_id: 1,
            epoch: 0,
            last_sequence: 99,
            last_offset: 1,
            offset_delta: 0,
            timestamp: 1_800_001_800_003,
            ..entry()
        }]));
    }

    #[test]
    fn the_same_state_gives_the_bytes_that_kafka_wrote() {
        for hex in [ONE_PRODUCER, TWO_PRODUCERS] {
            let file = bytes(hex);
            assert_eq!(encode(parse(&file).unwrap().entries()).unwrap(), file);
        }
    }

    #[test]
    fn no_producer_makes_a_file_of_a_header() {
        let file = encode([].into_iter()).unwrap();
        assert_eq!(file.len(), HEADER_SIZE);
        assert_eq!(parse(&file).unwrap().entries().len(), 0);
    }

    #[test]
    fn memory_is_taken_once() {
        let file = encode([entry(); 3].into_iter()).unwrap();
        assert_eq!((file.len(), file.capacity()), (10 + 3 * 46, 10 + 3 * 46));
    }

    #[test]
    fn what_kafka_writes_for_a_producer_without_a_batch_is_read() {
        let none = Entry {
            epoch: -1,
            last_sequence: -1,
            last_offset: -1,
            offset_delta: 0,
            timestamp: -1,
            ..entry()
        };
        assert!(parsed(none).is_ok());
        assert!(!none.has_batch());
        // Kafka tells by the last offset alone.
        assert!(parsed(Entry {
            offset_delta: 3,
            ..none
        })
        .is_ok());
    }

    #[test]
    fn a_batch_of_the_group_coordinator_has_no_sequence() {
        let of_coordinator = Entry {
            last_sequence: -1,
            last_offset: 0,
            offset_delta: 0,
            ..entry()
        };
        assert!(parsed(of_coordinator).is_ok());
        assert!(of_coordinator.has_batch());
    }

    #[test]
    fn numbers_that_cannot_be_are_refused_with_a_right_checksum() {
        let good = entry();
        for (bad, words) in [
            (
                Entry {
                    producer_id: -1,
                    ..good
                },
                "producer id",
            ),
            (
                Entry {
                    transaction_first_offset: -2,
                    ..good
                },
                "open transaction",
            ),
            (
                Entry {
                    last_sequence: -2,
                    ..good
                },
                "last sequence",
            ),
            (
                Entry {
                    last_offset: -2,
                    ..good
                },
                "last offset is",
            ),
            (
                Entry {
                    offset_delta: -1,
                    ..good
                },
                "offset delta is",
            ),
            (
                Entry {
                    offset_delta: 5,
                    ..good
                },
                "first offset (",
            ),
            (
                Entry {
                    last_offset: -1,
                    offset_delta: -1,
                    ..good
                },
                "offset delta is",
            ),
        ] {
            let file = encode([good, bad, good].into_iter()).unwrap();
            match parse(&file) {
                Err(SnapshotError::Implausible { entry: 1, what }) => {
                    assert!(what.contains(words), "{bad:?}: {what}");
                }
                other => panic!("{bad:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn any_epoch_and_time_can_be() {
        for number in [-7, 0, 7] {
            assert!(parsed(Entry {
                epoch: number,
                coordinator_epoch: i32::from(number),
                timestamp: i64::from(number),
                ..entry()
            })
            .is_ok());
        }
    }

    /// A file of one entry with some bytes of its header overwritten and the checksum right.
    fn with_header(at: usize, field: &[u8]) -> Vec<u8> {
        let mut file = encode([entry()].into_iter()).unwrap();
        file[at..at + field.len()].copy_from_slice(field);
        let checksum = crc32c::crc32c(&file[CHECKED..]).to_be_bytes();
        file[2..6].copy_from_slice(&checksum);
        file
    }

    #[test]
    fn another_version_is_refused() {
        for version in [-1i16, 0, 2] {
            let refused = parse(&with_header(0, &version.to_be_bytes())).unwrap_err();
            let found = i64::from(version);
            assert!(
                matches!(refused, SnapshotError::UnknownVersion { found: told } if told == found),
                "{refused}"
            );
        }
    }

    #[test]
    fn a_count_that_is_not_that_of_the_entries_is_refused() {
        let counted = |count: i32| parse(&with_header(6, &count.to_be_bytes())).map(drop);
        assert!(counted(1).is_ok());
        assert!(matches!(
            counted(0),
            Err(SnapshotError::TrailingBytes { extra: 46 })
        ));
        assert!(matches!(
            counted(2),
            Err(SnapshotError::Truncated {
                needed: 102,
                found: 56
            })
        ));
        assert!(matches!(
            counted(i32::MAX),
            Err(SnapshotError::Truncated {
                needed: 98_784_247_772,
                ..
            })
        ));
        assert!(matches!(
            counted(-1),
            Err(SnapshotError::ImplausibleHeader { .. })
        ));
    }

    #[test]
    fn a_header_that_is_not_whole_is_refused() {
        let file = encode([].into_iter()).unwrap();
        for found in 0..HEADER_SIZE {
            assert!(matches!(
                parse(&file[..found]),
                Err(SnapshotError::TooShort { needed: 10, found: told }) if told == found
            ));
        }
    }

    #[test]
    fn a_wrong_checksum_is_told_with_the_right_one() {
        let mut file = bytes(ONE_PRODUCER);
        file[2] ^= 0xff;
        assert!(matches!(
            parse(&file),
            Err(SnapshotError::ChecksumMismatch {
                stored: 0x8be3_81f2,
                computed: 0x74e3_81f2
            })
        ));
    }

    #[test]
    fn more_producers_than_can_be_counted_are_refused() {
        assert_eq!(count_of(0x7fff_ffff).unwrap(), i32::MAX);
        let found = 0x8000_0000;
        let many = std::iter::repeat_n(entry(), found);
        assert!(matches!(
            encode(many),
            Err(SnapshotError::TooManyProducers { found: told }) if told == found
        ));
    }
}

//! Laws of both formats, on files that were made up at random.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, Index};

use super::whole_window::{self, BatchRecord, Encoder, Producer};
use super::{detect, kafka, Format, SnapshotError};

fn kafka_entry() -> impl Strategy<Value = kafka::Entry> {
    (
        (0..=i64::MAX, any::<i16>(), -1..=i32::MAX),
        (-1..=i64::MAX, 0..=i32::MAX, any::<i64>()),
        (any::<i32>(), -1..=i64::MAX),
    )
        .prop_map(|(identity, batch, transaction)| {
            let (producer_id, epoch, last_sequence) = identity;
            let (last_offset, offset_delta, timestamp) = batch;
            let (coordinator_epoch, transaction_first_offset) = transaction;
            let longest = i32::try_from(last_offset.max(0)).unwrap_or(i32::MAX);
            kafka::Entry {
                producer_id,
                epoch,
                last_sequence,
                last_offset,
                offset_delta: offset_delta.min(longest),
                timestamp,
                coordinator_epoch,
                transaction_first_offset,
            }
        })
}

/// Batches of one producer, each with its gap to the one ahead of it.
fn batches() -> impl Strategy<Value = Vec<BatchRecord>> {
    let batch = (0..1000i64, 0..=i32::MAX, -1..=i32::MAX, any::<i64>());
    vec(batch, 0..=7).prop_map(|batches| {
        let mut free = 0;
        let place = |(gap, offset_delta, last_sequence, timestamp)| {
            let last_offset = free + gap + i64::from(offset_delta);
            free = last_offset + 1;
            BatchRecord {
                last_sequence,
                last_offset,
                offset_delta,
                timestamp,
            }
        };
        batches.into_iter().map(place).collect()
    })
}

/// Behind all that [`batches`] makes up.
const MAP_END: i64 = 8 << 32;

fn producer() -> impl Strategy<Value = Producer> {
    (
        (0..=i64::MAX, any::<i16>(), any::<i32>()),
        (any::<i64>(), any::<i64>(), -1..MAP_END),
    )
        .prop_map(|((producer_id, epoch, coordinator_epoch), times)| {
            let (last_timestamp, last_seen, transaction_first_offset) = times;
            Producer {
                producer_id,
                epoch,
                coordinator_epoch,
                last_timestamp,
                last_seen,
                transaction_first_offset,
            }
        })
}

fn kafka_file() -> impl Strategy<Value = Vec<u8>> {
    vec(kafka_entry(), 0..5)
        .prop_map(|entries| kafka::encode(entries.into_iter()).expect("few entries"))
}

fn encode_window(map_end: i64, entries: &[(Producer, Vec<BatchRecord>)]) -> Vec<u8> {
    let mut encoder = Encoder::new(map_end);
    for (producer, batches) in entries {
        let pushed = encoder.push(producer, batches.iter().copied());
        pushed.expect("few batches");
    }
    encoder.finish()
}

fn window_file() -> impl Strategy<Value = Vec<u8>> {
    vec((producer(), batches()), 0..5).prop_map(|entries| encode_window(MAP_END, &entries))
}

fn file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![kafka_file(), window_file()]
}

/// Reads all that there is, whatever the format.
fn read(bytes: &[u8]) -> Result<usize, SnapshotError> {
    Ok(match detect(bytes)? {
        Format::Kafka => kafka::parse(bytes)?.entries().count(),
        Format::WholeWindow => {
            let parsed = whole_window::parse(bytes)?;
            let batches = parsed.entries().map(|entry| entry.batches().count());
            batches.sum::<usize>() + parsed.entries().count()
        }
    })
}

proptest! {
    #[test]
    fn kafka_entries_come_back(entries in vec(kafka_entry(), 0..20)) {
        let bytes = kafka::encode(entries.iter().copied()).unwrap();
        let read = kafka::parse(&bytes).unwrap().entries();
        prop_assert_eq!(read.len(), entries.len());
        prop_assert_eq!(read.collect::<Vec<_>>(), entries);
    }

    #[test]
    fn whole_windows_come_back(
        end in MAP_END..=i64::MAX,
        entries in vec((producer(), batches()), 0..20),
    ) {
        let bytes = encode_window(end, &entries);
        let parsed = whole_window::parse(&bytes).unwrap();
        prop_assert_eq!(parsed.map_end(), end);
        prop_assert_eq!(parsed.entries().len(), entries.len());
        let read = parsed.entries().map(|entry| (entry.producer, entry.batches().collect()));
        prop_assert_eq!(read.collect::<Vec<(_, Vec<_>)>>(), entries);
    }

    #[test]
    fn a_file_with_one_bit_flipped_is_refused(mut bytes in file(), at in any::<Index>()) {
        let bit = at.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn a_file_that_was_cut_short_is_refused(bytes in file(), at in any::<Index>()) {
        let kept = at.index(bytes.len());
        let refused = read(&bytes[..kept]);
        prop_assert!(
            matches!(
                refused,
                Err(SnapshotError::TooShort { .. } | SnapshotError::Truncated { .. })
            ),
            "{refused:?}"
        );
    }

    #[test]
    fn a_file_with_bytes_behind_it_is_refused(
        mut bytes in file(),
        more in vec(any::<u8>(), 1..100),
    ) {
        bytes.extend_from_slice(&more);
        let refused = read(&bytes);
        prop_assert!(
            matches!(refused, Err(SnapshotError::TrailingBytes { extra }) if extra == more.len() as u64),
            "{refused:?}"
        );
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        format in select(vec![&b"\0\x01"[..], b"RPWINDOW\0\0\0\x01", b""]),
        bytes in vec(any::<u8>(), 0..300),
    ) {
        let bytes = [format, &bytes].concat();
        let _ = read(&bytes);
        let _ = kafka::parse(&bytes);
        let _ = whole_window::parse(&bytes);
    }

    /// As [`any_bytes_are_read_or_refused`], behind the checksum and the length.
    #[test]
    fn any_entries_with_a_right_checksum_are_read_or_refused(
        mut bytes in window_file(),
        at in any::<Index>(),
        value in any::<u8>(),
    ) {
        let behind = bytes.len() - 16;
        bytes[16 + at.index(behind)] = value;
        let checksum = crc32c::crc32c(&bytes[16..]).to_be_bytes();
        bytes[12..16].copy_from_slice(&checksum);
        let _ = read(&bytes);
    }
}

//! What is written is read, and what cannot be is refused.

use super::super::SnapshotError;
use super::{parse, BatchRecord, Encoder, Producer, HEADER_SIZE, MAX_BATCHES};

fn producer() -> Producer {
    Producer {
        producer_id: 7,
        epoch: 2,
        coordinator_epoch: 3,
        last_timestamp: 1_800_000_005_000,
        last_seen: 1_800_000_005_017,
        transaction_first_offset: 20,
    }
}

/// A batch of two records that ends at this offset.
fn batch(last_offset: i64) -> BatchRecord {
    BatchRecord {
        last_sequence: 4,
        last_offset,
        offset_delta: 1,
        timestamp: 1_800_000_004_000,
    }
}

/// A file up to offset 24 with one producer before and one after it.
fn file(producer: Producer, batches: &[BatchRecord]) -> Vec<u8> {
    let plain = Producer {
        producer_id: 1,
        ..self::producer()
    };
    let mut encoder = Encoder::new(24);
    encoder.push(&plain, [batch(5)]).unwrap();
    encoder.push(&producer, batches.iter().copied()).unwrap();
    encoder.push(&plain, []).unwrap();
    encoder.finish()
}

/// Asserts that the middle entry is refused in these words.
#[track_caller]
fn refused(producer: Producer, batches: &[BatchRecord], words: &str) {
    match parse(&file(producer, batches)) {
        Err(SnapshotError::Implausible { entry: 1, what }) => {
            assert!(what.contains(words), "{words}: {what}");
        }
        other => panic!("{words}: {other:?}"),
    }
}

#[test]
fn the_bytes_are_those_of_the_documented_layout() {
    let mut encoder = Encoder::new(24);
    encoder.push(&producer(), [batch(21), batch(23)]).unwrap();
    let file = encoder.finish();
    let mut expected = Vec::new();
    expected.extend_from_slice(b"RPWINDOW");
    expected.extend_from_slice(&1u32.to_be_bytes());
    expected.extend_from_slice(&crc32c::crc32c(&file[16..]).to_be_bytes());
    expected.extend_from_slice(&24i64.to_be_bytes());
    expected.extend_from_slice(&1u64.to_be_bytes());
    expected.extend_from_slice(&2u64.to_be_bytes());
    expected.extend_from_slice(&7i64.to_be_bytes());
    expected.extend_from_slice(&1_800_000_005_000i64.to_be_bytes());
    expected.extend_from_slice(&1_800_000_005_017i64.to_be_bytes());
    expected.extend_from_slice(&20i64.to_be_bytes());
    expected.extend_from_slice(&3i32.to_be_bytes());
    expected.extend_from_slice(&2i16.to_be_bytes());
    expected.extend_from_slice(&2u16.to_be_bytes());
    for last_offset in [21i64, 23] {
        expected.extend_from_slice(&last_offset.to_be_bytes());
        expected.extend_from_slice(&1_800_000_004_000i64.to_be_bytes());
        expected.extend_from_slice(&4i32.to_be_bytes());
        expected.extend_from_slice(&1i32.to_be_bytes());
    }
    assert_eq!(file, expected);
    assert_eq!(file.len(), 40 + 40 + 2 * 24);
}

#[test]
fn what_was_written_is_read() {
    let bytes = file(producer(), &[batch(20), batch(23)]);
    let parsed = parse(&bytes).unwrap();
    assert_eq!(parsed.map_end(), 24);
    assert_eq!(parsed.checksum(), crc32c::crc32c(&bytes[16..]));
    let mut entries = parsed.entries();
    assert_eq!(entries.len(), 3);
    assert_eq!(entries.next().unwrap().producer.producer_id, 1);
    assert_eq!(entries.len(), 2);
    let middle = entries.next().unwrap();
    assert_eq!(middle.producer, producer());
    assert_eq!(middle.batches().len(), 2);
    assert!(middle.batches().eq([batch(20), batch(23)]));
    assert_eq!(middle.batches().next_back(), Some(batch(23)));
    assert_eq!(entries.next().unwrap().batches().len(), 0);
    assert_eq!(entries.len(), 0);
    assert!(entries.next().is_none());
}

#[test]
fn a_state_without_producers_has_a_map_end() {
    for map_end in [0, i64::MAX] {
        let bytes = Encoder::new(map_end).finish();
        assert_eq!(bytes.len(), HEADER_SIZE);
        assert_eq!(parse(&bytes).unwrap().map_end(), map_end);
    }
    assert!(matches!(
        parse(&Encoder::new(-1).finish()),
        Err(SnapshotError::ImplausibleHeader { what }) if what.contains("map end")
    ));
}

#[test]
fn memory_is_taken_once_where_the_room_is_known() {
    let mut encoder = Encoder::with_room(24, 1, 2);
    encoder.push(&producer(), [batch(20), batch(23)]).unwrap();
    let bytes = encoder.finish();
    assert_eq!((bytes.len(), bytes.capacity()), (128, 128));
}

#[test]
fn the_least_and_the_largest_numbers_can_be() {
    let least = Producer {
        producer_id: 0,
        epoch: i16::MIN,
        coordinator_epoch: i32::MIN,
        last_timestamp: i64::MIN,
        last_seen: i64::MIN,
        transaction_first_offset: -1,
    };
    let first = BatchRecord {
        last_sequence: -1,
        last_offset: 0,
        offset_delta: 0,
        timestamp: i64::MIN,
    };
    let last = Producer {
        transaction_first_offset: 23,
        ..producer()
    };
    assert!(parse(&file(least, &[first])).is_ok());
    assert!(parse(&file(least, &[batch(1), batch(3)])).is_ok());
    assert!(parse(&file(last, &[batch(23)])).is_ok());
}

#[test]
fn numbers_that_cannot_be_are_refused_with_a_right_checksum() {
    let good = producer();
    let bad = |producer_id, transaction_first_offset| Producer {
        producer_id,
        transaction_first_offset,
        ..good
    };
    refused(bad(-1, 20), &[], "producer id");
    refused(bad(7, -2), &[], "below −1");
    refused(bad(7, 24), &[], "open transaction begins");
    let bad = |last_sequence, last_offset, offset_delta| BatchRecord {
        last_sequence,
        last_offset,
        offset_delta,
        timestamp: 0,
    };
    refused(good, &[bad(-2, 4, 1)], "last sequence");
    refused(good, &[bad(4, 4, -1)], "offset delta is");
    refused(good, &[bad(4, -1, 0)], "last offset is");
    refused(good, &[bad(4, 4, 5)], "first offset (");
    refused(good, &[batch(24)], "map end");
    // The second begins at the offset at which the first ends.
    refused(good, &[batch(4), batch(5)], "ahead of it");
    refused(good, &[batch(6), batch(4)], "ahead of it");
}

#[test]
fn a_producer_has_63_batches_at_most() {
    let push = |count: usize| {
        let mut encoder = Encoder::new(1000);
        encoder.push(&producer(), [batch(1)]).unwrap();
        let batches = (0..count as i64).map(|index| batch(2 * index + 1));
        let pushed = encoder.push(&producer(), batches);
        (pushed, encoder.finish())
    };
    let (pushed, bytes) = push(MAX_BATCHES);
    assert!(pushed.is_ok());
    let read = parse(&bytes).unwrap().entries().nth(1).unwrap();
    assert_eq!(read.batches().len(), 63);

    let (pushed, bytes) = push(MAX_BATCHES + 1);
    assert!(matches!(
        pushed,
        Err(SnapshotError::TooManyBatches { producer_id: 7 })
    ));
    let kept = parse(&bytes).unwrap();
    assert_eq!(kept.entries().len(), 1, "nothing of it was added");
}

/// The file of the middle producer with two batches, some bytes overwritten, the checksum
/// right.
fn overwritten(at: usize, field: &[u8]) -> Vec<u8> {
    let mut file = file(producer(), &[batch(20), batch(23)]);
    file[at..at + field.len()].copy_from_slice(field);
    let checksum = crc32c::crc32c(&file[16..]).to_be_bytes();
    file[12..16].copy_from_slice(&checksum);
    file
}

#[test]
fn more_than_63_batches_of_one_producer_are_refused() {
    let batches: Vec<_> = (0..64).map(|_| batch(1)).collect();
    let mut encoder = Encoder::new(24);
    encoder.push(&producer(), batches[..32].to_vec()).unwrap();
    encoder.push(&producer(), batches[32..].to_vec()).unwrap();
    let mut file = encoder.finish();
    // One producer with all of it: the second producer's bytes are taken out.
    let second = 40 + 40 + 32 * 24;
    file.drain(second..second + 40);
    file[31] = 1;
    file[40 + 39] = 64;
    let checksum = crc32c::crc32c(&file[16..]).to_be_bytes();
    file[12..16].copy_from_slice(&checksum);
    assert!(matches!(
        parse(&file),
        Err(SnapshotError::Implausible { entry: 0, what }) if what.contains("63")
    ));
}

#[test]
fn another_beginning_or_version_is_refused() {
    assert!(matches!(
        parse(&overwritten(7, b"X")),
        Err(SnapshotError::NotASnapshot)
    ));
    for version in [0u32, 2, u32::MAX] {
        let found = i64::from(version);
        assert!(matches!(
            parse(&overwritten(8, &version.to_be_bytes())),
            Err(SnapshotError::UnknownVersion { found: told }) if told == found
        ));
    }
}

#[test]
fn counts_that_are_not_those_of_the_entries_are_refused() {
    // 3 producers with 3 batches.
    assert!(parse(&overwritten(31, &[3, 0, 0, 0, 0, 0, 0, 0, 3])).is_ok());
    assert!(matches!(
        parse(&overwritten(31, &[2])),
        Err(SnapshotError::TrailingBytes { extra: 40 })
    ));
    assert!(matches!(
        parse(&overwritten(39, &[4])),
        Err(SnapshotError::Truncated {
            needed: 256,
            found: 232
        })
    ));
    for at in [24, 32] {
        assert!(matches!(
            parse(&overwritten(at, &[0xff; 8])),
            Err(SnapshotError::Truncated {
                needed: u64::MAX,
                ..
            })
        ));
    }
    // The first producer claims the batches of the next, so that the last one is not whole.
    assert!(matches!(
        parse(&overwritten(40 + 38, &[0, 10])),
        Err(SnapshotError::Implausible { entry: 0, what }) if what.contains("past the end")
    ));
}

#[test]
fn batches_that_no_entry_claims_are_refused() {
    let mut encoder = Encoder::new(24);
    encoder.push(&producer(), [batch(20), batch(23)]).unwrap();
    let mut file = encoder.finish();
    file[40 + 39] = 1;
    let checksum = crc32c::crc32c(&file[16..]).to_be_bytes();
    file[12..16].copy_from_slice(&checksum);
    assert!(matches!(
        parse(&file),
        Err(SnapshotError::ImplausibleHeader { what }) if what.contains("number of batches")
    ));
}

#[test]
fn a_header_that_is_not_whole_is_refused() {
    let bytes = Encoder::new(24).finish();
    for found in 0..HEADER_SIZE {
        assert!(matches!(
            parse(&bytes[..found]),
            Err(SnapshotError::TooShort { needed: 40, found: told }) if told == found
        ));
    }
}

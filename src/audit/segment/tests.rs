//! What a reader of segment files tells of small files that are whole, cut, altered or something else.

use std::io::Cursor;

use proptest::prelude::*;

use super::header::{BEFORE_LENGTH_COUNTS, CHECKED, HEADER, MAGIC};
use super::{offset_in_name, SegmentReader};
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
    let mut whole = Vec::new();
    let mut checked = vec![0, 0];
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

#[test]
fn a_batch_is_told_with_all_fields_of_its_header() {
    let (segment, starts) = three();
    let told = read(&segment).expect("readable");
    let [_, _, Told::Batch(third)] = told[..] else {
        panic!("three batches are in it: {told:?}");
    };
    assert_eq!(third.place.position, Position::Byte(starts[2] as u64));
    assert_eq!((third.base_offset, third.last_offset), (3, 6));
    assert_eq!((third.base_sequence, third.last_sequence), (13, 16));
    assert_eq!((third.producer_id, third.producer_epoch), (7, 3));
    assert_eq!((third.count, third.leader_epoch), (Some(4), Some(5)));
    assert_eq!((third.is_transactional, third.is_control), (true, false));
    assert_eq!(third.position, Some(starts[2] as u64));
    assert_eq!(third.size, Some((segment.len() - starts[2]) as u32));
    assert_eq!(third.is_valid, VALID);
    assert!(!third.has_delete_horizon);
}

#[test]
fn sequences_go_on_at_0_behind_the_largest() {
    let told = read(&batch(0, i32::MAX - 1, 4, b"")).expect("readable");
    let [Told::Batch(batch)] = told[..] else {
        panic!("one batch is in it: {told:?}");
    };
    assert_eq!(
        (batch.base_sequence, batch.last_sequence),
        (i32::MAX - 1, 1)
    );
}

#[test]
fn a_file_cut_anywhere_is_whole_up_to_the_cut_and_torn_there() {
    let (segment, starts) = three();
    for cut in 0..segment.len() {
        let whole = starts.iter().skip(1).filter(|start| **start <= cut).count();
        let torn_at = starts[whole];
        let mut expected: Vec<Short> = [0, 2, 3][..whole]
            .iter()
            .map(|base| Short::Batch(*base, VALID))
            .collect();
        // Of an offset that begins with zeros, so many zeros may be room that was reserved.
        if segment[torn_at..cut].iter().any(|byte| *byte != 0) {
            expected.push(Short::Torn(torn_at as u64, (cut - torn_at) as u64));
        }
        assert_eq!(short(&segment[..cut]), expected, "cut at {cut}");
    }
}

/// What becomes of the second of three batches, byte by byte, if one bit of the byte is another.
#[test]
fn an_altered_byte_is_found_or_is_one_that_the_checksum_does_not_cover() {
    let (segment, starts) = three();
    let original = read(&segment).expect("readable");
    for at in starts[1]..starts[2] {
        for bit in 0..8 {
            let mut altered = segment.clone();
            altered[at] ^= 1 << bit;
            let told = read(&altered).expect("readable");
            let in_batch = at - starts[1];
            let what = format!("bit {bit} of byte {in_batch}: {told:?}");
            // The other two are told as before.
            assert_eq!(
                (&told[0], &told[told.len() - 1]),
                (&original[0], &original[2]),
                "{what}"
            );
            let second = told[1].short();
            match in_batch {
                // The base offset: a leader writes it, and leaves the client's checksum as it is. A
                // negative one is none.
                0 if bit == 7 => assert_eq!(second, Short::Damaged(starts[1] as u64), "{what}"),
                0..8 => assert!(
                    matches!(told[1], Told::Batch(it) if it.base_offset != 2 && it.is_valid == VALID),
                    "{what}"
                ),
                // The length: the next batch is not where it says.
                8..12 => assert_eq!(second, Short::Damaged(starts[1] as u64), "{what}"),
                // The leader epoch, likewise written by the leader.
                12..16 => assert!(
                    matches!(told[1], Told::Batch(it) if it.leader_epoch != Some(5) && it.is_valid == VALID),
                    "{what}"
                ),
                // Magic 0 has a checksum of another kind, in another place.
                MAGIC if bit == 1 => assert!(
                    matches!(told[1], Told::Batch(it) if it.is_valid == INVALID),
                    "{what}"
                ),
                MAGIC => assert_eq!(second, Short::Damaged(starts[1] as u64), "{what}"),
                // The checksum itself, and all that it covers.
                _ => assert!(
                    matches!(told[1], Told::Batch(it) if it.is_valid == INVALID),
                    "{what}"
                ),
            }
        }
    }
}

#[test]
fn zeros_to_the_end_are_room_that_was_reserved() {
    let (mut segment, _) = three();
    let whole = short(&segment);
    for zeros in [1, HEADER, 1 << 20] {
        segment.extend(vec![0; zeros]);
        assert_eq!(short(&segment), whole, "{zeros}");
    }
    assert_eq!(short(&[0; 500]), [], "a file that nothing was written to");
    assert_eq!(short(&[]), []);
}

#[test]
fn zeros_with_something_behind_them_are_damage() {
    let (mut segment, starts) = three();
    segment[starts[1]..starts[2]].fill(0);
    assert_eq!(
        short(&segment),
        [
            Short::Batch(0, VALID),
            Short::Damaged(starts[1] as u64),
            Short::Batch(3, VALID)
        ]
    );
    let (mut segment, _) = three();
    let end = segment.len() as u64;
    segment.extend([0; 300]);
    segment.push(1);
    assert_eq!(short(&segment)[3..], [Short::Damaged(end)]);
}

#[test]
fn no_length_is_believed_that_the_file_does_not_bear_out() {
    for length in [0, 1, 48, 50, 1000, i32::MAX, -1, i32::MIN] {
        let (mut segment, starts) = three();
        segment[starts[1] + 8..starts[1] + 12].copy_from_slice(&length.to_be_bytes());
        assert_eq!(
            short(&segment),
            [
                Short::Batch(0, VALID),
                Short::Damaged(starts[1] as u64),
                Short::Batch(3, VALID)
            ],
            "{length}"
        );
        let cut = starts[2];
        let at = starts[1] as u64;
        let last = if length > 49 {
            Short::Torn(at, (cut - starts[1]) as u64)
        } else {
            Short::Damaged(at)
        };
        let expected = [Short::Batch(0, VALID), last];
        assert_eq!(
            short(&segment[..cut]),
            expected,
            "{length}, and nothing follows"
        );
    }
}

#[test]
fn a_last_batch_with_a_wrong_checksum_is_a_batch() {
    let (mut segment, _) = three();
    let last = segment.len() - 1;
    segment[last] ^= 1;
    assert_eq!(short(&segment)[2], Short::Batch(3, INVALID));
    segment.extend([0; 4000]);
    assert_eq!(
        short(&segment)[2..],
        [Short::Batch(3, INVALID)],
        "and reserved room follows"
    );
}

#[test]
fn the_batch_behind_damage_is_found_wherever_it_begins() {
    let next = batch(9, 0, 1, b"next");
    for garbage in (super::search::STRIDE - HEADER - 2..super::search::STRIDE + 2)
        .chain([1, 3 * super::search::STRIDE])
    {
        let segment = [&batch(0, 0, 1, b"")[..], &vec![0xa5; garbage], &next].concat();
        let at = HEADER as u64;
        assert_eq!(
            short(&segment),
            [
                Short::Batch(0, VALID),
                Short::Damaged(at),
                Short::Batch(9, VALID)
            ],
            "{garbage}"
        );
    }
}

#[test]
fn a_batch_may_be_longer_than_what_is_read_at_a_time() {
    let long = batch(0, 0, 1, &vec![0x5a; 3 << 20]);
    let mut segment = [&long[..], &batch(1, 1, 1, b"")].concat();
    assert_eq!(
        short(&segment),
        [Short::Batch(0, VALID), Short::Batch(1, VALID)]
    );
    segment[2 << 20] ^= 4;
    assert_eq!(
        short(&segment),
        [Short::Batch(0, INVALID), Short::Batch(1, VALID)]
    );
}

#[test]
fn messages_of_older_formats_have_no_producer() {
    let segment = [message(0), message(1), batch(2, 0, 1, b"")].concat();
    let told = read(&segment).expect("readable");
    let [Told::Batch(first), _, Told::Batch(last)] = told[..] else {
        panic!("three are in it: {told:?}");
    };
    assert_eq!(
        (first.producer_id, first.base_sequence, first.count),
        (-1, -1, None)
    );
    assert!(!first.has_sequences());
    assert_eq!((last.producer_id, last.position), (7, Some(52)));
}

#[test]
fn what_has_no_batch_in_it_is_no_segment() {
    for other in [
        &b"Dumping 00000000000000000000.log\nStarting offset: 0\n"[..],
        &[0x1f, 0x8b, 8, 0],
        &[0xff; 200],
    ] {
        let padded = [other, &[0x20; 100]].concat();
        let refused = read(&padded).expect_err("not a segment").to_string();
        assert!(
            refused.starts_with("byte 0: this is no segment of a log"),
            "{refused}"
        );
    }
}

#[test]
fn the_offset_is_in_the_name() {
    assert_eq!(
        offset_in_name(b"/data/orders-0/00000000000000000042.log"),
        Some(42)
    );
    assert_eq!(
        offset_in_name(b"00000000000000000042.log.deleted"),
        Some(42)
    );
    assert_eq!(offset_in_name(b"00000000000000000042"), None);
    assert_eq!(offset_in_name(b"42.log"), None);
    assert_eq!(offset_in_name(b"0000000000000000004x.log"), None);
    assert_eq!(offset_in_name(b"99999999999999999999.log"), None);
    assert_eq!(offset_in_name("ääääääääääää.log".as_bytes()), None);
    assert_eq!(offset_in_name(b""), None);
}

/// Whatever is told stands in the file, in order, and nothing twice.
fn fits(segment: &[u8]) {
    let Ok(told) = read(segment) else {
        return;
    };
    let mut end = 0;
    for seen in &told {
        let (at, size) = match *seen {
            Told::Batch(batch) => (
                batch.position.unwrap_or(0),
                u64::from(batch.size.unwrap_or(0)),
            ),
            Told::Damaged(at) => (at, 1),
            Told::Torn(at, bytes) => (at, bytes),
        };
        assert!(at >= end, "{told:?}");
        end = at + size;
    }
    assert!(end <= segment.len() as u64, "{told:?}");
}

/// Pieces of segments and of other things, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        (0..100_i64, 0..20_i32, 1..5_i32, any::<Vec<u8>>()).prop_map(
            |(offset, sequence, count, records)| batch(offset, sequence, count, &records)
        ),
        (0..100_i64).prop_map(message),
        any::<Vec<u8>>(),
        (0..200_usize).prop_map(|zeros| vec![0; zeros]),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_the_end_or_refused(segment in any::<Vec<u8>>()) {
        fits(&segment);
    }

    #[test]
    fn any_pieces_are_read_to_the_end_or_refused(
        mut segment in pieces(),
        altered in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        for (at, to) in altered {
            if !segment.is_empty() {
                let at = at.index(segment.len());
                segment[at] = to;
            }
        }
        fits(&segment);
        segment.truncate(cut.index(segment.len() + 1));
        fits(&segment);
    }

    /// Batches that follow each other are told as such, whatever is in their records.
    #[test]
    fn every_batch_of_a_whole_file_is_told(records in proptest::collection::vec(any::<Vec<u8>>(), 0..8)) {
        let segment: Vec<u8> = records.iter().enumerate()
            .flat_map(|(index, records)| batch(index as i64, index as i32, 1, records))
            .collect();
        let expected: Vec<Short> = (0..records.len()).map(|index| Short::Batch(index as i64, VALID)).collect();
        prop_assert_eq!(short(&segment), expected);
    }
}

#[test]
fn sizes_agree_with_the_format() {
    assert_eq!(batch(0, 0, 1, b"").len(), HEADER);
    assert_eq!(CHECKED as u32, BEFORE_LENGTH_COUNTS + 9);
}

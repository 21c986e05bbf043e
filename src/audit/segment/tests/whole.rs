//! Files with nothing wrong in them, and what is none.

use super::{batch, message, message_of, read, short, three, Short, Told, INVALID, VALID};
use crate::audit::segment::header::{BEFORE_LENGTH_COUNTS, CHECKED, HEADER};
use crate::audit::segment::offset_in_name;
use crate::audit::Position;

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
fn a_compressed_set_begins_behind_the_message_before() {
    const GZIP: u8 = 1;
    let offsets = |segment: Vec<u8>| {
        let told = read(&segment).expect("readable");
        let Some(Told::Batch(last)) = told.last() else {
            panic!("a set is the last: {told:?}");
        };
        (last.base_offset, last.last_offset)
    };
    let set = message_of(GZIP, 9);
    assert_eq!(offsets([message(4), set.clone()].concat()), (5, 9));
    assert_eq!(offsets([message(9), set.clone()].concat()), (9, 9));
    assert_eq!(offsets(set), (9, 9), "nothing is known of what was before");
    assert_eq!(offsets([message(4), message(9)].concat()), (9, 9), "no set");
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

#[test]
fn sizes_agree_with_the_format() {
    assert_eq!(batch(0, 0, 1, b"").len(), HEADER);
    assert_eq!(CHECKED as u32, BEFORE_LENGTH_COUNTS + 9);
}

//! Files that are cut, altered or overwritten.

use super::{batch, read, short, three, Short, Told, INVALID, VALID};
use crate::audit::segment::header::{CHECKED, HEADER, MAGIC};
use crate::audit::segment::search::STRIDE;

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
    for garbage in (STRIDE - HEADER - 2..STRIDE + 2).chain([1, 3 * STRIDE]) {
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
fn a_batch_in_the_records_of_another_is_no_batch_of_the_log() {
    let inner = batch(77, 0, 1, b"inner");
    let mut outer = batch(0, 0, 1, &[&inner[..], b"and more"].concat());
    let last = outer.len() - 1;
    outer[last] ^= 1;
    let segment = [&outer[..], &batch(1, 1, 1, b"")].concat();
    assert_eq!(
        short(&segment),
        [Short::Batch(0, INVALID), Short::Batch(1, VALID)]
    );
}

/// Without a bound a test of this size takes minutes.
#[test]
fn the_search_is_linear_whatever_looks_like_a_batch() {
    const SIZE: usize = 20 << 20;
    let behind = batch(2, 2, 1, b"behind");
    let mut damaged = batch(1, 1, 1, b"");
    damaged[MAGIC] = 9;
    let read_behind =
        |filler: &[u8]| short(&[&batch(0, 0, 1, b"")[..], &damaged, filler, &behind].concat());
    let at = HEADER as u64;
    assert_eq!(
        read_behind(&[0, 1].repeat(SIZE / 2)),
        [
            Short::Batch(0, VALID),
            Short::Damaged(at),
            Short::Batch(2, VALID)
        ],
        "what can be told from a batch by its header"
    );
    // Headers with nothing wrong but the checksum, which claim 8 MiB each.
    let mut header = batch(1, 1, 1, b"");
    header[8..12].copy_from_slice(&(8_i32 << 20).to_be_bytes());
    header[17] ^= 1;
    assert_eq!(
        read_behind(&header.repeat(SIZE / HEADER)),
        [Short::Batch(0, VALID), Short::Damaged(at)],
        "what cannot"
    );
    // The same, with a sound batch behind each.
    let sound = batch(1, 1, 1, b"");
    let told = read_behind(&[header, sound].concat().repeat(SIZE / HEADER / 2));
    assert!(matches!(told.last(), Some(Short::Damaged(_))));
}

#[test]
fn a_batch_that_counts_below_0_is_not_valid() {
    let mut segment = batch(0, 0, 1, b"");
    segment[57..61].copy_from_slice(&(-1_i32).to_be_bytes());
    let crc = crc32c::crc32c(&segment[CHECKED..]);
    segment[17..CHECKED].copy_from_slice(&crc.to_be_bytes());
    assert_eq!(short(&segment), [Short::Batch(0, INVALID)]);
}

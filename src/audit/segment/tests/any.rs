//! Any bytes.

use proptest::prelude::*;

use super::{batch, message, read, short, Short, Told, VALID};

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

//! Arithmetic of sequences, against 64-bit numbers.

use quickcheck::quickcheck;
use retryproof::state_manager::{Batch, Epoch, ProducerId, Sequence, Timestamp};

const SEQUENCES: i64 = 1 << 31;

/// A sequence, often one near the wrap.
#[derive(Clone, Copy, Debug)]
struct Any(Sequence);

impl quickcheck::Arbitrary for Any {
    fn arbitrary(g: &mut quickcheck::Gen) -> Self {
        let near = i32::from(i8::arbitrary(g));
        let far = i32::arbitrary(g);
        let number = if bool::arbitrary(g) { near } else { far };
        Any(Sequence::new(number & i32::MAX).expect("not negative"))
    }
}

fn is(sequence: Sequence, number: i64) -> bool {
    i64::from(sequence.get()) == number.rem_euclid(SEQUENCES)
}

quickcheck! {
    /// Adding and subtracting records is addition modulo 2³¹.
    fn sequences_count_modulo_2_to_the_31(from: Any, records: u32) -> bool {
        let Any(from) = from;
        let number = i64::from(from.get());
        is(from.plus(records), number + i64::from(records))
            && is(from.minus(records), number - i64::from(records))
            && is(from.next(), number + 1)
    }

    /// What was added can be subtracted, and the other way round.
    fn adding_and_subtracting_undo_each_other(from: Any, records: u32) -> bool {
        let Any(from) = from;
        from.plus(records).minus(records) == from && from.minus(records).plus(records) == from
    }

    /// The last sequence of a batch is its first plus its records less one, modulo 2³¹.
    fn a_batch_ends_records_less_one_after_it_begins(first: Any, records: i32) -> bool {
        let Any(first) = first;
        let records = records.checked_abs().unwrap_or(i32::MAX).max(1);
        let batch = Batch::new(
            ProducerId::LOWEST,
            Epoch::new(0),
            first,
            records,
            Timestamp::from_millis(0),
        );
        let batch = batch.expect("a record or more");
        is(batch.last_sequence(), i64::from(first.get()) + i64::from(records) - 1)
            && i64::from(batch.records()) == i64::from(records)
    }
}

//! Sequences as plain numbers, and the records that they stand for.
//!
//! A log has no record numbers, and its sequences begin again at 0 behind 2³¹−1. The
//! properties compare plain numbers. So the sequences of an epoch are counted on: of all
//! numbers that a sequence can stand for, the one nearest to the next expected. And the
//! record is named by epoch and counted sequence, which is all that a log tells of who
//! it is: a record sent again under a new epoch is another one here.

use retryproof_properties::{Epoch, Record};

use super::state::LAST_SEQUENCE;

/// How many sequences there are.
pub(crate) const MODULUS: i64 = LAST_SEQUENCE as i64 + 1;

/// Bits of a record's number for the counted sequence; the epoch stands above them.
const SEQUENCE_BITS: u32 = 48;
/// What is added to a counted sequence so that it is never negative: an old batch may come
/// behind a wrap that happened before the log begins.
const BIAS: i64 = 1 << 40;

/// The counted sequence, out of those that this one can stand for, which is nearest to `near`.
#[inline]
pub(crate) fn counted(sequence: i32, near: i64) -> i64 {
    let ahead = (i64::from(sequence) - near).rem_euclid(MODULUS);
    if ahead <= MODULUS / 2 {
        near + ahead
    } else {
        near + ahead - MODULUS
    }
}

/// The sequence that a counted one is.
#[inline]
pub(crate) fn plain(counted: i64) -> i32 {
    counted.rem_euclid(MODULUS) as i32
}

/// The sequence so many behind another one, as they are counted in a batch.
#[inline]
pub(crate) fn span(first: i32, last: i32) -> i64 {
    (i64::from(last) - i64::from(first)).rem_euclid(MODULUS)
}

/// The record with this counted sequence in an epoch.
#[inline]
pub(crate) fn record(epoch: Epoch, counted: i64) -> Record {
    let above = epoch.0.max(0) << SEQUENCE_BITS;
    Record(above.saturating_add(counted.saturating_add(BIAS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_counted_on_across_the_wrap() {
        let last = i64::from(LAST_SEQUENCE);
        for (sequence, near, expected) in [
            (5, 5, 5),
            (3, 5, 3),
            (0, last + 1, last + 1),
            (7, last + 1, last + 8),
            (LAST_SEQUENCE, last + 1, last),
            (LAST_SEQUENCE, 3, -1),
        ] {
            assert_eq!(counted(sequence, near), expected);
            assert_eq!(plain(expected), sequence);
        }
    }

    #[test]
    fn the_span_of_a_batch_crosses_the_wrap() {
        assert_eq!(span(3, 5), 2);
        assert_eq!(span(LAST_SEQUENCE - 1, 1), 3);
    }

    #[test]
    fn records_are_in_the_order_of_epoch_and_sequence() {
        let records = [
            record(Epoch(0), -3),
            record(Epoch(0), 0),
            record(Epoch(0), MODULUS * 9),
            record(Epoch(1), 0),
            record(Epoch(32_767), MODULUS * 9),
        ];
        assert!(records.is_sorted_by(|one, next| one < next));
    }
}

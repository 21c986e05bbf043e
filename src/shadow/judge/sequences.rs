//! Sequences that go on where those of the wire wrap, and the records that they name.

use retryproof_properties::Record;

/// How many sequences there are: 0 follows 2³¹ − 1.
const SEQUENCES: i64 = 1 << 31;
/// How far the records of two epochs lie apart: ten digits, more than a few rounds of
/// sequences need, and still to be read in a number.
const EPOCH: i64 = 10_000_000_000;

/// The sequence without wrapping that is meant by one of the wire: the one nearest to the
/// sequence that is next (serial number arithmetic, RFC 1982). But an epoch begins at 0: where
/// the nearest would lie below, there was no round before, and the sequence is itself. A
/// negative one of the wire is no sequence, and stays what it is.
pub(super) fn unwrapped(on_wire: i64, next: i64) -> i64 {
    if on_wire < 0 {
        return on_wire;
    }
    let ahead = (on_wire - next).rem_euclid(SEQUENCES);
    let nearest = if ahead < SEQUENCES / 2 {
        next + ahead
    } else {
        next + ahead - SEQUENCES
    };
    nearest.max(on_wire)
}

/// How many sequences a batch takes from the first on the wire to the last.
pub(super) fn span(first: i64, last: i64) -> i64 {
    (last - first).rem_euclid(SEQUENCES)
}

/// The record that a sequence names. Records of a later epoch were sent later.
pub(super) fn record(epoch: i64, sequence: i64) -> Record {
    Record(epoch * EPOCH + sequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: i64 = SEQUENCES - 1;

    #[test]
    fn sequences_go_on_after_the_last_one_of_the_wire() {
        assert_eq!(unwrapped(0, SEQUENCES), SEQUENCES);
        assert_eq!(unwrapped(4, LAST), SEQUENCES + 4);
        assert_eq!(unwrapped(LAST, SEQUENCES + 2), LAST);
        assert_eq!(unwrapped(7, 3 * SEQUENCES + 5), 3 * SEQUENCES + 7);
    }

    #[test]
    fn without_a_wrap_near_by_they_are_themselves() {
        for (on_wire, next) in [(0, 0), (9, 5), (2, 5), (LAST, LAST), (LAST, 1), (-3, 7)] {
            assert_eq!(unwrapped(on_wire, next), on_wire);
        }
    }

    #[test]
    fn a_span_may_straddle_the_wrap() {
        assert_eq!(span(LAST - 1, 1), 3);
        assert_eq!(span(5, 5), 0);
    }

    #[test]
    fn records_of_epoch_0_bear_their_sequence_and_later_epochs_come_later() {
        assert_eq!(record(0, 7), Record(7));
        assert!(record(1, 0) > record(0, 2 * SEQUENCES));
        assert!(record(0, 0) > record(-1, LAST));
    }
}

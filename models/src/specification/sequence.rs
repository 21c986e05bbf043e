//! Sequence arithmetic: 2³¹ numbers in a circle (Kafka: `DefaultRecordBatch`).

/// The largest sequence; 0 follows it.
pub(super) const MAX_SEQUENCE: i64 = i32::MAX as i64;

/// The sequence `steps` after this one.
pub(super) fn advance(sequence: i64, steps: i64) -> i64 {
    (sequence + steps).rem_euclid(MAX_SEQUENCE + 1)
}

/// Sequence of the last record of a batch of `count` records that starts at `first`.
pub(super) fn last_of(first: i64, count: i64) -> i64 {
    advance(first, count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_follows_the_largest_sequence() {
        assert_eq!(advance(MAX_SEQUENCE, 1), 0);
        assert_eq!(advance(4, 1), 5);
    }

    #[test]
    fn a_batch_may_straddle_the_wrap() {
        assert_eq!(last_of(MAX_SEQUENCE - 1, 4), 1);
        assert_eq!(last_of(MAX_SEQUENCE - 1, 2), MAX_SEQUENCE);
        assert_eq!(last_of(7, 1), 7);
    }
}

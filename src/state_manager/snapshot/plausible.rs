//! Numbers that no broker can have written, with a right checksum or not.
//!
//! Each function gives the words for what cannot be, as they follow "in entry 3, ".

/// What cannot be about a producer, apart from its batches.
#[inline]
pub(super) fn fault_of_producer(
    producer_id: i64,
    transaction_first_offset: i64,
) -> Option<&'static str> {
    if producer_id < 0 {
        Some("the producer id is negative")
    } else if transaction_first_offset < -1 {
        Some("the first offset of the open transaction is below −1")
    } else {
        None
    }
}

/// What cannot be about the sequence and the length of a batch. A last sequence of −1 can
/// be: the group coordinator's own batches have no sequence.
#[inline]
pub(super) fn fault_of_sequence(last_sequence: i32, offset_delta: i32) -> Option<&'static str> {
    if last_sequence < -1 {
        Some("the last sequence is below −1")
    } else if offset_delta < 0 {
        Some("the offset delta is negative")
    } else {
        None
    }
}

/// What cannot be about the place of a batch in the log.
#[inline]
pub(super) fn fault_of_offsets(last_offset: i64, offset_delta: i32) -> Option<&'static str> {
    if last_offset < 0 {
        Some("the last offset is negative")
    } else if last_offset < i64::from(offset_delta) {
        Some("the first offset (last offset − offset delta) is negative")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_numbers_that_can_be() {
        assert_eq!(fault_of_producer(0, -1), None);
        assert_eq!(fault_of_producer(i64::MAX, i64::MAX), None);
        assert_eq!(fault_of_sequence(-1, 0), None);
        assert_eq!(fault_of_sequence(i32::MAX, i32::MAX), None);
        assert_eq!(fault_of_offsets(0, 0), None);
        assert_eq!(fault_of_offsets(7, 7), None);
        assert_eq!(fault_of_offsets(i64::MAX, i32::MAX), None);
    }

    #[test]
    fn one_less_cannot_be_and_the_right_number_is_blamed() {
        for (fault, words) in [
            (fault_of_producer(-1, 0), "producer id"),
            (fault_of_producer(0, -2), "open transaction"),
            (fault_of_sequence(-2, 0), "last sequence"),
            (fault_of_sequence(0, -1), "offset delta is"),
            (fault_of_offsets(-1, 0), "last offset is"),
            (fault_of_offsets(6, 7), "first offset ("),
        ] {
            let fault = fault.unwrap_or("nothing");
            assert!(fault.contains(words), "{words}: {fault}");
        }
    }
}

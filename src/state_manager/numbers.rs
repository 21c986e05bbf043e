//! The numbers of the protocol, each a type of its own.

use std::fmt;

macro_rules! number {
    ($(#[$about:meta])* $name:ident($inner:ty)) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($inner);

        impl $name {
            /// The bare number, as it stands in Kafka's messages and files.
            #[inline]
            pub const fn get(self) -> $inner {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// A producer id: the identity that InitProducerId gives out (KIP-98); 0 or more.
    ProducerId(i64)
}

impl ProducerId {
    /// The first one that is ever given out.
    pub const LOWEST: ProducerId = ProducerId(0);

    /// The producer id of this number; `None` if it is negative (−1 stands for "no
    /// producer id" in batch headers).
    #[inline]
    pub const fn new(number: i64) -> Option<Self> {
        if number < 0 {
            None
        } else {
            Some(ProducerId(number))
        }
    }
}

number! {
    /// A producer epoch. Real ones run from 0 to 32767; Kafka's brokers refuse no negative
    /// one by itself, so every number is an epoch here too.
    Epoch(i16)
}

impl Epoch {
    /// None: of a producer that has begun no epoch.
    pub const NONE: Epoch = Epoch(-1);

    /// The epoch of this number.
    #[inline]
    pub const fn new(number: i16) -> Self {
        Epoch(number)
    }
}

number! {
    /// Epoch of the transaction coordinator that wrote a marker; −1 stands for none yet.
    CoordinatorEpoch(i32)
}

impl CoordinatorEpoch {
    /// No marker was seen.
    pub const NONE: CoordinatorEpoch = CoordinatorEpoch(-1);

    /// The coordinator epoch of this number.
    #[inline]
    pub const fn new(number: i32) -> Self {
        CoordinatorEpoch(number)
    }
}

number! {
    /// Epoch of a partition's leader, as batch headers carry it. Producer state does not
    /// depend on it; a broker's log does.
    LeaderEpoch(i32)
}

impl LeaderEpoch {
    /// The leader epoch of this number.
    #[inline]
    pub const fn new(number: i32) -> Self {
        LeaderEpoch(number)
    }
}

number! {
    /// A place in the log of one partition; 0 or more.
    Offset(i64)
}

impl Offset {
    /// The beginning of every log.
    pub const ZERO: Offset = Offset(0);

    /// The offset of this number; `None` if it is negative.
    #[inline]
    pub const fn new(number: i64) -> Option<Self> {
        if number < 0 {
            None
        } else {
            Some(Offset(number))
        }
    }

    /// Last offset of a batch that begins here, `offset_delta` further on, and the end of the
    /// log after it; `None` if that is beyond 2⁶³−1.
    #[inline]
    pub(super) const fn extent(self, offset_delta: i32) -> Option<(Offset, Offset)> {
        debug_assert!(offset_delta >= 0);
        match self.0.checked_add(offset_delta as i64 + 1) {
            Some(end) => Some((Offset(end - 1), Offset(end))),
            None => None,
        }
    }

    /// The offset `records` further on; `None` beyond 2⁶³−1.
    #[inline]
    pub const fn checked_add(self, records: i64) -> Option<Self> {
        match self.0.checked_add(records) {
            Some(number) => Offset::new(number),
            None => None,
        }
    }
}

number! {
    /// Milliseconds since 1970, or since whatever a broker counts from; −1 stands for none
    /// in batch headers.
    Timestamp(i64)
}

impl Timestamp {
    /// The time of this number of milliseconds.
    #[inline]
    pub const fn from_millis(number: i64) -> Self {
        Timestamp(number)
    }

    /// Milliseconds from `earlier` to here, negative if it is later.
    #[inline]
    pub(super) const fn millis_since(self, earlier: Timestamp) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

number! {
    /// A sequence number: counts the records of one producer, epoch and partition from 0 to
    /// 2³¹−1 and then from 0 again (KIP-98; Kafka: `DefaultRecordBatch.incrementSequence`).
    Sequence(i32)
}

impl Sequence {
    /// The first one of every epoch.
    pub const ZERO: Sequence = Sequence(0);
    /// The last one before 0.
    pub const MAX: Sequence = Sequence(i32::MAX);

    /// The sequence of this number; `None` if it is negative.
    #[inline]
    pub const fn new(number: i32) -> Option<Self> {
        if number < 0 {
            None
        } else {
            Some(Sequence(number))
        }
    }

    /// The sequence `records` further on, past 2³¹−1 from 0 again.
    #[inline]
    #[must_use]
    pub const fn plus(self, records: u32) -> Self {
        // The sum is taken modulo 2³², of which 2³¹ is a divisor.
        Sequence(((self.0 as u32).wrapping_add(records) & i32::MAX as u32) as i32)
    }

    /// The sequence `records` before this one, past 0 from 2³¹−1 again.
    #[inline]
    #[must_use]
    pub const fn minus(self, records: u32) -> Self {
        Sequence(((self.0 as u32).wrapping_sub(records) & i32::MAX as u32) as i32)
    }

    /// The sequence that follows this one.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        self.plus(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_wraps_both_ways() {
        assert_eq!(Sequence::MAX.next(), Sequence::ZERO);
        assert_eq!(Sequence::ZERO.minus(1), Sequence::MAX);
        assert_eq!(Sequence(i32::MAX - 1).plus(3), Sequence(1));
        assert_eq!(Sequence(1).minus(3), Sequence(i32::MAX - 1));
        assert_eq!(Sequence(7).plus(5), Sequence(12));
        assert_eq!(Sequence(7).minus(5), Sequence(2));
    }

    #[test]
    fn negative_numbers_are_no_ids_sequences_or_offsets() {
        assert_eq!(ProducerId::new(-1), None);
        assert_eq!(ProducerId::new(0).map(ProducerId::get), Some(0));
        assert_eq!(Sequence::new(-1), None);
        assert_eq!(Sequence::new(0), Some(Sequence::ZERO));
        assert_eq!(Offset::new(-1), None);
        assert_eq!(Offset::new(0), Some(Offset::ZERO));
    }

    #[test]
    fn an_offset_does_not_pass_the_last() {
        assert_eq!(Offset(i64::MAX).checked_add(1), None);
        assert_eq!(Offset(3).checked_add(4), Some(Offset(7)));
        assert_eq!(Offset(3).checked_add(-4), None);
    }

    #[test]
    fn time_differences_do_not_overflow() {
        let early = Timestamp::from_millis(i64::MIN);
        let late = Timestamp::from_millis(i64::MAX);
        assert_eq!(late.millis_since(early), i64::MAX);
        assert_eq!(early.millis_since(late), i64::MIN);
        assert_eq!(
            Timestamp::from_millis(5).millis_since(Timestamp::from_millis(3)),
            2
        );
    }

    #[test]
    fn numbers_are_shown_bare() {
        assert_eq!(ProducerId(4000).to_string(), "4000");
        assert_eq!(Epoch::new(-1).to_string(), "-1");
        assert_eq!(CoordinatorEpoch::NONE.get(), -1);
        assert_eq!(LeaderEpoch::new(3).get(), 3);
        assert_eq!(format!("{:>4}", Sequence(12)), "  12");
    }
}

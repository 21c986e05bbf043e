//! Which sequences a batch has, in one word.

use super::super::numbers::Sequence;

/// Sequence of a batch's last record and offset of its last record minus that of the first:
/// together its first and last sequence. One word, so that it is compared and moved at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::state_manager) struct SequenceRange(u64);

impl SequenceRange {
    /// `last_sequence` is −1 for a batch without sequences; `offset_delta` is not negative.
    #[inline]
    pub const fn new(last_sequence: i32, offset_delta: i32) -> Self {
        SequenceRange((last_sequence as u32 as u64) << 32 | offset_delta as u32 as u64)
    }

    #[inline]
    pub const fn from_word(word: u64) -> Self {
        SequenceRange(word)
    }

    #[inline]
    pub const fn word(self) -> u64 {
        self.0
    }

    /// −1 for a batch without sequences.
    #[inline]
    pub const fn last_sequence(self) -> i32 {
        (self.0 >> 32) as i32
    }

    /// Offset of the last record minus that of the first.
    #[inline]
    pub const fn offset_delta(self) -> i32 {
        self.0 as i32
    }

    /// Sequence of the first record; `None` for a batch without sequences.
    #[inline]
    pub fn first(self) -> Option<Sequence> {
        self.last()
            .map(|last| last.minus(self.offset_delta() as u32))
    }

    /// Sequence of the last record; `None` for a batch without sequences.
    #[inline]
    pub fn last(self) -> Option<Sequence> {
        Sequence::new(self.last_sequence())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_come_back() {
        for last in [-1, 0, 1, i32::MAX] {
            for delta in [0, 1, i32::MAX] {
                let range = SequenceRange::new(last, delta);
                assert_eq!((range.last_sequence(), range.offset_delta()), (last, delta));
            }
        }
    }

    #[test]
    fn the_first_sequence_lies_delta_before_the_last() {
        assert_eq!(SequenceRange::new(4, 4).first(), Some(Sequence::ZERO));
        assert_eq!(SequenceRange::new(1, 2).first(), Some(Sequence::MAX));
        assert_eq!(SequenceRange::new(-1, 2).first(), None);
        assert_eq!(SequenceRange::new(-1, 2).last(), None);
        assert_eq!(SequenceRange::new(7, 2).last(), Sequence::new(7));
    }
}

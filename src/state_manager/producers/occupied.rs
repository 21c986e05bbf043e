//! Going through all producers.

use super::{Producers, Slot};

/// The slots in use, in order.
pub(in crate::state_manager) struct Occupied<'a> {
    producers: &'a Producers,
    next: Slot,
    left: usize,
}

impl<'a> Occupied<'a> {
    pub(super) fn new(producers: &'a Producers) -> Self {
        Occupied {
            producers,
            next: 0,
            left: producers.len(),
        }
    }
}

impl Iterator for Occupied<'_> {
    type Item = Slot;

    #[inline]
    fn next(&mut self) -> Option<Slot> {
        if self.left == 0 {
            return None;
        }
        while !self.producers.occupied(self.next) {
            self.next += 1;
        }
        self.left -= 1;
        self.next += 1;
        Some(self.next - 1)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Occupied<'_> {}

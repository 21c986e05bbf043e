//! A short queue in a fixed array, so that a whole state is one flat `Copy` value.

use std::fmt;

/// At most `CAPACITY` items, oldest first. Slots that are not in use hold the default
/// value, so that equal queues are equal byte by byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Queue<T, const CAPACITY: usize> {
    len: u8,
    items: [T; CAPACITY],
}

impl<T: Copy + Default, const CAPACITY: usize> Default for Queue<T, CAPACITY> {
    fn default() -> Self {
        Queue {
            len: 0,
            items: [T::default(); CAPACITY],
        }
    }
}

impl<T: Copy + Default, const CAPACITY: usize> Queue<T, CAPACITY> {
    /// Number of items.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether no further item fits.
    pub fn is_full(&self) -> bool {
        self.len() == CAPACITY
    }

    /// The items, oldest first.
    pub fn as_slice(&self) -> &[T] {
        &self.items[..self.len()]
    }

    /// The items, oldest first, to change them in place.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.len)]
    }

    /// The items, oldest first.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// Adds an item at the end.
    ///
    /// # Panics
    /// If the queue is full. The conditions of a world are validated so that no queue of
    /// it can be; where that is not a matter of conditions (the log), the caller asks
    /// [`Queue::is_full`] first.
    pub fn push(&mut self, item: T) {
        self.items[self.len()] = item;
        self.len += 1;
    }

    /// Puts an item in at `index`; the later ones move up.
    ///
    /// # Panics
    /// As [`Queue::push`], or if `index` is beyond the end.
    pub fn insert(&mut self, index: usize, item: T) {
        let len = self.len();
        self.items.copy_within(index..len, index + 1);
        self.items[index] = item;
        self.len += 1;
    }

    /// Takes the item at `index` out; the later ones close up.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn remove(&mut self, index: usize) -> T {
        let len = self.len();
        let item = self.items[..len][index];
        self.items.copy_within(index + 1..len, index);
        self.items[len - 1] = T::default();
        self.len -= 1;
        item
    }

    /// Takes the oldest `count` items away.
    pub fn drop_oldest(&mut self, count: usize) {
        let len = self.len();
        self.items.copy_within(count..len, 0);
        self.items[len - count..len].fill(T::default());
        self.len -= count as u8;
    }

    /// Of neighbours that are equal keeps one.
    pub fn dedup(&mut self)
    where
        T: PartialEq,
    {
        let mut index = 1;
        while index < self.len() {
            if self.items[index] == self.items[index - 1] {
                self.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Takes everything away.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl<T: fmt::Debug + Copy + Default, const CAPACITY: usize> fmt::Debug for Queue<T, CAPACITY> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

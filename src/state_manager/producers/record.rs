//! What is kept of one producer, in 8-byte words: 6 for the producer and its newest batch, 3
//! more for each older batch. All in a row, so that one look into memory brings it.
//!
//! | word | |
//! |---|---|
//! | 0 | producer id; −1 in a vacant place |
//! | 1 | largest timestamp of the newest batch, or the time of a later marker; −1 for none |
//! | 2 | wall-clock time of the last change |
//! | 3 | last offset of the newest batch |
//! | 4 | sequences of the newest batch |
//! | 5 | number of the last change modulo 2³², epoch, shape |
//! | 6… | last offset, timestamp, sequences of each older batch, in a ring |

use super::range::SequenceRange;
use super::shape::Shape;

/// One batch of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::state_manager) struct CachedBatch {
    /// Offset of the last record.
    pub last_offset: i64,
    /// Largest timestamp of a record, in milliseconds.
    pub timestamp: i64,
    /// Its sequences.
    pub range: SequenceRange,
}

impl CachedBatch {
    /// Offset of the first record.
    #[inline]
    pub fn first_offset(&self) -> i64 {
        self.last_offset - i64::from(self.range.offset_delta())
    }

    #[inline]
    fn from_words(words: &[u64; BATCH]) -> Self {
        CachedBatch {
            last_offset: words[0] as i64,
            timestamp: words[1] as i64,
            range: SequenceRange::from_word(words[2]),
        }
    }

    #[inline]
    fn to_words(self) -> [u64; BATCH] {
        [
            self.last_offset as u64,
            self.timestamp as u64,
            self.range.word(),
        ]
    }
}

/// A change of a producer.
#[derive(Clone, Copy)]
pub(in crate::state_manager) struct Change {
    /// Its number, modulo 2³².
    pub number: u32,
    /// When it was, by the wall clock.
    pub now: i64,
}

/// Words of a producer with its newest batch.
pub(super) const PRODUCER: usize = 6;
/// Words of an older batch.
pub(super) const BATCH: usize = 3;

const PRODUCER_ID: usize = 0;
const LAST_TIMESTAMP: usize = 1;
const LAST_SEEN: usize = 2;
const NEWEST_OFFSET: usize = 3;
const NEWEST_RANGE: usize = 4;
const REST: usize = 5;
/// In a vacant place, in place of the last timestamp.
const NEXT_VACANT: usize = 1;

/// The last word, taken apart.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    pub version: u32,
    pub epoch: i16,
    pub shape: Shape,
}

impl Rest {
    #[inline]
    fn from_word(word: u64) -> Self {
        Rest {
            version: (word >> 32) as u32,
            epoch: (word >> 16) as i16,
            shape: Shape::from_bits(word as u16),
        }
    }

    #[inline]
    fn word(self) -> u64 {
        u64::from(self.version) << 32
            | u64::from(self.epoch as u16) << 16
            | u64::from(self.shape.bits())
    }
}

/// A record, to be read.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    producer: &'a [u64; PRODUCER],
    /// The ring; empty if this place has no room for one.
    older: &'a [u64],
}

impl<'a> Record<'a> {
    /// The record in these words. There are [`PRODUCER`] of them at least: no place of a slab
    /// is smaller.
    #[inline]
    pub fn new(words: &'a [u64]) -> Self {
        let (producer, older) = words
            .split_first_chunk()
            .expect("a place is as large as a producer");
        Record { producer, older }
    }

    #[inline]
    pub fn producer_id(&self) -> i64 {
        self.producer[PRODUCER_ID] as i64
    }

    pub fn next_vacant(&self) -> u32 {
        self.producer[NEXT_VACANT] as u32
    }

    #[inline]
    pub fn last_timestamp(&self) -> i64 {
        self.producer[LAST_TIMESTAMP] as i64
    }

    #[inline]
    pub fn last_seen(&self) -> i64 {
        self.producer[LAST_SEEN] as i64
    }

    #[inline]
    pub fn newest_range(&self) -> SequenceRange {
        SequenceRange::from_word(self.producer[NEWEST_RANGE])
    }

    #[inline]
    pub fn rest(&self) -> Rest {
        Rest::from_word(self.producer[REST])
    }

    /// The newest batch, if its timestamp is this one.
    #[inline]
    pub fn newest(&self, timestamp: i64) -> CachedBatch {
        CachedBatch {
            last_offset: self.producer[NEWEST_OFFSET] as i64,
            timestamp,
            range: self.newest_range(),
        }
    }

    /// The older batches, oldest first.
    pub fn older(&self) -> impl Iterator<Item = CachedBatch> + 'a {
        let shape = self.rest().shape;
        let ring = self.older.as_chunks().0;
        let kept = shape.len().saturating_sub(1).min(ring.len());
        let (newer, oldest) = ring[..kept].split_at(shape.start().min(kept));
        oldest.iter().chain(newer).map(CachedBatch::from_words)
    }

    /// The older batch of a window of `len` with these sequences, if there is one and no more
    /// than one.
    #[inline]
    pub fn older_with(&self, len: usize, range: SequenceRange) -> Option<CachedBatch> {
        let kept = len.saturating_sub(1);
        let ring = self.older.as_chunks().0;
        let mut found = None;
        for batch in ring.iter().take(kept) {
            // Without a branch: which batch it is cannot be foreseen, and a wrong guess would
            // wait for the record to arrive from memory.
            found = if batch[2] == range.word() {
                Some(batch)
            } else {
                found
            };
        }
        found.map(CachedBatch::from_words)
    }
}

/// A record, to be changed.
pub(super) struct RecordMut<'a> {
    producer: &'a mut [u64; PRODUCER],
    older: &'a mut [u64],
}

impl<'a> RecordMut<'a> {
    /// As [`Record::new`].
    #[inline]
    pub fn new(words: &'a mut [u64]) -> Self {
        let (producer, older) = words
            .split_first_chunk_mut()
            .expect("a place is as large as a producer");
        RecordMut { producer, older }
    }

    #[inline]
    pub fn as_ref(&self) -> Record<'_> {
        Record {
            producer: self.producer,
            older: self.older,
        }
    }

    /// Makes it a producer of which nothing is known but its id (Kafka:
    /// `ProducerStateEntry.empty`).
    pub fn begin(&mut self, producer_id: i64) {
        // What says something of batches is not read while there are none.
        *self.producer = [0; PRODUCER];
        self.producer[PRODUCER_ID] = producer_id as u64;
        self.producer[LAST_TIMESTAMP] = -1i64 as u64;
        self.set_rest(Rest {
            version: 0,
            epoch: -1,
            shape: Shape::default(),
        });
    }

    /// Sets the epoch of a producer without batches.
    pub fn begin_epoch(&mut self, epoch: i16) {
        let rest = self.as_ref().rest();
        self.set_rest(Rest { epoch, ..rest });
    }

    /// Nobody lies here any more. `next` is kept, to be read by [`Record::next_vacant`].
    pub fn vacate(&mut self, next: u32) {
        self.producer[PRODUCER_ID] = VACANT as u64;
        self.producer[NEXT_VACANT] = next.into();
    }

    #[inline]
    pub fn set_rest(&mut self, rest: Rest) {
        self.producer[REST] = rest.word();
    }

    #[inline]
    pub fn set_last_timestamp(&mut self, timestamp: i64) {
        self.producer[LAST_TIMESTAMP] = timestamp as u64;
    }

    #[inline]
    pub fn change(&mut self, change: Change) {
        let rest = self.as_ref().rest();
        self.set_rest(Rest {
            version: change.number,
            ..rest
        });
        self.producer[LAST_SEEN] = change.now as u64;
    }

    /// Whether there is room for a window of this many batches.
    #[inline]
    pub fn has_room(&self, window: usize) -> bool {
        self.older.len() == (window - 1) * BATCH
    }

    /// Makes `batch` the newest. The one that was has this timestamp; it goes into the ring,
    /// in place of the oldest if a window of `window` batches is full. There must be room.
    #[inline]
    pub fn push(&mut self, batch: &CachedBatch, regular: bool, timestamp: i64, window: usize) {
        let mut rest = self.as_ref().rest();
        let len = rest.shape.len();
        if len == 0 {
            rest.shape.set_len(1);
        } else {
            let newest = self.as_ref().newest(timestamp).to_words();
            let at = if len < window {
                rest.shape.set_len(len + 1);
                len - 1
            } else {
                let oldest = rest.shape.start();
                // Without a branch, as in `older_with`.
                rest.shape
                    .set_start((oldest + 1) * usize::from(oldest + 2 < window));
                oldest
            };
            if let Some(place) = self.older.get_mut(at * BATCH..(at + 1) * BATCH) {
                place.copy_from_slice(&newest);
            }
        }
        rest.shape.set_irregular(!regular);
        self.set_rest(rest);
        self.producer[LAST_TIMESTAMP] = batch.timestamp as u64;
        self.producer[NEWEST_OFFSET] = batch.last_offset as u64;
        self.producer[NEWEST_RANGE] = batch.range.word();
    }
}

/// Producer id of a vacant place.
pub(super) const VACANT: i64 = -1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_comes_apart_as_it_was_put_together() {
        for version in [0, 1, u32::MAX] {
            for epoch in [-1, 0, i16::MIN, i16::MAX] {
                for bits in [0, 0x3fff, 0x2001] {
                    let shape = Shape::from_bits(bits);
                    let rest = Rest::from_word(
                        Rest {
                            version,
                            epoch,
                            shape,
                        }
                        .word(),
                    );
                    assert_eq!((rest.version, rest.epoch), (version, epoch));
                    assert_eq!(rest.shape, shape);
                }
            }
        }
    }
}

//! Where records lie: in chunks, each of which has room either for the newest batch of its
//! producers or for whole windows. It gets the latter when the first of its producers has a
//! second batch, so producers of which one batch is known (after a restart under
//! [`Profile::Kafka`](super::super::Profile::Kafka) that is all of them) take a third.
//!
//! Growing copies no more than one chunk, and the memory that is reserved but unused is less
//! than one.

use super::record::{Record, RecordMut, BATCH, PRODUCER, VACANT};

/// The number of a producer's place. It stays the same as long as the producer is known.
pub(in crate::state_manager) type Slot = u32;

/// Places of a chunk. Few, so that it is quickly given room for windows; many enough for the
/// list of chunks to stay in a fast cache.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 10;

/// No place.
const NONE: Slot = Slot::MAX;

struct Chunk {
    words: Vec<u64>,
    /// Words of a place.
    stride: usize,
}

pub(super) struct Slab {
    chunks: Vec<Chunk>,
    /// The place that was vacated last; each leads to the one before. A list of its own would
    /// have to be moved when it grows, and an append would wait for it.
    vacant: Slot,
    slots: Slot,
    /// Words of a place with room for a whole window.
    roomy: usize,
}

#[inline]
fn place(slot: Slot) -> (usize, usize) {
    let slot = slot as usize;
    (slot >> CHUNK_BITS, slot & (CHUNK - 1))
}

impl Slab {
    /// For windows of `window` batches, at least 1.
    pub fn new(window: usize) -> Self {
        Slab {
            chunks: Vec::new(),
            vacant: NONE,
            slots: 0,
            roomy: PRODUCER + (window - 1) * BATCH,
        }
    }

    /// Slots that are or were in use: all slots are below this number.
    pub fn slots(&self) -> Slot {
        self.slots
    }

    /// A place for this producer.
    pub fn insert(&mut self, producer_id: i64) -> Slot {
        let slot = match self.vacant {
            NONE => self.grow(),
            vacant => {
                self.vacant = self.record(vacant).next_vacant();
                vacant
            }
        };
        self.record_mut(slot).begin(producer_id);
        slot
    }

    fn grow(&mut self) -> Slot {
        let slot = self.slots;
        let (chunk, at) = place(slot);
        if at == 0 {
            let mut words = Vec::new();
            // The first chunk grows from nothing: most partitions have few producers.
            if chunk > 0 {
                words.reserve_exact(CHUNK * PRODUCER);
            }
            self.chunks.push(Chunk {
                words,
                stride: PRODUCER,
            });
        }
        let Chunk { words, stride } = &mut self.chunks[chunk];
        words.resize((at + 1) * *stride, 0);
        self.slots += 1;
        slot
    }

    pub fn remove(&mut self, slot: Slot) {
        let next = self.vacant;
        self.record_mut(slot).vacate(next);
        self.vacant = slot;
    }

    #[inline]
    pub fn occupied(&self, slot: Slot) -> bool {
        self.record(slot).producer_id() != VACANT
    }

    #[inline]
    pub fn record(&self, slot: Slot) -> Record<'_> {
        let (chunk, at) = place(slot);
        let Chunk { words, stride } = &self.chunks[chunk];
        let first = at * stride;
        Record::new(&words[first..first + stride])
    }

    #[inline]
    pub fn record_mut(&mut self, slot: Slot) -> RecordMut<'_> {
        let (chunk, at) = place(slot);
        let Chunk { words, stride } = &mut self.chunks[chunk];
        let first = at * *stride;
        RecordMut::new(&mut words[first..first + *stride])
    }

    /// As [`record_mut`](Self::record_mut); `None` if there is no such place.
    #[inline]
    pub fn get_mut(&mut self, slot: Slot) -> Option<RecordMut<'_>> {
        let (chunk, at) = place(slot);
        let Chunk { words, stride } = self.chunks.get_mut(chunk)?;
        let first = at * *stride;
        words.get_mut(first..first + *stride).map(RecordMut::new)
    }

    /// The record, with room for a whole window.
    pub fn roomy_mut(&mut self, slot: Slot) -> RecordMut<'_> {
        let (chunk, _) = place(slot);
        if self.chunks[chunk].stride != self.roomy {
            self.make_room(chunk);
        }
        self.record_mut(slot)
    }

    #[cold]
    fn make_room(&mut self, chunk: usize) {
        let Chunk { words, stride } = &mut self.chunks[chunk];
        let places = if chunk > 0 {
            CHUNK
        } else {
            words.len() / *stride
        };
        let mut roomy = Vec::with_capacity(places * self.roomy);
        for place in words.chunks_exact(*stride) {
            roomy.extend_from_slice(place);
            roomy.resize(roomy.len() + self.roomy - *stride, 0);
        }
        *words = roomy;
        *stride = self.roomy;
    }
}

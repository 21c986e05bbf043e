//! What is measured: a manager, and as the yardstick a plain hash table of entries as large
//! as a producer with its window.

use hashbrown::HashMap;
use retryproof::state_manager::{
    Batch, Check, Config, Duplicate, Epoch, Offset, ProducerId, ProducerStateManager, Sequence,
    Timestamp,
};

/// Records of every batch.
pub const RECORDS: i32 = 10;

/// Numbers that look random and are the same every time (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new() -> Self {
        Random(0x1387_0fe2_55d1_a3c7)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// `count` of so many producers.
    pub fn producers(&mut self, count: usize, producers: usize) -> Vec<u32> {
        (0..count)
            .map(|_| (self.next() % producers as u64) as u32)
            .collect()
    }
}

/// A manager, and where each of its producers goes on.
pub struct Subject {
    pub manager: ProducerStateManager,
    next: Vec<i32>,
    end: i64,
}

impl Subject {
    /// With `producers` producers, each of which wrote `written` batches.
    pub fn new(config: Config, producers: usize, written: usize) -> Self {
        let mut subject = Subject {
            manager: ProducerStateManager::new(config),
            next: vec![0; producers],
            end: 0,
        };
        for _ in 0..written {
            for producer in 0..producers as u32 {
                subject.append(producer);
            }
        }
        subject
    }

    /// Checks and commits the next batch of a producer.
    #[inline]
    pub fn append(&mut self, producer: u32) -> Offset {
        let first = &mut self.next[producer as usize];
        let batch = batch(producer, *first);
        *first = (*first).wrapping_add(RECORDS) & i32::MAX;
        match self.manager.check(&batch) {
            Check::Append(permit) => {
                let base = Offset::new(self.end).expect("not negative");
                let now = Timestamp::from_millis(1_800_000_000_001);
                self.end += i64::from(RECORDS);
                self.manager.commit(permit, base, now).expect("fresh")
            }
            other => panic!("{batch:?} should be appended: {other:?}"),
        }
    }

    /// Checks the batch that a producer wrote `back` batches ago, 1 for the newest.
    #[inline]
    pub fn retry(&self, producer: u32, back: i32) -> Duplicate {
        let first = self.next[producer as usize].wrapping_sub(back * RECORDS) & i32::MAX;
        match self.manager.check(&batch(producer, first)) {
            Check::Duplicate(original) => original,
            other => panic!("a retry should be a duplicate: {other:?}"),
        }
    }
}

#[inline]
fn batch(producer: u32, first: i32) -> Batch {
    Batch::new(
        ProducerId::new(producer.into()).expect("not negative"),
        Epoch::new(0),
        Sequence::new(first).expect("not negative"),
        RECORDS,
        Timestamp::from_millis(1_800_000_000_000),
    )
    .expect("ten records")
}

/// With its key, 152 bytes: a producer with a window of five takes 144 and its place in the
/// index in the manager.
pub type Entry = [u64; 18];

/// The yardstick: one look-up and one write.
pub struct Yardstick {
    entries: HashMap<u64, Entry>,
}

impl Yardstick {
    pub fn new(producers: usize) -> Self {
        Yardstick {
            entries: (0..producers as u64).map(|id| (id, [id; 18])).collect(),
        }
    }

    /// Looks a producer up and writes its entry.
    #[inline]
    pub fn write(&mut self, producer: u32, entry: Entry) {
        let place = self.entries.get_mut(&u64::from(producer));
        *place.expect("all producers are there") = entry;
    }
}

//! The steps with which a broker asks and tells the state manager about a batch of a client,
//! without a log.

use retryproof::state_manager::{
    Batch, Check, Config, Epoch, Offset, ProducerId, ProducerStateManager, Sequence, Timestamp,
};

use crate::operations::{base_sequence, producer, RECORDS};

/// The same ids as the oracle gives its producers.
const FIRST_PRODUCER_ID: i64 = 1000;
const TIMESTAMP: i64 = 1_800_000_000_000;

/// Appends to a log that is not there.
pub struct Append {
    pub manager: ProducerStateManager,
    end: i64,
}

impl Append {
    /// To a log in which each of so many producers wrote so many batches, in turn.
    pub fn after(producers: usize, batches: i32) -> Self {
        let mut append = Append {
            manager: ProducerStateManager::new(Config::kafka()),
            end: 0,
        };
        for written in 0..batches {
            for producer in 0..producers as u32 {
                append.append(producer, written * RECORDS);
            }
        }
        append
    }

    /// Carries the operations out. Gives the sum of the last offsets that clients would be told.
    #[inline(never)]
    pub fn append_all(&mut self, operations: &[u64]) -> i64 {
        operations
            .iter()
            .map(|operation| self.append(producer(*operation), base_sequence(*operation)))
            .sum()
    }

    #[inline]
    fn append(&mut self, producer: u32, base_sequence: i32) -> i64 {
        let batch = Batch::new(
            ProducerId::new(FIRST_PRODUCER_ID + i64::from(producer)).expect("not negative"),
            Epoch::new(0),
            Sequence::new(base_sequence).expect("not negative"),
            RECORDS,
            Timestamp::from_millis(TIMESTAMP),
        )
        .expect("ten records");
        match self.manager.check(&batch) {
            Check::Append(permit) => {
                let base = Offset::new(self.end).expect("not negative");
                let now = Timestamp::from_millis(TIMESTAMP);
                let last = self.manager.commit(permit, base, now).expect("fresh");
                self.end += i64::from(RECORDS);
                last.get()
            }
            Check::Duplicate(original) => original.last_offset.get(),
            Check::Rejected(rejection) => panic!("{batch:?}: {rejection}"),
        }
    }
}

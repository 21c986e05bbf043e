//! A partition's log end and a manager beside it, in few words.

use retryproof::state_manager::{
    Batch, BatchHeader, Check, Config, CoordinatorEpoch, Duplicate, Ending, Epoch, LoggedBatch,
    Marker, Offset, Permit, ProducerId, ProducerStateManager, ProducerView, Rejection, Sequence,
    Timestamp,
};

pub const PID: ProducerId = ProducerId::new(9000).unwrap();

pub fn pid(number: i64) -> ProducerId {
    ProducerId::new(number).expect("not negative")
}

pub fn at(number: i64) -> Offset {
    Offset::new(number).expect("not negative")
}

pub fn seq(number: i32) -> Sequence {
    Sequence::new(number).expect("not negative")
}

pub fn ms(number: i64) -> Timestamp {
    Timestamp::from_millis(number)
}

/// A batch of [`PID`] at time 0.
pub fn batch(epoch: i16, first: i32, records: i32) -> Batch {
    batch_of(PID, epoch, first, records, 0)
}

pub fn batch_of(producer: ProducerId, epoch: i16, first: i32, records: i32, time: i64) -> Batch {
    let epoch = Epoch::new(epoch);
    Batch::new(producer, epoch, seq(first), records, ms(time)).expect("a sound batch")
}

pub fn marker(epoch: i16, coordinator_epoch: i32, time: i64) -> Marker {
    Marker {
        producer_id: PID,
        epoch: Epoch::new(epoch),
        coordinator_epoch: CoordinatorEpoch::new(coordinator_epoch),
        timestamp: ms(time),
        ending: Ending::Committed,
    }
}

/// A batch of [`PID`] that stands in a log.
pub fn logged(epoch: i16, first: i32, records: i32, offset: i64) -> LoggedBatch {
    logged_of(PID, epoch, first, records, offset)
}

pub fn logged_of(
    producer: ProducerId,
    epoch: i16,
    first: i32,
    records: i32,
    offset: i64,
) -> LoggedBatch {
    let header = BatchHeader {
        producer_id: producer.get(),
        producer_epoch: epoch,
        base_sequence: first,
        last_offset_delta: records - 1,
        record_count: records,
        max_timestamp: 0,
        transactional: false,
        control: false,
    };
    LoggedBatch::from_header(&header, at(offset))
        .expect("a sound batch")
        .expect("it has a producer id")
}

/// A manager and the end of the log that it belongs to.
pub struct Partition {
    pub manager: ProducerStateManager,
    pub end: i64,
}

impl Partition {
    pub fn new(config: Config) -> Self {
        Partition {
            manager: ProducerStateManager::new(config),
            end: 0,
        }
    }

    pub fn kafka() -> Self {
        Partition::new(Config::kafka())
    }

    pub fn hardened() -> Self {
        Partition::new(Config::hardened())
    }

    /// Appends a batch that must be accepted; returns its first offset.
    pub fn append(&mut self, batch: Batch) -> i64 {
        self.append_at(batch, 0)
    }

    /// Appends a batch that must be accepted, at this wall-clock time.
    pub fn append_at(&mut self, batch: Batch, now: i64) -> i64 {
        let permit = self.permit(&batch);
        let first = self.end;
        let last = self
            .manager
            .commit(permit, at(first), ms(now))
            .expect("the permit is fresh");
        assert_eq!(last.get(), first + i64::from(batch.records()) - 1);
        self.end = last.get() + 1;
        first
    }

    pub fn permit(&self, batch: &Batch) -> Permit {
        match self.manager.check(batch) {
            Check::Append(permit) => permit,
            other => panic!("{batch:?} should be appended: {other:?}"),
        }
    }

    pub fn duplicate(&self, batch: &Batch) -> Duplicate {
        match self.manager.check(batch) {
            Check::Duplicate(original) => original,
            other => panic!("{batch:?} should be a duplicate: {other:?}"),
        }
    }

    pub fn rejection(&self, batch: &Batch) -> Rejection {
        match self.manager.check(batch) {
            Check::Rejected(rejection) => rejection,
            other => panic!("{batch:?} should be rejected: {other:?}"),
        }
    }

    /// Writes a marker that must be accepted; returns the transaction's first offset.
    pub fn end_transaction(&mut self, marker: &Marker) -> Option<i64> {
        let permit = self.manager.check_marker(marker).expect("accepted");
        let completed = self
            .manager
            .commit_marker(permit, at(self.end), marker.timestamp)
            .expect("the permit is fresh");
        self.end += 1;
        completed.map(|transaction| transaction.first_offset.get())
    }

    pub fn replicate(&mut self, batch: &LoggedBatch) {
        self.manager.replicate(batch, ms(0)).expect("in order");
        self.end = batch.last_offset().get() + 1;
    }

    pub fn producer(&self) -> ProducerView<'_> {
        self.manager.producer(PID).expect("known")
    }

    /// First sequence, last sequence, first offset and last offset of each batch of
    /// [`PID`]'s window; −1 for no sequence.
    pub fn window(&self) -> Vec<[i64; 4]> {
        let number = |sequence: Option<Sequence>| sequence.map_or(-1, |s| s.get().into());
        self.producer()
            .batches()
            .map(|batch| {
                [
                    number(batch.first_sequence),
                    number(batch.last_sequence),
                    batch.first_offset.get(),
                    batch.last_offset.get(),
                ]
            })
            .collect()
    }
}

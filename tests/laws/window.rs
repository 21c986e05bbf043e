//! What the window holds, and what checks and commits do to it.

use quickcheck::{quickcheck, Arbitrary, Gen};
use retryproof::state_manager::snapshot::Format;
use retryproof::state_manager::{
    Batch, Check, Config, Epoch, Offset, ProducerId, ProducerStateManager, Rejection, Sequence,
    Timestamp,
};

use crate::log::{after, log, offset, one_of, record_all, Choice};
use crate::seen::{answer, batches_to_try, seen, Answer};

/// Batches of one producer, each beginning where the last one ended.
#[derive(Clone, Debug)]
struct Appends {
    window: usize,
    first: i32,
    records: Vec<i32>,
}

impl Arbitrary for Appends {
    fn arbitrary(g: &mut Gen) -> Self {
        let near_wrap = i32::MAX - i32::from(u8::arbitrary(g));
        let first = *one_of(g, &[0, 1000, near_wrap]);
        let window = *one_of(g, &[1, 2, 3, 5, 5, 5, 62, 63]);
        let many = usize::arbitrary(g) % (2 * window + 3);
        // A few large ones: all together are less than there are sequences.
        let records = |at: usize| match at % 16 {
            5 => (1 << 25) - 1 + i32::from(u8::arbitrary(g) % 3),
            _ => i32::from(u8::arbitrary(g) % 5) + 1,
        };
        Appends {
            window,
            first,
            records: (0..many).map(records).collect(),
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let Appends { window, first, .. } = *self;
        let fewer = (1..self.records.len()).rev();
        let records = self.records.clone();
        Box::new(fewer.map(move |len| Appends {
            window,
            first,
            records: records[..len].to_vec(),
        }))
    }
}

impl Appends {
    fn batches(&self) -> Vec<Batch> {
        let mut next = Sequence::new(self.first).expect("not negative");
        let mut batches = Vec::new();
        for (&records, time) in self.records.iter().zip(0..) {
            let time = Timestamp::from_millis(time);
            let batch = Batch::new(ProducerId::LOWEST, Epoch::new(3), next, records, time);
            let batch = batch.expect("a record or more");
            next = batch.last_sequence().next();
            batches.push(batch);
        }
        batches
    }
}

/// Checks and commits a batch at the end of the log; gives the offset, if it was appended.
fn append(manager: &mut ProducerStateManager, batch: &Batch, now: Timestamp) -> Option<Offset> {
    let end = manager.map_end_offset();
    let Check::Append(permit) = manager.check(batch) else {
        return None;
    };
    let last = manager.commit(permit, end, now).expect("a fresh permit");
    assert_eq!(last.get(), end.get() + i64::from(batch.records()) - 1);
    Some(end)
}

quickcheck! {
    /// Of the batches that were appended, the newest are duplicates with their own offsets and
    /// times, as many as the window holds; older ones are out of order.
    fn the_newest_batches_are_duplicates_and_no_others(appends: Appends) -> bool {
        let config = Config::kafka().with_window(appends.window).expect("1 to 63");
        let mut manager = ProducerStateManager::new(config);
        let batches = appends.batches();
        let mut offsets = Vec::new();
        for batch in &batches {
            let appended = append(&mut manager, batch, Timestamp::from_millis(0));
            offsets.push(appended.expect("it follows"));
        }
        let forgotten = batches.len().saturating_sub(appends.window);
        let mut all = batches.iter().zip(&offsets).zip(0..);
        all.all(|((batch, first_offset), at)| match answer(&manager, batch) {
            Answer::Duplicate(original) => {
                at >= forgotten
                    && original.first_offset == *first_offset
                    && original.last_offset.get()
                        == first_offset.get() + i64::from(batch.records()) - 1
                    && original.timestamp.get() == at as i64
            }
            Answer::Rejected(Rejection::OutOfOrderSequence { .. }) => at < forgotten,
            _ => false,
        })
    }

    /// The window never holds more batches than it is set to.
    fn the_window_is_never_exceeded(choices: Vec<Choice>, window: u8) -> bool {
        let window = usize::from(window % 6) + 1;
        let config = Config::kafka().with_window(window).expect("1 to 63");
        let mut manager = ProducerStateManager::new(config);
        log(&choices).iter().all(|entry| {
            record_all(&mut manager, &[*entry]);
            let known = manager.active_producers();
            known.into_iter().all(|producer| producer.batches().count() <= window)
        })
    }

    /// A check changes nothing, whatever it says; a permit that is dropped leaves no trace.
    fn a_check_changes_nothing(choices: Vec<Choice>, hardened: bool) -> bool {
        let config = if hardened { Config::hardened() } else { Config::kafka() };
        let mut manager = ProducerStateManager::new(config);
        record_all(&mut manager, &log(&choices));
        let before = seen(&manager);
        let encode = |manager: &ProducerStateManager| {
            manager.encode(Format::WholeWindow).expect("few producers")
        };
        let bytes = encode(&manager);
        batches_to_try(&before).iter().all(|batch| {
            let first = answer(&manager, batch);
            first == answer(&manager, batch) && encode(&manager) == bytes
        }) && seen(&manager) == before
    }

    /// A commit makes the batch the newest of its producer's window, begins its epoch if that
    /// is another one, and touches no other producer.
    fn a_commit_adds_its_batch_and_nothing_else(choices: Vec<Choice>, pick: usize) -> bool {
        let log = log(&choices);
        let mut manager = ProducerStateManager::new(Config::hardened());
        record_all(&mut manager, &log);
        let mut expected = seen(&manager);
        let mut to_try = batches_to_try(&expected);
        to_try.retain(|batch| answer(&manager, batch) == Answer::Append);
        let batch = to_try[pick % to_try.len()];
        let Some(first_offset) = append(&mut manager, &batch, after(&log)) else {
            return false;
        };
        let after = seen(&manager);
        let id = batch.producer_id().get();
        let Some(mut added) = after.producers.get(&id).cloned() else {
            return false;
        };
        let newest = added.batches.pop().expect("the batch");
        let mut older = match expected.producers.remove(&id) {
            Some(before) if before.epoch == batch.epoch() => before.batches,
            _ => Vec::new(),
        };
        if older.len() == 5 {
            older.remove(0);
        }
        let mut others = after.producers;
        others.remove(&id);
        others == expected.producers
            && added.batches == older
            && added.epoch == batch.epoch()
            && newest.first_offset == first_offset
            && newest.first_sequence == Some(batch.base_sequence())
            && newest.last_sequence == Some(batch.last_sequence())
            && after.map_end == offset(newest.last_offset.get() + 1)
    }
}

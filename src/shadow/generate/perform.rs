//! Choices get their numbers.

use retryproof_models::specification::{
    Answer, Batch, Content, Fate, Log, Operation, Origin, Partition, Producer, Settings,
};

use super::{Choice, Coordinator, Epoch, Script, Sequence, Time, Twist};

/// Producer ids, by the number of the producer: the one of the recorded cases, the lowest,
/// and the highest.
const PRODUCER_IDS: [i64; 3] = [9000, 0, i64::MAX];
/// Epoch of the first coordinator.
const FIRST_COORDINATOR: i64 = 5;
const LAST_EPOCH: i64 = i16::MAX as i64;
const OVERFLOWED_EPOCH: i64 = i16::MIN as i64;
const LAST_SEQUENCE: i64 = i32::MAX as i64;

impl Script {
    /// The operations of this script, as far as `supports` wants them.
    pub fn perform(
        &self,
        settings: &Settings,
        supports: impl Fn(&Operation) -> bool,
    ) -> Vec<Operation> {
        let mut performance = Performance::new(settings);
        let mut operations = Vec::new();
        for choice in &self.0 {
            if let Some(operation) = performance.next(choice) {
                if supports(&operation) {
                    performance.take(&operation);
                    operations.push(operation);
                }
            }
        }
        operations
    }
}

/// A partition of the specification with the clock that its operations move.
#[derive(Clone, Debug)]
pub struct Performance {
    settings: Settings,
    partition: Partition,
    clock: i64,
}

impl Performance {
    /// A new partition.
    pub fn new(settings: &Settings) -> Self {
        Performance {
            settings: *settings,
            partition: Partition::new(*settings),
            clock: 0,
        }
    }

    /// The partition as it is now.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Carries out an operation.
    pub fn take(&mut self, operation: &Operation) -> Answer {
        let time = match *operation {
            Operation::Append { ts, .. }
            | Operation::Plain { ts, .. }
            | Operation::Marker { ts, .. } => ts,
            Operation::Expire { now } => now,
            _ => 0,
        };
        self.clock = self.clock.max(time);
        self.partition.apply(operation)
    }

    /// What a choice comes to now; `None` if it comes to nothing.
    pub fn next(&self, choice: &Choice) -> Option<Operation> {
        let operation = match *choice {
            Choice::Batch {
                producer,
                epoch,
                sequence,
                n,
                time,
                origin,
                fate,
            } => self.batch(producer, (epoch, sequence, n), time, origin, fate),
            Choice::Retry {
                producer,
                nth,
                twist,
                fate,
            } => self.retry(producer, nth, twist, fate)?,
            Choice::Plain { n, time } => Operation::Plain {
                n,
                ts: self.time(time),
            },
            Choice::Marker {
                producer,
                epoch,
                coordinator,
                time,
                origin,
            } => Operation::Marker {
                pid: PRODUCER_IDS[producer],
                epoch: self.epoch(producer, epoch),
                coord: self.coordinator(producer, coordinator),
                ts: self.time(time),
                origin,
            },
            Choice::Roll => Operation::Roll,
            Choice::Snapshot => Operation::Snapshot,
            Choice::Reload {
                mode,
                snapshots,
                recovery,
            } => Operation::Reload {
                mode,
                snapshots,
                recovery,
            },
            Choice::Truncate { batches } => Operation::Truncate {
                to: self.boundary(batches),
            },
            Choice::DeleteRecords { kept } => Operation::DeleteRecords {
                before: (self.log().end() - kept).max(0),
            },
            Choice::Expire { time } => Operation::Expire {
                now: self.time(time),
            },
            Choice::Retention => Operation::Retention,
            Choice::Recreate => Operation::Recreate,
        };
        let fits = self.partition.allows(&operation).is_ok();
        fits.then_some(operation)
    }

    fn batch(
        &self,
        producer: usize,
        (epoch, sequence, n): (Epoch, Sequence, i64),
        time: Time,
        origin: Origin,
        fate: Fate,
    ) -> Operation {
        let epoch = self.epoch(producer, epoch);
        let due = self.due(producer, epoch);
        let seq = match sequence {
            Sequence::Next => due,
            Sequence::At(seq) => seq,
            Sequence::Gap(gap) => wrapped(due + gap),
            Sequence::BeforeWrap(before) => LAST_SEQUENCE - before,
            Sequence::Negative(below) => -below,
        };
        Operation::Append {
            pid: PRODUCER_IDS[producer],
            epoch,
            seq,
            n,
            ts: self.time(time),
            origin,
            // A follower's copy has none.
            fate: match origin {
                Origin::Client => fate,
                Origin::Replica => Fate::Kept,
            },
        }
    }

    fn retry(&self, producer: usize, nth: usize, twist: Twist, fate: Fate) -> Option<Operation> {
        let mut batches = self.batches_of(producer);
        let (batch, (epoch, seq)) = batches.nth(nth)?;
        let n = batch.count;
        let (seq, n) = match twist {
            Twist::Exact => (seq, n),
            Twist::Shorter => (seq, (n - 1).max(1)),
            Twist::Longer => (seq, n + 1),
            Twist::Inside => (wrapped(seq + 1), n),
            Twist::TwoAsOne => match batches.next() {
                Some((older, (_, seq))) => (seq, older.count + n),
                None => (seq, n),
            },
        };
        Some(Operation::Append {
            pid: PRODUCER_IDS[producer],
            epoch,
            seq,
            n,
            ts: batch.timestamp,
            origin: Origin::Client,
            fate,
        })
    }

    fn log(&self) -> &Log {
        self.partition.log()
    }

    fn known(&self, producer: usize) -> Option<Producer> {
        self.partition.state().remove(&PRODUCER_IDS[producer])
    }

    /// The batches of records of a producer in the log, newest first, each with its epoch
    /// and base sequence.
    fn batches_of(&self, producer: usize) -> impl Iterator<Item = (&Batch, (i64, i64))> {
        let batches: Vec<&Batch> = self.log().batches().collect();
        let whose = PRODUCER_IDS[producer];
        let numbered = batches.into_iter().rev();
        numbered.filter_map(move |batch| match batch.content {
            Content::Records { pid, epoch, seq } if pid == whose => Some((batch, (epoch, seq))),
            _ => None,
        })
    }

    fn epoch(&self, producer: usize, epoch: Epoch) -> i64 {
        let known = self.known(producer).map(|known| known.epoch);
        let in_log = || {
            self.batches_of(producer)
                .next()
                .map(|(_, (epoch, _))| epoch)
        };
        let current = known.or_else(in_log).unwrap_or(0);
        match epoch {
            Epoch::Current => current,
            Epoch::Next => (current + 1).min(LAST_EPOCH),
            Epoch::Jump => (current + 3).min(LAST_EPOCH),
            Epoch::Stale => (current - 1).max(OVERFLOWED_EPOCH),
            Epoch::Last => LAST_EPOCH,
            Epoch::Absent => -1,
            Epoch::Overflowed => OVERFLOWED_EPOCH,
        }
    }

    /// The sequence that a client in this epoch would use next.
    fn due(&self, producer: usize, epoch: i64) -> i64 {
        let known = self.known(producer);
        let newest = known.and_then(|known| {
            let newest = known.batches.last().map(|batch| batch[1]);
            newest.filter(|_| known.epoch == epoch)
        });
        let in_log = || {
            let (batch, (_, seq)) = self
                .batches_of(producer)
                .find(|(_, (in_log, _))| *in_log == epoch)?;
            Some(seq + batch.count - 1)
        };
        newest.or_else(in_log).map_or(0, |last| wrapped(last + 1))
    }

    fn coordinator(&self, producer: usize, coordinator: Coordinator) -> i64 {
        let whose = PRODUCER_IDS[producer];
        let epochs = self
            .log()
            .batches()
            .filter_map(|batch| match batch.content {
                Content::Marker { pid, coord, .. } if pid == whose => Some(coord),
                _ => None,
            });
        let current = epochs.last().unwrap_or(FIRST_COORDINATOR);
        match coordinator {
            Coordinator::Same => current,
            Coordinator::Newer => current + 1,
            Coordinator::Older => (current - 1).max(0),
        }
    }

    /// Where the log ends without so many of its newest batches.
    fn boundary(&self, batches: usize) -> i64 {
        let bases: Vec<i64> = self.log().batches().map(|batch| batch.base).collect();
        match bases.len().checked_sub(batches.max(1)) {
            Some(at) if batches > 0 && at < bases.len() => bases[at],
            _ => self.log().end(),
        }
    }

    fn time(&self, time: Time) -> i64 {
        let expiry = self.settings.expiry_ms;
        let time = match time {
            Time::Now => self.clock,
            Time::Later(by) => self.clock + by,
            Time::Zero => 0,
            Time::Expired => self.clock - expiry,
            Time::AlmostExpired => self.clock - expiry + 1,
            Time::ExpiryLater => self.clock + expiry,
            Time::FarLater => self.clock + 10 * expiry,
        };
        time.max(0)
    }
}

fn wrapped(sequence: i64) -> i64 {
    sequence.rem_euclid(LAST_SEQUENCE + 1)
}

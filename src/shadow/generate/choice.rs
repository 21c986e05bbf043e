//! What is drawn: operations without their numbers.

use retryproof_models::specification::{Fate, Mode, Origin, Recovery, Snapshots};

/// One operation, in words that mean something at any point of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A producer's batch.
    Batch {
        /// Which producer.
        producer: usize,
        /// Its epoch.
        epoch: Epoch,
        /// Its base sequence.
        sequence: Sequence,
        /// How many records.
        n: i64,
        /// Its timestamp.
        time: Time,
        /// Who appends it.
        origin: Origin,
        /// What becomes of it.
        fate: Fate,
    },
    /// A batch of the log once more. Without such a batch: nothing.
    Retry {
        /// Which producer.
        producer: usize,
        /// Which of its batches, 0 for the newest.
        nth: usize,
        /// What is wrong with it.
        twist: Twist,
        /// What becomes of it.
        fate: Fate,
    },
    /// A batch without a producer id.
    Plain {
        /// How many records.
        n: i64,
        /// Its timestamp.
        time: Time,
    },
    /// The end of a transaction.
    Marker {
        /// Which producer.
        producer: usize,
        /// Its epoch.
        epoch: Epoch,
        /// Epoch of the coordinator.
        coordinator: Coordinator,
        /// Its timestamp.
        time: Time,
        /// Who appends it.
        origin: Origin,
    },
    /// A new segment.
    Roll,
    /// A snapshot.
    Snapshot,
    /// The broker stops and starts.
    Reload {
        /// How it stops.
        mode: Mode,
        /// What is done to the snapshots in between.
        snapshots: Snapshots,
        /// From where it recovers.
        recovery: Recovery,
    },
    /// So many of the newest batches are cut off.
    Truncate {
        /// How many, at most all that there are.
        batches: usize,
    },
    /// All records but the newest are deleted.
    DeleteRecords {
        /// How many are kept, at most all that there are.
        kept: i64,
    },
    /// The expiry check.
    Expire {
        /// When.
        time: Time,
    },
    /// Whole segments below the log start are deleted.
    Retention,
    /// A new, empty log.
    Recreate,
}

/// An epoch, seen from the one that the broker knows of the producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epoch {
    /// The same; that of its newest batch in the log if the broker knows none; else 0.
    Current,
    /// The one after it.
    Next,
    /// The third one after it.
    Jump,
    /// The one before it.
    Stale,
    /// The last there is, 32767.
    Last,
    /// −1, which stands for none.
    Absent,
    /// −32768, as a client sends that counted too far.
    Overflowed,
}

/// A base sequence, seen from the newest batch that the broker knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// The one that is due.
    Next,
    /// This one.
    At(i64),
    /// So many after the one that is due.
    Gap(i64),
    /// So many before the last there is, 2³¹−1.
    BeforeWrap(i64),
    /// So many below 0.
    Negative(i64),
}

/// A time, seen from the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// What the clock shows.
    Now,
    /// So many milliseconds later.
    Later(i64),
    /// 0.
    Zero,
    /// As long ago as producers are remembered.
    Expired,
    /// A millisecond less than that ago.
    AlmostExpired,
    /// As much later as producers are remembered.
    ExpiryLater,
    /// Ten times as much later.
    FarLater,
}

/// What is wrong with a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twist {
    /// Nothing.
    Exact,
    /// It ends a record earlier.
    Shorter,
    /// It ends a record later.
    Longer,
    /// It begins a record later.
    Inside,
    /// It is two batches in one.
    TwoAsOne,
}

/// The epoch of a coordinator, seen from the one of the producer's newest marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinator {
    /// The same; 5 if there is no marker.
    Same,
    /// One later.
    Newer,
    /// One earlier.
    Older,
}

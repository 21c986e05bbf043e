//! What can happen to a partition, as recorded cases write it.

use serde::{Deserialize, Serialize};

/// One operation. In JSON the field `op` names it; a field that has its default value may
/// be absent.
///
/// Sequences are 0 to 2³¹ − 1; a client may send a negative one, which is refused. Epochs
/// are 16-bit, times are milliseconds since the start of the clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Operation {
    /// One batch of a producer.
    Append {
        /// Producer id.
        pid: i64,
        /// Producer epoch.
        epoch: i64,
        /// Base sequence: that of the first record.
        seq: i64,
        /// Number of records.
        n: i64,
        /// Timestamp of all its records.
        #[serde(default)]
        ts: i64,
        /// Who appends it.
        #[serde(default, skip_serializing_if = "is_default")]
        origin: Origin,
        /// What becomes of it once it is checked.
        #[serde(default, skip_serializing_if = "is_default")]
        fate: Fate,
    },
    /// One batch without a producer id.
    Plain {
        /// Number of records.
        n: i64,
        /// Timestamp of all its records.
        ts: i64,
    },
    /// An end-of-transaction control batch: one record.
    Marker {
        /// Producer id.
        pid: i64,
        /// Producer epoch.
        epoch: i64,
        /// Epoch of the transaction coordinator that writes it.
        coord: i64,
        /// Its timestamp.
        #[serde(default)]
        ts: i64,
        /// Who appends it. `Client` stands for the coordinator, through the leader.
        #[serde(default, skip_serializing_if = "is_default")]
        origin: Origin,
    },
    /// The broker stops and starts again.
    Reload {
        /// How it stops.
        mode: Mode,
        /// What is done to the snapshot files before it starts.
        #[serde(default, skip_serializing_if = "is_default")]
        snapshots: Snapshots,
        /// From where the log is recovered. Only a crash recovers.
        #[serde(default, skip_serializing_if = "is_default")]
        recovery: Recovery,
    },
    /// A snapshot is written at the log end.
    Snapshot,
    /// A follower cuts off the end of its log.
    Truncate {
        /// The new log end: where a batch starts, or the log end.
        to: i64,
    },
    /// The log start moves up. The records stay in their segments.
    DeleteRecords {
        /// The new log start; may lie inside a batch.
        before: i64,
    },
    /// The expiry check runs.
    Expire {
        /// The time of the check.
        now: i64,
    },
    /// A new segment begins at the log end.
    Roll,
    /// Segments that lie wholly below the log start are deleted.
    Retention,
    /// The topic is deleted and made again: a new, empty log.
    Recreate,
}

/// Who appends a batch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A client, through the leader, which checks it.
    #[default]
    Client,
    /// A follower that copies it from its leader, at its log end. Nothing is checked.
    Replica,
}

/// What becomes of a batch that is checked and would be appended. A batch that would not
/// be appended gets its ordinary answer, and nothing else happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is appended.
    #[default]
    Kept,
    /// It is not appended (the disk is full): nothing changes.
    Dropped,
    /// The broker crashes before the batch is in the log, and starts again with every
    /// segment recovered.
    CrashBeforeWrite,
    /// The broker crashes when the batch is in the log but not yet in the producer state,
    /// and starts again with every segment recovered.
    CrashAfterWrite,
}

/// How a broker stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// In order, with a snapshot at the log end.
    Clean,
    /// Nothing is closed or written.
    Crash,
}

/// What is done to the snapshot files while the broker is down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Snapshots {
    /// Nothing.
    #[default]
    Kept,
    /// All are deleted.
    Lost,
    /// The newest, if there is one, is damaged.
    NewestCorrupt,
}

/// Which segments are recovered after a crash: those that may not have been flushed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// All of them.
    #[default]
    All,
    /// The newest one.
    Tail,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

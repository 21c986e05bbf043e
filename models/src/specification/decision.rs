//! What the leader decides about one batch, in the order in which it looks (Kafka:
//! `LogValidator`, `UnifiedLog.analyzeAndValidateProducerState`, `ProducerAppendInfo`).

use super::answer::ErrorName;
use super::entry::{Entry, Remembered, NO_EPOCH};
use super::sequence::{advance, last_of};
use super::settings::Profile;

/// What is done with a batch.
pub(super) enum Decision {
    /// It is appended.
    Append,
    /// It is this one, which is in the log already.
    Duplicate(Remembered),
    /// It is refused.
    Refuse(ErrorName),
}

/// Decides about a client's batch; `entry` is the producer's state, if there is any.
pub(super) fn on_batch(
    profile: Profile,
    entry: Option<&Entry>,
    (epoch, seq, n): (i64, i64, i64),
) -> Decision {
    if seq < 0 {
        return Decision::Refuse(ErrorName::InvalidRecord);
    }
    let known = entry.is_some();
    let none = Entry::none();
    let entry = entry.unwrap_or(&none);
    if let Some(original) = entry.find(epoch, seq, last_of(seq, n)) {
        return Decision::Duplicate(*original);
    }
    if epoch < entry.epoch {
        return Decision::Refuse(ErrorName::InvalidProducerEpoch);
    }
    let may_start = |wanted: i64| {
        if seq == wanted {
            Decision::Append
        } else {
            Decision::Refuse(ErrorName::OutOfOrderSequenceNumber)
        }
    };
    if !known && profile == Profile::Hardened {
        return may_start(0);
    }
    if entry.epoch == NO_EPOCH && profile == Profile::Kafka {
        return Decision::Append;
    }
    if epoch > entry.epoch {
        return may_start(0);
    }
    match entry.last_seq() {
        Some(last) => may_start(advance(last, 1)),
        None => may_start(0),
    }
}

/// Decides about a marker that a transaction coordinator writes.
pub(super) fn on_marker(entry: Option<&Entry>, epoch: i64, coord: i64) -> Decision {
    let none = Entry::none();
    let entry = entry.unwrap_or(&none);
    if epoch < entry.epoch {
        Decision::Refuse(ErrorName::InvalidProducerEpoch)
    } else if coord < entry.coordinator_epoch {
        Decision::Refuse(ErrorName::TransactionCoordinatorFenced)
    } else {
        Decision::Append
    }
}

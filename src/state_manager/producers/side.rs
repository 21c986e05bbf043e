//! What only producers with transactions have, kept beside the others.

use super::super::numbers::CoordinatorEpoch;

/// State that is absent from a producer that never used a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::state_manager) struct Side {
    /// Epoch of the coordinator that wrote the last marker.
    pub coordinator_epoch: CoordinatorEpoch,
    /// Offset at which the open transaction began.
    pub transaction_first_offset: Option<i64>,
    /// Timestamp of the newest batch, if a marker came after it.
    pub newest_timestamp: Option<i64>,
}

impl Side {
    /// What every producer without transactions has.
    pub const NONE: Side = Side {
        coordinator_epoch: CoordinatorEpoch::NONE,
        transaction_first_offset: None,
        newest_timestamp: None,
    };
}

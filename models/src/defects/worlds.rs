//! What the worlds of the museum start from: as little as possible.

use crate::conditions::{Budget, Conditions};

/// One batch in flight and a window of one; no fault at all.
pub(super) const ONE: Conditions = Conditions {
    in_flight: 1,
    window: 1,
    connections: 1,
    disconnects: Budget::NONE,
    ..Conditions::KAFKA
};

/// Two batches in flight and a window of two; no fault at all.
pub(super) const TWO: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    ..ONE
};

/// One batch in flight on the connection that a producer's two partitions share, two
/// batches each; no fault at all.
pub(super) const TWO_PARTITIONS: Conditions = Conditions {
    partitions: 2,
    batches: Budget::AtMost(2),
    ..ONE
};

/// A leader with one follower, and two batches; no fault at all.
pub(super) const TWO_BROKERS: Conditions = Conditions {
    brokers: 2,
    batches: Budget::AtMost(2),
    ..ONE
};

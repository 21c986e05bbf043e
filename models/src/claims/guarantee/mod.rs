//! B: what the guarantee rests on. For each condition the claim that holds with it and the
//! claim that is refuted without it, at the smallest size at which the hole shows and at the
//! real window of five.

mod appends;
mod bumps;
mod eviction;
mod expiry;
mod leaders;
mod numbers;
mod restarts;
mod several;
mod unknown;

use crate::conditions::Conditions;

use super::Claim;

const KAFKA: Conditions = Conditions::KAFKA;

/// Two in flight, a window of two, one dead connection.
const SMALL: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    ..KAFKA
};

/// The same without dead connections: nothing is left over.
const SMALL_ALONE: Conditions = Conditions {
    connections: 1,
    ..SMALL
};

/// Five in flight, a window of five, one dead connection.
const REAL: Conditions = Conditions {
    connections: 2,
    ..KAFKA
};

/// The same without dead connections.
const REAL_ALONE: Conditions = Conditions {
    connections: 1,
    ..KAFKA
};

pub(super) fn claims() -> Vec<Claim> {
    [
        restarts::claims(),
        unknown::claims(),
        bumps::claims(),
        expiry::claims(),
        numbers::claims(),
        eviction::claims(),
        appends::claims(),
        leaders::claims(),
        several::claims(),
    ]
    .concat()
}

//! Every kind of action of a cluster is taken somewhere, by the worlds of this file.

mod walking;

use std::collections::BTreeSet;

use retryproof_models::cluster::Action;
use retryproof_models::conditions::{Budget, Conditions};

use walking::explore;

const BASE: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(2),
    brokers: 2,
    disconnects: Budget::ONE,
    ..Conditions::KAFKA
};

fn worlds() -> [Conditions; 2] {
    [
        Conditions {
            leader_moves: Budget::ONE,
            restarts: Budget::ONE,
            ..BASE
        },
        Conditions {
            batches: Budget::AtMost(3),
            expiries: Budget::ONE,
            delivery_timeouts: Budget::ONE,
            refusals_before_append: Budget::ONE,
            errors_after_append: Budget::ONE,
            fatal_refusals: Budget::ONE,
            ..BASE
        },
    ]
}

#[test]
fn every_kind_of_action_is_taken_and_listed() {
    let taken = worlds().map(|conditions| explore(conditions).kinds);
    let taken: BTreeSet<_> = taken
        .iter()
        .flat_map(|kinds| kinds.keys().copied())
        .collect();
    let listed: BTreeSet<_> = Action::KINDS.iter().copied().collect();
    assert_eq!(taken, listed);
}

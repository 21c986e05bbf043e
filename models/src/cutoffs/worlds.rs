//! The base worlds that are made larger, and how large.

use crate::conditions::{AppendOrder, Budget, Conditions, Fault, ProducerKnown, RestartKeeps};

use super::Dimension;

/// A base world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base {
    /// What happens in it.
    pub name: &'static str,
    /// The world.
    pub conditions: Conditions,
    /// The fault of which there can be more or fewer.
    pub fault: Fault,
    /// The dimensions in which it grows, with the sizes that are tried.
    pub grows: &'static [(Dimension, &'static [Budget])],
}

impl Base {
    /// The sizes that are tried; none if it does not grow in that dimension.
    pub fn sizes(&self, dimension: Dimension) -> &'static [Budget] {
        let mut grows = self.grows.iter();
        let found = grows.find(|(grown, _)| *grown == dimension);
        found.map_or(&[], |(_, sizes)| sizes)
    }
}

const fn at_most<const N: usize>(from: u8) -> [Budget; N] {
    let mut sizes = [Budget::NONE; N];
    let mut index = 0;
    while index < N {
        sizes[index] = Budget::AtMost(from + index as u8);
        index += 1;
    }
    sizes
}

const fn and_any<const N: usize>(from: u8) -> [Budget; N] {
    let mut sizes = at_most(from);
    sizes[N - 1] = Budget::Any;
    sizes
}

/// 1 to 8 batches, and any number.
const BATCHES: (Dimension, &[Budget]) = (Dimension::Batches, &and_any::<9>(1));
const DEAD: (Dimension, &[Budget]) = (Dimension::DeadConnections, &at_most::<4>(0));
const WINDOW: (Dimension, &[Budget]) = (Dimension::Window, &at_most::<6>(1));
const FAULTS: (Dimension, &[Budget]) = (Dimension::Faults, &and_any::<7>(0));

const EVERY: &[(Dimension, &[Budget])] = &[BATCHES, DEAD, WINDOW, FAULTS];

/// Two in flight, a window of two, one dead connection.
const SMALL: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    ..Conditions::KAFKA
};

/// Two brokers; the leader moves once.
const CLUSTER: Conditions = Conditions {
    brokers: 2,
    leader_moves: Budget::ONE,
    disconnects: Budget::ONE,
    batches: Budget::AtMost(4),
    producer_state: ProducerKnown::Known,
    ..SMALL
};

/// All base worlds.
pub const BASES: &[Base] = &[
    Base {
        name: "lost connections",
        conditions: SMALL,
        fault: Fault::Disconnect,
        grows: EVERY,
    },
    Base {
        name: "more in flight than the window",
        conditions: Conditions {
            in_flight: 3,
            ..SMALL
        },
        fault: Fault::Disconnect,
        grows: EVERY,
    },
    Base {
        name: "a restart that keeps the newest batch",
        conditions: Conditions {
            restarts: Budget::ONE,
            ..SMALL
        },
        fault: Fault::Restart,
        grows: EVERY,
    },
    Base {
        name: "a restart that keeps nothing",
        conditions: Conditions {
            restarts: Budget::ONE,
            restart_keeps: RestartKeeps::Nothing,
            ..SMALL
        },
        fault: Fault::Restart,
        grows: EVERY,
    },
    Base {
        name: "expiry",
        conditions: Conditions {
            expiries: Budget::ONE,
            ..SMALL
        },
        fault: Fault::Expiry,
        grows: EVERY,
    },
    Base {
        name: "a refusal before append",
        conditions: Conditions {
            refusals_before_append: Budget::ONE,
            ..SMALL
        },
        fault: Fault::RefusalBeforeAppend,
        grows: EVERY,
    },
    Base {
        name: "an error after append",
        conditions: Conditions {
            errors_after_append: Budget::ONE,
            ..SMALL
        },
        fault: Fault::ErrorAfterAppend,
        grows: EVERY,
    },
    Base {
        name: "a refusal for good",
        conditions: Conditions {
            fatal_refusals: Budget::ONE,
            ..SMALL
        },
        fault: Fault::FatalRefusal,
        grows: &[BATCHES, DEAD, (Dimension::Window, &at_most::<5>(1)), FAULTS],
    },
    Base {
        name: "a delivery timeout",
        conditions: Conditions {
            delivery_timeouts: Budget::ONE,
            batches: Budget::AtMost(4),
            ..SMALL
        },
        fault: Fault::DeliveryTimeout,
        grows: &[
            (Dimension::Batches, &at_most::<7>(1)),
            (Dimension::DeadConnections, &at_most::<3>(0)),
            (Dimension::Faults, &at_most::<4>(0)),
        ],
    },
    Base {
        name: "leader moves",
        conditions: CLUSTER,
        fault: Fault::LeaderMove,
        grows: &[
            (Dimension::Batches, &at_most::<6>(1)),
            (Dimension::DeadConnections, &at_most::<3>(0)),
            (Dimension::Faults, &at_most::<4>(0)),
            (Dimension::Brokers, &at_most::<2>(2)),
        ],
    },
    Base {
        name: "batches of two records, one too large",
        conditions: Conditions {
            fatal_refusals: Budget::ONE,
            records_per_batch: 2,
            batches: Budget::AtMost(3),
            disconnects: Budget::ONE,
            ..SMALL
        },
        fault: Fault::FatalRefusal,
        grows: &[(Dimension::Batches, &at_most::<9>(1))],
    },
    Base {
        name: "an append that fails half way",
        conditions: Conditions {
            append_failures: Budget::ONE,
            append_order: AppendOrder::StateFirst,
            batches: Budget::AtMost(4),
            ..SMALL
        },
        fault: Fault::AppendFailure,
        grows: &[
            (Dimension::Batches, &at_most::<7>(1)),
            (Dimension::DeadConnections, &at_most::<4>(0)),
            (Dimension::Faults, &at_most::<5>(0)),
        ],
    },
    Base {
        name: "a refusal for good under the last epoch",
        conditions: Conditions {
            max_epoch: Some(0),
            fatal_refusals: Budget::ONE,
            disconnects: Budget::ONE,
            batches: Budget::AtMost(4),
            connections: 1,
            ..SMALL
        },
        fault: Fault::FatalRefusal,
        grows: &[(Dimension::Batches, &at_most::<7>(1))],
    },
    Base {
        name: "refusals before append at the wrap",
        conditions: Conditions {
            sequence_modulus: Some(4),
            refusals_before_append: Budget::AtMost(2),
            producer_state: ProducerKnown::Known,
            batches: Budget::AtMost(6),
            connections: 1,
            ..SMALL
        },
        fault: Fault::RefusalBeforeAppend,
        grows: &[(Dimension::Batches, &at_most::<16>(1))],
    },
    Base {
        name: "lost connections, bounded",
        conditions: Conditions {
            batches: Budget::AtMost(2),
            disconnects: Budget::AtMost(2),
            ..SMALL
        },
        fault: Fault::Disconnect,
        grows: &[
            (Dimension::Producers, &at_most::<2>(1)),
            (Dimension::Partitions, &at_most::<2>(1)),
        ],
    },
];

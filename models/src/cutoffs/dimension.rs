//! The ways in which a world can be made larger.

use crate::conditions::{Budget, Conditions, Fault};

use super::Base;

/// A size of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Batches that are sent.
    Batches,
    /// Dead connections that may still deliver.
    DeadConnections,
    /// The window, and the in-flight limit with it.
    Window,
    /// How often the fault of the base world happens.
    Faults,
    /// Brokers.
    Brokers,
    /// Producers, each with its own id.
    Producers,
    /// Partitions.
    Partitions,
}

/// One size and the world of that size.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// The size.
    pub size: Budget,
    /// The world.
    pub conditions: Conditions,
}

impl Dimension {
    /// All of them.
    pub const ALL: &'static [Dimension] = &[
        Dimension::Batches,
        Dimension::DeadConnections,
        Dimension::Window,
        Dimension::Faults,
        Dimension::Brokers,
        Dimension::Producers,
        Dimension::Partitions,
    ];

    /// Whether a run of a smaller world is a run of every larger one too: what is refuted
    /// stays refuted.
    pub fn only_adds_runs(self) -> bool {
        !matches!(self, Dimension::Window)
    }

    /// What there are more and more of.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::Batches => "batches",
            Dimension::DeadConnections => "dead connections",
            Dimension::Window => "window",
            Dimension::Faults => "faults",
            Dimension::Brokers => "brokers",
            Dimension::Producers => "producers",
            Dimension::Partitions => "partitions",
        }
    }

    /// The worlds of growing size that a base world is tried in.
    pub fn sizes(self, base: &Base) -> Vec<Size> {
        base.sizes(self)
            .iter()
            .map(|size| Size {
                size: *size,
                conditions: self.of_size(base, *size),
            })
            .collect()
    }

    fn of_size(self, base: &Base, size: Budget) -> Conditions {
        let world = base.conditions;
        let number = match size {
            Budget::AtMost(number) => number,
            Budget::Any => u8::MAX,
        };
        match self {
            Dimension::Batches => Conditions {
                batches: size,
                ..world
            },
            Dimension::DeadConnections => Conditions {
                connections: number + 1,
                ..world
            },
            // What is in flight beyond the window stays so.
            Dimension::Window => Conditions {
                window: number,
                in_flight: number + (world.in_flight - world.window),
                ..world
            },
            Dimension::Faults => with_budget(world, base.fault, size),
            Dimension::Brokers => Conditions {
                brokers: number,
                ..world
            },
            Dimension::Producers => Conditions {
                producers: number,
                ..world
            },
            Dimension::Partitions => Conditions {
                partitions: number,
                ..world
            },
        }
    }
}

fn with_budget(world: Conditions, fault: Fault, budget: Budget) -> Conditions {
    let mut changed = world;
    let field = match fault {
        Fault::Disconnect => &mut changed.disconnects,
        Fault::Restart => &mut changed.restarts,
        Fault::LeaderMove => &mut changed.leader_moves,
        Fault::Expiry => &mut changed.expiries,
        Fault::RefusalBeforeAppend => &mut changed.refusals_before_append,
        Fault::ErrorAfterAppend => &mut changed.errors_after_append,
        Fault::FatalRefusal => &mut changed.fatal_refusals,
        Fault::DeliveryTimeout => &mut changed.delivery_timeouts,
        Fault::Cancellation => &mut changed.cancellations,
        Fault::AppendFailure => &mut changed.append_failures,
    };
    *field = budget;
    // How a fault goes is no condition where there is none.
    if !changed.has(Fault::Restart) {
        changed.restart_keeps = Conditions::KAFKA.restart_keeps;
    }
    if !changed.has(Fault::AppendFailure) {
        changed.append_order = Conditions::KAFKA.append_order;
    }
    changed
}

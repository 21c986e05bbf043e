//! What can happen next in a cluster.

use crate::broker::Fate;

use super::link::Connection;
use super::state::State;

/// One producer's one partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lane {
    /// The producer.
    pub producer: usize,
    /// The partition.
    pub partition: usize,
}

/// One broker's replica of one partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat {
    /// The broker.
    pub broker: usize,
    /// The partition.
    pub partition: usize,
}

/// One step of a cluster. Producers, partitions and brokers are numbers from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// An application hands a record over and its producer sends it in a fresh batch.
    Send(Lane),
    /// A producer sends an undecided batch again.
    Retry(Lane),
    /// A producer learns who leads a partition.
    Refresh(Lane),
    /// The lowest undecided batch of a partition runs out of time.
    TimeOut(Lane),
    /// A broker takes a request, and what befalls it.
    Deliver {
        /// Whose request.
        producer: usize,
        /// The connection that it came on.
        connection: Connection,
        /// What befalls it beside the broker's decision.
        fate: Fate,
    },
    /// A producer reads a reply.
    Read {
        /// The producer.
        producer: usize,
        /// The broker that it comes from.
        broker: usize,
        /// A wanted epoch bump is done before; without, both replies came in one poll.
        after_bump: bool,
    },
    /// A live connection breaks.
    Disconnect {
        /// The producer at its one end.
        producer: usize,
        /// The broker at its other end.
        broker: usize,
    },
    /// What is left over of a dead connection is lost.
    Lose {
        /// The producer.
        producer: usize,
        /// The dead connection, by position.
        dead: usize,
    },
    /// A follower copies the next batch of the leader.
    Fetch(Seat),
    /// A follower that lags is no longer in sync.
    Shrink(Seat),
    /// A follower that has caught up is in sync again.
    Expand(Seat),
    /// A partition gets another leader, which knows it at once.
    LeaderMove(Seat),
    /// A broker learns that another one leads a partition.
    Learn(Seat),
    /// A broker restarts: every connection to it is gone, with what was on it.
    Restart {
        /// The broker.
        broker: usize,
    },
    /// A replica forgets a producer id.
    Expire {
        /// The replica.
        seat: Seat,
        /// The producer id.
        id: usize,
    },
}

impl Action {
    /// All kinds of action, for coverage.
    pub const KINDS: &'static [&'static str] = &[
        "send",
        "retry",
        "refresh",
        "time-out",
        "deliver",
        "deliver-leftover",
        "deliver-to-follower",
        "deliver-to-deposed",
        "refuse-before-append",
        "error-after-append",
        "refuse-for-good",
        "read",
        "read-before-bump",
        "read-after-bump",
        "disconnect",
        "lose",
        "fetch",
        "shrink",
        "expand",
        "leader-move",
        "learn",
        "restart",
        "expire",
    ];

    /// The kind of this action in a state.
    pub fn kind(&self, state: &State) -> &'static str {
        match *self {
            Action::Send(_) => "send",
            Action::Retry(_) => "retry",
            Action::Refresh(_) => "refresh",
            Action::TimeOut(_) => "time-out",
            Action::Deliver {
                producer,
                connection,
                fate,
            } => kind_of_delivery(state, producer, connection, fate),
            Action::Read {
                producer,
                after_bump,
                ..
            } => {
                let lanes = state.clients[producer].lanes;
                match (lanes.iter().any(|lane| lane.bump_wanted), after_bump) {
                    (false, _) => "read",
                    (true, false) => "read-before-bump",
                    (true, true) => "read-after-bump",
                }
            }
            Action::Disconnect { .. } => "disconnect",
            Action::Lose { .. } => "lose",
            Action::Fetch(_) => "fetch",
            Action::Shrink(_) => "shrink",
            Action::Expand(_) => "expand",
            Action::LeaderMove(_) => "leader-move",
            Action::Learn(_) => "learn",
            Action::Restart { .. } => "restart",
            Action::Expire { .. } => "expire",
        }
    }

    /// The partition that the action concerns in a state, if it is one.
    pub fn partition(&self, state: &State) -> Option<usize> {
        match *self {
            Action::Send(lane)
            | Action::Retry(lane)
            | Action::Refresh(lane)
            | Action::TimeOut(lane) => Some(lane.partition),
            Action::Fetch(seat)
            | Action::Shrink(seat)
            | Action::Expand(seat)
            | Action::LeaderMove(seat)
            | Action::Learn(seat)
            | Action::Expire { seat, .. } => Some(seat.partition),
            Action::Deliver {
                producer,
                connection,
                ..
            } => {
                let next = state.links[producer].pipe(connection).next();
                next.map(|parcel| parcel.partition.into())
            }
            Action::Read {
                producer, broker, ..
            } => {
                let replies = state.links[producer].live[broker].replies;
                let next = replies.as_slice().first();
                next.map(|answer| answer.partition.into())
            }
            Action::Disconnect { .. } | Action::Lose { .. } | Action::Restart { .. } => None,
        }
    }

    /// Whether the action is a fault: something that need not happen.
    pub fn is_fault(&self) -> bool {
        match self {
            Action::Send(_)
            | Action::Retry(_)
            | Action::Refresh(_)
            | Action::Read { .. }
            | Action::Fetch(_)
            | Action::Expand(_)
            | Action::Learn(_) => false,
            Action::Deliver { fate, .. } => *fate != Fate::Decided,
            Action::TimeOut(_)
            | Action::Disconnect { .. }
            | Action::Lose { .. }
            | Action::Shrink(_)
            | Action::LeaderMove(_)
            | Action::Restart { .. }
            | Action::Expire { .. } => true,
        }
    }
}

fn kind_of_delivery(
    state: &State,
    producer: usize,
    connection: Connection,
    fate: Fate,
) -> &'static str {
    let deliver = Action::Deliver {
        producer,
        connection,
        fate,
    };
    let seat = Seat {
        broker: state.links[producer].broker(connection),
        partition: deliver.partition(state).unwrap_or_default(),
    };
    match (fate, connection) {
        (Fate::RefusedBefore, _) => "refuse-before-append",
        (Fate::ErrorAfter, _) => "error-after-append",
        (Fate::Invalid, _) => "refuse-for-good",
        _ if !state.replica(seat).leads => "deliver-to-follower",
        _ if !state.is_leader(seat) => "deliver-to-deposed",
        (_, Connection::Live(_)) => "deliver",
        (_, Connection::Dead(_)) => "deliver-leftover",
    }
}

//! What can happen next in a world.

use std::fmt;

use crate::broker::Fate;
use crate::network::{Loss, NetworkKind, Slot};

/// One step of a world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// The application hands a record over and the producer sends it in a fresh batch.
    Send,
    /// The producer sends an undecided batch again.
    Retry,
    /// The broker takes a request and decides it.
    Deliver(Slot),
    /// The broker takes a request, and something besides befalls it.
    DeliverTo(Slot, Fate),
    /// The producer reads a reply.
    Read {
        /// Which one, by position.
        index: u8,
        /// A wanted epoch bump is done before; without, both replies came in one poll.
        after_bump: bool,
    },
    /// The connection breaks (Stateright's networks: the client's request timeout).
    Disconnect,
    /// The network loses something.
    Lose(Loss),
    /// The broker restarts: every connection to it is gone, with what was on it.
    Restart,
    /// The broker forgets the producer.
    Expire,
    /// The lowest undecided batch runs out of time.
    TimeOut,
    /// The application cancels the newest batch.
    Cancel,
}

impl Action {
    /// All kinds of action, for coverage.
    pub const KINDS: &'static [&'static str] = &[
        "send",
        "retry",
        "deliver",
        "deliver-leftover",
        "read",
        "read-before-bump",
        "read-after-bump",
        "disconnect",
        "lose",
        "refuse-before-append",
        "error-after-append",
        "refuse-for-good",
        "too-large",
        "fail-half-way",
        "restart",
        "expire",
        "time-out",
        "cancel",
    ];

    /// The kind of this action; `bump_wanted` as in the producer before it.
    pub fn kind(&self, bump_wanted: bool) -> &'static str {
        match self {
            Action::Send => "send",
            Action::Retry => "retry",
            Action::Deliver(slot) if slot.is_live() => "deliver",
            Action::Deliver(_) => "deliver-leftover",
            Action::Read { after_bump, .. } => match (bump_wanted, after_bump) {
                (false, _) => "read",
                (true, false) => "read-before-bump",
                (true, true) => "read-after-bump",
            },
            Action::Disconnect => "disconnect",
            Action::Lose(_) => "lose",
            Action::DeliverTo(_, fate) => match fate {
                Fate::Decided => "deliver",
                Fate::RefusedBefore => "refuse-before-append",
                Fate::ErrorAfter => "error-after-append",
                Fate::Invalid => "refuse-for-good",
                Fate::TooLarge => "too-large",
                Fate::Fails => "fail-half-way",
            },
            Action::Restart => "restart",
            Action::Expire => "expire",
            Action::TimeOut => "time-out",
            Action::Cancel => "cancel",
        }
    }

    /// Whether the action is a fault: something that need not happen. On an ordered
    /// channel that loses single messages the client's timeout is what heals, no fault.
    pub fn is_fault(&self, network: NetworkKind) -> bool {
        match self {
            Action::Send | Action::Retry | Action::Deliver(_) | Action::Read { .. } => false,
            Action::Disconnect => network != NetworkKind::Ordered,
            Action::Lose(_)
            | Action::DeliverTo(..)
            | Action::Restart
            | Action::Expire
            | Action::TimeOut
            | Action::Cancel => true,
        }
    }

    /// The slot of the request that the broker takes, and what befalls it.
    pub fn delivered(&self) -> Option<(Slot, Fate)> {
        match *self {
            Action::Deliver(slot) => Some((slot, Fate::Decided)),
            Action::DeliverTo(slot, fate) => Some((slot, fate)),
            _ => None,
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Send => f.write_str("send"),
            Action::Retry => f.write_str("retry"),
            Action::Deliver(slot) if slot.is_live() => write!(f, "deliver request {}", slot.index),
            Action::Deliver(slot) => {
                write!(f, "deliver leftover {}.{}", slot.connection, slot.index)
            }
            Action::DeliverTo(slot, fate) => {
                write!(f, "{:?}, {}", Action::Deliver(*slot), fate.words())
            }
            Action::Restart => f.write_str("restart"),
            Action::Expire => f.write_str("forget the producer"),
            Action::TimeOut => f.write_str("delivery timeout"),
            Action::Cancel => f.write_str("cancel the newest batch"),
            Action::Read {
                index,
                after_bump: false,
            } => write!(f, "read reply {index}"),
            Action::Read { index, .. } => write!(f, "raise the epoch, read reply {index}"),
            Action::Disconnect => f.write_str("disconnect"),
            Action::Lose(Loss::Leftovers(connection)) => write!(f, "lose leftovers {connection}"),
            Action::Lose(Loss::Request(slot)) => {
                write!(f, "lose request {}.{}", slot.connection, slot.index)
            }
            Action::Lose(Loss::Reply(index)) => write!(f, "lose reply {index}"),
        }
    }
}

//! Faults, and how many of each are left.

use std::fmt;

use super::Conditions;

/// How often something may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Budget {
    /// Without end.
    Any,
    /// At most this often.
    AtMost(u8),
}

impl Budget {
    /// Never.
    pub const NONE: Budget = Budget::AtMost(0);
    /// At most once.
    pub const ONE: Budget = Budget::AtMost(1);
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Any => f.write_str("any"),
            Budget::AtMost(n) => n.fmt(f),
        }
    }
}

/// A fault with a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The connection breaks.
    Disconnect,
    /// A broker restarts.
    Restart,
    /// Another replica becomes leader.
    LeaderMove,
    /// A broker forgets a producer.
    Expiry,
    /// A batch is refused before anything is done (NOT_ENOUGH_REPLICAS,
    /// NOT_LEADER_OR_FOLLOWER); the client may send it again.
    RefusalBeforeAppend,
    /// A batch is appended and answered with an error all the same
    /// (NOT_ENOUGH_REPLICAS_AFTER_APPEND, REQUEST_TIMED_OUT).
    ErrorAfterAppend,
    /// A batch is refused for good (INVALID_RECORD, INVALID_TIMESTAMP,
    /// MESSAGE_TOO_LARGE).
    FatalRefusal,
    /// A batch runs out of time at the client (delivery.timeout.ms).
    DeliveryTimeout,
    /// The application cancels a batch.
    Cancellation,
    /// An append fails between its two steps: see [`super::AppendOrder`].
    AppendFailure,
}

impl Fault {
    /// All faults.
    pub const ALL: &'static [Fault] = &[
        Fault::Disconnect,
        Fault::Restart,
        Fault::LeaderMove,
        Fault::Expiry,
        Fault::RefusalBeforeAppend,
        Fault::ErrorAfterAppend,
        Fault::FatalRefusal,
        Fault::DeliveryTimeout,
        Fault::Cancellation,
        Fault::AppendFailure,
    ];

    /// Those that are the producer's to bring about, or its application's.
    pub const OF_PRODUCER: &'static [Fault] = &[Fault::DeliveryTimeout, Fault::Cancellation];
    /// Those that befall connections and requests.
    pub const OF_NETWORK: &'static [Fault] = &[
        Fault::Disconnect,
        Fault::RefusalBeforeAppend,
        Fault::ErrorAfterAppend,
        Fault::FatalRefusal,
        Fault::AppendFailure,
    ];
    /// Those of the broker itself.
    pub const OF_BROKER: &'static [Fault] = &[Fault::Restart, Fault::LeaderMove, Fault::Expiry];

    /// The flag of its budget.
    pub fn flag(self) -> &'static str {
        match self {
            Fault::Disconnect => "disconnects",
            Fault::Restart => "restarts",
            Fault::LeaderMove => "leader-moves",
            Fault::Expiry => "expiries",
            Fault::RefusalBeforeAppend => "refusals-before-append",
            Fault::ErrorAfterAppend => "errors-after-append",
            Fault::FatalRefusal => "fatal-refusals",
            Fault::DeliveryTimeout => "delivery-timeouts",
            Fault::Cancellation => "cancellations",
            Fault::AppendFailure => "append-failures",
        }
    }
}

/// How many of each fault are left in a state; 0 for a fault whose budget is without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FaultsLeft([u8; Fault::ALL.len()]);

impl FaultsLeft {
    /// All that the conditions allow.
    pub fn of(conditions: &Conditions) -> Self {
        let mut left = FaultsLeft::default();
        for fault in Fault::ALL {
            if let Budget::AtMost(budget) = conditions.budget(*fault) {
                left.0[*fault as usize] = budget;
            }
        }
        left
    }

    /// Whether the fault may happen once more.
    #[inline]
    pub fn allow(&self, conditions: &Conditions, fault: Fault) -> bool {
        self.0[fault as usize] > 0 || conditions.budget(fault) == Budget::Any
    }

    /// The fault happens. (Nothing is counted where there is no end to it.)
    #[inline]
    pub fn take(&mut self, conditions: &Conditions, fault: Fault) {
        if conditions.budget(fault) != Budget::Any {
            self.0[fault as usize] = self.0[fault as usize].saturating_sub(1);
        }
    }

    /// Of these faults alone what is left.
    pub fn only(&self, faults: &[Fault]) -> Self {
        let mut only = FaultsLeft::default();
        for fault in faults {
            only.0[*fault as usize] = self.0[*fault as usize];
        }
        only
    }

    /// What is left to several who have different faults each.
    pub fn together(parts: impl IntoIterator<Item = FaultsLeft>) -> Self {
        let mut all = FaultsLeft::default();
        for part in parts {
            for (sum, left) in all.0.iter_mut().zip(part.0) {
                *sum += left;
            }
        }
        all
    }

    /// As bytes, in the order of [`Fault::ALL`].
    pub fn bytes(&self) -> &[u8; Fault::ALL.len()] {
        &self.0
    }
}

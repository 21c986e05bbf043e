//! What it is called when a manager does not do what a rule says.

use retryproof_models::specification::{Answer, State};
use thiserror::Error;

use super::{Edge, Placement};

/// A decision on which a rule and a manager differ.
#[derive(Clone, Debug, Error)]
#[error("rule {rule}: {edge}\nput at: {placement}\n{mismatch}")]
pub struct EdgeDifference {
    /// Name of the rule.
    pub rule: &'static str,
    /// The decision.
    pub edge: Edge,
    /// Where it was put among real numbers.
    pub placement: Placement,
    /// What differs.
    pub mismatch: Mismatch,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Mismatch {
    /// The manager refuses a batch of the memory's past, or a batch cannot be made.
    #[error("the manager cannot be brought there: {0}")]
    NotReached(String),
    /// The manager does not hold the memory after its past.
    #[error("the manager should hold {expected:?} before, and holds {found:?}")]
    Before {
        /// The rule's memory.
        expected: State,
        /// What the manager shows.
        found: State,
    },
    /// Another answer.
    #[error("the rule's answer is {expected:?}, the manager's {found:?}")]
    Answer {
        /// The rule's.
        expected: Answer,
        /// The manager's.
        found: Answer,
    },
    /// Another memory after an append.
    #[error("the manager should hold {expected:?} after, and holds {found:?}")]
    After {
        /// The rule's memory.
        expected: State,
        /// What the manager shows.
        found: State,
    },
    /// A batch that was not appended left a trace.
    #[error("the batch is not appended, and the manager is another one after it")]
    NoStutter,
    /// A permit that was just given is refused.
    #[error("the batch was checked, and cannot be committed: {0}")]
    NotCommitted(String),
}

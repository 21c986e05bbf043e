//! Every edge: each decision that a broker can come to in a model's state space is taken
//! again by a state manager.
//!
//! [`edges`] walks the whole space of a world and gives every pair of a broker's memory and
//! a request that is decided in it. To each memory come the requests around it that the
//! world does not send: every sequence from just below the window to just beyond the next
//! one, in the epochs from the one before to the second after.
//!
//! A model's numbers are small, and in worlds of any length relative. A [`Placement`] puts
//! them among real ones: the window far from the wrap of sequences and across it at every
//! place, batches of one record and of several, rings turned by older batches. In each
//! placement the manager must give the rule's answer and hold the rule's memory after it; an
//! answer that is no append must leave no trace, neither in what can be seen of the
//! producers nor in the bytes of a snapshot.
//!
//! [`every_edge`] asks [`ProducerStateManager`](crate::state_manager::ProducerStateManager)
//! itself, [`on_subject`] any [`StateManager`](super::StateManager), by lists of operations.

mod collect;
mod difference;
pub(super) mod history;
pub(super) mod placement;
mod replay;
mod subject;

pub use collect::{edges, Edge, Edges, Memory};
pub use difference::{EdgeDifference, Mismatch};
pub use placement::Placement;
pub use replay::{replay, EdgesWalked};
pub use subject::{on_subject, Taken};

use retryproof_models::conditions::Conditions;

use crate::state_manager::Config;

/// Takes every decision of the world of these conditions on a production manager.
///
/// # Errors
/// The first decision on which rule and manager differ.
pub fn every_edge(
    conditions: &Conditions,
    config: Config,
) -> Result<EdgesWalked, Box<EdgeDifference>> {
    replay(&edges(conditions), config)
}

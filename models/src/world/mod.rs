//! A world: producer, network and broker put together under some conditions, in two
//! forms. [`FlatWorld`] is one flat state and is what claims are checked on; [`ActorWorld`]
//! is the same step functions as Stateright actors, for reading and for the explorer. A
//! test shows that both have the same states, steps and verdicts.

mod action;
mod actor_state;
mod actors;
pub(crate) mod choices;
mod diagram;
mod flat;
mod node;
mod observer;
mod state;
mod step;

pub use action::Action;
pub use actor_state::{ActorState, Actors, Observed};
pub use actors::{ActorAction, ActorWorld, NoActorForm};
pub use flat::{not_violated, FlatWorld};
pub use node::{Node, NodeState};
pub use observer::{Quiet, Watch};
pub use state::{Properties, State};
pub use step::{actions, initial_state, step};

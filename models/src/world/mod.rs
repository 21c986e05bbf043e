//! A world: producer, network and broker put together under some conditions, in two
//! forms. [`FlatWorld`] is one flat state and is what claims are checked on; [`ActorWorld`]
//! is the same step functions as Stateright actors, for reading and for the explorer. A
//! test shows that both have the same states, steps and verdicts.

mod action;
mod flat;
mod state;
mod step;

pub use action::Action;
pub use flat::FlatWorld;
pub use state::{Properties, State};
pub use step::{initial_state, step, Quiet, Watch};

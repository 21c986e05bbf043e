//! A world: producer, network and broker put together under some conditions, in two
//! forms. [`FlatWorld`] is one flat state and is what claims are checked on. The same step
//! functions as Stateright actors are for reading and for the explorer: [`ActorWorld`] with
//! the session network as an actor, [`DirectWorld`] on Stateright's own networks. A test
//! shows that the forms have the same states, steps and verdicts.

mod action;
mod actor_state;
mod actors;
pub(crate) mod choices;
mod direct;
mod flat;
mod judged;
mod node;
mod observer;
mod plain;
mod state;
mod step;

pub use action::Action;
pub use actor_state::ActorState;
pub use actors::{ActorAction, ActorWorld, NetworkIsNoActor};
pub use direct::{DirectAction, DirectState, DirectWorld, NetworkIsAnActor};
pub use flat::{never_violated, FlatWorld};
pub use judged::World;
pub use observer::{Quiet, Watch};
pub use plain::PlainModel;
pub use state::{Properties, State};
pub use step::{actions, initial_state, step};

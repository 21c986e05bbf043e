//! The forms in which a world can be walked through.

use std::fmt::Debug;
use std::hash::Hash;

use retryproof_models::cluster::ClusterWorld;
use retryproof_models::scenarios::names::Named;
use retryproof_models::world::{
    ActorState, ActorWorld, DirectState, DirectWorld, FlatWorld, PlainModel, Properties, World,
};
use stateright::Model;

/// A model whose states have the flat form of a world.
pub trait Form: Clone + Send + Sync + 'static
where
    Self: Model<State = Self::Held, Action = Self::Taken>,
{
    /// The world.
    type World: Named;
    /// Its states.
    type Held: Clone + Debug + Hash + PartialEq + AsRef<Properties> + Send + Sync + 'static;
    /// Its actions.
    type Taken: Clone + PartialEq + Send + Sync + 'static;

    /// A state in the flat form.
    fn flat(state: &Self::Held) -> <Self::World as World>::State;
}

impl Form for ActorWorld {
    type World = FlatWorld;
    type Held = ActorState;
    type Taken = <ActorWorld as Model>::Action;

    fn flat(state: &ActorState) -> <FlatWorld as World>::State {
        state.flatten()
    }
}

impl Form for DirectWorld {
    type World = FlatWorld;
    type Held = DirectState;
    type Taken = <DirectWorld as Model>::Action;

    fn flat(state: &DirectState) -> <FlatWorld as World>::State {
        state.flatten()
    }
}

impl Form for PlainModel<ClusterWorld> {
    type World = ClusterWorld;
    type Held = <ClusterWorld as World>::State;
    type Taken = <ClusterWorld as World>::Action;

    fn flat(state: &Self::Held) -> <ClusterWorld as World>::State {
        *state
    }
}

//! Any world as a Stateright model to look at, without actors.

use retryproof_properties::PropertyId;
use stateright::{Model, Property};

use super::{never_violated, Quiet, World};

/// A world in which an explorer walks: its states and actions as they are.
#[derive(Clone, Debug)]
pub struct PlainModel<W>(pub W);

impl<W: World> Model for PlainModel<W> {
    type State = W::State;
    type Action = W::Action;

    fn init_states(&self) -> Vec<W::State> {
        vec![self.0.initial_state()]
    }

    fn actions(&self, state: &W::State, found: &mut Vec<W::Action>) {
        if !W::overflow(state) {
            self.0.actions(state, found);
        }
    }

    fn next_state(&self, state: &W::State, action: W::Action) -> Option<W::State> {
        Some(self.0.step(state, action, &mut Quiet))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        never_violated(PropertyId::ALL)
    }
}

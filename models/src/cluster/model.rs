//! A cluster as a world that can be judged.

use crate::checking::{Run, Trace};
use crate::conditions::Conditions;
use crate::world::{Watch, World};

use super::action::Action;
use super::choices::actions;
use super::state::State;
use super::step::{initial_state, preamble, step};

/// A cluster under some conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterWorld {
    conditions: Conditions,
}

impl World for ClusterWorld {
    type State = State;
    type Action = Action;

    fn new(conditions: Conditions) -> Self {
        ClusterWorld { conditions }
    }

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn initial_state(&self) -> State {
        initial_state(&self.conditions)
    }

    fn preamble(&self) -> Vec<Action> {
        preamble(&self.conditions)
    }

    fn actions(&self, state: &State, found: &mut Vec<Action>) {
        actions(&self.conditions, state, found);
    }

    fn step(&self, state: &State, action: Action, watch: &mut impl Watch) -> State {
        step(&self.conditions, state, action, watch)
    }

    fn kind(&self, state: &State, action: &Action) -> &'static str {
        action.kind(state)
    }

    fn is_fault(&self, action: &Action) -> bool {
        action.is_fault()
    }

    fn overflow(state: &State) -> bool {
        state.overflow
    }

    fn all_decided(state: &State) -> bool {
        let mut notes = state.notes.iter().flatten();
        notes.all(|notes| notes.undecided.lowest().is_none())
    }

    fn as_run(trace: Trace<Self>) -> Run {
        Run::Cluster(trace)
    }
}

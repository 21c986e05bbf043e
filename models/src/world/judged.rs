//! What the checking asks of a world.

use std::fmt::Debug;
use std::hash::Hash;

use crate::checking::{Run, Trace};
use crate::conditions::Conditions;

use super::{Properties, Watch};

/// A world that can be checked: flat states, actions, a step function.
pub trait World: Clone + Debug + Send + Sync + 'static {
    /// A state.
    type State: Copy + Eq + Hash + Debug + Send + Sync + AsRef<Properties> + 'static;
    /// What can happen next.
    type Action: Copy + PartialEq + Debug + Send + Sync + 'static;

    /// The world of these conditions, which must be valid.
    fn new(conditions: Conditions) -> Self;
    /// Its conditions.
    fn conditions(&self) -> &Conditions;
    /// The state in which it starts.
    fn initial_state(&self) -> Self::State;
    /// The steps that come before the start, from a world in which the brokers know no
    /// producer: none, unless they know one at the start.
    fn preamble(&self) -> Vec<Self::Action>;
    /// Every action that is possible in a state, in a fixed order.
    fn actions(&self, state: &Self::State, found: &mut Vec<Self::Action>);
    /// The state after an action.
    fn step(
        &self,
        state: &Self::State,
        action: Self::Action,
        watch: &mut impl Watch,
    ) -> Self::State;
    /// The kind of an action, for coverage and for telling.
    fn kind(&self, state: &Self::State, action: &Self::Action) -> &'static str;
    /// Whether the action is a fault: something that need not happen.
    fn is_fault(&self, action: &Self::Action) -> bool;
    /// Whether a state grew beyond what a world can hold.
    fn overflow(state: &Self::State) -> bool;
    /// Whether the application was told of every record that was sent.
    fn all_decided(state: &Self::State) -> bool;
    /// The same path through the world with its real numbers, where those of the states are
    /// relative: that world and the actions in it. `None` if there is none, which is a
    /// defect.
    fn with_real_numbers(
        &self,
        path: &[(Self::Action, Self::State)],
    ) -> Option<(Self, Vec<Self::Action>)> {
        let actions = path.iter().map(|(action, _)| *action).collect();
        Some((self.clone(), actions))
    }
    /// A run of this world among the runs of all.
    fn as_run(trace: Trace<Self>) -> Run;
}

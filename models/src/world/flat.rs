//! A world as one flat Stateright model.

use stateright::{Model, Property};

use retryproof_properties::{every_batch_decided, PropertyId};

use crate::checking::{Run, Trace};
use crate::conditions::{Budget, Conditions};

use super::step::{actions, initial_state, preamble, step};
use super::{Action, Properties, Quiet, State, Watch, World};

/// A world in its flat form.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatWorld {
    /// Its conditions.
    pub conditions: Conditions,
    /// The properties that a checker of this model judges by.
    pub properties: Vec<PropertyId>,
}

impl FlatWorld {
    /// A world judged by all properties.
    pub fn new(conditions: Conditions) -> Self {
        FlatWorld {
            conditions,
            properties: PropertyId::ALL.to_vec(),
        }
    }

    /// The same world judged by one property alone.
    pub fn judged_by(conditions: Conditions, property: PropertyId) -> Self {
        FlatWorld {
            conditions,
            properties: vec![property],
        }
    }
}

impl Model for FlatWorld {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![initial_state(&self.conditions)]
    }

    fn actions(&self, state: &State, found: &mut Vec<Action>) {
        if !state.overflow() {
            actions(&self.conditions, state, found);
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        Some(step(&self.conditions, state, action, &mut Quiet))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        never_violated(&self.properties)
    }
}

impl World for FlatWorld {
    type State = State;
    type Action = Action;

    fn new(conditions: Conditions) -> Self {
        FlatWorld::new(conditions)
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
        action.kind(state.producer.bump_wanted)
    }

    fn is_fault(&self, action: &Action) -> bool {
        action.is_fault(self.conditions.network)
    }

    fn overflow(state: &State) -> bool {
        state.overflow()
    }

    fn all_decided(state: &State) -> bool {
        every_batch_decided::is_met(&state.ledger)
    }

    /// In a world of any length states are representatives, in which dead connections may
    /// stand in another order than in the run itself. Each action is found again as the one
    /// whose successor has the same representative.
    fn with_real_numbers(&self, path: &[(Action, State)]) -> Option<(Self, Vec<Action>)> {
        let conditions = Conditions {
            batches: match self.conditions.batches {
                Budget::Any => Budget::AtMost(u8::MAX),
                bounded => bounded,
            },
            ..self.conditions
        };
        let mut state = initial_state(&conditions);
        let mut actions = Vec::new();
        for (wanted, representative) in path {
            let action = self.same_action(&conditions, &state, *wanted, representative)?;
            state = step(&conditions, &state, action, &mut Quiet);
            actions.push(action);
        }
        Some((FlatWorld::new(conditions), actions))
    }

    fn as_run(trace: Trace<Self>) -> Run {
        Run::OneBroker(trace)
    }
}

impl FlatWorld {
    /// The action in a state with real numbers that does what `wanted` does in the state
    /// before `representative`.
    fn same_action(
        &self,
        real: &Conditions,
        state: &State,
        wanted: Action,
        representative: &State,
    ) -> Option<Action> {
        let mut possible = Vec::new();
        actions(real, state, &mut possible);
        let kind = |action: &Action| action.kind(state.producer.bump_wanted);
        possible
            .iter()
            .filter(|action| kind(action) == kind(&wanted))
            .find(|action| step(&self.conditions, state, **action, &mut Quiet) == *representative)
            .copied()
    }
}

/// Properties as Stateright checks them on any model whose states know what the step into
/// them violated: no such step ever violates the property.
pub fn never_violated<M>(properties: &[PropertyId]) -> Vec<Property<M>>
where
    M: Model,
    M::State: AsRef<Properties>,
{
    let always = |property: &PropertyId| Property::always(property.id(), not_violated(*property));
    properties.iter().map(always).collect()
}

/// Whether the step into a state did not violate the property. Stateright takes a plain
/// function, which cannot hold the property: there is one for each.
fn not_violated<M, S: AsRef<Properties>>(property: PropertyId) -> fn(&M, &S) -> bool {
    macro_rules! conditions {
        ($($variant:ident),*) => {
            match property {
                $(PropertyId::$variant => {
                    |_: &M, state: &S| !state.as_ref().contains(PropertyId::$variant)
                })*
            }
        };
    }
    conditions!(
        NoDuplicate,
        PartitionOrder,
        GapRejected,
        RejectIsStutter,
        DuplicateAnswerTruthful,
        AckTruthful,
        RetryRecognised,
        NoFalseFailure,
        EveryBatchDecided,
        StaleEpochRejected,
        LogIsFold,
        SequencePerPartition
    )
}

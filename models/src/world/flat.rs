//! A world as one flat Stateright model.

use stateright::{Model, Property};

use retryproof_properties::PropertyId;

use crate::conditions::Conditions;

use super::step::{actions, initial_state, step};
use super::{Action, Properties, Quiet, State};

/// A world in its flat form.
#[derive(Clone, Debug)]
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
        self.properties
            .iter()
            .map(|property| not_violated(*property))
            .map(|(id, condition)| Property::always(id, condition))
            .collect()
    }
}

/// A property as Stateright checks it on any model with these states: its id, and that no
/// step into the state violated it.
pub fn not_violated<M, S: AsRef<Properties>>(
    property: PropertyId,
) -> (&'static str, fn(&M, &S) -> bool) {
    macro_rules! conditions {
        ($($variant:ident),*) => {
            match property {
                $(PropertyId::$variant => {
                    |_: &M, state: &S| !state.as_ref().contains(PropertyId::$variant)
                })*
            }
        };
    }
    let condition: fn(&M, &S) -> bool = conditions!(
        NoDuplicate,
        PartitionOrder,
        GapRejected,
        RejectIsStutter,
        DuplicateAnswerTruthful,
        AckTruthful,
        RetryRecognised,
        NoFalseFailure,
        EveryBatchDecided,
        LogIsFold
    );
    (property.id(), condition)
}

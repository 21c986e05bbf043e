//! A world as one flat Stateright model.

use stateright::{Model, Property};

use retryproof_properties::PropertyId;

use crate::conditions::Conditions;

use super::step::{actions, initial_state, step, Quiet};
use super::{Action, State};

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
            .map(|property| always(*property))
            .collect()
    }
}

/// The property as Stateright checks it: no step into the state violated it.
fn always(property: PropertyId) -> Property<FlatWorld> {
    macro_rules! conditions {
        ($($variant:ident),*) => {
            match property {
                $(PropertyId::$variant => {
                    |_: &FlatWorld, state: &State| !state.violated.contains(PropertyId::$variant)
                })*
            }
        };
    }
    let condition: fn(&FlatWorld, &State) -> bool = conditions!(
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
    Property::always(property.id(), condition)
}

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
        never_violated(&self.properties)
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

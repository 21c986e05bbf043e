//! A run of a world, from its start, told with the real numbers.

use retryproof_properties::{PropertyId, Violation};

use crate::broker::ObservedMemory;
use crate::conditions::{Budget, Conditions};
use crate::world::{initial_state, step, Action, Quiet, State, Watch};
use retryproof_properties::{Event, Judgement};

/// A run: the actions, on the world with its real numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Conditions of the world; those of a bounded one, so that numbers are real.
    pub conditions: Conditions,
    /// State at the start.
    pub start: State,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// What the last step violates, or what can never happen after it.
    pub end: End,
}

/// How a counterexample ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The last step violates a property.
    Violation(Violation),
    /// After the last step no continuation without further faults decides every batch.
    NeverDecided,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunStep {
    /// What happened.
    pub action: Action,
    /// The state after it.
    pub after: State,
    /// Branch of the rule that decided a request in this step.
    pub branch: Option<&'static str>,
}

impl Run {
    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether the run has no step.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The state before a step.
    pub fn before(&self, index: usize) -> &State {
        match index.checked_sub(1) {
            Some(before) => &self.steps[before].after,
            None => &self.start,
        }
    }

    /// The run that takes these steps, given as actions with the states that they lead to
    /// in the world of `conditions`.
    ///
    /// In a world of any length those states are representatives, in which dead
    /// connections may stand in another order than in the run itself. Each action is
    /// found again as the one whose successor has the same representative.
    pub(super) fn replay(
        conditions: &Conditions,
        path: &[(Action, State)],
        property: PropertyId,
    ) -> Option<Run> {
        let real = Conditions {
            batches: match conditions.batches {
                Budget::Any => Budget::AtMost(u8::MAX),
                bounded => bounded,
            },
            ..*conditions
        };
        let start = initial_state(&real);
        let mut steps: Vec<RunStep> = Vec::new();
        let mut state = start;
        let mut found = Notes::new(property);
        for (wanted, representative) in path {
            let action = same_action(conditions, &real, &state, *wanted, representative)?;
            found = Notes::new(property);
            state = step(&real, &state, action, &mut found);
            steps.push(RunStep {
                action,
                after: state,
                branch: found.branch,
            });
        }
        let end = found.violation.map_or(End::NeverDecided, End::Violation);
        Some(Run {
            conditions: real,
            start,
            steps,
            end,
        })
    }
}

fn same_action(
    conditions: &Conditions,
    real: &Conditions,
    state: &State,
    wanted: Action,
    representative: &State,
) -> Option<Action> {
    let mut actions = Vec::new();
    crate::world::actions(real, state, &mut actions);
    let kind = |action: &Action| action.kind(state.producer.bump_wanted);
    actions
        .iter()
        .filter(|action| kind(action) == kind(&wanted))
        .find(|action| step(conditions, state, **action, &mut Quiet) == *representative)
        .copied()
}

struct Notes {
    property: PropertyId,
    violation: Option<Violation>,
    branch: Option<&'static str>,
}

impl Notes {
    fn new(property: PropertyId) -> Self {
        Notes {
            property,
            violation: None,
            branch: None,
        }
    }
}

impl Watch for Notes {
    fn event(&mut self, _event: &Event<'_, ObservedMemory>) {}

    fn judged(&mut self, property: PropertyId, judgement: &Judgement<Violation>) {
        if let (true, None, Judgement::Broken(violation)) =
            (property == self.property, &self.violation, judgement)
        {
            self.violation = Some(violation.clone());
        }
    }

    fn ruled(&mut self, branch: &'static str) {
        self.branch = Some(branch);
    }
}

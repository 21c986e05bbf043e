//! The steps of a run, told with the real numbers.

use retryproof_properties::{Judgement, PropertyId, Violation};

use crate::conditions::Conditions;
use crate::world::{Watch, World};

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The last step violates a property.
    Violation(Violation),
    /// After the last step no continuation without further faults decides every batch.
    NeverDecided,
    /// The last step violates nothing, and nothing else is said of it.
    Well,
}

/// A run of one kind of world, from its start, on the world with its real numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace<W: World> {
    /// Conditions of the world; those of a bounded one, so that numbers are real.
    pub conditions: Conditions,
    /// State at the start.
    pub start: W::State,
    /// The steps.
    pub steps: Vec<TraceStep<W>>,
    /// What the last step violates, or what can never happen after it, if something is
    /// wrong.
    pub end: End,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep<W: World> {
    /// What happened.
    pub action: W::Action,
    /// The state after it.
    pub after: W::State,
    /// Branch of the rule that decided a request in this step.
    pub branch: Option<&'static str>,
}

impl<W: World> Trace<W> {
    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether the run has no step.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The state before a step.
    pub fn before(&self, index: usize) -> &W::State {
        match index.checked_sub(1) {
            Some(before) => &self.steps[before].after,
            None => &self.start,
        }
    }

    /// A run without steps, in a world with its real numbers.
    pub fn at_start(world: &W) -> Self {
        Trace {
            conditions: *world.conditions(),
            start: world.initial_state(),
            steps: Vec::new(),
            end: End::Well,
        }
    }

    /// The state after the last step.
    pub fn last(&self) -> &W::State {
        self.before(self.len())
    }

    /// Takes one more step, which must be possible. The run then ends as this step does.
    pub fn take(&mut self, world: &W, action: W::Action) {
        let mut found = Notes::of_any_property();
        let after = world.step(self.last(), action, &mut found);
        self.steps.push(TraceStep {
            action,
            after,
            branch: found.branch,
        });
        self.end = found.violation.map_or(End::Well, End::Violation);
    }

    /// The run that takes these steps, given as actions with the states that they lead to
    /// in `world`.
    pub(super) fn replay(
        world: &W,
        path: &[(W::Action, W::State)],
        property: PropertyId,
    ) -> Option<Self> {
        let (real, actions) = world.with_real_numbers(path)?;
        let start = real.initial_state();
        let mut state = start;
        let mut steps = Vec::new();
        let mut found = Notes::new(property);
        for action in actions {
            found = Notes::new(property);
            state = real.step(&state, action, &mut found);
            steps.push(TraceStep {
                action,
                after: state,
                branch: found.branch,
            });
        }
        Some(Trace {
            conditions: *real.conditions(),
            start,
            steps,
            end: found.violation.map_or(End::NeverDecided, End::Violation),
        })
    }
}

struct Notes {
    /// The one whose violation is noted; of `None` the first of any.
    property: Option<PropertyId>,
    violation: Option<Violation>,
    branch: Option<&'static str>,
}

impl Notes {
    fn new(property: PropertyId) -> Self {
        Notes {
            property: Some(property),
            ..Notes::of_any_property()
        }
    }

    fn of_any_property() -> Self {
        Notes {
            property: None,
            violation: None,
            branch: None,
        }
    }
}

impl Watch for Notes {
    fn judged(&mut self, property: PropertyId, judgement: &Judgement<Violation>) {
        let is_asked = self.property.is_none_or(|asked| asked == property);
        if let (true, None, Judgement::Broken(violation)) = (is_asked, &self.violation, judgement) {
            self.violation = Some(violation.clone());
        }
    }

    fn ruled(&mut self, branch: &'static str) {
        self.branch = Some(branch);
    }
}

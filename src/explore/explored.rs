//! A world for the explorer: its actions have names, its states can be read, its paths are
//! drawn.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use retryproof_models::checking::{End, Run, Trace};
use retryproof_models::conditions::Conditions;
use retryproof_models::scenarios::names::named_actions;
use retryproof_models::world::{never_violated, Properties, Quiet, World};
use retryproof_properties::PropertyId;
use stateright::{Model, Path, Property};

use crate::evidence::sequence::{svg, Chart};
use crate::evidence::story::Story;
use crate::evidence::view::reasons;

use super::connections;
use super::form::Form;
use super::text::text;

/// How a chart stands in the explorer's page: its last steps in view, so that the text of the
/// state, which comes below, is too. (What is turned upside down is scrolled to its end.)
const LAST_STEPS: &str = "max-height:60vh;overflow:auto;display:flex;flex-direction:column-reverse";

/// A state of the world that a form is of.
type Flat<F> = <<F as Form>::World as World>::State;
/// An action of the world that a form is of.
type FlatAction<F> = <<F as Form>::World as World>::Action;

/// A form of a world, to look at.
pub struct Explored<F: Form> {
    form: F,
    world: F::World,
    conditions: Arc<Conditions>,
}

/// A state, and what was violated on the way to it: the same state after other violations
/// is another one to the explorer, so that it can be said in it.
#[derive(Clone)]
pub struct Shown<F: Form> {
    state: F::Held,
    /// The properties that earlier steps violated.
    before: Properties,
    conditions: Arc<Conditions>,
}

/// An action, and its name in the state in which it is offered.
#[derive(Clone)]
pub struct Choice<F: Form> {
    taken: F::Taken,
    flat: FlatAction<F>,
    name: String,
}

impl<F: Form> Explored<F> {
    /// A form of the world of these conditions.
    pub fn new(form: F, conditions: &Conditions) -> Self {
        Explored {
            form,
            world: World::new(*conditions),
            conditions: Arc::new(*conditions),
        }
    }

    /// The state after an action, in the form of this world.
    pub fn after(&self, state: &Flat<F>, action: FlatAction<F>) -> Flat<F> {
        self.world.step(state, action, &mut Quiet)
    }

    fn show(&self, state: F::Held, before: Properties) -> Shown<F> {
        Shown {
            state,
            before,
            conditions: Arc::clone(&self.conditions),
        }
    }

    /// A run without steps from a state.
    fn standing(&self, state: &Flat<F>) -> Run {
        World::as_run(Trace::<F::World> {
            conditions: *self.conditions,
            start: *state,
            steps: Vec::new(),
            end: End::Well,
        })
    }

    /// The label of an action of this name: of one that puts a request on its way that
    /// request, as "p1 → produce r3 seq 3 epoch 0".
    fn label(&self, before: &Flat<F>, after: &Flat<F>, name: &str) -> String {
        let live = |state| {
            let connections = connections::at_start(&self.standing(state));
            connections
                .into_iter()
                .filter(|connection| connection.alive)
        };
        let mut pairs = live(before).zip(live(after));
        let sent = pairs.find(|(before, after)| after.requests.len() > before.requests.len());
        match sent.and_then(|(_, after)| Some((after.producer, after.requests.last()?.clone()))) {
            Some((producer, request)) if name.contains(" again") => {
                format!("{producer} → {request} again")
            }
            Some((producer, request)) => format!("{producer} → {request}"),
            None => name.to_owned(),
        }
    }

    /// The run of one step from a state.
    fn one_step(&self, state: &Shown<F>, choice: &Choice<F>) -> Run {
        let mut trace = Trace {
            conditions: *self.conditions,
            start: state.flat(),
            steps: Vec::new(),
            end: End::Well,
        };
        trace.take(&self.world, choice.flat);
        World::as_run(trace)
    }

    /// The run along a path, with its real numbers.
    fn run(&self, path: Path<Shown<F>, Choice<F>>) -> Option<Run> {
        let path = path.into_vec();
        let after = path.iter().skip(1).map(|(state, _)| state.flat());
        let actions = path.iter().filter_map(|(_, choice)| choice.as_ref());
        let steps: Vec<_> = actions.map(|choice| choice.flat).zip(after).collect();
        let (real, actions) = self.world.with_real_numbers(&steps)?;
        let mut trace = Trace::at_start(&real);
        for action in actions {
            trace.take(&real, action);
        }
        Some(World::as_run(trace))
    }
}

impl<F: Form> Shown<F> {
    /// The state in the flat form.
    pub fn flat(&self) -> Flat<F> {
        F::flat(&self.state)
    }

    /// The properties that this step or an earlier one violated.
    fn violated(&self) -> Properties {
        let mut violated = self.before;
        for property in self.state.as_ref().iter() {
            violated.insert(property);
        }
        violated
    }
}

impl<F: Form> Model for Explored<F> {
    type State = Shown<F>;
    type Action = Choice<F>;

    fn init_states(&self) -> Vec<Shown<F>> {
        let states = self.form.init_states().into_iter();
        states
            .map(|state| self.show(state, Properties::default()))
            .collect()
    }

    /// Each action of the form is the one of the world that leads to the same state.
    fn actions(&self, state: &Shown<F>, found: &mut Vec<Choice<F>>) {
        let flat = state.flat();
        let named: Vec<_> = named_actions(&self.world, &flat)
            .into_iter()
            .map(|(name, action)| {
                let next = self.after(&flat, action);
                (name, action, next)
            })
            .collect();
        let mut actions = Vec::new();
        self.form.actions(&state.state, &mut actions);
        for taken in actions {
            let Some(next) = self.form.next_state(&state.state, taken.clone()) else {
                continue;
            };
            let next = F::flat(&next);
            let same = named.iter().filter(|(_, _, other)| *other == next);
            // Two that lead to the same state have each its own name all the same.
            let taken_before = found.iter().map(|choice: &Choice<F>| choice.name.as_str());
            let names: Vec<&str> = taken_before.collect();
            let own = same
                .clone()
                .find(|(name, _, after)| !names.contains(&self.label(&flat, after, name).as_str()));
            if let Some((name, action, after)) = own.or_else(|| same.clone().next()) {
                found.push(Choice {
                    taken,
                    flat: *action,
                    name: self.label(&flat, after, name),
                });
            }
        }
    }

    fn next_state(&self, state: &Shown<F>, choice: Choice<F>) -> Option<Shown<F>> {
        let next = self.form.next_state(&state.state, choice.taken)?;
        Some(self.show(next, state.violated()))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        never_violated(PropertyId::ALL)
    }

    fn format_action(&self, choice: &Choice<F>) -> String {
        choice.name.clone()
    }

    /// What happens in the step and why numbers change, and the state after it.
    fn format_step(&self, state: &Shown<F>, choice: Choice<F>) -> Option<String> {
        let run = self.one_step(state, &choice);
        let mut lines: Vec<String> = Story::of(&run)
            .steps
            .into_iter()
            .map(|step| step.text)
            .collect();
        let reasons = reasons::of_step(&run, 0);
        lines.extend(reasons.into_iter().map(|reason| format!("· {reason}")));
        let next = self.next_state(state, choice)?;
        Some(format!("{}\n\n{next:?}", lines.join("\n")))
    }

    fn as_svg(&self, path: Path<Shown<F>, Choice<F>>) -> Option<String> {
        let run = self.run(path)?;
        let title = format!("The path, {} steps", run.len());
        let chart = svg::draw(&Chart::of(&run), &title);
        Some(format!(
            "<div tabindex=\"0\" style=\"{LAST_STEPS}\"><div style=\"flex:none\">{chart}</div></div>"
        ))
    }
}

impl<F: Form> AsRef<Properties> for Shown<F> {
    /// The properties that the step into this state violated.
    fn as_ref(&self) -> &Properties {
        self.state.as_ref()
    }
}

impl<F: Form> PartialEq for Shown<F> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && self.before == other.before
    }
}

impl<F: Form> Hash for Shown<F> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
        self.before.hash(hasher);
    }
}

impl<F: Form> fmt::Debug for Shown<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trace = Trace::<F::World> {
            conditions: *self.conditions,
            start: self.flat(),
            steps: Vec::new(),
            end: End::Well,
        };
        let run = World::as_run(trace);
        f.write_str(&text(&run, *self.state.as_ref(), self.before))
    }
}

impl<F: Form> PartialEq for Choice<F> {
    fn eq(&self, other: &Self) -> bool {
        self.taken == other.taken
    }
}

impl<F: Form> fmt::Debug for Choice<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

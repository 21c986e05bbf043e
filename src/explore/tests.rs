//! What the explorer is given: labels that need no escaping, states that say what was
//! violated, charts of paths, and a place for every run.

use std::collections::HashSet;

use retryproof_models::checking::{check, Limits, Run, Silent};
use retryproof_models::cluster::ClusterWorld;
use retryproof_models::conditions::{Budget, Conditions};
use retryproof_models::network::NetworkKind;
use retryproof_models::scenarios;
use retryproof_models::world::{ActorWorld, DirectWorld, PlainModel, World};
use retryproof_properties::PropertyId::{self, NoDuplicate, RetryRecognised};
use stateright::{Model, Path};

use super::explored::{Choice, Explored, Shown};
use super::form::Form;
use super::{bounded, Opened};

/// Retries fall out of the window.
const OVERRUN: Conditions = Conditions {
    in_flight: 3,
    window: 2,
    connections: 2,
    ..Conditions::KAFKA
};

const CLUSTER: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(2),
    brokers: 2,
    disconnects: Budget::ONE,
    leader_moves: Budget::ONE,
    ..Conditions::KAFKA
};

fn actors(conditions: &Conditions) -> Explored<ActorWorld> {
    let form = ActorWorld::new(*conditions).expect("a session network");
    Explored::new(form, conditions)
}

fn direct(conditions: &Conditions) -> Explored<DirectWorld> {
    let form = DirectWorld::new(*conditions).expect("one of Stateright's networks");
    Explored::new(form, conditions)
}

fn cluster(conditions: &Conditions) -> Explored<PlainModel<ClusterWorld>> {
    let form = PlainModel(ClusterWorld::new(*conditions));
    Explored::new(form, conditions)
}

/// Every label and text that the explorer shows, of the states up to a depth.
fn shown<F: Form>(model: &Explored<F>, depth: usize) -> HashSet<String> {
    let mut shown = HashSet::new();
    let mut layer = model.init_states();
    for _ in 0..depth {
        let mut next_layer: Vec<_> = Vec::new();
        for state in &layer {
            shown.insert(format!("{state:#?}"));
            let mut labels = HashSet::new();
            for (action, next) in model.next_steps(state) {
                let label = model.format_action(&action);
                assert!(
                    labels.insert(label.clone()),
                    "\"{label}\" twice in {state:?}"
                );
                shown.insert(label);
                shown.extend(model.format_step(state, action));
                if !next_layer.contains(&next) {
                    next_layer.push(next);
                }
            }
        }
        layer = next_layer;
    }
    shown
}

fn assert_plain(shown: &HashSet<String>) {
    for text in shown {
        assert!(!text.contains(['<', '&']), "not plain: {text}");
    }
}

#[test]
fn labels_are_plain_and_each_stands_for_one_action() {
    assert_plain(&shown(&actors(&bounded(OVERRUN, [])), 5));
    assert_plain(&shown(&cluster(&CLUSTER), 5));
    for network in [
        NetworkKind::Ordered,
        NetworkKind::Unordered,
        NetworkKind::Duplicating,
    ] {
        let conditions = Conditions {
            network,
            ..bounded(OVERRUN, [])
        };
        assert_plain(&shown(&direct(&conditions), 5));
    }
}

#[test]
fn a_request_is_labelled_as_a_message() {
    let labels = shown(&actors(&bounded(OVERRUN, [])), 1);
    assert!(
        labels.contains("producer → produce r0 seq 0 epoch 0"),
        "{labels:?}"
    );
    let two_records = Conditions {
        records_per_batch: 2,
        ..bounded(OVERRUN, [])
    };
    let labels = shown(&actors(&two_records), 1);
    assert!(
        labels.contains("producer → produce r0..1 seq 0..1 epoch 0"),
        "{labels:?}"
    );
}

fn shortest(conditions: &Conditions, property: PropertyId) -> Run {
    let outcome = check(conditions, &[property], &Limits::default(), &Silent);
    let found = outcome.of(property).expect("it was asked for");
    found.counterexample.clone().expect("it is refuted")
}

#[test]
fn a_run_of_any_length_has_a_place_in_the_bounded_world_and_in_its_own() {
    for network in NetworkKind::ALL {
        let conditions = Conditions {
            in_flight: 2,
            window: 1,
            network: *network,
            ..OVERRUN
        };
        let run = shortest(&conditions, RetryRecognised);
        for world in [conditions, bounded(conditions, [&run])] {
            let opened = Opened::new(&world).expect("a form");
            assert!(opened.place(&run).is_some(), "{}", world.flags());
        }
    }
}

#[test]
fn every_act_has_a_place() {
    for scenario in scenarios::ALL {
        for act in scenario.acts {
            let run = act.run().expect("a run");
            let opened = Opened::new(&act.conditions).expect("a form");
            assert!(opened.place(&run).is_some(), "{}", scenario.id);
        }
    }
}

#[test]
fn a_run_of_another_world_has_no_place() {
    let run = shortest(&OVERRUN, RetryRecognised);
    let calm = Conditions {
        disconnects: Budget::NONE,
        ..bounded(OVERRUN, [])
    };
    let opened = Opened::new(&calm).expect("a form");
    assert_eq!(opened.place(&run), None);
}

/// A path through a model that a run takes.
fn path(model: &Explored<ActorWorld>, run: &Run) -> Path<Shown<ActorWorld>, Choice<ActorWorld>> {
    let run = run.one_broker().expect("one broker");
    let start = model.init_states().remove(0);
    let mut state = start.clone();
    let mut choices = Vec::new();
    for index in 0..run.len() {
        let wanted = model.after(run.before(index), run.steps[index].action);
        let mut steps = model.next_steps(&state).into_iter();
        let step = steps.find(|(_, next)| next.flat() == wanted);
        let (choice, next) = step.expect("a step of the run");
        choices.push(choice);
        state = next;
    }
    Path::from_actions(model, start, &choices).expect("a path")
}

#[test]
fn a_state_tells_what_the_step_and_what_earlier_steps_violated() {
    let model = actors(&bounded(OVERRUN, []));
    let path = path(&model, &shortest(&OVERRUN, NoDuplicate));
    let text = format!("{:?}", path.last_state());
    for told in [
        "✗ no-duplicate              violated by this step",
        "✗ retry-recognised          violated before",
        "✓ partition-order           not violated so far",
        "… every-batch-decided       not decided yet: r0, r1, r2",
        "| 3: r0 seq 0 epoch 1 (again)",
    ] {
        assert!(text.contains(told), "no \"{told}\" in\n{text}");
    }
}

#[test]
fn a_path_is_drawn_with_its_real_numbers_also_in_a_world_of_any_length() {
    let run = shortest(&OVERRUN, NoDuplicate);
    let [bounded, any] = [bounded(OVERRUN, []), OVERRUN].map(|conditions| {
        let model = actors(&conditions);
        let path = path(&model, &run);
        model.as_svg(path).expect("a chart")
    });
    assert_eq!(bounded, any);
    for tag in ["div", "svg", "g", "text", "style"] {
        let opened = bounded.matches(&format!("<{tag}")).count();
        let closed = bounded.matches(&format!("</{tag}>")).count();
        assert_eq!(opened, closed, "<{tag}>");
    }
    for told in ["connection breaks", "seq 0 epoch 1", "no-duplicate"] {
        assert!(bounded.contains(told), "no \"{told}\" in {bounded}");
    }
}

//! What Stateright's explorer shows of a world: it puts labels into HTML and SVG as they
//! are, so they must be plain, and a path must read as a person would draw it.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use retryproof_models::conditions::Conditions;
use retryproof_models::network::NetworkKind;
use retryproof_models::world::{ActorWorld, DirectWorld};
use retryproof_properties::PropertyId;
use stateright::{Checker, Model};

/// Retries fall out of the window.
const OVERRUN: Conditions = Conditions {
    in_flight: 3,
    window: 2,
    connections: 2,
    ..Conditions::KAFKA
};

/// Every label that the explorer shows, of the states up to a depth.
fn labels<M>(model: &M, depth: usize) -> HashSet<String>
where
    M: Model,
    M::State: Clone + Debug + Eq + Hash,
    M::Action: Clone + Debug,
{
    let mut labels = HashSet::new();
    let mut layer = model.init_states();
    let mut seen: HashSet<M::State> = layer.iter().cloned().collect();
    for _ in 0..depth {
        for state in std::mem::take(&mut layer) {
            labels.insert(format!("{state:#?}"));
            for (action, next) in model.next_steps(&state) {
                labels.insert(format!("{action:?}"));
                labels.insert(model.format_action(&action));
                labels.extend(model.format_step(&state, action));
                if seen.insert(next.clone()) {
                    layer.push(next);
                }
            }
        }
    }
    labels
}

fn assert_plain(labels: &HashSet<String>) {
    for label in labels {
        assert!(!label.contains(['<', '>', '&']), "not plain: {label}");
    }
}

#[test]
fn labels_need_no_escaping() {
    assert_plain(&labels(&ActorWorld::new(OVERRUN).unwrap(), 14));
    for network in [
        NetworkKind::Ordered,
        NetworkKind::Unordered,
        NetworkKind::Duplicating,
    ] {
        let conditions = Conditions { network, ..OVERRUN };
        assert_plain(&labels(&DirectWorld::new(conditions).unwrap(), 7));
    }
}

/// The shortest run that writes a record twice, as SVG.
fn drawn() -> String {
    let world = ActorWorld::judged_by(OVERRUN, PropertyId::NoDuplicate).unwrap();
    let checker = world.checker().threads(1).spawn_bfs().join();
    let path = checker.discovery("no-duplicate").unwrap();
    checker.model().as_svg(path).unwrap()
}

#[test]
fn a_diagram_tells_the_run_with_its_real_numbers() {
    let svg = drawn();
    let told = [
        "connection breaks",
        "r0: ok, offset 0 is lost",
        "r0: OUT_OF_ORDER_SEQUENCE_NUMBER",
        "produce r0 seq 0 epoch 1",
        "appends r0 at 3",
        "violates no-duplicate",
    ];
    let mut rest = svg.as_str();
    for part in told {
        let at = rest.find(part);
        let at = at.unwrap_or_else(|| panic!("no \"{part}\" in its place in {svg}"));
        rest = &rest[at..];
    }
}

#[test]
fn a_diagram_is_well_formed() {
    let svg = drawn();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
    for tag in ["svg", "g", "text", "style", "defs", "marker"] {
        let opened = svg.matches(&format!("<{tag}")).count();
        let closed = svg.matches(&format!("</{tag}>")).count();
        assert_eq!(opened, closed, "<{tag}>");
    }
}

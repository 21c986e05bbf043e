//! Every scenario runs by the names of its steps, and its run is the golden one, state by
//! state.

use std::path::PathBuf;

use retryproof_models::checking::{Run, Trace};
use retryproof_models::claims::registry;
use retryproof_models::conditions::{Budget, Conditions};
use retryproof_models::scenarios::names::names_of;
use retryproof_models::scenarios::{run, Act, NotRunnable, Scenario, ALL};
use retryproof_models::world::World;

fn golden(scenario: &Scenario) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/scenarios/golden");
    folder.join(format!("{}.txt", scenario.id))
}

/// A scenario with every state of its runs.
fn trace(scenario: &Scenario) -> String {
    let acts = scenario.acts.iter();
    acts.map(|act| {
        let run = act.run();
        let run = run.unwrap_or_else(|error| panic!("{}: {error}", scenario.id));
        format!(
            "{}\n{}\n{}",
            act.title,
            act.conditions.flags(),
            states(act, &run)
        )
    })
    .collect::<Vec<_>>()
    .join("\n")
}

fn states(act: &Act, run: &Run) -> String {
    match run {
        Run::OneBroker(trace) => states_of(act, trace),
        Run::Cluster(trace) => states_of(act, trace),
    }
}

fn states_of<W: World>(act: &Act, trace: &Trace<W>) -> String {
    let mut text = format!("\n0\n{:?}\n", trace.start);
    for (index, (name, step)) in act.all_steps().zip(&trace.steps).enumerate() {
        let number = index + 1;
        let branch = step.branch.unwrap_or("-");
        text += &format!("\n{number} {name}\n[{branch}]\n{:?}\n", step.after);
    }
    text
}

#[test]
fn every_run_is_the_golden_one() {
    for scenario in ALL {
        let (path, found) = (golden(scenario), trace(scenario));
        if std::env::var_os("RETRYPROOF_BLESS").is_some() {
            std::fs::write(&path, &found).expect("the golden trace can be written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        let mut lines = expected.lines().zip(found.lines());
        let difference = lines.find(|(expected, found)| expected != found);
        assert!(
            expected == found,
            "{} is not the golden run; first difference (golden, found): {difference:#?}\n\
             If the change is wanted: RETRYPROOF_BLESS=1 cargo test -p retryproof-models --test scenarios",
            scenario.id
        );
    }
}

/// The steps of an act, one of them replaced.
fn altered(act: &Act, index: usize, name: &'static str) -> Result<Run, NotRunnable> {
    let mut steps: Vec<_> = act.all_steps().collect();
    steps[index] = name;
    run(&act.conditions, steps)
}

#[test]
fn a_step_that_is_not_possible_fails_and_says_what_is() {
    for scenario in ALL {
        for act in scenario.acts {
            let steps: Vec<_> = act.all_steps().collect();
            let middle = steps.len() / 2;
            let error = altered(act, middle, "producer sends r99").expect_err("no such step");
            let NotRunnable::NoSuchStep { step, possible, .. } = error else {
                panic!("{}: {error}", scenario.id);
            };
            assert_eq!(step, middle + 1);
            assert!(possible.iter().any(|name| name == steps[middle]));
        }
    }
}

#[test]
fn another_step_that_is_possible_leads_elsewhere() {
    for scenario in ALL {
        let act = scenario.acts.last().expect("an act");
        let whole = act.run().expect("a run");
        let taken: Vec<_> = act.all_steps().collect();
        let end = taken.len() - 1;
        let possible = match altered(act, end, "no step") {
            Err(NotRunnable::NoSuchStep { possible, .. }) => possible,
            other => panic!("{}: {other:?}", scenario.id),
        };
        for name in possible.iter().filter(|name| *name != taken[end]) {
            let steps = taken[..end].iter().copied().chain([name.as_str()]);
            let other = run(&act.conditions, steps).expect("a possible step");
            assert!(!other.has_steps_of(&whole), "{}: {name}", scenario.id);
        }
    }
}

#[test]
fn every_step_has_the_name_by_which_it_was_taken() {
    for act in ALL.iter().flat_map(|scenario| scenario.acts) {
        let run = act.run().expect("a run");
        let taken: Vec<_> = act.all_steps().collect();
        assert_eq!(names_of(&run), taken);
    }
}

#[test]
fn an_act_goes_on_from_steps_that_the_one_before_took() {
    for scenario in ALL {
        assert!(scenario.acts[0].before.is_empty(), "{}", scenario.id);
        for pair in scenario.acts.windows(2) {
            let mut told = pair[0].all_steps();
            let goes_on = pair[1].before.iter().all(|step| told.next() == Some(*step));
            assert!(goes_on, "{}: {}", scenario.id, pair[1].title);
        }
    }
}

#[test]
fn ids_and_the_claims_named_are_good() {
    for scenario in ALL {
        let is_kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(scenario.id.chars().all(is_kebab), "{}", scenario.id);
        let alike = ALL.iter().filter(|other| other.id == scenario.id);
        assert_eq!(alike.count(), 1, "{}", scenario.id);
        for id in scenario.claims {
            let known = registry().iter().any(|claim| claim.id == *id);
            assert!(known, "{} names {id}, which is no claim", scenario.id);
        }
    }
}

#[test]
fn a_world_of_any_length_is_refused() {
    assert_eq!(
        run(&Conditions::KAFKA, ["producer sends r0"]),
        Err(NotRunnable::AnyLength)
    );
}

#[test]
fn senseless_conditions_are_refused() {
    let conditions = Conditions {
        in_flight: 0,
        batches: Budget::ONE,
        ..Conditions::KAFKA
    };
    let error = run(&conditions, []).expect_err("no limit");
    assert!(error.to_string().contains("--in-flight 0"), "{error}");
}

//! Whatever Kafka would answer otherwise is noticed.

use retryproof::replay::{counterexample, runs_against, Differs, Recorded, Refuted, What};
use serde_json::{json, Value};

use crate::{KEPT, REFUTED};

/// What comes of the first run whose record has an answer that can be altered like this, if
/// the first such answer is.
fn with(alter: impl Fn(&mut Value) -> bool) -> Result<(), Differs> {
    for outcome in REFUTED.iter() {
        for (property, run) in runs_against(outcome) {
            let refuted = Refuted {
                claim: outcome.claim.id.clone(),
                property: property.to_string(),
            };
            let kept = KEPT.of(&refuted, "4.3.1").expect("it is kept");
            let mut exchange = kept.exchange.clone();
            let is_altered = exchange.iter_mut().any(|(_, answer)| {
                let answers = answer.get_mut("answers").and_then(Value::as_array_mut);
                answers.is_some_and(|answers| answers.iter_mut().any(&alter))
            });
            if is_altered {
                return counterexample(run, property, &mut Recorded::new(exchange));
            }
        }
    }
    panic!("no answer can be altered like this")
}

fn replaced(answer: &mut Value, pointer: &str, value: Value) -> bool {
    answer
        .pointer_mut(pointer)
        .map(|place| *place = value)
        .is_some()
}

#[test]
fn as_it_is_kept_it_is_the_same() {
    assert_eq!(with(|answer| answer["sent"].is_array()), Ok(()));
}

#[test]
fn another_decision_is_noticed() {
    let differs = with(|answer| {
        let appended = answer["append"].take();
        answer["dup"] = appended.clone();
        !appended.is_null()
    });
    assert!(
        matches!(
            differs,
            Err(Differs {
                what: What::Seen { .. },
                ..
            })
        ),
        "{differs:?}"
    );
}

#[test]
fn another_record_in_the_log_is_noticed() {
    let differs = with(|answer| replaced(answer, "/logs/0/0/0/records/0/1", json!(7)));
    assert!(
        matches!(
            differs,
            Err(Differs {
                what: What::Scene { .. },
                ..
            })
        ),
        "{differs:?}"
    );
}

#[test]
fn another_window_is_noticed() {
    let differs = with(|answer| replaced(answer, "/producers/0/0/0/2/0/0", json!(9)));
    assert!(
        matches!(
            differs,
            Err(Differs {
                what: What::Scene { .. },
                ..
            })
        ),
        "{differs:?}"
    );
}

#[test]
fn another_word_to_the_application_is_noticed() {
    let differs = with(|answer| replaced(answer, "/told/0/offset", json!(99)));
    assert!(
        matches!(
            differs,
            Err(Differs {
                what: What::Seen { .. },
                ..
            })
        ),
        "{differs:?}"
    );
}

#[test]
fn another_sequence_on_the_wire_is_noticed() {
    let differs = with(|answer| replaced(answer, "/sent/0/sequence", json!(3)));
    assert!(
        matches!(
            differs,
            Err(Differs {
                what: What::Seen { .. },
                ..
            })
        ),
        "{differs:?}"
    );
}

#[test]
fn a_client_that_remembers_otherwise_is_noticed() {
    let differs = with(|answer| replaced(answer, "/clients/0/partitions/0/last_acked", json!(4)));
    assert!(
        matches!(
            differs,
            Err(Differs {
                what: What::Scene { .. },
                ..
            })
        ),
        "{differs:?}"
    );
}

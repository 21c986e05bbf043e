//! Whatever Kafka would answer otherwise is noticed.

use retryproof::replay::{
    counterexample, runs_against, Differs, Exchange, Recorded, Refuted, What,
};
use retryproof_models::checking::Run;
use retryproof_properties::PropertyId;
use serde_json::Value;

use crate::{KEPT, REFUTED};

/// Runs that together have answers of every kind: one broker, two brokers, two producers, a
/// restart, a timeout.
const CLAIMS: [&str; 5] = [
    "in-flight-6-refuses-a-written-retry",
    "deposed-leader-judges",
    "one-id-for-two-producers",
    "restart-with-a-window-of-one-small",
    "java-4-leftovers",
];

/// What is told and not compared, as the end of its path: the clocks of brokers, what waits
/// for its first sending, the numbers of a client that the numbers of its partitions repeat,
/// the last offsets that follow from the first and the number of records, and which delivery
/// an answer is of.
fn is_exempt(path: &[String]) -> bool {
    let ends =
        |end: &[&str]| path.ends_with(&end.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
    let is_of_client =
        path.len() == 5 && path[2] == "clients" && (ends(&["pid"]) || ends(&["epoch"]));
    let is_timestamp = path.len() == 7 && path[2] == "producers" && path[6] == "1";
    let is_last =
        path.len() == 9 && path[2] == "producers" && ["1", "3"].contains(&path[8].as_str());
    let is_end = path.len() == 4 && ["append", "dup"].contains(&path[2].as_str()) && path[3] == "1";
    let is_error_of_a_batch = path.len() == 5 && path[2] == "told" && ends(&["error"]);
    is_of_client || is_timestamp || is_last || is_end || is_error_of_a_batch || ends(&["delivery"])
}

/// The paths of all leaves of a value.
fn leaves(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let mut inside = |key: String, value: &Value| {
        path.push(key);
        leaves(value, path, found);
        path.pop();
    };
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                inside(index.to_string(), item);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                inside(key.clone(), field);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.push(path.clone())
        }
    }
}

/// Another value than this one, of the same kind.
fn another(value: &Value) -> Value {
    match value {
        Value::Bool(it) => Value::Bool(!it),
        Value::Number(number) => Value::from(number.as_i64().unwrap_or_default() + 7),
        Value::String(_) => Value::from("INVALID_RECORD"),
        _ => Value::from(7),
    }
}

/// The first run against a claim, and what is kept of it.
fn run_against(id: &str) -> (PropertyId, &'static Run, Exchange) {
    let outcome = REFUTED.iter().find(|outcome| outcome.claim.id == id);
    let run = outcome.and_then(|outcome| runs_against(outcome).next());
    let (property, run) = run.unwrap_or_else(|| panic!("no run against {id}"));
    let refuted = Refuted {
        claim: id.to_owned(),
        property: property.to_string(),
    };
    let kept = KEPT.of(&refuted, "4.3.1").expect("it is kept");
    (property, run, kept.exchange.clone())
}

fn played(property: PropertyId, run: &Run, exchange: Exchange) -> Result<(), Differs> {
    counterexample(run, property, &mut Recorded::new(exchange))
}

#[test]
fn as_it_is_kept_it_is_the_same() {
    for id in CLAIMS {
        let (property, run, exchange) = run_against(id);
        assert_eq!(played(property, run, exchange), Ok(()), "{id}");
    }
}

#[test]
fn whatever_is_altered_in_an_answer_is_noticed() {
    for id in CLAIMS {
        let (property, run, exchange) = run_against(id);
        let (mut altered, mut unnoticed) = (0, Vec::new());
        // The first answer is that to the start.
        for at in 1..exchange.len() {
            // Between two moves of one step nothing is compared.
            let first = exchange[at].0.pointer("/commands/0");
            let is_restart = first.is_some_and(|first| first["op"] == "restart");
            let is_bare_turn = first.is_some_and(|first| first["open"] == Value::Array(Vec::new()));
            if is_restart || is_bare_turn {
                continue;
            }
            let mut found = Vec::new();
            leaves(&exchange[at].1, &mut Vec::new(), &mut found);
            // As long as nothing was sent to a partition no epoch is in use.
            let is_unused = |path: &[String]| {
                let next = format!("/{}/next_sequence", path[..path.len() - 1].join("/"));
                let is_lane = path.len() == 7 && path[4] == "partitions";
                is_lane && exchange[at].1.pointer(&next) == Some(&Value::from(0))
            };
            // What a follower writes is looked at in its log.
            let is_followers = |path: &[String]| {
                let op = exchange[at].0.pointer(&format!("/commands/{}/op", path[1]));
                op == Some(&Value::from("replicate"))
            };
            let is_offset_of_a_failure = |path: &[String]| {
                let leaf = exchange[at].1.pointer(&format!("/{}", path.join("/")));
                path.len() == 5 && path[4] == "offset" && leaf == Some(&Value::Null)
            };
            let is_compared = |path: &&Vec<String>| {
                !is_exempt(path)
                    && !is_unused(path)
                    && !is_followers(path)
                    && !is_offset_of_a_failure(path)
            };
            for path in found.iter().filter(is_compared) {
                let mut exchange = exchange.clone();
                let pointer = format!("/{}", path.join("/"));
                let leaf = exchange[at].1.pointer_mut(&pointer).expect("it was found");
                *leaf = another(leaf);
                altered += 1;
                if played(property, run, exchange).is_ok() {
                    unnoticed.push(format!("{at}: {pointer}"));
                }
            }
        }
        assert!(altered > 100, "{id}: {altered}");
        assert!(
            unnoticed.is_empty(),
            "{id}: {} of {altered}: {:?}",
            unnoticed.len(),
            &unnoticed[..unnoticed.len().min(12)]
        );
    }
}

#[test]
fn another_command_than_the_recorded_one_is_noticed() {
    let (property, run, mut exchange) = run_against(CLAIMS[0]);
    exchange[3].0["commands"][0]["op"] = Value::from("roll");
    let differs = played(property, run, exchange);
    assert!(
        matches!(
            differs,
            Err(Differs {
                what: What::Trouble(_),
                ..
            })
        ),
        "{differs:?}"
    );
}

#[test]
fn an_exception_out_of_the_clients_loop_is_noticed() {
    let (property, run, mut exchange) = run_against(CLAIMS[0]);
    exchange[3].1["answers"][0]["thrown"] = Value::from(vec!["IllegalStateException"]);
    let differs = played(property, run, exchange);
    assert!(
        matches!(
            differs,
            Err(Differs {
                what: What::Trouble(_),
                ..
            })
        ),
        "{differs:?}"
    );
}

#[test]
fn a_run_shows_no_violation_but_its_own() {
    let (_, run, exchange) = run_against(CLAIMS[0]);
    let differs = played(PropertyId::NoDuplicate, run, exchange);
    let not_violated = What::NotViolated(PropertyId::NoDuplicate);
    assert!(differs.is_err_and(|differs| differs.what == not_violated));
}

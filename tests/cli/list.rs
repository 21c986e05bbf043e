//! `retryproof list`.

use serde_json::Value;

use crate::{assert_keys, retryproof};

fn ids(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter()
        .filter_map(|entry| entry["id"].as_str())
        .collect()
}

#[test]
fn everything_that_has_a_name_is_listed() {
    let listed = retryproof("list --json").exits(0).json();
    assert_keys(
        &listed,
        &[
            "claims",
            "properties",
            "rules",
            "clients",
            "scenarios",
            "mutants",
        ],
    );
    for claim in listed["claims"].as_array().expect("claims") {
        assert_keys(claim, &["id", "question", "statement", "expected", "tier"]);
    }
    assert!(ids(&listed["claims"]).contains(&"in-flight-5"));
    let properties = [
        "no-duplicate",
        "partition-order",
        "gap-rejected",
        "reject-is-stutter",
        "duplicate-answer-truthful",
        "ack-truthful",
        "retry-recognised",
        "no-false-failure",
        "every-batch-decided",
        "stale-epoch-rejected",
        "log-is-fold",
        "sequence-per-partition",
    ];
    assert_eq!(ids(&listed["properties"]), properties);
    assert!(ids(&listed["rules"]).contains(&"kafka-4"));
    assert!(ids(&listed["rules"]).contains(&"helix"));
    assert!(ids(&listed["clients"]).contains(&"franz-go-1217"));
    assert!(ids(&listed["clients"]).contains(&"java-4"));
    assert!(ids(&listed["scenarios"]).contains(&"dedup-against-plain"));
    assert!(ids(&listed["mutants"]).contains(&"appends-duplicates"));
}

#[test]
fn a_person_gets_a_line_for_each() {
    retryproof("list").exits(0).tells([
        "Claims",
        "in-flight-5",
        "Scenarios",
        "dedup-against-plain",
        "Properties",
        "no-duplicate",
        "Rules of brokers",
        "kafka-4",
        "Policies of clients",
        "java-4",
        "Published faulty brokers",
        "helix",
        "Published faulty clients",
        "franz-go-1217",
        "Mutants",
        "appends-duplicates",
    ]);
}

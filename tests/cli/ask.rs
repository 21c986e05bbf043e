//! `retryproof ask`.

use serde_json::Value;

use crate::{assert_keys, retryproof};

fn property<'v>(answer: &'v Value, id: &str) -> &'v Value {
    let properties = answer["properties"].as_array().expect("properties");
    let found = properties.iter().find(|property| property["id"] == id);
    found.unwrap_or_else(|| panic!("no {id} in {answer}"))
}

#[test]
fn five_in_flight_hold_for_runs_of_any_length() {
    let answer = retryproof("ask --in-flight 5 --json").exits(0).json();
    assert_keys(
        &answer,
        &[
            "conditions",
            "exhausted",
            "states",
            "collision_odds",
            "seconds",
            "any_length",
            "properties",
        ],
    );
    assert_eq!(answer["exhausted"], true);
    assert_eq!(answer["any_length"], true);
    assert_eq!(answer["conditions"]["in_flight"], 5);
    assert_eq!(answer["conditions"]["batches"], "any");
    assert_keys(&answer["states"], &["unique", "generated", "depth"]);
    for property in answer["properties"].as_array().expect("properties") {
        assert_keys(property, &["id", "verdict", "counterexample"]);
        assert_eq!(property["verdict"], "holds", "{property}");
        assert_eq!(property["counterexample"], Value::Null);
    }
}

#[test]
fn six_in_flight_write_a_duplicate_in_18_steps() {
    let answer = retryproof("ask --in-flight 6 --json").exits(1).json();
    let refuted = property(&answer, "no-duplicate");
    assert_eq!(refuted["verdict"], "refuted");
    let counterexample = &refuted["counterexample"];
    assert_eq!(counterexample["length"], 18);
    let steps = counterexample["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 18);
    for step in steps {
        assert_keys(step, &["actor", "action", "text"]);
    }
    assert_eq!(property(&answer, "partition-order")["verdict"], "holds");
}

#[test]
fn only_the_properties_asked_for_are_judged() {
    let line = "ask --in-flight 6 --property partition-order --property log-is-fold --json";
    let answer = retryproof(line).exits(0).json();
    assert_eq!(answer["properties"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_proof_tells_its_size() {
    retryproof("ask --in-flight 2 --window 2 --connections 2")
        .exits(0)
        .tells([
            "2 in flight, window 2",
            "✓ holds",
            "no-duplicate",
            "The search was exhaustive: ",
            "states and ",
            "runs of any length",
            "Odds that a fingerprint collision hid a state: below ",
        ]);
}

#[test]
fn a_property_whose_situation_never_arises_says_so() {
    retryproof("ask --in-flight 1 --window 1 --connections 2 --property gap-rejected")
        .exits(0)
        .tells(["gap-rejected", "never arises"]);
}

#[test]
fn the_story_of_six_in_flight() {
    let told = retryproof("ask --in-flight 6 --property no-duplicate --property retry-recognised");
    let told = told.exits(1).out;
    let story = told.find("A shortest run").map(|start| &told[start..]);
    insta::assert_snapshot!(story.expect("a story"));
}

#[test]
fn a_run_that_refutes_several_properties_is_told_once() {
    let told = retryproof("ask --in-flight 6").exits(1).out;
    assert_eq!(told.matches("A shortest run").count(), 1, "{told}");
    assert!(told.contains("(retry-recognised: its first 16)"), "{told}");
}

#[test]
fn a_client_that_stops_reports_a_false_failure() {
    retryproof("ask --in-flight 6 --client stop --property no-false-failure")
        .exits(1)
        .tells([
            "for fatal, tells the application that r0 has failed",
            "stops for good.",
            "no-false-failure is violated: record 0 was reported as failed",
        ]);
}

#[test]
fn a_plain_producer_has_no_sequences_in_its_story() {
    let said = retryproof("ask --client plain --in-flight 1 --property no-duplicate").exits(1);
    let story = said.out.split("A shortest run").nth(1).expect("a story");
    assert!(!story.contains("epoch"), "{story}");
    said.tells([
        "the answer to r0 is lost",
        "Producer sends r0 again.",
        "r0 at offsets 0 and 1",
    ]);
}

#[test]
fn a_batch_that_is_never_decided_is_named() {
    let line = "ask --network ordered --in-flight 2 --window 2 --connections 2 \
                --producer-state known --property every-batch-decided";
    retryproof(line).exits(1).tells([
        "At the start this was written and acknowledged:",
        "log  r0",
        "every-batch-decided is violated: whatever happens from here",
    ]);
}

#[test]
fn a_mutant_may_be_asked_about_in_bounded_runs() {
    let line = "ask --rule appends-duplicates --batches 3 --disconnects 2 --in-flight 2 \
                --connections 2 --property no-duplicate";
    retryproof(line)
        .exits(1)
        .tells(["bounded length", "exact match in the"]);
}

#[test]
fn a_search_over_the_limit_is_unknown_and_says_how_far_it_got() {
    let said = retryproof("ask --max-states 1000").exits(3);
    said.tells([
        "? unknown",
        "The search was cut: stopped after 1000 states",
        "to depth",
    ]);
    let answer = retryproof("ask --max-states 1000 --json").exits(3).json();
    assert_eq!(answer["exhausted"], false);
    assert!(answer["cut"].is_string());
    assert_eq!(property(&answer, "no-duplicate")["verdict"], "unknown");
}

#[test]
fn every_condition_is_accepted_at_its_default() {
    let line = "ask --in-flight 1 --window 1 --connections 2 --in-flight-per connection \
                --records-per-batch 1 --producers 1 --producer-ids own --second-client same --partitions 1 --brokers 1 \
                --acks all --election clean --replicas copy --sequence-modulus none \
                --max-epoch none --restarts 0 --restart-keeps last --leader-moves 0 --expiries 0 \
                --expiry client-time --refusals-before-append 0 --errors-after-append 0 \
                --fatal-refusals 0 --validation before-lookup --delivery-timeouts 0 \
                --cancellations 0 --append-failures 0 --append-order write-first";
    retryproof(line).exits(0);
}

#[test]
fn the_conditions_are_in_the_json_under_the_names_of_their_flags() {
    let line = "ask --in-flight 2 --window 2 --connections 2 --batches 2 --restarts 1 \
                --restart-keeps all --sequence-modulus 7 --property partition-order --json";
    let conditions = &retryproof(line).json()["conditions"];
    assert_eq!(conditions["batches"], 2);
    assert_eq!(conditions["restarts"], 1);
    assert_eq!(conditions["restart_keeps"], "all");
    assert_eq!(conditions["sequence_modulus"], 7);
    assert_eq!(conditions["max_epoch"], Value::Null);
    assert_eq!(conditions["disconnects"], "any");
    assert_eq!(conditions["acks"], "all");
}

const SMALL: &str = "ask --in-flight 2 --window 2 --connections 2 --batches 3 --property";

#[test]
fn a_restart_that_keeps_one_batch_writes_a_duplicate() {
    retryproof(&format!("{SMALL} no-duplicate --restarts 1"))
        .exits(1)
        .tells([
            "1 restart\n",
            "disconnects any, no other",
            "╳  Broker restarts; of its window, 0 and 1, the snapshot held the newest",
            "r0 at offsets 0 and 2.",
        ]);
    let line = format!("{SMALL} no-duplicate --restarts 1 --restart-keeps all");
    retryproof(&line).exits(0);
}

#[test]
fn an_expiry_is_drawn_on_the_line_of_the_broker() {
    retryproof(&format!("{SMALL} no-duplicate --expiries 1"))
        .exits(1)
        .tells([
            "   │         │         ●  Broker forgets the producer",
            "r0 at offsets 0 and 1.",
        ]);
}

#[test]
fn a_batch_of_two_records_is_told_as_one() {
    let line = "ask --in-flight 2 --window 1 --connections 2 --batches 2 --records-per-batch 2 \
                --property no-duplicate";
    retryproof(line).exits(1).tells([
        "Producer sends r0..1 (new) as sequences 0..1, epoch 0",
        "log  r0 r1",
        "r0 at offsets 0 and 4; r1 at offsets 1 and 5.",
    ]);
}

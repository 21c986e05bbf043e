//! `--walks` of `retryproof ask` and `retryproof check`.

use serde_json::Value;

use crate::{assert_keys, retryproof};

const REFUTED: &str = "ask --in-flight 2 --window 1 --connections 2 --walks 50";

#[test]
fn a_run_is_told_and_its_walk_can_be_taken_again() {
    let said = retryproof(&format!("{REFUTED} --property no-duplicate")).exits(1);
    let again = said.out.lines().last().expect("a command").trim();
    let again = again.strip_prefix("retryproof ").expect("a command");
    assert!(again.contains("--walks 1 --steps 200 --seed "), "{again}");
    let story = |out: &str| {
        let (_, story) = out.split_once("\nA run against").expect("a story");
        story.to_owned()
    };
    let retold = retryproof(&format!("{again} --property no-duplicate")).exits(1);
    assert_eq!(story(&retold.out), story(&said.out));
    assert!(!said.out.contains("A shortest"), "{}", said.out);
    said.tells([
        "✗ refuted  no-duplicate  A run against it has ",
        "This was 50 random walks of at most 200 steps, seed 0 and on: ",
        "Walks prove nothing",
        "actions: ",
        "decisions by rule kafka-4: ",
        "A run against no-duplicate, in ",
        "To take this walk again:",
    ]);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for line in [
        format!("{REFUTED} --seed 5"),
        format!("{REFUTED} --seed 5 --json"),
        "ask --walks 50 --steps 300 --seed 18446744073709551615 --json".to_owned(),
        "check in-flight-6 --walks 50 --seed 9".to_owned(),
        "check in-flight-6 --walks 50 --seed 9 --json".to_owned(),
    ] {
        let said = retryproof(&line);
        assert!(said.code == 1 || said.code == 3, "{line}: {}", said.out);
        assert_eq!(retryproof(&line).out, said.out, "{line}");
    }
    let one = retryproof(&format!("{REFUTED} --seed 5 --json"));
    assert_ne!(
        retryproof(&format!("{REFUTED} --seed 6 --json")).out,
        one.out
    );
}

#[test]
fn nothing_ever_holds() {
    let answer = retryproof("ask --in-flight 1 --walks 200 --json")
        .exits(3)
        .json();
    assert_eq!(answer["exhausted"], false);
    for property in answer["properties"].as_array().expect("properties") {
        assert_eq!(property["verdict"], "unknown", "{property}");
    }
    retryproof("ask --in-flight 1 --walks 200").exits(3).tells([
        "? unknown  no-duplicate",
        "Not violated in the ",
        "? unknown  gap-rejected",
        "The situation it speaks of did not arise.",
    ]);
}

#[test]
fn what_walks_came_to_as_json() {
    let answer = retryproof(&format!("{REFUTED} --steps 100 --seed 3 --json"))
        .exits(1)
        .json();
    let walks = &answer["walks"];
    assert_eq!(walks["asked"], 50);
    assert_eq!(walks["steps_at_most"], 100);
    assert_eq!(walks["seed"], 3);
    assert_eq!(walks["taken"], 50);
    assert_eq!(walks["steps"], 5000);
    assert_keys(
        walks,
        &[
            "longest",
            "ended",
            "outgrown",
            "unique",
            "refuted_by",
            "untold",
        ],
    );
    assert_keys(&walks["reached"], &["actions", "branches", "premises"]);
    let by = &walks["refuted_by"][0];
    assert_keys(by, &["property", "seed"]);
    assert!((3..53).contains(&by["seed"].as_u64().expect("a seed")));
    // What differs each time is left out.
    assert_eq!(answer["seconds"], Value::Null);
    assert_eq!(answer["peak_memory_bytes"], Value::Null);
    assert!(retryproof("ask --in-flight 1 --json")
        .json()
        .get("walks")
        .is_none());
}

#[test]
fn claims_are_walked_world_by_world() {
    let line = "check in-flight-6-writes-duplicates in-flight-5 --walks 300";
    retryproof(line).exits(3).tells([
        "in-flight-5",
        "? unknown",
        "in-flight-6-writes-duplicates",
        "✗ refuted",
        "in-flight-5: unknown, 300 random walks",
        "1 claim as expected, 0 not, 1 unknown",
        "and prove nothing",
    ]);
    retryproof("check in-flight-6-writes-duplicates --walks 300").exits(0);
    let found = retryproof(&format!("{line} --json")).exits(3).json();
    assert_eq!(found["as_expected"], false);
    assert_eq!(found["claims"][0]["verdict"], "unknown");
    assert_eq!(found["claims"][1]["verdict"], "refuted");
    assert_eq!(found["claims"][1]["count_changed"], false);
    assert_keys(&found["claims"][0]["walks"], &["asked", "reached"]);
}

#[test]
fn a_limit_on_states_ends_walks_too() {
    retryproof("ask --walks 1000 --max-states 50")
        .exits(3)
        .tells(["The walks were stopped after 50 states (--max-states): "]);
}

#[test]
fn steps_and_seed_are_of_walks_only() {
    for (line, words) in [
        ("ask --steps 10", "--walks"),
        ("ask --seed 1", "--walks"),
        ("ask --walks 0", "--walks 0: choose a number from 1 to "),
        (
            "ask --walks 5 --seed x",
            "--seed x: choose a number from 0 to ",
        ),
    ] {
        let said = retryproof(line).exits(2);
        assert!(said.err.contains(words), "{line}: {}", said.err);
        assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    }
}

//! `retryproof check`.

use crate::{assert_keys, retryproof};

#[test]
fn one_claim_as_json() {
    let found = retryproof("check in-flight-5 --json").exits(0).json();
    assert_keys(&found, &["claims", "as_expected"]);
    assert_eq!(found["as_expected"], true);
    let claims = found["claims"].as_array().expect("claims");
    assert_eq!(claims.len(), 1);
    assert_keys(
        &claims[0],
        &[
            "id",
            "statement",
            "expected",
            "verdict",
            "conditions",
            "properties",
            "states",
            "seconds",
        ],
    );
    assert_eq!(claims[0]["id"], "in-flight-5");
    assert_eq!(claims[0]["expected"], "holds");
    assert_eq!(claims[0]["verdict"], "holds");
    assert_keys(&claims[0]["properties"][0], &["id", "verdict", "premises"]);
}

#[test]
fn a_part_of_an_id_selects_from_all_tiers_unless_one_is_named() {
    let count = |line: &str| {
        let found = retryproof(line).exits(0).json();
        found["claims"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(count("check frontier-1-1 --json"), 2);
    assert_eq!(count("check frontier-1-1 --tier quick --json"), 1);
    assert_eq!(count("check frontier-1-1 --tier deep --json"), 1);
    assert_eq!(
        count("check frontier-1-1 frontier-1-1 --tier all --json"),
        2
    );
    assert_eq!(count("check A6 --json"), 4);
}

#[test]
fn a_table_shows_conditions_verdicts_and_the_shortest_run() {
    retryproof("check in-flight-6-writes-duplicates in-flight-1")
        .exits(0)
        .tells([
            "conditions, claim",
            "expected",
            "found",
            "steps",
            "A1      1 in flight, window 5",
            "in-flight-1°",
            "✓ holds",
            "A2      6 in flight, window 5",
            "in-flight-6-writes-duplicates",
            "✗ refuted     18",
            "° What a property of the claim speaks of never arises",
            "2 claims as expected, 0 not, in ",
            "unique and ",
            "generated states",
            "odds of a collision below ",
        ]);
}

#[test]
fn many_claims_about_the_frontier_are_one_picture() {
    let said = retryproof("check frontier- --tier quick").exits(0);
    let lines = said.out.lines().count();
    assert!(lines < 40, "{lines} lines:\n{}", said.out);
    said.tells([
        "in flight     1    2    3    4    5    6    7    8",
        "6      10   12   14   16   18 │  ✓    ✓    ✓",
        "no-duplicate holds exactly where in flight ≤ window.",
        "--all-rows shows each claim",
    ]);
    retryproof("check frontier- --tier quick --all-rows")
        .exits(0)
        .tells([
            "frontier-6-5-breaks",
            "✗ refuted     16",
            "frontier-6-5-keeps-the-rest",
        ]);
}

#[test]
fn a_search_over_the_limit_is_unknown() {
    retryproof("check in-flight-5 --max-states 1000")
        .exits(3)
        .tells([
            "? unknown",
            "in-flight-5: unknown, stopped after 1000 states",
            "0 claims as expected, 0 not, 1 unknown",
        ]);
    let found = retryproof("check in-flight-5 --max-states 1000 --json")
        .exits(3)
        .json();
    assert_eq!(found["as_expected"], false);
    assert_eq!(found["claims"][0]["verdict"], "unknown");
}

#[test]
fn the_limit_on_states_is_that_of_each_claim() {
    let found = retryproof("check in-flight-1 in-flight-5 strict-1-1 --max-states 1000 --json")
        .exits(3)
        .json();
    let verdict = |id: &str| {
        let claims = found["claims"].as_array().expect("claims");
        let claim = claims.iter().find(|claim| claim["id"] == id);
        claim.map(|claim| claim["verdict"].clone())
    };
    assert_eq!(verdict("in-flight-1"), Some("holds".into()));
    assert_eq!(verdict("strict-1-1"), Some("holds".into()));
    assert_eq!(verdict("in-flight-5"), Some("unknown".into()));
    assert_eq!(found["as_expected"], false);
}

#[test]
fn each_claim_has_the_figures_of_the_search_over_its_world() {
    let found = retryproof("check in-flight-1 in-flight-5 --json").json();
    for claim in found["claims"].as_array().expect("claims") {
        let speed = claim["generated_per_second"].as_f64();
        assert!(speed.is_some_and(|speed| speed > 1000.0), "{claim}");
        let memory = &claim["peak_memory_bytes"];
        if cfg!(target_os = "linux") && std::fs::write("/proc/self/clear_refs", "5").is_ok() {
            let bytes = memory.as_u64().expect("a peak");
            assert!((1_000_000..1_000_000_000).contains(&bytes), "{bytes}");
        }
    }
}

#[test]
fn threads_do_not_change_a_verdict() {
    for threads in ["1", "2"] {
        let line = format!("check in-flight-3 --threads {threads} --json");
        let found = retryproof(&line).exits(0).json();
        assert_eq!(found["claims"][0]["verdict"], "holds");
        assert_eq!(found["claims"][0]["count_changed"], false);
    }
}

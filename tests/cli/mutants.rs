//! `retryproof mutants`.

use crate::{assert_keys, retryproof};

#[test]
fn no_mutant_survives_and_no_property_is_idle() {
    let found = retryproof("mutants --json").exits(0).json();
    assert_keys(
        &found,
        &["properties", "mutants", "survivors", "idle_properties"],
    );
    assert_eq!(found["survivors"].as_array().map(Vec::len), Some(0));
    assert_eq!(found["idle_properties"].as_array().map(Vec::len), Some(0));
    assert_eq!(found["properties"].as_array().map(Vec::len), Some(12));
    for mutant in found["mutants"].as_array().expect("mutants") {
        assert_keys(mutant, &["id", "killed_by", "shortest"]);
        let killed_by = mutant["killed_by"].as_array().expect("properties");
        assert!(killed_by.contains(&mutant["must_be_caught_by"]), "{mutant}");
        assert!(mutant["shortest"].as_u64() > Some(0), "{mutant}");
    }
}

#[test]
fn the_matrix_is_drawn() {
    retryproof("mutants").exits(0).tells([
        " 1    2    3 ",
        "appends-duplicates",
        "[5]",
        " 1  no-duplicate",
        " 2  partition-order",
        "12  sequence-per-partition",
        "no property is idle",
    ]);
}

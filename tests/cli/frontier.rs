//! `retryproof frontier`.

use std::fs;

use crate::{assert_keys, retryproof};

/// Both sides of the border, in moments.
const SMALL: &str = "frontier --in-flight 1..3 --window 2..3 --connections 2";

#[test]
fn the_verdict_turns_where_more_is_in_flight_than_the_window_holds() {
    let found = retryproof(&format!("{SMALL} --json")).exits(0).json();
    assert_keys(&found, &["property", "cells"]);
    assert_eq!(found["property"], "no-duplicate");
    let cells = found["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 6);
    for cell in cells {
        assert_keys(
            cell,
            &["in_flight", "window", "verdict", "length", "states"],
        );
        let within = cell["in_flight"].as_u64() <= cell["window"].as_u64();
        assert_eq!(cell["verdict"], if within { "holds" } else { "refuted" });
        assert_eq!(cell["length"].is_null(), within, "{cell}");
    }
}

#[test]
fn the_staircase_is_drawn() {
    retryproof(SMALL).exits(0).tells([
        "Every record stands in the log at most once.",
        "Apache Kafka 4.x but for: connections 2",
        "in flight     2    3",
        "      2       ✓    ✓",
        "           ─────┐",
        "      3      12 │  ✓",
        "no-duplicate holds exactly where in flight ≤ window.",
    ]);
}

#[test]
fn a_sentence_is_only_said_where_it_is_true_of_the_cells() {
    retryproof("frontier --in-flight 1..2 --window 2..3 --connections 2")
        .exits(0)
        .tells(["no-duplicate holds in each of the 4 cells looked at."]);
    retryproof("frontier --in-flight 1..3 --window 1..2 --connections 2 --rule kafka-0.11")
        .exits(0)
        .tells(["no-duplicate holds exactly where in flight ≤ 1."]);
}

#[test]
fn another_property_may_be_asked_for() {
    let line =
        "frontier --in-flight 2 --window 1 --connections 2 --property retry-recognised --json";
    let found = retryproof(line).exits(0).json();
    assert_eq!(found["property"], "retry-recognised");
    assert_eq!(found["cells"][0]["verdict"], "refuted");
}

#[test]
fn a_cell_over_the_limit_is_unknown() {
    retryproof("frontier --in-flight 1..5 --window 5 --connections 2 --max-states 500")
        .exits(3)
        .tells(["?", "no-duplicate holds in each of the", "unknown"]);
}

#[test]
fn a_drawing_is_written_whole() {
    let directory = env!("CARGO_TARGET_TMPDIR");
    let path = format!("{directory}/frontier-drawing.svg");
    fs::write(&path, "something older").expect("a place to write");
    retryproof(&format!("{SMALL} --svg {path}"))
        .exits(0)
        .tells(["Drawn into "]);
    let svg = fs::read_to_string(&path).expect("a drawing");
    for part in [
        "<svg ",
        "role=\"img\"",
        "<title id=\"title\">Frontier of no-duplicate</title>",
        "3 in flight: window 2 refuted in 12 steps, window 3 holds.",
        "prefers-color-scheme:dark",
        "class=\"border\"",
        "</svg>\n",
    ] {
        assert!(svg.contains(part), "no {part} in {svg}");
    }
    assert!(
        !svg.contains("http://") || svg.matches("http").count() == 1,
        "{svg}"
    );
    let names = fs::read_dir(directory).expect("a directory");
    let names: Vec<_> = names
        .filter_map(|entry| Some(entry.ok()?.file_name()))
        .collect();
    let left_over = |name: &&std::ffi::OsString| name.to_string_lossy().contains("drawing.svg.");
    assert_eq!(names.iter().find(left_over), None);
}

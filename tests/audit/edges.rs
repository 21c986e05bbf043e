//! Where a log and its segments begin and end.

use super::dump::{batch, good, segment, Release};
use super::{audit_text, found, kinds, notes, texts};

/// The good log in two segments, the first of which ends torn.
fn torn_in_the_middle() -> String {
    let (first, second) = (&good()[..5], &good()[5..]);
    let torn = "Found 17 invalid bytes at the end of 00000000000000000000.log\n";
    segment(Release::V4, 0, first) + torn + &segment(Release::V4, 8, second)
}

#[test]
fn a_torn_tail_is_damage_where_another_segment_follows() {
    let report = audit_text(&torn_in_the_middle());
    assert_eq!(found(&report), [("batch damaged", 1, 8)]);
    assert!(
        texts(&report)[0].contains("17 bytes"),
        "{:?}",
        texts(&report)
    );
    assert_eq!(notes(&report), "");
}

#[test]
fn what_is_missing_behind_a_torn_tail_is_no_finding_of_its_own() {
    let text = torn_in_the_middle();
    let without_the_marker = text.lines().filter(|line| !line.contains("baseOffset: 7 "));
    let text = without_the_marker.collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(kinds(&audit_text(&text)), ["batch damaged"]);
}

#[test]
fn a_torn_tail_of_the_last_segment_is_noted() {
    let text = segment(Release::V4, 0, &good()) + "Found 17 invalid bytes at the end of 0.log\n";
    let report = audit_text(&text);
    assert_eq!(found(&report), []);
    assert!(notes(&report).contains("17 bytes"), "{}", notes(&report));
}

#[test]
fn a_log_begins_where_the_name_of_its_first_segment_says() {
    let log = [batch(7, 0, (100, 101), 40), batch(7, 0, (102, 102), 42)];
    for release in [Release::V2_1, Release::V4] {
        let report = audit_text(&segment(release, 0, &log));
        assert_eq!(found(&report), [("offsets missing", 1, 3)]);
        assert!(
            texts(&report)[0].contains("0 to 99"),
            "{:?}",
            texts(&report)
        );
        assert_eq!(found(&audit_text(&segment(release, 100, &log))), []);
    }
    // As many sequences may have stood at the missing offsets, and no more.
    let log = [batch(7, 0, (100, 101), 200)];
    assert_eq!(
        kinds(&audit_text(&segment(Release::V4, 0, &log))),
        ["first sequences missing", "offsets missing"]
    );
}

#[test]
fn the_beginning_of_a_compacted_log_may_be_missing() {
    let mut log = [batch(7, 0, (100, 104), 40)];
    log[0].count = Some(2);
    assert_eq!(found(&audit_text(&segment(Release::V4, 0, &log))), []);
}

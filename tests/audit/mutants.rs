//! A good dump has no finding; one thing altered in it gives exactly the finding that it must.

use super::dump::{batch, dump, good, marker, segment, Batch, Release};
use super::{audit, audit_text, found, kinds, notes, texts, Files};
use retryproof::audit::run::Settings;

/// Line of the n-th batch: two lines stand above the first.
fn line_of(batch: usize) -> u64 {
    batch as u64 + 3
}

#[test]
fn a_good_dump_of_any_release_has_no_finding() {
    for release in Release::ALL {
        let report = audit_text(&segment(release, 0, &good()));
        assert_eq!(found(&report), [], "{release:?}");
        assert_eq!(report.batches, good().len() as u64);
        assert_eq!(notes(&report), "");
    }
}

/// Moves batches from one on by so many offsets.
fn shifted(batches: &mut [Batch], by: i64) {
    for batch in batches {
        batch.base += by;
        batch.last += by;
    }
}

#[test]
fn each_alteration_gives_its_finding_and_no_other() {
    type Alter = fn(&mut Vec<Batch>);
    let cases: [(&str, usize, Alter); 16] = [
        ("written twice", 2, |log| {
            log.insert(
                2,
                Batch {
                    base: 4,
                    last: 4,
                    ..log[1]
                },
            );
            shifted(&mut log[3..], 1);
        }),
        ("written twice", 11, |log| {
            // Far behind, beyond every window.
            log.push(batch(7, 1, (21, 21), 0));
        }),
        ("sequences missing", 5, |log| {
            log[5].first_sequence += 2;
            log[5].last_sequence += 2;
        }),
        ("first sequences missing", 0, |log| {
            *log = vec![batch(7, 0, (0, 1), 17), batch(7, 0, (2, 2), 19)];
        }),
        ("first sequences missing", 9, |log| {
            log[9].first_sequence = 1;
            log[9].last_sequence = 1;
            log[10].first_sequence = 2;
            log[10].last_sequence = 3;
        }),
        ("stale epoch", 11, |log| log.push(batch(7, 0, (21, 21), 9))),
        ("stale epoch", 11, |log| log.push(marker(8, 0, 21))),
        ("offsets missing", 6, |log| shifted(&mut log[6..], 3)),
        ("offsets twice", 6, |log| {
            let again = Batch {
                base: 10,
                last: 12,
                ..batch(-1, -1, (10, 12), -1)
            };
            log.insert(6, again);
        }),
        ("batch damaged", 3, |log| log[3].valid = false),
        ("batch damaged", 5, |log| log[5].valid = false),
        ("numbers that do not fit", 5, |log| log[5].last_sequence = 7),
        ("numbers that do not fit", 3, |log| log[3].last = 5),
        ("numbers that do not fit", 5, |log| log[5].count = Some(6)),
        ("numbers that do not fit", 10, |log| {
            (log[10].first_sequence, log[10].last_sequence) = (-1, -1);
        }),
        ("numbers that do not fit", 10, |log| {
            (log[10].first_sequence, log[10].last_sequence) = (-5, -5);
        }),
    ];
    for (kind, batch, alter) in cases {
        let mut log = good();
        alter(&mut log);
        let report = audit_text(&dump(&log));
        let expected = [(kind, 1, line_of(batch))];
        assert_eq!(found(&report), expected, "{:?}", texts(&report));
    }
}

#[test]
fn a_batch_that_is_overtaken_is_out_of_order_behind_a_gap() {
    let mut log = good();
    log.push(batch(9, 0, (21, 21), 0));
    log.push(batch(9, 0, (22, 22), 2));
    log.push(batch(9, 0, (23, 23), 1));
    log.push(batch(9, 0, (24, 24), 3));
    let report = audit_text(&dump(&log));
    let expected = [
        ("out of order", 1, line_of(13)),
        ("sequences missing", 1, line_of(12)),
    ];
    assert_eq!(found(&report), expected);
}

#[test]
fn a_batch_from_before_the_log_is_out_of_order() {
    let log = [batch(7, 3, (40, 41), 17), batch(7, 3, (42, 42), 10)];
    let report = audit_text(&segment(Release::V4, 40, &log));
    assert_eq!(found(&report), [("out of order", 1, line_of(1))]);
}

#[test]
fn sequences_pass_the_last_one_and_begin_again() {
    let mut log = vec![batch(7, 0, (5, 7), i32::MAX - 3)];
    log.push(batch(7, 0, (8, 10), i32::MAX));
    log.push(batch(7, 0, (11, 11), 2));
    let report = audit_text(&segment(Release::V4, 5, &log));
    assert_eq!(log[1].last_sequence, 1);
    assert_eq!(found(&report), []);
    log[2].first_sequence = 3;
    log[2].last_sequence = 3;
    let report = audit_text(&segment(Release::V4, 5, &log));
    assert_eq!(kinds(&report), ["sequences missing"]);
    assert!(
        texts(&report)[0].contains("where 2 was next"),
        "{:?}",
        texts(&report)
    );
}

#[test]
fn a_retry_across_the_wrap_is_a_duplicate_and_the_same_numbers_one_round_later_are_not() {
    let first = batch(7, 0, (5, 5), i32::MAX);
    let log = [
        first,
        batch(7, 0, (6, 6), 0),
        Batch {
            base: 7,
            last: 7,
            ..first
        },
    ];
    let report = audit_text(&segment(Release::V4, 5, &log));
    assert_eq!(kinds(&report), ["written twice"]);
}

#[test]
fn where_the_log_does_not_begin_at_0_nothing_is_asked_of_its_first_batches() {
    let log = [batch(7, 3, (40, 41), 17), batch(7, 3, (42, 42), 19)];
    let report = audit_text(&segment(Release::V4, 40, &log));
    assert_eq!(found(&report), []);
    assert!(notes(&report).contains("begins at offset 40"));
    let log = [batch(7, 3, (40, 41), 17), batch(7, 3, (42, 42), 20)];
    let report = audit_text(&segment(Release::V4, 40, &log));
    assert_eq!(kinds(&report), ["sequences missing"]);
}

#[test]
fn what_compaction_takes_away_is_not_missed_and_what_it_leaves_is_judged() {
    // Batches 3–3 and 4–5 are gone; 8–12 has two records left.
    let mut log = good();
    log[5].count = Some(2);
    log[5].horizon = true;
    log.drain(1..3);
    let report = audit_text(&dump(&log));
    assert_eq!(found(&report), []);
    assert!(
        notes(&report).contains("is compacted"),
        "{}",
        notes(&report)
    );
    // A gap without missing offsets stays one.
    let mut log = good();
    log[5].count = Some(2);
    log[6].first_sequence += 1;
    log[6].last_sequence += 1;
    assert_eq!(kinds(&audit_text(&dump(&log))), ["sequences missing"]);
}

#[test]
fn a_topic_may_be_said_to_be_compacted() {
    let mut log = good();
    shifted(&mut log[6..], 3);
    let files = Files::new().with("dump.txt", dump(&log));
    let settings = Settings {
        compacted: true,
        ..Settings::default()
    };
    let report = audit(&files.paths, None, settings).expect("readable");
    assert_eq!(found(&report), []);
}

#[test]
fn of_many_findings_the_first_are_kept_and_all_are_counted() {
    let log: Vec<Batch> = (0..40)
        .map(|offset| batch(7, 0, (offset, offset), 0))
        .collect();
    let files = Files::new().with("dump.txt", dump(&log));
    for (keep_all, kept) in [(false, 10), (true, 39)] {
        let settings = Settings {
            keep_all,
            ..Settings::default()
        };
        let report = audit(&files.paths, None, settings).expect("readable");
        assert_eq!(found(&report), [("written twice", 39, line_of(1))]);
        assert_eq!(texts(&report).len(), kept);
    }
}

#[test]
fn a_marker_of_a_new_epoch_makes_0_the_next_sequence() {
    for (sequence, expected) in [(0, vec![]), (3, vec!["sequences missing"])] {
        let log = [
            batch(8, 0, (0, 2), 0),
            marker(8, 1, 3),
            batch(8, 1, (4, 4), sequence),
        ];
        assert_eq!(kinds(&audit_text(&dump(&log))), expected);
    }
}

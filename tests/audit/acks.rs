//! What a producer was told, beside the log.

use super::dump::{dump, good};
use super::{audit, found, notes, texts, Files};
use retryproof::audit::acks::Acks;
use retryproof::audit::report::Report;
use retryproof::audit::run::Settings;
use retryproof::audit::FileId;

/// An acknowledgement of producer 7 in epoch 0.
fn ack(first: i32, last: i32, offset: i64) -> String {
    format!(
        r#"{{"topic":"orders","partition":0,"producer_id":7,"epoch":0,"first_sequence":{first},"last_sequence":{last},"base_offset":{offset}}}"#
    )
}

fn with(line: &str, more: &str) -> String {
    line.replace('}', &format!(",{more}}}"))
}

/// Judges the good log, but for what is removed from it, beside these acknowledgements.
fn judged(without: Option<usize>, lines: &[String]) -> Report {
    let mut log = good();
    if let Some(without) = without {
        log.remove(without);
    }
    let files = Files::new().with("dump.txt", dump(&log));
    let acks = Acks::read(FileId(1), lines.join("\n").as_bytes()).expect("acknowledgements");
    let settings = Settings {
        // What is removed leaves a hole, which is not asked about here.
        compacted: true,
        ..Settings::default()
    };
    audit(&files.paths, Some(acks), settings).expect("readable")
}

#[test]
fn true_acknowledgements_are_no_finding_also_of_single_records() {
    let lines = [
        ack(0, 2, 0),
        ack(3, 3, 3),
        ack(4, 8, 8),
        ack(6, 6, 10),
        with(&ack(0, 2, 0), r#""outcome":"unknown""#),
    ];
    let report = judged(None, &lines);
    assert_eq!(found(&report), [], "{:?}", texts(&report));
    assert_eq!(notes(&report), "");
}

#[test]
fn each_false_one_is_its_finding() {
    for (without, line, kind, words) in [
        (
            None,
            ack(4, 8, 3),
            "acknowledged elsewhere",
            "stands at offset 8; producer 7 epoch 0 sequence 3 stands at offset 3",
        ),
        (
            None,
            ack(9, 9, 13),
            "acknowledged, not in the log",
            "producer 8 epoch 0 sequence 2 stands at offset 13",
        ),
        (
            Some(1),
            ack(3, 3, 3),
            "acknowledged, not in the log",
            "and is not in the log",
        ),
        (
            None,
            with(&ack(9, 9, 13), r#""outcome":"duplicate""#),
            "duplicate of nothing",
            "was answered as a duplicate at offset 13",
        ),
        (
            None,
            with(&ack(3, 3, -1), r#""outcome":"failed""#),
            "failed, yet written",
            "stands at offset 3",
        ),
    ] {
        let report = judged(without, &[line]);
        assert_eq!(found(&report), [(kind, 1, 1)], "{:?}", texts(&report));
        assert!(texts(&report)[0].contains(words), "{:?}", texts(&report));
    }
}

#[test]
fn one_range_acknowledged_for_two_batches_is_a_finding_unless_they_are_the_same_records() {
    let told = |records: [&str; 2]| {
        let lines =
            records.map(|records| with(&ack(3, 3, 3), &format!(r#""records":"{records}""#)));
        found(&judged(None, &lines))
    };
    assert_eq!(told(["9f", "9f"]), []);
    assert_eq!(told(["9f", "a0"]), [("acknowledged twice", 1, 2)]);
    let without_records = judged(None, &[ack(3, 3, 3), ack(3, 3, 3)]);
    assert_eq!(found(&without_records), [("acknowledged twice", 1, 2)]);
}

#[test]
fn what_the_log_cannot_show_is_counted() {
    let elsewhere = ack(0, 0, 0).replace("orders", "payments");
    let report = judged(None, &[ack(100, 100, 1_000), ack(101, 101, -1), elsewhere]);
    assert_eq!(found(&report), []);
    assert!(
        notes(&report).contains("2 of 3 acknowledgements"),
        "{}",
        notes(&report)
    );
    assert!(
        notes(&report).contains("1 of 3 acknowledgements"),
        "{}",
        notes(&report)
    );
}

#[test]
fn a_line_that_is_no_acknowledgement_is_refused_with_its_number() {
    let lines = format!("{}\nnonsense\n", ack(0, 2, 0));
    let refused = Acks::read(FileId(0), lines.as_bytes()).expect_err("nonsense");
    assert!(refused.to_string().starts_with("line 2: "), "{refused}");
}

//! Producer snapshots beside their log: the text of every release, and the file.

use super::dump::{batch, dump, good, segment, Release};
use super::{audit, found, kinds, notes, texts, Files};
use retryproof::audit::run::Settings;
use retryproof::state_manager::snapshot::kafka::{encode, Entry};

/// What a broker writes down of the good log at offset 18, where a segment was rolled:
/// producer 7 with sequences 4 to 8 at 8 to 12, producer 8 with epoch 1, sequences 0 to 2 at
/// 15 to 17.
fn good_entries() -> Vec<Entry> {
    let entry = |producer_id, epoch, last_sequence, last_offset, offset_delta| Entry {
        producer_id,
        epoch,
        last_sequence,
        last_offset,
        offset_delta,
        timestamp: 1_790_510_023_056,
        coordinator_epoch: -1,
        transaction_first_offset: -1,
    };
    vec![entry(7, 0, 8, 12, 4), entry(8, 1, 2, 17, 2)]
}

fn name(offset: i64) -> String {
    format!("{offset:020}.snapshot")
}

/// The text of a release for these entries.
fn text(release: &str, offset: i64, entries: &[Entry]) -> String {
    let mut text = format!("Dumping /var/kafka/orders-0/{}\n", name(offset));
    for it in entries {
        let first = it.last_sequence.wrapping_sub(it.offset_delta);
        let head = format!("producerId: {} producerEpoch: {}", it.producer_id, it.epoch);
        let tail = format!(
            "firstSequence: {first} lastSequence: {} lastOffset: {} offsetDelta: {} timestamp: 5",
            it.last_sequence, it.last_offset, it.offset_delta
        );
        text += &match release {
            "0.11" => format!(
                "{head} lastSequence: {} lastOffset: {} offsetDelta: {} lastTimestamp: 5 coordinatorEpoch: -1 currentTxnFirstOffset: None\n",
                it.last_sequence, it.last_offset, it.offset_delta
            ),
            "1.0" => format!("{head} coordinatorEpoch: 4 currentTxnFirstOffset: Some(3) {tail}\n"),
            "3.1" => format!("{head} coordinatorEpoch: -1 currentTxnFirstOffset: None lastTimestamp: 5 {tail}\n"),
            _ => format!("{head} coordinatorEpoch: -1 currentTxnFirstOffset: OptionalLong.empty lastTimestamp: 5 {tail}\n"),
        };
    }
    text
}

#[test]
fn a_snapshot_that_says_what_the_log_says_is_no_finding() {
    for release in ["0.11", "1.0", "3.1", "3.5"] {
        let report = Files::new()
            .with("a.txt", text(release, 18, &good_entries()))
            .with("dump.txt", dump(&good()))
            .audit()
            .expect("readable");
        assert_eq!(found(&report), [], "{release}");
        assert_eq!(report.logs[0].compared.snapshots, 1, "{release}");
        assert_eq!(report.logs[0].compared.producers, 2, "{release}");
    }
    let bytes = encode(good_entries().into_iter()).expect("few");
    let report = Files::new()
        .with(&format!("orders-0/{}", name(18)), bytes)
        .with("dump.txt", dump(&good()))
        .audit()
        .expect("readable");
    assert_eq!(found(&report), []);
    assert_eq!(report.logs[0].compared.producers, 2);
}

#[test]
fn a_snapshot_altered_in_one_place_is_one_finding() {
    type Alter = fn(&mut Vec<Entry>);
    let cases: [(&str, Alter); 6] = [
        ("snapshot against log", |it| it[0].last_sequence -= 1),
        ("snapshot against log", |it| it[0].last_offset -= 1),
        ("snapshot against log", |it| it[0].offset_delta -= 1),
        ("snapshot against log", |it| it[1].epoch -= 1),
        ("snapshot against log", |it| it[0].producer_id = 99),
        ("snapshot ahead of its offset", |it| it[1].last_offset = 18),
    ];
    for (kind, alter) in cases {
        let mut entries = good_entries();
        alter(&mut entries);
        let report = Files::new()
            .with("a.txt", text("3.5", 18, &entries))
            .with("dump.txt", dump(&good()))
            .audit()
            .expect("readable");
        assert_eq!(kinds(&report), [kind], "{:?}", texts(&report));
        assert_eq!(report.findings.count(), 1);
    }
}

#[test]
fn a_producer_that_only_a_marker_is_left_of_is_compared_by_its_epoch() {
    let line = |epoch: i16| {
        format!(
            "Dumping /var/kafka/orders-0/{}\nproducerId: 8 producerEpoch: {epoch} coordinatorEpoch: 0 \
             currentTxnFirstOffset: OptionalLong.empty lastTimestamp: 5 \n",
            name(15)
        )
    };
    for (epoch, expected) in [(1, vec![]), (0, vec!["snapshot against log"])] {
        let report = Files::new()
            .with("a.txt", line(epoch))
            .with("dump.txt", dump(&good()))
            .audit()
            .expect("readable");
        assert_eq!(kinds(&report), expected);
    }
}

#[test]
fn a_producer_that_the_snapshot_lacks_may_have_expired() {
    let mut entries = good_entries();
    entries.remove(0);
    let report = Files::new()
        .with("a.txt", text("3.5", 18, &entries))
        .with("dump.txt", dump(&good()))
        .audit()
        .expect("readable");
    assert_eq!(found(&report), []);
    assert!(notes(&report).contains("1 producer of the log not in a snapshot"));
}

#[test]
fn a_snapshot_without_its_log_or_beyond_it_is_said_not_to_be_compared() {
    let alone = Files::new().with("a.txt", text("3.5", 18, &good_entries()));
    let report = alone.audit().expect("readable");
    assert!(
        notes(&report).contains("no log of its partition"),
        "{}",
        notes(&report)
    );
    let beyond = alone.with("dump.txt", dump(&good()[..4]));
    let report = beyond.audit().expect("readable");
    assert!(
        notes(&report).contains("the log that was given ends at 7"),
        "{}",
        notes(&report)
    );
}

#[test]
fn a_snapshot_behind_its_log_in_one_text_is_said_to_come_too_late() {
    let both = dump(&good()) + &text("3.5", 18, &good_entries());
    let report = Files::new()
        .with("both.txt", both)
        .audit()
        .expect("readable");
    assert!(
        notes(&report).contains("files of their own"),
        "{}",
        notes(&report)
    );
}

#[test]
fn a_damaged_snapshot_is_refused() {
    let mut bytes = encode(good_entries().into_iter()).expect("few");
    bytes[20] ^= 1;
    let files = Files::new().with(&format!("orders-0/{}", name(18)), bytes);
    let refused = audit(&files.paths, None, Settings::default()).expect_err("damaged");
    assert!(
        refused.contains("checksum") || refused.contains("CRC"),
        "{refused}"
    );
}

#[test]
fn the_newest_batch_may_pass_the_last_sequence() {
    let log = [batch(7, 0, (5, 8), i32::MAX - 1)];
    let entry = Entry {
        last_sequence: 1,
        last_offset: 8,
        offset_delta: 3,
        ..good_entries()[0]
    };
    let bytes = encode([entry].into_iter()).expect("one");
    let report = Files::new()
        .with(&format!("orders-0/{}", name(9)), bytes)
        .with("dump.txt", segment(Release::V4, 5, &log))
        .audit()
        .expect("readable");
    assert_eq!(found(&report), []);
    assert_eq!(report.logs[0].compared.producers, 1);
}

#[test]
fn a_snapshot_where_the_log_begins_says_what_is_next() {
    // Producer 7: epoch 0, sequences 4 to 6 at offsets 97 to 99.
    let entry = Entry {
        last_sequence: 6,
        last_offset: 99,
        offset_delta: 2,
        ..good_entries()[0]
    };
    for (next, expected) in [
        (batch(7, 0, (100, 101), 7), vec![]),
        (batch(7, 1, (100, 101), 0), vec![]),
        (batch(9, 0, (100, 101), 40), vec![]),
        (batch(7, 0, (100, 102), 4), vec!["written twice"]),
        (batch(7, 0, (100, 103), 3), vec!["written twice"]),
        (batch(7, 0, (100, 101), 9), vec!["sequences missing"]),
        (batch(7, 1, (100, 101), 3), vec!["first sequences missing"]),
    ] {
        let log = segment(Release::V4, 100, &[next]);
        let files = Files::new().with("a.txt", text("3.5", 100, &[entry]));
        let report = files.with("dump.txt", &log).audit().expect("readable");
        assert_eq!(kinds(&report), expected, "{next:?}");
        let alone = Files::new().with("dump.txt", &log);
        assert_eq!(
            kinds(&alone.audit().expect("readable")),
            [""; 0],
            "without it"
        );
    }
    let fenced = Entry { epoch: 1, ..entry };
    let report = Files::new()
        .with("a.txt", text("3.5", 100, &[fenced]))
        .with(
            "dump.txt",
            segment(Release::V4, 100, &[batch(7, 0, (100, 100), 7)]),
        )
        .audit()
        .expect("readable");
    assert_eq!(kinds(&report), ["stale epoch"]);
}

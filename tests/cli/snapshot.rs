//! `retryproof snapshot`.

use std::fs;
use std::path::{Path, PathBuf};

use retryproof::state_manager::snapshot::whole_window::{BatchRecord, Encoder, Producer};
use serde_json::json;
use tempfile::TempDir;

use crate::{command, keys, retryproof, Said};

/// `00000000000000000006.snapshot` as Apache Kafka 4.3.1 wrote it: producer 7 in epoch 2 with
/// sequences 3 to 4 at offsets 3 to 4, producer 9 in epoch 0 with sequence 0 at offset 5.
const TWO_PRODUCERS: &str = "0001985549ca00000002\
    0000000000000007000200000004000000000000000400000001000001a3185c6388ffffffffffffffffffffffff\
    0000000000000009000000000000000000000000000500000000000001a3185c6388ffffffffffffffffffffffff";

fn two_producers() -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&TWO_PRODUCERS[at..at + 2], 16).expect("digits");
    (0..TWO_PRODUCERS.len()).step_by(2).map(digits).collect()
}

/// A whole window up to offset 24: producer 7 with two batches and an open transaction,
/// producer 8 with none.
fn whole_window() -> Vec<u8> {
    let producer = Producer {
        producer_id: 7,
        epoch: 2,
        coordinator_epoch: 3,
        last_timestamp: 1_800_000_005_000,
        last_seen: 1_800_000_005_017,
        transaction_first_offset: 20,
    };
    let without_batch = Producer {
        producer_id: 8,
        coordinator_epoch: -1,
        last_timestamp: -1,
        transaction_first_offset: -1,
        ..producer
    };
    let batch = |last_sequence, last_offset| BatchRecord {
        last_sequence,
        last_offset,
        offset_delta: 2,
        timestamp: 1_800_000_004_000,
    };
    let mut encoder = Encoder::new(24);
    for (producer, batches) in [
        // The first batch passes the last sequence, the second has none.
        (producer, vec![batch(1, 9), batch(-1, 22)]),
        (without_batch, vec![]),
    ] {
        encoder.push(&producer, batches).expect("few batches");
    }
    encoder.finish()
}

/// A file of this name in a directory of its own.
fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join(name);
    fs::write(&path, bytes).expect("a file");
    (place, path)
}

fn snapshot(path: &Path, flags: &[&str]) -> Said {
    said(command().arg("snapshot").arg(path).args(flags))
}

fn said(command: &mut assert_cmd::Command) -> Said {
    let output = command.output().expect("the command starts");
    Said {
        code: output.status.code().expect("the command ends by itself"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Asserts that a file is refused in one line that names it and holds these words.
#[track_caller]
fn refused(name: &str, bytes: &[u8], words: &[&str]) {
    let (_place, path) = file(name, bytes);
    for flags in [&[][..], &["--json"]] {
        let Said { out, err, .. } = snapshot(&path, flags).exits(2);
        assert_eq!(out, "");
        assert_eq!(err.lines().count(), 1, "{err}");
        let start = format!("error: {}: ", path.display());
        assert!(err.starts_with(&start), "{err}");
        for word in words {
            assert!(err.contains(word), "no \"{word}\" in {err}");
        }
    }
}

#[test]
fn a_file_of_kafka_is_shown() {
    let (_place, path) = file("00000000000000000006.snapshot", &two_producers());
    let said = snapshot(&path, &[]).exits(0);
    assert_eq!(said.err, "");
    assert_eq!(
        said.out,
        "\
Kafka's format, the newest batch of each producer, version 1, CRC-32C 985549ca
2 producers, up to offset 6 of the log, exclusive

 producer  epoch  sequences  offsets      timestamp
       id
        7      2        3–4      3–4  1800000005000
        9      0          0        5  1800000005000
"
    );
}

#[test]
fn a_file_of_a_whole_window_is_shown_with_every_batch() {
    let (_place, path) = file("00000000000000000024.window", &whole_window());
    let said = snapshot(&path, &[]).exits(0);
    assert_eq!(said.err, "");
    let (heading, table) = said.out.split_once('\n').expect("a heading");
    assert!(heading.starts_with("The whole window of each producer, version 1, CRC-32C "));
    assert_eq!(
        table,
        "\
2 producers, up to offset 24 of the log, exclusive

 producer  epoch     sequences  offsets      timestamp      last seen  coordinator  transaction
       id                                                                    epoch    open from
        7      2  2147483647–1      7–9  1800000004000  1800000005017            3           20
                                  20–22  1800000004000
        8      2             –        –              –  1800000005017            –            –
"
    );
}

#[test]
fn the_json_of_a_file_of_kafka() {
    let (_place, path) = file("00000000000000000006.snapshot", &two_producers());
    let said = snapshot(&path, &["--json"]).exits(0);
    let producer = |producer_id, epoch, sequences: [i32; 2], offsets: [i64; 2]| {
        json!({
            "producer_id": producer_id,
            "epoch": epoch,
            "coordinator_epoch": null,
            "last_timestamp": 1_800_000_005_000i64,
            "last_seen": null,
            "transaction_first_offset": null,
            "batches": [{
                "first_sequence": sequences[0],
                "last_sequence": sequences[1],
                "first_offset": offsets[0],
                "last_offset": offsets[1],
                "timestamp": null,
            }],
        })
    };
    assert_eq!(
        said.json(),
        json!({
            "format": "kafka",
            "version": 1,
            "checksum": "985549ca",
            "map_end": 6,
            "refused": null,
            "producers": [producer(7, 2, [3, 4], [3, 4]), producer(9, 0, [0, 0], [5, 5])],
        })
    );
}

#[test]
fn the_json_of_a_file_of_a_whole_window() {
    let (_place, path) = file("some.window", &whole_window());
    let mut said = snapshot(&path, &["--json"]).exits(0).json();
    let checksum = said["checksum"].take();
    assert_eq!(checksum.as_str().map(str::len), Some(8));
    let batch = |sequences: [Option<i32>; 2], offsets: [i64; 2]| {
        json!({
            "first_sequence": sequences[0],
            "last_sequence": sequences[1],
            "first_offset": offsets[0],
            "last_offset": offsets[1],
            "timestamp": 1_800_000_004_000i64,
        })
    };
    assert_eq!(
        said,
        json!({
            "format": "whole-window",
            "version": 1,
            "checksum": null,
            "map_end": 24,
            "refused": null,
            "producers": [
                {
                    "producer_id": 7,
                    "epoch": 2,
                    "coordinator_epoch": 3,
                    "last_timestamp": 1_800_000_005_000i64,
                    "last_seen": 1_800_000_005_017i64,
                    "transaction_first_offset": 20,
                    "batches": [
                        batch([Some(i32::MAX), Some(1)], [7, 9]),
                        batch([None, None], [20, 22]),
                    ],
                },
                {
                    "producer_id": 8,
                    "epoch": 2,
                    "coordinator_epoch": null,
                    "last_timestamp": null,
                    "last_seen": 1_800_000_005_017i64,
                    "transaction_first_offset": null,
                    "batches": [],
                },
            ],
        })
    );
}

#[test]
fn a_file_comes_from_stdin_too() {
    let said = said(
        command()
            .args(["snapshot", "-", "--json"])
            .write_stdin(two_producers()),
    );
    let json = said.exits(0).json();
    assert!(json["map_end"].is_null(), "stdin has no name");
    assert_eq!(json["producers"].as_array().map(Vec::len), Some(2));
    assert_eq!(keys(&json).len(), 6);
}

#[test]
fn a_name_says_nothing_about_the_format() {
    let (_place, path) = file("whatever", &two_producers());
    snapshot(&path, &[])
        .exits(0)
        .tells(["Kafka's format", "the file does not say up to which offset"]);
}

#[test]
fn a_file_whose_name_contradicts_it_is_shown_with_a_remark() {
    let (_place, path) = file("00000000000000000025.window", &whole_window());
    let reason = "by its name it covers the log up to offset 25, exclusive";
    remarked(&path, "up to offset 24 of the log", reason);
    let json = snapshot(&path, &["--json"]).exits(0).json();
    assert_eq!(json["map_end"], 24);
}

/// Asserts that a file is shown, but with a remark why a broker refuses it.
#[track_caller]
fn remarked(path: &Path, shown: &str, reason: &str) {
    let remark = format!("a broker refuses it: {reason}\n");
    snapshot(path, &[]).exits(0).tells([shown, &remark]);
    let json = snapshot(path, &["--json"]).exits(0).json();
    assert_eq!(json["refused"], reason);
}

#[test]
fn an_offset_that_the_name_does_not_cover_is_remarked() {
    let (_place, path) = file("00000000000000000005.snapshot", &two_producers());
    let reason = "offset 5 of producer 9 is at or after the offset in its name";
    remarked(&path, "up to offset 5 of the log", reason);
    let (_place, path) = file("00000000000000000006.snapshot", &two_producers());
    let json = snapshot(&path, &["--json"]).exits(0).json();
    assert!(json["refused"].is_null());
}

#[test]
fn two_entries_of_one_producer_are_refused() {
    let mut encoder = Encoder::new(0);
    let producer = Producer {
        producer_id: 7,
        epoch: 0,
        coordinator_epoch: -1,
        last_timestamp: -1,
        last_seen: 0,
        transaction_first_offset: -1,
    };
    for _ in 0..2 {
        encoder.push(&producer, []).expect("no batches");
    }
    let words = ["producer 7 has more than one entry", "delete it"];
    refused("a.window", &encoder.finish(), &words);
    let mut twice = two_producers();
    // The id of the second entry, and the checksum of all that follows it.
    twice[10 + 46 + 7] = 7;
    let checksum = crc32c::crc32c(&twice[6..]);
    twice[2..6].copy_from_slice(&checksum.to_be_bytes());
    refused("a.snapshot", &twice, &words);
}

#[test]
fn a_file_without_producers_is_shown_without_a_table() {
    let (_place, path) = file("00000000000000000000.window", &Encoder::new(0).finish());
    let said = snapshot(&path, &[]).exits(0);
    assert_eq!(said.out.lines().count(), 2, "{}", said.out);
    said.tells(["0 producers, up to offset 0"]);
}

#[test]
fn a_damaged_file_is_refused() {
    for (name, whole) in [
        ("a.snapshot", two_producers()),
        ("a.window", whole_window()),
    ] {
        let mut flipped = whole.clone();
        flipped[whole.len() - 1] ^= 1;
        refused(name, &flipped, &["the checksum is", "delete it"]);
        let cut = &whole[..whole.len() - 1];
        refused(name, cut, &["cut short", "delete it"]);
        let longer = [&whole[..], b"xy"].concat();
        refused(name, &longer, &["2 bytes more", "delete it"]);
    }
}

#[test]
fn an_empty_file_is_refused() {
    refused("a.snapshot", b"", &["0 bytes", "delete it"]);
}

#[test]
fn another_version_is_refused() {
    let mut newer = whole_window();
    newer[11] = 2;
    refused(
        "a.window",
        &newer,
        &["version 2", "the release that wrote it"],
    );
}

#[test]
fn a_file_of_something_else_is_refused() {
    refused(
        "a.log",
        b"no snapshot at all",
        &["give a file", ".snapshot"],
    );
}

#[test]
fn a_directory_and_a_missing_file_are_refused() {
    let place = tempfile::tempdir().expect("a directory");
    for path in [place.path().to_owned(), place.path().join("missing")] {
        let Said { out, err, .. } = snapshot(&path, &[]).exits(2);
        assert_eq!(out, "");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains(&path.display().to_string()), "{err}");
        assert!(err.contains("or - for stdin"), "{err}");
    }
}

#[test]
fn no_file_at_all_is_refused() {
    let said = retryproof("snapshot").exits(2);
    assert_eq!(said.err, "error: <FILE> is missing; see --help\n");
}

#[test]
#[cfg(unix)]
fn a_reader_who_has_seen_enough_is_no_error() {
    use std::process::{Command, Stdio};

    // More than a pipe holds.
    let mut encoder = Encoder::new(i64::MAX);
    for producer_id in 0..5000 {
        let producer = Producer {
            producer_id,
            epoch: 0,
            coordinator_epoch: -1,
            last_timestamp: -1,
            last_seen: 0,
            transaction_first_offset: -1,
        };
        encoder.push(&producer, []).expect("no batches");
    }
    let (_place, path) = file("a.window", &encoder.finish());
    for flags in [&[][..], &["--json"]] {
        let mut child = Command::new(command().get_program())
            .arg("snapshot")
            .arg(&path)
            .args(flags)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

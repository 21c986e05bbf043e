//! What can be given, in which order, and what is refused.

use std::io::Write;

use flate2::write::GzEncoder;
use flate2::Compression;

use super::dump::{batch, dump, good, line, segment, Release};
use super::{audit_text, found, kinds, notes, texts, Files};

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn a_packed_dump_is_unpacked() {
    let report = Files::new()
        .with("dump.gz", packed(&dump(&good())))
        .audit()
        .expect("readable");
    assert_eq!(found(&report), []);
    assert_eq!(report.batches, good().len() as u64);
}

#[test]
fn segments_are_read_in_the_order_of_their_offsets_and_releases_may_be_mixed() {
    let (first, second) = (&good()[..5], &good()[5..]);
    let report = Files::new()
        .with("a.txt", segment(Release::V2_1, 8, second))
        .with("b.txt", segment(Release::V4, 0, first))
        .audit()
        .expect("readable");
    assert_eq!(found(&report), []);
    assert_eq!(report.logs.len(), 1);
    let one_text = segment(Release::V0_11, 0, first) + &segment(Release::V4, 8, second);
    assert_eq!(found(&audit_text(&one_text)), []);
}

#[test]
fn a_segment_that_is_missing_is_found_at_the_next() {
    let report = Files::new()
        .with("a.txt", segment(Release::V4, 0, &good()[..4]))
        .with("b.txt", segment(Release::V4, 18, &good()[9..]))
        .audit()
        .expect("readable");
    assert_eq!(kinds(&report), ["offsets missing"]);
    assert!(texts(&report)[0].contains("offsets 7 to 17"));
}

#[test]
fn a_segment_that_holds_offsets_before_its_name_is_found() {
    let text = segment(Release::V4, 5, &good());
    assert_eq!(kinds(&audit_text(&text)), ["offsets twice"]);
    let unnamed = text.replace("00000000000000000005.log", "segment.log");
    assert_eq!(kinds(&audit_text(&unnamed)), ["offsets twice"]);
}

#[test]
fn numbers_as_large_as_can_be_do_no_harm() {
    let mut log = good();
    log[3].last = i64::MAX;
    log[3].valid = false;
    log.insert(4, log[3]);
    log.insert(4, log[3]);
    let report = audit_text(&dump(&log));
    assert!(kinds(&report).contains(&"batch damaged"));
}

#[test]
fn segments_in_one_text_that_are_not_in_order_are_refused() {
    let wrong = segment(Release::V4, 8, &good()[5..]) + &segment(Release::V4, 0, &good()[..5]);
    let refused = Files::new()
        .with("a.txt", wrong)
        .audit()
        .expect_err("order");
    assert!(
        refused.contains("line 9: this segment begins at offset 0"),
        "{refused}"
    );
    assert!(refused.contains("oldest first"), "{refused}");
}

#[test]
fn replicas_lie_in_directories_of_their_own_and_are_compared() {
    let good = good();
    let mut other = good.clone();
    other[5].producer = 9;
    other[5].first_sequence = 0;
    other[5].last_sequence = 4;
    other[5].leader_epoch = 3;
    // The follower is behind, which is no difference.
    other.truncate(8);
    let report = Files::new()
        .with("broker-1/dump.txt", dump(&good))
        .with("broker-2/dump.txt", dump(&other))
        .audit()
        .expect("readable");
    assert_eq!(report.logs.len(), 2);
    assert_eq!(kinds(&report), ["replicas differ"]);
    assert!(
        texts(&report)[0].contains("leader epoch"),
        "{:?}",
        texts(&report)
    );
    let same = Files::new()
        .with("broker-1/dump.txt", dump(&good))
        .with("broker-2/dump.txt", dump(&good[..8]))
        .with("broker-3/dump.txt", dump(&good))
        .audit()
        .expect("readable");
    assert_eq!(found(&same), []);
}

#[test]
fn replicas_of_several_partitions_in_one_text_are_not_mixed_up() {
    let other = |text: &str| text.replace("orders-0", "orders-1");
    let (short, long) = (dump(&good()[..6]), dump(&good()));
    let mut reset = good();
    reset
        .iter_mut()
        .for_each(|it| it.producer += 10 * i64::from(it.producer >= 0));
    let report = Files::new()
        .with("broker-1/dump.txt", short + &other(&dump(&reset)))
        .with("broker-2/dump.txt", long + &other(&dump(&reset)))
        .audit()
        .expect("readable");
    assert_eq!(found(&report), [], "{:?}", texts(&report));
    assert_eq!(report.logs.len(), 4);
}

#[test]
fn partitions_are_kept_apart() {
    let other = dump(&good()).replace("orders-0", "orders-1");
    let report = audit_text(&(dump(&good()) + &other));
    assert_eq!(found(&report), []);
    assert_eq!(report.logs.len(), 2);
}

#[test]
fn messages_of_the_tool_carriage_returns_and_a_byte_order_mark_do_no_harm() {
    let noisy = format!(
        "\u{feff}SLF4J: Class path contains multiple bindings.\n{}Non-consecutive offsets in /x\n  -1 is followed by 3\n",
        dump(&good())
    );
    let report = audit_text(&noisy.replace('\n', "\r\n"));
    assert_eq!(found(&report), []);
    assert_eq!(report.batches, good().len() as u64);
    assert!(
        notes(&report).contains("1 line from here on is no part of a dump and was passed over"),
        "{}",
        notes(&report)
    );
}

#[test]
fn a_torn_tail_and_a_cut_line_are_noted() {
    let torn = dump(&good()) + "Found 17 invalid bytes at the end of 00000000000000000000.log\n";
    let report = audit_text(&torn);
    assert_eq!(found(&report), []);
    assert!(notes(&report).contains("17 bytes that are no whole batch"));
    let cut = dump(&good()) + "baseOffset: 21 lastOff";
    let report = audit_text(&cut);
    assert_eq!(found(&report), []);
    assert!(notes(&report).contains("cut off"), "{}", notes(&report));
}

#[test]
fn a_batch_line_of_no_release_is_refused_with_its_line() {
    for (from, to, line) in [
        ("producerEpoch: 0", "producerEpoch: zero", 3),
        ("crc: 5 ", "crc: 5 colour: blue ", 5),
        ("size: 100 ", "", 3),
    ] {
        let text = dump(&good()).replacen(from, to, 1);
        let refused = Files::new().with("a.txt", &text).audit().expect_err(to);
        assert!(refused.starts_with(&format!("line {line}: ")), "{refused}");
        assert!(
            refused.contains("no batch line of any release"),
            "{refused}"
        );
    }
}

#[test]
fn lines_that_are_left_out_of_a_dump_are_not_missing_in_the_log() {
    let text = dump(&good());
    let without: String = text
        .split_inclusive('\n')
        .filter(|line| !line.contains("baseOffset: 3 "))
        .collect();
    let report = audit_text(&without);
    assert_eq!(found(&report), []);
    assert!(
        notes(&report).contains("Lines of the dump of orders-0 are missing"),
        "{}",
        notes(&report)
    );
}

/// A dump with payloads, of which one holds these lines.
fn with_payload(payload: &str) -> String {
    let mut text = "Dumping /var/kafka/orders-0/00000000000000000000.log\n".to_owned();
    for (batch, number) in good().iter().zip(0..) {
        text += &line(Release::V4, batch, 100 * number);
        text += &format!("| offset: {} CreateTime: 5 keySize: 1 valueSize: 9 sequence: 0 headerKeys: [] key: k payload: {payload}\n", batch.base);
    }
    text
}

#[test]
fn lines_in_payloads_are_not_taken_for_what_they_look_like() {
    let forged = line(Release::V4, &batch(7, 0, (50, 50), 0), 7);
    for payload in [
        "x",
        &format!("x\n{forged}"),
        "x\nbaseOffset: nonsense",
        "x\nDumping /var/kafka/orders-0/00000000000000000000.log",
        "x\nDumping /var/kafka/orders-0/00000000000000000018.snapshot\nproducerId: 7 producerEpoch: 0",
        "x\noffset: 3 position: 0 magic: 2 producerId: 7 sequence: 0",
        "x\n| offset: 99",
    ] {
        let report = audit_text(&with_payload(payload));
        assert_eq!(found(&report), [], "{payload}");
        assert_eq!(report.batches, good().len() as u64, "{payload}");
    }
}

#[test]
fn in_a_dump_with_payloads_a_new_segment_is_still_one() {
    let first = with_payload("x");
    let more = with_payload("x\ny").replace("orders-0", "orders-1");
    let report = audit_text(&(first + &more));
    assert_eq!(found(&report), []);
    assert_eq!(report.logs.len(), 2);
    assert_eq!(report.batches, 2 * good().len() as u64);
}

#[test]
fn records_without_their_batches_are_refused() {
    for text in [
        "Dumping /var/kafka/orders-0/00000000000000000000.log\n| key: k payload: v\n",
        "| offset: 0 CreateTime: 5 keySize: 1 valueSize: 9 sequence: 0 headerKeys: []\nbaseOffset: 0\n",
    ] {
        let refused = Files::new().with("a.txt", text).audit().expect_err(text);
        assert!(refused.contains("--skip-record-metadata"), "{refused}");
    }
}

#[test]
fn an_input_that_is_nothing_of_the_kind_is_refused() {
    for (bytes, words) in [
        (&b""[..], "empty"),
        (b"hello\n", "no output of kafka-dump-log.sh"),
        (b"\xff\xfeD\0u\0m\0", "UTF-16"),
        (b"| key: k payload: v\n", "--skip-record-metadata"),
        (&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1], "incomplete"),
    ] {
        let refused = Files::new().with("a.txt", bytes).audit().expect_err(words);
        assert!(refused.contains(words), "{refused}");
    }
}

#[test]
fn deep_dumps_of_old_releases_are_judged_by_their_records() {
    let record = |offset: i64, position: u64, sequence: i32| {
        format!(
            "offset: {offset} position: {position} CreateTime: 5 isvalid: true keysize: 1 valuesize: 9 magic: 2 \
             compresscodec: NONE producerId: 7 producerEpoch: 0 sequence: {sequence} isTransactional: false headerKeys: []\n"
        )
    };
    let head = "Dumping /var/kafka/orders-0/00000000000000000000.log\nStarting offset: 0\n";
    let good = [
        record(0, 0, 0),
        record(1, 0, 1),
        record(2, 90, 2),
        record(3, 90, 3),
    ]
    .concat();
    let report = audit_text(&format!("{head}{good}"));
    assert_eq!(found(&report), []);
    assert_eq!(report.batches, 2);
    let again = record(4, 180, 2);
    let report = audit_text(&format!("{head}{good}{again}"));
    assert_eq!(found(&report), [("written twice", 1, 7)]);
    let gap = record(4, 180, 6);
    let report = audit_text(&format!("{head}{good}{gap}"));
    assert_eq!(found(&report), [("sequences missing", 1, 7)]);
}

#[cfg(unix)]
#[test]
fn a_pipe_that_has_a_path_is_read_once_and_whole() {
    let mut wrong = good();
    wrong.insert(6, wrong[5]);
    let place = tempfile::tempdir().expect("a directory");
    let pipe = place.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, dump(&wrong))
    });
    let report = super::audit(&[pipe], None, Default::default()).expect("readable");
    writer.join().expect("no panic").expect("written");
    assert_eq!(report.batches, good().len() as u64 + 1);
    assert!(report.findings.count() > 0);
}

#[test]
fn a_damaged_segment_is_not_taken_for_a_snapshot() {
    let path = super::data().join("logs/sound/segments/orders-0/00000000000000000000.log");
    let mut bytes = std::fs::read(path).expect("a segment");
    bytes[1] ^= 1;
    let report = Files::new()
        .with("orders-0/00000000000000000000.log", bytes)
        .audit()
        .expect("a segment");
    assert!(report.findings.count() > 0, "{:?}", texts(&report));
}

#[test]
fn logs_of_unknown_partitions_are_not_compared() {
    let bare = |log: &[_]| dump(log).replace("/var/kafka/orders-0/", "");
    let mut other = good();
    other.iter_mut().for_each(|it| it.leader_epoch += 1);
    let report = Files::new()
        .with("one/dump.txt", bare(&good()))
        .with("two/dump.txt", bare(&other))
        .audit()
        .expect("readable");
    assert_eq!(found(&report), []);
    assert_eq!(report.logs.len(), 2);
}

#[test]
fn batch_lines_that_do_not_begin_their_line_are_refused() {
    for text in [
        dump(&good()).replace('\n', "\r"),
        dump(&good()).replace("baseOffset", " baseOffset"),
    ] {
        let refused = Files::new().with("a.txt", text).audit().expect_err("lines");
        assert!(refused.contains("does not begin its line"), "{refused}");
    }
}

#[test]
fn a_name_in_a_dump_holds_nothing_that_a_terminal_obeys() {
    let report = audit_text(&dump(&good()).replace("orders-0", "\u{1b}[31morders-0"));
    assert!(!report.logs[0].name.contains('\u{1b}'));
}

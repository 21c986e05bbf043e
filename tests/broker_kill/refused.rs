//! What the broker does not take: a batch for which there is no room, and what is no batch.

use std::io::{BufRead, Write};
use std::process::Command;

use super::broker::{program, Broker};
use super::log_file::LogFile;
use super::producer::Producer;

/// Sends one line, and reads the answer.
fn answer(broker: &mut Broker, line: impl AsRef<[u8]>) -> String {
    let line = [line.as_ref(), b"\n"].concat();
    broker.requests.write_all(&line).expect("the broker reads");
    let mut answer = String::new();
    let read = broker.answers.read_line(&mut answer);
    read.expect("the broker answers");
    answer.trim_end().to_owned()
}

/// The system refuses to let files grow beyond 32 KiB: of a longer frame it writes the
/// first part, and then no more.
#[test]
fn a_batch_that_does_not_fit_is_refused_and_leaves_nothing_behind() {
    let directory = tempfile::tempdir().expect("a directory for the broker");
    let mut shell = Command::new("sh");
    let limited = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$1\"";
    shell
        .args(["-c", limited])
        .arg(program())
        .arg(directory.path());
    let mut broker = Broker::run(&mut shell);

    let (mut long, mut short) = (Producer::new(1), Producer::new(2));
    let fits = long.make(10).line();
    assert_eq!(answer(&mut broker, &fits), "ok 0");
    let does_not_fit = long.make(5).line();
    for _ in 0..2 {
        let refused = answer(&mut broker, &does_not_fit);
        assert!(
            refused.starts_with("error 56 KAFKA_STORAGE_ERROR "),
            "{refused}"
        );
        let mut log = LogFile::of(directory.path());
        assert_eq!(log.read_on(), 0, "half a frame is left");
    }
    // What fits is taken, and what was refused is not known.
    assert_eq!(answer(&mut broker, short.make(2).line()), "ok 10");
    let behind = answer(&mut broker, long.make(1).line());
    assert!(
        behind.starts_with("error 45 OUT_OF_ORDER_SEQUENCE_NUMBER "),
        "{behind}"
    );
    broker.stop();

    // With room again, the retry is the first of its kind.
    let mut broker = Broker::start(directory.path());
    assert_eq!(answer(&mut broker, &does_not_fit), "ok 12");
    assert_eq!(answer(&mut broker, &does_not_fit), "duplicate 12");
    assert_eq!(answer(&mut broker, &fits), "duplicate 0");
    broker.stop();
}

#[test]
fn what_is_no_request_is_refused() {
    let directory = tempfile::tempdir().expect("a directory for the broker");
    let mut broker = Broker::start(directory.path());
    for line in ["", "7", "7 0 0", "x 0 0 a", "7 99999 0 a", "-1 -1 -1 a"] {
        let refused = answer(&mut broker, line);
        assert!(
            refused.starts_with("error 42 INVALID_REQUEST "),
            "{refused}"
        );
    }
    let refused = answer(&mut broker, "7 0 -5 a");
    assert!(refused.starts_with("error 87 INVALID_RECORD "), "{refused}");
    broker.stop();
}

#[test]
fn a_line_that_is_not_utf_8_is_refused_and_the_next_is_served() {
    let directory = tempfile::tempdir().expect("a directory for the broker");
    let mut broker = Broker::start(directory.path());
    for line in [&b"\xff"[..], b"7 0 0 \xc3\x28", b"7 0 0 a,\xf0\x9f\x8d"] {
        let refused = answer(&mut broker, line);
        assert!(
            refused.starts_with("error 42 INVALID_REQUEST "),
            "{refused}"
        );
    }
    let taken = Producer::new(7).make(2).line();
    assert_eq!(answer(&mut broker, &taken), "ok 0");
    broker.stop();
    let mut log = LogFile::of(directory.path());
    assert_eq!((log.read_on(), log.frames.len()), (0, 1));
}

//! A log that the disk has damaged where answers were given: the broker must not take what
//! lies behind the damage for a torn frame and cut it off.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::broker::{program, Broker};
use super::log_file::LogFile;
use super::producer::Producer;
use super::request::Request;

/// A log of three batches, whose sizes in bytes are returned.
fn three_batches(directory: &Path) -> [usize; 3] {
    let mut log = LogFile::of(directory);
    let mut producer = Producer::new(7);
    [2, 3, 1].map(|count| {
        let bytes = log.next_frame(producer.make(count)).bytes();
        log.append(&bytes);
        log.read_on();
        bytes.len()
    })
}

fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(directory).expect("the broker's directory");
    let paths = entries.map(|entry| entry.expect("the broker's directory").path());
    let read = |path: PathBuf| (path.clone(), fs::read(path).expect("it can be read"));
    paths.map(read).collect()
}

/// A start must fail, say why, and leave every file as it is.
fn assert_refused(directory: &Path) {
    let before = contents(directory);
    let mut command = Command::new(program());
    let output = command.arg(directory).stdin(Stdio::null()).output();
    let output = output.expect("the example can be started");
    let why = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{why}");
    assert!(why.contains("is damaged behind offset "), "{why}");
    assert!(output.stdout.is_empty());
    assert!(contents(directory) == before, "something was changed");
}

#[test]
fn a_flipped_byte_before_a_whole_frame_stops_the_start() {
    let directory = tempfile::tempdir().expect("a directory for the broker");
    let [first, second, _] = three_batches(directory.path());
    let path = LogFile::of(directory.path()).path();
    let whole = fs::read(&path).expect("it was written");
    for at in 0..first + second {
        for flip in [0x01, 0x10, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            fs::write(&path, bytes).expect("there is room");
            assert_refused(directory.path());
        }
    }
}

#[test]
fn a_log_that_ends_before_a_snapshot_stops_the_start() {
    let directory = tempfile::tempdir().expect("a directory for the broker");
    let [first, second, third] = three_batches(directory.path());
    Broker::start(directory.path()).stop(); // It writes a snapshot at the end of the log.
    let path = LogFile::of(directory.path()).path();
    let whole = fs::read(&path).expect("it was written");
    assert_eq!(whole.len(), first + second + third);

    // The last frame is damaged, or gone: nothing lies behind, but it was answered.
    let mut flipped = whole.clone();
    flipped[first + second + 20] ^= 0x10;
    for bytes in [&flipped, &whole[..first + second], &whole[..first], &[]] {
        fs::write(&path, bytes).expect("there is room");
        assert_refused(directory.path());
    }

    fs::write(&path, whole).expect("there is room");
    Broker::start(directory.path()).stop();
}

/// A client that sends a frame as a record must not be able to make a torn frame look like
/// one with more behind it.
#[test]
fn a_frame_within_a_torn_request_does_not_stop_the_start() {
    let directory = tempfile::tempdir().expect("a directory for the broker");
    three_batches(directory.path());
    let mut log = LogFile::of(directory.path());
    log.read_on();
    let planted = Request {
        count: 2,
        ..log.frames[0].request
    };
    // All but the line end, which would end the request.
    let planted = &log.next_frame(planted).bytes()[1..];
    let torn = [
        &b"\n\0\0\0\0\0\0\x10\0"[..],
        &[0; 12],
        b"8 0 0 a",
        planted,
        b"a",
    ]
    .concat();
    log.append(&torn);
    Broker::start(directory.path()).stop();
    assert_eq!((log.read_on(), log.frames.len()), (0, 3));
}

//! Bytes judged as a log, whatever they are.
//!
//! Not a module of the library beside it: the audit comes with the feature `suite`, which the
//! other targets do without.

use std::io::Cursor;
use std::rc::Rc;

use retryproof::audit::acks::Acks;
use retryproof::audit::input::{Input, Progress};
use retryproof::audit::run::{run as judge, Settings};
use retryproof::audit::{FileId, Position};

/// What stands between acknowledgements and log. Without it there is a log only.
const SEPARATOR: &[u8] = b"\n====\n";

/// Fails if the audit panics, or finds something where there is nothing.
pub fn run(bytes: &[u8]) {
    let at = bytes
        .windows(SEPARATOR.len())
        .position(|window| window == SEPARATOR);
    let (acks, log) = match at {
        Some(at) => (Some(&bytes[..at]), &bytes[at + SEPARATOR.len()..]),
        None => (None, bytes),
    };
    let acks = acks.and_then(|acks| Acks::read(FileId(1), acks).ok());
    let progress: Progress = Rc::new(|_| {});
    let Ok(input) = Input::stream(FileId(0), Cursor::new(log.to_vec()), &progress) else {
        return;
    };
    let names = vec!["log".to_owned(), "acks".to_owned()];
    let Ok(report) = judge(vec![input], names, acks, Settings::default(), progress) else {
        return;
    };
    // A file that is packed has more lines than its bytes show.
    if log.starts_with(&[0x1f, 0x8b]) {
        return;
    }
    let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
    for (kind, found) in report.findings.by_kind() {
        assert!(found.count >= found.kept.len() as u64, "{kind:?}");
        for finding in &found.kept {
            assert!(!finding.text.is_empty());
            if let Position::Line(line) = finding.place.position {
                assert!((1..=lines).contains(&line), "{finding:?}");
            }
        }
    }
    assert!(report.batches <= bytes.len() as u64);
}

//! The logs of the real Kafka in `tests/data/dumps`, and what an audit tells of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use retryproof::audit::finding::Range;
use retryproof::audit::input::Input;
use retryproof::audit::kind::Kind;
use retryproof::audit::run::{self, Settings};
use retryproof::audit::FileId;

/// Releases whose tool printed the logs, the oldest first.
pub const RELEASES: [&str; 8] = [
    "0.11.0.3", "1.1.1", "2.1.1", "2.7.2", "2.8.2", "3.1.2", "3.9.1", "4.3.1",
];

/// What an audit tells, but for where and in which words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub batches: u64,
    pub findings: Vec<Found>,
}

/// A finding, but for where and in which words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub kind: Kind,
    pub producer: Option<(i64, Option<i16>)>,
    pub sequences: Option<Range<i32>>,
    pub offsets: Option<Range<i64>>,
}

impl Told {
    /// The kinds of the findings, each as often as it was found.
    pub fn kinds(&self) -> Vec<Kind> {
        self.findings.iter().map(|found| found.kind).collect()
    }
}

/// Where the recorded logs and texts lie.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps")
}

/// The names of all logs, as `sound/gap`.
pub fn names() -> Vec<String> {
    let mut names = Vec::new();
    for kind in ["sound", "wrong", "damaged"] {
        for entry in entries(&data().join("logs").join(kind)) {
            let name = entry.file_name().expect("a name").to_string_lossy();
            names.push(format!("{kind}/{name}"));
        }
    }
    names
}

/// The segments and snapshots of a log, of all its replicas.
pub fn files(log: &str) -> Vec<PathBuf> {
    files_in(&data().join("logs").join(log))
}

/// Audits these files, as the command does.
///
/// # Errors
/// If one of them is refused: with the message.
pub fn audit(files: &[PathBuf]) -> Result<Told, String> {
    let inputs = files.iter().enumerate().map(|(number, path)| {
        let file = FileId(u32::try_from(number).expect("a few files"));
        Input::file(file, path).map_err(|refused| format!("{}: {refused:?}", path.display()))
    });
    let inputs = inputs.collect::<Result<Vec<Input>, String>>()?;
    let names = files
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let report = run::run(inputs, names, None, Settings::default(), Rc::new(|_| {}))
        .map_err(|error| error.to_string())?;
    let mut findings = Vec::new();
    for (kind, of_kind) in report.findings.by_kind() {
        assert_eq!(
            of_kind.kept.len() as u64,
            of_kind.count,
            "few enough to keep all"
        );
        findings.extend(of_kind.kept.iter().map(|finding| Found {
            kind,
            producer: finding.producer,
            sequences: finding.sequences,
            offsets: finding.offsets,
        }));
    }
    Ok(Told {
        batches: report.batches,
        findings,
    })
}

fn files_in(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in entries(directory) {
        if entry.is_dir() {
            files.extend(files_in(&entry));
        } else {
            files.push(entry);
        }
    }
    files
}

/// What lies in a directory, in order.
fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{directory:?}: {error}"));
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    entries.sort();
    entries
}

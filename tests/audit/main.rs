//! `retryproof audit`: what it finds in logs, and that it finds nothing in good ones.

mod acks;
mod dump;
mod edges;
mod fuzzed;
mod inputs;
mod memory;
mod mutants;
mod real;
mod refused;
mod snapshots;

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use retryproof::audit::acks::Acks;
use retryproof::audit::input::Input;
use retryproof::audit::report::Report;
use retryproof::audit::run::{run, Settings};
use retryproof::audit::FileId;
use tempfile::TempDir;

/// Files in a directory of their own.
struct Files {
    place: TempDir,
    paths: Vec<PathBuf>,
}

impl Files {
    fn new() -> Self {
        Files {
            place: tempfile::tempdir().expect("a directory"),
            paths: Vec::new(),
        }
    }

    /// With one file more; its name may have directories in front.
    fn with(mut self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.place.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, bytes).expect("a file");
        self.paths.push(path);
        self
    }

    fn audit(&self) -> Result<Report, String> {
        audit(&self.paths, None, Settings::default())
    }
}

/// Judges files.
fn audit(paths: &[PathBuf], acks: Option<Acks>, settings: Settings) -> Result<Report, String> {
    let inputs: Result<Vec<Input>, String> = paths
        .iter()
        .zip(0..)
        .map(|(path, number)| {
            Input::file(FileId(number), path).map_err(|error| format!("{error:?}"))
        })
        .collect();
    let names = paths.iter().map(|path| path.display().to_string());
    let report = run(inputs?, names.collect(), acks, settings, Rc::new(|_| {}));
    report.map_err(|error| error.to_string())
}

/// Judges one text.
fn audit_text(text: &str) -> Report {
    Files::new()
        .with("dump.txt", text)
        .audit()
        .unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// What was found: kind, how often, and the first line.
fn found(report: &Report) -> Vec<(&'static str, u64, u64)> {
    let by_kind = report.findings.by_kind();
    by_kind
        .map(|(kind, found)| {
            let first = found
                .kept
                .first()
                .map_or(0, |it| it.place.position.number());
            (kind.title(), found.count, first)
        })
        .collect()
}

/// The kinds of what was found.
fn kinds(report: &Report) -> Vec<&'static str> {
    found(report).into_iter().map(|(kind, ..)| kind).collect()
}

/// The text of all findings.
fn texts(report: &Report) -> Vec<&str> {
    let by_kind = report.findings.by_kind();
    by_kind
        .flat_map(|(_, found)| &found.kept)
        .map(|finding| finding.text.as_str())
        .collect()
}

/// The notes.
fn notes(report: &Report) -> String {
    let notes = report.notes.iter().map(|note| note.text.as_str());
    notes.collect::<Vec<_>>().join("\n")
}

/// The data recorded from the real Kafka.
fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps")
}

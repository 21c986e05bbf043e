//! Each log that the real Kafka wrote gives the findings that it was made for, read as the files themselves
//! and as what the tool of each release printed for them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use retryproof::audit::kind::Kind;

use crate::logs::{audit, data, files, names, Told, RELEASES};

/// What is wrong with each log that is not sound, in the order in which kinds are shown. `None`: it is refused.
const WRONG: &[(&str, Option<&[Kind]>)] = &[
    ("wrong/begins-late", Some(&[Kind::FirstMissing])),
    ("wrong/diverged-replicas", Some(&[Kind::ReplicasDiffer])),
    ("wrong/duplicate", Some(&[Kind::Duplicate])),
    ("wrong/duplicate-across-segments", Some(&[Kind::Duplicate])),
    (
        "wrong/duplicate-outside-the-window",
        Some(&[Kind::Duplicate]),
    ),
    ("wrong/epoch-falls", Some(&[Kind::Stale])),
    ("wrong/gap", Some(&[Kind::Gap])),
    ("wrong/gap-across-segments", Some(&[Kind::Gap])),
    ("wrong/missing-segment", Some(&[Kind::Hole])),
    ("wrong/new-epoch-begins-late", Some(&[Kind::FirstMissing])),
    ("wrong/overlap", Some(&[Kind::Duplicate])),
    // The third batch comes too early, and the second too late.
    ("wrong/overtaken", Some(&[Kind::Late, Kind::Gap])),
    ("wrong/snapshot-ahead", Some(&[Kind::SnapshotAhead])),
    ("wrong/snapshot-behind", Some(&[Kind::SnapshotDiffers])),
    // Another batch of one producer, and one that is not in the log.
    (
        "wrong/snapshot-of-another-log",
        Some(&[Kind::SnapshotDiffers, Kind::SnapshotDiffers]),
    ),
    ("wrong/writes-on-after-the-fence", Some(&[Kind::Stale])),
    ("damaged/altered-record-at-the-end", Some(&[Kind::Corrupt])),
    (
        "damaged/altered-record-in-the-middle",
        Some(&[Kind::Corrupt]),
    ),
    ("damaged/huge-length-in-the-middle", Some(&[Kind::Corrupt])),
    (
        "damaged/negative-length-in-the-middle",
        Some(&[Kind::Corrupt]),
    ),
    ("damaged/not-a-log", None),
    // What lies before the offset in the name is not judged.
    (
        "damaged/renamed",
        Some(&[Kind::Overlap, Kind::Overlap, Kind::Overlap]),
    ),
    ("damaged/zeros-in-the-middle", Some(&[Kind::Corrupt])),
    ("damaged/text-at-the-end", Some(&[Kind::Corrupt])),
    // A torn tail is what a crash leaves, and what is cut off at the next start.
    ("damaged/empty", Some(&[])),
    ("damaged/torn-in-the-header", Some(&[])),
    ("damaged/torn-in-the-length", Some(&[])),
    ("damaged/torn-in-the-records", Some(&[])),
    ("damaged/whole", Some(&[])),
];

#[test]
fn each_log_gives_the_findings_that_it_was_made_for() {
    let wrong: BTreeMap<&str, Option<&[Kind]>> = WRONG.iter().copied().collect();
    let names = names();
    let known: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    assert!(wrong.keys().all(|name| known.contains(name)), "{known:?}");
    let mut others = Vec::new();
    for name in &names {
        let expected = match wrong.get(name.as_str()) {
            Some(expected) => *expected,
            None => {
                assert!(name.starts_with("sound/"), "{name} is in no table");
                Some(&[][..])
            }
        };
        let told = audit(&files(name));
        if told.as_ref().ok().map(Told::kinds).as_deref() != expected {
            others.push(format!("{name}: {told:?}\n"));
        }
    }
    assert!(others.is_empty(), "{}", others.concat());
}

/// What a text does not show of a log, and why.
fn is_not_in_the_text(release: &str, kind: &str, log: &str) -> Option<&'static str> {
    let before = |other: &str| position(release) < position(other);
    let records_only = kind != "batches" && before("2.7.2");
    match log {
        "damaged/huge-length-in-the-middle"
        | "damaged/negative-length-in-the-middle"
        | "damaged/zeros-in-the-middle" => {
            Some("the tool gives up where it cannot go on, and prints no batch behind that")
        }
        "damaged/text-at-the-end" => Some("the tool tells of invalid bytes, not what they are"),
        "damaged/not-a-log" => {
            Some("the tool takes any file for a log with invalid bytes at its end")
        }
        "sound/zstd" if before("2.1.1") => Some("the tool does not know the codec and gives up"),
        "sound/compacted" if records_only => {
            Some("the lines are of records, and the batches that they were in are not told")
        }
        "wrong/missing-segment" if records_only || before("2.1.1") => {
            Some("without counts nothing shows whether offsets were cleaned away or lost")
        }
        _ => None,
    }
}

fn position(release: &str) -> usize {
    let found = RELEASES.iter().position(|it| *it == release);
    found.unwrap_or_else(|| panic!("there is no recording of {release}"))
}

#[test]
fn the_text_of_every_release_gives_what_the_files_give() {
    let scratch = tempfile::tempdir().expect("a directory");
    let mut compared = 0;
    let mut differ = Vec::new();
    for release in RELEASES {
        let snapshots = texts(release, "snapshots").expect("every release printed the snapshots");
        for kind in ["batches", "deep", "data"] {
            let Some(texts) = texts(release, kind) else {
                continue;
            };
            for (log, replicas) in &texts {
                let mut files_of_text = Vec::new();
                for (number, (directory, text)) in replicas.iter().enumerate() {
                    let place = scratch
                        .path()
                        .join(release)
                        .join(kind)
                        .join(log)
                        .join(number.to_string());
                    files_of_text.push(write(&place, "log.txt", text));
                    if let Some(text) = snapshots.get(log).and_then(|of_log| of_log.get(directory))
                    {
                        files_of_text.push(write(&place, "snapshots.txt", text));
                    }
                }
                let from_text = audit(&files_of_text);
                let from_files = audit(&files(log));
                compared += 1;
                let agree = from_text.is_ok() && from_text == from_files;
                let lacks = is_not_in_the_text(release, kind, log);
                if agree == lacks.is_some() {
                    let lacks = lacks.unwrap_or("it shows all");
                    differ.push(format!(
                        "{release} {kind} {log}: {lacks}\n text: {from_text:?}\nfiles: {from_files:?}\n"
                    ));
                }
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.concat());
    assert!(compared > 500, "only {compared} texts were compared");
}

/// What the tool of a release printed for each log, by the directory of each of its replicas.
fn texts(release: &str, kind: &str) -> Option<BTreeMap<String, BTreeMap<String, String>>> {
    let text = fs::read_to_string(data().join(release).join(format!("{kind}.txt"))).ok()?;
    let mut texts: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut current = None;
    for line in text.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("Dumping ") {
            let (directory, _) = path.trim_end().rsplit_once('/').expect("a path");
            let log: Vec<&str> = directory.split('/').take(2).collect();
            current = Some((log.join("/"), directory.to_owned()));
        }
        let (log, directory) = current.clone().expect("a text begins with a path");
        let text = texts.entry(log).or_default().entry(directory).or_default();
        text.push_str(line);
    }
    Some(texts)
}

fn write(directory: &Path, name: &str, text: &str) -> PathBuf {
    fs::create_dir_all(directory).expect("a directory");
    let path = directory.join(name);
    fs::write(&path, text).expect("writable");
    path
}

//! Logs of the real Kafka, as segment files and as what the real tool of eight releases
//! prints for them.

use std::fs;
use std::path::PathBuf;

use super::{audit, data, found, kinds, notes, texts};
use retryproof::audit::report::Report;
use retryproof::audit::run::Settings;

/// What is wrong with the logs in `wrong/`, by their recipes in `oracle/`.
const WRONG: [(&str, &[&str]); 16] = [
    ("begins-late", &["first sequences missing"]),
    ("diverged-replicas", &["replicas differ"]),
    ("duplicate", &["written twice"]),
    ("duplicate-across-segments", &["written twice"]),
    ("duplicate-outside-the-window", &["written twice"]),
    ("epoch-falls", &["stale epoch"]),
    ("gap", &["sequences missing"]),
    ("gap-across-segments", &["sequences missing"]),
    ("missing-segment", &["offsets missing"]),
    ("new-epoch-begins-late", &["first sequences missing"]),
    ("overlap", &["written twice"]),
    ("overtaken", &["out of order", "sequences missing"]),
    ("snapshot-ahead", &["snapshot ahead of its offset"]),
    ("snapshot-behind", &["snapshot against log"]),
    ("snapshot-of-another-log", &["snapshot against log"]),
    ("writes-on-after-the-fence", &["stale epoch"]),
];

const RELEASES: [&str; 8] = [
    "0.11.0.3", "1.1.1", "2.1.1", "2.7.2", "2.8.2", "3.1.2", "3.9.1", "4.3.1",
];

/// The segments and snapshots below a directory.
fn files_below(directory: PathBuf) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(&directory).unwrap_or_else(|error| panic!("{directory:?}: {error}")) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(files_below(path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn judged(paths: &[PathBuf]) -> Report {
    audit(paths, None, Settings::default()).unwrap_or_else(|error| panic!("{paths:?}: {error}"))
}

/// The sections of a dump whose paths begin so.
fn sections(text: &str, of: &str) -> String {
    let mut kept = String::new();
    let mut is_of = false;
    for line in text.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("Dumping ") {
            is_of = path.starts_with(of);
        }
        if is_of {
            kept.push_str(line);
        }
    }
    kept
}

#[test]
fn sound_segments_have_no_finding() {
    let sound = data().join("logs/sound");
    for entry in fs::read_dir(sound).expect("logs") {
        let log = entry.expect("an entry").path();
        let report = judged(&files_below(log.clone()));
        assert_eq!(found(&report), [], "{log:?}: {:?}", texts(&report));
        assert!(report.batches > 0, "{log:?}");
    }
}

#[test]
fn wrong_segments_and_snapshots_have_the_finding_of_their_recipe() {
    for (log, expected) in WRONG {
        let report = judged(&files_below(data().join("logs/wrong").join(log)));
        assert_eq!(kinds(&report), expected, "{log}: {:?}", texts(&report));
    }
}

#[test]
fn the_dumps_of_every_release_tell_the_same_as_the_segments() {
    let mut compared = 0;
    for release in RELEASES {
        for form in ["batches.txt", "deep.txt", "data.txt"] {
            let path = data().join(release).join(form);
            let Ok(text) = fs::read(&path) else { continue };
            let text = String::from_utf8_lossy(&text);
            let snapshots =
                fs::read_to_string(path.with_file_name("snapshots.txt")).expect("snapshots");
            for (log, expected) in WRONG {
                let of = format!("wrong/{log}/");
                let files = super::Files::new()
                    .with("log.txt", sections(&text, &of))
                    .with("snapshots.txt", sections(&snapshots, &of).as_bytes());
                // A snapshot for each log there is not.
                let paths: Vec<PathBuf> = files
                    .paths
                    .iter()
                    .filter(|path| fs::metadata(path).is_ok_and(|data| data.len() > 0))
                    .cloned()
                    .collect();
                let report = judged(&paths);
                let kinds = kinds(&report);
                // Without counts of records it does not show whether offsets were cleaned or lost.
                let has_no_counts = ["0.11.0.3", "1.1.1"].contains(&release)
                    || release == "2.1.1" && form != "batches.txt";
                // The replicas stand in one text: each is judged by itself.
                let apart: &[&str] = &[];
                let expected = match log {
                    "diverged-replicas" => apart,
                    "missing-segment" if has_no_counts => apart,
                    _ => expected,
                };
                assert_eq!(
                    kinds,
                    expected,
                    "{release}/{form}, {log}: {:?}",
                    texts(&report)
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn the_dumps_of_sound_logs_have_no_finding() {
    for release in RELEASES {
        for form in ["batches.txt", "deep.txt", "data.txt"] {
            let path = data().join(release).join(form);
            let Ok(text) = fs::read(&path) else { continue };
            let text = sections(&String::from_utf8_lossy(&text), "sound/");
            let snapshots =
                fs::read_to_string(path.with_file_name("snapshots.txt")).expect("snapshots");
            let files = super::Files::new()
                .with("log.txt", text)
                .with("snapshots.txt", sections(&snapshots, "sound/"));
            let report = files
                .audit()
                .unwrap_or_else(|error| panic!("{path:?}: {error}"));
            assert_eq!(found(&report), [], "{path:?}: {:?}", texts(&report));
        }
    }
}

#[test]
fn whole_outputs_are_read_however_they_are_damaged() {
    for release in RELEASES {
        let path = data().join(release).join("batches.txt");
        let report = judged(&[path]);
        assert!(kinds(&report).contains(&"batch damaged"), "{release}");
        assert!(
            notes(&report).contains("bytes that are no whole batch"),
            "{release}"
        );
    }
}

//! Where a report is written, and what is left alone.

use std::fs;

use crate::{fresh, names, read, report};

/// A claim that is refuted, and one that holds.
const REFUTED: &str = "kafka-0.11-2";
const HOLDS: &str = "kafka-0.11-1";

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_report_takes_the_place_of_an_earlier_one_and_of_nothing_else() {
    let directory = fresh("again-and-again");
    fs::create_dir_all(directory.join("refuted")).expect("a directory");
    fs::write(directory.join("notes.md"), "somebody's").expect("a file");
    fs::write(directory.join("refuted/notes.md"), "somebody's").expect("a file");
    let output = report(&directory, REFUTED, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = format!("refuted/{REFUTED}.md");
    assert!(names(&directory).contains(&page));

    let output = report(&directory, HOLDS, &[]);
    let said = words(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        !names(&directory).contains(&page),
        "a page of another run is left"
    );
    assert!(
        said.contains("1 page of an earlier report removed."),
        "{said}"
    );
    let left = said.split_once("Left alone, because no report wrote it:");
    let left = left.map_or("", |(_, names)| names);
    assert_eq!(left.matches("notes.md").count(), 2, "{said}");
    assert_eq!(read(&directory, "notes.md"), "somebody's");
    assert_eq!(read(&directory, "refuted/notes.md"), "somebody's");
}

#[test]
fn what_somebody_else_wrote_is_not_overwritten() {
    for taken in ["README.md", "index.html", "refuted/kafka-0.11-2.md"] {
        let directory = fresh("taken");
        fs::create_dir_all(directory.join("refuted")).expect("a directory");
        fs::write(directory.join(taken), "somebody's").expect("a file");
        let output = report(&directory, REFUTED, &[]);
        let said = words(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(
            said.contains(taken) && said.contains("choose another directory with --out"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
        assert_eq!(names(&directory), [taken]);
        assert_eq!(read(&directory, taken), "somebody's");
    }
}

#[test]
fn a_directory_that_cannot_be_is_refused_at_once() {
    let directory = fresh("file");
    fs::write(&directory, "a file").expect("a file");
    for place in [directory.clone(), directory.join("below")] {
        let output = report(&place, REFUTED, &[]);
        let said = words(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(
            said.contains("choose another directory with --out"),
            "{said}"
        );
    }
    assert_eq!(
        fs::read_to_string(&directory).ok().as_deref(),
        Some("a file")
    );
    fs::remove_file(&directory).expect("a file");
}

#[test]
fn a_refused_report_leaves_no_directory_behind() {
    let directory = fresh("not-there");
    let output = report(&directory, "no-such-claim", &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(!directory.exists());
}

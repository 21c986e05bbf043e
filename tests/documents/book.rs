//! docs is a book: every chapter is in its summary, and mdBook builds it.
//!
//! Without `mdbook` on the PATH the second test says that it was skipped and passes; with
//! `RETRYPROOF_REQUIRE_MDBOOK=1`, as in `.ci/run`, it fails then.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::markdown::{chapters, documents, root};

#[test]
fn every_chapter_is_in_the_summary_once() {
    let documents = documents();
    let summary = &documents[&PathBuf::from("docs/SUMMARY.md")];
    let named: Vec<PathBuf> = summary
        .links
        .iter()
        .map(|link| PathBuf::from("docs").join(link))
        .collect();
    let once: BTreeSet<PathBuf> = named.iter().cloned().collect();
    assert_eq!(
        once.len(),
        named.len(),
        "a chapter is there twice: {named:?}"
    );
    let mut chapters = chapters();
    chapters.remove(&PathBuf::from("docs/SUMMARY.md"));
    let missing: Vec<_> = chapters.difference(&once).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

#[test]
fn every_chapter_has_one_title() {
    for (path, document) in documents() {
        // The summary's further titles are the names of the book's parts.
        if path.starts_with("docs") && !path.ends_with("SUMMARY.md") {
            assert_eq!(
                document.titles.len(),
                1,
                "{}: {:?}",
                path.display(),
                document.titles
            );
        }
    }
}

#[test]
fn the_book_builds() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut mdbook = Command::new("mdbook");
    mdbook
        .arg("build")
        .arg("--dest-dir")
        .arg(folder.path())
        .arg(root().join("docs"));
    let output = match mdbook.output() {
        Ok(output) => output,
        Err(error) => return skip(&format!("mdbook does not start: {error}")),
    };
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(!told.contains("WARN") && !told.contains("ERROR"), "{told}");
    for chapter in chapters() {
        let name = chapter
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if name != "SUMMARY" {
            let page = folder.path().join(format!("{name}.html"));
            assert!(page.is_file(), "{name} is not in the book");
        }
    }
    let index = fs::read_to_string(folder.path().join("index.html")).expect("a first page");
    assert!(
        index.contains("<h1 id=\"retryproof\""),
        "the first page is another one"
    );
}

/// Says so past the harness, which keeps the output of tests that pass to itself.
fn skip(reason: &str) {
    assert!(
        env::var_os("RETRYPROOF_REQUIRE_MDBOOK").is_none(),
        "RETRYPROOF_REQUIRE_MDBOOK is set, but {reason}"
    );
    let _ = writeln!(std::io::stdout(), "skipped, because {reason}");
}

//! Every link within the repository leads to a file that is there, and to an anchor in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::markdown::{documents, root, Document};

#[test]
fn every_link_leads_somewhere() {
    let documents = documents();
    let broken: Vec<String> = documents
        .iter()
        .flat_map(|(path, document)| broken(path, document, &documents))
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The links of a document that lead nowhere, each with the reason.
fn broken(
    path: &Path,
    document: &Document,
    documents: &BTreeMap<PathBuf, Document>,
) -> Vec<String> {
    let reasons = document.links.iter().filter_map(|link| {
        let reason = match link.split_once("://") {
            Some((scheme, rest)) => wrong_outside(scheme, rest),
            None => wrong_inside(path, document, link, documents),
        };
        Some(format!("{}: {link}: {}", path.display(), reason?))
    });
    reasons.collect()
}

/// What is wrong with a link to elsewhere, as far as that can be told without asking there.
fn wrong_outside(scheme: &str, rest: &str) -> Option<String> {
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_host = host.contains('.') && !host.starts_with('.') && !host.ends_with('.');
    let is_clean = !rest.contains(|sign: char| sign.is_whitespace() || sign == '"');
    let is_well_formed = scheme == "https" && is_host && is_clean;
    (!is_well_formed).then(|| "no https:// address of a host".to_owned())
}

/// What is wrong with a link within the repository.
fn wrong_inside(
    path: &Path,
    document: &Document,
    link: &str,
    documents: &BTreeMap<PathBuf, Document>,
) -> Option<String> {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = path.parent().unwrap_or(Path::new(""));
    let target = match file {
        "" => path.to_owned(),
        _ => normal(&folder.join(file)),
    };
    if !root().join(&target).exists() {
        return Some(format!("there is no {}", target.display()));
    }
    if path.starts_with("docs") && !target.starts_with("docs") {
        return Some("it leads out of the book; name the path in backticks instead".to_owned());
    }
    if anchor.is_empty() {
        return None;
    }
    if file.is_empty() {
        let has_it = document.anchors.contains(anchor);
        return (!has_it).then(|| format!("it has no anchor {anchor}"));
    }
    let read = documents.get(&target).cloned().or_else(|| {
        let text = fs::read_to_string(root().join(&target)).ok()?;
        Some(Document::read(&text))
    });
    let has_it = read.is_some_and(|document| document.anchors.contains(anchor));
    (!has_it).then(|| format!("{} has no anchor {anchor}", target.display()))
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            _ => normal.push(component),
        }
    }
    normal
}

#[test]
fn a_link_that_leads_nowhere_is_noticed() {
    let documents = documents();
    let told = |text: &str| {
        let path = Path::new("docs/sources.md");
        broken(path, &Document::read(text), &documents)
    };
    for good in [
        "[a](conditions.md)",
        "[a](conditions.md#b3-the-broker-knows-the-producer-id)",
        "# B c\n\n[a](#b-c)",
        "[a](https://kafka.apache.org/documentation/#x)",
    ] {
        assert!(told(good).is_empty(), "{good}: {:?}", told(good));
    }
    for (wrong, reason) in [
        ("[a](nowhere.md)", "there is no docs/nowhere.md"),
        (
            "[a](docs/conditions.md)",
            "there is no docs/docs/conditions.md",
        ),
        ("![a](nowhere.svg)", "there is no docs/nowhere.svg"),
        (
            "[a](conditions.md#b17)",
            "docs/conditions.md has no anchor b17",
        ),
        ("[a](#b)", "it has no anchor b"),
        ("[a](../README.md)", "it leads out of the book"),
        ("[a](http://kafka.apache.org)", "no https:// address"),
        ("[a](https://kafka)", "no https:// address"),
    ] {
        let told = told(wrong);
        assert_eq!(told.len(), 1, "{wrong}: {told:?}");
        assert!(told[0].contains(reason), "{wrong}: {told:?}");
    }
}

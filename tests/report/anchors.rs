//! Every link inside a report leads somewhere, in each form.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::{names, read, reports, REPORT};

/// What stands between two marks, each time.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> Vec<&'t str> {
    let pieces = text.split(begin).skip(1);
    pieces
        .filter_map(|piece| Some(piece.split_once(end)?.0))
        .collect()
}

fn claims(directory: &Path) -> Vec<String> {
    let report: Value = serde_json::from_str(&read(directory, "report.json")).expect("JSON");
    let claims = report["claims"].as_array().expect("claims").iter();
    claims
        .map(|claim| claim["id"].as_str().expect("an id").to_owned())
        .collect()
}

/// Links that lead nowhere, and ids that are there twice.
fn broken_in_html(page: &str) -> Vec<String> {
    let ids = between(page, " id=\"", "\"");
    let known: BTreeSet<&str> = ids.iter().copied().collect();
    let mut broken: Vec<String> = between(page, " href=\"#", "\"")
        .into_iter()
        .filter(|link| !known.contains(link))
        .map(|link| format!("#{link} leads nowhere"))
        .collect();
    if known.len() < ids.len() {
        broken.push("an id is there twice".to_owned());
    }
    broken
}

#[test]
fn every_link_inside_the_page_leads_somewhere() {
    for directory in reports() {
        let page = read(&directory, "index.html");
        assert_eq!(broken_in_html(&page), Vec::<String>::new());
        assert!(between(&page, " href=\"#", "\"").len() > 100);
    }
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let page = read(&REPORT, "index.html");
    let spoilt = page.replace(" id=\"claim-epochs-run-out\"", "");
    let broken = broken_in_html(&spoilt);
    assert!(
        broken.contains(&"#claim-epochs-run-out leads nowhere".to_owned()),
        "{broken:?}"
    );
}

#[test]
fn every_claim_has_a_place_in_page_and_document() {
    for directory in reports() {
        let page = read(&directory, "index.html");
        let document = read(&directory, "README.md");
        for id in claims(&directory) {
            assert!(page.contains(&format!(" id=\"claim-{id}\"")), "{id}");
            let place = format!("<a id=\"claim-{id}\"></a>");
            assert!(document.contains(&place), "{id}");
        }
    }
}

#[test]
fn the_page_asks_nobody_for_anything() {
    let page = read(&REPORT, "index.html");
    for part in [
        " src=",
        "url(",
        "@import",
        "<iframe",
        "fetch(",
        "rel=\"stylesheet\"",
    ] {
        assert!(!page.contains(part), "{part}");
    }
    // The explorer runs on the reader's own machine.
    for link in between(&page, " href=\"", "\"") {
        let is_inside = link.starts_with('#') || link == "data:,";
        let is_explorer = link.starts_with("http://127.0.0.1:3000/#/steps/");
        assert!(is_inside || is_explorer, "{link}");
    }
}

/// The documents of a report.
fn documents(directory: &Path) -> Vec<String> {
    let mut names = names(directory);
    names.retain(|name| name.ends_with(".md"));
    names
}

/// The anchor that forges give a heading.
fn slug(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept
        .chars()
        .filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
    kept.map(|sign| if sign == ' ' { '-' } else { sign })
        .collect()
}

/// The anchors of a document: ids, and headings.
fn anchors(document: &str) -> BTreeSet<String> {
    let ids = between(document, "<a id=\"", "\"")
        .into_iter()
        .map(str::to_owned);
    let headings = document.lines().filter_map(|line| {
        line.trim_start_matches('#')
            .strip_prefix(' ')
            .filter(|_| line.starts_with('#'))
    });
    ids.chain(headings.map(slug)).collect()
}

/// Links of a document that lead nowhere.
fn broken_in_markdown(directory: &Path, name: &str, text: &str) -> Vec<String> {
    let place = Path::new(name).parent().unwrap_or(Path::new(""));
    let links = between(text, "](", ")");
    links
        .into_iter()
        .filter(|link| {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() {
                name.to_owned()
            } else {
                place.join(file).to_string_lossy().into_owned()
            };
            let Ok(target) = std::fs::read_to_string(directory.join(&file)) else {
                return true;
            };
            !anchor.is_empty() && !anchors(&target).contains(anchor)
        })
        .map(|link| format!("{name}: {link}"))
        .collect()
}

#[test]
fn every_link_inside_the_documents_leads_somewhere() {
    for directory in reports() {
        let mut links = 0;
        for name in documents(&directory) {
            let text = read(&directory, &name);
            links += between(&text, "](", ")").len();
            let broken = broken_in_markdown(&directory, &name, &text);
            assert_eq!(broken, Vec::<String>::new());
        }
        assert!(links > 30, "{links}");
    }
}

#[test]
fn a_broken_link_inside_the_documents_is_found() {
    let text = "[a](refuted/none.md) [b](#nowhere) [c](#verdicts) [d](README.md#claim-none)";
    let broken = broken_in_markdown(&REPORT, "README.md", text);
    assert_eq!(broken.len(), 3, "{broken:?}");
}

/// Rows of a document's tables that have not as many cells as the head.
fn ragged(document: &str) -> Vec<&str> {
    let mut ragged = Vec::new();
    let mut columns = None;
    for line in document.lines() {
        let row = line.strip_suffix(" <!-- time -->").unwrap_or(line);
        let cells = row.replace("\\|", "").matches('|').count();
        columns = match (line.starts_with('|'), columns) {
            (false, _) => None,
            (true, None) => Some(cells),
            (true, Some(columns)) => {
                if cells != columns {
                    ragged.push(line);
                }
                Some(columns)
            }
        };
    }
    ragged
}

#[test]
fn every_row_of_a_table_has_as_many_cells_as_its_head() {
    assert_eq!(
        ragged("| a | b |\n|---|---|\n| 1 |\n| \\| | 2 |"),
        ["| 1 |"]
    );
    for directory in reports() {
        for name in documents(&directory) {
            let text = read(&directory, &name);
            assert_eq!(ragged(&text), Vec::<&str>::new(), "{name}");
        }
    }
}

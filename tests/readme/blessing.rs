//! Parts of documents that are generated, between two markers.

use std::path::Path;

/// Compares the generated part of a document with what was found, or writes it anew.
///
/// # Panics
/// If they differ, or the document has no such part.
pub fn compare(document: &str, part: &str, found: &str) {
    let (begin, end) = (
        format!("<!-- {part}:begin -->"),
        format!("<!-- {part}:end -->"),
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{document}: {error}"));
    let missing = |marker: &str| format!("{document} has no marker {marker}");
    let (before, rest) = text
        .split_once(&begin)
        .unwrap_or_else(|| panic!("{}", missing(&begin)));
    let (written, after) = rest
        .split_once(&end)
        .unwrap_or_else(|| panic!("{}", missing(&end)));
    let found = format!("\n{found}\n");
    if std::env::var_os("RETRYPROOF_BLESS").is_some() {
        let blessed = format!("{before}{begin}{found}{end}{after}");
        std::fs::write(&path, blessed).unwrap_or_else(|error| panic!("{document}: {error}"));
        return;
    }
    let mut lines = written.lines().zip(found.lines());
    let difference = lines.find(|(written, found)| written != found);
    assert!(
        written == found,
        "{part} in {document} is not what the run gives; first difference (document, run): \
         {difference:#?}\nIf the change is wanted: RETRYPROOF_BLESS=1 cargo test --test {}",
        env!("CARGO_CRATE_NAME")
    );
}

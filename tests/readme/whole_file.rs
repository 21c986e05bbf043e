//! Files that are generated as a whole.

use std::path::Path;

/// Compares a file that is generated as a whole with what was found, or writes it anew.
///
/// # Panics
/// If they differ, or there is no such file.
pub fn compare(file: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("RETRYPROOF_BLESS").is_some() {
        std::fs::write(&path, found).unwrap_or_else(|error| panic!("{file}: {error}"));
        return;
    }
    let written = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(
        written == found,
        "{file} is not what the run gives\nIf the change is wanted: RETRYPROOF_BLESS=1 cargo test \
         --test {}",
        env!("CARGO_CRATE_NAME")
    );
}

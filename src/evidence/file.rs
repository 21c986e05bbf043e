//! Files that are written whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file: beside its place first, then moved there, so that nobody ever sees half
/// of it. What is no regular file (a pipe, a terminal) is written to directly.
///
/// # Errors
/// If the place cannot be written.
pub fn write(path: &Path, contents: &str) -> io::Result<()> {
    let place = match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path)?,
        Ok(_) => {
            return fs::OpenOptions::new()
                .write(true)
                .open(path)?
                .write_all(contents.as_bytes())
        }
        Err(_) => path.to_owned(),
    };
    let beside = beside(&place);
    let written = fs::write(&beside, contents).and_then(|()| fs::rename(&beside, &place));
    if written.is_err() {
        // It may not be there; there is nothing more to do about it.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Whether a file could be written there, so that nobody waits for results in vain.
///
/// # Errors
/// If the place cannot be written.
pub fn try_place(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return fs::OpenOptions::new().write(true).open(path).map(drop);
    }
    let beside = beside(path);
    fs::write(&beside, "")?;
    fs::remove_file(&beside)
}

/// A name for the file while it is being written, in the same directory.
fn beside(place: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(format!(".{}", std::process::id()));
    place.with_file_name(name)
}

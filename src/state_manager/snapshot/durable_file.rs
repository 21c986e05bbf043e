//! Files that are written whole or not at all, and are still there after a crash.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Something that could not be done with a file or a directory.
#[derive(Debug, Error)]
#[error("cannot {doing} {}: {source}", .path.display())]
pub struct FileError {
    /// What was to be done, as in "cannot read".
    pub doing: &'static str,
    /// With what.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

impl FileError {
    /// Makes an error of the system's one about this path.
    pub(in crate::state_manager) fn when(
        doing: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| FileError {
            doing,
            path,
            source,
        }
    }
}

/// What the name of a file ends with while it is being written.
pub(super) const TEMPORARY: &str = ".tmp";

/// Reads a file.
///
/// # Errors
/// If it cannot be read.
pub(in crate::state_manager) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(FileError::when("read", path))
}

/// Writes a file: beside its place first, to the disk, then moved there. A crash at any
/// moment leaves what was there before or what was to be written, and perhaps a file whose
/// name ends in `.tmp`. Once this returns, the new file survives a loss of power.
///
/// # Errors
/// If it cannot be written. What was there before is still there, unless only the last step
/// failed, the one that makes the new name survive a loss of power.
pub(in crate::state_manager) fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(TEMPORARY);
    let beside = PathBuf::from(beside);
    let moved = write_to_disk(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if let Err(source) = moved {
        // It may not be there, and the error that matters is the one before.
        let _ = fs::remove_file(&beside);
        return Err(FileError::when("write", path)(source));
    }
    // A file has a directory that it lies in.
    sync_directory(path.parent().unwrap_or(Path::new("")))
}

fn write_to_disk(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in a directory survive a loss of power: the new ones of files that were
/// written, the absence of those that were removed.
///
/// # Errors
/// If the system does not do it.
pub(super) fn sync_directory(path: &Path) -> Result<(), FileError> {
    // The parent of a bare file name is the empty path, which stands for the current one.
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    // Windows opens no directories, and writes names through by itself.
    if cfg!(windows) {
        return Ok(());
    }
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(FileError::when("synchronise", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_written_and_written_over() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        for contents in [&b"first"[..], b"second", b""] {
            write(&path, contents).unwrap();
            assert_eq!(read(&path).unwrap(), contents);
        }
        assert_eq!(names(directory.path()), ["file"]);
    }

    #[test]
    fn what_a_crash_left_beside_is_written_over() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(
            directory.path().join("file.tmp"),
            "much longer than the new",
        )
        .unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(read(&path).unwrap(), b"new");
        assert_eq!(names(directory.path()), ["file"]);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("taken");
        fs::create_dir(&path).unwrap();
        let error = write(&path, b"new").unwrap_err();
        assert_eq!(error.path, path);
        assert!(error.to_string().starts_with("cannot write "), "{error}");
        assert_eq!(names(directory.path()), ["taken"]);
    }

    #[test]
    fn a_directory_that_is_not_there_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("missing").join("file");
        for error in [write(&path, b"new").unwrap_err(), read(&path).unwrap_err()] {
            assert_eq!(error.path, path);
            assert_eq!(error.source.kind(), io::ErrorKind::NotFound);
        }
        let missing = directory.path().join("missing");
        let error = sync_directory(&missing).unwrap_err();
        assert!(
            error.to_string().starts_with("cannot synchronise "),
            "{error}"
        );
    }

    #[test]
    fn the_directory_of_a_bare_name_is_the_current_one() {
        assert!(sync_directory(Path::new("")).is_ok());
    }
}

//! The directory that a report is written into. Each file is written whole or not at all; what
//! no report wrote is never touched.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file;
use super::report::forms::{File, MARK, PAGES};

/// So many bytes at the beginning of a file hold the mark of a report.
const BEGINNING: u64 = 400;

/// Why a directory is no place for a report.
#[derive(Debug, Error)]
pub enum NoPlace {
    /// Nothing can be written there.
    #[error("cannot write {}: {reason}; choose another directory with --out", .path.display())]
    Unwritable {
        /// The place.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// Somebody else's file stands where one of the report has to.
    #[error("{} is of no report and would be overwritten: choose another directory with --out", .path.display())]
    Taken {
        /// The file.
        path: PathBuf,
    },
}

/// A directory that a report can be written into; it need not be there yet.
#[derive(Clone, Debug)]
pub struct Directory {
    path: PathBuf,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// Pages of an earlier report that this one has not, and which are therefore gone.
    pub removed: usize,
    /// What else is in the directory, of no report.
    pub kept: Vec<PathBuf>,
}

impl Directory {
    /// Makes sure that files of these names can be written there, and leaves everything as it
    /// is.
    ///
    /// # Errors
    /// If they cannot be written, or somebody else's files are in the way.
    pub fn at(path: &Path, names: &[String]) -> Result<Self, NoPlace> {
        let directory = Directory {
            path: path.to_owned(),
        };
        let nearest = directory.nearest();
        if !nearest.is_dir() {
            let reason = io::Error::from(ErrorKind::NotADirectory);
            return Err(unwritable(nearest, reason));
        }
        file::try_place(&nearest.join("report")).map_err(|reason| unwritable(nearest, reason))?;
        let pages = path.join(PAGES);
        if pages.exists() && !pages.is_dir() {
            return Err(NoPlace::Taken { path: pages });
        }
        for name in names {
            directory.is_free(&path.join(name))?;
        }
        Ok(directory)
    }

    /// The directory, or the nearest above it that is there.
    fn nearest(&self) -> &Path {
        let existing = self.path.ancestors().find(|path| path.exists());
        match existing {
            Some(path) if !path.as_os_str().is_empty() => path,
            _ => Path::new("."),
        }
    }

    fn is_free(&self, path: &Path) -> Result<(), NoPlace> {
        let is_taken = fs::symlink_metadata(path).is_ok() && !is_of_a_report(path);
        match is_taken {
            true => Err(NoPlace::Taken {
                path: path.to_owned(),
            }),
            false => Ok(()),
        }
    }

    /// Writes a report in place of an earlier one.
    ///
    /// # Errors
    /// If a file cannot be written, or somebody else's is in the way.
    pub fn write(&self, files: &[File]) -> Result<Written, NoPlace> {
        let mut written = Written::default();
        let pages = self.path.join(PAGES);
        fs::create_dir_all(&pages).map_err(|reason| unwritable(&pages, reason))?;
        for file in files {
            self.is_free(&self.path.join(&file.name))?;
        }
        for file in files {
            let path = self.path.join(&file.name);
            file::write(&path, &file.contents).map_err(|reason| unwritable(&path, reason))?;
            written.files += 1;
            written.bytes += file.contents.len() as u64;
        }
        let is_new = |path: &Path| files.iter().any(|file| self.path.join(&file.name) == path);
        for path in entries(&pages).chain(entries(&self.path)) {
            if is_new(&path) || path == pages {
                continue;
            }
            if is_of_a_report(&path) {
                fs::remove_file(&path).map_err(|reason| unwritable(&path, reason))?;
                written.removed += 1;
            } else {
                written.kept.push(path);
            }
        }
        written.kept.sort();
        Ok(written)
    }
}

fn unwritable(path: &Path, reason: io::Error) -> NoPlace {
    NoPlace::Unwritable {
        path: path.to_owned(),
        reason,
    }
}

/// What is in a directory; nothing if it cannot be read.
fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path()))
}

/// Whether a regular file bears the mark of a report.
fn is_of_a_report(path: &Path) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let beginning = || {
        let mut bytes = Vec::new();
        fs::File::open(path)?
            .take(BEGINNING)
            .read_to_end(&mut bytes)?;
        io::Result::Ok(String::from_utf8_lossy(&bytes).contains(MARK))
    };
    is_file && beginning().unwrap_or(false)
}

//! The directory that the snapshots of one partition lie in.
//!
//! A snapshot is named after the offset up to which it covers the log, exclusive: 20
//! digits, a dot, `snapshot` for Kafka's format or `window` for that of whole windows. All
//! other files in the directory are somebody else's and are neither read nor touched.
//!
//! Removed files are given a name in `.deleted` first, as Kafka does, so that a file whose
//! removal was interrupted is not loaded any more. Kafka leaves it to the system when
//! removed names leave the disk. Here they are gone when the call returns: a snapshot
//! that came back after a loss of power could cover offsets at which the log has other
//! batches by then.

mod name;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::durable_file::{self, FileError};
use super::{Format, SnapshotError};

use name::Name;

/// A directory with snapshots of one partition. One process at a time may write to it.
#[derive(Clone, Debug)]
pub struct SnapshotDirectory {
    path: PathBuf,
}

/// A snapshot in a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SnapshotFile {
    /// It covers the log up to this offset, exclusive.
    pub offset: i64,
    /// Its format, by its name.
    pub format: Format,
    /// Where it lies.
    pub path: PathBuf,
}

impl SnapshotFile {
    /// The snapshot that this path is of, by its file name; `None` if it is none. Nothing is
    /// looked up on the disk.
    pub fn of_path(path: &Path) -> Option<Self> {
        match Name::of(path.file_name()?)? {
            Name::Snapshot { offset, format } => Some(SnapshotFile {
                offset,
                format,
                path: path.to_owned(),
            }),
            Name::LeftOver => None,
        }
    }
}

/// What came of looking for a snapshot to start from.
#[derive(Debug)]
pub struct Loaded<T> {
    /// The newest one that could be used, with its offset; `None` if there is none.
    pub newest: Option<(i64, T)>,
    /// Newer ones that could not be used and are removed now, newest first.
    pub skipped: Vec<(PathBuf, SnapshotError)>,
}

impl SnapshotDirectory {
    /// Opens a directory, and removes what a crash left of snapshots that were being
    /// written or removed.
    ///
    /// # Errors
    /// If it is no directory, or what is left over cannot be removed.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, FileError> {
        let directory = SnapshotDirectory { path: path.into() };
        for (name, path) in directory.names()? {
            if let Name::LeftOver = name {
                fs::remove_file(&path).map_err(FileError::when("remove", &path))?;
            }
        }
        Ok(directory)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The snapshots, oldest first.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn list(&self) -> Result<Vec<SnapshotFile>, FileError> {
        let names = self.names()?.into_iter();
        let mut snapshots: Vec<_> = names
            .filter_map(|(_, path)| SnapshotFile::of_path(&path))
            .collect();
        snapshots.sort_unstable();
        Ok(snapshots)
    }

    /// Writes a snapshot that covers the log up to `offset`, exclusive, in place of the one
    /// of this offset and format if there is one. A crash leaves the old one or the new one.
    /// Once this returns, the new one survives a loss of power.
    ///
    /// # Errors
    /// If it cannot be written, or the offset is negative.
    pub fn write(&self, offset: i64, format: Format, bytes: &[u8]) -> Result<PathBuf, FileError> {
        let path = self.path.join(name::of_snapshot(offset, format));
        if offset < 0 {
            let source = io::Error::new(io::ErrorKind::InvalidInput, "an offset is 0 or more");
            return Err(FileError::when("write", &path)(source));
        }
        durable_file::write(&path, bytes)?;
        let size = bytes.len();
        tracing::info!(path = %path.display(), offset, bytes = size, "wrote producer snapshot");
        Ok(path)
    }

    /// The newest snapshot of a format that covers no more of the log than up to `offset`,
    /// exclusive.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn newest_at_or_below(
        &self,
        offset: i64,
        format: Format,
    ) -> Result<Option<SnapshotFile>, FileError> {
        let mut snapshots = self.of_format(format)?;
        snapshots.retain(|snapshot| snapshot.offset <= offset);
        Ok(snapshots.pop())
    }

    /// Loads the newest snapshot of a format that can be used, among those with an offset
    /// above `after` and not above `up_to`. One that cannot be used is removed, and the next
    /// older one is tried, as Kafka does (`ProducerStateManager.loadFromSnapshot`).
    ///
    /// # Errors
    /// If the directory or a file cannot be read, or a file cannot be removed; also if
    /// `parse` itself says [`SnapshotError::File`]. Nothing is removed for that.
    pub fn load_newest_valid<T>(
        &self,
        (after, up_to): (i64, i64),
        format: Format,
        mut parse: impl FnMut(&Path, &[u8]) -> Result<T, SnapshotError>,
    ) -> Result<Loaded<T>, FileError> {
        let mut skipped = Vec::new();
        let mut snapshots = self.of_format(format)?;
        snapshots.retain(|snapshot| after < snapshot.offset && snapshot.offset <= up_to);
        while let Some(SnapshotFile { offset, path, .. }) = snapshots.pop() {
            let bytes = durable_file::read(&path)?;
            match parse(&path, &bytes) {
                Ok(value) => {
                    tracing::info!(path = %path.display(), offset, "loaded producer snapshot");
                    let newest = Some((offset, value));
                    return Ok(Loaded { newest, skipped });
                }
                Err(SnapshotError::File(error)) => return Err(error),
                Err(reason) => {
                    tracing::warn!(path = %path.display(), %reason, "skipped producer snapshot");
                    self.remove([&path])?;
                    skipped.push((path, reason));
                }
            }
        }
        Ok(Loaded {
            newest: None,
            skipped,
        })
    }

    /// Removes the snapshots that a log from `log_start` to `log_end` does not bear out:
    /// those with an offset at or below `log_start`, or above `log_end` (Kafka:
    /// `ProducerStateManager.truncateAndReload`).
    ///
    /// # Errors
    /// If the directory cannot be read or a file cannot be removed.
    pub fn remove_outside(&self, log_start: i64, log_end: i64) -> Result<(), FileError> {
        self.remove_where(|offset| offset <= log_start || offset > log_end)
    }

    /// Removes the snapshots with an offset above this one.
    ///
    /// # Errors
    /// If the directory cannot be read or a file cannot be removed.
    pub fn remove_above(&self, offset: i64) -> Result<(), FileError> {
        self.remove_where(|of_snapshot| of_snapshot > offset)
    }

    /// Removes the snapshots with an offset below this one.
    ///
    /// # Errors
    /// If the directory cannot be read or a file cannot be removed.
    pub fn remove_below(&self, offset: i64) -> Result<(), FileError> {
        self.remove_where(|of_snapshot| of_snapshot < offset)
    }

    /// Removes the snapshots whose offset is the base offset of no segment, but keeps of
    /// each format the newest one of these if it lies above all bases: that is the one
    /// written at a clean end (Kafka: `ProducerStateManager.removeStraySnapshots`).
    ///
    /// # Errors
    /// If the directory cannot be read or a file cannot be removed.
    pub fn retain(&self, bases: &[i64]) -> Result<(), FileError> {
        let bases: BTreeSet<_> = bases.iter().copied().collect();
        for format in Format::ALL {
            let mut strays = self.of_format(format)?;
            strays.retain(|snapshot| !bases.contains(&snapshot.offset));
            let is_above_all =
                |stray: &mut SnapshotFile| bases.range(stray.offset..).next().is_none();
            strays.pop_if(is_above_all);
            self.remove(strays.iter().map(|stray| &stray.path))?;
        }
        Ok(())
    }

    /// The snapshots of a format, oldest first.
    fn of_format(&self, format: Format) -> Result<Vec<SnapshotFile>, FileError> {
        let mut snapshots = self.list()?;
        snapshots.retain(|snapshot| snapshot.format == format);
        Ok(snapshots)
    }

    fn remove_where(&self, is_unwanted: impl Fn(i64) -> bool) -> Result<(), FileError> {
        let mut unwanted = self.list()?;
        unwanted.retain(|snapshot| is_unwanted(snapshot.offset));
        self.remove(unwanted.iter().map(|snapshot| &snapshot.path))
    }

    /// Removes files, and sees to it that they stay removed.
    fn remove<'p>(&self, paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<(), FileError> {
        let mut any = false;
        for path in paths {
            let doomed = name::while_removed(path);
            fs::rename(path, &doomed)
                .and_then(|()| fs::remove_file(&doomed))
                .map_err(FileError::when("remove", path))?;
            tracing::info!(path = %path.display(), "removed producer snapshot");
            any = true;
        }
        if any {
            durable_file::sync_directory(&self.path)?;
        }
        Ok(())
    }

    /// The files that are ours by their name. A directory or anything else with such a name
    /// is not ours.
    fn names(&self) -> Result<Vec<(Name, PathBuf)>, FileError> {
        let read = || {
            let mut names = Vec::new();
            for entry in fs::read_dir(&self.path)? {
                let entry = entry?;
                if let Some(name) = Name::of(&entry.file_name()) {
                    if entry.file_type()?.is_file() {
                        names.push((name, entry.path()));
                    }
                }
            }
            Ok(names)
        };
        read().map_err(FileError::when("read the directory", &self.path))
    }
}

#[cfg(test)]
mod tests;

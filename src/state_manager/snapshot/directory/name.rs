//! Names of files in a directory of snapshots.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::super::durable_file::TEMPORARY;
use super::Format;

/// Digits of an offset, zeros in front.
const DIGITS: usize = 20;
/// What a name ends with while the file is being removed, as in Kafka.
const DELETED: &str = ".deleted";

/// What the name of a file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// A snapshot.
    Snapshot { offset: i64, format: Format },
    /// One that was not written or not removed to the end.
    LeftOver,
}

impl Name {
    /// What the name of a file says; `None` if it is not one of ours.
    pub(super) fn of(name: &OsStr) -> Option<Name> {
        let name = name.to_str()?;
        let whole = name.strip_suffix(TEMPORARY).or(name.strip_suffix(DELETED));
        let (digits, suffix) = whole.unwrap_or(name).split_once('.')?;
        let format = Format::ALL
            .into_iter()
            .find(|format| format.suffix() == suffix)?;
        if digits.len() != DIGITS || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let offset = digits.parse().ok()?;
        Some(match whole {
            Some(_) => Name::LeftOver,
            None => Name::Snapshot { offset, format },
        })
    }
}

/// The name of a snapshot.
pub(super) fn of_snapshot(offset: i64, format: Format) -> String {
    format!("{offset:0DIGITS$}.{}", format.suffix())
}

/// The path of a snapshot while it is being removed.
pub(super) fn while_removed(path: &Path) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(DELETED);
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<Name> {
        Name::of(OsStr::new(name))
    }

    #[test]
    fn names_say_offset_and_format() {
        for (offset, format, name) in [
            (0, Format::Kafka, "00000000000000000000.snapshot"),
            (4711, Format::WholeWindow, "00000000000000004711.window"),
            (i64::MAX, Format::Kafka, "09223372036854775807.snapshot"),
        ] {
            assert_eq!(of_snapshot(offset, format), name);
            assert_eq!(of(name), Some(Name::Snapshot { offset, format }));
        }
    }

    #[test]
    fn what_is_being_written_or_removed_is_told() {
        for name in [
            "00000000000000000042.snapshot.tmp",
            "00000000000000000042.window.tmp",
            "00000000000000000042.snapshot.deleted",
        ] {
            assert_eq!(of(name), Some(Name::LeftOver));
        }
        let removed = while_removed(Path::new("a/00000000000000000042.window"));
        assert_eq!(removed, Path::new("a/00000000000000000042.window.deleted"));
    }

    #[test]
    fn other_names_are_somebody_elses() {
        for name in [
            "00000000000000000042.log",
            "00000000000000000042.log.deleted",
            "00000000000000000042.snapshot.bak",
            "00000000000000000042.snapshot.tmp.tmp",
            "00000000000000000042snapshot",
            "00000000000000000042",
            "0000000000000000042.snapshot",
            "000000000000000000042.snapshot",
            "-0000000000000000042.snapshot",
            "+0000000000000000042.snapshot",
            "0000000000000000004x.snapshot",
            // One more than the last offset.
            "09223372036854775808.snapshot",
            "partition.metadata",
            ".tmp",
            "",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}

//! Producer state on disk: two formats, and the directory that their files lie in.
//!
//! A broker must know after a restart what it knew before, or it takes a retry for a new
//! batch. It could read its whole log again; so that it need not, it writes the producer
//! state down from time to time and reads only the part of the log behind that.
//!
//! ```text
//!   state ──▶ encode ──▶ bytes ──▶ SnapshotDirectory::write ──▶ 00…0042.snapshot
//!   state ◀── entries ◀─ parse ◀── SnapshotDirectory::load_newest_valid ◀──┘
//! ```
//!
//! - [`kafka`] is Apache Kafka's own format, byte for byte. It has room for the newest batch
//!   of each producer only, so a retry of an older one is not recognised after a restart.
//! - [`whole_window`] is a format of this library that has room for every batch of the
//!   window, and for the time at which a producer was last seen. A restart loses nothing.
//! - [`SnapshotDirectory`] names the files, writes them so that a crash leaves the old or
//!   the new one but no half of it, passes over damaged ones, and removes what the log no
//!   longer bears out.
//!
//! The formats know bare numbers only. Parsing looks at everything first: bytes that parse
//! have the right length and checksum and hold no impossible number, and reading their
//! entries cannot fail. Whether two entries are of the same producer is for the reader to
//! see, who has the map ([`SnapshotError::DuplicateProducer`]).

mod directory;
pub(super) mod durable_file;
mod error;
pub(super) mod field;
pub mod kafka;
#[cfg(test)]
mod laws;
mod plausible;
pub mod whole_window;

pub use directory::{Loaded, SnapshotDirectory, SnapshotFile};
pub use durable_file::FileError;
pub use error::SnapshotError;

/// A format of snapshot files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Apache Kafka's: the newest batch of each producer. See [`kafka`].
    Kafka,
    /// Every batch of the window. See [`whole_window`].
    WholeWindow,
}

impl Format {
    /// Both formats.
    pub const ALL: [Format; 2] = [Format::Kafka, Format::WholeWindow];

    /// What the names of its files end with, after the dot.
    pub const fn suffix(self) -> &'static str {
        match self {
            Format::Kafka => "snapshot",
            Format::WholeWindow => "window",
        }
    }
}

/// The format of these bytes, told by how they begin.
///
/// # Errors
/// [`SnapshotError::NotASnapshot`] if they begin like neither, and
/// [`SnapshotError::TooShort`] if they end before that can be told.
pub fn detect(bytes: &[u8]) -> Result<Format, SnapshotError> {
    if bytes.starts_with(&whole_window::MAGIC) {
        Ok(Format::WholeWindow)
    } else if bytes.starts_with(&kafka::VERSION.to_be_bytes()) {
        Ok(Format::Kafka)
    } else if kafka::VERSION.to_be_bytes().starts_with(bytes) {
        Err(SnapshotError::too_short(bytes, kafka::HEADER_SIZE))
    } else if whole_window::MAGIC.starts_with(bytes) {
        Err(SnapshotError::too_short(bytes, whole_window::HEADER_SIZE))
    } else {
        Err(SnapshotError::NotASnapshot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_told_by_its_first_bytes() {
        assert_eq!(detect(&[0, 1]).unwrap(), Format::Kafka);
        assert_eq!(detect(&whole_window::MAGIC).unwrap(), Format::WholeWindow);
        let kafka = kafka::encode([].into_iter()).unwrap();
        assert_eq!(detect(&kafka).unwrap(), Format::Kafka);
        let window = whole_window::Encoder::new(0).finish();
        assert_eq!(detect(&window).unwrap(), Format::WholeWindow);
    }

    #[test]
    fn what_begins_like_neither_is_no_snapshot() {
        for bytes in [&[0, 2][..], &[1, 0], b"RPWINDOv", b"{}", &[0, 0, 1]] {
            let refused = detect(bytes);
            assert!(
                matches!(refused, Err(SnapshotError::NotASnapshot)),
                "{bytes:?}: {refused:?}"
            );
        }
    }

    #[test]
    fn the_beginning_of_a_beginning_is_too_short() {
        for (bytes, needed, found) in [(&b""[..], 10, 0), (b"RPWINDO", 40, 7), (&[0], 10, 1)] {
            match detect(bytes) {
                Err(SnapshotError::TooShort {
                    needed: told_needed,
                    found: told_found,
                }) => assert_eq!((told_needed, told_found), (needed, found)),
                other => panic!("{bytes:?}: {other:?}"),
            }
        }
    }
}

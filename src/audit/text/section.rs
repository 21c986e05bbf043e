//! The lines that tell where a dump is: which file begins, and that it ends torn.

use super::fields::number;

/// What a line `Dumping …` begins with.
pub(super) const DUMPING: &[u8] = b"Dumping ";

/// What kind of file a section of a dump is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// A segment of a log.
    Log,
    /// A producer snapshot.
    Snapshot,
    /// An index, or whatever else the tool can show.
    Other,
}

impl Section {
    /// The kind of file with this path. Removed files keep their kind behind `.deleted`.
    pub(super) fn of(path: &[u8]) -> Self {
        let path = path.strip_suffix(b".deleted").unwrap_or(path);
        let ends = |suffix: &[u8]| path.ends_with(suffix);
        if ends(b".snapshot") {
            Section::Snapshot
        } else if ends(b"index") || ends(b".checkpoint") {
            Section::Other
        } else {
            Section::Log
        }
    }
}

/// The offset of `Starting offset: 42`, or `Log starting offset: 42` (since 3.3).
pub(super) fn starting_offset(line: &[u8]) -> Option<i64> {
    let rest = line.strip_prefix(b"Log starting offset: ");
    let rest = rest.or_else(|| line.strip_prefix(b"Starting offset: "))?;
    number(rest).filter(|offset| *offset >= 0)
}

/// The count of `Found 42 invalid bytes at the end of 00000000000000000000.log`.
pub(super) fn invalid_bytes(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(b"Found ")?;
    let blank = memchr::memchr(b' ', rest)?;
    let (count, rest) = rest.split_at(blank);
    let is_of_form = rest.starts_with(b" invalid bytes at the end of ");
    u64::try_from(number(count)?).ok().filter(|_| is_of_form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_known_by_its_path() {
        for (path, section) in [
            ("/data/orders-0/00000000000000000000.log", Section::Log),
            (
                "/data/orders-0/00000000000000000000.log.deleted",
                Section::Log,
            ),
            (
                "C:\\kafka\\orders-0\\00000000000000000007.snapshot",
                Section::Snapshot,
            ),
            ("00000000000000000000.timeindex", Section::Other),
            ("00000000000000000000.txnindex", Section::Other),
            ("dump", Section::Log),
        ] {
            assert_eq!(Section::of(path.as_bytes()), section, "{path}");
        }
    }

    #[test]
    fn the_lines_of_every_release_are_known() {
        assert_eq!(starting_offset(b"Starting offset: 42"), Some(42));
        assert_eq!(starting_offset(b"Log starting offset: 0"), Some(0));
        assert_eq!(starting_offset(b"Starting offset: -1"), None);
        let torn = b"Found 17 invalid bytes at the end of 00000000000000000000.log";
        assert_eq!(invalid_bytes(torn), Some(17));
        assert_eq!(invalid_bytes(b"Found 17 friends"), None);
    }
}

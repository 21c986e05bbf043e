//! What is wrong with a snapshot, in one line that says what to do.

use thiserror::Error;

use super::FileError;

/// Why bytes are no producer snapshot that can be used, or state cannot be put into one.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// Not even the header is whole.
    #[error(
        "the file has {found} bytes where a producer snapshot has {needed} or more: it was cut \
         short; {REMEDY}"
    )]
    TooShort {
        /// Bytes that a header has.
        needed: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// The file begins like no format that is known.
    #[error(
        "this is no producer snapshot, neither Kafka's nor one of a whole window: give a file \
         whose name ends in .snapshot or .window"
    )]
    NotASnapshot,
    /// The format is known, its version is not.
    #[error(
        "the snapshot has version {found}, and only version 1 is known: read it with the release \
         that wrote it, or delete it, and the state is rebuilt from the log"
    )]
    UnknownVersion {
        /// The version that the file claims.
        found: i64,
    },
    /// The bytes are not those that were written.
    #[error("the checksum is {computed:08x} where {stored:08x} was written: the file is damaged; {REMEDY}")]
    ChecksumMismatch {
        /// What the file says.
        stored: u32,
        /// What its bytes come to.
        computed: u32,
    },
    /// The file is shorter than its header says.
    #[error(
        "the file has {found} bytes, and {needed} by its own count: it was cut short or is \
         damaged; {REMEDY}"
    )]
    Truncated {
        /// Bytes by the counts in the header.
        needed: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// The file is longer than its header says.
    #[error("the file has {extra} bytes more than by its own count: it is damaged; {REMEDY}")]
    TrailingBytes {
        /// Bytes too many.
        extra: u64,
    },
    /// The header holds a number that no broker can have written.
    #[error("in the header, {what}: the file is damaged; {REMEDY}")]
    ImplausibleHeader {
        /// What cannot be.
        what: &'static str,
    },
    /// An entry holds a number that no broker can have written.
    #[error("in entry {entry}, {what}: the file is damaged; {REMEDY}")]
    Implausible {
        /// Which entry, counted from 0.
        entry: usize,
        /// What cannot be.
        what: &'static str,
    },
    /// Two entries are of one producer.
    #[error("producer {producer_id} has more than one entry: the file is damaged; {REMEDY}")]
    DuplicateProducer {
        /// Whose.
        producer_id: i64,
    },
    /// There are more producers than the format can count.
    #[error(
        "{found} producers are more than the 2147483647 that a snapshot of Kafka's can hold: let \
         producer ids expire earlier"
    )]
    TooManyProducers {
        /// How many there are.
        found: usize,
    },
    /// A producer has more batches than the format can count.
    #[error(
        "producer {producer_id} has more than the 63 batches that a snapshot of a whole window \
         can hold: choose a smaller window"
    )]
    TooManyBatches {
        /// Whose.
        producer_id: i64,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// What to do about a damaged file.
const REMEDY: &str = "delete it, and the state is rebuilt from an older snapshot or from the log";

impl SnapshotError {
    /// These bytes are fewer than `needed`.
    pub(super) fn too_short(bytes: &[u8], needed: usize) -> Self {
        SnapshotError::TooShort {
            needed,
            found: bytes.len(),
        }
    }

    /// Compares the length of a file with the one that its header gives.
    pub(super) fn check_length(found: usize, needed: u64) -> Result<(), SnapshotError> {
        let found = found as u64;
        if found < needed {
            Err(SnapshotError::Truncated { needed, found })
        } else if found > needed {
            let extra = found - needed;
            Err(SnapshotError::TrailingBytes { extra })
        } else {
            Ok(())
        }
    }

    /// Compares the checksum that a file has with that of its bytes.
    pub(super) fn check_checksum(stored: u32, checked: &[u8]) -> Result<(), SnapshotError> {
        let computed = crc32c::crc32c(checked);
        if stored == computed {
            Ok(())
        } else {
            Err(SnapshotError::ChecksumMismatch { stored, computed })
        }
    }
}

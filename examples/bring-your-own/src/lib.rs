//! Four producer states of a partition, as brokers have them: three designs that were
//! published, each with what is wrong about it and otherwise as it should be, and one that is
//! right. None of them knows Retryproof; the adapters are in `tests/`.

pub mod bare_counter;
pub mod gap_window;
pub mod newest_offset;
pub mod window;

/// A batch as it arrives.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// Producer id.
    pub producer: i64,
    /// Producer epoch.
    pub epoch: i64,
    /// Sequence of its first record.
    pub first: i64,
    /// How many records it has.
    pub records: i64,
}

/// What a broker says of a batch. Offsets are those of the first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// It was written here.
    Appended(i64),
    /// It stands here already.
    Duplicate(i64),
    /// Its sequence is not the one that is due.
    OutOfOrder,
    /// A newer epoch of its producer is known.
    StaleEpoch,
    /// Its sequence is negative.
    Invalid,
}

impl Batch {
    /// The sequence so many after its first: 2³¹ of them lie in a circle.
    pub fn sequence(&self, after: i64) -> i64 {
        (self.first + after).rem_euclid(1 << 31)
    }

    /// The sequence that is due after it.
    pub fn next(&self) -> i64 {
        self.sequence(self.records)
    }
}

//! Offsets that a log lacks, and whether compaction accounts for them.

use crate::audit::finding::{Range, KEPT};
use crate::audit::{LoggedBatch, Place};

/// A range of offsets at which no batch stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hole {
    /// The batch behind it.
    pub(super) place: Place,
    /// The offsets.
    pub(super) offsets: Range<i64>,
}

/// The holes of a log.
///
/// Whether a hole is a loss can only be said when the log is read: one batch that was cleaned
/// shows that the topic is compacted.
#[derive(Debug, Default)]
pub(super) struct Holes {
    offsets: u64,
    kept: Vec<Hole>,
    count: u64,
    cleaned: bool,
    unjudged: bool,
    /// Lines are missing in the dump before the next batch.
    next_is_left_out: bool,
    left_out: Option<(Place, u64)>,
}

impl Holes {
    /// The log begins at this offset, which may be 0.
    pub(super) fn before_the_log(&mut self, start: i64) {
        self.offsets = u64::try_from(start).unwrap_or(0);
    }

    /// Sees the next batch of a log that ended at `end`.
    #[inline]
    pub(super) fn see(&mut self, end: i64, batch: &LoggedBatch) {
        let fewer = batch
            .count
            .is_some_and(|count| u64::from(count) < batch.offsets());
        self.cleaned |= fewer || batch.has_delete_horizon;
        if batch.base_offset > end {
            self.add(end, batch);
        }
        self.next_is_left_out = false;
    }

    #[cold]
    fn add(&mut self, end: i64, batch: &LoggedBatch) {
        let missing = u64::try_from(batch.base_offset - end).unwrap_or(0);
        self.offsets = self.offsets.saturating_add(missing);
        // Without a count nothing would show that the log was cleaned.
        if self.next_is_left_out || batch.count.is_none() {
            self.unjudged |= batch.count.is_none();
            return;
        }
        self.count += 1;
        if self.kept.len() < KEPT {
            self.kept.push(Hole {
                place: batch.place,
                offsets: Range {
                    first: end,
                    last: batch.base_offset - 1,
                },
            });
        }
    }

    /// A batch was not judged: the offsets that it claims are as good as missing.
    pub(super) fn unreadable(&mut self, batch: &LoggedBatch) {
        // What a damaged header claims may be any number.
        self.offsets = self.offsets.saturating_add(batch.offsets());
        self.expect_one();
    }

    /// Offsets may be missing before the next batch, and why is known.
    pub(super) fn expect_one(&mut self) {
        self.next_is_left_out = true;
    }

    /// Whether offsets are missing where that could not be judged.
    pub(super) fn are_unjudged(&self) -> bool {
        self.unjudged
    }

    /// Lines are missing in the dump before the batch that comes next.
    pub(super) fn left_out(&mut self, place: Place) {
        self.expect_one();
        let (_, count) = self.left_out.get_or_insert((place, 0));
        *count += 1;
    }

    /// Where lines were first missing in the dump, and how often they were.
    pub(super) fn lines_left_out(&self) -> Option<(Place, u64)> {
        self.left_out
    }

    /// How many offsets are missing so far, those before the log included.
    #[inline]
    pub(super) fn offsets(&self) -> u64 {
        self.offsets
    }

    /// Whether some batch shows that the log was compacted.
    pub(super) fn show_compaction(&self) -> bool {
        self.cleaned
    }

    /// The first few holes.
    pub(super) fn kept(&self) -> &[Hole] {
        &self.kept
    }

    /// How many holes there are.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

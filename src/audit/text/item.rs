//! What is seen in a dump, until it is told.

use crate::audit::state::ProducerState;
use crate::audit::{LoggedBatch, PassedOver, Place, Seen};

/// As [`Seen`], without what is borrowed.
pub(super) enum Item {
    Segment(Place),
    Snapshot(Place),
    LogStart(i64),
    Batch(LoggedBatch),
    LeftOut(Place),
    Producer(ProducerState),
    TornTail(Place, u64),
    PassedOver(Place, u64, PassedOver),
}

impl Item {
    /// What is told, in a section with this path.
    #[inline]
    pub(super) fn seen(self, path: &[u8]) -> Seen<'_> {
        match self {
            Item::Segment(place) => Seen::Segment { place, path },
            Item::Snapshot(place) => Seen::Snapshot { place, path },
            Item::LogStart(offset) => Seen::LogStart { offset },
            Item::Batch(batch) => Seen::Batch(batch),
            Item::LeftOut(place) => Seen::LeftOut { place },
            Item::Producer(state) => Seen::State(state),
            Item::TornTail(place, bytes) => Seen::TornTail { place, bytes },
            Item::PassedOver(first, lines, why) => Seen::PassedOver { first, lines, why },
        }
    }
}

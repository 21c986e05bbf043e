//! Which transactions are open on the partition, and where the stable part of the log ends.
//!
//! Verification of transactions (KIP-890) is out of scope: whether a producer may begin one
//! is the transaction coordinator's to say, and a broker asks it before it comes here.

use std::collections::BTreeMap;

use super::batch::Ending;
use super::numbers::{Offset, ProducerId};

/// A transaction that a marker ended. A broker enters aborted ones into its transaction
/// index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompletedTransaction {
    /// Whose it was.
    pub producer_id: ProducerId,
    /// Offset of its first record.
    pub first_offset: Offset,
    /// Offset of the marker.
    pub last_offset: Offset,
    /// Commit or abort.
    pub ending: Ending,
}

/// Open transactions, and ended ones whose marker is not yet below the high watermark, by
/// first offset.
#[derive(Debug, Default)]
pub(super) struct Transactions {
    ongoing: BTreeMap<Offset, ProducerId>,
    /// First offset to offset of the marker.
    unreplicated: BTreeMap<Offset, Offset>,
}

impl Transactions {
    /// `false` if another one begins there, which no log shows.
    pub fn begin(&mut self, first_offset: Offset, producer_id: ProducerId) -> bool {
        self.ongoing.insert(first_offset, producer_id).is_none()
    }

    pub fn complete(&mut self, completed: &CompletedTransaction) {
        self.ongoing.remove(&completed.first_offset);
        self.unreplicated
            .insert(completed.first_offset, completed.last_offset);
    }

    /// Offset of the first record of an open or not yet replicated transaction.
    pub fn first_unstable_offset(&self) -> Option<Offset> {
        let ongoing = self.ongoing.keys().next();
        let unreplicated = self.unreplicated.keys().next();
        ongoing.into_iter().chain(unreplicated).min().copied()
    }

    /// Offset of the first record of the oldest open transaction.
    pub fn first_undecided_offset(&self) -> Option<Offset> {
        self.ongoing.keys().next().copied()
    }

    pub fn on_high_watermark(&mut self, high_watermark: Offset) {
        self.unreplicated
            .retain(|_, marker| *marker >= high_watermark);
    }

    pub fn on_log_start(&mut self, log_start: Offset) {
        self.unreplicated.retain(|_, marker| *marker >= log_start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: i64) -> Offset {
        Offset::new(number).unwrap()
    }

    fn completed(producer_id: ProducerId, first: i64, last: i64) -> CompletedTransaction {
        CompletedTransaction {
            producer_id,
            first_offset: at(first),
            last_offset: at(last),
            ending: Ending::Aborted,
        }
    }

    #[test]
    fn the_stable_part_ends_at_the_oldest_transaction_that_is_not_over() {
        let producer = ProducerId::new(1).unwrap();
        let mut transactions = Transactions::default();
        assert_eq!(transactions.first_unstable_offset(), None);
        transactions.begin(at(5), producer);
        transactions.begin(at(9), producer);
        assert_eq!(transactions.first_unstable_offset(), Some(at(5)));
        transactions.complete(&completed(producer, 5, 12));
        assert_eq!(transactions.first_undecided_offset(), Some(at(9)));
        assert_eq!(transactions.first_unstable_offset(), Some(at(5)));
        transactions.on_high_watermark(at(12));
        assert_eq!(
            transactions.first_unstable_offset(),
            Some(at(5)),
            "the marker at 12 is not below a high watermark of 12"
        );
        transactions.on_high_watermark(at(13));
        assert_eq!(transactions.first_unstable_offset(), Some(at(9)));
        transactions.complete(&completed(producer, 9, 14));
        assert_eq!(transactions.first_undecided_offset(), None);
        assert_eq!(transactions.first_unstable_offset(), Some(at(9)));
    }
}

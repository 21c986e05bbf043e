//! The decision on one batch: append, duplicate or reject. Nothing here changes anything.
//!
//! The order is Kafka's (4.3.1, from `UnifiedLog.analyzeAndValidateProducerState` on) and
//! can be seen from outside: a duplicate is recognised before its epoch is looked at, the
//! epoch before the sequence, the sequence before the transaction.

use tracing::{debug, enabled, warn, Level};

use super::batch::{Batch, CoordinatorBatch, Marker};
use super::config::Profile;
use super::manager::ProducerStateManager;
use super::numbers::{CoordinatorEpoch, Epoch, Offset, ProducerId, Sequence, Timestamp};
use super::permit::{Basis, Check, Data, Duplicate, MarkerPermit, Permit, UNKNOWN};
use super::producers::{CachedBatch, SequenceRange, Slot};
use super::rejection::{Because, InvalidRecord, Rejection};

impl ProducerStateManager {
    /// What is to become of a client's batch.
    ///
    /// A client that retries a batch sends the same one again: the same producer id, epoch,
    /// first and last sequence. If that is among the newest batches of the current epoch,
    /// as many as the window holds, it is a duplicate, whatever its bytes are.
    ///
    /// | the producer here | batch's epoch | accepted if its first sequence is | else |
    /// |---|---|---|---|
    /// | unknown | any | anything; under [`Profile::Hardened`] 0 | 45 |
    /// | known | lower | – | 47 |
    /// | known | higher | 0 | 45 |
    /// | known, with batches | the same | the one after the newest batch's last | 45 |
    /// | known, only by a marker | the same | 0 | 45 |
    #[inline]
    pub fn check(&self, batch: &Batch) -> Check {
        let slot = self.slot(batch.producer_id);
        if slot != UNKNOWN {
            // The two answers that a broker gives all day, and whose speed matters: a batch
            // that goes on where the last one ended, and a retry.
            if let Some(version) = self.producers.goes_on(slot, batch) {
                return Check::Append(self.permit(batch, slot, version, true));
            }
            if let Some(original) = self.producers.find_duplicate(slot, batch) {
                return Check::Duplicate(self.duplicate(batch, &original));
            }
        }
        match self.judge(slot, batch) {
            Ok(follows) => {
                let version = self.version(slot);
                Check::Append(self.permit(batch, slot, version, follows))
            }
            Err(rejection) => Check::Rejected(rejection),
        }
    }

    /// Whether a batch that is no duplicate may be appended, and if so whether it follows the
    /// newest one.
    #[inline(never)]
    fn judge(&self, slot: Slot, batch: &Batch) -> Result<bool, Rejection> {
        let judged = match slot {
            UNKNOWN => self.judge_unknown(batch),
            slot => self.judge_known(slot, batch),
        };
        judged.inspect_err(|rejection| self.note_rejection(batch.producer_id, rejection))
    }

    fn judge_known(&self, slot: Slot, batch: &Batch) -> Result<bool, Rejection> {
        let same_epoch = self.producers.epoch(slot) == batch.epoch.get();
        let next = self.producers.next_sequence(slot).filter(|_| same_epoch);
        self.check_epoch(slot, batch.epoch)?;
        self.check_sequence(slot, batch.base_sequence, next)?;
        self.check_no_transaction(slot, batch.transactional)?;
        Ok(next == Some(batch.base_sequence))
    }

    fn judge_unknown(&self, batch: &Batch) -> Result<bool, Rejection> {
        self.check_epoch(UNKNOWN, batch.epoch)?;
        let start = batch.base_sequence;
        if self.config.profile == Profile::Kafka || start == Sequence::ZERO {
            return Ok(false);
        }
        Err(Rejection::OutOfOrderSequence {
            expected: Sequence::ZERO,
            received: start,
            because: Because::UnknownProducer,
        })
    }

    /// What is to become of all batches that a client sent for the partition in one
    /// request. There must be exactly one, as Kafka demands; otherwise the request is
    /// refused as a whole, INVALID_RECORD, and none of its batches is looked at.
    pub fn check_request(&self, batches: &[Batch]) -> Check {
        match batches {
            [batch] => self.check(batch),
            _ => {
                self.metrics.other_rejections.add(1);
                let batches = batches.len();
                let rejection = Rejection::from(InvalidRecord::NotOneBatch { batches });
                warn!(error = rejection.code_name(), "rejected: {rejection}");
                Check::Rejected(rejection)
            }
        }
    }

    /// What is to become of a batch that a coordinator writes for a producer: only its
    /// epoch is checked.
    pub fn check_coordinator(&self, batch: &CoordinatorBatch) -> Check {
        let slot = self.slot(batch.producer_id);
        if let Err(rejection) = self.check_epoch(slot, batch.epoch) {
            self.note_rejection(batch.producer_id, &rejection);
            return Check::Rejected(rejection);
        }
        Check::Append(Permit {
            basis: self.basis(batch.producer_id, slot, self.version(slot)),
            data: Data {
                max_timestamp: batch.max_timestamp.get(),
                range: SequenceRange::new(-1, batch.records.max(1) - 1),
                epoch: batch.epoch.get(),
                transactional: true,
                follows: false,
            },
        })
    }

    /// Whether a marker may be written. A producer that is not known is made known by it.
    ///
    /// # Errors
    /// [`Rejection::StaleEpoch`] and [`Rejection::CoordinatorFenced`]. (The stricter epoch
    /// check for transactions of version 2, KIP-1228, needs verification state, which is
    /// out of scope.)
    pub fn check_marker(&self, marker: &Marker) -> Result<MarkerPermit, Rejection> {
        let slot = self.slot(marker.producer_id);
        self.check_epoch(slot, marker.epoch)
            .and_then(|()| self.check_coordinator_epoch(slot, marker.coordinator_epoch))
            .inspect_err(|rejection| self.note_rejection(marker.producer_id, rejection))?;
        Ok(MarkerPermit {
            basis: self.basis(marker.producer_id, slot, self.version(slot)),
            marker: *marker,
        })
    }

    /// An unknown producer counts as one of epoch −1.
    fn check_epoch(&self, slot: Slot, received: Epoch) -> Result<(), Rejection> {
        let current = match slot {
            UNKNOWN => Epoch::NONE,
            slot => Epoch::new(self.producers.epoch(slot)),
        };
        if received < current {
            return Err(Rejection::StaleEpoch { current, received });
        }
        Ok(())
    }

    fn check_coordinator_epoch(
        &self,
        slot: Slot,
        received: CoordinatorEpoch,
    ) -> Result<(), Rejection> {
        let current = match slot {
            UNKNOWN => CoordinatorEpoch::NONE,
            slot => self.producers.side(slot).coordinator_epoch,
        };
        if received < current {
            return Err(Rejection::CoordinatorFenced { current, received });
        }
        Ok(())
    }

    /// Whether a batch may start at this sequence; `next` is the one after the newest batch
    /// of its epoch.
    fn check_sequence(
        &self,
        slot: Slot,
        received: Sequence,
        next: Option<Sequence>,
    ) -> Result<(), Rejection> {
        let no_epoch = Epoch::new(self.producers.epoch(slot)) == Epoch::NONE;
        if no_epoch && self.config.profile == Profile::Kafka {
            // To Kafka a producer without an epoch is one without state, whatever it wrote.
            return Ok(());
        }
        let (expected, because) = match next {
            Some(next) => (next, Because::Next),
            None => (Sequence::ZERO, Because::StartOfEpoch),
        };
        if received == expected {
            return Ok(());
        }
        Err(Rejection::OutOfOrderSequence {
            expected,
            received,
            because,
        })
    }

    fn check_no_transaction(&self, slot: Slot, transactional: bool) -> Result<(), Rejection> {
        match self.producers.side(slot).transaction_first_offset {
            Some(first_offset) if !transactional => Err(Rejection::OpenTransaction {
                first_offset: Offset::new(first_offset).unwrap_or(Offset::ZERO),
            }),
            _ => Ok(()),
        }
    }

    #[inline]
    fn slot(&self, producer_id: ProducerId) -> Slot {
        self.producers.find(producer_id.get()).unwrap_or(UNKNOWN)
    }

    #[inline]
    fn permit(&self, batch: &Batch, slot: Slot, version: u32, follows: bool) -> Permit {
        Permit {
            basis: self.basis(batch.producer_id, slot, version),
            data: Data {
                max_timestamp: batch.max_timestamp.get(),
                range: batch.range(),
                epoch: batch.epoch.get(),
                transactional: batch.transactional,
                follows,
            },
        }
    }

    #[inline]
    fn basis(&self, producer_id: ProducerId, slot: Slot, version: u32) -> Basis {
        Basis {
            incarnation: self.incarnation,
            changes: self.changes,
            producer_id,
            slot,
            version,
        }
    }

    fn version(&self, slot: Slot) -> u32 {
        match slot {
            UNKNOWN => 0,
            slot => self.producers.version(slot),
        }
    }

    #[inline]
    fn duplicate(&self, batch: &Batch, original: &CachedBatch) -> Duplicate {
        self.metrics.duplicates.add(1);
        if enabled!(Level::DEBUG) {
            tell_duplicate(batch, original);
        }
        Duplicate {
            first_offset: Offset::new(original.first_offset()).unwrap_or(Offset::ZERO),
            last_offset: Offset::new(original.last_offset).unwrap_or(Offset::ZERO),
            timestamp: Timestamp::from_millis(original.timestamp),
        }
    }

    #[cold]
    fn note_rejection(&self, producer_id: ProducerId, rejection: &Rejection) {
        match rejection {
            Rejection::OutOfOrderSequence { .. } => self.metrics.out_of_order.add(1),
            _ => self.metrics.other_rejections.add(1),
        }
        warn!(
            producer_id = producer_id.get(),
            error = rejection.code_name(),
            "rejected: {rejection}"
        );
    }
}

#[cold]
fn tell_duplicate(batch: &Batch, original: &CachedBatch) {
    debug!(
        producer_id = batch.producer_id.get(),
        epoch = batch.epoch.get(),
        first_sequence = batch.base_sequence.get(),
        last_sequence = batch.last_sequence().get(),
        original_offset = original.first_offset(),
        "duplicate batch"
    );
}

//! Whether something can be recorded: does it fit the log, is its permit still good.

use retryproof::state_manager::CommitError;

use super::decision::open_transaction;
use super::{offset, Reference, Written};

/// What a permit is about: a life of the manager, and the producer's last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    producer_id: i64,
    life: u64,
    change: Option<u64>,
}

impl Reference {
    pub fn basis(&self, producer_id: i64) -> Basis {
        Basis {
            producer_id,
            life: self.life,
            change: self.versions.get(&producer_id).copied(),
        }
    }

    /// Whether so many records can stand from this offset on.
    pub fn fits(&self, base_offset: i64, records: i64) -> Result<(), CommitError> {
        let given = offset(base_offset);
        if base_offset < self.end {
            let map_end = offset(self.end);
            return Err(CommitError::OffsetMovedBack { given, map_end });
        }
        match base_offset.checked_add(records) {
            Some(_) => Ok(()),
            None => Err(CommitError::OffsetOverflow { given }),
        }
    }

    /// Whether a permit can be used for so many records from this offset on.
    pub fn allows(
        &mut self,
        basis: &Basis,
        base_offset: i64,
        records: i64,
    ) -> Result<(), CommitError> {
        self.fits(base_offset, records)?;
        if self.basis(basis.producer_id) == *basis {
            return Ok(());
        }
        self.counts.stale_permits += 1;
        Err(CommitError::StalePermit)
    }

    /// Whether a batch can stand in a log here. While nobody is known it may begin before the
    /// end of what is recorded: the log start can lie within the first batch.
    pub fn bears(&self, batch: &Written, base_offset: i64) -> Result<(), CommitError> {
        let nearest = match self.producers.is_empty() {
            true => base_offset + (batch.records - 1),
            false => base_offset,
        };
        if nearest < self.end {
            let (given, map_end) = (offset(base_offset), offset(self.end));
            return Err(CommitError::OffsetMovedBack { given, map_end });
        }
        let known = self.producers.get(&batch.producer_id);
        match known.and_then(|producer| producer.transaction) {
            Some(first) if !batch.transactional => Err(open_transaction(first).into()),
            _ => Ok(()),
        }
    }
}

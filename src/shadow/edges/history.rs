//! How a production manager comes to hold a memory, and what it shows then.

use crate::state_manager::{
    Batch, BatchHeader, Check, Config, LoggedBatch, Offset, ProducerStateManager, Timestamp,
};

use super::placement::{Placed, RealBatch, PRODUCER};

/// Why a batch could not be made or recorded, in words.
pub(in crate::shadow) type Failure = String;

fn fails(error: impl std::fmt::Display) -> Failure {
    error.to_string()
}

/// A manager that was given the past of a memory.
pub(in crate::shadow) fn manager(
    placed: &Placed<'_>,
    config: Config,
) -> Result<ProducerStateManager, Failure> {
    let mut manager = ProducerStateManager::new(config);
    for batch in placed.past() {
        let copied = placed.placement.copied;
        append(&mut manager, &batch, copied)?;
    }
    let log_end = offset(placed.log_end())?;
    manager.skip_to(log_end).map_err(fails)?;
    Ok(manager)
}

fn append(
    manager: &mut ProducerStateManager,
    batch: &RealBatch,
    copied: bool,
) -> Result<(), Failure> {
    if !copied {
        if let Check::Append(permit) = manager.check(&client_batch(batch)?) {
            let base_offset = offset(batch.first_offset)?;
            let committed = manager.commit(permit, base_offset, now(batch));
            return committed.map(drop).map_err(fails);
        }
    }
    let logged = LoggedBatch::from_header(&header(batch)?, offset(batch.first_offset)?);
    let logged = logged.map_err(fails)?.ok_or("it has a producer id")?;
    manager.replicate(&logged, now(batch)).map_err(fails)
}

/// The batch as a client sends it.
pub(in crate::shadow) fn client_batch(batch: &RealBatch) -> Result<Batch, Failure> {
    let made = Batch::from_header(&header(batch)?).map_err(fails)?;
    made.ok_or_else(|| "it has a producer id".to_owned())
}

/// The time at which the batch comes.
pub(in crate::shadow) fn now(batch: &RealBatch) -> Timestamp {
    Timestamp::from_millis(batch.timestamp())
}

/// An offset.
pub(in crate::shadow) fn offset(number: i64) -> Result<Offset, Failure> {
    Offset::new(number).ok_or_else(|| format!("the offset {number} is negative"))
}

fn header(batch: &RealBatch) -> Result<BatchHeader, Failure> {
    let number = |number: i64| i32::try_from(number).map_err(fails);
    Ok(BatchHeader {
        producer_id: PRODUCER,
        producer_epoch: i16::try_from(batch.epoch).map_err(fails)?,
        base_sequence: number(batch.first_sequence)?,
        last_offset_delta: number(batch.records - 1)?,
        record_count: number(batch.records)?,
        max_timestamp: batch.timestamp(),
        transactional: false,
        control: false,
    })
}

//! The specification's plain numbers as the typed ones of the production manager, and back.

use std::fmt::Display;
use std::time::Duration;

use retryproof_models::specification::{Batch as Written, Content, Profile, Settings};

use crate::shadow::subject::SubjectFailure;
use crate::state_manager::{
    BatchHeader, Config, CoordinatorEpoch, Ending, Epoch, LogEntry, LoggedBatch, Marker, Offset,
    ProducerId, Timestamp,
};

/// The same settings.
pub(super) fn config(settings: &Settings) -> Result<Config, SubjectFailure> {
    let config = match settings.profile {
        Profile::Kafka => Config::kafka(),
        Profile::Hardened => Config::hardened(),
    };
    let expiry = fit("expiry", settings.expiry_ms)?;
    let config = config.with_window(settings.window);
    config
        .and_then(|config| config.with_expiry(Duration::from_millis(expiry)))
        .map_err(SubjectFailure::because)
}

/// The header of a batch of records.
pub(super) fn header(n: i64, ts: i64, content: Content) -> Result<BatchHeader, SubjectFailure> {
    let (pid, epoch, seq) = match content {
        Content::Records { pid, epoch, seq } => (pid, epoch, seq),
        Content::Plain | Content::Marker { .. } => (-1, -1, -1),
    };
    let records = fit("number of records", n)?;
    Ok(BatchHeader {
        max_timestamp: ts,
        ..BatchHeader::idempotent(pid, fit("epoch", epoch)?, fit("sequence", seq)?, records)
    })
}

/// A marker. Whether it commits or aborts makes no difference here.
pub(super) fn marker(ts: i64, content: Content) -> Result<Marker, SubjectFailure> {
    let (pid, epoch, coord) = match content {
        Content::Marker { pid, epoch, coord } => (pid, epoch, coord),
        Content::Plain | Content::Records { .. } => (-1, -1, -1),
    };
    let negative = || SubjectFailure::Failed(format!("the producer id {pid} is negative"));
    Ok(Marker {
        producer_id: ProducerId::new(pid).ok_or_else(negative)?,
        epoch: Epoch::new(fit("epoch", epoch)?),
        coordinator_epoch: CoordinatorEpoch::new(fit("coordinator epoch", coord)?),
        timestamp: Timestamp::from_millis(ts),
        ending: Ending::Committed,
    })
}

/// A batch that stands in the log.
pub(super) fn entry(batch: &Written) -> Result<LogEntry, SubjectFailure> {
    let base = offset(batch.base)?;
    match batch.content {
        Content::Marker { .. } => Ok(LogEntry::Marker(
            marker(batch.timestamp, batch.content)?,
            base,
        )),
        Content::Plain | Content::Records { .. } => {
            let header = header(batch.count, batch.timestamp, batch.content)?;
            let logged =
                LoggedBatch::from_header(&header, base).map_err(SubjectFailure::because)?;
            match logged {
                Some(logged) => Ok(LogEntry::Batch(logged)),
                None => Ok(LogEntry::Plain(offset(batch.end())?)),
            }
        }
    }
}

/// An offset.
pub(super) fn offset(number: i64) -> Result<Offset, SubjectFailure> {
    let negative = || SubjectFailure::Failed(format!("the offset {number} is negative"));
    Offset::new(number).ok_or_else(negative)
}

fn fit<N: TryFrom<i64>>(what: &str, number: i64) -> Result<N, SubjectFailure>
where
    N::Error: Display,
{
    let too_large = |_| SubjectFailure::Failed(format!("the {what} {number} is out of range"));
    N::try_from(number).map_err(too_large)
}

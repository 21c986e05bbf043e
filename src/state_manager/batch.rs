//! What a broker hands to the manager: batches of clients, batches that stand in a log
//! already, and transaction markers.

use super::numbers::{CoordinatorEpoch, Epoch, Offset, ProducerId, Sequence, Timestamp};
use super::producers::SequenceRange;
use super::rejection::{InvalidRecord, Rejection};

/// The fields of a record batch's header that producer state depends on, as they stand in
/// the bytes (magic 2; Kafka: `DefaultRecordBatch`). Nothing in it is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchHeader {
    /// Producer id, −1 for none.
    pub producer_id: i64,
    /// Producer epoch, −1 for none.
    pub producer_epoch: i16,
    /// Sequence of the first record, −1 for none.
    pub base_sequence: i32,
    /// Offset of the last record minus offset of the first.
    pub last_offset_delta: i32,
    /// How many records the batch holds.
    pub record_count: i32,
    /// Largest timestamp of a record, in milliseconds; −1 for none. Where the broker stamps
    /// records (`message.timestamp.type=LogAppendTime`) it is the broker's time, to be set
    /// before the check.
    pub max_timestamp: i64,
    /// Whether the batch belongs to a transaction.
    pub transactional: bool,
    /// Whether it is a control batch, which only brokers write.
    pub control: bool,
}

impl BatchHeader {
    /// The header of a batch of an idempotent producer with `records` records. It has no
    /// timestamp: under [`Profile::Kafka`](super::Profile::Kafka) a producer without one is
    /// forgotten by the next expiry check or reload, so set `max_timestamp`.
    pub const fn idempotent(
        producer_id: i64,
        producer_epoch: i16,
        base_sequence: i32,
        records: i32,
    ) -> Self {
        BatchHeader {
            producer_id,
            producer_epoch,
            base_sequence,
            last_offset_delta: records.saturating_sub(1),
            record_count: records,
            max_timestamp: -1,
            transactional: false,
            control: false,
        }
    }

    /// The header of a batch of no producer with `records` records.
    pub const fn plain(records: i32) -> Self {
        BatchHeader::idempotent(-1, -1, -1, records)
    }
}

/// A batch of an idempotent or transactional client, on its way to a leader's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    pub(super) producer_id: ProducerId,
    pub(super) epoch: Epoch,
    pub(super) base_sequence: Sequence,
    /// Records − 1, which is also the offset of the last record minus that of the first.
    pub(super) offset_delta: i32,
    pub(super) max_timestamp: Timestamp,
    pub(super) transactional: bool,
}

impl Batch {
    /// A batch of `records` records that is not part of a transaction.
    ///
    /// # Errors
    /// [`InvalidRecord::RecordCount`] unless `records` is at least 1.
    pub fn new(
        producer_id: ProducerId,
        epoch: Epoch,
        base_sequence: Sequence,
        records: i32,
        max_timestamp: Timestamp,
    ) -> Result<Self, Rejection> {
        if records < 1 {
            return Err(InvalidRecord::RecordCount {
                records,
                last_offset_delta: records.saturating_sub(1),
            }
            .into());
        }
        Ok(Batch {
            producer_id,
            epoch,
            base_sequence,
            offset_delta: records - 1,
            max_timestamp,
            transactional: false,
        })
    }

    /// The same batch as part of a transaction.
    #[must_use]
    pub fn transactional(self) -> Self {
        Batch {
            transactional: true,
            ..self
        }
    }

    /// The batch of this header; `None` if it names no producer id: such a batch needs no
    /// check, after its append the manager is told by
    /// [`skip_to`](super::ProducerStateManager::skip_to).
    ///
    /// Refuses what Kafka's `LogValidator` (4.3.1) refuses before it looks at producer
    /// state, as far as these fields tell.
    ///
    /// # Errors
    /// [`Rejection::InvalidRecord`]: a control batch, a record count that is not positive
    /// or does not fit the offsets, a producer id with a negative sequence.
    pub fn from_header(header: &BatchHeader) -> Result<Option<Self>, Rejection> {
        if header.control {
            return Err(InvalidRecord::ControlBatch.into());
        }
        if header.record_count < 1
            || header.last_offset_delta.checked_add(1) != Some(header.record_count)
        {
            return Err(InvalidRecord::RecordCount {
                records: header.record_count,
                last_offset_delta: header.last_offset_delta,
            }
            .into());
        }
        let Some(producer_id) = ProducerId::new(header.producer_id) else {
            return Ok(None);
        };
        let base_sequence =
            Sequence::new(header.base_sequence).ok_or(InvalidRecord::NegativeSequence {
                sequence: header.base_sequence,
            })?;
        Ok(Some(Batch {
            producer_id,
            epoch: Epoch::new(header.producer_epoch),
            base_sequence,
            offset_delta: header.last_offset_delta,
            max_timestamp: Timestamp::from_millis(header.max_timestamp),
            transactional: header.transactional,
        }))
    }

    /// The same batch as it stands in the log from `base_offset` on; `None` if it would end
    /// beyond offset 2⁶³−1.
    pub fn at(&self, base_offset: Offset) -> Option<LoggedBatch> {
        let (last_offset, end) = base_offset.extent(self.offset_delta)?;
        Some(LoggedBatch {
            producer_id: self.producer_id,
            epoch: self.epoch,
            base_sequence: Some(self.base_sequence),
            base_offset,
            last_offset,
            end,
            max_timestamp: self.max_timestamp,
            transactional: self.transactional,
        })
    }

    /// Whose batch it is.
    pub fn producer_id(&self) -> ProducerId {
        self.producer_id
    }

    /// Producer epoch.
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// Sequence of the first record.
    pub fn base_sequence(&self) -> Sequence {
        self.base_sequence
    }

    /// Sequence of the last record. It may be smaller than the first: sequences wrap.
    #[inline]
    pub fn last_sequence(&self) -> Sequence {
        self.base_sequence.plus(self.offset_delta as u32)
    }

    #[inline]
    pub(super) fn range(&self) -> SequenceRange {
        SequenceRange::new(self.last_sequence().get(), self.offset_delta)
    }

    /// How many records it holds, 1 to 2³¹−1.
    pub fn records(&self) -> u32 {
        self.offset_delta as u32 + 1
    }
}

/// A batch that a transaction or group coordinator writes for a producer: committed
/// offsets of a transaction. It has no sequence; of the checks only the one of the epoch
/// applies (Kafka: `AppendOrigin.COORDINATOR`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoordinatorBatch {
    /// The transactional producer.
    pub producer_id: ProducerId,
    /// Its epoch.
    pub epoch: Epoch,
    /// How many records the batch holds; less than 1 is taken for 1.
    pub records: i32,
    /// Largest timestamp of a record.
    pub max_timestamp: Timestamp,
}

/// A batch that stands in the leader's or in our own log: what a follower appends and what
/// recovery reads. It is recorded as it is, nothing about sequences is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedBatch {
    pub(super) producer_id: ProducerId,
    pub(super) epoch: Epoch,
    pub(super) base_sequence: Option<Sequence>,
    pub(super) base_offset: Offset,
    pub(super) last_offset: Offset,
    pub(super) end: Offset,
    pub(super) max_timestamp: Timestamp,
    pub(super) transactional: bool,
}

impl LoggedBatch {
    /// The batch of this header at this offset; `None` if it names no producer id.
    ///
    /// Records may be missing (a compacted batch): the range of sequences is the original
    /// one, because it comes from the offsets.
    ///
    /// # Errors
    /// [`Rejection::InvalidRecord`]: a control batch (see [`Marker`]), a negative last
    /// offset delta, an end beyond offset 2⁶³−1, a sequence below −1.
    pub fn from_header(
        header: &BatchHeader,
        base_offset: Offset,
    ) -> Result<Option<Self>, Rejection> {
        if header.control {
            return Err(InvalidRecord::ControlBatch.into());
        }
        let delta = u32::try_from(header.last_offset_delta).ok();
        let (last_offset, end) = delta
            .and_then(|_| base_offset.extent(header.last_offset_delta))
            .ok_or(InvalidRecord::RecordCount {
                records: header.record_count,
                last_offset_delta: header.last_offset_delta,
            })?;
        let Some(producer_id) = ProducerId::new(header.producer_id) else {
            return Ok(None);
        };
        let base_sequence = Sequence::new(header.base_sequence);
        if base_sequence.is_none() && header.base_sequence != -1 {
            return Err(InvalidRecord::NegativeSequence {
                sequence: header.base_sequence,
            }
            .into());
        }
        Ok(Some(LoggedBatch {
            producer_id,
            epoch: Epoch::new(header.producer_epoch),
            base_sequence,
            base_offset,
            last_offset,
            end,
            max_timestamp: Timestamp::from_millis(header.max_timestamp),
            transactional: header.transactional,
        }))
    }

    /// Offset of the first record.
    pub fn base_offset(&self) -> Offset {
        self.base_offset
    }

    /// Offset of the last record.
    pub fn last_offset(&self) -> Offset {
        self.last_offset
    }

    /// Where the log ends after it, exclusive.
    pub fn end(&self) -> Offset {
        self.end
    }
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its records count.
    Committed,
    /// Its records are to be skipped.
    Aborted,
}

/// An end-of-transaction marker: a control batch of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Whose transaction ends.
    pub producer_id: ProducerId,
    /// The epoch under which it ends; may be higher than that of its batches.
    pub epoch: Epoch,
    /// Epoch of the coordinator that wrote the marker.
    pub coordinator_epoch: CoordinatorEpoch,
    /// Time of the marker.
    pub timestamp: Timestamp,
    /// Commit or abort.
    pub ending: Ending,
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: BatchHeader = BatchHeader {
        producer_id: 9000,
        producer_epoch: 2,
        base_sequence: i32::MAX - 1,
        last_offset_delta: 3,
        record_count: 4,
        max_timestamp: 17,
        transactional: false,
        control: false,
    };

    fn offset(number: i64) -> Offset {
        Offset::new(number).expect("not negative")
    }

    #[test]
    fn a_batch_takes_over_what_its_header_says() {
        let batch = Batch::from_header(&HEADER).unwrap().unwrap();
        assert_eq!(batch.producer_id().get(), 9000);
        assert_eq!(batch.epoch().get(), 2);
        assert_eq!(batch.base_sequence().get(), i32::MAX - 1);
        assert_eq!(batch.last_sequence().get(), 1, "straddles the wrap");
        assert_eq!(batch.records(), 4);
        assert_eq!(batch.max_timestamp.get(), 17);
        assert!(!batch.transactional);
        let made = Batch::new(
            batch.producer_id,
            batch.epoch,
            batch.base_sequence,
            4,
            batch.max_timestamp,
        );
        assert_eq!(made, Ok(batch));
        assert!(batch.transactional().transactional);
    }

    #[test]
    fn a_batch_without_a_producer_id_needs_no_check() {
        let plain = BatchHeader {
            producer_id: -1,
            producer_epoch: -1,
            base_sequence: -1,
            ..HEADER
        };
        assert_eq!(Batch::from_header(&plain), Ok(None));
        assert_eq!(LoggedBatch::from_header(&plain, Offset::ZERO), Ok(None));
    }

    #[test]
    fn what_the_validator_refuses_is_invalid() {
        let control = BatchHeader {
            control: true,
            ..HEADER
        };
        let unnumbered = BatchHeader {
            base_sequence: -1,
            ..HEADER
        };
        let empty = BatchHeader {
            record_count: 0,
            last_offset_delta: -1,
            ..HEADER
        };
        let short = BatchHeader {
            record_count: 3,
            ..HEADER
        };
        let long = BatchHeader {
            last_offset_delta: i32::MAX,
            record_count: i32::MIN,
            ..HEADER
        };
        for header in [control, unnumbered, empty, short, long] {
            let rejection = Batch::from_header(&header).unwrap_err();
            assert!(
                matches!(rejection, Rejection::InvalidRecord(_)),
                "{rejection:?}"
            );
        }
        let (producer, epoch) = (ProducerId::LOWEST, Epoch::new(0));
        for records in [0, -1, i32::MIN] {
            let made = Batch::new(
                producer,
                epoch,
                Sequence::ZERO,
                records,
                Timestamp::from_millis(0),
            );
            assert!(made.is_err(), "{records}");
        }
    }

    #[test]
    fn a_batch_that_was_appended_is_a_logged_one() {
        let header = BatchHeader {
            max_timestamp: 17,
            ..BatchHeader::idempotent(9000, 2, i32::MAX - 1, 4)
        };
        assert_eq!(header, HEADER);
        let batch = Batch::from_header(&header).unwrap().unwrap();
        let logged = LoggedBatch::from_header(&header, offset(7)).unwrap();
        assert_eq!(batch.at(offset(7)), logged);
        assert_eq!(batch.at(offset(i64::MAX - 3)), None);
        let one = BatchHeader::idempotent(9000, 0, 0, 1);
        assert_eq!((one.max_timestamp, one.last_offset_delta), (-1, 0));
        assert!(matches!(Batch::from_header(&one), Ok(Some(_))));
        let plain = BatchHeader::plain(4);
        assert_eq!((plain.producer_id, plain.record_count), (-1, 4));
        assert_eq!((plain.producer_epoch, plain.base_sequence), (-1, -1));
        assert_eq!(Batch::from_header(&plain), Ok(None));
    }

    #[test]
    fn a_logged_batch_may_lack_records_and_sequences() {
        let compacted = BatchHeader {
            record_count: 0,
            ..HEADER
        };
        let logged = LoggedBatch::from_header(&compacted, offset(10))
            .unwrap()
            .unwrap();
        assert_eq!(logged.base_offset(), offset(10));
        assert_eq!(logged.last_offset(), offset(13));
        assert_eq!(logged.end(), offset(14));
        let unnumbered = BatchHeader {
            base_sequence: -1,
            ..HEADER
        };
        let logged = LoggedBatch::from_header(&unnumbered, offset(10))
            .unwrap()
            .unwrap();
        assert_eq!(logged.base_sequence, None);
    }

    #[test]
    fn a_logged_batch_must_have_offsets() {
        let backwards = BatchHeader {
            last_offset_delta: -1,
            ..HEADER
        };
        assert!(LoggedBatch::from_header(&backwards, offset(10)).is_err());
        assert!(LoggedBatch::from_header(&HEADER, offset(i64::MAX - 3)).is_err());
        assert!(LoggedBatch::from_header(&HEADER, offset(i64::MAX - 4)).is_ok());
        let nonsense = BatchHeader {
            base_sequence: -2,
            ..HEADER
        };
        assert!(LoggedBatch::from_header(&nonsense, offset(10)).is_err());
        let control = BatchHeader {
            control: true,
            ..HEADER
        };
        assert!(LoggedBatch::from_header(&control, offset(10)).is_err());
    }
}

//! The few numbers that are remembered of a producer judge as a history does that forgets
//! nothing, and a batch that plainly follows on is one that no property objects to.

use proptest::prelude::*;
use retryproof_properties::{
    Batch, Epoch, Event, Identity, Offset, Partition, ProducerId, RecordedHistory, RecordedMemory,
    Sequence,
};

use super::log::Log;
use super::producer::PROPERTIES;
use crate::audit::finding::Findings;
use crate::audit::{sequence, FileId, LoggedBatch, Place, Position};

/// Producer, epoch, first sequence, how many more.
type Written = (i64, i16, i32, i32);

fn logged(written: &Written, offset: i64) -> LoggedBatch {
    let (producer_id, producer_epoch, base_sequence, more) = *written;
    LoggedBatch {
        place: Place {
            file: FileId(0),
            position: Position::Line(1),
        },
        base_offset: offset,
        last_offset: offset + i64::from(more),
        count: u32::try_from(more + 1).ok(),
        base_sequence,
        last_sequence: base_sequence + more,
        producer_id,
        producer_epoch,
        leader_epoch: Some(0),
        is_transactional: false,
        is_control: false,
        position: None,
        size: Some(100),
        crc: None,
        is_valid: Some(true),
        has_delete_horizon: false,
    }
}

fn event(batch: &LoggedBatch) -> Event<'static, RecordedMemory> {
    let epoch = Epoch(batch.producer_epoch.into());
    Event::Appended {
        batch: Batch {
            producer: ProducerId(batch.producer_id),
            partition: Partition(0),
            identity: Some(Identity {
                epoch,
                first: Sequence(batch.base_sequence.into()),
                last: Sequence(batch.last_sequence.into()),
            }),
            first_record: sequence::record(epoch, batch.base_sequence.into()),
            count: batch.count.expect("known"),
        },
        base: Offset(batch.base_offset),
    }
}

/// Which properties the first batch that breaks any breaks, and which batch it is.
fn by_everything(log: &[LoggedBatch]) -> Option<(usize, Vec<&'static str>)> {
    let mut history = RecordedHistory::default();
    for (index, batch) in log.iter().enumerate() {
        let event = event(batch);
        let broken = PROPERTIES
            .iter()
            .filter(|it| it.judge(&history, &event).is_broken());
        let broken: Vec<_> = broken.map(|property| property.id()).collect();
        if !broken.is_empty() {
            return Some((index, broken));
        }
        history.record(&event);
    }
    None
}

/// The same out of the audit.
fn by_the_audit(log: &[LoggedBatch]) -> Option<(usize, Vec<&'static str>)> {
    let mut audited = Log::new("log".into());
    for (index, batch) in log.iter().enumerate() {
        let mut findings = Findings::keeping(1);
        audited.append(batch, &mut findings);
        let first = findings.by_kind().next();
        if let Some((kind, found)) = first {
            let also = found.kept[0].also.iter().copied();
            return Some((index, [kind.about().id()].into_iter().chain(also).collect()));
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_first_violation_is_the_same(
        written in proptest::collection::vec((0..2_i64, 0..2_i16, 0..5_i32, 0..2_i32), 1..9),
    ) {
        let mut offset = 0;
        let log: Vec<LoggedBatch> = written
            .iter()
            .map(|written| {
                let batch = logged(written, offset);
                offset = batch.last_offset + 1;
                batch
            })
            .collect();
        prop_assert_eq!(by_the_audit(&log), by_everything(&log));
    }
}

#[test]
fn the_comparison_notices_each_property() {
    // Each is broken by the last of these batches, and so the comparison is about it.
    for (property, written) in [
        ("no-duplicate", vec![(0, 0, 0, 0), (0, 0, 0, 0)]),
        ("sequence-per-partition", vec![(0, 0, 0, 0), (0, 0, 2, 0)]),
        ("stale-epoch-rejected", vec![(0, 1, 0, 0), (0, 0, 0, 0)]),
        ("gap-rejected", vec![(0, 0, 1, 0)]),
        (
            "partition-order",
            vec![(0, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)],
        ),
    ] {
        let log: Vec<LoggedBatch> = written
            .iter()
            .zip(0..)
            .map(|(it, at)| logged(it, at))
            .collect();
        let (index, broken) = by_everything(&log).expect("broken");
        assert_eq!(index, log.len() - 1);
        assert!(broken.contains(&property), "{broken:?}");
        assert_eq!(by_the_audit(&log), Some((index, broken)));
    }
}

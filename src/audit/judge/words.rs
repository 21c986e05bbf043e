//! What was seen, in a sentence with its numbers. What it means and what to check next is
//! said once for each kind.

use retryproof_properties::Violation;

use super::holes::Hole;
use super::tail::Tail;
use crate::audit::kind::Kind;
use crate::audit::notes::counted;
use crate::audit::{sequence, LoggedBatch};

/// A range; one number if first and last are the same.
pub(crate) fn range<N: PartialEq + std::fmt::Display>(first: N, last: N) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first} to {last}")
    }
}

/// A range with its noun.
pub(crate) fn named<N: PartialEq + std::fmt::Display>(noun: &str, first: N, last: N) -> String {
    let plural = if first == last { "" } else { "s" };
    format!("{noun}{plural} {}", range(first, last))
}

fn sequences(batch: &LoggedBatch) -> String {
    named("sequence", batch.base_sequence, batch.last_sequence)
}

fn offsets(batch: &LoggedBatch) -> String {
    named("offset", batch.base_offset, batch.last_offset)
}

pub(super) fn corrupt(batch: &LoggedBatch) -> String {
    format!("the batch that claims {} is not valid", offsets(batch))
}

pub(super) fn malformed(batch: &LoggedBatch) -> String {
    let records = match batch.count {
        Some(count) => format!(" of {}", counted(count.into(), "record")),
        None => String::new(),
    };
    format!(
        "a batch{records} spans {} and {}",
        offsets(batch),
        sequences(batch)
    )
}

pub(super) fn overlap(batch: &LoggedBatch, end: i64) -> String {
    format!(
        "a batch with {} stands where the log goes on at offset {end}",
        offsets(batch)
    )
}

pub(super) fn stale_marker(batch: &LoggedBatch, newest: Option<i16>) -> String {
    format!(
        "a marker of epoch {} of producer {} was written at offset {}, after epoch {}",
        batch.producer_epoch,
        batch.producer_id,
        batch.base_offset,
        newest.unwrap_or(-1)
    )
}

pub(super) fn torn_before_another(bytes: u64) -> String {
    format!("the segment ends in {bytes} bytes that are no whole batch, and another one follows it")
}

pub(super) fn hole(hole: &Hole) -> String {
    let offsets = named("offset", hole.offsets.first, hole.offsets.last);
    format!("no batch stands at {offsets}")
}

/// What a property found, in the numbers of the log.
pub(super) fn broken(
    kind: Kind,
    violation: &Violation,
    batch: &LoggedBatch,
    tail: Option<&Tail>,
) -> String {
    let who = format!(
        "producer {} epoch {}: {} at {}",
        batch.producer_id,
        batch.producer_epoch,
        sequences(batch),
        offsets(batch)
    );
    let newest = tail.and_then(|tail| {
        let newest = tail.newest?;
        let (first, last) = (sequence::plain(newest.first), sequence::plain(newest.last));
        let sequences = named("sequence", first, last);
        Some(format!("{sequences} at offset {}", newest.base))
    });
    let newest = newest.unwrap_or_else(|| "none".to_owned());
    match (kind, violation) {
        (Kind::Stale, _) => {
            let epoch = tail.map_or(-1, |tail| tail.epoch);
            format!("{who}, after a batch or marker of epoch {epoch}")
        }
        (Kind::Duplicate, Violation::NoDuplicate(twice)) => format!(
            "{who}, though in the log already (the second copy begins at offset {}); the newest \
             batch before was {newest}",
            twice.again_at
        ),
        (Kind::Late, _) => format!("{who}, for the first time, after {newest}"),
        (Kind::Gap, Violation::SequencePerPartition(gap)) => format!(
            "{who}, where {} was next; {} missing",
            sequence::plain(gap.expected.0),
            missing(gap.expected.0, gap.got.0)
        ),
        (Kind::FirstMissing, Violation::SequencePerPartition(gap)) => format!(
            "{who}, the first of the epoch, where 0 was next; {} missing",
            missing(gap.expected.0, gap.got.0)
        ),
        _ => format!("{who}: {violation}"),
    }
}

/// The sequences from the expected one up to the one that came.
fn missing(expected: i64, got: i64) -> String {
    let (first, last) = (sequence::plain(expected), sequence::plain(got - 1));
    if first == last {
        format!("sequence {first} is")
    } else {
        format!("sequences {first} to {last} are")
    }
}

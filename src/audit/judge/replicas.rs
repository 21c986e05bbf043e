//! The replicas of one partition, compared batch by batch.

use std::sync::Arc;

use super::words::named;
use crate::audit::finding::{Finding, Findings};
use crate::audit::kind::Kind;
use crate::audit::LoggedBatch;

/// Compares the batches that two replicas hold at the same offsets: neither begins behind the
/// end of the other.
///
/// Only what stands on both counts: each replica is cleaned and cut at its front by itself,
/// and the end of a follower comes later than that of its leader.
pub(crate) fn compare(
    one: (&Arc<str>, &LoggedBatch),
    other: (&Arc<str>, &LoggedBatch),
    findings: &mut Findings,
) {
    let ((first_log, first), (log, batch)) = (one, other);
    if are_same(first, batch) {
        return;
    }
    findings.add(Kind::ReplicasDiffer, || {
        let text = format!(
            "{log} holds {}, {first_log} holds {}{}",
            shown(batch),
            shown(first),
            leaders(first, batch)
        );
        Finding::about(Kind::ReplicasDiffer, log.clone(), batch, text)
    });
}

/// Whether two replicas hold the same batch, as far as both tell. The checksum covers the
/// records; cleaning a batch changes it.
fn are_same(one: &LoggedBatch, other: &LoggedBatch) -> bool {
    let may_differ = one.count != other.count || one.has_delete_horizon || other.has_delete_horizon;
    identity(one) == identity(other)
        && agree(one.leader_epoch, other.leader_epoch)
        && (may_differ || agree(one.crc, other.crc))
}

fn agree<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one == other)
}

/// What names a batch and its place.
fn identity(batch: &LoggedBatch) -> (i64, i64, i64, i16, i32, i32, bool) {
    (
        batch.base_offset,
        batch.last_offset,
        batch.producer_id,
        batch.producer_epoch,
        batch.base_sequence,
        batch.last_sequence,
        batch.is_control,
    )
}

fn shown(batch: &LoggedBatch) -> String {
    let offsets = named("offset", batch.base_offset, batch.last_offset);
    if batch.producer_id < 0 {
        return format!("a batch without a producer at {offsets}");
    }
    format!(
        "producer {} epoch {} {} at {offsets}",
        batch.producer_id,
        batch.producer_epoch,
        named("sequence", batch.base_sequence, batch.last_sequence)
    )
}

fn leaders(first: &LoggedBatch, batch: &LoggedBatch) -> String {
    match (first.leader_epoch, batch.leader_epoch) {
        (Some(one), Some(other)) if one != other => {
            format!("; leader epoch {other} against {one}")
        }
        (Some(epoch), Some(_)) => format!("; both of leader epoch {epoch}"),
        _ => String::new(),
    }
}

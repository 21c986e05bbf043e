//! **partition-order**: the first copies of a producer's records stand in the log of a
//! partition in the order in which they were sent.
//!
//! Also called *FIFO order* or *per-producer order*.
//!
//! Formula: `□ ∀ r < s: r, s ∈ log ⇒ min{ o : log[o] = r } < min{ o : log[o] = s }`
//!
//! Assumes that records are numbered in the order of sending ([`Record`]); within a batch
//! they ascend by construction. Different producers, and different partitions, have no
//! order between them. A record that is missing breaks nothing: only when it is written
//! after all, behind a later one, is the order lost. A second copy is the business of
//! [`no_duplicate`](crate::no_duplicate) and does not count here, wherever it stands; in a
//! batch that holds both, only the first copies are judged. Premise: a batch with at
//! least one first copy was appended, and the log held a record of the producer already.
//!
//! Source: KIP-98 (sequence numbers keep the order of pipelined batches); S2.1, S2.4.

use std::fmt;

use crate::{BrokerMemory, Event, History, Judgement, Offset, Record};

/// Stable id.
pub const ID: &str = "partition-order";
/// The property in one sentence.
pub const STATEMENT: &str =
    "First copies of a producer's records stand in the partition's log in the order they were sent.";
/// Where it comes from.
pub const SOURCE: &str = "KIP-98; S2.1, S2.4";

/// A record was written for the first time behind a record that was sent after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfOrder {
    /// The record.
    pub record: Record,
    /// Its offset.
    pub offset: Offset,
    /// The highest record of the producer that the log held before.
    pub behind: Record,
}

impl fmt::Display for OutOfOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "record {} was first written at offset {}, behind record {}, which was sent after it",
            self.record, self.offset, self.behind
        )
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<OutOfOrder> {
    let Event::Appended { batch, base } = event else {
        return Judgement::Unconcerned;
    };
    let Some(highest) = history.highest_record(batch.producer, batch.partition) else {
        return Judgement::Unconcerned;
    };
    // Records ascend within a batch: if its earliest first copy is in order, so are the others.
    let first_copy = batch
        .records()
        .zip(base.0..)
        .find(|(record, _)| !history.contains(batch.producer, batch.partition, *record));
    let Some((record, offset)) = first_copy else {
        return Judgement::Unconcerned;
    };
    Judgement::from_check(record > highest, || OutOfOrder {
        record,
        offset: Offset(offset),
        behind: highest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        answered, appended, appends, batch, duplicate_at, every_log, for_another_partition,
        from_another_producer, history, log, plain, records,
    };

    #[test]
    fn the_next_record_upholds_it() {
        let log = log(&[batch(0, 1, 0, 0)]);
        assert_eq!(
            judge(&log, &appended(batch(1, 2, 0, 1), 1)),
            Judgement::Upheld
        );
    }

    #[test]
    fn a_missing_record_alone_breaks_nothing() {
        let log = log(&[plain(0, 1)]);
        assert_eq!(judge(&log, &appended(plain(2, 1), 1)), Judgement::Upheld);
    }

    #[test]
    fn a_missing_record_written_late_breaks_it() {
        let log = log(&[plain(0, 1), plain(2, 1)]);
        let Judgement::Broken(violation) = judge(&log, &appended(plain(1, 1), 2)) else {
            panic!("record 1 comes behind record 2");
        };
        assert_eq!(
            violation,
            OutOfOrder {
                record: Record(1),
                offset: Offset(2),
                behind: Record(2)
            }
        );
        assert_eq!(
            violation.to_string(),
            "record 1 was first written at offset 2, behind record 2, which was sent after it"
        );
    }

    #[test]
    fn order_is_that_of_records_and_not_of_sequences() {
        let log = log(&[batch(5, 1, 0, 5)]);
        assert!(judge(&log, &appended(batch(4, 1, 1, 0), 1)).is_broken());
        assert_eq!(
            judge(&log, &appended(batch(6, 1, 1, 0), 1)),
            Judgement::Upheld
        );
    }

    #[test]
    fn the_first_batch_of_a_producer_is_no_concern() {
        let log = log(&[from_another_producer(plain(7, 1))]);
        assert_eq!(
            judge(&log, &appended(plain(3, 1), 1)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn another_partition_has_an_order_of_its_own() {
        let log = history(&[appended(for_another_partition(plain(7, 1)), 0)]);
        assert_eq!(
            judge(&log, &appended(plain(3, 1), 0)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn a_second_copy_is_no_concern() {
        let log = log(&[plain(0, 2), plain(2, 1)]);
        assert_eq!(
            judge(&log, &appended(plain(0, 2), 3)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn in_a_batch_of_both_only_the_first_copies_count() {
        let log = log(&[plain(0, 2)]);
        assert_eq!(judge(&log, &appended(plain(1, 2), 2)), Judgement::Upheld);
    }

    #[test]
    fn a_first_copy_in_the_middle_of_a_batch_is_found_with_its_own_offset() {
        let log = log(&[plain(0, 1), plain(2, 1)]);
        assert_eq!(
            judge(&log, &appended(plain(0, 3), 10)),
            Judgement::Broken(OutOfOrder {
                record: Record(1),
                offset: Offset(11),
                behind: Record(2)
            })
        );
    }

    #[test]
    fn events_that_write_nothing_are_no_concern() {
        let log = log(&[plain(1, 1)]);
        assert_eq!(
            judge(&log, &answered(plain(0, 1), duplicate_at(0))),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn it_breaks_in_exactly_the_logs_whose_first_copies_are_out_of_order() {
        let choices = [
            plain(0, 1),
            plain(1, 1),
            plain(2, 1),
            plain(0, 2),
            plain(1, 2),
        ];
        for log in every_log(&choices, 4) {
            let events = appends(&log);
            let broken = (0..events.len())
                .any(|next| judge(&history(&events[..next]), &events[next]).is_broken());
            let mut first_copies: Vec<Record> = Vec::new();
            for record in records(&log) {
                if !first_copies.contains(&record) {
                    first_copies.push(record);
                }
            }
            assert_eq!(broken, !first_copies.is_sorted(), "{log:?}");
        }
    }
}

//! **no-duplicate**: every record stands in the log at most once.
//!
//! Also called *at-most-once delivery* or *no double write*; the first half of "exactly
//! once".
//!
//! Formula: `□ ∀ r: |{ o : log[o] = r }| ≤ 1`
//!
//! Assumes nothing of the sender. Records are told apart by their own identity
//! ([`Record`]), so a record written again under a new epoch and sequence is a duplicate
//! although the broker cannot see it. A record that the *application* hands over twice is
//! two records. Premise: a batch was appended.
//!
//! Source: KIP-98 ("exactly once per partition within a session"); S1.8, S2.1.

use std::fmt;

use crate::{BrokerMemory, Event, History, Judgement, Offset, Record};

/// Stable id.
pub const ID: &str = "no-duplicate";
/// The property in one sentence.
pub const STATEMENT: &str = "Every record stands in the log at most once.";
/// Where it comes from.
pub const SOURCE: &str = "KIP-98; S1.8, S2.1";

/// A record was written although it stands in the log already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordTwice {
    /// The record.
    pub record: Record,
    /// Offset of the copy just written.
    pub again_at: Offset,
}

impl fmt::Display for RecordTwice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "record {} was written again at offset {}, though it stands in the log already",
            self.record, self.again_at
        )
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<RecordTwice> {
    let Event::Appended { batch, base } = event else {
        return Judgement::Unconcerned;
    };
    let twice = batch
        .records()
        .zip(base.0..)
        .find(|(record, _)| history.contains(batch.producer, batch.partition, *record));
    match twice {
        None => Judgement::Upheld,
        Some((record, again_at)) => Judgement::Broken(RecordTwice {
            record,
            again_at: Offset(again_at),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        appended, appends, batch, every_log, for_another_partition, from_another_producer, history,
        log, plain, records, reported,
    };
    use crate::Outcome;

    #[test]
    fn a_first_copy_upholds_it() {
        let log = log(&[batch(0, 2, 0, 0)]);
        assert_eq!(
            judge(&log, &appended(batch(2, 2, 0, 2), 2)),
            Judgement::Upheld
        );
    }

    #[test]
    fn the_same_record_number_of_another_producer_or_partition_is_another_record() {
        let log = log(&[plain(0, 1)]);
        for other in [
            from_another_producer(plain(0, 1)),
            for_another_partition(plain(0, 1)),
        ] {
            assert_eq!(judge(&log, &appended(other, 1)), Judgement::Upheld);
        }
    }

    #[test]
    fn a_second_copy_breaks_it() {
        let log = log(&[plain(0, 1)]);
        assert_eq!(
            judge(&log, &appended(plain(0, 1), 1)),
            Judgement::Broken(RecordTwice {
                record: Record(0),
                again_at: Offset(1)
            })
        );
    }

    #[test]
    fn a_second_copy_under_a_new_epoch_breaks_it() {
        let log = log(&[batch(0, 1, 0, 0), batch(1, 1, 0, 1)]);
        assert!(judge(&log, &appended(batch(1, 1, 1, 0), 2)).is_broken());
    }

    #[test]
    fn the_first_record_written_twice_is_the_witness_with_its_own_offset() {
        let log = log(&[plain(2, 2)]);
        let Judgement::Broken(violation) = judge(&log, &appended(plain(1, 3), 10)) else {
            panic!("record 2 is in the log");
        };
        assert_eq!(
            violation,
            RecordTwice {
                record: Record(2),
                again_at: Offset(11)
            }
        );
        assert_eq!(
            violation.to_string(),
            "record 2 was written again at offset 11, though it stands in the log already"
        );
    }

    #[test]
    fn events_that_write_nothing_are_no_concern() {
        let log = log(&[plain(0, 1)]);
        for event in [
            Event::Sent { batch: plain(0, 1) },
            reported(0, Outcome::Failed),
            Event::Finished,
        ] {
            assert_eq!(judge(&log, &event), Judgement::Unconcerned);
        }
    }

    #[test]
    fn it_breaks_in_exactly_the_logs_in_which_a_record_stands_twice() {
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
            let mut distinct = records(&log);
            distinct.sort();
            distinct.dedup();
            assert_eq!(broken, distinct.len() < records(&log).len(), "{log:?}");
        }
    }
}

//! **every-batch-decided**: once faults cease, the application is told an outcome of every
//! record it sent.
//!
//! Also called *termination* or *progress*: a liveness property, where the others are
//! safety properties.
//!
//! Formula: `AG EF↑ ∀ r: sent(r) ⇒ told(r) ≠ none`, where `EF↑` goes along steps that are
//! no faults
//!
//! No single event of an endless run can break it, so it is judged in two ways. On a finite
//! history, at [`Event::Finished`]: nothing may be undecided. In a model's state space, on
//! the explored graph, with [`is_met`]: from every reachable state a state in which nothing
//! is undecided can be reached without further faults. The second says "a way out is always
//! left", and so finds livelocks (a batch retried for ever) without assumptions of fairness.
//!
//! Assumes that the outcome may be any: acknowledged, failed and unknown all decide a
//! record. A client with a delivery timeout therefore meets the property by giving up.
//! Premise: the run is over; a run in which nothing was sent upholds the property.
//!
//! Source: none in Kafka beyond `delivery.timeout.ms` (KIP-91); S1.7, S3.5 (what a producer
//! does after a gap: stop, or go on).

use std::fmt;

use crate::{BrokerMemory, Event, History, Judgement, Record};

/// Stable id.
pub const ID: &str = "every-batch-decided";
/// The property in one sentence.
pub const STATEMENT: &str =
    "Once faults cease, the application is told an outcome of every record it sent.";
/// Where it comes from.
pub const SOURCE: &str = "KIP-91; S1.7, S3.5";

/// The run is over and the application was never told what became of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// One such record.
    pub record: Record,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the run is over and the application was told nothing of record {}",
            self.record
        )
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<Undecided> {
    let Event::Finished = event else {
        return Judgement::Unconcerned;
    };
    match history.any_undecided() {
        None => Judgement::Upheld,
        Some(record) => Judgement::Broken(Undecided { record }),
    }
}

/// Whether nothing is undecided: what must stay within reach of every state of a model.
#[inline]
pub fn is_met<H: History>(history: &H) -> bool {
    history.any_undecided().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{appended, history, plain, reported, Seen};
    use crate::{Outcome, RecordedHistory};

    const FINISHED: Seen<'static> = Event::Finished;

    fn sent(first_record: i64, count: u32) -> Seen<'static> {
        Event::Sent {
            batch: plain(first_record, count),
        }
    }

    #[test]
    fn any_outcome_decides_a_record() {
        let history = history(&[
            sent(0, 3),
            reported(0, Outcome::Acknowledged { offset: None }),
            reported(1, Outcome::Failed),
            reported(2, Outcome::Unknown),
        ]);
        assert_eq!(judge(&history, &FINISHED), Judgement::Upheld);
        assert!(is_met(&history));
    }

    #[test]
    fn a_run_in_which_nothing_was_sent_upholds_it() {
        let history = RecordedHistory::default();
        assert_eq!(judge(&history, &FINISHED), Judgement::Upheld);
        assert!(is_met(&history));
    }

    #[test]
    fn a_record_that_is_written_but_never_reported_breaks_it() {
        let history = history(&[
            sent(0, 2),
            appended(plain(0, 2), 0),
            reported(0, Outcome::Acknowledged { offset: None }),
        ]);
        let Judgement::Broken(violation) = judge(&history, &FINISHED) else {
            panic!("nothing was told of record 1");
        };
        assert_eq!(violation, Undecided { record: Record(1) });
        assert_eq!(
            violation.to_string(),
            "the run is over and the application was told nothing of record 1"
        );
        assert!(!is_met(&history));
    }

    #[test]
    fn as_long_as_the_run_goes_on_nothing_is_judged() {
        let history = history(&[sent(0, 1)]);
        for event in [
            sent(1, 1),
            appended(plain(0, 1), 0),
            reported(0, Outcome::Failed),
        ] {
            assert_eq!(judge(&history, &event), Judgement::Unconcerned);
        }
    }
}

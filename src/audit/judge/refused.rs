//! A refused batch, read from a broker's log, and where possible judged by the log that the
//! broker had.

use retryproof_properties::{
    Answer, Batch, Epoch, Event, Identity, Judgement, Partition, ProducerId, PropertyId,
    RecordedMemory, Rejection, Sequence,
};

use super::log::Log;
use super::state::in_log;
use super::words::named;
use crate::audit::broker_log::{Refusal, Why};
use crate::audit::finding::{Finding, Findings, Range};
use crate::audit::kind::Kind;
use crate::audit::sequence;

/// Tells a refusal, without a log beside it.
pub(crate) fn tell(refusal: &Refusal, findings: &mut Findings) {
    let kind = kind(refusal.why);
    findings.add(kind, || finding(refusal, kind, text(refusal)));
}

impl Log {
    /// Tells a refusal beside the log, which is read up to where it ended at the time.
    pub(super) fn refused(&self, refusal: &Refusal, findings: &mut Findings) {
        let tail = refusal.producer_id.and_then(|id| self.producers.get(&id));
        let Why::OutOfOrder { sequence, last } = refusal.why else {
            return tell(refusal, findings);
        };
        let Some((tail, newest)) = tail.and_then(|tail| Some((tail, tail.newest?))) else {
            return tell(refusal, findings);
        };
        let counted = sequence::counted(sequence, newest.last + 1);
        let epoch = Epoch(tail.epoch.into());
        let answered: Event<'_, RecordedMemory> = Event::Answered {
            batch: Batch {
                producer: ProducerId(refusal.producer_id.unwrap_or(-1)),
                partition: Partition(0),
                identity: Some(Identity {
                    epoch,
                    first: Sequence(counted),
                    last: Sequence(counted),
                }),
                first_record: sequence::record(epoch, counted),
                count: 1,
            },
            answer: Answer::Rejected(Rejection::OutOfOrderSequence),
        };
        let past = self.past(refusal.producer_id.unwrap_or(-1));
        let judged = PropertyId::RetryRecognised.judge(&past, &answered);
        let beside = match judged {
            Judgement::Broken(_) => {
                format!("; the log holds sequence {sequence}: it was a retry of what is written")
            }
            _ => format!(
                "; the log does not hold sequence {sequence} of epoch {}",
                tail.epoch
            ),
        };
        let is_of_log = last == -1 || sequence::plain(newest.last) == last;
        if is_of_log {
            let kind = kind(refusal.why);
            findings.add(kind, || finding(refusal, kind, text(refusal) + &beside));
        } else {
            let kind = Kind::RefusedAgainstLog;
            findings.add(kind, || {
                let log = format!("; up to there the log has {}", in_log(tail));
                finding(refusal, kind, text(refusal) + &log)
            });
        }
    }
}

/// How a refusal is read.
fn kind(why: Why) -> Kind {
    match why {
        Why::OutOfOrder { last: -1, .. } | Why::Unknown { .. } => Kind::RefusedForgotten,
        Why::OutOfOrder { sequence: 0, .. } => Kind::RefusedFirst,
        Why::OutOfOrder { sequence, last } => {
            let next = i64::from(last) + 1;
            if sequence::counted(sequence, next) > next {
                Kind::RefusedGap
            } else {
                Kind::RefusedRetry
            }
        }
        Why::NewEpoch { .. } => Kind::RefusedEpochStart,
        Why::Stale { .. } => Kind::RefusedStale,
        Why::Duplicate { .. } => Kind::RefusedRetry,
        Why::Number { .. } => Kind::RefusedNumber,
    }
}

fn text(refusal: &Refusal) -> String {
    let who = match refusal.producer_id {
        Some(id) => format!("producer {id}"),
        None => "a producer".to_owned(),
    };
    let at = refusal
        .offset
        .map_or_else(String::new, |offset| format!(" at offset {offset}"));
    let what = match refusal.why {
        Why::OutOfOrder { sequence, last: -1 } => {
            format!("sequence {sequence} was refused{at}, of the epoch no batch was known")
        }
        Why::OutOfOrder { sequence, last } => {
            let next = i64::from(last) + 1;
            let gap = sequence::counted(sequence, next) - next;
            let first = sequence::plain(next);
            let missing = match gap {
                1.. => {
                    let before = sequence::plain(i64::from(sequence) - 1);
                    format!(": {} missing", named("sequence", first, before))
                }
                _ => String::new(),
            };
            format!("sequence {sequence} was refused{at}, where {first} was next{missing}")
        }
        Why::NewEpoch { epoch, sequence } => {
            format!("epoch {epoch} was refused{at}, for it begins with sequence {sequence}")
        }
        Why::Unknown {
            sequence: Some(sequence),
        } => {
            format!("sequence {sequence} was refused{at}, no batch was known")
        }
        Why::Unknown { sequence: None } => format!("a batch was refused{at}, no batch was known"),
        Why::Stale { epoch, current } => {
            format!("epoch {epoch} was refused{at}, epoch {current} was known")
        }
        Why::Duplicate { sequence, last } => format!(
            "{} refused{at} as a duplicate",
            named("sequence", sequence, last)
        ),
        Why::Number { sequence } => format!("sequence {sequence} was refused{at}"),
    };
    format!("{who}: {what}{}", when(refusal))
}

/// When, and how often.
fn when(refusal: &Refusal) -> String {
    let first = refusal.first_time.as_deref();
    match (refusal.times, first, refusal.last_time.as_deref()) {
        (1, None, _) => String::new(),
        (1, Some(time), _) => format!(" ({time})"),
        (times, Some(first), Some(last)) => format!(
            " ({times} times with the same numbers from {first} to {last}: a client that sends the \
             same again and again)"
        ),
        (times, _, _) => format!(
            " ({times} times with the same numbers: a client that sends the same again and again)"
        ),
    }
}

fn finding(refusal: &Refusal, kind: Kind, text: String) -> Finding {
    let sequences = match refusal.why {
        Why::OutOfOrder { sequence, .. }
        | Why::NewEpoch { sequence, .. }
        | Why::Number { sequence }
        | Why::Unknown {
            sequence: Some(sequence),
        } => Some((sequence, sequence)),
        Why::Duplicate { sequence, last } => Some((sequence, last)),
        Why::Stale { .. } | Why::Unknown { sequence: None } => None,
    };
    let epoch = match refusal.why {
        Why::NewEpoch { epoch, .. } | Why::Stale { epoch, .. } => Some(epoch),
        _ => None,
    };
    Finding {
        kind,
        also: Vec::new(),
        place: refusal.place,
        log: refusal.partition.as_deref().unwrap_or("a partition").into(),
        producer: refusal.producer_id.map(|id| (id, epoch)),
        sequences: sequences.map(|(first, last)| Range { first, last }),
        offsets: refusal.offset.map(|offset| Range {
            first: offset,
            last: offset,
        }),
        text,
    }
}

//! What was told, judged by ack-truthful, duplicate-answer-truthful and no-false-failure.

use std::collections::HashMap;

use retryproof_properties::{
    Answer, Batch, Decision, Epoch, Event, History, Identity, Judgement, LogEntry, Offset, Outcome,
    Partition, ProducerId, PropertyId, Record, RecordedMemory, Sequence, Violation,
};

use super::{Acks, Outcome as ToldOutcome, Told};
use crate::audit::finding::{Finding, Findings, Range};
use crate::audit::judge::words::named;
use crate::audit::kind::Kind;
use crate::audit::report::Note;
use crate::audit::{sequence, Summary};

/// The history that one acknowledgement is judged by: where its own record stands.
struct Past<'a>(&'a Told);

impl History for Past<'_> {
    fn contains(&self, _: ProducerId, _: Partition, _: Record) -> bool {
        self.0.found.is_some()
    }

    fn stands_at(&self, _: ProducerId, _: Partition, _: Record, offset: Offset) -> bool {
        self.0.at_offset_told && self.0.ack.base_offset == Some(offset.0)
    }

    fn highest_record(&self, _: ProducerId, _: Partition) -> Option<Record> {
        None
    }

    fn nth_newest(&self, _: ProducerId, _: Partition, _: usize) -> Option<LogEntry> {
        None
    }

    fn log_end(&self, _: Partition) -> Offset {
        Offset(0)
    }

    fn was_reported_failed(&self, _: ProducerId, _: Partition, _: Record) -> bool {
        self.0.ack.outcome == ToldOutcome::Failed
    }

    fn acknowledged_lost_by(
        &self,
        _: Partition,
        _: Offset,
    ) -> Option<(ProducerId, Record, Offset)> {
        None
    }

    fn any_undecided(&self) -> Option<Record> {
        None
    }
}

/// Judges all acknowledgements.
pub(super) fn judge(acks: &Acks, logs: &[Summary], findings: &mut Findings) -> Vec<Note> {
    let mut unjudged = 0_u64;
    let mut absent = 0_u64;
    for told in &acks.told {
        match acks.logs[told.partition] {
            None => absent += 1,
            Some(log) if !can_be_judged(told, &logs[log]) => unjudged += 1,
            Some(log) => judge_one(told, &logs[log], findings),
        }
    }
    twice(acks, logs, findings);
    let mut notes = Vec::new();
    let mut say = |count: u64, why: &str| {
        if count > 0 {
            notes.push(Note {
                place: None,
                text: format!(
                    "{count} of {} acknowledgements were not judged: {why}.",
                    acks.told.len()
                ),
            });
        }
    };
    say(absent, "no log of their partition was given");
    say(
        unjudged,
        "their offsets lie before or after the log that was given, or no offset was told, or the log \
         is compacted",
    );
    notes
}

/// Whether the log can show that the sequences are missing: it holds the offset told, or
/// something of it at least is found.
fn can_be_judged(told: &Told, log: &Summary) -> bool {
    if told.found.is_some() || told.ack.outcome == ToldOutcome::Failed {
        return true;
    }
    if told.ack.outcome == ToldOutcome::Unknown {
        return true;
    }
    let Some(offset) = told.ack.base_offset else {
        return false;
    };
    let is_within = log.start.is_some_and(|start| start <= offset) && offset < log.end;
    // The cleaner takes whole batches, but what stands there is no cleaned form of this one.
    is_within && (!log.is_compacted || told.other.is_some())
}

fn judge_one(told: &Told, log: &Summary, findings: &mut Findings) {
    let past = Past(told);
    let record = sequence::record(Epoch(told.ack.epoch.into()), told.ack.first_sequence.into());
    let reported = |outcome| -> Event<'_, RecordedMemory> {
        Event::Reported {
            producer: ProducerId(told.ack.producer_id),
            partition: Partition(told.ack.partition),
            record,
            outcome,
        }
    };
    let offset = told.ack.base_offset.map(Offset);
    let memory = RecordedMemory::default();
    let (property, event) = match told.ack.outcome {
        ToldOutcome::Acknowledged => (
            PropertyId::AckTruthful,
            reported(Outcome::Acknowledged { offset }),
        ),
        ToldOutcome::Duplicate if told.found.is_none() => (
            PropertyId::DuplicateAnswerTruthful,
            Event::Decided(Decision {
                batch: batch(told, record),
                answer: Some(Answer::Duplicate { base: offset }),
                before: &memory,
                after: &memory,
                log_end_before: Offset(0),
                log_end_after: Offset(0),
            }),
        ),
        ToldOutcome::Duplicate => (
            PropertyId::AckTruthful,
            reported(Outcome::Acknowledged { offset }),
        ),
        ToldOutcome::Failed => (PropertyId::NoFalseFailure, reported(Outcome::Failed)),
        ToldOutcome::Unknown => return,
    };
    let Judgement::Broken(violation) = property.judge(&past, &event) else {
        return;
    };
    let kind = match violation {
        Violation::DuplicateAnswerTruthful(_) => Kind::AckAsDuplicate,
        Violation::NoFalseFailure(_) => Kind::FailedButWritten,
        _ if told.found.is_none() => Kind::AckLost,
        _ => Kind::AckElsewhere,
    };
    findings.add(kind, || finding(told, kind, log, text(told, kind)));
}

/// One record is enough: a range stands in a batch as a whole or not at all.
fn batch(told: &Told, record: Record) -> Batch {
    Batch {
        producer: ProducerId(told.ack.producer_id),
        partition: Partition(told.ack.partition),
        identity: Some(Identity {
            epoch: Epoch(told.ack.epoch.into()),
            first: Sequence(told.ack.first_sequence.into()),
            last: Sequence(told.ack.first_sequence.into()),
        }),
        first_record: record,
        count: 1,
    }
}

/// Ranges that were acknowledged for two batches of the application.
fn twice(acks: &Acks, logs: &[Summary], findings: &mut Findings) {
    for told in acks.by_sequence.values().filter(|told| told.len() > 1) {
        let mut seen: HashMap<Option<&str>, usize> = HashMap::new();
        for index in told {
            let told = &acks.told[*index];
            let is_told = matches!(
                told.ack.outcome,
                ToldOutcome::Acknowledged | ToldOutcome::Duplicate
            );
            let records = told.ack.records.as_deref();
            // The same records told again are no second batch.
            if !is_told || records.is_some() && seen.contains_key(&records) {
                continue;
            }
            if let Some(first) = seen.values().min().copied() {
                let before = &acks.told[first];
                let log = acks.logs[told.partition].and_then(|log| logs.get(log));
                findings.add(Kind::AckTwice, || {
                    let text = format!(
                        "{} was acknowledged for two batches; the other one on {}",
                        who(told),
                        before.place.position
                    );
                    match log {
                        Some(log) => finding(told, Kind::AckTwice, log, text),
                        None => Finding {
                            log: acks.partitions[told.partition].as_str().into(),
                            ..about(told, Kind::AckTwice, text)
                        },
                    }
                });
            }
            seen.entry(records).or_insert(*index);
        }
    }
}

fn finding(told: &Told, kind: Kind, log: &Summary, text: String) -> Finding {
    Finding {
        log: log.name.clone(),
        ..about(told, kind, text)
    }
}

fn about(told: &Told, kind: Kind, text: String) -> Finding {
    Finding {
        kind,
        also: Vec::new(),
        place: told.place,
        log: "".into(),
        producer: Some((told.ack.producer_id, Some(told.ack.epoch))),
        sequences: Some(Range {
            first: told.ack.first_sequence,
            last: told.ack.last_sequence,
        }),
        offsets: told.ack.base_offset.map(|first| Range {
            first,
            last: first.saturating_add(sequence::span(
                told.ack.first_sequence,
                told.ack.last_sequence,
            )),
        }),
        text,
    }
}

fn who(told: &Told) -> String {
    format!(
        "producer {} epoch {}: {}",
        told.ack.producer_id,
        told.ack.epoch,
        named("sequence", told.ack.first_sequence, told.ack.last_sequence)
    )
}

fn text(told: &Told, kind: Kind) -> String {
    let who = who(told);
    let at = match told.ack.base_offset {
        Some(offset) => format!("at offset {offset}"),
        None => "without an offset".to_owned(),
    };
    let found = told.found.unwrap_or(-1);
    let other = told.other.map_or_else(String::new, |other| {
        let place = named("offset", other.base_offset, other.last_offset);
        if other.producer_id < 0 {
            return format!("; a batch without a producer stands at {place}");
        }
        let sequences = named("sequence", other.base_sequence, other.last_sequence);
        format!(
            "; producer {} epoch {} {sequences} stands at {place}",
            other.producer_id, other.producer_epoch
        )
    });
    match kind {
        Kind::AckAsDuplicate => {
            format!("{who} was answered as a duplicate {at}, and is not in the log{other}")
        }
        Kind::FailedButWritten => {
            format!("{who} was reported as failed, and stands at offset {found}")
        }
        Kind::AckElsewhere => {
            format!("{who} was acknowledged {at}, and stands at offset {found}{other}")
        }
        _ => format!("{who} was acknowledged {at}, and is not in the log{other}"),
    }
}

//! An observer of one subject: writes down what its answers say, and lets each step be
//! judged.

use std::collections::BTreeSet;

use retryproof_models::specification::{Answer, ErrorName, Fate, Operation, Origin, State};
use retryproof_properties as properties;
use retryproof_properties::{
    Batch, Decision, Epoch, Event, History, Identity, Offset, Outcome, Partition, ProducerId,
    PropertyId, RecordedHistory, RecordedMemory, Rejection, Remembered, Sequence,
};

use super::sequences::{record, span, unwrapped};
use super::{Broken, Judged, MOST_RECORDS};

/// The one partition of a run.
const PARTITION: Partition = Partition(0);
/// Whose the batches without a producer id are. No producer of a list has this id.
const NOBODY: ProducerId = ProducerId(-1);
/// Every error that the properties know by its name in Kafka.
const REJECTIONS: [Rejection; 11] = [
    Rejection::NotLeaderOrFollower,
    Rejection::RequestTimedOut,
    Rejection::MessageTooLarge,
    Rejection::NotEnoughReplicas,
    Rejection::NotEnoughReplicasAfterAppend,
    Rejection::InvalidTimestamp,
    Rejection::OutOfOrderSequence,
    Rejection::InvalidProducerEpoch,
    Rejection::KafkaStorageError,
    Rejection::UnknownProducerId,
    Rejection::InvalidRecord,
];

/// What was written down of a subject's run so far.
#[derive(Clone, Debug)]
pub(in crate::shadow) struct Observer {
    history: RecordedHistory,
    /// How many batches a broker is to remember.
    window: usize,
    /// The state that was told after the last step, if it was.
    told: Option<State>,
    /// Records without a producer id so far.
    nobodys: i64,
    /// Whether the run went as expected so far.
    as_expected: bool,
    /// Whether a batch was too large to be judged.
    blind: bool,
}

/// An operation, and what was seen of it.
#[derive(Clone, Copy, Debug)]
pub(in crate::shadow) struct Step<'a> {
    pub(in crate::shadow) operation: &'a Operation,
    pub(in crate::shadow) answer: &'a Answer,
    /// The producers after it, if they are told.
    pub(in crate::shadow) state: Option<&'a State>,
}

impl Observer {
    /// An observer of a subject that was just started with this window.
    pub(in crate::shadow) fn new(window: usize) -> Self {
        Observer {
            history: RecordedHistory::default(),
            window,
            told: Some(State::new()),
            nobodys: 0,
            as_expected: true,
            blind: false,
        }
    }

    /// Writes down a step that went as expected.
    pub(in crate::shadow) fn note(&mut self, step: Step<'_>) {
        self.see(step);
        self.told = step.state.cloned();
    }

    /// Writes down a step that did not go as expected, and judges it. What was to be expected
    /// is judged as well, as long as the run before it is that of the expected answers, too.
    pub(in crate::shadow) fn judge(&mut self, seen: Step<'_>, expected: Step<'_>) -> Judged {
        let producers = producers(&[seen.state, expected.state]);
        let mut should = Vec::new();
        if self.as_expected {
            let mut other = self.clone();
            should = other.see(expected);
            other.ask_fold(expected.state, &producers, &mut should);
        }
        let mut does = self.see(seen);
        self.ask_fold(seen.state, &producers, &mut does);
        self.told = seen.state.cloned();
        self.as_expected = false;
        Judged::of(does, should)
    }

    fn see(&mut self, step: Step<'_>) -> Vec<Broken> {
        let mut broken = Vec::new();
        if self.blind {
            return broken;
        }
        match *step.operation {
            Operation::Append { n, .. } if n > MOST_RECORDS => self.blind = true,
            Operation::Append { .. } => self.see_batch(step, &mut broken),
            Operation::Plain { n, .. } => self.see_nobodys(n, step.answer, &mut broken),
            Operation::Marker { .. } => self.see_nobodys(1, step.answer, &mut broken),
            Operation::Truncate { to } => self.cut(to),
            Operation::Recreate => self.cut(0),
            _ => {}
        }
        broken
    }

    fn see_batch(&mut self, step: Step<'_>, broken: &mut Vec<Broken>) {
        let Operation::Append {
            pid,
            epoch,
            seq,
            n,
            origin,
            fate,
            ..
        } = *step.operation
        else {
            return;
        };
        let batch = self.batch(pid, (epoch, seq, n));
        let is_cut_otherwise = self.is_cut_otherwise(&batch);
        let end = self.history.log_end(PARTITION);
        let answer = match (step.answer, fate) {
            (Answer::Append(first, _), _) => {
                let base = Offset(*first);
                self.pass(&Event::Appended { batch, base }, PropertyId::ALL, broken);
                properties::Answer::Appended { base }
            }
            (Answer::Dup(first, _), _) => properties::Answer::Duplicate {
                base: Some(Offset(*first)),
            },
            (Answer::Error(ErrorName::DuplicateSequenceNumber), _) => {
                properties::Answer::Duplicate { base: None }
            }
            (Answer::Error(name), _) => match rejection(name) {
                Some(rejection) => properties::Answer::Rejected(rejection),
                None => return,
            },
            // It would have been written, so it is judged as if it were; nobody is answered.
            (Answer::Ok, Fate::CrashAfterWrite) => {
                let written = Event::Appended { batch, base: end };
                return self.pass(&written, PropertyId::ALL, broken);
            }
            (Answer::Ok, Fate::CrashBeforeWrite | Fate::Dropped) => {
                let written = Event::Appended { batch, base: end };
                return self.ask(&written, PropertyId::ALL, broken);
            }
            (Answer::Ok, Fate::Kept) => return,
        };
        // A follower's copy has no client that waits, nor has a batch that no client sends.
        let awaited = origin == Origin::Client && !is_cut_otherwise;
        self.decide(batch, answer, end, step.state, broken);
        if awaited {
            let answered = Event::Answered { batch, answer };
            self.pass(&answered, PropertyId::ALL, broken);
            self.acknowledge(&batch, step.answer, broken);
        }
    }

    /// A request was decided. The log end before it is given: an append has moved it.
    fn decide(
        &self,
        batch: Batch,
        answer: properties::Answer,
        log_end_before: Offset,
        state: Option<&State>,
        broken: &mut Vec<Broken>,
    ) {
        let memory = |state| self.memory(batch.producer, state);
        let (before, after) = (self.told.as_ref().map(memory), state.map(memory));
        let told = before.is_some() && after.is_some();
        let asked: Vec<PropertyId> = PropertyId::ALL
            .iter()
            .copied()
            .filter(|property| match property {
                PropertyId::RejectIsStutter => told,
                // Asked of all producers, after every step on which there is a difference.
                PropertyId::LogIsFold => false,
                _ => true,
            })
            .collect();
        let decision = Decision {
            batch,
            answer: Some(answer),
            before: &before.unwrap_or_default(),
            after: &after.unwrap_or_default(),
            log_end_before,
            log_end_after: self.history.log_end(PARTITION),
        };
        self.ask(&Event::Decided(decision), &asked, broken);
    }

    /// Whether the state that is told, of these producers, is the fold of the log. The monitor
    /// judges decisions, and looks at nothing of one but its producer and the state after it.
    fn ask_fold(&self, state: Option<&State>, pids: &BTreeSet<i64>, broken: &mut Vec<Broken>) {
        let Some(state) = state.filter(|_| !self.blind) else {
            return;
        };
        let end = self.history.log_end(PARTITION);
        for pid in pids {
            let memory = self.memory(ProducerId(*pid), state);
            let decision = Decision {
                batch: self.batch(*pid, (0, 0, 1)),
                answer: None,
                before: &memory,
                after: &memory,
                log_end_before: end,
                log_end_after: end,
            };
            let decided = Event::Decided(decision);
            self.ask(&decided, &[PropertyId::LogIsFold], broken);
        }
    }

    /// Whether a batch holds records of the log, and is none of the batches that stand there.
    /// No client sends such a retry: it sends a batch again as it was.
    fn is_cut_otherwise(&self, batch: &Batch) -> bool {
        let (producer, partition) = (batch.producer, PARTITION);
        let holds = |record| self.history.contains(producer, partition, record);
        batch.records().any(holds)
            && !self
                .batches(producer)
                .any(|identity| Some(identity) == batch.identity)
    }

    /// The batches of a producer in the log, newest first.
    fn batches(&self, producer: ProducerId) -> impl Iterator<Item = Identity> + '_ {
        (0..)
            .map_while(move |nth| self.history.nth_newest(producer, PARTITION, nth))
            .filter_map(|entry| entry.identity)
    }

    /// The application is told of the first and the last record, whose offsets a success has.
    fn acknowledge(&mut self, batch: &Batch, answer: &Answer, broken: &mut Vec<Broken>) {
        let (first, last) = match answer {
            Answer::Append(first, last) | Answer::Dup(first, last) => {
                (Some(Offset(*first)), Some(Offset(*last)))
            }
            Answer::Error(ErrorName::DuplicateSequenceNumber) => (None, None),
            Answer::Error(_) | Answer::Ok => return,
        };
        let records = batch.records();
        let ends = [(batch.records().next(), first), (records.last(), last)];
        for (record, offset) in ends {
            let Some(record) = record else { continue };
            let reported = Event::Reported {
                producer: batch.producer,
                partition: PARTITION,
                record,
                outcome: Outcome::Acknowledged { offset },
            };
            self.pass(&reported, PropertyId::ALL, broken);
        }
    }

    /// Records of nobody: nothing is asked but where they stand.
    fn see_nobodys(&mut self, n: i64, answer: &Answer, broken: &mut Vec<Broken>) {
        let Answer::Append(first, _) = answer else {
            return;
        };
        let batch = Batch {
            producer: NOBODY,
            partition: PARTITION,
            identity: None,
            first_record: properties::Record(self.nobodys),
            count: count(n),
        };
        self.nobodys += n;
        let base = Offset(*first);
        let appended = Event::Appended { batch, base };
        self.pass(&appended, &[PropertyId::LogIsFold], broken);
    }

    fn cut(&mut self, end: i64) {
        let (partition, end) = (PARTITION, Offset(end));
        let cut: Event<'_, RecordedMemory> = Event::Truncated { partition, end };
        self.history.record(&cut);
    }

    /// Asks these properties about an event, then writes it down.
    fn pass(
        &mut self,
        event: &Event<'_, RecordedMemory>,
        properties: &[PropertyId],
        broken: &mut Vec<Broken>,
    ) {
        self.ask(event, properties, broken);
        self.history.record(event);
    }

    /// Asks these properties about an event. The first violation of each is kept.
    fn ask(
        &self,
        event: &Event<'_, RecordedMemory>,
        properties: &[PropertyId],
        broken: &mut Vec<Broken>,
    ) {
        for property in properties.iter().copied() {
            let known = broken.iter().any(|broken| broken.property == property);
            if let properties::Judgement::Broken(violation) = property.judge(&self.history, event) {
                if !known {
                    broken.push(Broken {
                        property,
                        violation,
                    });
                }
            }
        }
        broken.sort_by_key(|broken| broken.property);
    }

    /// The batch of a producer: epoch, base sequence, number of records.
    fn batch(&self, pid: i64, (epoch, seq, n): (i64, i64, i64)) -> Batch {
        let producer = ProducerId(pid);
        let first = self.sequence(producer, epoch, seq);
        Batch {
            producer,
            partition: PARTITION,
            identity: Some(Identity {
                epoch: Epoch(epoch),
                first: Sequence(first),
                last: Sequence(first + n - 1),
            }),
            first_record: record(epoch, first),
            count: count(n),
        }
    }

    /// A sequence of the wire, as it goes on from the newest batch of its epoch in the log.
    fn sequence(&self, producer: ProducerId, epoch: i64, on_wire: i64) -> i64 {
        let newest = self
            .batches(producer)
            .find(|identity| identity.epoch == Epoch(epoch));
        match newest {
            Some(newest) => unwrapped(on_wire, newest.last.0 + 1),
            None => on_wire,
        }
    }

    /// What is known of a producer, in the words of the properties.
    fn memory(&self, producer: ProducerId, state: &State) -> RecordedMemory {
        let mut memory = RecordedMemory {
            capacity: self.window,
            ..RecordedMemory::default()
        };
        if let Some(known) = state.get(&producer.0) {
            let newest_first = known.batches.iter().rev();
            memory.epoch = Some(Epoch(known.epoch));
            memory.remembered = newest_first
                .map(|[first, last, base, _]| {
                    let sequence = self.sequence(producer, known.epoch, *first);
                    Remembered {
                        first: Sequence(sequence),
                        last: Sequence(sequence + span(*first, *last)),
                        base: Offset(*base),
                    }
                })
                .collect();
            memory.last_sequence = memory.remembered.first().map(|newest| newest.last);
        }
        memory
    }
}

/// The producers of these states, those that are told.
fn producers(states: &[Option<&State>]) -> BTreeSet<i64> {
    let told = states.iter().flatten();
    told.flat_map(|state| state.keys()).copied().collect()
}

fn count(n: i64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The error under the name that the properties have for it; `None` if they have none.
fn rejection(name: &ErrorName) -> Option<Rejection> {
    match name {
        ErrorName::OutOfOrderSequenceNumber => Some(Rejection::OutOfOrderSequence),
        ErrorName::InvalidProducerEpoch => Some(Rejection::InvalidProducerEpoch),
        ErrorName::UnknownProducerId => Some(Rejection::UnknownProducerId),
        ErrorName::InvalidRecord => Some(Rejection::InvalidRecord),
        ErrorName::DuplicateSequenceNumber
        | ErrorName::InvalidTxnState
        | ErrorName::TransactionCoordinatorFenced => None,
        ErrorName::Other(name) => REJECTIONS
            .into_iter()
            .find(|rejection| rejection.to_string() == *name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use retryproof_models::specification::{Partition as Specified, Settings};

    fn operations(json: &str) -> Vec<Operation> {
        serde_json::from_str(json).expect("operations")
    }

    /// What the last of the operations violates if it is answered so, after answers as they
    /// should be.
    fn violated(list: &str, answer: Answer, state: Option<&str>) -> Judged {
        let settings = Settings::kafka();
        let list = operations(list);
        let (last, before) = list.split_last().expect("operations");
        let mut partition = Specified::new(settings);
        let mut observer = Observer::new(settings.window);
        for operation in before {
            let answer = partition.apply(operation);
            let known = partition.state();
            observer.note(Step {
                operation,
                answer: &answer,
                state: state.map(|_| &known),
            });
        }
        let (expected, known) = (partition.apply(last), partition.state());
        let told: Option<State> = state.map(|json| serde_json::from_str(json).expect("a state"));
        let seen = Step {
            operation: last,
            answer: &answer,
            state: told.as_ref(),
        };
        let expected = Step {
            operation: last,
            answer: &expected,
            state: told.as_ref().map(|_| &known),
        };
        observer.judge(seen, expected)
    }

    fn ids(broken: &[Broken]) -> Vec<&'static str> {
        broken.iter().map(|broken| broken.property.id()).collect()
    }

    #[track_caller]
    fn violates(list: &str, answer: Answer, properties: &[&str]) {
        let judged = violated(list, answer, None);
        assert_eq!(ids(&judged.violates), properties, "{judged:?}");
    }

    const OUT_OF_ORDER: Answer = Answer::Error(ErrorName::OutOfOrderSequenceNumber);

    #[test]
    fn a_retry_that_is_written_again_is_a_duplicate() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":2},
                       {"op":"append","pid":1,"epoch":0,"seq":0,"n":2}]"#;
        violates(list, Answer::Append(2, 3), &["no-duplicate"]);
        violates(list, OUT_OF_ORDER, &["retry-recognised"]);
        violates(
            list,
            Answer::Dup(1, 2),
            &["duplicate-answer-truthful", "ack-truthful"],
        );
        let unnamed = Answer::Error(ErrorName::DuplicateSequenceNumber);
        violates(list, unnamed, &["duplicate-answer-truthful"]);
    }

    #[test]
    fn a_stale_epoch_that_is_written_is_told() {
        let list = r#"[{"op":"append","pid":1,"epoch":1,"seq":0,"n":1},
                       {"op":"append","pid":1,"epoch":0,"seq":0,"n":1}]"#;
        violates(
            list,
            Answer::Append(1, 1),
            &["partition-order", "stale-epoch-rejected"],
        );
    }

    #[test]
    fn an_offset_that_leaves_a_hole_is_told_of_batches_with_and_without_a_producer() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":1}]"#;
        violates(list, Answer::Append(3, 3), &["log-is-fold"]);
        violates(
            r#"[{"op":"plain","n":2,"ts":0}]"#,
            Answer::Append(1, 2),
            &["log-is-fold"],
        );
    }

    #[test]
    fn a_last_offset_that_does_not_fit_is_no_true_acknowledgement() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":3}]"#;
        violates(list, Answer::Append(0, 1), &["ack-truthful"]);
    }

    #[test]
    fn another_error_violates_nothing() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":1},
                       {"op":"append","pid":1,"epoch":0,"seq":5,"n":1}]"#;
        let stale = Answer::Error(ErrorName::InvalidProducerEpoch);
        violates(list, stale, &[]);
        violates(list, Answer::Error(ErrorName::Other("OWN".to_owned())), &[]);
    }

    #[test]
    fn an_error_that_asks_for_the_same_batch_again_is_no_false_alarm() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":1},
                       {"op":"append","pid":1,"epoch":0,"seq":0,"n":1}]"#;
        let busy = Answer::Error(ErrorName::Other("NOT_ENOUGH_REPLICAS".to_owned()));
        violates(list, busy, &[]);
    }

    #[test]
    fn stricter_than_kafka_is_told_as_what_kafka_violates() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":5,"n":1}]"#;
        let judged = violated(list, OUT_OF_ORDER, None);
        assert_eq!(ids(&judged.violates), [""; 0]);
        let kafka = ["gap-rejected", "sequence-per-partition"];
        assert_eq!(ids(&judged.expected_violates), kafka);
        let lines = judged.lines();
        assert_eq!(lines[0], "no property");
        assert!(lines[1].starts_with("(what is expected violates gap-rejected: "));
    }

    #[test]
    fn a_state_that_is_told_is_held_against_the_log() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":1},
                       {"op":"append","pid":1,"epoch":0,"seq":1,"n":1}]"#;
        let forgotten = violated(
            list,
            Answer::Append(1, 1),
            Some(r#"{"1":[0,0,[[1,1,1,1]]]}"#),
        );
        assert_eq!(ids(&forgotten.violates), ["log-is-fold"]);
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":1},
                       {"op":"append","pid":1,"epoch":0,"seq":7,"n":1}]"#;
        let counted = violated(list, OUT_OF_ORDER, Some(r#"{"1":[0,0,[[7,7,0,0]]]}"#));
        assert_eq!(ids(&counted.violates), ["reject-is-stutter", "log-is-fold"]);
    }

    #[test]
    fn a_batch_that_is_dropped_must_leave_no_trace_in_the_state() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":1,"fate":"dropped"}]"#;
        let early = violated(list, Answer::Ok, Some(r#"{"1":[0,0,[[0,0,0,0]]]}"#));
        assert_eq!(ids(&early.violates), ["log-is-fold"]);
    }

    #[test]
    fn a_state_that_a_truncation_leaves_alone_is_told() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":1},
                       {"op":"truncate","to":0}]"#;
        let kept = violated(list, Answer::Ok, Some(r#"{"1":[0,0,[[0,0,0,0]]]}"#));
        assert_eq!(ids(&kept.violates), ["log-is-fold"]);
    }

    #[test]
    fn what_both_violate_is_not_the_difference() {
        // After a restart Kafka remembers one batch, which is not the fold of the log either.
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":1},
                       {"op":"append","pid":1,"epoch":0,"seq":1,"n":1},
                       {"op":"reload","mode":"clean"}]"#;
        let forgotten = violated(list, Answer::Ok, Some("{}"));
        assert_eq!(forgotten, Judged::default());
    }

    #[test]
    fn a_batch_that_is_cut_otherwise_is_nobodys_retry() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":3},
                       {"op":"append","pid":1,"epoch":0,"seq":0,"n":2}]"#;
        let invalid = Answer::Error(ErrorName::InvalidRecord);
        assert_eq!(violated(list, invalid, None), Judged::default());
        violates(list, Answer::Append(3, 4), &["no-duplicate"]);
    }

    #[test]
    fn a_gap_that_would_have_been_written_is_told() {
        for fate in ["dropped", "crash_before_write", "crash_after_write"] {
            let list = format!(
                r#"[{{"op":"append","pid":1,"epoch":0,"seq":0,"n":1}},
                    {{"op":"append","pid":1,"epoch":0,"seq":7,"n":1,"fate":"{fate}"}}]"#
            );
            violates(
                &list,
                Answer::Ok,
                &["gap-rejected", "sequence-per-partition"],
            );
        }
    }

    #[test]
    fn what_a_log_lost_can_be_written_again() {
        for lost in [r#"{"op":"truncate","to":0}"#, r#"{"op":"recreate"}"#] {
            let batch = r#"{"op":"append","pid":1,"epoch":0,"seq":0,"n":1}"#;
            violates(
                &format!("[{batch},{lost},{batch}]"),
                Answer::Append(0, 0),
                &[],
            );
            let twice = format!("[{batch},{lost},{batch},{batch}]");
            violates(&twice, Answer::Append(1, 1), &["no-duplicate"]);
        }
    }

    #[test]
    fn sequences_wrap() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":2147483646,"n":2},
                       {"op":"append","pid":1,"epoch":0,"seq":0,"n":1},
                       {"op":"append","pid":1,"epoch":0,"seq":2147483646,"n":2}]"#;
        violates(list, Answer::Append(3, 4), &["no-duplicate"]);
        let gap = list.replace(r#""seq":0,"#, r#""seq":2,"#);
        let two: Vec<Operation> = operations(&gap)[..2].to_vec();
        let two = serde_json::to_string(&two).expect("JSON");
        violates(
            &two,
            Answer::Append(2, 2),
            &["gap-rejected", "sequence-per-partition"],
        );
    }

    #[test]
    fn from_a_batch_that_is_too_large_on_nothing_is_judged() {
        let list = r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":2147483647},
                       {"op":"append","pid":1,"epoch":0,"seq":5,"n":1}]"#;
        violates(list, Answer::Append(9, 9), &[]);
    }

    #[test]
    fn after_a_difference_what_was_expected_says_nothing_any_more() {
        let settings = Settings::kafka();
        let list = operations(r#"[{"op":"append","pid":1,"epoch":0,"seq":5,"n":1}]"#);
        let mut observer = Observer::new(settings.window);
        let mut judge = |answer: &Answer, expected: &Answer| {
            let step = |answer| Step {
                operation: &list[0],
                answer,
                state: None,
            };
            observer.judge(step(answer), step(expected))
        };
        let first = judge(&OUT_OF_ORDER, &Answer::Append(0, 0));
        assert_eq!(first.expected_violates.len(), 2);
        let second = judge(&Answer::Append(0, 0), &Answer::Dup(0, 0));
        assert_eq!(
            ids(&second.violates),
            ["gap-rejected", "sequence-per-partition"]
        );
        assert_eq!(second.expected_violates, []);
    }
}

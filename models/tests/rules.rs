//! What each rule answers, one situation after the other.

use retryproof_models::broker::Broker;
use retryproof_models::message::{Place, Refusal, Request, Sequences, Word};
use retryproof_models::rules::{
    Rule, BUFFERING, KAFKA_0_11, KAFKA_1_0, KAFKA_4, LAST_SEQUENCE_ONLY, STRICT,
};

const OUT_OF_ORDER: Option<Word> = Some(Word::Refused(Refusal::OutOfOrder));
const STALE: Option<Word> = Some(Word::Refused(Refusal::StaleEpoch));
const UNKNOWN: Option<Word> = Some(Word::Refused(Refusal::UnknownProducer));
const UNNAMED: Option<Word> = Some(Word::Written(Place::Unnamed));

fn at(offset: i8) -> Option<Word> {
    Some(Word::Written(Place::At(offset)))
}

struct Log {
    rule: &'static Rule,
    window: usize,
    broker: Broker,
    log_end: i8,
}

impl Log {
    fn new(rule: &'static Rule, window: usize) -> Self {
        Log {
            rule,
            window,
            broker: Broker::default(),
            log_end: 0,
        }
    }

    /// With batches 0 to `last` of epoch `epoch` in it.
    fn filled(rule: &'static Rule, window: usize, epoch: i8, last: i8) -> Self {
        let mut log = Log::new(rule, window);
        for sequence in 0..=last {
            assert_eq!(log.offer(epoch, sequence), at(sequence));
        }
        log
    }

    fn offer(&mut self, epoch: i8, sequence: i8) -> Option<Word> {
        let request = Request {
            epoch,
            sequence,
            record: sequence,
            more: 0,
        };
        let before = self.broker;
        let capacity = (self.rule.capacity)(self.window);
        let handled = self.broker.handle(
            self.rule,
            capacity,
            Sequences::default(),
            self.log_end,
            request,
            true,
        );
        assert!(self.rule.branches.contains(&handled.branch));
        if matches!(handled.word, Some(Word::Refused(_))) {
            assert_eq!(self.broker, before, "a refusal changes nothing");
        }
        self.log_end += handled.appended.len() as i8;
        handled.word
    }
}

#[test]
fn kafka_4_remembers_exactly_its_window() {
    let mut log = Log::filled(&KAFKA_4, 5, 0, 5);
    for sequence in 1..=5 {
        assert_eq!(log.offer(0, sequence), at(sequence));
    }
    assert_eq!(log.offer(0, 0), OUT_OF_ORDER);
    assert_eq!(log.offer(0, 7), OUT_OF_ORDER);
    assert_eq!(log.offer(0, 6), at(6));
    assert_eq!(log.log_end, 7);
}

#[test]
fn kafka_4_takes_any_first_sequence_and_strict_only_0() {
    assert_eq!(Log::new(&KAFKA_4, 5).offer(5, 9), at(0));
    assert_eq!(Log::new(&STRICT, 5).offer(0, 9), OUT_OF_ORDER);
    assert_eq!(Log::new(&STRICT, 5).offer(0, 0), at(0));
}

#[test]
fn a_new_epoch_starts_at_0_and_ends_the_old_one() {
    for rule in [
        &KAFKA_4,
        &STRICT,
        &KAFKA_1_0,
        &KAFKA_0_11,
        &LAST_SEQUENCE_ONLY,
    ] {
        let mut log = Log::filled(rule, 5, 0, 2);
        assert_eq!(log.offer(1, 1), OUT_OF_ORDER, "{}", rule.name);
        assert_eq!(log.offer(3, 0), at(3), "{}", rule.name);
        assert_eq!(log.offer(0, 2), STALE, "{}", rule.name);
        assert_eq!(log.offer(3, 1), at(4), "{}", rule.name);
    }
}

#[test]
fn kafka_1_0_takes_older_than_the_window_for_a_duplicate() {
    let mut log = Log::filled(&KAFKA_1_0, 2, 0, 3);
    assert_eq!(log.offer(0, 3), at(3));
    assert_eq!(log.offer(0, 2), at(2));
    assert_eq!(log.offer(0, 1), UNNAMED);
    assert_eq!(Log::new(&KAFKA_1_0, 2).offer(0, 1), UNKNOWN);
}

#[test]
fn kafka_0_11_remembers_the_last_batch_only() {
    let mut log = Log::filled(&KAFKA_0_11, 5, 0, 3);
    assert_eq!(log.offer(0, 3), UNNAMED);
    assert_eq!(log.offer(0, 2), OUT_OF_ORDER);
    assert_eq!(Log::new(&KAFKA_0_11, 5).offer(0, 1), OUT_OF_ORDER);
}

#[test]
fn last_sequence_only_acknowledges_everything_below() {
    let mut log = Log::filled(&LAST_SEQUENCE_ONLY, 5, 0, 7);
    for sequence in 0..=7 {
        assert_eq!(log.offer(0, sequence), UNNAMED);
    }
    assert_eq!(log.offer(0, 9), OUT_OF_ORDER);
    assert_eq!(Log::new(&LAST_SEQUENCE_ONLY, 5).offer(0, 1), OUT_OF_ORDER);
}

#[test]
fn buffering_keeps_what_comes_too_early_and_releases_it_in_order() {
    let mut log = Log::new(&BUFFERING, 5);
    assert_eq!(log.offer(0, 2), None);
    assert_eq!(log.offer(0, 1), None);
    assert_eq!(log.offer(0, 1), None, "kept once");
    assert_eq!(log.broker.held.len(), 2);
    assert_eq!(log.offer(0, 0), at(0));
    assert_eq!(log.log_end, 3, "all three are in the log");
    assert!(log.broker.held.is_empty());
    assert_eq!(log.offer(0, 2), at(2), "and the last is a duplicate now");
}

#[test]
fn buffering_refuses_what_a_new_epoch_left_behind() {
    let mut log = Log::filled(&BUFFERING, 5, 0, 0);
    assert_eq!(log.offer(0, 2), None);
    let request = Request {
        epoch: 1,
        sequence: 0,
        record: 9,
        more: 0,
    };
    let handled = log
        .broker
        .handle(&BUFFERING, 5, Sequences::default(), 1, request, true);
    assert_eq!(handled.expelled.len(), 1);
    assert!(log.broker.held.is_empty());
}

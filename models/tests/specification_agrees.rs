//! The specification and the rules of the models are one: from every broker memory that
//! batches of one record with small numbers can lead to, every request is decided alike and
//! leaves the same window.

use std::collections::{HashSet, VecDeque};

use retryproof_models::broker::Broker;
use retryproof_models::message::{Place, Refusal, Request, Sequences, Small};
use retryproof_models::rules::{Rule, Verdict, KAFKA_4, STRICT};
use retryproof_models::specification::{
    Answer, ErrorName, Fate, Operation, Origin, Partition, Producer, Profile, Settings,
};

const PID: i64 = 0;
const EPOCHS: std::ops::RangeInclusive<Small> = 0..=2;
const SEQUENCES: std::ops::RangeInclusive<Small> = 0..=7;
const WINDOWS: [usize; 4] = [1, 2, 3, 5];

fn requests() -> impl Iterator<Item = Request> {
    EPOCHS.flat_map(|epoch| {
        SEQUENCES.map(move |sequence| Request {
            epoch,
            sequence,
            record: 0,
            more: 0,
        })
    })
}

fn as_operation(request: &Request) -> Operation {
    Operation::Append {
        pid: PID,
        epoch: request.epoch.into(),
        seq: request.sequence.into(),
        n: 1,
        ts: 0,
        origin: Origin::Client,
        fate: Fate::Kept,
    }
}

fn as_answer(verdict: Verdict, log_end: Small) -> Answer {
    match verdict {
        Verdict::Append => Answer::Append(log_end.into(), log_end.into()),
        Verdict::Duplicate(Place::At(offset)) => Answer::Dup(offset.into(), offset.into()),
        Verdict::Reject(Refusal::OutOfOrder) => Answer::Error(ErrorName::OutOfOrderSequenceNumber),
        Verdict::Reject(Refusal::StaleEpoch) => Answer::Error(ErrorName::InvalidProducerEpoch),
        other => panic!("neither rule decides {other:?}"),
    }
}

fn as_producer(broker: &Broker) -> Option<Producer> {
    let batches = broker
        .window
        .iter()
        .map(|cached| [cached.first, cached.last, cached.offset, cached.offset].map(i64::from));
    broker.known.then(|| Producer {
        epoch: broker.epoch.into(),
        last_timestamp: 0,
        batches: batches.collect(),
    })
}

/// Compares every request from every memory and returns how many memories and requests
/// there were.
fn compare(rule: &'static Rule, profile: Profile, window: usize) -> (usize, usize) {
    let settings = Settings {
        profile,
        window,
        ..Settings::kafka()
    };
    let mut seen = HashSet::from([(Broker::default(), 0)]);
    let mut open = VecDeque::from([(Broker::default(), 0, Partition::new(settings))]);
    let mut compared = 0;
    while let Some((before, log_end, specified)) = open.pop_front() {
        for request in requests() {
            let mut broker = before;
            let handled = broker.handle(rule, window, Sequences::default(), log_end, request, true);
            let mut partition = specified.clone();
            let answer = partition.apply(&as_operation(&request));
            let edge = format!("{rule:?}, window {window}: {before:?} takes {request:?}");
            assert_eq!(as_answer(handled.verdict, log_end), answer, "{edge}");
            let remembered = partition.state().get(&PID).cloned();
            assert_eq!(as_producer(&broker), remembered, "{edge}");
            compared += 1;
            let log_end = log_end + handled.appended.len() as Small;
            assert_eq!(i64::from(log_end), partition.log_end(), "{edge}");
            if seen.insert((broker, log_end)) {
                open.push_back((broker, log_end, partition));
            }
        }
    }
    (seen.len(), compared)
}

fn compare_all_windows(rule: &'static Rule, profile: Profile, at_least: usize) {
    let mut all = 0;
    for window in WINDOWS {
        let (memories, compared) = compare(rule, profile, window);
        println!("{rule:?}, window {window}: {memories} memories, {compared} requests compared");
        all += compared;
    }
    assert!(
        all >= at_least,
        "only {all} requests were compared, not {at_least}"
    );
}

#[test]
fn the_kafka_profile_decides_as_the_rule_kafka_4() {
    compare_all_windows(&KAFKA_4, Profile::Kafka, 28_000);
}

#[test]
fn the_hardened_profile_decides_as_the_rule_strict() {
    compare_all_windows(&STRICT, Profile::Hardened, 20_000);
}

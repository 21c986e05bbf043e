//! Under profile Hardened every answer and state that is not Kafka's has one of three
//! reasons or follows from one, and is what the specification says.

use std::collections::BTreeMap;

use retryproof::shadow::cases::{Case, Outcome};
use retryproof::shadow::{walk, Difference, Got, Observed, ProductionManager, StateManager};
use retryproof_models::specification::{
    Answer, ErrorName, Operation, Partition, Producer, Settings,
};

use crate::{published, vectors};

/// Why a hardened manager differs from Kafka.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// A producer without state must start at sequence 0.
    StartsAtZero,
    /// The step before differs, so the log or the state is another one.
    Follows,
    /// Snapshots keep the whole window: a retry is recognised after a restart.
    WholeWindow,
    /// Expiry counts from when the producer was last seen, not from its timestamps.
    LastSeen,
}

fn differences(case: &Case) -> Vec<Difference> {
    match case.run(&mut ProductionManager::default(), &Settings::hardened()) {
        Ok(Outcome::Walked(differences)) => differences,
        other => panic!("{}: {other:?}", case.id),
    }
}

/// The published faults that a hardened manager answers differently: case, step, its
/// answer, and why.
const DIFFERENT: [(&str, usize, &str, Reason); 12] = [
    ("B01", 0, OUT_OF_ORDER, Reason::StartsAtZero),
    ("B01", 1, r#"{"append":[0,16]}"#, Reason::Follows),
    ("B01", 2, r#"{"append":[17,21]}"#, Reason::Follows),
    ("B01", 3, r#"{"append":[22,22]}"#, Reason::Follows),
    ("B12", 6, r#"{"dup":[2,3]}"#, Reason::WholeWindow),
    ("B15", 3, OUT_OF_ORDER, Reason::StartsAtZero),
    ("B16", 5, r#"{"dup":[1,1]}"#, Reason::WholeWindow),
    ("B16b", 5, r#"{"dup":[1,1]}"#, Reason::WholeWindow),
    ("R03", 2, OUT_OF_ORDER, Reason::StartsAtZero),
    ("R03", 3, r#"{"append":[7,7]}"#, Reason::Follows),
    ("F03", 2, OUT_OF_ORDER, Reason::StartsAtZero),
    ("F03", 3, r#"{"append":[0,0]}"#, Reason::Follows),
];
const OUT_OF_ORDER: &str = r#"{"error":"OUT_OF_ORDER_SEQUENCE_NUMBER"}"#;

/// Whether an answer is what its reason leads to.
fn is_explained(expected: &Answer, got: &Answer, reason: Reason) -> bool {
    let refused = Answer::Error(ErrorName::OutOfOrderSequenceNumber);
    match reason {
        Reason::StartsAtZero => matches!(expected, Answer::Append(..)) && *got == refused,
        Reason::WholeWindow => *expected == refused && matches!(got, Answer::Dup(..)),
        Reason::Follows => matches!(got, Answer::Append(..)),
        Reason::LastSeen => false,
    }
}

#[test]
fn the_published_faults_that_are_answered_differently_are_these() {
    let cases = published();
    let found: Vec<Difference> = cases.iter().flat_map(differences).collect();
    let mut known = DIFFERENT.iter();
    for difference in &found {
        let Got::Answered(Observed { answer, .. }) = &difference.got else {
            panic!("{difference:?}");
        };
        let json = serde_json::to_string(answer).expect("JSON");
        let found = (difference.case.as_str(), difference.step, json.as_str());
        let (case, step, known, reason) = known.next().expect("one of the table");
        assert_eq!(found, (*case, *step, *known));
        let expected = &difference.expected.answer;
        assert!(is_explained(expected, answer, *reason), "{difference:?}");
    }
    assert_eq!(known.next(), None);
}

/// Why one producer differs after this step; `None` if there is no reason.
fn reason(
    operation: &Operation,
    expected: Option<&Producer>,
    got: Option<&Producer>,
) -> Option<Reason> {
    match (operation, expected, got) {
        (Operation::Append { seq, .. }, Some(_), None) if *seq != 0 => Some(Reason::StartsAtZero),
        (Operation::Expire { .. } | Operation::Reload { .. }, None, Some(_)) => {
            Some(Reason::LastSeen)
        }
        (Operation::Reload { .. } | Operation::Truncate { .. }, Some(expected), Some(got)) => {
            let same = (expected.epoch, expected.last_timestamp) == (got.epoch, got.last_timestamp);
            let more = got.batches.ends_with(&expected.batches);
            (same && more).then_some(Reason::WholeWindow)
        }
        _ => None,
    }
}

#[test]
fn in_every_vector_the_first_difference_has_a_reason() {
    let mut reasons: BTreeMap<Reason, usize> = BTreeMap::new();
    let mut same = 0;
    for case in vectors() {
        let differences = differences(&case);
        let Some(first) = differences.first() else {
            same += 1;
            continue;
        };
        let Got::Answered(got) = &first.got else {
            panic!("{first:?}");
        };
        for (pid, expected) in &first.expected.state {
            let got = got.state[pid].as_ref();
            let reason = reason(&first.operation, expected.as_ref(), got);
            let reason = reason.unwrap_or_else(|| panic!("producer {pid} differs: {first:?}"));
            *reasons.entry(reason).or_default() += 1;
        }
    }
    println!("{same} vectors are the same; producers that differ: {reasons:?}");
    assert_eq!(same, 41);
    assert!(
        [Reason::StartsAtZero, Reason::WholeWindow, Reason::LastSeen]
            .iter()
            .all(|reason| reasons.contains_key(reason))
    );
}

#[test]
fn every_case_and_vector_is_answered_as_the_specification_says() {
    let settings = Settings::hardened();
    let mut subject = ProductionManager::default();
    let mut walked = 0;
    for case in published().into_iter().chain(vectors()) {
        // What Kafka refused or took moves offsets: a truncation may not fit any more.
        let mut partition = Partition::new(settings);
        let legal: Vec<Operation> = case
            .operations
            .into_iter()
            .take_while(|operation| {
                let fits = partition.allows(operation).is_ok();
                if fits {
                    partition.apply(operation);
                }
                fits
            })
            .collect();
        subject.start(&settings).expect("ours starts");
        assert_eq!(walk(&mut subject, &settings, &legal), Ok(()), "{}", case.id);
        walked += legal.len();
    }
    println!("{walked} operations");
    assert!(walked > 5000, "{walked}");
}

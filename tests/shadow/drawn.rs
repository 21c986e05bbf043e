//! Drawn lists: the same from the same seed, legal, and near the rules.

use std::collections::BTreeMap;

use proptest::strategy::ValueTree;
use retryproof::shadow::generate::{Generator, Performance};
use retryproof::shadow::kind;
use retryproof_models::specification::{Answer, ErrorName, Operation, Partition, Settings};

const SEEDS: std::ops::Range<u64> = 0..300;

fn list(generator: &Generator, seed: u64, settings: &Settings) -> Vec<Operation> {
    let drawn = generator.draw(seed).expect("a script");
    drawn.current().perform(settings, |_| true)
}

#[test]
fn a_seed_gives_the_same_list_again_and_another_seed_another() {
    let settings = Settings::kafka();
    let first: Vec<_> = SEEDS
        .map(|seed| list(&Generator::default(), seed, &settings))
        .collect();
    let generator = Generator::default();
    for (seed, first) in SEEDS.zip(&first) {
        assert_eq!(&list(&generator, seed, &settings), first, "seed {seed}");
    }
    let mut distinct = first.clone();
    distinct.sort_by_key(|list| format!("{list:?}"));
    distinct.dedup();
    assert!(distinct.len() > first.len() * 9 / 10, "{}", distinct.len());
}

/// How often each answer and each kind of operation occurs in lists for these settings.
fn census(settings: &Settings) -> BTreeMap<String, usize> {
    let generator = Generator::default();
    let mut census = BTreeMap::new();
    for seed in SEEDS {
        let mut partition = Partition::new(*settings);
        for operation in list(&generator, seed, settings) {
            assert_eq!(partition.allows(&operation), Ok(()), "seed {seed}");
            let answer = match partition.apply(&operation) {
                Answer::Append(..) => "appended".to_owned(),
                Answer::Dup(..) => "duplicate".to_owned(),
                Answer::Error(name) => format!("{name:?}"),
                Answer::Ok => "ok".to_owned(),
            };
            *census.entry(answer).or_default() += 1;
            *census.entry(kind(&operation).to_owned()).or_default() += 1;
        }
    }
    census
}

#[test]
fn lists_are_legal_and_reach_every_answer_and_every_kind_of_operation() {
    for settings in [Settings::kafka(), Settings::hardened()] {
        let census = census(&settings);
        let seen = |what: &str| census.get(what).copied().unwrap_or(0);
        println!("{:?}: {census:?}", settings.profile);
        for (what, least) in [
            ("appended", 2500),
            ("duplicate", 250),
            (&format!("{:?}", ErrorName::OutOfOrderSequenceNumber), 500),
            (&format!("{:?}", ErrorName::InvalidProducerEpoch), 50),
            (&format!("{:?}", ErrorName::InvalidRecord), 25),
            (&format!("{:?}", ErrorName::TransactionCoordinatorFenced), 5),
            ("append", 3000),
            ("plain", 100),
            ("marker", 100),
            ("reload", 250),
            ("snapshot", 50),
            ("truncate", 150),
            ("delete_records", 100),
            ("expire", 100),
            ("roll", 100),
            ("retention", 50),
            ("recreate", 25),
        ] {
            assert!(seen(what) >= least, "{what}: {} of {least}", seen(what));
        }
    }
}

#[test]
fn a_performance_keeps_the_clock_that_operations_move() {
    let mut performance = Performance::new(&Settings::kafka());
    performance.take(&Operation::Plain { n: 2, ts: 7 });
    performance.take(&Operation::Expire { now: 5 });
    assert_eq!(performance.partition().log_end(), 2);
    let choice = retryproof::shadow::generate::Choice::Expire {
        time: retryproof::shadow::generate::Time::Later(3),
    };
    assert_eq!(
        performance.next(&choice),
        Some(Operation::Expire { now: 10 })
    );
}

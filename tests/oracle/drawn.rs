//! Drawn lists: the specification, the production manager and Kafka agree after every
//! operation.

use std::time::Instant;

use retryproof::shadow::search::Search;
use retryproof_models::specification::Settings;

use crate::both::Both;
use crate::{jvm, log};

/// Walks lists from this seed on until so many operations are done.
#[track_caller]
fn three_agree(release: &'static str, first_seed: u64, at_least: usize) {
    let Some(kafka) = jvm::kafka(release) else {
        return;
    };
    let start = Instant::now();
    let mut subject = Both::new(log(&kafka));
    let mut search = Search::new(&mut subject, &Settings::kafka());
    let (mut lists, mut operations) = (0, 0);
    while operations < at_least {
        let walked = search.walk(first_seed + lists, || true);
        let walked = walked.expect("both start");
        if let Some(difference) = walked.difference {
            let list = serde_json::to_string(&walked.operations).expect("JSON");
            panic!("{release}, {list}: {difference:?}");
        }
        lists += 1;
        operations += walked.operations.len();
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{release}: {lists} lists, {operations} operations in {seconds:.1} s");
}

#[test]
fn three_agree_on_100_000_operations_of_4_3_1() {
    three_agree("4.3.1", 5_000_000, 100_000);
}

#[test]
fn three_agree_on_20_000_operations_of_4_4_0() {
    three_agree("4.4.0", 6_000_000, 20_000);
}

//! `tests/data/kafka-4.3.1/drawn.jsonl` is what Kafka answers now, byte for byte.

use retryproof::shadow::record::record;

use crate::{jvm, log};

const DRAWN: &str = include_str!("../data/kafka-4.3.1/drawn.jsonl");

#[test]
fn a_new_recording_is_the_one_that_is_kept() {
    for kafka in jvm::every_kafka() {
        let mut subject = log(&kafka);
        for (seed, kept) in DRAWN.lines().enumerate() {
            let recorded = record(&mut subject, seed as u64).expect("Kafka answers");
            let recorded = serde_json::to_string(&recorded).expect("JSON");
            assert_eq!(recorded, kept, "{}: run oracle/record.sh", kafka.release);
        }
    }
}

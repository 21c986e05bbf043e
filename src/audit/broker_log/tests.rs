//! Lines of every release.

use super::*;

const OUT_OF_ORDER: Why = Why::OutOfOrder {
    sequence: 158,
    last: 156,
};

/// A line, and what it says: producer, offset, partition, why.
type Line = (
    &'static str,
    Option<i64>,
    Option<i64>,
    Option<&'static str>,
    Why,
);

const LINES: [Line; 20] = [
    ("OutOfOrderSequenceException: Out of order sequence number for producerId 74: 158 (incoming seq. number), 156 (current end sequence number)", Some(74), None, None, OUT_OF_ORDER),
    ("OutOfOrderSequenceException: Out of order sequence number for producerId 74: found 158 (incoming seq. number), but expected 0", Some(74), None, None, Why::Unknown { sequence: Some(158) }),
    ("OutOfOrderSequenceException: Out of order sequence number for producerId 74 at offset 9 in partition a-b-1: 158 (incoming seq. number), 156 (current end sequence number)", Some(74), Some(9), Some("a-b-1"), OUT_OF_ORDER),
    ("OutOfOrderSequenceException: Out of order sequence number for producer 74 at offset 9 in partition a-b-1: 158 (incoming seq. number), 156 (current end sequence number)", Some(74), Some(9), Some("a-b-1"), OUT_OF_ORDER),
    ("OutOfOrderSequenceException: Out of order sequence number for producer 74 at offset 9 in partition a-b-1: 158 (incoming seq. number), 156 (earliest seen sequence)", Some(74), Some(9), Some("a-b-1"), OUT_OF_ORDER),
    ("OutOfOrderSequenceException: Out of order sequence number for producer 74 at offset 9 in partition a-b-1: 3 (incoming seq. number), -1 (current end sequence number)", Some(74), Some(9), Some("a-b-1"), Why::OutOfOrder { sequence: 3, last: -1 }),
    ("OutOfOrderSequenceException: Invalid sequence number for new epoch: 1 (request epoch), 4 (seq. number)", None, None, None, Why::NewEpoch { epoch: 1, sequence: 4 }),
    ("OutOfOrderSequenceException: Invalid sequence number for new epoch at offset 9 in partition a-b-1: 1 (request epoch), 4 (seq. number)", None, Some(9), Some("a-b-1"), Why::NewEpoch { epoch: 1, sequence: 4 }),
    ("OutOfOrderSequenceException: Invalid sequence number for new epoch of producer 74 at offset 9 in partition a-b-1: 1 (request epoch), 4 (seq. number), 0 (current producer epoch)", Some(74), Some(9), Some("a-b-1"), Why::NewEpoch { epoch: 1, sequence: 4 }),
    ("OutOfOrderSequenceException: Invalid sequence number for new epoch of producer 74at offset 9 in partition a-b-1: 1 (request epoch), 4 (seq. number), 0 (current producer epoch)", Some(74), Some(9), Some("a-b-1"), Why::NewEpoch { epoch: 1, sequence: 4 }),
    ("OutOfOrderSequenceException: Invalid sequence number for producer 74 at offset 9 in partition a-b-1: 4 (incoming seq. number). Expected sequence 0 for transactions v2 idempotent producer with no existing state.", Some(74), Some(9), Some("a-b-1"), Why::Unknown { sequence: Some(4) }),
    ("UnknownProducerIdException: Found no record of producerId=74 on the broker. It is possible that the last message with the producerId=74 has been removed due to hitting the retention limit.", Some(74), None, None, Why::Unknown { sequence: None }),
    ("UnknownProducerIdException: Found no record of producerId=74 on the broker at offset 9in partition a-b-1. It is possible that the last message with the producerId=74 has been removed due to hitting the retention limit.", Some(74), Some(9), Some("a-b-1"), Why::Unknown { sequence: None }),
    ("UnknownProducerIdException: Local producer state matches expected epoch 2 for producerId=74 at offset 9 in partition a-b-1, but the next expected sequence number is not known.", Some(74), Some(9), Some("a-b-1"), Why::Unknown { sequence: None }),
    ("DuplicateSequenceException: Duplicate sequence number for producerId 74: (incomingBatch.firstSeq, incomingBatch.lastSeq): (4, 5).", Some(74), None, None, Why::Duplicate { sequence: 4, last: 5 }),
    ("ProducerFencedException: Producer's epoch is no longer valid. There is probably another producer with a newer epoch. 3 (request epoch), 4 (server epoch)", None, None, None, Why::Stale { epoch: 3, current: 4 }),
    ("ProducerFencedException: Producer's epoch at offset 9 is no longer valid in partition a-b-1: 3 (request epoch), 4 (current epoch)", None, Some(9), Some("a-b-1"), Why::Stale { epoch: 3, current: 4 }),
    ("InvalidProducerEpochException: Producer's epoch at offset 9 in a-b-1 is 3, which is smaller than the last seen epoch 4", None, Some(9), Some("a-b-1"), Why::Stale { epoch: 3, current: 4 }),
    ("InvalidProducerEpochException: Epoch of producer 74 at offset 9 in a-b-1 is 3, which is smaller than the last seen epoch 4", Some(74), Some(9), Some("a-b-1"), Why::Stale { epoch: 3, current: 4 }),
    ("InvalidProducerEpochException: Epoch of producer 74 at offset 9 in a-b-1 is 3, which is <= the last seen epoch 4 (TV2)", Some(74), Some(9), Some("a-b-1"), Why::Stale { epoch: 3, current: 4 }),
];

fn refusals(text: &str) -> Vec<Refusal> {
    let bytes = std::io::Cursor::new(text.to_owned().into_bytes());
    read(FileId(0), Box::new(bytes)).expect("readable").kept
}

#[test]
fn every_release_is_understood() {
    for (line, producer_id, offset, partition, why) in LINES {
        let text = format!("org.apache.kafka.common.errors.{line}\n");
        let [refusal] = &refusals(&text)[..] else {
            panic!("one refusal in {line}");
        };
        assert_eq!(refusal.producer_id, producer_id, "{line}");
        assert_eq!(refusal.offset, offset, "{line}");
        assert_eq!(refusal.partition.as_deref(), partition, "{line}");
        assert_eq!(refusal.why, why, "{line}");
    }
}

#[test]
fn the_line_before_names_the_partition_also_with_a_topic_id() {
    for name in ["orders-7", "AbCdEfGhIjKlMnOpQrStUv:orders-7"] {
        let text = format!(
            "[2023-10-19 13:43:45,084] ERROR [ReplicaManager broker=0] Error processing append operation on partition {name} (kafka.server.ReplicaManager)\n\
             org.apache.kafka.common.errors.{}\n",
            LINES[0].0
        );
        let [refusal] = &refusals(&text)[..] else {
            panic!("one refusal");
        };
        assert_eq!(refusal.partition.as_deref(), Some("orders-7"));
        assert_eq!(
            refusal.first_time.as_deref(),
            Some("2023-10-19 13:43:45,084")
        );
    }
}

#[test]
fn the_same_numbers_again_are_one_refusal_that_came_often() {
    let text: String = (10..20)
        .map(|second| format!("[2023-10-19 13:43:{second},084] ERROR x\n{}\n", LINES[2].0))
        .collect();
    let [refusal] = &refusals(&text)[..] else {
        panic!("one refusal");
    };
    assert_eq!(refusal.times, 10);
    assert_eq!(
        refusal.last_time.as_deref(),
        Some("2023-10-19 13:43:19,084")
    );
}

#[test]
fn other_lines_say_nothing() {
    let text = "[2023-10-19 13:43:45,084] INFO [ProducerStateManager partition=T-0] Wrote producer snapshot at offset 9\n\
                Out of order sequence number for producer x at offset 9 in partition a-0: 1 (incoming seq. number), 0 (current end sequence number)\n\
                ...\n";
    assert!(refusals(text).is_empty());
}

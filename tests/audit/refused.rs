//! Lines in a broker's log about refused batches, alone and beside the log.

use super::dump::{dump, good};
use super::{found, kinds, texts, Files};

fn server_log(exception: &str) -> String {
    format!(
        "[2023-10-19 13:43:40,000] INFO [KafkaServer id=0] started (kafka.server.KafkaServer)\n\
         [2023-10-19 13:43:45,084] ERROR [ReplicaManager broker=0] Error processing append operation on partition orders-0 (kafka.server.ReplicaManager)\n\
         org.apache.kafka.common.errors.{exception}\n"
    )
}

fn out_of_order(offset: i64, sequence: i32, last: i32) -> String {
    server_log(&format!(
        "OutOfOrderSequenceException: Out of order sequence number for producer 7 at offset {offset} in \
         partition orders-0: {sequence} (incoming seq. number), {last} (current end sequence number)"
    ))
}

#[test]
fn each_refusal_is_read_for_what_it_is() {
    for (log, kind, words) in [
        (out_of_order(13, 11, 8), "refused: gap", "sequences 9 to 10 missing"),
        (out_of_order(13, 4, 8), "refused: old retry", "where 9 was next"),
        (out_of_order(13, 0, 8), "refused: sequence 0 again", "sequence 0 was refused at offset 13"),
        (out_of_order(13, 9, -1), "refused: forgotten producer", "no batch was known"),
        (out_of_order(13, 1, 2_147_483_646), "refused: gap", "sequences 2147483647 to 0 missing"),
        (
            server_log("OutOfOrderSequenceException: Invalid sequence number for new epoch of producer 7at offset 13 in partition orders-0: 1 (request epoch), 4 (seq. number), 0 (current producer epoch)"),
            "refused: new epoch not from 0",
            "it begins with sequence 4",
        ),
        (
            server_log("UnknownProducerIdException: Found no record of producerId=7 on the broker at offset 13in partition orders-0. It is possible"),
            "refused: forgotten producer",
            "a batch was refused at offset 13",
        ),
        (
            server_log("InvalidProducerEpochException: Epoch of producer 7 at offset 13 in orders-0 is 0, which is smaller than the last seen epoch 1"),
            "refused: stale epoch",
            "epoch 1 was known",
        ),
        (
            server_log("InvalidRecordException: Invalid sequence number -4 in record batch with producerId 7 in topic partition orders-0"),
            "refused: impossible sequence",
            "sequence -4",
        ),
    ] {
        let report = Files::new().with("server.log", log).audit().expect("readable");
        assert_eq!(found(&report), [(kind, 1, 3)], "{:?}", texts(&report));
        assert!(texts(&report)[0].contains(words), "{:?}", texts(&report));
        assert!(texts(&report)[0].contains("2023-10-19 13:43:45,084"));
    }
}

#[test]
fn beside_the_log_it_is_said_whether_the_sequence_is_written() {
    for (sequence, last, kind, words) in [
        (
            4,
            8,
            "refused: old retry",
            "it was a retry of what is written",
        ),
        (11, 8, "refused: gap", "the log does not hold sequence 11"),
        (
            4,
            6,
            "refusal against log",
            "epoch 0 with sequences 4 to 8 at offset 8",
        ),
    ] {
        let report = Files::new()
            .with("server.log", out_of_order(13, sequence, last))
            .with("dump.txt", dump(&good()))
            .audit()
            .expect("readable");
        assert_eq!(kinds(&report), [kind], "{:?}", texts(&report));
        assert!(texts(&report)[0].contains(words), "{:?}", texts(&report));
    }
}

#[test]
fn what_is_refused_beyond_the_log_is_told_all_the_same() {
    let report = Files::new()
        .with("server.log", out_of_order(1_000, 4, 8))
        .with("dump.txt", dump(&good()))
        .audit()
        .expect("readable");
    assert_eq!(kinds(&report), ["refused: old retry"]);
}

#[test]
fn the_same_refusal_again_and_again_is_a_loop() {
    let log = out_of_order(13, 0, 8).repeat(40);
    let report = Files::new()
        .with("server.log", log)
        .audit()
        .expect("readable");
    assert_eq!(found(&report), [("refused: sequence 0 again", 1, 3)]);
    assert!(texts(&report)[0].contains("40 times with the same numbers"));
}

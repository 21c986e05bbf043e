//! Writes the named part of the corpus: snapshots of every kind, sound and damaged, and lists
//! of operations to begin with. The rest of the corpus was found by fuzzing.
//!
//! Run from the directory of this package: `cargo run --example seeds`.

use std::{fs, io, iter};

use retryproof::state_manager::snapshot::{kafka, Format};
use retryproof::state_manager::{
    Batch, Check, Config, CoordinatorBatch, CoordinatorEpoch, Ending, Epoch, Marker, Offset,
    ProducerId, ProducerStateManager, Sequence, Timestamp,
};

/// Written by Apache Kafka 4.3.1 after record 99 of producer 1 at offset 1.
const ONE_PRODUCER: &str = "000174e381f200000001\
    0000000000000001000000000063000000000000000100000000000001a31877c743ffffffffffffffffffffffff";
/// Written by Apache Kafka 4.3.1 after 5 records of producer 7 and one of producer 9.
const TWO_PRODUCERS: &str = "0001985549ca00000002\
    0000000000000007000200000004000000000000000400000001000001a3185c6388ffffffffffffffffffffffff\
    0000000000000009000000000000000000000000000500000000000001a3185c6388ffffffffffffffffffffffff";

fn main() -> io::Result<()> {
    let written = [
        ("kafka-golden-1", bytes(ONE_PRODUCER)),
        ("kafka-golden-2", bytes(TWO_PRODUCERS)),
        ("kafka-empty", encoded(&manager(), Format::Kafka)),
        ("window-empty", encoded(&manager(), Format::WholeWindow)),
        (
            "kafka-transactions",
            encoded(&transactions(), Format::Kafka),
        ),
        (
            "window-transactions",
            encoded(&transactions(), Format::WholeWindow),
        ),
        ("window-wrapped", encoded(&wrapped(), Format::WholeWindow)),
    ];
    for (name, file) in &written {
        save("snapshots", name, file)?;
    }
    for (name, file) in &written[1..] {
        save(
            "snapshots",
            &format!("{name}-cut-short"),
            &file[..file.len() - 1],
        )?;
        save(
            "snapshots",
            &format!("{name}-and-more"),
            &[file, &[0][..]].concat(),
        )?;
        let mut damaged = file.clone();
        damaged[file.len() / 2] ^= 0x10;
        save("snapshots", &format!("{name}-damaged"), &damaged)?;
    }
    for (name, entries) in impossible() {
        let file = kafka::encode(entries.into_iter()).expect("few entries");
        save("snapshots", name, &file)?;
    }
    for number in 1..=8 {
        save("operations", &format!("random-{number}"), &random(number))?;
    }
    Ok(())
}

fn save(target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let directory = format!("corpus/{target}");
    fs::create_dir_all(&directory)?;
    fs::write(format!("{directory}/{name}"), bytes)
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex
        .as_bytes()
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    digits
        .map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal"))
        .collect()
}

/// What no broker writes, under a right checksum.
fn impossible() -> [(&'static str, Vec<kafka::Entry>); 3] {
    let good = kafka::Entry {
        producer_id: 5,
        epoch: 0,
        last_sequence: 4,
        last_offset: 4,
        offset_delta: 4,
        timestamp: 50,
        coordinator_epoch: -1,
        transaction_first_offset: -1,
    };
    let too_long = kafka::Entry {
        offset_delta: 5,
        ..good
    };
    let no_sequence = kafka::Entry {
        last_sequence: -2,
        ..good
    };
    [
        ("kafka-producer-twice", vec![good, good]),
        ("kafka-batch-before-the-log", vec![too_long]),
        ("kafka-sequence-below-none", vec![no_sequence]),
    ]
}

/// 300 bytes of a xorshift generator.
fn random(seed: u64) -> Vec<u8> {
    let step = |state: &u64| {
        let state = state ^ (state << 13);
        let state = state ^ (state >> 7);
        Some(state ^ (state << 17))
    };
    let states = iter::successors(Some(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)), step);
    states.map(|state| (state >> 56) as u8).take(300).collect()
}

fn manager() -> ProducerStateManager {
    ProducerStateManager::new(Config::hardened())
}

fn encoded(manager: &ProducerStateManager, format: Format) -> Vec<u8> {
    manager.encode(format).expect("few producers")
}

/// One open, one committed, one that only a marker and one that only a coordinator is known of.
fn transactions() -> ProducerStateManager {
    let mut manager = manager();
    for producer in [1, 2] {
        for first in [0, 4, 8] {
            append(&mut manager, &batch(producer, first, 4).transactional());
        }
    }
    end_transaction(&mut manager, 2, 0);
    end_transaction(&mut manager, 3, 5);
    let of_coordinator = CoordinatorBatch {
        producer_id: id(4),
        epoch: Epoch::new(0),
        records: 2,
        max_timestamp: Timestamp::from_millis(60),
    };
    let answer = manager.check_coordinator(&of_coordinator);
    commit(&mut manager, answer);
    manager
}

/// A full window, through the end of the sequences.
fn wrapped() -> ProducerStateManager {
    let mut manager = manager();
    let whole = i32::MAX;
    append(&mut manager, &batch(7, 0, whole));
    for first in [whole, 2, 5, 8, 11, 14] {
        append(&mut manager, &batch(7, first, 3));
    }
    manager
}

fn append(manager: &mut ProducerStateManager, batch: &Batch) {
    let answer = manager.check(batch);
    commit(manager, answer);
}

fn commit(manager: &mut ProducerStateManager, answer: Check) {
    let Check::Append(permit) = answer else {
        panic!("{answer:?}");
    };
    let end = manager.map_end_offset();
    manager
        .commit(permit, end, Timestamp::from_millis(70))
        .expect("fresh");
}

fn end_transaction(manager: &mut ProducerStateManager, producer: i64, epoch: i16) {
    let marker = Marker {
        producer_id: id(producer),
        epoch: Epoch::new(epoch),
        coordinator_epoch: CoordinatorEpoch::new(3),
        timestamp: Timestamp::from_millis(80),
        ending: Ending::Committed,
    };
    let permit = manager.check_marker(&marker).expect("allowed");
    let end: Offset = manager.map_end_offset();
    let ended = manager.commit_marker(permit, end, Timestamp::from_millis(90));
    assert!(ended.is_ok());
}

fn batch(producer: i64, first: i32, records: i32) -> Batch {
    let first = Sequence::new(first).expect("not negative");
    let time = Timestamp::from_millis(50);
    Batch::new(id(producer), Epoch::new(0), first, records, time).expect("sound")
}

fn id(number: i64) -> ProducerId {
    ProducerId::new(number).expect("not negative")
}

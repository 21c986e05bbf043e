//! `benches/side_by_side` compares what it says: both sides draw the same operations and answer
//! the same offsets, and memory is counted for what was asked.

use serde_json::{json, Value};

use crate::conversation::Conversation;
use crate::jvm;
use crate::operations::{checksum, Operations, Stream, WINDOW};
use crate::ours::Append;

#[test]
fn both_sides_do_and_answer_the_same() {
    const OPERATIONS: usize = 5_000;
    for kafka in jvm::every_kafka() {
        let mut theirs = Conversation::with(&kafka, "speed");
        for (producers, seed) in [(1, 7), (7, -7), (1_000, 42)] {
            theirs.ask(&json!({"op": "start", "producers": producers, "seed": seed}));
            let mut ours = Append::after(producers, WINDOW);
            let mut operations = Operations::new(producers, WINDOW, seed as u64);
            let mut drawn = vec![0; OPERATIONS];
            for stream in Stream::ALL.into_iter().cycle().take(6) {
                operations.draw(stream, &mut drawn);
                let round =
                    json!({"op": "round", "stream": stream.word(), "operations": OPERATIONS});
                let answer = theirs.ask(&round);
                let what = format!("{producers} producers, {stream:?}");
                let checksum = format!("{:x}", checksum(&drawn));
                assert_eq!(answer["checksum"], json!(checksum), "{what}");
                assert_eq!(answer["offsets"], json!(ours.append_all(&drawn)), "{what}");
            }
        }
    }
}

#[test]
fn a_full_window_takes_more_memory_than_one_batch() {
    for kafka in jvm::every_kafka() {
        let mut theirs = Conversation::with(&kafka, "speed");
        let mut bytes = |batches: i32| {
            let answer =
                theirs.ask(&json!({"op": "memory", "producers": 1_000, "batches": batches}));
            assert_eq!(answer["managers"], json!(100));
            answer["bytes"].as_i64().expect("a number")
        };
        let (one, full) = (bytes(1), bytes(WINDOW));
        assert!(0 < one && one < full, "{one} and {full} bytes");
    }
}

#[test]
fn bad_commands_are_told() {
    for kafka in jvm::every_kafka() {
        let mut theirs = Conversation::with(&kafka, "speed");
        let round = r#"{"op":"round","stream":"turns","operations":10}"#;
        assert_eq!(
            theirs.say(round),
            json!({"bad": "first it has to be told to \"start\""})
        );
        theirs.ask(&json!({"op": "start", "producers": 2, "seed": 1}));
        for bad in [
            r#"{"op":"go"}"#,
            r#"{"op":"start","producers":0,"seed":1}"#,
            r#"{"op":"start","producers":2}"#,
            r#"{"op":"round","operations":10}"#,
            r#"{"op":"round","stream":"backwards","operations":10}"#,
            r#"{"op":"round","stream":"turns","operations":0}"#,
            r#"{"op":"memory","producers":2,"batches":6}"#,
        ] {
            let answer = theirs.say(bad);
            assert!(answer["bad"].is_string(), "{bad}: {answer}");
        }
        // Producers 0 and 1 write their sixth batches in turn, from offset 100 on.
        let answer = theirs.say(round);
        let last: i64 = (0..10).map(|batch| 109 + 10 * batch).sum();
        assert_eq!(answer["offsets"], Value::from(last), "{answer}");
    }
}

//! Commands that make no sense are answered `bad`, and what follows as if they had not been.

use serde_json::json;

use crate::conversation::Conversation;
use crate::jvm;

#[test]
fn bad_commands_are_told_and_change_nothing() {
    for kafka in jvm::every_kafka() {
        let mut log = Conversation::with(&kafka, "log");
        let too_early = log.say(r#"{"op":"roll"}"#);
        assert_eq!(
            too_early,
            json!({"bad": "first it has to be told to \"start\""})
        );
        log.ask(&json!({"op": "start"}));
        let batch = json!({"op": "append", "pid": 7, "epoch": 0, "seq": 0, "n": 2});
        let appended = json!({"append": [0, 1], "state": {"7": [0, 0, [[0, 1, 0, 1]]]}});
        assert_eq!(log.ask(&batch), appended);
        for bad in [
            "not JSON",
            "[]",
            r#"{"operation":"roll"}"#,
            r#"{"op":"rol"}"#,
            r#"{"op":"roll","now":1}"#,
            r#"{"op":"append","pid":7,"epoch":0,"seq":2,"n":0}"#,
            r#"{"op":"append","pid":7,"epoch":40000,"seq":2,"n":1}"#,
            r#"{"op":"append","pid":7,"epoch":0,"seq":2,"n":1,"fate":"dropped"}"#,
            r#"{"op":"append","pid":7,"epoch":0,"seq":2,"n":1,"ts":-5}"#,
            r#"{"op":"reload","mode":"slow"}"#,
            r#"{"op":"raw","hex":"0x"}"#,
            r#"{"op":"start","window":4}"#,
            r#"{"op":"start","profile":"hardened"}"#,
            r#"{"op":"start","timestamp_type":"Late"}"#,
        ] {
            let answer = log.say(bad);
            let reason = answer.get("bad").and_then(|reason| reason.as_str());
            assert!(reason.is_some_and(|it| !it.is_empty()), "{bad}: {answer}");
        }
        let duplicate = json!({"dup": [0, 1], "state": {"7": [0, 0, [[0, 1, 0, 1]]]}});
        assert_eq!(log.ask(&batch), duplicate);
    }
}

//! Programs as subjects: those that answer, and those that fail in all ways there are.

use std::time::Duration;

use retryproof::shadow::cases::{self, Outcome};
use retryproof::shadow::search::Search;
use retryproof::shadow::suite::{must_pass, Suite};
use retryproof::shadow::{Got, Process, StateManager, SubjectFailure};
use retryproof_models::specification::{Answer, Operation, Settings, State};

/// A shell program as a subject.
fn shell(program: &str) -> Process {
    let line = format!("sh -c '{program}'");
    let process = Process::of_command_line(&line).expect("a command line");
    process.with_patience(Duration::from_secs(1))
}

/// Answers the first line, then does this.
fn then(program: &str) -> Process {
    shell(&format!(r#"read line; echo "{{\"ok\":true}}"; {program}"#))
}

/// What comes of a roll after the start.
fn failure(mut subject: Process) -> String {
    subject.start(&Settings::kafka()).expect("it starts");
    let answer = subject.apply(&Operation::Roll);
    answer.expect_err("it fails").to_string()
}

#[test]
fn answers_and_states_are_read() {
    let answer = r#"read line; echo "{\"append\":[3,4],\"state\":{\"7\":[0,5,[[0,1,3,4]]]}}""#;
    let mut subject = then(answer);
    subject.start(&Settings::kafka()).expect("it starts");
    let batch = Operation::Plain { n: 2, ts: 0 };
    assert_eq!(subject.apply(&batch), Ok(Answer::Append(3, 4)));
    let state: State = serde_json::from_str(r#"{"7":[0,5,[[0,1,3,4]]]}"#).expect("a state");
    assert_eq!(subject.state(), Ok(Some(state)));
}

#[test]
fn without_a_state_only_answers_are_compared() {
    let mut subject = then(r#"while read line; do echo "{\"ok\":true}"; done"#);
    subject.start(&Settings::kafka()).expect("it starts");
    assert_eq!(subject.apply(&Operation::Roll), Ok(Answer::Ok));
    assert_eq!(subject.state(), Ok(None));
}

#[test]
fn what_it_does_not_support_is_left_out() {
    let start = r#"read line; echo "{\"ok\":true,\"supports\":[\"append\",\"plain\"]}""#;
    let mut subject = shell(start);
    subject.start(&Settings::kafka()).expect("it starts");
    let operations = crate::operations(
        r#"[{"op":"append","pid":1,"epoch":0,"seq":0,"n":1},{"op":"plain","n":1,"ts":0},
            {"op":"append","pid":1,"epoch":0,"seq":0,"n":1,"origin":"replica"},
            {"op":"append","pid":1,"epoch":0,"seq":0,"n":1,"fate":"dropped"},{"op":"roll"}]"#,
    );
    let supported: Vec<bool> = operations.iter().map(|it| subject.supports(it)).collect();
    assert_eq!(supported, [true, true, false, false, false]);
}

#[test]
fn single_fates_can_be_supported() {
    let supported = |names: &str| -> Vec<bool> {
        let mut subject = shell(&format!(
            r#"read line; echo "{{\"ok\":true,\"supports\":[\"append\",{names}]}}""#
        ));
        subject.start(&Settings::kafka()).expect("it starts");
        let fates = ["dropped", "crash_before_write", "crash_after_write"];
        let appends = fates.iter().map(|fate| {
            format!(r#"{{"op":"append","pid":1,"epoch":0,"seq":0,"n":1,"fate":"{fate}"}}"#)
        });
        let list = format!("[{}]", appends.collect::<Vec<_>>().join(","));
        let operations = crate::operations(&list);
        operations.iter().map(|it| subject.supports(it)).collect()
    };
    assert_eq!(supported(r#"\"fate\""#), [true, true, true]);
    assert_eq!(supported(r#"\"crash_before_write\""#), [false, true, false]);
    let both = r#"\"crash_before_write\",\"crash_after_write\""#;
    assert_eq!(supported(both), [false, true, true]);
    assert_eq!(supported(r#"\"replica\""#), [false, false, false]);
}

#[test]
fn one_that_dies_is_told_with_its_status_and_the_last_line() {
    let told = failure(then("read line; exit 3"));
    assert!(told.contains("it ended (exit status: 3)"), "{told}");
    assert!(
        told.contains(r#"the last line sent was {"op":"roll"}"#),
        "{told}"
    );
}

#[test]
fn garbage_is_told() {
    let told = failure(then("read line; echo Hello"));
    assert!(told.contains(r#"it answered "Hello"#), "{told}");
    let told = failure(then(r#"read line; echo "{\"appended\":[0,0]}""#));
    assert!(
        told.contains(r#"it answered {"appended":[0,0]}, which cannot be read"#),
        "{told}"
    );
}

#[test]
fn a_signal_is_told_by_its_name() {
    let told = failure(then("read line; kill -KILL $$"));
    assert!(told.contains("it ended (signal: 9"), "{told}");
}

#[test]
fn half_a_line_is_no_answer_though_it_could_be_read() {
    let half = r#"read line; printf "{\"ok\":true}"; exit 6"#;
    let told = failure(then(half));
    let wanted = r#"it ended (exit status: 6) in the middle of the line {"ok":true}; the last"#;
    assert!(told.contains(wanted), "{told}");
}

#[test]
fn one_that_closes_its_output_and_goes_on_did_not_end() {
    let told = failure(then("read line; exec >&-; exec sleep 60"));
    let wanted = r#"closed its input or output, and went on; the last line sent was {"op":"roll"}"#;
    assert!(told.contains(wanted), "{told}");
}

#[test]
fn a_line_that_cannot_be_read_is_told_with_the_last_one_sent() {
    let endless = r#"read line; exec tr "\0" x </dev/zero"#;
    let told = failure(then(endless));
    let wanted = r#"a line of more than 1 MiB; the last line sent was {"op":"roll"}"#;
    assert!(told.contains(wanted), "{told}");
}

#[test]
fn an_answer_that_comes_too_late_is_not_taken_for_the_next() {
    let place = tempfile::tempdir().expect("a directory");
    let mark = place.path().join("mark").display().to_string();
    // In its first life it answers too late, and wrongly.
    let late = format!(r#"test -e {mark} || {{ : > {mark}; sleep 2; echo "{{\"dup\":[7,7]}}"; }}"#);
    let rest = r#"while read line; do echo "{\"ok\":true}"; done"#;
    let mut subject = then(&format!(
        "read line; {late}; echo \"{{\\\"ok\\\":true}}\"; {rest}"
    ));
    subject.start(&Settings::kafka()).expect("it starts");
    let silent = subject.apply(&Operation::Roll).expect_err("late");
    assert!(matches!(silent, SubjectFailure::Silent { .. }), "{silent}");
    std::thread::sleep(Duration::from_secs(2));
    subject.start(&Settings::kafka()).expect("it starts anew");
    assert_eq!(subject.apply(&Operation::Roll), Ok(Answer::Ok));
    assert_eq!(subject.apply(&Operation::Snapshot), Ok(Answer::Ok));
}

#[test]
fn what_it_supports_counts_from_its_first_list_on() {
    let start = r#"read line; echo "{\"ok\":true,\"supports\":[\"roll\"]}""#;
    let rest = r#"while read line; do echo "{\"ok\":true}"; done"#;
    let case = |operation: &str| {
        let json = format!(r#"[{{"id":"one","ops":[{operation}],"expect":[{{"ok":true}}]}}]"#);
        cases::read("cases", &json).expect("a case").remove(0)
    };
    for (operation, outcome) in [
        (
            r#"{"op":"snapshot"}"#,
            Outcome::LeftOut(Operation::Snapshot),
        ),
        (r#"{"op":"roll"}"#, Outcome::Walked(Vec::new())),
    ] {
        let mut subject = shell(&format!("{start}; {rest}"));
        let found = case(operation).run(&mut subject, &Settings::kafka());
        assert_eq!(found, Ok(outcome));
    }
}

#[test]
fn silence_is_told_after_a_while_and_not_shrunk() {
    let mut subject = then("read line; exec sleep 60");
    let mut search = Search::new(&mut subject, &Settings::kafka());
    let walked = search.walk(0, || true).expect("it starts");
    let got = walked.difference.map(|difference| difference.got);
    let silent = SubjectFailure::Silent {
        seconds: 1,
        sent: serde_json::to_string(&walked.operations[0]).expect("JSON"),
    };
    assert_eq!(got, Some(Got::Failed { failed: silent }));
}

#[test]
fn one_that_is_not_there_or_dies_at_once_is_not_started() {
    for line in [
        "/no/such/program",
        "sh -c 'exit 1'",
        "sh -c 'read line; echo ?'",
    ] {
        let mut subject = Process::of_command_line(line).expect("a command line");
        let failure = subject.start(&Settings::kafka()).expect_err("not started");
        assert!(
            matches!(failure, SubjectFailure::NotStarted(_)),
            "{failure:?}"
        );
    }
}

#[test]
fn one_that_does_not_say_that_it_began_is_not_started() {
    for answer in [r#"{\"bad\":\"no such window\"}"#, "[]"] {
        let mut subject = shell(&format!(r#"read line; echo "{answer}"; read line"#));
        let failure = subject.start(&Settings::kafka());
        assert!(
            matches!(failure, Err(SubjectFailure::NotStarted(_))),
            "{answer}: {failure:?}"
        );
    }
}

#[test]
#[should_panic(expected = "skipped, because the subject supports none of them")]
fn one_that_supports_nothing_does_not_pass_the_suite() {
    let supports_nothing =
        r#"read line; while true; do echo "{\"ok\":true,\"supports\":[]}"; read line; done"#;
    let mut subject = shell(supports_nothing);
    must_pass(Suite::default().lists(3).drawn_lists(&mut subject));
}

#[test]
fn one_that_cannot_be_started_later_is_a_difference() {
    let place = tempfile::tempdir().expect("a directory");
    let mark = place.path().join("mark").display().to_string();
    // It answers wrongly once in each life, until it is gone.
    let start = r#"read line; echo "{\"ok\":true,\"supports\":[\"plain\",\"roll\"]}""#;
    let roll = r#"read line; echo "{\"dup\":[7,7]}"; read line"#;
    let mut subject = shell(&format!("test -e {mark} && exit 5; {start}; {roll}"));
    let mut search = Search::new(&mut subject, &Settings::kafka());
    let mut walked = |seed| {
        search
            .walk(seed, || false)
            .expect("no failure of the first start")
    };
    let first = walked(0).difference.expect("a difference");
    assert!(matches!(first.got, Got::Answered(_)), "{first:?}");
    std::fs::write(&mark, "").expect("a mark");
    let failed = (1..9).find_map(|seed| walked(seed).difference);
    let failed = failed.expect("a difference");
    assert_eq!(failed.step, 0);
    assert!(failed.case.starts_with("seed "));
    let Got::Failed { failed } = failed.got else {
        panic!("{failed:?}");
    };
    assert!(matches!(failed, SubjectFailure::NotStarted(_)), "{failed}");
}

#[test]
fn one_that_failed_is_started_anew() {
    let mut subject = then("read line; exit 3");
    for _ in 0..2 {
        subject.start(&Settings::kafka()).expect("it starts");
        subject.apply(&Operation::Roll).expect_err("it fails");
    }
}

#[test]
fn command_lines_are_split_as_shells_do() {
    let name = |line| Process::of_command_line(line).map(|process| process.name());
    assert_eq!(
        name("java -jar 'my broker.jar'").as_deref(),
        Some("java -jar my broker.jar")
    );
    assert_eq!(name("java 'x"), None);
    assert_eq!(name("  "), None);
}

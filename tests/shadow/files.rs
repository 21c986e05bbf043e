//! Files of cases: both forms, and what is said about those that cannot be read.

use retryproof::shadow::cases::{self, Outcome};
use retryproof::shadow::{Got, ProductionManager};
use retryproof_models::specification::{Answer, Settings};

const CASE: &str = r#"{"id":"A","ops":[{"op":"append","pid":1,"epoch":0,"seq":0,"n":2}],"expect":[{"append":[0,1]}]}"#;

fn refused(text: &str) -> String {
    cases::read("my.json", text)
        .expect_err("refused")
        .to_string()
}

#[test]
fn an_array_and_lines_are_told_by_their_first_character() {
    let array = cases::read("my.json", &format!("\n [{CASE},\n{CASE}]")).expect("cases");
    let lines = cases::read("my.jsonl", &format!("{CASE}\n\n{CASE}\n")).expect("cases");
    assert_eq!(array, lines);
    assert_eq!(array.len(), 2);
    assert_eq!(array[0].answers, [Answer::Append(0, 1)]);
}

#[test]
fn what_is_wrong_is_said_with_file_line_and_what_to_do() {
    for nothing in [" \n", "[]"] {
        let told = refused(nothing);
        assert!(told.starts_with("my.json holds no case: give a JSON array"));
    }
    let cut = refused(&format!("{CASE}\n{}", &CASE[..40]));
    assert!(cut.starts_with("my.json, line 2: EOF"), "{cut}");
    let operation = CASE.replace("append\",\"pid", "apend\",\"pid");
    let unknown = refused(&format!("[\n{operation}\n]"));
    assert!(
        unknown.starts_with("my.json, line 2: unknown variant `apend`"),
        "{unknown}"
    );
    let no_answers = refused(&CASE.replace("expect", "expected"));
    assert!(
        no_answers.contains("missing field `answers`"),
        "{no_answers}"
    );
    assert!(
        no_answers.contains("each with \"id\", \"ops\""),
        "{no_answers}"
    );
}

#[test]
fn a_case_has_an_answer_and_a_state_for_each_operation() {
    let answers = refused(&CASE.replace(r#"[{"append":[0,1]}]"#, "[]"));
    assert!(
        answers.starts_with("my.json, case A: 1 operations, but 0 answers"),
        "{answers}"
    );
    let states = refused(&CASE.replace(r#""expect""#, r#""state":[{},{}],"expect""#));
    assert!(states.contains("but 2 states"), "{states}");
}

#[test]
fn a_case_that_cannot_be_walked_is_named() {
    let expiry = refused(&CASE.replace(r#""ops""#, r#""expiry_ms":-1,"ops""#));
    let wanted = r#"my.json, case A: "expiry_ms" is -1: give 1 or more"#;
    assert_eq!(expiry, wanted);
    let nothing = refused(r#"{"id":"A","ops":[],"expect":[]}"#);
    assert_eq!(nothing, "my.json, case A: no operations: give at least one");
}

#[test]
fn a_step_that_makes_no_sense_ends_the_case_with_the_reason() {
    let case = CASE
        .replace(
            r#""n":2}]"#,
            r#""n":2},{"op":"truncate","to":1},{"op":"roll"}]"#,
        )
        .replace(r#"[0,1]}]"#, r#"[0,1]},{"ok":true},{"ok":true}]"#);
    let case = &cases::read("my.json", &case).expect("a case")[0];
    let outcome = case.run(&mut ProductionManager::default(), &Settings::kafka());
    let Ok(Outcome::Walked(differences)) = outcome else {
        panic!("{outcome:?}");
    };
    let [only] = &differences[..] else {
        panic!("{differences:?}");
    };
    let Got::Failed { failed } = &only.got else {
        panic!("{only:?}");
    };
    assert_eq!(only.step, 1);
    assert!(failed.to_string().contains("no batch starts at offset 1"));
}

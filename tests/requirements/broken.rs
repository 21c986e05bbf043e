//! Each thing that can be wrong is noticed, on a broken copy of the file.

use retryproof::evidence::requirements::{faults, read, Carrier, Fault};

use crate::checkout;

const OURS: &str = include_str!("../../docs/requirements.toml");

/// What is wrong with the file if requirements are added, in a section X of their own.
fn with(requirements: &str) -> Vec<Fault> {
    let section = format!("\n[[section]]\nid = \"X\"\ntitle = \"A copy\"\n{requirements}");
    let read = read(&format!("{OURS}{section}")).expect("a file of requirements");
    faults(&read, checkout::has)
}

fn requirement(rest: &str) -> String {
    format!(
        "[[section.requirement]]\nid = \"X.1\"\nstatement = \"It is so.\"\nsource = \"X\"\n{rest}\n"
    )
}

fn id() -> String {
    "X.1".to_owned()
}

#[test]
fn a_good_one_is_taken() {
    for good in [
        r#"claims = ["in-flight-5"]"#,
        r#"properties = ["no-duplicate"]"#,
        r#"scenarios = ["dedup-against-plain"]"#,
        r#"mutants = ["accepts-gaps"]"#,
        r#"tests = ["tests/requirements/broken.rs::a_good_one_is_taken"]"#,
        r#"documents = ["README.md"]"#,
        r#"exception = "It is no matter of ours.""#,
        "claims = [\"in-flight-5\"]\ncorrection = \"It is not so.\"",
    ] {
        assert_eq!(with(&requirement(good)), [], "{good}");
    }
}

#[test]
fn an_orphan_is_noticed() {
    assert_eq!(with(&requirement("")), [Fault::Orphan(id())]);
    assert_eq!(with(&requirement("claims = []")), [Fault::Orphan(id())]);
}

#[test]
fn an_exception_without_a_reason_is_noticed() {
    for blank in [r#"exception = """#, r#"exception = " ""#] {
        assert_eq!(with(&requirement(blank)), [Fault::WithoutReason(id())]);
    }
    let correction = "claims = [\"in-flight-5\"]\ncorrection = \"\"";
    assert_eq!(with(&requirement(correction)), [Fault::WithoutReason(id())]);
}

#[test]
fn an_exception_to_what_is_carried_is_noticed() {
    let both = "claims = [\"in-flight-5\"]\nexception = \"It is no matter of ours.\"";
    assert_eq!(with(&requirement(both)), [Fault::Excepted(id())]);
}

#[test]
fn a_correction_that_nothing_decides_is_noticed() {
    let told = "documents = [\"README.md\"]\ncorrection = \"It is not so.\"";
    assert_eq!(with(&requirement(told)), [Fault::Undecided(id())]);
}

#[test]
fn two_of_one_id_are_noticed() {
    let one = requirement(r#"claims = ["in-flight-5"]"#);
    assert_eq!(with(&format!("{one}{one}")), [Fault::Twice(id())]);
}

#[test]
fn an_id_of_another_section_is_noticed() {
    for elsewhere in ["Y.1", "X", "X.", "X.a", "X1", "S1.4x"] {
        let other = requirement(r#"claims = ["in-flight-5"]"#).replace("X.1", elsewhere);
        let fault = Fault::Elsewhere {
            id: elsewhere.to_owned(),
            section: "X".to_owned(),
        };
        assert_eq!(with(&other), [fault]);
    }
}

#[test]
fn an_empty_statement_is_noticed() {
    let one = requirement(r#"claims = ["in-flight-5"]"#);
    let blank = one.replace("It is so.", "");
    assert_eq!(with(&blank), [Fault::Empty(id())]);
    let nowhere = one.replace("source = \"X\"", "source = \"\"");
    assert_eq!(with(&nowhere), [Fault::Empty(id())]);
}

#[test]
fn what_there_is_not_is_noticed() {
    for (key, carrier, name) in [
        ("properties", Carrier::Property, "exactly-once"),
        ("claims", Carrier::Claim, "in-flight-50"),
        ("scenarios", Carrier::Scenario, "nobody-came"),
        ("mutants", Carrier::Mutant, "works"),
        (
            "tests",
            Carrier::Test,
            "tests/requirements/broken.rs::nothing",
        ),
        ("tests", Carrier::Test, "tests/requirements/broken.rs::with"),
        ("tests", Carrier::Test, "tests/nowhere.rs::nothing"),
        ("tests", Carrier::Test, "broken"),
        (
            "tests",
            Carrier::Test,
            "tests/conformance/rows/log.json::nothing",
        ),
        ("documents", Carrier::Document, "docs/nowhere.md"),
    ] {
        let fault = Fault::Unknown {
            id: id(),
            carrier,
            name: name.to_owned(),
        };
        let named = requirement(&format!("{key} = [{name:?}]"));
        assert_eq!(with(&named), [fault], "{key}");
    }
}

#[test]
fn another_form_is_not_read() {
    for (wrong, said) in [
        ("section = 1", "invalid type"),
        ("[[section]]\nid = \"X\"", "missing field `title`"),
        (
            "[[section]]\nid = \"X\"\ntitle = \"X\"\nnote = 1",
            "unknown field `note`",
        ),
        ("[[section", "TOML parse error"),
    ] {
        let error = read(wrong).expect_err(wrong).to_string();
        assert!(error.starts_with("not a file of requirements"), "{error}");
        assert!(error.contains(said), "{error}");
    }
    let misspelt = requirement("claim = [\"in-flight-5\"]");
    let text = format!("[[section]]\nid = \"X\"\ntitle = \"X\"\n{misspelt}");
    let error = read(&text).expect_err("a misspelt key").to_string();
    assert!(error.contains("unknown field `claim`"), "{error}");
}

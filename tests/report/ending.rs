//! How a report ends: what differs and what is unknown is written and said.

use std::time::SystemTime;

use retryproof::evidence::checked_claims::CheckedClaims;
use retryproof::evidence::kill_matrix::KillMatrix;
use retryproof::evidence::report::{forms, Asked, Material, Report, Times};
use retryproof_models::checking::{Limits, Silent, Verdict};
use retryproof_models::claims::{check_claims, registry, Tier};
use retryproof_models::mutants;

use crate::{fresh, read, report};

#[test]
fn what_is_unknown_is_written_and_said() {
    let directory = fresh("unknown");
    let output = report(&directory, "strict-1-1", &["--max-states", "5"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("? 0 claims as expected, 0 not, 1 unknown"),
        "{said}"
    );
    let page = read(&directory, "index.html");
    assert!(page.contains("the verdict is unknown, because a search was cut"));
    assert!(page.contains("<strong>Unknown:</strong> <a href=\"#claim-strict-1-1\">"));
    let document = read(&directory, "README.md");
    assert!(document.contains("**Unknown:** strict-1-1."));
}

/// The files of a report on one claim, of which a wrong verdict is found.
fn files_of_a_claim_that_differs() -> Vec<forms::File> {
    let claim = registry().iter().find(|claim| claim.id == "strict-1-1");
    let claims = [claim.expect("a claim")];
    let mut outcomes = check_claims(&claims, &Limits::default(), &Silent, |_| {});
    outcomes[0].verdict = Verdict::Refuted;
    let mutant = mutants::try_out(&mutants::ALL[0], &Limits::default(), &Silent);
    let report = Report::new(Material {
        checked: &CheckedClaims {
            outcomes,
            ..CheckedClaims::default()
        },
        asked: Asked {
            tiers: &[Tier::Quick],
            names: vec!["strict-1-1".to_owned()],
        },
        mutants: &KillMatrix {
            trials: vec![mutant],
            not_tried: Vec::new(),
        },
        fixes: &[],
        times: Times::new(SystemTime::now(), 1, [0.0; 3]),
    });
    forms::files(&report).expect("every form")
}

#[test]
fn what_differs_is_said_on_the_title_page_of_every_form() {
    let files = files_of_a_claim_that_differs();
    let of = |name: &str| {
        let file = files.iter().find(|file| file.name == name);
        file.map_or("", |file| file.contents.as_str())
    };
    for (form, part) in [
        (forms::HTML, "✗ 0 of 1 claim are as expected."),
        (
            forms::HTML,
            "<strong>Not as expected, A5:</strong> <a href=\"#claim-strict-1-1\">",
        ),
        (forms::MARKDOWN, "✗ **0 of 1 claim as expected**"),
        (forms::MARKDOWN, "**Not as expected, A5:** strict-1-1."),
        (forms::JSON, "\"ending\": \"differs\""),
    ] {
        assert!(of(form).contains(part), "no {part} in {form}");
    }
}

#[test]
#[cfg(unix)]
fn a_report_that_is_stopped_writes_nothing() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let directory = fresh("stopped");
    let child = crate::command(&directory, "A3", &["--tier", "deep"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("a signal").success());
    let output = child.wait_with_output().expect("the command ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("? Stopped: nothing was written."), "{said}");
    assert!(!directory.exists());
}

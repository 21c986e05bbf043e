//! The file of this suite.

use std::collections::BTreeSet;

use retryproof::evidence::requirements::{faults, Carrier, Requirements};
use retryproof_models::claims::{registry, QUESTIONS};
use retryproof_properties::PropertyId;

use crate::checkout;

/// The statements of the three public texts: how many each has.
const PUBLIC_TEXTS: [(&str, usize); 3] = [("S1", 12), ("S2", 9), ("S3", 6)];

#[test]
fn nothing_is_wrong_with_it() {
    let faults = faults(Requirements::ours(), checkout::has);
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn every_statement_of_the_public_texts_is_there() {
    let ids: BTreeSet<&str> = Requirements::ours()
        .all()
        .map(|it| it.id.as_str())
        .collect();
    for (text, count) in PUBLIC_TEXTS {
        for number in 1..=count {
            let id = format!("{text}.{number}");
            assert!(ids.contains(id.as_str()), "{id} is missing");
        }
    }
}

#[test]
fn every_property_carries_one() {
    let carrying = Requirements::ours().names(Carrier::Property);
    for property in PropertyId::ALL {
        assert!(carrying.contains(property.id()), "{property}");
    }
}

#[test]
fn of_every_question_a_claim_carries_one() {
    let carrying = Requirements::ours().names(Carrier::Claim);
    // What would close the holes, and what the museum shows, is stated by no source.
    for question in QUESTIONS.iter().filter(|it| it.id != "C") {
        let mut claims = registry().iter();
        let is_carried = claims
            .any(|claim| claim.question == question.id && carrying.contains(claim.id.as_str()));
        assert!(is_carried, "{} {}", question.id, question.words);
    }
}

/// Properties and claims cite statements of the public texts by their ids.
#[test]
fn what_properties_and_claims_cite_is_there() {
    let ids: BTreeSet<&str> = Requirements::ours()
        .all()
        .map(|it| it.id.as_str())
        .collect();
    let properties = PropertyId::ALL.iter().map(|property| property.source());
    let claims = registry().iter().map(|claim| claim.source);
    let mut cited = 0;
    for source in properties.chain(claims) {
        for mark in source
            .split([' ', ',', ';', '(', ')'])
            .filter(|it| is_mark(it))
        {
            assert!(ids.contains(mark), "{mark}, cited in {source:?}");
            cited += 1;
        }
    }
    assert!(cited > PropertyId::ALL.len(), "only {cited} were cited");
}

/// Whether a word is the id of a statement of a public text.
fn is_mark(word: &str) -> bool {
    let of = |text: &str| word.strip_prefix(text).and_then(|it| it.strip_prefix('.'));
    PUBLIC_TEXTS
        .iter()
        .any(|(text, _)| of(text).is_some_and(|number| number.parse::<usize>().is_ok()))
}

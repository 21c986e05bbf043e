//! What is wrong with requirements.

use std::collections::BTreeSet;

use thiserror::Error;

use super::{Carrier, Requirement, Requirements};

/// What is wrong with a requirement.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// Two have one id.
    #[error("{0}: there are two requirements of this id")]
    Twice(String),
    /// Its id is not one of its section.
    #[error("{id}: in section {section}, ids are {section}.1, {section}.2 and so on")]
    Elsewhere {
        /// Its id.
        id: String,
        /// The section it stands in.
        section: String,
    },
    /// It has no statement or no source.
    #[error("{0}: the statement or the source is empty")]
    Empty(String),
    /// Nothing carries it, and no exception says why.
    #[error("{0}: nothing carries it; name what does, or say in an exception why nothing does")]
    Orphan(String),
    /// It has an exception or a correction that says nothing.
    #[error("{0}: an exception and a correction need words")]
    WithoutReason(String),
    /// It has an exception although something carries it.
    #[error("{0}: it has an exception although something carries it; is it a correction?")]
    Excepted(String),
    /// It has a correction, and neither a claim nor a scenario nor a test decides.
    #[error("{0}: a correction needs a claim, a scenario or a test that decides")]
    Undecided(String),
    /// It names something that there is not.
    #[error("{id}: there is no {carrier} {name:?}")]
    Unknown {
        /// Its id.
        id: String,
        /// The kind of what it names.
        carrier: Carrier,
        /// The name.
        name: String,
    },
}

/// All that is wrong with requirements; `in_checkout` says whether there is a test or document
/// of a name.
pub fn faults(
    requirements: &Requirements,
    in_checkout: impl Fn(Carrier, &str) -> bool,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut ids = BTreeSet::new();
    for section in &requirements.sections {
        for requirement in &section.requirements {
            let id = requirement.id.clone();
            if !ids.insert(requirement.id.as_str()) {
                faults.push(Fault::Twice(id.clone()));
            }
            if !is_of(&id, &section.id) {
                let section = section.id.clone();
                faults.push(Fault::Elsewhere { id, section });
            }
            faults.extend(words(requirement));
            faults.extend(unknown(requirement, &in_checkout));
        }
    }
    faults
}

/// Whether an id is that of the section, a dot and a number.
fn is_of(id: &str, section: &str) -> bool {
    let number = id.strip_prefix(section).and_then(|it| it.strip_prefix('.'));
    number.is_some_and(|number| number.parse::<u16>().is_ok())
}

/// What is wrong with what it says, and with what it leaves out.
fn words(requirement: &Requirement) -> impl Iterator<Item = Fault> {
    let id = || requirement.id.clone();
    let is_blank = |text: &str| text.trim().is_empty();
    let is_carried = requirement.carried_by().next().is_some();
    let is_decided = requirement
        .carried_by()
        .any(|(carrier, _)| matches!(carrier, Carrier::Claim | Carrier::Scenario | Carrier::Test));
    let reasons = [&requirement.exception, &requirement.correction];
    [
        (is_blank(&requirement.statement) || is_blank(&requirement.source))
            .then(|| Fault::Empty(id())),
        (!is_carried && requirement.exception.is_none()).then(|| Fault::Orphan(id())),
        (is_carried && requirement.exception.is_some()).then(|| Fault::Excepted(id())),
        (requirement.correction.is_some() && !is_decided).then(|| Fault::Undecided(id())),
        reasons
            .iter()
            .any(|reason| reason.as_deref().is_some_and(is_blank))
            .then(|| Fault::WithoutReason(id())),
    ]
    .into_iter()
    .flatten()
}

/// What it names and there is not.
fn unknown<'a>(
    requirement: &'a Requirement,
    in_checkout: &'a impl Fn(Carrier, &str) -> bool,
) -> impl Iterator<Item = Fault> + 'a {
    let is_there = move |carrier: Carrier, name: &str| match carrier.registered() {
        Some(names) => names.contains(name),
        None => in_checkout(carrier, name),
    };
    requirement
        .carried_by()
        .filter(move |(carrier, name)| !is_there(*carrier, name))
        .map(|(carrier, name)| Fault::Unknown {
            id: requirement.id.clone(),
            carrier,
            name: name.to_owned(),
        })
}

//! What the sources state, and what of the suite carries each statement:
//! `docs/requirements.toml`.
//!
//! Reading says whether a file has the form of one; [`faults`] says what is wrong with what
//! stands in it. The names of properties, claims, scenarios and mutants are in the registries;
//! whether a test or a document exists only a checkout can say, so that question is asked of
//! the caller.

mod carrier;
mod faults;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use carrier::Carrier;
pub use faults::{faults, Fault};

/// A statement of a source, in our words, and what carries it.
///
/// Either something carries it, or `exception` says why nothing does.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Stable id: the id of its section, a dot and a number, as in S1.4.
    pub id: String,
    /// What the source states, in our words.
    pub statement: String,
    /// Where it states it.
    pub source: String,
    /// Ids of properties.
    #[serde(default)]
    pub properties: Vec<String>,
    /// Ids of claims.
    #[serde(default)]
    pub claims: Vec<String>,
    /// Names of scenarios.
    #[serde(default)]
    pub scenarios: Vec<String>,
    /// Ids of mutants: rules and clients of which exactly this is wrong.
    #[serde(default)]
    pub mutants: Vec<String>,
    /// Tests, as `path::name`; of a conformance row, the path of its file.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Documents, as paths from the root of the repository.
    #[serde(default)]
    pub documents: Vec<String>,
    /// In what the statement is not true of Apache Kafka, or is contradicted by another; what
    /// carries it decides.
    pub correction: Option<String>,
    /// Why nothing carries it.
    pub exception: Option<String>,
}

/// The statements of one source.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// What the ids of its statements begin with, as in S1.
    pub id: String,
    /// What the source is.
    pub title: String,
    /// Its statements.
    #[serde(rename = "requirement", default)]
    pub requirements: Vec<Requirement>,
}

/// A file of requirements.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Requirements {
    /// Its sections, in the order of the file.
    #[serde(rename = "section")]
    pub sections: Vec<Section>,
}

/// The text is no file of requirements.
#[derive(Debug, Error)]
#[error("not a file of requirements: {0}")]
pub struct Unreadable(#[from] toml::de::Error);

impl Requirement {
    /// All that carries it: of what kind, and by which name.
    pub fn carried_by(&self) -> impl Iterator<Item = (Carrier, &str)> {
        Carrier::ALL.iter().flat_map(move |carrier| {
            let names = carrier.names_in(self).iter();
            names.map(move |name| (*carrier, name.as_str()))
        })
    }
}

impl Requirements {
    /// Those of this suite.
    ///
    /// # Panics
    /// If the file that was compiled in cannot be read.
    pub fn ours() -> &'static Requirements {
        static OURS: LazyLock<Requirements> = LazyLock::new(|| {
            let read = read(include_str!("../../docs/requirements.toml"));
            read.unwrap_or_else(|error| panic!("docs/requirements.toml: {error}"))
        });
        &OURS
    }

    /// All requirements, in the order of the file.
    pub fn all(&self) -> impl Iterator<Item = &Requirement> {
        self.sections
            .iter()
            .flat_map(|section| section.requirements.iter())
    }

    /// The names of one kind that carry a requirement.
    pub fn names(&self, carrier: Carrier) -> BTreeSet<&str> {
        self.all()
            .flat_map(|requirement| carrier.names_in(requirement))
            .map(String::as_str)
            .collect()
    }
}

/// Reads a file of requirements.
///
/// # Errors
/// If it is not TOML, or not of this form: a key that there is not, one that is missing.
pub fn read(text: &str) -> Result<Requirements, Unreadable> {
    Ok(toml::from_str(text)?)
}

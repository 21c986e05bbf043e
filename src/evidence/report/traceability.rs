//! What the sources state, and what carries each statement.

use serde::Serialize;

use crate::evidence::requirements::{Carrier, Requirement, Requirements};

/// The statements of one source.
#[derive(Serialize)]
pub(super) struct Source {
    id: &'static str,
    title: &'static str,
    statements: Vec<Statement>,
}

#[derive(Serialize)]
struct Statement {
    id: &'static str,
    statement: &'static str,
    source: &'static str,
    carried_by: Vec<CarriedBy>,
    /// In what it is not true of Apache Kafka.
    correction: Option<&'static str>,
    /// Why nothing carries it.
    exception: Option<&'static str>,
}

/// Something that carries a statement.
#[derive(Serialize)]
struct CarriedBy {
    kind: String,
    name: &'static str,
    /// The place in this report that tells of it, if one does.
    place: Option<String>,
}

/// All sources. These claims have a place in the report.
pub(super) fn sources(claims: &[&str]) -> Vec<Source> {
    let sections = Requirements::ours().sections.iter();
    sections
        .map(|section| Source {
            id: &section.id,
            title: &section.title,
            statements: section
                .requirements
                .iter()
                .map(|requirement| Statement::new(requirement, claims))
                .collect(),
        })
        .collect()
}

impl Statement {
    fn new(requirement: &'static Requirement, claims: &[&str]) -> Self {
        let place = |carrier: Carrier, name: &str| match carrier {
            Carrier::Property => Some(format!("property-{name}")),
            Carrier::Claim => claims.contains(&name).then(|| format!("claim-{name}")),
            Carrier::Scenario | Carrier::Mutant | Carrier::Test | Carrier::Document => None,
        };
        let carriers = requirement.carried_by();
        Statement {
            id: &requirement.id,
            statement: &requirement.statement,
            source: &requirement.source,
            carried_by: carriers
                .map(|(carrier, name)| CarriedBy {
                    kind: carrier.to_string(),
                    name,
                    place: place(carrier, name),
                })
                .collect(),
            correction: requirement.correction.as_deref(),
            exception: requirement.exception.as_deref(),
        }
    }
}

//! The evidence of one run, to be cited: which claims hold and which do not, with the runs that
//! refute them, and what was not looked at.
//!
//! A [`Report`] is data. As JSON it is written as it is (`docs/report.schema.json` describes it);
//! the HTML and the Markdown form are templates over the same data ([`forms`]).
//!
//! Two runs of one commit give the same bytes, but for lines that are marked as times: in JSON
//! those whose key begins with `time_`, in HTML those with the attribute `data-time`, in
//! Markdown those that end with `<!-- time -->`.

mod ablation;
mod claims;
mod coverage;
mod filters;
pub mod forms;
mod frontier;
mod limits;
mod machine;
mod replayed;
mod runs;
mod title;
mod traceability;
mod verdicts;

use retryproof_models::claims::Tier;
use retryproof_models::fixes::{Fix, Lattice};
use retryproof_properties::PropertyId;
use serde::Serialize;

use super::checked_claims::CheckedClaims;
use super::json;
use super::kill_matrix::KillMatrix;

use ablation::Condition;
use claims::{Claim, Question};
use coverage::Coverage;
use frontier::Frontier;
use limits::Limits;
use runs::{Runs, Told};
use title::Title;
use traceability::Source;

pub use title::{Asked, Times};

/// The shape of the JSON form. It changes only if a key goes or means something else.
const SHAPE: &str = "retryproof-report/1";

/// What a report is made from.
pub struct Material<'a> {
    /// The claims.
    pub checked: &'a CheckedClaims,
    /// Which claims were asked for.
    pub asked: Asked,
    /// What became of all mutants.
    pub mutants: &'a KillMatrix,
    /// What became of the fixes, for each disturbance whose worlds were exhausted.
    pub fixes: &'a [Lattice],
    /// When, where and how long.
    pub times: Times,
}

/// The evidence of one run.
#[derive(Serialize)]
pub struct Report {
    shape: &'static str,
    title: Title,
    times: Times,
    properties: Vec<Property>,
    questions: Vec<Question>,
    claims: Vec<Claim>,
    runs: Vec<Told>,
    frontiers: Vec<Frontier>,
    fixes: Vec<NamedFix>,
    conditions: Vec<Condition>,
    kill_matrix: json::Trials,
    coverage: Coverage,
    limits: Limits,
    traceability: Vec<Source>,
}

#[derive(Serialize)]
struct Property {
    id: &'static str,
    statement: &'static str,
    source: &'static str,
}

/// A fix, and the letter by which the table of conditions calls it.
#[derive(Serialize)]
struct NamedFix {
    letter: char,
    name: &'static str,
}

impl Report {
    /// The report of a run.
    pub fn new(material: Material<'_>) -> Self {
        let Material {
            checked,
            asked,
            mutants,
            fixes,
            times,
        } = material;
        let mut runs = Runs::default();
        let claims = checked.outcomes.iter();
        let claims: Vec<Claim> = claims.map(|told| Claim::new(told, &mut runs)).collect();
        let ids = checked.outcomes.iter().map(|told| told.claim.id.as_str());
        let ids: Vec<&str> = ids.collect();
        Report {
            shape: SHAPE,
            title: Title::new(&asked, checked, mutants),
            times,
            properties: PropertyId::ALL.iter().map(Property::from).collect(),
            questions: claims::questions(&checked.outcomes),
            claims,
            runs: runs.told,
            frontiers: frontier::frontiers(&checked.outcomes),
            fixes: Fix::ALL.iter().map(NamedFix::from).collect(),
            conditions: ablation::conditions(&checked.outcomes, fixes),
            kill_matrix: json::Trials::new(mutants),
            coverage: Coverage::of(&checked.outcomes),
            limits: Limits::of(checked),
            traceability: traceability::sources(&ids),
        }
    }
}

impl From<&PropertyId> for Property {
    fn from(property: &PropertyId) -> Self {
        Property {
            id: property.id(),
            statement: property.statement(),
            source: property.source(),
        }
    }
}

impl From<&Fix> for NamedFix {
    fn from(fix: &Fix) -> Self {
        NamedFix {
            letter: fix.letter(),
            name: fix.name(),
        }
    }
}

/// The tiers that were run, in a word.
fn tier(tiers: &[Tier]) -> &'static str {
    match tiers {
        [tier] => tier.name(),
        _ => "all",
    }
}

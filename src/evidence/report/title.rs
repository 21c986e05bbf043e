//! The title page: what was run, of which commit, when and where.

use std::time::SystemTime;

use retryproof_models::checking::Verdict;
use retryproof_models::claims::Tier;
use serde::Serialize;
use time::format_description::well_known::Rfc3339;
use time::OffsetDateTime;

use super::machine;
use crate::evidence::checked_claims::CheckedClaims;
use crate::evidence::kill_matrix::KillMatrix;

/// The commit that the program is built from, or "unknown".
const COMMIT: &str = env!("RETRYPROOF_COMMIT");
/// Whether what it is built from differs from the commit: "clean", "changed" or "unknown".
const TREE: &str = env!("RETRYPROOF_TREE");

/// Which claims were asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The tiers.
    pub tiers: &'static [Tier],
    /// Ids, parts of ids or questions; empty for all claims of the tiers.
    pub names: Vec<String>,
}

/// What was run, and what came of it.
#[derive(Serialize)]
pub(super) struct Title {
    version: &'static str,
    commit: &'static str,
    tree: &'static str,
    tier: &'static str,
    named: Vec<String>,
    ending: &'static str,
    claims: usize,
    holds: usize,
    refuted: usize,
    unknown: usize,
    as_expected: usize,
    mutants: usize,
    mutants_caught: usize,
}

impl Title {
    pub fn new(asked: &Asked, checked: &CheckedClaims, mutants: &KillMatrix) -> Self {
        let count = |verdict: Verdict| {
            let outcomes = checked.outcomes.iter();
            outcomes.filter(|told| told.verdict == verdict).count()
        };
        let differs = checked.differing().next().is_some() || !mutants.catches_all();
        let ending = match differs {
            true => "differs",
            false if checked.as_expected() && mutants.not_tried.is_empty() => "as expected",
            false => "unknown",
        };
        Title {
            version: env!("CARGO_PKG_VERSION"),
            commit: COMMIT,
            tree: TREE,
            tier: super::tier(asked.tiers),
            named: asked.names.clone(),
            ending,
            claims: checked.outcomes.len(),
            holds: count(Verdict::Holds),
            refuted: count(Verdict::Refuted),
            unknown: count(Verdict::Unknown),
            as_expected: checked.expected().count(),
            mutants: mutants.trials.len(),
            mutants_caught: mutants.trials.len()
                - mutants.survivors().count()
                - mutants.missed().count(),
        }
    }
}

/// When a report was made, on which machine, and how many seconds its parts took.
#[derive(Clone, Debug, Serialize)]
pub struct Times {
    time_of_run: String,
    time_taken_on: String,
    time_of_claims: f64,
    time_of_mutants: f64,
    time_of_fixes: f64,
}

impl Times {
    /// A run that began then, on this machine, and took so many seconds for claims, mutants
    /// and fixes.
    pub fn new(began: SystemTime, threads: usize, [claims, mutants, fixes]: [f64; 3]) -> Self {
        let began = OffsetDateTime::from(began);
        let second = began.replace_nanosecond(0).unwrap_or(began);
        Times {
            // A year that has no four digits is none of this machine's time.
            time_of_run: second.format(&Rfc3339).unwrap_or_default(),
            time_taken_on: machine::describe(threads),
            time_of_claims: claims,
            time_of_mutants: mutants,
            time_of_fixes: fixes,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_date_is_in_utc_to_the_second() {
        let began = SystemTime::UNIX_EPOCH + Duration::from_millis(951_827_696_789);
        let times = Times::new(began, 2, [0.0; 3]);
        assert_eq!(times.time_of_run, "2000-02-29T12:34:56Z");
    }

    #[test]
    fn a_commit_is_known_with_its_tree_or_not_at_all() {
        match COMMIT {
            "unknown" => assert_eq!(TREE, "unknown"),
            commit => {
                assert!(commit.chars().all(|digit| digit.is_ascii_hexdigit()));
                assert!(["clean", "changed"].contains(&TREE), "{TREE}");
            }
        }
    }
}

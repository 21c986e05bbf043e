//! What came of a walk, which is also its JSON.

use std::collections::BTreeMap;

use retryproof_models::specification::{Operation, Profile, Settings};
use serde::Serialize;

use crate::cli::Ending;
use crate::shadow::{kind, Difference, Found};

/// What came of a walk.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// Who walked.
    pub(super) subject: String,
    /// Beside what.
    pub(super) profile: &'static str,
    /// Seed of the first list; `None` if cases were walked.
    pub(super) seed: Option<u64>,
    /// Lists or cases that were walked.
    pub(super) runs: usize,
    /// Operations of these.
    pub(super) operations: usize,
    /// Operations of each kind.
    pub(super) kinds: BTreeMap<&'static str, usize>,
    /// Cases with operations that the subject does not support.
    pub(super) left_out: Vec<String>,
    /// Whether it ended before the end.
    pub(super) cut: bool,
    pub(super) seconds: f64,
    /// What was different.
    pub(super) differences: Vec<Found>,
}

impl Report {
    /// Nothing came of it yet.
    pub(super) fn new(subject: String, settings: &Settings) -> Self {
        Report {
            subject,
            profile: match settings.profile {
                Profile::Kafka => "kafka",
                Profile::Hardened => "hardened",
            },
            seed: None,
            runs: 0,
            operations: 0,
            kinds: BTreeMap::new(),
            left_out: Vec::new(),
            cut: false,
            seconds: 0.0,
            differences: Vec::new(),
        }
    }

    /// One more list was walked.
    pub(super) fn count(&mut self, operations: &[Operation]) {
        self.runs += 1;
        self.operations += operations.len();
        for operation in operations {
            *self.kinds.entry(kind(operation)).or_default() += 1;
        }
    }

    /// One more difference was found.
    pub(super) fn add(&mut self, difference: Difference, operations: Vec<Operation>) {
        self.differences.push(Found {
            difference,
            operations,
        });
    }

    /// Whether all there was to walk was left out: then nothing was compared.
    pub(super) fn walked_nothing(&self) -> bool {
        self.operations == 0 && self.differences.is_empty() && !self.cut
    }

    /// How the command ends.
    pub(super) fn ending(&self) -> Ending {
        if !self.differences.is_empty() {
            Ending::Differs
        } else if self.cut {
            Ending::Unknown
        } else {
            Ending::AsExpected
        }
    }
}

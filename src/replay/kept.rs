//! Which runs were played on which releases, without what was answered: so much of the
//! recordings as the command line carries.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::recording::Recordings;

/// A run against a property of a claim that was played, and ended as in the model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Kept {
    /// The claim.
    pub claim: String,
    /// The property.
    pub property: String,
    /// The releases of Apache Kafka.
    pub kafka: Vec<String>,
}

/// The runs that were played. `tests/readme` holds them against the recordings.
pub static KEPT: LazyLock<Vec<Kept>> = LazyLock::new(|| {
    let lines = include_str!("kept.jsonl").lines();
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
});

impl Recordings {
    /// Which runs they are about, by claim and property.
    pub fn kept(&self) -> Vec<Kept> {
        let mut kept: Vec<Kept> = Vec::new();
        for recording in &self.0 {
            for refuted in &recording.refutes {
                kept.push(Kept {
                    claim: refuted.claim.clone(),
                    property: refuted.property.clone(),
                    kafka: recording.kafka.clone(),
                });
            }
        }
        kept.sort();
        kept.dedup_by(|later, first| {
            let is_same = (&later.claim, &later.property) == (&first.claim, &first.property);
            if is_same {
                first.kafka.append(&mut later.kafka);
                first.kafka.sort();
            }
            is_same
        });
        kept
    }
}

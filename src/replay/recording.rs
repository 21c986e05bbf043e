//! What the real client and log answered when a run was played on them, one run a line.

use serde::{Deserialize, Serialize};

use super::ask::Exchange;
use super::claims::Played;

/// The releases of Apache Kafka that runs are played on: those that `oracle/` is built for.
pub const RELEASES: [&str; 2] = ["4.3.1", "4.4.0"];

/// A run that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// The claims whose run it is, and the property that it violates.
    pub refutes: Vec<Refuted>,
    /// Steps of the first run with this exchange. Another may have steps besides of which the
    /// real client and log see nothing.
    pub steps: usize,
    /// The releases of Apache Kafka that gave these answers.
    pub kafka: Vec<String>,
    /// What was asked and answered.
    pub exchange: Exchange,
}

/// A property of a claim.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Refuted {
    /// The claim.
    pub claim: String,
    /// The property.
    pub property: String,
}

/// Recordings, one for each different exchange.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recordings(pub Vec<Recording>);

impl Recordings {
    /// Adds what a release answered in the run of a claim.
    pub fn add(&mut self, played: Played, release: &str) {
        let Played {
            refuted,
            steps,
            exchange,
            ..
        } = played;
        let known = self.0.iter_mut().find(|known| known.exchange == exchange);
        let recording = match known {
            Some(known) => known,
            None => {
                self.0.push(Recording {
                    refutes: Vec::new(),
                    steps,
                    kafka: Vec::new(),
                    exchange,
                });
                let last = self.0.len() - 1;
                &mut self.0[last]
            }
        };
        if !recording.refutes.contains(&refuted) {
            recording.refutes.push(refuted);
        }
        if !recording.kafka.iter().any(|known| known == release) {
            recording.kafka.push(release.to_owned());
        }
    }

    /// What a release answered in the run of a claim.
    pub fn of(&self, refuted: &Refuted, release: &str) -> Option<&Recording> {
        self.0.iter().find(|recording| {
            recording.refutes.contains(refuted)
                && recording.kafka.iter().any(|known| known == release)
        })
    }

    /// Reads lines of JSON.
    ///
    /// # Errors
    /// If one of them is no recording.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        let lines = text.lines().filter(|line| !line.is_empty());
        lines
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()
            .map(Recordings)
    }

    /// As lines of JSON.
    ///
    /// # Errors
    /// None that can come up with what [`Recordings::add`] adds.
    pub fn write(&self) -> serde_json::Result<String> {
        let mut text = String::new();
        for recording in &self.0 {
            text += &serde_json::to_string(recording)?;
            text.push('\n');
        }
        Ok(text)
    }
}

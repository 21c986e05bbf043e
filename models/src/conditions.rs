//! The conditions of a world: one field each, with the default that is the truth about
//! Apache Kafka 4.x. A claim names only what it changes.

use std::fmt;

use crate::broker::MAX_WINDOW;
use crate::network::{NetworkKind, MAX_CONNECTIONS};
use crate::policies::{Policy, JAVA_4, PLAIN};
use crate::rules::{Rule, KAFKA_4};

/// The most batches that a bounded world can send.
pub const MAX_BATCHES: u8 = 16;

/// How often something may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Budget {
    /// Without end.
    Any,
    /// At most this often.
    AtMost(u8),
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Any => f.write_str("any"),
            Budget::AtMost(n) => n.fmt(f),
        }
    }
}

/// What the broker knows of the producer at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProducerKnown {
    /// Nothing: a new producer id.
    New,
    /// One batch, appended and acknowledged.
    Known,
}

impl ProducerKnown {
    /// Name, as the command line takes it.
    pub fn name(self) -> &'static str {
        match self {
            ProducerKnown::New => "new",
            ProducerKnown::Known => "known",
        }
    }
}

/// The conditions of one world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// `max.in.flight.requests.per.connection`, 1 to 8.
    pub in_flight: u8,
    /// Batches that the broker remembers for each producer, 1 to 8.
    pub window: u8,
    /// The broker's rule.
    pub rule: &'static Rule,
    /// The client's policy.
    pub client: &'static Policy,
    /// How messages travel.
    pub network: NetworkKind,
    /// The live connection and how many dead ones may still deliver, 1 to 4.
    pub connections: u8,
    /// How many batches are sent. `Any` makes the claim one about runs of any length.
    pub batches: Budget,
    /// How often the connection breaks.
    pub disconnects: Budget,
    /// What the broker knows at the start.
    pub producer_state: ProducerKnown,
}

impl Conditions {
    /// The conditions under which Apache Kafka 4.x runs by default.
    pub const KAFKA: Conditions = Conditions {
        in_flight: 5,
        window: 5,
        rule: &KAFKA_4,
        client: &JAVA_4,
        network: NetworkKind::Session,
        connections: 3,
        batches: Budget::Any,
        disconnects: Budget::Any,
        producer_state: ProducerKnown::New,
    };

    /// Whether the verdict is about runs of any length.
    pub fn any_length(&self) -> bool {
        self.batches == Budget::Any
    }

    /// Batches that the broker of these conditions remembers.
    pub fn capacity(&self) -> usize {
        (self.rule.capacity)(self.window.into())
    }

    /// Refuses what cannot be or makes no sense.
    ///
    /// # Errors
    /// Says which condition is at fault and what to do.
    pub fn validate(&self) -> Result<(), Senseless> {
        let max = MAX_WINDOW as u8;
        within("in-flight", self.in_flight, 1, max)?;
        within("window", self.window, 1, max)?;
        within("connections", self.connections, 1, MAX_CONNECTIONS as u8)?;
        if let Budget::AtMost(batches) = self.batches {
            within("batches", batches, 1, MAX_BATCHES)?;
        }
        if let Budget::AtMost(disconnects) = self.disconnects {
            within("disconnects", disconnects, 0, 100)?;
        }
        self.validate_plain()?;
        self.validate_network()?;
        self.validate_length()
    }

    fn validate_plain(&self) -> Result<(), Senseless> {
        if self.client.idempotent {
            return Ok(());
        }
        let kafka = Conditions::KAFKA;
        let without_effect = [
            ("rule", self.rule != kafka.rule),
            ("window", self.window != kafka.window),
            (
                "producer-state",
                self.producer_state != kafka.producer_state,
            ),
        ];
        match without_effect.iter().find(|(_, changed)| *changed) {
            Some((condition, _)) => Err(Senseless::PlainHasNoSequences { condition }),
            None => Ok(()),
        }
    }

    fn validate_network(&self) -> Result<(), Senseless> {
        if self.network != NetworkKind::Session && self.connections == 1 {
            return Err(Senseless::NothingLeftOver {
                network: self.network.name(),
            });
        }
        if self.network == NetworkKind::Ordered && self.disconnects != Budget::Any {
            return Err(Senseless::HealingBounded);
        }
        Ok(())
    }

    fn validate_length(&self) -> Result<(), Senseless> {
        let mutant = [
            (!self.rule.any_length, self.rule.name),
            (!self.client.any_length, self.client.name),
        ];
        match mutant.iter().find(|(is_mutant, _)| *is_mutant) {
            Some((_, name)) if self.any_length() => Err(Senseless::MutantOfAnyLength { name }),
            _ => Ok(()),
        }
    }

    /// The conditions that differ from [`Conditions::KAFKA`], as flag and value.
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        self.all()
            .into_iter()
            .zip(Conditions::KAFKA.all())
            .filter(|(mine, kafka)| mine != kafka)
            .map(|(mine, _)| mine)
            .collect()
    }

    /// All conditions, as flag and value, in the order of the command line.
    pub fn all(&self) -> Vec<(&'static str, String)> {
        vec![
            ("in-flight", self.in_flight.to_string()),
            ("window", self.window.to_string()),
            ("rule", self.rule.name.to_owned()),
            ("client", self.client.name.to_owned()),
            ("network", self.network.name().to_owned()),
            ("connections", self.connections.to_string()),
            ("batches", self.batches.to_string()),
            ("disconnects", self.disconnects.to_string()),
            ("producer-state", self.producer_state.name().to_owned()),
        ]
    }

    /// The command-line flags that give these conditions.
    pub fn flags(&self) -> String {
        self.changed()
            .iter()
            .map(|(name, value)| format!("--{name} {value}"))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl fmt::Display for Conditions {
    /// The conditions in words: in-flight and window always, the rest where it differs
    /// from Apache Kafka 4.x.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.client == &PLAIN {
            write!(f, "{} in flight", self.in_flight)?;
        } else {
            write!(f, "{} in flight, window {}", self.in_flight, self.window)?;
        }
        for (name, value) in self.changed() {
            match name {
                "in-flight" | "window" => {}
                "rule" => write!(f, ", rule {value}")?,
                "client" => write!(f, ", client {value}")?,
                "network" => write!(f, ", {value} network")?,
                "connections" if value == "1" => f.write_str(", 1 connection")?,
                "batches" if value == "1" => f.write_str(", 1 batch")?,
                "disconnects" if value == "1" => f.write_str(", 1 disconnect")?,
                "connections" | "batches" | "disconnects" => write!(f, ", {value} {name}")?,
                _ => write!(f, ", producer {value} to the broker")?,
            }
        }
        Ok(())
    }
}

fn within(condition: &'static str, value: u8, min: u8, max: u8) -> Result<(), Senseless> {
    if (min..=max).contains(&value) {
        Ok(())
    } else {
        Err(Senseless::OutOfRange {
            condition,
            value,
            min,
            max,
        })
    }
}

/// Conditions that cannot be or make no sense together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Senseless {
    /// A number is out of range.
    #[error("--{condition} {value} is out of range: choose {min} to {max}")]
    OutOfRange {
        /// Flag.
        condition: &'static str,
        /// What was asked for.
        value: u8,
        /// Smallest possible value.
        min: u8,
        /// Largest possible value.
        max: u8,
    },
    /// The plain client sends no sequences.
    #[error(
        "--{condition} has no effect with --client plain, which sends no sequences: leave it out"
    )]
    PlainHasNoSequences {
        /// Flag.
        condition: &'static str,
    },
    /// A mutant whose requests must not be folded.
    #[error("{name} is a mutant and modelled in bounded runs only: add --batches 4, say")]
    MutantOfAnyLength {
        /// Rule or policy.
        name: &'static str,
    },
    /// On an ordered channel that loses single messages the timeout heals.
    #[error("--network ordered loses single messages and only timeouts heal that: leave --disconnects out")]
    HealingBounded,
    /// The network kind needs room for leftovers.
    #[error(
        "--network {network} keeps requests beyond a timeout: --connections must be 2 or more"
    )]
    NothingLeftOver {
        /// Network kind.
        network: &'static str,
    },
}

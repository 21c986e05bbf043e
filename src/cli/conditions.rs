//! The conditions of a world as flags. A flag that is not given leaves the value that is
//! there: of Apache Kafka 4.x, or of the claim that was named.

use clap::Args;

use retryproof_models::broker::MAX_WINDOW;
use retryproof_models::conditions::{Budget, Conditions, ProducerKnown, MAX_BATCHES};
use retryproof_models::network::MAX_CONNECTIONS;

use super::names::{self, Nearest};
use super::not_modelled::NotModelled;
use super::numbers::{budget, small};
use super::Refused;

/// The most disconnects that a budget can name.
const MAX_DISCONNECTS: u8 = 100;

/// In-flight limit and window.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Conditions (default: Apache Kafka 4.x)")]
pub struct SizeFlags {
    /// Requests in flight per connection (max.in.flight.requests.per.connection) [5]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_WINDOW as u8))]
    in_flight: Option<u8>,
    /// Batches that the broker remembers for each producer [5]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_WINDOW as u8))]
    window: Option<u8>,
}

/// All conditions but in-flight limit and window.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Conditions (default: Apache Kafka 4.x)")]
pub struct WorldFlags {
    /// The broker's rule, or a mutant of it [kafka-4]
    #[arg(long, value_name = "NAME")]
    rule: Option<String>,
    /// The client's policy, or a mutant of it [java-4]
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// How messages travel: session, ordered, unordered or duplicating [session]
    #[arg(long, value_name = "KIND")]
    network: Option<String>,
    /// The live connection and how many dead ones may still deliver [3]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_CONNECTIONS as u8))]
    connections: Option<u8>,
    /// How many batches are sent; "any": runs of any length [any]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(1, MAX_BATCHES))]
    batches: Option<Budget>,
    /// How often the connection may break [any]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(0, MAX_DISCONNECTS))]
    disconnects: Option<Budget>,
    /// What the broker knows of the producer at the start: new or known [new]
    #[arg(long, value_name = "STATE")]
    producer_state: Option<String>,
    #[command(flatten)]
    not_modelled: NotModelled,
}

impl SizeFlags {
    /// These conditions with the flags carried out.
    pub fn apply(&self, base: Conditions) -> Conditions {
        Conditions {
            in_flight: self.in_flight.unwrap_or(base.in_flight),
            window: self.window.unwrap_or(base.window),
            ..base
        }
    }
}

impl WorldFlags {
    /// These conditions with the flags carried out.
    ///
    /// # Errors
    /// If a name is not known, or the conditions make no sense together.
    pub fn apply(&self, base: Conditions) -> Result<Conditions, Refused> {
        let conditions = Conditions {
            rule: chosen(&self.rule, names::rule, base.rule)?,
            client: chosen(&self.client, names::client, base.client)?,
            network: chosen(&self.network, names::network, base.network)?,
            connections: self.connections.unwrap_or(base.connections),
            batches: self.batches.unwrap_or(base.batches),
            disconnects: self.disconnects.unwrap_or(base.disconnects),
            producer_state: chosen(&self.producer_state, producer_state, base.producer_state)?,
            ..base
        };
        conditions.validate()?;
        Ok(conditions)
    }
}

fn chosen<T>(
    name: &Option<String>,
    find: fn(&str) -> Result<T, Refused>,
    default: T,
) -> Result<T, Refused> {
    name.as_deref().map_or(Ok(default), find)
}

fn producer_state(name: &str) -> Result<ProducerKnown, Refused> {
    let states = [ProducerKnown::New, ProducerKnown::Known];
    match states.iter().find(|state| state.name() == name) {
        Some(state) => Ok(*state),
        None => Err(Refused::UnknownName {
            kind: "producer state",
            name: name.to_owned(),
            nearest: Nearest::to(name, states.map(ProducerKnown::name)),
        }),
    }
}

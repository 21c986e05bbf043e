//! Conditions in JSON.

use retryproof_models::conditions::{self, Budget};
use serde::{Serialize, Serializer};

/// The conditions of a world.
#[derive(Serialize)]
pub struct Conditions {
    in_flight: u8,
    window: u8,
    rule: &'static str,
    client: &'static str,
    network: &'static str,
    connections: u8,
    #[serde(serialize_with = "budget")]
    batches: Budget,
    #[serde(serialize_with = "budget")]
    disconnects: Budget,
    producer_state: &'static str,
}

impl From<&conditions::Conditions> for Conditions {
    fn from(conditions: &conditions::Conditions) -> Self {
        Conditions {
            in_flight: conditions.in_flight,
            window: conditions.window,
            rule: conditions.rule.name,
            client: conditions.client.name,
            network: conditions.network.name(),
            connections: conditions.connections,
            batches: conditions.batches,
            disconnects: conditions.disconnects,
            producer_state: conditions.producer_state.name(),
        }
    }
}

/// A number, or "any".
fn budget<S: Serializer>(budget: &Budget, serializer: S) -> Result<S::Ok, S::Error> {
    match budget {
        Budget::Any => serializer.serialize_str("any"),
        Budget::AtMost(most) => serializer.serialize_u8(*most),
    }
}

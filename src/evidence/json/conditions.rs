//! Conditions in JSON.

use retryproof_models::conditions::{self, Budget};
use serde::{Serialize, Serializer};

/// The conditions of a world, each under the name of its flag.
#[derive(Serialize)]
pub struct Conditions {
    in_flight: u8,
    in_flight_per: &'static str,
    window: u8,
    rule: &'static str,
    client: &'static str,
    network: &'static str,
    connections: u8,
    batches: Often,
    records_per_batch: u8,
    producers: u8,
    second_client: &'static str,
    producer_ids: &'static str,
    partitions: u8,
    brokers: u8,
    acks: &'static str,
    election: &'static str,
    replicas: &'static str,
    sequence_modulus: Option<u8>,
    max_epoch: Option<u8>,
    producer_state: &'static str,
    restart_keeps: &'static str,
    expiry: &'static str,
    validation: &'static str,
    append_order: &'static str,
    disconnects: Often,
    restarts: Often,
    leader_moves: Often,
    expiries: Often,
    refusals_before_append: Often,
    errors_after_append: Often,
    fatal_refusals: Often,
    delivery_timeouts: Often,
    cancellations: Often,
    append_failures: Often,
}

impl From<&conditions::Conditions> for Conditions {
    fn from(conditions: &conditions::Conditions) -> Self {
        Conditions {
            in_flight: conditions.in_flight,
            in_flight_per: conditions.in_flight_per.name(),
            window: conditions.window,
            rule: conditions.rule.name,
            client: conditions.client.name,
            network: conditions.network.name(),
            connections: conditions.connections,
            batches: Often(conditions.batches),
            records_per_batch: conditions.records_per_batch,
            producers: conditions.producers,
            second_client: conditions
                .second_client
                .map_or("same", |client| client.name),
            producer_ids: conditions.producer_ids.name(),
            partitions: conditions.partitions,
            brokers: conditions.brokers,
            acks: conditions.acks.name(),
            election: conditions.election.name(),
            replicas: conditions.replicas.name(),
            sequence_modulus: conditions.sequence_modulus,
            max_epoch: conditions.max_epoch,
            producer_state: conditions.producer_state.name(),
            restart_keeps: conditions.restart_keeps.name(),
            expiry: conditions.expiry.name(),
            validation: conditions.validation.name(),
            append_order: conditions.append_order.name(),
            disconnects: Often(conditions.disconnects),
            restarts: Often(conditions.restarts),
            leader_moves: Often(conditions.leader_moves),
            expiries: Often(conditions.expiries),
            refusals_before_append: Often(conditions.refusals_before_append),
            errors_after_append: Often(conditions.errors_after_append),
            fatal_refusals: Often(conditions.fatal_refusals),
            delivery_timeouts: Often(conditions.delivery_timeouts),
            cancellations: Often(conditions.cancellations),
            append_failures: Often(conditions.append_failures),
        }
    }
}

/// A budget: a number, or "any".
struct Often(Budget);

impl Serialize for Often {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Budget::Any => serializer.serialize_str("any"),
            Budget::AtMost(most) => serializer.serialize_u8(most),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, Value};

    use super::*;

    fn written(conditions: &conditions::Conditions) -> Value {
        serde_json::to_value(Conditions::from(conditions)).unwrap_or_default()
    }

    #[test]
    fn every_condition_is_written_with_the_value_of_its_flag() {
        let kafka = conditions::Conditions::KAFKA;
        let written = written(&kafka);
        assert_eq!(
            written.as_object().map(|object| object.len()),
            Some(kafka.all().len())
        );
        for (flag, value) in kafka.all() {
            let shown = match &written[flag.replace('-', "_")] {
                Value::Null => "none".to_owned(),
                Value::String(word) => word.clone(),
                other => other.to_string(),
            };
            assert_eq!(shown, value, "{flag}");
        }
    }

    #[test]
    fn numbers_are_numbers() {
        let written = written(&conditions::Conditions {
            batches: Budget::AtMost(4),
            sequence_modulus: Some(7),
            max_epoch: Some(0),
            restarts: Budget::ONE,
            ..conditions::Conditions::KAFKA
        });
        assert_eq!(written["batches"], json!(4));
        assert_eq!(written["sequence_modulus"], json!(7));
        assert_eq!(written["max_epoch"], json!(0));
        assert_eq!(written["restarts"], json!(1));
        assert_eq!(written["disconnects"], json!("any"));
    }
}

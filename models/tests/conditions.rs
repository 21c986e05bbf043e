//! Conditions that make no sense are refused with the reason.

use retryproof_models::conditions::{Budget, Conditions, ProducerKnown, Senseless};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{self, PLAIN};
use retryproof_models::rules::{self, STRICT};

const KAFKA: Conditions = Conditions::KAFKA;

fn refusal(conditions: Conditions) -> String {
    conditions
        .validate()
        .expect_err("senseless conditions")
        .to_string()
}

#[test]
fn the_defaults_are_sensible_and_about_runs_of_any_length() {
    assert_eq!(KAFKA.validate(), Ok(()));
    assert!(KAFKA.any_length());
    assert_eq!(KAFKA.to_string(), "5 in flight, window 5");
    assert_eq!(KAFKA.flags(), "");
}

#[test]
fn numbers_out_of_range_name_the_range() {
    assert_eq!(
        refusal(Conditions {
            in_flight: 9,
            ..KAFKA
        }),
        "--in-flight 9 is out of range: choose 1 to 8"
    );
    for conditions in [
        Conditions {
            in_flight: 0,
            ..KAFKA
        },
        Conditions { window: 0, ..KAFKA },
        Conditions { window: 9, ..KAFKA },
        Conditions {
            connections: 0,
            ..KAFKA
        },
        Conditions {
            connections: 5,
            ..KAFKA
        },
        Conditions {
            batches: Budget::AtMost(0),
            ..KAFKA
        },
        Conditions {
            batches: Budget::AtMost(17),
            ..KAFKA
        },
        Conditions {
            disconnects: Budget::AtMost(101),
            ..KAFKA
        },
    ] {
        assert!(matches!(
            conditions.validate(),
            Err(Senseless::OutOfRange { .. })
        ));
    }
}

#[test]
fn a_plain_producer_has_no_sequences_to_set_conditions_for() {
    let plain = Conditions {
        client: &PLAIN,
        ..KAFKA
    };
    assert_eq!(plain.validate(), Ok(()));
    for conditions in [
        Conditions { window: 4, ..plain },
        Conditions {
            rule: &STRICT,
            ..plain
        },
        Conditions {
            producer_state: ProducerKnown::Known,
            ..plain
        },
    ] {
        assert!(refusal(conditions).contains("sends no sequences"));
    }
}

#[test]
fn networks_that_keep_requests_need_room_for_them() {
    let alone = Conditions {
        connections: 1,
        ..KAFKA
    };
    assert_eq!(alone.validate(), Ok(()));
    for network in [
        NetworkKind::Ordered,
        NetworkKind::Unordered,
        NetworkKind::Duplicating,
    ] {
        assert!(refusal(Conditions { network, ..alone }).contains("--connections"));
    }
}

#[test]
fn what_heals_is_not_counted() {
    let counted = Conditions {
        network: NetworkKind::Ordered,
        disconnects: Budget::AtMost(1),
        ..KAFKA
    };
    assert!(refusal(counted).contains("leave --disconnects out"));
}

#[test]
fn mutants_are_modelled_in_bounded_runs_only() {
    for rule in rules::mutants::ALL {
        let any = Conditions { rule, ..KAFKA };
        assert!(refusal(any).contains(rule.name));
        let bounded = Conditions {
            batches: Budget::AtMost(4),
            ..any
        };
        assert_eq!(bounded.validate(), Ok(()));
    }
    for client in policies::mutants::ALL {
        assert!(refusal(Conditions { client, ..KAFKA }).contains(client.name));
    }
}

#[test]
fn names_find_their_rules_and_clients() {
    for rule in rules::ALL.iter().chain(rules::mutants::ALL) {
        assert_eq!(rules::find(rule.name), Some(*rule));
    }
    for client in policies::ALL.iter().chain(policies::mutants::ALL) {
        assert_eq!(policies::find(client.name), Some(*client));
    }
    assert_eq!(rules::find("kafka-5"), None);
    assert_eq!(policies::find("java"), None);
}

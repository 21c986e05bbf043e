//! Conditions that make no sense are refused with the reason; those that do are said in
//! words and as flags.

use retryproof_models::conditions::{
    Acks, AppendOrder, Budget, Conditions, Election, Expiry, Fault, InFlightPer, ProducerIds,
    ProducerKnown, Replicas, RestartKeeps, Senseless, Validation,
};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{self, PLAIN};
use retryproof_models::rules::{self, STRICT};

const KAFKA: Conditions = Conditions::KAFKA;
const BOUNDED: Conditions = Conditions {
    batches: Budget::AtMost(4),
    ..KAFKA
};
/// Two brokers, and a leader that moves between them.
const CLUSTER: Conditions = Conditions {
    brokers: 2,
    leader_moves: Budget::ONE,
    ..BOUNDED
};

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
        Conditions {
            in_flight: u8::MAX,
            ..KAFKA
        },
        Conditions {
            records_per_batch: 0,
            ..BOUNDED
        },
        Conditions {
            records_per_batch: 3,
            ..BOUNDED
        },
        Conditions {
            producers: 3,
            ..BOUNDED
        },
        Conditions {
            partitions: 0,
            ..BOUNDED
        },
        Conditions {
            brokers: 4,
            ..BOUNDED
        },
        Conditions {
            sequence_modulus: Some(1),
            ..BOUNDED
        },
        Conditions {
            sequence_modulus: Some(65),
            ..BOUNDED
        },
        Conditions {
            max_epoch: Some(65),
            ..BOUNDED
        },
    ] {
        assert!(matches!(
            conditions.validate(),
            Err(Senseless::OutOfRange { .. })
        ));
    }
}

/// The same conditions with another budget of a fault.
fn with(fault: Fault, budget: Budget, base: Conditions) -> Conditions {
    let mut conditions = base;
    let field = match fault {
        Fault::Disconnect => &mut conditions.disconnects,
        Fault::Restart => &mut conditions.restarts,
        Fault::LeaderMove => &mut conditions.leader_moves,
        Fault::Expiry => &mut conditions.expiries,
        Fault::RefusalBeforeAppend => &mut conditions.refusals_before_append,
        Fault::ErrorAfterAppend => &mut conditions.errors_after_append,
        Fault::FatalRefusal => &mut conditions.fatal_refusals,
        Fault::DeliveryTimeout => &mut conditions.delivery_timeouts,
        Fault::Cancellation => &mut conditions.cancellations,
        Fault::AppendFailure => &mut conditions.append_failures,
    };
    *field = budget;
    conditions
}

#[test]
fn every_fault_has_a_budget_of_its_own_with_a_range() {
    for fault in Fault::ALL {
        let most = match fault {
            Fault::Disconnect => 100,
            _ => 8,
        };
        for budget in [Budget::NONE, Budget::AtMost(most), Budget::Any] {
            let conditions = with(*fault, budget, BOUNDED);
            assert_eq!(conditions.budget(*fault), budget);
            assert_eq!(conditions.has(*fault), budget != Budget::NONE);
        }
        let over = with(*fault, Budget::AtMost(most + 1), BOUNDED);
        assert_eq!(
            over.validate(),
            Err(Senseless::OutOfRange {
                condition: fault.flag(),
                value: most + 1,
                min: 0,
                max: most
            })
        );
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
        Conditions {
            sequence_modulus: Some(4),
            ..plain
        },
        Conditions {
            max_epoch: Some(0),
            ..plain
        },
        Conditions {
            expiries: Budget::ONE,
            ..plain
        },
        Conditions {
            restart_keeps: RestartKeeps::All,
            ..plain
        },
        Conditions {
            validation: Validation::AfterLookup,
            ..plain
        },
        Conditions {
            producer_ids: ProducerIds::Shared,
            ..plain
        },
    ] {
        assert!(refusal(conditions).contains("sends no sequences"));
    }
    assert_eq!(
        refusal(Conditions {
            expiries: Budget::ONE,
            ..plain
        }),
        "--expiries has no effect with --client plain, which sends no sequences: leave it out"
    );
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
fn faults_of_connections_need_connections_that_break() {
    let unordered = Conditions {
        network: NetworkKind::Unordered,
        ..BOUNDED
    };
    assert_eq!(unordered.validate(), Ok(()));
    let faults = Fault::ALL
        .iter()
        .filter(|fault| **fault != Fault::Disconnect)
        .map(|fault| (fault.flag(), with(*fault, Budget::ONE, unordered)));
    let others = [
        (
            "brokers",
            Conditions {
                brokers: 2,
                ..unordered
            },
        ),
        (
            "partitions",
            Conditions {
                partitions: 2,
                ..unordered
            },
        ),
        (
            "producers",
            Conditions {
                producers: 2,
                ..unordered
            },
        ),
        (
            "records-per-batch",
            Conditions {
                records_per_batch: 2,
                ..unordered
            },
        ),
        (
            "sequence-modulus",
            Conditions {
                sequence_modulus: Some(4),
                ..unordered
            },
        ),
        (
            "max-epoch",
            Conditions {
                max_epoch: Some(0),
                ..unordered
            },
        ),
    ];
    for (condition, conditions) in faults.chain(others) {
        assert_eq!(
            conditions.validate(),
            Err(Senseless::SessionOnly { condition })
        );
    }
    assert_eq!(
        refusal(with(Fault::Restart, Budget::ONE, unordered)),
        "--restarts needs connections that break: use --network session"
    );
}

#[test]
fn what_changes_nothing_without_another_condition_names_it() {
    let kept = Conditions {
        restart_keeps: RestartKeeps::All,
        ..BOUNDED
    };
    let expiry = Conditions {
        expiry: Expiry::WallClock,
        ..BOUNDED
    };
    let validation = Conditions {
        validation: Validation::AfterLookup,
        ..BOUNDED
    };
    let order = Conditions {
        append_order: AppendOrder::StateFirst,
        ..BOUNDED
    };
    let ids = Conditions {
        producer_ids: ProducerIds::Shared,
        ..BOUNDED
    };
    let second = Conditions {
        second_client: Some(&PLAIN),
        ..BOUNDED
    };
    let acks = Conditions {
        acks: Acks::One,
        ..BOUNDED
    };
    let replicas = Conditions {
        replicas: Replicas::Judge,
        ..BOUNDED
    };
    let limit = Conditions {
        in_flight_per: InFlightPer::Partition,
        ..BOUNDED
    };
    let election = Conditions {
        election: Election::Unclean,
        ..BOUNDED
    };
    let moves = with(Fault::LeaderMove, Budget::ONE, BOUNDED);
    let two_brokers = |base| Conditions { brokers: 2, ..base };
    for (alone, condition, needs, together) in [
        (moves, "leader-moves", "brokers 2", two_brokers(moves)),
        (acks, "acks", "brokers 2", two_brokers(acks)),
        (replicas, "replicas", "brokers 2", two_brokers(replicas)),
        (limit, "in-flight-per", "brokers 2", two_brokers(limit)),
        (
            election,
            "election",
            "leader-moves 1",
            Conditions {
                election: Election::Unclean,
                ..CLUSTER
            },
        ),
        (
            ids,
            "producer-ids",
            "producers 2",
            Conditions {
                producers: 2,
                ..ids
            },
        ),
        (
            second,
            "second-client",
            "producers 2",
            Conditions {
                producers: 2,
                ..second
            },
        ),
        (
            kept,
            "restart-keeps",
            "restarts 1",
            with(Fault::Restart, Budget::ONE, kept),
        ),
        (
            expiry,
            "expiry",
            "expiries 1",
            with(Fault::Expiry, Budget::ONE, expiry),
        ),
        (
            validation,
            "validation",
            "fatal-refusals 1",
            with(Fault::FatalRefusal, Budget::ONE, validation),
        ),
        (
            order,
            "append-order",
            "append-failures 1",
            with(Fault::AppendFailure, Budget::ONE, order),
        ),
    ] {
        assert_eq!(
            alone.validate(),
            Err(Senseless::WithoutEffect { condition, needs })
        );
        assert_eq!(together.validate(), Ok(()), "{together}");
    }
    assert_eq!(
        refusal(kept),
        "--restart-keeps has no effect without --restarts 1: add it, or leave --restart-keeps out"
    );
}

/// Conditions that are modelled in bounded runs and on one broker only.
fn of_one_broker(base: Conditions) -> [(&'static str, Conditions); 5] {
    [
        (
            "records-per-batch",
            Conditions {
                records_per_batch: 2,
                ..base
            },
        ),
        (
            "sequence-modulus",
            Conditions {
                sequence_modulus: Some(4),
                ..base
            },
        ),
        (
            "max-epoch",
            Conditions {
                max_epoch: Some(0),
                ..base
            },
        ),
        (
            "cancellations",
            Conditions {
                client: &policies::PATIENT,
                ..with(Fault::Cancellation, Budget::ONE, base)
            },
        ),
        (
            "append-failures",
            with(Fault::AppendFailure, Budget::ONE, base),
        ),
    ]
}

#[test]
fn a_cluster_is_not_modelled_together_with_everything() {
    let partitions = Conditions {
        partitions: 2,
        ..BOUNDED
    };
    let producers = Conditions {
        producers: 2,
        ..BOUNDED
    };
    for (other, cluster) in [
        ("brokers", CLUSTER),
        ("partitions", partitions),
        ("producers", producers),
    ] {
        assert_eq!(cluster.validate(), Ok(()));
        for (condition, conditions) in of_one_broker(cluster) {
            assert_eq!(
                conditions.validate(),
                Err(Senseless::NotTogether { condition, other })
            );
        }
    }
    assert_eq!(
        refusal(Conditions {
            brokers: 3,
            in_flight: 2,
            ..producers
        }),
        "--producers and --brokers are not modelled together: leave one out"
    );
}

#[test]
fn a_world_holds_so_many_batches_at_once() {
    let many = Conditions {
        in_flight: 7,
        ..CLUSTER
    };
    assert_eq!(
        refusal(many),
        "7 in flight on each of 2 connections are more batches than a world holds (12): lower \
         --in-flight, or use --in-flight-per partition"
    );
    let per_partition = Conditions {
        in_flight_per: InFlightPer::Partition,
        ..many
    };
    assert_eq!(per_partition.validate(), Ok(()));
}

#[test]
fn what_cannot_be_folded_is_modelled_in_bounded_runs_only() {
    let lanes = [
        (
            "brokers",
            Conditions {
                brokers: 2,
                ..KAFKA
            },
        ),
        (
            "partitions",
            Conditions {
                partitions: 2,
                ..KAFKA
            },
        ),
        (
            "producers",
            Conditions {
                producers: 2,
                ..KAFKA
            },
        ),
    ];
    for (condition, conditions) in lanes.into_iter().chain(of_one_broker(KAFKA)) {
        assert_eq!(
            conditions.validate(),
            Err(Senseless::BoundedOnly { condition })
        );
        let bounded = Conditions {
            batches: Budget::AtMost(2),
            ..conditions
        };
        assert_eq!(bounded.validate(), Ok(()), "{bounded}");
    }
    assert_eq!(
        refusal(Conditions {
            records_per_batch: 2,
            ..KAFKA
        }),
        "--records-per-batch is modelled in bounded runs only: add --batches 4, say"
    );
}

#[test]
fn conditions_are_said_in_words() {
    for (conditions, words) in [
        (
            Conditions {
                client: &PLAIN,
                in_flight: 1,
                ..KAFKA
            },
            "1 in flight, client plain",
        ),
        (
            Conditions {
                in_flight_per: InFlightPer::Partition,
                rule: &STRICT,
                acks: Acks::One,
                election: Election::Unclean,
                replicas: Replicas::Judge,
                ..CLUSTER
            },
            "5 in flight, window 5, limit counted per partition, rule strict, 4 batches, 2 brokers, \
             acks=1, unclean election, followers judge, 1 leader move",
        ),
        (
            Conditions {
                producers: 2,
                producer_ids: ProducerIds::Shared,
                partitions: 2,
                batches: Budget::ONE,
                ..KAFKA
            },
            "5 in flight, window 5, 1 batch, 2 producers, one producer id for all, 2 partitions",
        ),
        (
            Conditions {
                producers: 2,
                second_client: Some(&PLAIN),
                ..BOUNDED
            },
            "5 in flight, window 5, 4 batches, 2 producers, second client plain",
        ),
        (
            Conditions {
                records_per_batch: 2,
                sequence_modulus: Some(4),
                max_epoch: Some(1),
                producer_state: ProducerKnown::Known,
                connections: 1,
                disconnects: Budget::ONE,
                ..BOUNDED
            },
            "5 in flight, window 5, 1 connection, 4 batches, 2 records a batch, sequences modulo 4, \
             last epoch 1, producer known to the broker, 1 disconnect",
        ),
        (
            Conditions {
                restarts: Budget::AtMost(2),
                restart_keeps: RestartKeeps::All,
                expiries: Budget::ONE,
                expiry: Expiry::WallClock,
                ..KAFKA
            },
            "5 in flight, window 5, restart keeps the whole window, expiry by wall clock, 2 restarts, \
             1 expiry",
        ),
        (
            Conditions {
                restarts: Budget::Any,
                restart_keeps: RestartKeeps::Nothing,
                expiries: Budget::AtMost(2),
                ..KAFKA
            },
            "5 in flight, window 5, restart keeps nothing, any restarts, 2 expiries",
        ),
        (
            Conditions {
                fatal_refusals: Budget::ONE,
                validation: Validation::AfterLookup,
                refusals_before_append: Budget::ONE,
                errors_after_append: Budget::AtMost(2),
                delivery_timeouts: Budget::ONE,
                cancellations: Budget::ONE,
                append_failures: Budget::ONE,
                append_order: AppendOrder::EndLast,
                client: &policies::PATIENT,
                ..BOUNDED
            },
            "5 in flight, window 5, client patient, 4 batches, validated after the lookup, append end-last, 1 refusal \
             before append, 2 errors after append, 1 fatal refusal, 1 delivery timeout, 1 \
             cancellation, 1 append failure",
        ),
        (
            Conditions {
                network: NetworkKind::Duplicating,
                client: &policies::STOP,
                ..KAFKA
            },
            "5 in flight, window 5, client stop, duplicating network",
        ),
    ] {
        assert_eq!(conditions.validate(), Ok(()), "{words}");
        assert_eq!(conditions.to_string(), words);
    }
}

#[test]
fn conditions_that_differ_are_said_as_flags_in_the_order_of_the_command_line() {
    let conditions = Conditions {
        in_flight: 2,
        max_epoch: Some(0),
        restarts: Budget::ONE,
        restart_keeps: RestartKeeps::Nothing,
        disconnects: Budget::NONE,
        ..BOUNDED
    };
    assert_eq!(
        conditions.flags(),
        "--in-flight 2 --batches 4 --max-epoch 0 --restart-keeps nothing --disconnects 0 --restarts 1"
    );
    assert_eq!(conditions.changed().len(), 6);
}

#[test]
fn every_condition_and_every_fault_has_one_flag() {
    let all = KAFKA.all();
    for fault in Fault::ALL {
        let named = all.iter().filter(|(flag, _)| *flag == fault.flag());
        assert_eq!(named.count(), 1, "{}", fault.flag());
    }
    let mut flags: Vec<_> = all.iter().map(|(flag, _)| flag).collect();
    flags.sort_unstable();
    flags.dedup();
    assert_eq!(flags.len(), all.len());
}

#[test]
fn a_snapshot_without_the_newest_batch_is_modelled_in_bounded_runs_only() {
    let bounded = Conditions {
        restarts: Budget::ONE,
        restart_keeps: RestartKeeps::AllButNewest,
        ..BOUNDED
    };
    assert_eq!(bounded.validate(), Ok(()));
    let any = Conditions {
        batches: Budget::Any,
        ..bounded
    };
    assert!(refusal(any).contains("--restart-keeps all-but-newest"));
}

#[test]
fn names_find_their_rules_and_clients() {
    let rules = [rules::ALL, rules::published::ALL, rules::mutants::ALL];
    for rule in rules.into_iter().flatten() {
        assert_eq!(rules::find(rule.name), Some(*rule));
    }
    let clients = [
        policies::ALL,
        policies::published::ALL,
        policies::mutants::ALL,
    ];
    for client in clients.into_iter().flatten() {
        assert_eq!(policies::find(client.name), Some(*client));
    }
    assert_eq!(rules::find("kafka-5"), None);
    assert_eq!(policies::find("java"), None);
}

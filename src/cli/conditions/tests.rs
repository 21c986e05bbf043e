//! Every condition has its flag, and what conditions say as flags is read back as them.

use std::collections::BTreeSet;

use clap::{CommandFactory, Parser};
use retryproof_models::conditions::{
    Acks, AppendOrder, Budget, Election, Expiry, InFlightPer, ProducerIds, ProducerKnown, Replicas,
    RestartKeeps, Validation,
};
use retryproof_models::network::NetworkKind;
use retryproof_models::{policies, rules};

use super::*;

/// The flags of conditions alone.
#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    size: SizeFlags,
    #[command(flatten)]
    world: WorldFlags,
}

const KAFKA: Conditions = Conditions::KAFKA;
const BOUNDED: Conditions = Conditions {
    batches: Budget::AtMost(3),
    ..KAFKA
};
const FEW: Budget = Budget::AtMost(2);

/// Conditions of which each is changed in one of these, with what it needs.
fn changed_alone() -> Vec<Conditions> {
    let mut all = vec![
        KAFKA,
        Conditions {
            in_flight: 3,
            ..KAFKA
        },
        Conditions { window: 3, ..KAFKA },
        Conditions {
            network: NetworkKind::Unordered,
            ..KAFKA
        },
        Conditions {
            connections: 1,
            ..KAFKA
        },
        BOUNDED,
        Conditions {
            records_per_batch: 2,
            ..BOUNDED
        },
        Conditions {
            partitions: 2,
            ..BOUNDED
        },
        Conditions {
            sequence_modulus: Some(7),
            ..BOUNDED
        },
        Conditions {
            max_epoch: Some(0),
            ..BOUNDED
        },
    ];
    all.extend(rules::ALL.iter().map(|rule| Conditions { rule, ..KAFKA }));
    all.extend(
        rules::mutants::ALL
            .iter()
            .map(|rule| Conditions { rule, ..BOUNDED }),
    );
    let clients = policies::ALL.iter().chain(policies::mutants::ALL);
    all.extend(clients.map(|client| Conditions { client, ..BOUNDED }));
    all.extend(kinds());
    all.extend(several_brokers());
    all.extend(faults());
    all
}

/// Conditions that are one word, each at every word.
fn kinds() -> Vec<Conditions> {
    let states = ProducerKnown::ALL.iter().map(|state| Conditions {
        producer_state: *state,
        ..KAFKA
    });
    let ids = ProducerIds::ALL.iter().map(|ids| Conditions {
        producers: 2,
        producer_ids: *ids,
        ..BOUNDED
    });
    let second = policies::ALL.iter().map(|client| Conditions {
        producers: 2,
        second_client: Some(client),
        ..BOUNDED
    });
    let keeps = RestartKeeps::ALL.iter().map(|keeps| Conditions {
        restarts: Budget::ONE,
        restart_keeps: *keeps,
        ..BOUNDED
    });
    let clocks = Expiry::ALL.iter().map(|clock| Conditions {
        expiries: Budget::ONE,
        expiry: *clock,
        ..BOUNDED
    });
    let validations = Validation::ALL.iter().map(|validation| Conditions {
        fatal_refusals: Budget::ONE,
        validation: *validation,
        ..BOUNDED
    });
    let orders = AppendOrder::ALL.iter().map(|order| Conditions {
        append_failures: Budget::ONE,
        append_order: *order,
        ..BOUNDED
    });
    states
        .chain(ids)
        .chain(second)
        .chain(keeps)
        .chain(clocks)
        .chain(validations)
        .chain(orders)
        .collect()
}

/// Conditions that need several brokers, each at every word.
fn several_brokers() -> Vec<Conditions> {
    let base = Conditions {
        brokers: 2,
        leader_moves: Budget::ONE,
        ..BOUNDED
    };
    let acks = Acks::ALL.iter().map(|acks| Conditions {
        acks: *acks,
        ..base
    });
    let elections = Election::ALL.iter().map(|election| Conditions {
        election: *election,
        ..base
    });
    let replicas = Replicas::ALL.iter().map(|replicas| Conditions {
        replicas: *replicas,
        ..base
    });
    let limits = InFlightPer::ALL.iter().map(|per| Conditions {
        in_flight_per: *per,
        ..base
    });
    acks.chain(elections)
        .chain(replicas)
        .chain(limits)
        .collect()
}

/// Each fault alone.
fn faults() -> Vec<Conditions> {
    vec![
        Conditions {
            disconnects: FEW,
            ..KAFKA
        },
        Conditions {
            disconnects: Budget::NONE,
            ..KAFKA
        },
        Conditions {
            restarts: Budget::Any,
            ..BOUNDED
        },
        Conditions {
            brokers: 2,
            leader_moves: FEW,
            ..BOUNDED
        },
        Conditions {
            expiries: FEW,
            ..BOUNDED
        },
        Conditions {
            refusals_before_append: FEW,
            ..BOUNDED
        },
        Conditions {
            errors_after_append: FEW,
            ..BOUNDED
        },
        Conditions {
            fatal_refusals: FEW,
            ..BOUNDED
        },
        Conditions {
            delivery_timeouts: FEW,
            ..BOUNDED
        },
        Conditions {
            cancellations: FEW,
            client: &policies::PATIENT,
            ..BOUNDED
        },
        Conditions {
            append_failures: FEW,
            ..BOUNDED
        },
    ]
}

fn read(words: &str) -> Conditions {
    let words = std::iter::once("flags").chain(words.split_whitespace());
    let flags = Flags::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"));
    let conditions = flags.world.apply(flags.size.apply(KAFKA));
    conditions.unwrap_or_else(|refused| panic!("{refused}"))
}

#[test]
fn conditions_as_flags_are_read_back_as_the_same_conditions() {
    for conditions in changed_alone() {
        let flags = conditions.flags();
        assert_eq!(read(&flags), conditions, "{flags}");
    }
}

#[test]
fn every_condition_is_changed_in_one_of_the_examples() {
    let examples = changed_alone();
    let changed: BTreeSet<_> = examples
        .iter()
        .flat_map(Conditions::changed)
        .map(|(flag, _)| flag)
        .collect();
    let all: BTreeSet<_> = KAFKA.all().into_iter().map(|(flag, _)| flag).collect();
    assert_eq!(changed, all);
}

#[test]
fn there_is_a_flag_for_every_condition_and_no_other() {
    let command = Flags::command();
    let flags: BTreeSet<_> = command
        .get_arguments()
        .filter_map(|arg| arg.get_long())
        .collect();
    let all: BTreeSet<_> = KAFKA.all().into_iter().map(|(flag, _)| flag).collect();
    assert_eq!(flags, all);
}

#[test]
fn the_help_of_every_flag_ends_in_its_default() {
    let command = Flags::command();
    for (flag, default) in KAFKA.all() {
        let arg = command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(flag));
        let help = arg.and_then(|arg| arg.get_help()).map(ToString::to_string);
        let help = help.unwrap_or_default();
        assert!(help.ends_with(&format!("[{default}]")), "{flag}: {help}");
    }
}

#[test]
fn all_flags_at_their_defaults_change_nothing() {
    let all: Vec<_> = KAFKA
        .all()
        .into_iter()
        .map(|(flag, value)| format!("--{flag} {value}"))
        .collect();
    assert_eq!(read(&all.join(" ")), KAFKA);
}

#[test]
fn a_flag_undoes_what_a_claim_changes() {
    let base = Conditions {
        max_epoch: Some(0),
        ..BOUNDED
    };
    let flags = Flags::try_parse_from(["flags", "--max-epoch", "none", "--batches", "any"])
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(flags.world.apply(base).ok(), Some(KAFKA));
}

//! Records are never compared: a producer and a broker only hand them on, and look for the one
//! that a reply names.
//!
//! Producers and brokers do the same whatever records are called, in whichever order. A whole
//! world, with its network and the properties, does the same if the order of the names is kept:
//! whether records stand in order is what a property asks, and dead connections are sorted.

use retryproof_models::broker::{Broker, Fate, Leader};
use retryproof_models::conditions::{
    AppendOrder, Budget, Conditions, InFlightPer, ProducerKnown, RestartKeeps,
};
use retryproof_models::message::{Place, Request, Sequences};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{
    mutants as policy, Cancels, Policy, HARDENED, JAVA_4, PATIENT, PIPELINING, PLAIN, STOP,
};
use retryproof_models::producer::{Producer, ProducerConfig, Reports, Status};
use retryproof_models::rules::{self, mutants as rule, Rule, Ruling, Verdict, KAFKA_4};
use retryproof_models::world::{actions, step, Action, FlatWorld, Quiet, State};

use super::reach::look_at_all;
use super::renaming::Renaming;

const SMALL: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(3),
    disconnects: Budget::AtMost(3),
    ..Conditions::KAFKA
};

const EVERY_FAULT: Conditions = Conditions {
    batches: Budget::AtMost(2),
    disconnects: Budget::ONE,
    restarts: Budget::ONE,
    expiries: Budget::ONE,
    refusals_before_append: Budget::ONE,
    errors_after_append: Budget::ONE,
    fatal_refusals: Budget::ONE,
    delivery_timeouts: Budget::ONE,
    append_failures: Budget::ONE,
    ..SMALL
};

/// The worlds that both trials are made in.
fn worlds() -> Vec<Conditions> {
    let mut worlds = vec![
        SMALL,
        EVERY_FAULT,
        Conditions {
            in_flight: 3,
            ..SMALL
        },
        Conditions {
            records_per_batch: 2,
            fatal_refusals: Budget::ONE,
            batches: Budget::AtMost(2),
            ..SMALL
        },
        Conditions {
            restarts: Budget::ONE,
            restart_keeps: RestartKeeps::AllButNewest,
            append_failures: Budget::ONE,
            append_order: AppendOrder::EndLast,
            disconnects: Budget::ONE,
            ..SMALL
        },
        Conditions {
            max_epoch: Some(0),
            fatal_refusals: Budget::ONE,
            disconnects: Budget::ONE,
            batches: Budget::AtMost(2),
            ..SMALL
        },
        Conditions {
            sequence_modulus: Some(4),
            refusals_before_append: Budget::AtMost(2),
            producer_state: ProducerKnown::Known,
            batches: Budget::AtMost(5),
            connections: 1,
            ..SMALL
        },
        Conditions {
            in_flight_per: InFlightPer::Span,
            refusals_before_append: Budget::ONE,
            errors_after_append: Budget::ONE,
            disconnects: Budget::ONE,
            ..SMALL
        },
    ];
    for rule in rules::ALL {
        worlds.push(Conditions {
            rule,
            refusals_before_append: Budget::ONE,
            disconnects: Budget::AtMost(2),
            ..SMALL
        });
    }
    for rule in rule::ALL {
        worlds.push(Conditions {
            rule,
            disconnects: Budget::AtMost(2),
            ..SMALL
        });
    }
    for client in [&STOP, &PIPELINING, &PATIENT, &HARDENED] {
        worlds.push(Conditions {
            client,
            refusals_before_append: Budget::ONE,
            delivery_timeouts: Budget::ONE,
            disconnects: Budget::ONE,
            cancellations: cancellations(client),
            ..SMALL
        });
    }
    worlds.push(Conditions {
        client: &PLAIN,
        window: 5,
        ..SMALL
    });
    worlds
}

/// One cancellation, where the client allows any.
fn cancellations(client: &Policy) -> Budget {
    match client.cancels {
        Cancels::Never => Budget::NONE,
        Cancels::WhatWaits | Cancels::WhatIsNowhere => Budget::ONE,
    }
}

/// In every state of a world: the renamed state has the same actions, and each leads to the
/// renamed successor with the same violations. The name of the record that is sent next is the
/// application's to choose.
fn a_world_does_not_mind(conditions: Conditions) -> Result<usize, String> {
    conditions.validate().map_err(|error| error.to_string())?;
    let renaming = Renaming::in_order(&conditions);
    let other = renaming.conditions(&conditions);
    look_at_all(&FlatWorld::new(conditions), |state, possible| {
        let renamed = renaming.state(state);
        let mut found = Vec::new();
        actions(&other, &renamed, &mut found);
        if found != possible {
            return Err(format!(
                "{conditions}: {found:?} for {possible:?} in\n{state:?}"
            ));
        }
        for action in possible {
            let expected = renaming.state(&step(&conditions, state, *action, &mut Quiet));
            let mut next = step(&other, &renamed, *action, &mut Quiet);
            if *action == Action::Send {
                next.producer.next_record = expected.producer.next_record;
            }
            if next != expected {
                return Err(format!(
                    "{conditions}: {action:?} in\n{renamed:?}\nleads to\n{next:?}\nnot\n{expected:?}"
                ));
            }
        }
        Ok(())
    })
}

/// What a producer did: what it is now, what it sent and what it told.
type Done = (Producer, Option<Request>, Reports);

/// Everything that can be done to a producer in a state.
fn all_done(
    conditions: &Conditions,
    producer: Producer,
    state: &State,
    renaming: Option<&Renaming>,
) -> Vec<Done> {
    let config = ProducerConfig::of(conditions);
    let mut all = Vec::new();
    let mut with = |act: &dyn Fn(&mut Producer, &mut Reports) -> Option<Request>| {
        let (mut producer, mut reports) = (producer, Reports::default());
        let sent = act(&mut producer, &mut reports);
        all.push((producer, sent, reports));
    };
    if producer.can_send(&config) {
        with(&|producer, reports| Some(producer.send(&config, reports)));
    }
    with(&|producer, reports| producer.retry(&config, reports));
    with(&|producer, reports| {
        producer.start_loop(&config, reports);
        None
    });
    with(&|producer, reports| {
        producer.on_disconnect(&config, 0, reports);
        None
    });
    for reply in state.network.replies.iter() {
        let reply = renaming.map_or(*reply, |renaming| renaming.reply(*reply));
        with(&|producer, _| Some(producer.known_as(&reply)));
        with(&|producer, reports| {
            producer.on_reply(&config, &reply, 0, reports);
            None
        });
    }
    if producer.can_time_out() {
        with(&|producer, reports| {
            producer.time_out(&config, reports);
            None
        });
    }
    if producer.can_cancel(&config) {
        with(&|producer, reports| {
            producer.cancel(reports);
            None
        });
    }
    all
}

/// The name of the next record is the application's.
fn whatever_comes_next(mut done: Done) -> Done {
    done.0.next_record = 0;
    done
}

fn a_producer_does_not_mind(
    conditions: &Conditions,
    renaming: &Renaming,
    state: &State,
) -> Result<(), String> {
    let producer = state.producer;
    let real = all_done(conditions, producer, state, None);
    let renamed = all_done(
        conditions,
        renaming.producer(producer),
        state,
        Some(renaming),
    );
    let expected = real.into_iter().map(|(producer, sent, reports)| {
        (
            renaming.producer(producer),
            sent.map(|request| renaming.request(request)),
            renaming.reports(reports),
        )
    });
    let expected: Vec<Done> = expected.map(whatever_comes_next).collect();
    let renamed: Vec<Done> = renamed.into_iter().map(whatever_comes_next).collect();
    match expected == renamed {
        true => Ok(()),
        false => Err(format!(
            "{conditions}: {renamed:?}\nnot\n{expected:?}\nin\n{state:?}"
        )),
    }
}

fn a_broker_does_not_mind(
    conditions: &Conditions,
    renaming: &Renaming,
    state: &State,
) -> Result<(), String> {
    let leader = Leader {
        broker: state.broker,
        retired: state.retired,
        log_end: state.ledger.log_end,
    };
    let fates = Fate::FAULTS
        .iter()
        .map(|(fate, _)| *fate)
        .chain([Fate::Decided]);
    let requests = state.network.old.iter().chain([&state.network.live]);
    let requests: Vec<Request> = requests.flat_map(|queue| queue.iter().copied()).collect();
    for (fate, awaited) in fates.flat_map(|fate| [(fate, true), (fate, false)]) {
        for request in &requests {
            let (mut real, mut other) = (leader.clone(), renaming.leader(&leader));
            let decided = real.decide(conditions, *request, awaited, fate);
            let renamed = other.decide(conditions, renaming.request(*request), awaited, fate);
            if renamed != renaming.decided(&decided) || other != renaming.leader(&real) {
                return Err(format!("{conditions}: {request:?}, {fate:?} in\n{state:?}"));
            }
        }
    }
    Ok(())
}

/// In every state of a world: producer and broker do the same if every record is called
/// otherwise, in the opposite order.
fn its_actors_do_not_mind(conditions: Conditions) -> Result<usize, String> {
    conditions.validate().map_err(|error| error.to_string())?;
    let renaming = Renaming::reversed(&conditions);
    look_at_all(&FlatWorld::new(conditions), |state, _| {
        a_producer_does_not_mind(&conditions, &renaming, state)?;
        a_broker_does_not_mind(&conditions, &renaming, state)
    })
}

#[test]
fn a_world_takes_any_names_in_the_same_order() {
    for conditions in worlds() {
        let states = a_world_does_not_mind(conditions).unwrap_or_else(|error| panic!("{error}"));
        println!("{states:>8} states: {conditions}");
    }
    for network in NetworkKind::ALL {
        let conditions = Conditions {
            network: *network,
            disconnects: Budget::Any,
            batches: Budget::AtMost(2),
            ..SMALL
        };
        a_world_does_not_mind(conditions).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn producers_and_brokers_take_any_names_in_any_order() {
    for conditions in worlds() {
        its_actors_do_not_mind(conditions).unwrap_or_else(|error| panic!("{error}"));
    }
    // A sequence that only grows outgrows every world.
    let bounded = |client: &&&Policy| **client != &policy::RETRIES_WITH_NEW_SEQUENCE;
    for client in policy::ALL.iter().filter(bounded) {
        its_actors_do_not_mind(Conditions { client, ..SMALL })
            .unwrap_or_else(|error| panic!("{error}"));
    }
}

/// A rule that looks at what is in a batch: of every other record it does not name the offset.
const CHOOSY: Rule = Rule {
    name: "choosy",
    decide: decide_choosily,
    ..KAFKA_4
};

fn decide_choosily(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    let ruling = (KAFKA_4.decide)(broker, request, sequences);
    match ruling.verdict {
        Verdict::Duplicate(_) if request.record % 2 == 1 => Ruling {
            verdict: Verdict::Duplicate(Place::Unnamed),
            ..ruling
        },
        _ => ruling,
    }
}

/// A client that sends the batch with the lowest record again, not the one that was first sent
/// first.
const LOWEST_RECORD: Policy = Policy {
    name: "lowest-record",
    pick_retry: lowest_record,
    ..JAVA_4
};

fn lowest_record(producer: &Producer, _: &ProducerConfig) -> Option<usize> {
    let undecided = producer.undecided.as_slice();
    let lowest = (0..undecided.len()).min_by_key(|index| undecided[*index].record)?;
    (undecided[lowest].status == Status::Queued).then_some(lowest)
}

#[test]
fn a_rule_that_looks_at_records_is_caught() {
    let choosy = Conditions {
        rule: &CHOOSY,
        ..SMALL
    };
    assert!(a_world_does_not_mind(choosy).is_err());
    assert!(its_actors_do_not_mind(choosy).is_err());
}

#[test]
fn a_client_that_compares_records_is_caught() {
    let lowest_record = Conditions {
        client: &LOWEST_RECORD,
        ..SMALL
    };
    // The order is kept: nothing shows.
    assert!(a_world_does_not_mind(lowest_record).is_ok());
    assert!(its_actors_do_not_mind(lowest_record).is_err());
}

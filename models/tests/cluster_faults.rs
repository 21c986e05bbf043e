//! What is true of clusters whose leaders move, and what is not.

mod walking;

use retryproof_models::conditions::{
    Acks, Budget, Conditions, Election, InFlightPer, ProducerKnown, RestartKeeps,
};
use retryproof_properties::PropertyId;

use walking::{explore, must_hold, must_refute};

/// Two brokers, which know the producer; the leader moves once.
const FAILOVER: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(4),
    producer_state: ProducerKnown::Known,
    brokers: 2,
    disconnects: Budget::AtMost(2),
    leader_moves: Budget::ONE,
    ..Conditions::KAFKA
};

/// H11 of the facts about Apache Kafka.
#[test]
fn a_clean_failover_to_a_lagging_follower_loses_and_doubles_nothing() {
    let found = explore(Conditions {
        in_flight_per: InFlightPer::Partition,
        ..FAILOVER
    });
    must_hold(
        &found,
        &[
            PropertyId::NoDuplicate,
            PropertyId::PartitionOrder,
            PropertyId::AckTruthful,
        ],
    );
}

/// H2: as many as the window holds on each of two connections are too many.
#[test]
fn a_limit_per_connection_is_not_enough_when_the_leader_moves() {
    let found = explore(FAILOVER);
    let refuted = [PropertyId::NoDuplicate, PropertyId::RetryRecognised];
    must_refute(&found, &refuted);
    must_hold(&found, &[PropertyId::AckTruthful]);
}

/// One batch stays undecided at the old leader while others are decided at the new one, one
/// after the other, until the window has moved past it. It is no duplicate then, for what
/// is acknowledged behind it keeps the client from raising its epoch; but it is refused for
/// ever.
#[test]
fn a_limit_per_partition_does_not_bound_how_far_the_window_moves() {
    let found = explore(Conditions {
        in_flight_per: InFlightPer::Partition,
        ..FAILOVER
    });
    let refuted = [PropertyId::RetryRecognised, PropertyId::EveryBatchDecided];
    must_refute(&found, &refuted);
}

#[test]
fn a_limit_on_the_span_of_what_is_undecided_is_enough_when_the_leader_moves_once() {
    let found = explore(Conditions {
        in_flight_per: InFlightPer::Span,
        ..FAILOVER
    });
    must_hold(&found, PropertyId::ALL);
}

#[test]
fn one_in_flight_is_safe_when_the_leader_moves() {
    let found = explore(Conditions {
        in_flight: 1,
        window: 1,
        ..FAILOVER
    });
    must_hold(&found, PropertyId::ALL);
}

/// H3: the new leader never heard of the producer, and takes any sequence from it.
#[test]
fn a_new_leader_that_does_not_know_the_producer_takes_a_later_batch_first() {
    let found = explore(Conditions {
        producer_state: ProducerKnown::New,
        batches: Budget::AtMost(2),
        ..FAILOVER
    });
    let refuted = [
        PropertyId::GapRejected,
        PropertyId::PartitionOrder,
        PropertyId::NoDuplicate,
        PropertyId::EveryBatchDecided,
    ];
    must_refute(&found, &refuted);
    must_hold(&found, &[PropertyId::AckTruthful]);
}

#[test]
fn an_acknowledgement_by_the_leader_alone_is_lost_with_it() {
    let found = explore(Conditions {
        acks: Acks::One,
        ..FAILOVER
    });
    must_refute(&found, &[PropertyId::AckTruthful]);
}

/// H13.
#[test]
fn an_unclean_election_loses_what_was_acknowledged() {
    let found = explore(Conditions {
        election: Election::Unclean,
        ..FAILOVER
    });
    must_refute(&found, &[PropertyId::AckTruthful]);
}

/// H1, S16: a follower that restarted knows only the newest batch when it leads.
#[test]
fn a_follower_that_restarted_doubles_batches_when_it_leads() {
    let rolling = Conditions {
        in_flight_per: InFlightPer::Partition,
        batches: Budget::AtMost(3),
        restarts: Budget::ONE,
        ..FAILOVER
    };
    must_refute(&explore(rolling), &[PropertyId::NoDuplicate]);
    let found = explore(Conditions {
        restart_keeps: RestartKeeps::All,
        ..rolling
    });
    must_hold(&found, &[PropertyId::NoDuplicate, PropertyId::AckTruthful]);
}

#[test]
fn with_three_brokers_too_nothing_acknowledged_is_lost_by_clean_elections() {
    let found = explore(Conditions {
        in_flight: 1,
        window: 1,
        brokers: 3,
        batches: Budget::AtMost(3),
        disconnects: Budget::ONE,
        leader_moves: Budget::AtMost(2),
        ..FAILOVER
    });
    must_hold(&found, PropertyId::ALL);
}

/// A leader moves away and back, and the one between does not know that it leads no more.
/// It never saw what was acknowledged since, refuses what follows on it as out of order, and
/// so makes the client raise its epoch for a batch that is in the log.
#[test]
fn a_deposed_leader_that_answers_out_of_order_makes_the_client_double_a_batch() {
    let there_and_back = Conditions {
        in_flight_per: InFlightPer::Span,
        batches: Budget::AtMost(3),
        disconnects: Budget::ONE,
        leader_moves: Budget::AtMost(2),
        ..FAILOVER
    };
    let found = explore(there_and_back);
    must_refute(&found, &[PropertyId::NoDuplicate]);
    must_hold(&found, &[PropertyId::AckTruthful]);
    let found = explore(Conditions {
        in_flight: 1,
        window: 1,
        in_flight_per: InFlightPer::Connection,
        ..there_and_back
    });
    must_hold(&found, PropertyId::ALL);
}

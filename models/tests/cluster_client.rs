//! A producer that writes to several partitions: one epoch, one limit for each connection.

use retryproof_models::cluster::{Client, Outcomes};
use retryproof_models::conditions::{Budget, Conditions, InFlightPer};
use retryproof_models::message::{Place, Refusal, Reply, Request, Word};
use retryproof_models::policies::{BumpReaches, Policy, JAVA_4};
use retryproof_models::producer::ProducerConfig;

const TWO_PARTITIONS: Conditions = Conditions {
    in_flight: 2,
    batches: Budget::AtMost(4),
    partitions: 2,
    brokers: 2,
    ..Conditions::KAFKA
};

/// A producer under its conditions.
struct Harness {
    conditions: Conditions,
    client: Client,
}

impl Harness {
    fn new(conditions: Conditions) -> Self {
        Harness {
            conditions,
            client: Client::new(0),
        }
    }

    fn send(&mut self, partition: usize) -> Option<Request> {
        let mut outcomes = Outcomes::default();
        self.client.send(&self.conditions, partition, &mut outcomes)
    }

    fn retry(&mut self, partition: usize) -> Option<Request> {
        let mut outcomes = Outcomes::default();
        self.client
            .retry(&self.conditions, partition, &mut outcomes)
    }

    fn refuse(&mut self, partition: usize, request: &Request, refusal: Refusal) {
        self.answer(partition, request, Word::Refused(refusal));
    }

    fn answer(&mut self, partition: usize, request: &Request, word: Word) {
        let config = ProducerConfig::of(&self.conditions);
        let reply = Reply::to(request, word);
        let mut outcomes = Outcomes::default();
        let lane = &mut self.client.lanes[partition];
        lane.on_reply(&config, &reply, 0, &mut outcomes[partition]);
    }

    fn epochs(&self) -> [i8; 3] {
        let lanes = &self.client.lanes;
        [self.client.epoch, lanes[0].epoch, lanes[1].epoch]
    }

    fn can_send(&self, partition: usize) -> bool {
        self.client.can_send(&self.conditions, partition)
    }
}

#[test]
fn the_limit_of_a_connection_counts_all_partitions() {
    let mut producer = Harness::new(TWO_PARTITIONS);
    producer.send(0);
    producer.send(1);
    assert!(!producer.can_send(0));
    producer.client.leaders[0] = 1;
    assert!(producer.can_send(0), "another connection has room");
}

#[test]
fn the_limit_of_a_partition_counts_all_connections() {
    let mut producer = Harness::new(Conditions {
        in_flight_per: InFlightPer::Partition,
        ..TWO_PARTITIONS
    });
    producer.send(0);
    producer.client.leaders[0] = 1;
    producer.send(0);
    assert!(!producer.can_send(0));
    assert!(producer.can_send(1), "another partition has room");
}

#[test]
fn the_limit_of_a_span_counts_what_is_decided_behind_an_undecided_batch() {
    let mut producer = Harness::new(Conditions {
        in_flight_per: InFlightPer::Span,
        ..TWO_PARTITIONS
    });
    producer.send(0);
    producer.client.leaders[0] = 1;
    let second = producer.send(0).unwrap();
    producer.answer(0, &second, Word::Written(Place::At(1)));
    assert!(!producer.can_send(0));
}

#[test]
fn a_limit_of_1_mutes_the_partition_and_the_connection() {
    let mut producer = Harness::new(Conditions {
        in_flight: 1,
        ..TWO_PARTITIONS
    });
    producer.send(0);
    assert!(!producer.can_send(1), "the connection is taken");
    producer.client.leaders[0] = 1;
    assert!(!producer.can_send(0), "the partition is muted");
    producer.client.leaders[1] = 1;
    assert!(producer.can_send(1));
}

#[test]
fn one_bump_serves_every_partition_that_wants_one() {
    let mut producer = Harness::new(TWO_PARTITIONS);
    let requests = [0, 1].map(|partition| producer.send(partition).unwrap());
    for (partition, request) in requests.iter().enumerate() {
        producer.refuse(partition, request, Refusal::OutOfOrder);
    }
    assert_eq!(producer.epochs(), [0, 0, 0]);
    producer.retry(0);
    assert_eq!(producer.epochs(), [1, 1, 1]);
}

#[test]
fn a_partition_goes_over_to_the_new_epoch_when_nothing_of_it_is_undecided() {
    let mut producer = Harness::new(TWO_PARTITIONS);
    let other = producer.send(1).unwrap();
    let request = producer.send(0).unwrap();
    producer.refuse(0, &request, Refusal::Invalid);
    producer.send(0);
    assert_eq!(producer.epochs(), [1, 1, 0]);
    producer.client.leaders[1] = 1;
    assert!(!producer.can_send(1), "it is held back");
    assert_eq!(producer.send(1), None);
    producer.answer(1, &other, Word::Written(Place::At(0)));
    let fresh = producer.send(1).unwrap();
    assert_eq!(producer.epochs(), [1, 1, 1]);
    assert_eq!((fresh.epoch, fresh.sequence, fresh.record), (1, 0, 1));
    assert_eq!(producer.client.lanes[1].last_acked, -1);
}

#[test]
fn a_turn_that_raises_the_epoch_can_hold_back_what_was_to_be_sent() {
    let mut producer = Harness::new(TWO_PARTITIONS);
    producer.send(1);
    let request = producer.send(0).unwrap();
    producer.refuse(0, &request, Refusal::OutOfOrder);
    producer.client.leaders[1] = 1;
    assert!(producer.can_send(1));
    assert_eq!(producer.send(1), None);
    assert_eq!(producer.epochs(), [1, 1, 0]);
}

#[test]
fn a_bump_can_reach_all_partitions() {
    static ALL_PARTITIONS: Policy = Policy {
        name: "bumps-all-partitions",
        bump_reaches: BumpReaches::AllPartitions,
        ..JAVA_4
    };
    let mut producer = Harness::new(Conditions {
        client: &ALL_PARTITIONS,
        ..TWO_PARTITIONS
    });
    producer.send(1);
    let request = producer.send(0).unwrap();
    producer.refuse(0, &request, Refusal::OutOfOrder);
    producer.retry(0);
    assert_eq!(producer.epochs(), [1, 1, 1]);
}

#[test]
fn a_retry_goes_to_the_broker_that_is_taken_for_the_leader() {
    let mut producer = Harness::new(TWO_PARTITIONS);
    let request = producer.send(0).unwrap();
    producer.refuse(0, &request, Refusal::NotLeader);
    producer.client.leaders[0] = 1;
    assert_eq!(producer.retry(0), Some(request));
    assert_eq!(producer.client.in_flight_to(0), 0);
    assert_eq!(producer.client.in_flight_to(1), 1);
}

#[test]
fn a_lost_connection_concerns_what_was_sent_on_it() {
    let mut producer = Harness::new(TWO_PARTITIONS);
    producer.client.leaders[1] = 1;
    producer.send(0);
    producer.send(1);
    let mut outcomes = Outcomes::default();
    producer
        .client
        .on_disconnect(&producer.conditions, 0, &mut outcomes);
    assert!(producer.client.can_retry(&producer.conditions, 0).is_some());
    assert_eq!(producer.client.can_retry(&producer.conditions, 1), None);
}

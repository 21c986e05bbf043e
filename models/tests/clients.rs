//! What each client does about answers and lost connections.

use retryproof_models::conditions::Conditions;
use retryproof_models::message::{Place, Refusal, Reply, Word};
use retryproof_models::policies::{Policy, JAVA_4, PIPELINING, PLAIN, STOP};
use retryproof_models::producer::{Producer, ProducerConfig, Report, Reports, Status, Told};

struct Client {
    config: ProducerConfig,
    producer: Producer,
}

fn config(client: &'static Policy, in_flight: u8) -> ProducerConfig {
    ProducerConfig::of(&Conditions {
        client,
        in_flight,
        ..Conditions::KAFKA
    })
}

impl Client {
    fn with_sent(policy: &'static Policy, batches: usize) -> Self {
        let mut client = Client {
            config: config(policy, 5),
            producer: Producer::default(),
        };
        for _ in 0..batches {
            client
                .producer
                .send(&client.config, &mut Reports::default());
        }
        client
    }

    fn read(&mut self, record: i8, word: Word) -> Vec<Report> {
        let mut reports = Reports::default();
        self.producer
            .on_reply(&self.config, &Reply { record, word }, 0, &mut reports);
        reports.iter().copied().collect()
    }

    fn sequences(&self) -> Vec<i8> {
        let batches = self.producer.undecided.iter();
        batches.map(|batch| batch.sequence).collect()
    }

    fn disconnect(&mut self) {
        self.producer
            .on_disconnect(&self.config, 0, &mut Reports::default());
    }
}

const OUT_OF_ORDER: Word = Word::Refused(Refusal::OutOfOrder);
const STALE: Word = Word::Refused(Refusal::StaleEpoch);
const WRITTEN: Word = Word::Written(Place::At(7));

#[test]
fn the_limit_counts_what_is_on_the_wire() {
    let client = Client::with_sent(&JAVA_4, 2);
    assert!(!client.producer.can_send(&config(&JAVA_4, 2)));
    assert!(client.producer.can_send(&config(&JAVA_4, 3)));
}

#[test]
fn an_acknowledgement_reaches_the_application_with_its_offset() {
    let mut client = Client::with_sent(&JAVA_4, 1);
    let told = client.read(0, WRITTEN);
    assert_eq!(
        told,
        [Report {
            record: 0,
            more: 0,
            told: Told::Acknowledged(Place::At(7))
        }]
    );
    assert_eq!(client.producer.last_acked, 0);
}

#[test]
fn java_4_bumps_when_the_next_expected_batch_is_out_of_order() {
    let mut client = Client::with_sent(&JAVA_4, 3);
    client.read(0, WRITTEN);
    assert!(client.read(1, OUT_OF_ORDER).is_empty());
    assert!(client.producer.bump_wanted);
    let request = client
        .producer
        .retry(&config(&JAVA_4, 5), &mut Reports::default())
        .expect("one waits");
    assert_eq!((request.epoch, request.sequence, request.record), (1, 0, 1));
    assert_eq!(client.sequences(), [0, 1], "renumbered in order");
    assert_eq!(client.producer.next_sequence, 2);
    let on_the_wire = client.producer.undecided.as_slice()[1];
    assert_eq!(on_the_wire.status, Status::Rewritten);
}

#[test]
fn java_4_retries_a_batch_that_is_not_next_or_was_renumbered() {
    let mut client = Client::with_sent(&JAVA_4, 3);
    client.read(1, OUT_OF_ORDER);
    assert!(!client.producer.bump_wanted, "record 0 is undecided");
    client.read(0, OUT_OF_ORDER);
    assert!(client.producer.bump_wanted);
    client
        .producer
        .start_loop(&config(&JAVA_4, 5), &mut Reports::default());
    client.read(2, OUT_OF_ORDER);
    assert!(
        !client.producer.bump_wanted,
        "record 2 was renumbered on the wire"
    );
    assert_eq!(client.producer.epoch, 1);
}

#[test]
fn java_4_fails_a_batch_of_a_stale_epoch() {
    let mut client = Client::with_sent(&JAVA_4, 2);
    let told = client.read(0, STALE);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].told, Told::Failed);
    assert!(client.producer.bump_wanted);
}

#[test]
fn stop_gives_up_at_the_head_of_the_line_only() {
    let mut client = Client::with_sent(&STOP, 3);
    assert!(client.read(1, OUT_OF_ORDER).is_empty());
    assert!(!client.producer.stopped);
    let told = client.read(0, OUT_OF_ORDER);
    assert_eq!(
        told.iter().map(|report| report.told).collect::<Vec<_>>(),
        [Told::Failed, Told::Unknown, Told::Unknown]
    );
    assert!(client.producer.stopped);
    assert!(!client.producer.can_send(&config(&JAVA_4, 5)));
    assert_eq!(client.producer.can_retry(&config(&STOP, 5)), None);
}

#[test]
fn retries_go_one_at_a_time_and_before_fresh_batches() {
    let mut client = Client::with_sent(&JAVA_4, 2);
    client.disconnect();
    assert!(
        !client.producer.can_send(&config(&JAVA_4, 5)),
        "retries stand at the head"
    );
    assert_eq!(client.producer.can_retry(&config(&JAVA_4, 5)), Some(0));
    client
        .producer
        .retry(&config(&JAVA_4, 5), &mut Reports::default());
    assert_eq!(client.producer.can_retry(&config(&JAVA_4, 5)), None);
    assert_eq!(client.producer.can_retry(&config(&PIPELINING, 5)), Some(1));
    client.read(0, WRITTEN);
    client
        .producer
        .retry(&config(&JAVA_4, 5), &mut Reports::default());
    assert!(
        client.producer.can_send(&config(&JAVA_4, 5)),
        "fresh ones go behind the last retry"
    );
}

#[test]
fn a_reply_to_a_decided_batch_is_ignored() {
    let mut client = Client::with_sent(&PLAIN, 1);
    assert_eq!(client.read(0, WRITTEN).len(), 1);
    assert!(client.read(0, WRITTEN).is_empty());
}

//! The conditions of a world: one field each, with the default that is the truth about
//! Apache Kafka 4.x. A claim names only what it changes.

mod faults;
mod kinds;
mod senseless;
mod validate;
mod words;

pub use faults::{Budget, Fault, FaultsLeft};
pub use kinds::{
    Acks, AppendOrder, Election, Expiry, InFlightPer, ProducerIds, ProducerKnown, Replicas,
    RestartKeeps, Validation,
};
pub use senseless::Senseless;

use crate::network::NetworkKind;
use crate::policies::{Policy, JAVA_4};
use crate::rules::{Rule, KAFKA_4};

/// The most batches that a bounded world can send.
pub const MAX_BATCHES: u8 = 16;
/// The most records in a batch.
pub const MAX_RECORDS_PER_BATCH: u8 = 2;
/// The most producers, and the most partitions, of a world.
pub const MAX_LANES: u8 = 2;
/// The most brokers of a world.
pub const MAX_BROKERS: u8 = 3;
/// The largest budget of a fault but disconnects.
pub const MAX_FAULTS: u8 = 8;
/// The largest budget of disconnects.
pub const MAX_DISCONNECTS: u8 = 100;
/// The largest sequence modulus and last epoch.
pub const MAX_MODULUS: u8 = 64;

/// The conditions of one world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// `max.in.flight.requests.per.connection`, 1 to 8.
    pub in_flight: u8,
    /// What the in-flight limit is counted per. With a limit of 1 the Java client counts
    /// per partition whatever this says.
    pub in_flight_per: InFlightPer,
    /// Batches that the broker remembers for each producer, 1 to 8.
    pub window: u8,
    /// The broker's rule.
    pub rule: &'static Rule,
    /// The client's policy.
    pub client: &'static Policy,
    /// How messages travel.
    pub network: NetworkKind,
    /// The live connection and how many dead ones may still deliver, 1 to 4.
    pub connections: u8,
    /// How many batches are sent, for each producer and partition. `Any` makes the claim
    /// one about runs of any length.
    pub batches: Budget,
    /// Records in a batch: all batches have as many.
    pub records_per_batch: u8,
    /// Producers.
    pub producers: u8,
    /// The policy of the second producer's client; `None` if it is the same.
    pub second_client: Option<&'static Policy>,
    /// Whether each producer has a producer id of its own.
    pub producer_ids: ProducerIds,
    /// Partitions, each written by every producer.
    pub partitions: u8,
    /// Brokers, each with a replica of every partition.
    pub brokers: u8,
    /// Which replicas must have a batch before it is acknowledged.
    pub acks: Acks,
    /// Who may become leader.
    pub election: Election,
    /// What followers do with what they fetch.
    pub replicas: Replicas,
    /// How many sequences there are before they start at 0 again (Apache Kafka: 2³¹);
    /// `None` if none of them is reached twice.
    pub sequence_modulus: Option<u8>,
    /// The last epoch that a producer id has (Apache Kafka: 32767); `None` if it is never
    /// reached.
    pub max_epoch: Option<u8>,
    /// What the broker knows at the start.
    pub producer_state: ProducerKnown,
    /// How much of the window a restart keeps.
    pub restart_keeps: RestartKeeps,
    /// By which clock the broker forgets a producer.
    pub expiry: Expiry,
    /// When a batch is validated.
    pub validation: Validation,
    /// What comes first in an append.
    pub append_order: AppendOrder,
    /// How often the connection breaks.
    pub disconnects: Budget,
    /// How often a broker restarts.
    pub restarts: Budget,
    /// How often the leader moves.
    pub leader_moves: Budget,
    /// How often a broker forgets a producer.
    pub expiries: Budget,
    /// How often a batch is refused before anything is done.
    pub refusals_before_append: Budget,
    /// How often an appended batch is answered with an error.
    pub errors_after_append: Budget,
    /// How often a batch is refused for good.
    pub fatal_refusals: Budget,
    /// How often a batch runs out of time at the client.
    pub delivery_timeouts: Budget,
    /// How often the application cancels a batch.
    pub cancellations: Budget,
    /// How often an append fails between its two steps.
    pub append_failures: Budget,
}

impl Conditions {
    /// The conditions under which Apache Kafka 4.x runs by default.
    pub const KAFKA: Conditions = Conditions {
        in_flight: 5,
        in_flight_per: InFlightPer::Connection,
        window: 5,
        rule: &KAFKA_4,
        client: &JAVA_4,
        network: NetworkKind::Session,
        connections: 3,
        batches: Budget::Any,
        records_per_batch: 1,
        producers: 1,
        second_client: None,
        producer_ids: ProducerIds::Own,
        partitions: 1,
        brokers: 1,
        acks: Acks::All,
        election: Election::Clean,
        replicas: Replicas::Copy,
        sequence_modulus: None,
        max_epoch: None,
        producer_state: ProducerKnown::New,
        restart_keeps: RestartKeeps::Last,
        expiry: Expiry::ClientTime,
        validation: Validation::BeforeLookup,
        append_order: AppendOrder::WriteFirst,
        disconnects: Budget::Any,
        restarts: Budget::NONE,
        leader_moves: Budget::NONE,
        expiries: Budget::NONE,
        refusals_before_append: Budget::NONE,
        errors_after_append: Budget::NONE,
        fatal_refusals: Budget::NONE,
        delivery_timeouts: Budget::NONE,
        cancellations: Budget::NONE,
        append_failures: Budget::NONE,
    };

    /// Whether the verdict is about runs of any length.
    pub fn any_length(&self) -> bool {
        self.batches == Budget::Any
    }

    /// These conditions, or, where worlds of any length are not faithful to them, the same
    /// with so many batches.
    pub fn of_any_length_or(self, batches: u8) -> Self {
        match self.validate() {
            Err(Senseless::BoundedOnly { .. }) => Conditions {
                batches: Budget::AtMost(batches),
                ..self
            },
            _ => self,
        }
    }

    /// Whether the world has several brokers, partitions or producers
    /// (see [`crate::cluster`]).
    pub fn is_cluster(&self) -> bool {
        self.brokers > 1 || self.partitions > 1 || self.producers > 1
    }

    /// Whether the batches of any producer carry producer id, epoch and sequence.
    #[inline]
    pub fn is_idempotent(&self) -> bool {
        self.client.idempotent || self.second_client.is_some_and(|client| client.idempotent)
    }

    /// The conditions as one of the producers meets them: with its own client.
    #[inline]
    pub fn of_producer(&self, producer: usize) -> Self {
        let own = match producer {
            0 => None,
            _ => self.second_client,
        };
        Conditions {
            client: own.unwrap_or(self.client),
            ..*self
        }
    }

    /// Batches that the broker of these conditions remembers.
    pub fn capacity(&self) -> usize {
        (self.rule.capacity)(self.window.into())
    }

    /// How often a fault may happen.
    #[inline]
    pub fn budget(&self, fault: Fault) -> Budget {
        match fault {
            Fault::Disconnect => self.disconnects,
            Fault::Restart => self.restarts,
            Fault::LeaderMove => self.leader_moves,
            Fault::Expiry => self.expiries,
            Fault::RefusalBeforeAppend => self.refusals_before_append,
            Fault::ErrorAfterAppend => self.errors_after_append,
            Fault::FatalRefusal => self.fatal_refusals,
            Fault::DeliveryTimeout => self.delivery_timeouts,
            Fault::Cancellation => self.cancellations,
            Fault::AppendFailure => self.append_failures,
        }
    }

    /// Whether a fault may happen at all.
    #[inline]
    pub fn has(&self, fault: Fault) -> bool {
        self.budget(fault) != Budget::NONE
    }

    /// The conditions that differ from [`Conditions::KAFKA`], as flag and value.
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        self.all()
            .into_iter()
            .zip(Conditions::KAFKA.all())
            .filter(|(mine, kafka)| mine != kafka)
            .map(|(mine, _)| mine)
            .collect()
    }

    /// All conditions, as flag and value, in the order of the command line.
    pub fn all(&self) -> Vec<(&'static str, String)> {
        let number = |number: Option<u8>| number.map_or("none".to_owned(), |n| n.to_string());
        let client =
            |client: Option<&Policy>| client.map_or("same", |client| client.name).to_owned();
        let mut all = vec![
            ("in-flight", self.in_flight.to_string()),
            ("in-flight-per", self.in_flight_per.name().to_owned()),
            ("window", self.window.to_string()),
            ("rule", self.rule.name.to_owned()),
            ("client", self.client.name.to_owned()),
            ("network", self.network.name().to_owned()),
            ("connections", self.connections.to_string()),
            ("batches", self.batches.to_string()),
            ("records-per-batch", self.records_per_batch.to_string()),
            ("producers", self.producers.to_string()),
            ("second-client", client(self.second_client)),
            ("producer-ids", self.producer_ids.name().to_owned()),
            ("partitions", self.partitions.to_string()),
            ("brokers", self.brokers.to_string()),
            ("acks", self.acks.name().to_owned()),
            ("election", self.election.name().to_owned()),
            ("replicas", self.replicas.name().to_owned()),
            ("sequence-modulus", number(self.sequence_modulus)),
            ("max-epoch", number(self.max_epoch)),
            ("producer-state", self.producer_state.name().to_owned()),
            ("restart-keeps", self.restart_keeps.name().to_owned()),
            ("expiry", self.expiry.name().to_owned()),
            ("validation", self.validation.name().to_owned()),
            ("append-order", self.append_order.name().to_owned()),
        ];
        let budgets = Fault::ALL
            .iter()
            .map(|fault| (fault.flag(), self.budget(*fault).to_string()));
        all.extend(budgets);
        all
    }

    /// The command-line flags that give these conditions.
    pub fn flags(&self) -> String {
        self.changed()
            .iter()
            .map(|(name, value)| format!("--{name} {value}"))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

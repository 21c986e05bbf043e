//! How producers, brokers, partitions and records are called: by number only where there are
//! several.

use retryproof_models::cluster::{own_number, producer_of, Shape, State};
use retryproof_models::message::Small;

use super::super::phrase::listed;

/// The names in a world.
pub struct Names(Shape);

impl Names {
    /// The names in the world of this state.
    pub fn of(state: &State) -> Self {
        Names(state.shape)
    }

    /// A record by name. With several producers, each counts its own.
    pub fn record(&self, record: Small) -> String {
        let own = own_number(record);
        match self.0.producers {
            1 => format!("r{own}"),
            _ => format!("p{}.r{own}", producer_of(record)),
        }
    }

    /// Several records by name.
    pub fn records(&self, records: impl Iterator<Item = Small>) -> String {
        let names: Vec<String> = records.map(|record| self.record(record)).collect();
        listed(&names)
    }

    /// A producer at the beginning of a sentence.
    pub fn producer(&self, producer: usize) -> String {
        match self.0.producers {
            1 => "Producer".to_owned(),
            _ => format!("Producer {producer}"),
        }
    }

    /// A broker at the beginning of a sentence.
    pub fn broker(&self, broker: usize) -> String {
        match self.0.brokers {
            1 => "Broker".to_owned(),
            _ => format!("Broker {broker}"),
        }
    }

    /// " to broker 1", where there are several.
    pub fn to_broker(&self, broker: usize) -> String {
        match self.0.brokers {
            1 => String::new(),
            _ => format!(" to broker {broker}"),
        }
    }

    /// " of broker 1", where there are several.
    pub fn of_broker(&self, broker: usize) -> String {
        match self.0.brokers {
            1 => String::new(),
            _ => format!(" of broker {broker}"),
        }
    }

    /// " of partition 1", where there are several.
    pub fn of_partition(&self, partition: usize) -> String {
        match self.0.partitions {
            1 => String::new(),
            _ => format!(" of partition {partition}"),
        }
    }
}

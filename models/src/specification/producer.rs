//! Producer state as it can be observed, and as recorded cases write it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a partition remembers of one producer: in JSON `[epoch, last timestamp, batches]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Producer {
    /// Current epoch.
    pub epoch: i64,
    /// Timestamp of the newest batch or marker, as it stands in the log.
    pub last_timestamp: i64,
    /// The newest batches of that epoch, oldest first: first sequence, last sequence, first
    /// offset, last offset.
    pub batches: Vec<[i64; 4]>,
}

/// All producers that a partition has state for, by producer id.
pub type State = BTreeMap<i64, Producer>;

type Written = (i64, i64, Vec<[i64; 4]>);

impl From<Written> for Producer {
    fn from((epoch, last_timestamp, batches): Written) -> Self {
        Producer {
            epoch,
            last_timestamp,
            batches,
        }
    }
}

impl From<Producer> for Written {
    fn from(producer: Producer) -> Self {
        (producer.epoch, producer.last_timestamp, producer.batches)
    }
}

//! What a step does, as far as it is a reason for numbers to change.

use retryproof_models::message::{Request, Small};

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A producer sends a batch for the first time.
    Sends(Batch),
    /// A producer sends a batch again.
    SendsAgain(Batch),
    /// A producer reads an answer.
    Reads {
        /// The batch that it is about.
        name: String,
        /// What it says.
        said: String,
    },
    /// A broker takes a request.
    Takes(Batch),
    /// A connection is gone.
    Breaks,
    /// A broker restarts.
    Restarts,
    /// Something else.
    Other,
}

/// A batch on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its name.
    pub name: String,
    /// Sequence of its first record, as it is on the wire.
    pub first: Small,
    /// Sequence of its last record, as it is on the wire.
    pub last: Small,
    /// How many records it holds.
    pub count: Small,
}

impl Batch {
    /// A request of this name; `on_wire` gives its sequences as they are on the wire.
    pub fn of(request: &Request, name: String, on_wire: impl Fn(Small) -> Small) -> Self {
        Batch {
            name,
            first: on_wire(request.sequence),
            last: on_wire(request.last_sequence()),
            count: request.count(),
        }
    }
}

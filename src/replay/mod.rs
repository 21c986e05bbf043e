//! Runs of the models on the real Apache Kafka.
//!
//! Each step of a run is made on the real client (`Sender`, `RecordAccumulator`,
//! `TransactionManager`) and the real log (`UnifiedLog`), behind the lines of
//! `oracle/README.md`; after each step everything that can be looked at is compared, and the
//! properties judge what the real ones did, by the monitors that judge the models.
//!
//! ```text
//!   model: state ─action→ state          the client oracle
//!          │            │                      ▲ commands
//!   seen, scene     moves ──────────────→  kafka: seen, scene ──→ judge
//!          └───────────── follow: compared ────────────┘
//! ```

mod ask;
mod claims;
mod follow;
mod judge;
mod kafka;
mod kept;
mod moves;
mod numbers;
mod on_kafka;
mod possible;
pub mod protocol;
mod recording;
mod requests;
mod runs;
mod scene;
mod seen;

pub use ask::{Ask, Exchange, NoAnswer, Recorded, Recorder};
pub use claims::{about_kafka, play, playable_worlds, runs_against, Played, World};
pub use follow::{Differs, Walk, What};
pub use kafka::{Kafka, Step, Trouble};
pub use kept::{Kept, KEPT};
pub use moves::{Delivery, Move};
pub use numbers::Numbers;
pub use on_kafka::OnKafka;
pub use possible::{cuts_window, why_not, KAFKAS_WINDOW};
pub use recording::{Recording, Recordings, Refuted, RELEASES};
pub use runs::{counterexample, schedule, Schedule, STEPS_TO_DECIDE, STEPS_WITHOUT_FAULTS};
pub use scene::{Lane, Logged, Open, Scene};
pub use seen::{Notes, Seen};

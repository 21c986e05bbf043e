//! The bridge: any state manager walks beside the specification, and what differs is told.
//!
//! ```text
//!   retryproof_models::specification          a subject: StateManager
//!   what Apache Kafka does, in plain          ours, another process, or
//!   numbers                                   a reader's own broker
//!                  ╲                            ╱
//!                   ╲   the same operations    ╱
//!                    ▼                        ▼
//!              walk: answers and state after each step
//! ```
//!
//! Operations come from [`cases`], with answers that were recorded on a real broker, or are
//! drawn by [`generate`]. [`search`] shrinks a list of operations that leads to a difference,
//! and [`judge`] says which properties it violates. [`suite`] is all of it as tests of a
//! reader's own broker.

pub mod cases;
pub mod edges;
mod found;
pub mod generate;
pub mod inside;
pub mod judge;
mod kind;
mod observed;
mod ours;
pub mod process;
pub mod record;
pub mod recorded;
pub mod search;
mod shorten;
mod subject;
pub mod suite;
mod walk;

pub use retryproof_models::specification;

pub use found::Found;
pub use judge::{Broken, Judged};
pub use kind::kind;
pub use ours::ProductionManager;
pub use process::Process;
pub use subject::{StateManager, SubjectFailure};
pub use walk::{compare, walk, Difference, Expected, Got, Observed};

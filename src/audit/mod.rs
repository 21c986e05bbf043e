//! Logs of real brokers, judged by the properties that judge the models.
//!
//! A *reader* turns one input into what an observer of a log sees ([`Seen`]): a segment
//! begins, a batch stands in it, its tail is torn. There is one reader for each format, and
//! all of them fill one trait ([`Reader`]), so nothing behind it knows whether a batch was
//! read from a text dump or from a segment file.
//!
//! ```text
//!   text dump, segment file, … ──▶ Reader ──▶ Seen ──▶ judge ──▶ Finding
//! ```
//!
//! Nothing here uses the models. What is judged, and how a batch in a log becomes an event
//! of the properties, is said where it is done.

pub mod acks;
pub mod batch;
mod broker_log;
pub mod finding;
pub mod form;
pub mod input;
mod judge;
pub mod kind;
mod notes;
pub mod origin;
pub mod place;
pub mod reader;
pub mod report;
pub mod run;
pub mod segment;
mod sequence;
pub mod snapshot;
pub mod state;
mod stream;
pub mod text;

pub use batch::LoggedBatch;
pub use judge::{Compared, Summary};
pub use place::{FileId, Place, Position};
pub use reader::{PassedOver, Reader, Seen, Unreadable};
pub use segment::SegmentReader;

//! What `kafka-dump-log.sh` prints, read as a stream: of logs and of producer snapshots, of
//! every release from 0.11 to 4.x.

mod batch_line;
mod dump;
mod fields;
mod folded;
mod item;
mod lines;
mod record_line;
mod section;
mod state_line;

pub use dump::DumpReader;
pub(crate) use lines::Lines;

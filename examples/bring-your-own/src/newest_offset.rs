//! A window that recognises retries, and answers each with the offset of the newest batch.
//!
//! Source: the first version of crabka, which keeps one offset for each producer
//! (`models/src/rules/published` has the whole rule). Here the window is whole, and only the
//! answer is wrong.

use crate::window::Window;
use crate::{Batch, Said};

/// The state of one partition.
#[derive(Debug, Default)]
pub struct NewestOffset(pub Window);

impl NewestOffset {
    /// Decides about a batch, and writes it if it is the next.
    pub fn append(&mut self, batch: Batch, timestamp: i64) -> Said {
        let said = self.0.append(batch, timestamp);
        let known = self.0.producers.get(&batch.producer);
        let newest = known.and_then(|known| known.batches.back());
        match (said, newest) {
            (Said::Duplicate(_), Some([.., newest, _])) => Said::Duplicate(*newest),
            (said, _) => said,
        }
    }
}

//! A window that recognises retries, and takes whatever lies beyond the next sequence.
//!
//! Source: helix, 2026-01, whose window takes gaps of up to five (`models/src/rules/published`
//! has the whole rule). Here a gap may be of any size, and all else is right.

use crate::window::Window;
use crate::{Batch, Said};

/// The state of one partition.
#[derive(Debug, Default)]
pub struct GapWindow(pub Window);

impl GapWindow {
    /// Decides about a batch, and writes it unless it lies behind.
    pub fn append(&mut self, batch: Batch, timestamp: i64) -> Said {
        let said = self.0.append(batch, timestamp);
        let known = self.0.producers.get(&batch.producer);
        let ahead = known.is_some_and(|known| {
            let newest = known.batches.back();
            batch.epoch == known.epoch && newest.is_some_and(|[_, last, ..]| batch.first > *last)
        });
        match said {
            Said::OutOfOrder if ahead => Said::Appended(self.0.write(batch, timestamp)),
            said => said,
        }
    }
}

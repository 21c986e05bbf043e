//! A way to stop a search that is under way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// Once pulled, no state of the search has successors any more, so that it ends at once;
/// its verdict is then *unknown*. Clones are the same brake.
#[derive(Clone, Debug, Default)]
pub struct Brake(Arc<AtomicBool>);

impl Brake {
    /// Stops the search.
    pub fn pull(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets go of it again.
    pub(super) fn release(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it was pulled.
    #[inline]
    pub fn is_pulled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

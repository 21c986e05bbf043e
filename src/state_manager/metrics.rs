//! Counters that can be read at any time from any thread, without a lock.

use std::sync::atomic::{AtomicU64, Ordering};

/// One counter.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    /// Adds to it. Managers are not [`Sync`], so only one thread does at any time: reading
    /// and writing need not be one step, which would cost as much as the rest of a check.
    #[inline]
    pub fn add(&self, number: u64) {
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(before.wrapping_add(number), Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

macro_rules! counters {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// What a manager has done so far. Shared with whoever shows it:
        /// [`ProducerStateManager::metrics`](super::ProducerStateManager::metrics).
        #[derive(Debug, Default)]
        pub struct Metrics {
            $(pub(super) $name: Counter,)*
        }

        /// The counters of [`Metrics`] at one time. Each is exact; they are not read in one
        /// step.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Counts {
            $($(#[$about])* pub $name: u64,)*
        }

        impl Metrics {
            /// The counters now.
            pub fn counts(&self) -> Counts {
                Counts {
                    $($name: self.$name.get(),)*
                }
            }
        }
    };
}

counters! {
    /// Batches of clients and coordinators committed.
    appended,
    /// Batches answered as duplicates.
    duplicates,
    /// Batches refused with OUT_OF_ORDER_SEQUENCE_NUMBER.
    out_of_order,
    /// Batches and markers that a check refused for their epoch, their coordinator's epoch, an
    /// open transaction, or because there was not one in the request.
    other_rejections,
    /// Permits refused because they were out of date.
    stale_permits,
    /// Batches recorded from a log: replication, recovery.
    replicated,
    /// Markers committed or replicated.
    markers,
    /// Producers forgotten because they were not seen for the time of expiry.
    expired,
    /// Producers forgotten because there were more than the cap.
    evicted,
    /// Producers taken over from snapshots.
    restored,
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn counters_are_read_while_another_thread_counts() {
        let metrics = Arc::new(Metrics::default());
        let counting = Arc::clone(&metrics);
        let thread = std::thread::spawn(move || {
            for _ in 0..1000 {
                counting.duplicates.add(1);
                counting.appended.add(2);
            }
        });
        while metrics.counts().appended < 2000 {
            assert!(metrics.counts().duplicates <= 1000);
            std::thread::yield_now();
        }
        thread.join().expect("it only counts");
        let counts = metrics.counts();
        assert_eq!((counts.appended, counts.duplicates), (2000, 1000));
        assert_eq!(counts.evicted, 0);
    }
}

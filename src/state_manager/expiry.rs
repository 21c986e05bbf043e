//! Forgetting producers that were not seen for long, all at once or a few at a time.

use tracing::info;

use super::config::Profile;
use super::manager::ProducerStateManager;
use super::numbers::Timestamp;
use super::producers::{Producers, Slot};
use super::Config;

/// What one step of expiry did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpiryStep {
    /// How many producers it forgot.
    pub expired: usize,
    /// Whether every producer was looked at since the pass began. The next step begins a new
    /// pass.
    pub finished: bool,
}

impl ProducerStateManager {
    /// Forgets every producer that was not seen for [`Config::expiry`], and says how many
    /// (Kafka: `removeExpiredProducers`). One with an open transaction stays.
    ///
    /// What counts under [`Profile::Kafka`] is the producer's last timestamp, so what its
    /// client wrote into its batches: a client that writes old records is forgotten while it
    /// is at work. Under [`Profile::Hardened`] it is the wall-clock time of the last commit
    /// or replicated batch. A forgotten producer is unknown; its epoch is forgotten too.
    pub fn remove_expired(&mut self, now: Timestamp) -> usize {
        self.expiry_cursor = 0;
        self.expire_some(now, usize::MAX).expired
    }

    /// The same in small steps, so that no append has to wait long: looks at the next
    /// `places` places in which producers lie or lay. A place takes some 10 ns, one that is
    /// freed some 100 ns. At least one place is looked at.
    ///
    /// Steps go on where the last one ended, so a broker calls it from time to time,
    /// between appends, until it is [finished](ExpiryStep::finished), and again after the
    /// check interval (`producer.id.expiration.check.interval.ms`).
    pub fn expire_some(&mut self, now: Timestamp, places: usize) -> ExpiryStep {
        let end = self.producers.slots();
        let from = self.expiry_cursor.min(end);
        let to = Slot::try_from(places.max(1))
            .ok()
            .and_then(|places| from.checked_add(places))
            .map_or(end, |to| to.min(end));
        let mut expired = 0;
        for slot in from..to {
            if self.producers.occupied(slot) && is_expired(&self.config, &self.producers, slot, now)
            {
                info!(
                    producer_id = self.producers.producer_id(slot),
                    last_timestamp = self.producers.last_timestamp(slot),
                    last_seen = self.producers.last_seen(slot),
                    "producer expired"
                );
                self.producers.remove(slot);
                expired += 1;
            }
        }
        self.metrics.expired.add(expired as u64);
        let finished = to == end;
        self.expiry_cursor = if finished { 0 } else { to };
        ExpiryStep { expired, finished }
    }
}

/// Whether the producer of this slot was not seen for the time of expiry.
pub(super) fn is_expired(
    config: &Config,
    producers: &Producers,
    slot: Slot,
    now: Timestamp,
) -> bool {
    let seen = match config.profile() {
        Profile::Kafka => producers.last_timestamp(slot),
        Profile::Hardened => producers.last_seen(slot),
    };
    let age = now.millis_since(Timestamp::from_millis(seen));
    age >= config.expiry_millis && producers.side(slot).transaction_first_offset.is_none()
}

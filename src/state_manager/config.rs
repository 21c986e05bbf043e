//! How a manager is set up.

use std::num::NonZeroUsize;
use std::time::Duration;

use thiserror::Error;

/// Whom the manager follows where Apache Kafka leaves a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Decides exactly as Apache Kafka 2.5 to 4.4 do for idempotent producers: a producer
    /// without state may start at any sequence, snapshots keep the newest batch of each
    /// producer, expiry goes by the timestamps that clients put into their batches.
    Kafka,
    /// As `Kafka`, with the broker's half of what closes its holes: a producer without
    /// state must start at sequence 0 (and one of epoch −1 has state like any other),
    /// snapshots keep the whole window, expiry goes by the wall-clock time at which the
    /// producer was last seen.
    Hardened,
}

/// Profile, window, expiry and cap of a manager. Built from [`Config::kafka`] or
/// [`Config::hardened`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    pub(super) profile: Profile,
    pub(super) window: u8,
    pub(super) expiry_millis: i64,
    pub(super) max_producers: Option<NonZeroUsize>,
}

/// A setting that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The window must hold at least one batch and at most [`Config::MAX_WINDOW`].
    #[error("a window of {0} batches: it must be 1 to {max}", max = Config::MAX_WINDOW)]
    Window(usize),
    /// Producers must live for at least a millisecond.
    #[error("an expiry of less than a millisecond or more than 2⁶³−1: Kafka's default is a day")]
    Expiry,
    /// More producers than a manager can number.
    #[error("a cap of {0} producers: a manager holds {max} at most", max = Config::MAX_PRODUCERS)]
    MaxProducers(usize),
}

impl Config {
    /// The largest window.
    pub const MAX_WINDOW: usize = 63;
    /// The most producers of one manager.
    pub const MAX_PRODUCERS: usize = u32::MAX as usize - 1;

    /// Apache Kafka's rules and defaults: a window of 5 batches
    /// (`NUM_BATCHES_TO_RETAIN`), expiry after a day (`producer.id.expiration.ms`, KIP-854),
    /// no cap.
    pub const fn kafka() -> Self {
        Config {
            profile: Profile::Kafka,
            window: 5,
            expiry_millis: 24 * 60 * 60 * 1000,
            max_producers: None,
        }
    }

    /// The same numbers under [`Profile::Hardened`].
    pub const fn hardened() -> Self {
        Config {
            profile: Profile::Hardened,
            ..Config::kafka()
        }
    }

    /// Remembers `batches` batches of each producer. A client with more requests in flight
    /// on one partition than that can lose and duplicate records.
    ///
    /// # Errors
    /// [`ConfigError::Window`] unless 1 to [`Config::MAX_WINDOW`].
    pub const fn with_window(self, batches: usize) -> Result<Self, ConfigError> {
        if batches == 0 || batches > Config::MAX_WINDOW {
            return Err(ConfigError::Window(batches));
        }
        Ok(Config {
            window: batches as u8,
            ..self
        })
    }

    /// Forgets a producer this long after its last batch or marker.
    ///
    /// # Errors
    /// [`ConfigError::Expiry`] for less than a millisecond or more than 2⁶³−1.
    pub fn with_expiry(self, expiry: Duration) -> Result<Self, ConfigError> {
        match i64::try_from(expiry.as_millis()) {
            Ok(expiry_millis) if expiry_millis > 0 => Ok(Config {
                expiry_millis,
                ..self
            }),
            _ => Err(ConfigError::Expiry),
        }
    }

    /// Keeps the state of at most this many producers: when one more comes, the one that
    /// was least recently seen is evicted. A producer is *seen* when a batch or marker of
    /// it is committed or replicated; one with an open transaction is never evicted, and
    /// while all have one the cap is exceeded rather than a committed batch lost from view,
    /// until the next unknown producer comes after they ended.
    ///
    /// An evicted producer is unknown from then on, as after expiry. Under
    /// [`Profile::Kafka`] its next batch is accepted whatever it is: if it is the retry of
    /// a batch in the log, it is written twice. Under [`Profile::Hardened`] it is refused
    /// unless it starts at sequence 0; a client that then bumps its epoch and sends anew
    /// writes it twice as well. So the cap must be well above the number of producers that
    /// are active at one time.
    ///
    /// The order costs 8 to 16 bytes a producer, whether or not the cap is reached.
    ///
    /// # Errors
    /// [`ConfigError::MaxProducers`] above [`Config::MAX_PRODUCERS`].
    pub const fn with_max_producers(self, producers: NonZeroUsize) -> Result<Self, ConfigError> {
        if producers.get() > Config::MAX_PRODUCERS {
            return Err(ConfigError::MaxProducers(producers.get()));
        }
        Ok(Config {
            max_producers: Some(producers),
            ..self
        })
    }

    /// Whom the manager follows.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// How many batches of each producer are remembered.
    pub const fn window(&self) -> usize {
        self.window as usize
    }

    /// How long a producer is remembered.
    pub const fn expiry(&self) -> Duration {
        Duration::from_millis(self.expiry_millis as u64)
    }

    /// How many producers are remembered at most.
    pub const fn max_producers(&self) -> Option<NonZeroUsize> {
        self.max_producers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_kafkas() {
        let config = Config::kafka();
        assert_eq!(config.profile(), Profile::Kafka);
        assert_eq!(config.window(), 5);
        assert_eq!(config.expiry(), Duration::from_millis(86_400_000));
        assert_eq!(config.max_producers(), None);
        assert_eq!(Config::hardened().profile(), Profile::Hardened);
        assert_eq!(Config::hardened().window(), 5);
    }

    #[test]
    fn windows_are_1_to_63() {
        for window in [1, 5, 63] {
            assert_eq!(
                Config::kafka().with_window(window).map(|c| c.window()),
                Ok(window)
            );
        }
        for window in [0, 64, 256 + 5, usize::MAX] {
            assert_eq!(
                Config::kafka().with_window(window),
                Err(ConfigError::Window(window))
            );
        }
    }

    #[test]
    fn expiry_is_at_least_a_millisecond() {
        let day = Duration::from_secs(86_400);
        assert_eq!(
            Config::hardened().with_expiry(day).map(|c| c.expiry()),
            Ok(day)
        );
        let one = Duration::from_millis(1);
        assert_eq!(
            Config::kafka().with_expiry(one).map(|c| c.expiry()),
            Ok(one)
        );
        for wrong in [Duration::ZERO, Duration::from_micros(999), Duration::MAX] {
            assert_eq!(Config::kafka().with_expiry(wrong), Err(ConfigError::Expiry));
        }
    }

    #[test]
    fn the_cap_is_what_can_be_numbered() {
        let cap = |n| Config::kafka().with_max_producers(NonZeroUsize::new(n).unwrap());
        let most = Config::MAX_PRODUCERS;
        assert_eq!(cap(1).unwrap().max_producers(), NonZeroUsize::new(1));
        assert_eq!(cap(most).unwrap().max_producers(), NonZeroUsize::new(most));
        assert_eq!(cap(most + 1), Err(ConfigError::MaxProducers(most + 1)));
    }

    #[test]
    fn errors_say_what_is_allowed() {
        assert_eq!(
            ConfigError::Window(0).to_string(),
            "a window of 0 batches: it must be 1 to 63"
        );
        assert_eq!(
            ConfigError::MaxProducers(9).to_string(),
            "a cap of 9 producers: a manager holds 4294967294 at most"
        );
    }
}

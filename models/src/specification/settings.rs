//! What is specified: Apache Kafka as it is, or the hardened rule.

/// Settings of a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Which rule.
    pub profile: Profile,
    /// How many batches of a producer are remembered, at least 1 (Kafka:
    /// `ProducerStateEntry.NUM_BATCHES_TO_RETAIN`).
    pub window: usize,
    /// After how many milliseconds a producer is forgotten (Kafka:
    /// `producer.id.expiration.ms`).
    pub expiry_ms: i64,
}

/// Which rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Exactly what Apache Kafka 4.3.1 does.
    Kafka,
    /// Kafka with three things changed:
    ///
    /// 1. a client's first batch must start at sequence 0 if the producer has no state, and
    ///    one of epoch −1 has state like any other;
    /// 2. a snapshot keeps the whole window and the time the producer was last seen, not
    ///    only the newest batch;
    /// 3. expiry counts from the time at which the partition last changed the producer's
    ///    state, not from the timestamp that the client gave its records.
    Hardened,
}

impl Settings {
    /// Apache Kafka 4.3.1 with its default settings.
    pub fn kafka() -> Self {
        Settings {
            profile: Profile::Kafka,
            window: 5,
            expiry_ms: 86_400_000,
        }
    }

    /// The hardened rule with Kafka's default settings.
    pub fn hardened() -> Self {
        Settings {
            profile: Profile::Hardened,
            ..Settings::kafka()
        }
    }
}

//! A snapshot, and what the reference knew when it was written.

use retryproof::state_manager::snapshot::Format;

use super::super::producer::Producer;

/// See the head of this file.
pub struct Saved {
    pub format: Format,
    pub bytes: Vec<u8>,
    /// In the order of the file.
    pub producers: Vec<(i64, Producer)>,
    pub end: i64,
}

impl Saved {
    /// What the file brings back at `now`, apart from what has expired. Kafka's format has
    /// the newest batch only, with the producer's timestamp, and does not know when the
    /// producer was last seen.
    pub fn producers_at(&self, now: i64) -> impl Iterator<Item = (i64, Producer)> + '_ {
        self.producers
            .iter()
            .cloned()
            .map(move |(id, mut producer)| {
                if self.format == Format::Kafka {
                    producer.last_seen = now;
                    producer
                        .window
                        .drain(..producer.window.len().saturating_sub(1));
                    for newest in &mut producer.window {
                        newest.timestamp = producer.last_timestamp;
                    }
                }
                (id, producer)
            })
    }

    /// Whether it can be the state of a log that ends here.
    pub fn fits(&self, end: i64) -> bool {
        let newest = |producer: &Producer| producer.window.last().map(|newest| newest.last_offset);
        match self.format {
            Format::WholeWindow => end == self.end,
            Format::Kafka => self
                .producers
                .iter()
                .all(|(_, producer)| newest(producer) < Some(end)),
        }
    }
}

//! What restoring a file must come to.

use std::collections::BTreeSet;

use retryproof::state_manager::snapshot::{kafka, whole_window};
use retryproof::state_manager::{Config, Offset, Profile};

use super::super::producer::{Cached, Producer};

/// The contents of a file.
pub struct File {
    /// Where the state ends, if that stands in the file.
    end: Option<i64>,
    /// As they stand in the file. Those of Kafka's format were last seen when they are
    /// restored.
    producers: Vec<(i64, Producer)>,
}

impl File {
    pub fn kafka(parsed: &kafka::Parsed<'_>) -> Self {
        let producer = |entry: kafka::Entry| {
            let newest = Cached::ending(
                entry.last_sequence.into(),
                entry.last_offset,
                entry.offset_delta.into(),
                entry.timestamp,
            );
            let producer = Producer {
                epoch: entry.epoch,
                coordinator_epoch: entry.coordinator_epoch,
                window: entry.has_batch().then_some(newest).into_iter().collect(),
                last_timestamp: entry.timestamp,
                last_seen: -1,
                transaction: Some(entry.transaction_first_offset).filter(|first| *first >= 0),
            };
            (entry.producer_id, producer)
        };
        File {
            end: None,
            producers: parsed.entries().map(producer).collect(),
        }
    }

    pub fn whole_window(parsed: &whole_window::Parsed<'_>) -> Self {
        let producer = |entry: whole_window::Entry<'_>| {
            let batches = entry.batches().map(|batch| {
                let (last, delta) = (batch.last_sequence.into(), batch.offset_delta.into());
                Cached::ending(last, batch.last_offset, delta, batch.timestamp)
            });
            let transaction = entry.producer.transaction_first_offset;
            let producer = Producer {
                epoch: entry.producer.epoch,
                coordinator_epoch: entry.producer.coordinator_epoch,
                window: batches.collect(),
                last_timestamp: entry.producer.last_timestamp,
                last_seen: entry.producer.last_seen,
                transaction: Some(transaction).filter(|first| *first >= 0),
            };
            (entry.producer.producer_id, producer)
        };
        File {
            end: Some(parsed.map_end()),
            producers: parsed.entries().map(producer).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.producers.len()
    }

    fn last_offset(&self) -> Option<i64> {
        let newest = self
            .producers
            .iter()
            .flat_map(|(_, producer)| producer.window.last());
        newest.map(|newest| newest.last_offset).max()
    }

    fn transactions(&self) -> impl Iterator<Item = i64> + '_ {
        let producers = self.producers.iter();
        producers.filter_map(|(_, producer)| producer.transaction)
    }

    /// The last offset that it names.
    fn last(&self) -> Option<i64> {
        self.transactions().chain(self.last_offset()).max()
    }

    fn comes_twice(producers: &[(i64, Producer)]) -> bool {
        let ids: BTreeSet<_> = producers
            .iter()
            .map(|(producer_id, _)| producer_id)
            .collect();
        ids.len() < producers.len()
    }

    /// Where the log ends that it is the state of: the least end, if the file does not say.
    pub fn end(&self) -> i64 {
        let end = self.last().map_or(0, |last| last.saturating_add(1));
        self.end.unwrap_or(end)
    }

    /// An end that it cannot have.
    pub fn too_early(&self) -> Option<Offset> {
        let too_early = match self.end {
            Some(end) => end - 1,
            None => self.last()?,
        };
        Offset::new(too_early)
    }

    /// Whether no producer comes twice, no two transactions begin at one offset, and all of it
    /// lies before the end.
    pub fn can_be_restored(&self) -> bool {
        let begun: BTreeSet<i64> = self.transactions().collect();
        !Self::comes_twice(&self.producers)
            && begun.len() == self.transactions().count()
            && self.last() < Some(self.end())
    }

    /// What is known at `now`, by producer id, with windows of so many batches.
    pub fn producers(&self, config: &Config, window: usize, now: i64) -> Vec<(i64, Producer)> {
        let hardened = config.profile() == Profile::Hardened;
        let expiry = i64::try_from(config.expiry().as_millis()).expect("a day");
        let mut producers = self.producers.clone();
        producers.retain_mut(|(_, producer)| {
            if self.end.is_none() {
                producer.last_seen = now;
            }
            producer
                .window
                .drain(..producer.window.len().saturating_sub(window));
            !producer.is_expired(hardened, expiry, now)
        });
        producers.sort_by_key(|(producer_id, _)| *producer_id);
        producers
    }
}

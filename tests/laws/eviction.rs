//! The cap on producers, against a plain list in the order of use.

use std::num::NonZeroUsize;

use quickcheck::{quickcheck, TestResult};
use retryproof::state_manager::snapshot::Format;
use retryproof::state_manager::{Config, ProducerStateManager};

use crate::log::{after, log, record_all, Choice, Content, Entry};
use crate::seen::{seen, Seen};

/// Producers in the order of use, least recent first, each with whether its transaction is
/// open.
#[derive(Default)]
struct Plain {
    producers: Vec<(i64, bool)>,
    evicted: u64,
}

impl Plain {
    /// Something of a producer is recorded. Room is made only when one comes that is not known.
    fn record(&mut self, entry: &Entry, cap: usize) {
        let Some(id) = entry.producer().map(|producer| producer.get()) else {
            return;
        };
        let known = self.producers.iter().position(|(known, _)| *known == id);
        let was_open = match known {
            Some(at) => self.producers.remove(at).1,
            None => {
                self.make_room(cap);
                false
            }
        };
        let is_open = match entry.content {
            Content::Batch { transactional, .. } => was_open || transactional,
            Content::Marker(_) => false,
            Content::Plain | Content::EmptyControl(_) => was_open,
        };
        self.producers.push((id, is_open));
    }

    fn make_room(&mut self, cap: usize) {
        while self.producers.len() >= cap {
            let Some(oldest) = self.producers.iter().position(|(_, is_open)| !is_open) else {
                return;
            };
            self.producers.remove(oldest);
            self.evicted += 1;
        }
    }

    fn ids(&self) -> Vec<i64> {
        let mut ids: Vec<_> = self.producers.iter().map(|(id, _)| *id).collect();
        ids.sort_unstable();
        ids
    }
}

fn capped(cap: u8) -> (usize, Config) {
    let cap = NonZeroUsize::MIN.saturating_add(usize::from(cap % 5));
    let config = Config::hardened().with_max_producers(cap);
    (cap.get(), config.expect("a small cap"))
}

quickcheck! {
    /// Evicted is who was least recently used and has no transaction open, when one comes that
    /// is not known; while all have one open, the cap is exceeded.
    fn the_least_recently_used_is_evicted(choices: Vec<Choice>, cap: u8) -> bool {
        let (cap, config) = capped(cap);
        let mut manager = ProducerStateManager::new(config);
        let mut plain = Plain::default();
        log(&choices).iter().all(|entry| {
            record_all(&mut manager, &[*entry]);
            plain.record(entry, cap);
            seen(&manager).ids() == plain.ids()
                && manager.metrics().counts().evicted == plain.evicted
        })
    }

    /// A producer with an open transaction is never evicted: the cap changes nothing about
    /// which transactions are open.
    fn an_open_transaction_keeps_its_producer(choices: Vec<Choice>, cap: u8) -> bool {
        let (_, config) = capped(cap);
        let log = log(&choices);
        let open_transactions = |config| {
            let mut manager = ProducerStateManager::new(config);
            record_all(&mut manager, &log);
            let Seen { producers, first_undecided, .. } = seen(&manager);
            let open = producers.into_iter().filter_map(|(id, producer)| {
                producer.transaction_first_offset.map(|first| (id, first))
            });
            (first_undecided, open.collect::<Vec<_>>())
        };
        open_transactions(config) == open_transactions(Config::hardened())
    }

    /// The order of use survives a snapshot of whole windows: later on the same producers are
    /// evicted as without a restart. (If the cap is exceeded, a restart makes room at once.)
    fn the_order_of_use_survives_a_restart(
        choices: Vec<Choice>,
        cut: usize,
        cap: u8
    ) -> TestResult {
        let (cap, config) = capped(cap);
        let log = log(&choices);
        let (before, since) = log.split_at(cut % (log.len() + 1));
        let mut live = ProducerStateManager::new(config);
        record_all(&mut live, before);
        if live.len() > cap {
            return TestResult::discard();
        }
        let bytes = live.encode(Format::WholeWindow).expect("few producers");
        let mut restored = ProducerStateManager::new(config);
        let restart = restored.restore(&bytes, live.map_end_offset(), after(before));
        restart.expect("sound bytes");
        record_all(&mut live, since);
        record_all(&mut restored, since);
        TestResult::from_bool(seen(&restored) == seen(&live))
    }
}

//! What a snapshot keeps.

use quickcheck::quickcheck;
use retryproof::state_manager::snapshot::{kafka, whole_window, Format};
use retryproof::state_manager::{Config, ProducerStateManager};

use crate::log::{after, log, record_all, Choice, Entry};
use crate::seen::{answer, batches_to_try, seen};

/// A manager that recorded a log, and one that was restored from its snapshot.
fn live_and_restored(
    log: &[Entry],
    format: Format,
) -> (ProducerStateManager, ProducerStateManager) {
    let config = match format {
        Format::Kafka => Config::kafka(),
        Format::WholeWindow => Config::hardened(),
    };
    let mut live = ProducerStateManager::new(config);
    record_all(&mut live, log);
    let bytes = live.encode(format).expect("few producers");
    let mut restored = ProducerStateManager::new(config);
    let told = restored.restore(&bytes, live.map_end_offset(), after(log));
    assert_eq!(told.expect("sound bytes").producers, live.len());
    (live, restored)
}

/// The entries of a file of Kafka's format, by producer id.
fn kafka_entries(bytes: &[u8]) -> Vec<kafka::Entry> {
    let mut entries: Vec<_> = kafka::parse(bytes)
        .expect("sound bytes")
        .entries()
        .collect();
    entries.sort_by_key(|entry| entry.producer_id);
    entries
}

/// The entries of a file of whole windows, by producer id.
fn window_entries(bytes: &[u8]) -> Vec<(whole_window::Producer, Vec<whole_window::BatchRecord>)> {
    let parsed = whole_window::parse(bytes).expect("sound bytes");
    let entries = parsed
        .entries()
        .map(|entry| (entry.producer, entry.batches().collect()));
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(|(producer, _)| producer.producer_id);
    entries
}

quickcheck! {
    /// A snapshot of whole windows loses nothing.
    fn whole_windows_lose_nothing(choices: Vec<Choice>) -> bool {
        let (live, restored) = live_and_restored(&log(&choices), Format::WholeWindow);
        seen(&restored) == seen(&live)
    }

    /// Under another window, the newest batches that there is room for are restored.
    fn a_smaller_window_takes_the_newest_batches(choices: Vec<Choice>, window: u8) -> bool {
        let log = log(&choices);
        let window = usize::from(window % 8) + 1;
        let (live, _) = live_and_restored(&log, Format::WholeWindow);
        let bytes = live.encode(Format::WholeWindow).expect("few producers");
        let config = Config::hardened().with_window(window).expect("1 to 63");
        let mut restored = ProducerStateManager::new(config);
        let told = restored.restore(&bytes, live.map_end_offset(), after(&log));
        told.expect("sound bytes");
        let mut expected = seen(&live);
        for producer in expected.producers.values_mut() {
            let older = producer.batches.len().saturating_sub(window);
            producer.batches.drain(..older);
        }
        seen(&restored) == expected
    }

    /// A manager restored from whole windows decides every batch as the live one does.
    fn whole_windows_decide_alike(choices: Vec<Choice>) -> bool {
        let (live, restored) = live_and_restored(&log(&choices), Format::WholeWindow);
        let to_try = batches_to_try(&seen(&live));
        to_try.iter().all(|batch| answer(&live, batch) == answer(&restored, batch))
    }

    /// A snapshot of Kafka's format keeps of each producer all but the window, of which it
    /// keeps the newest batch, with the producer's last timestamp for its own.
    fn kafkas_format_keeps_the_newest_batch(choices: Vec<Choice>) -> bool {
        let log = log(&choices);
        let (live, restored) = live_and_restored(&log, Format::Kafka);
        let mut expected = seen(&live);
        for producer in expected.producers.values_mut() {
            let older = producer.batches.len().saturating_sub(1);
            producer.batches.drain(..older);
            for newest in &mut producer.batches {
                newest.timestamp = producer.last_timestamp;
            }
            producer.last_seen = after(&log);
        }
        seen(&restored) == expected
    }

    /// A manager restored from Kafka's format gives the live one's answers, but to a retry
    /// of an older batch than the newest.
    fn kafkas_format_decides_alike_but_for_older_batches(choices: Vec<Choice>) -> bool {
        let (live, restored) = live_and_restored(&log(&choices), Format::Kafka);
        crate::replay::alike_but_for_lost_batches(&live, &restored)
    }

    /// Equal states have equal snapshots, but for the order of producers.
    fn equal_states_have_equal_snapshots(choices: Vec<Choice>) -> bool {
        let (live, restored) = live_and_restored(&log(&choices), Format::WholeWindow);
        let encode = |manager: &ProducerStateManager, format| {
            manager.encode(format).expect("few producers")
        };
        let [one, other] = [&live, &restored];
        kafka_entries(&encode(one, Format::Kafka)) == kafka_entries(&encode(other, Format::Kafka))
            && window_entries(&encode(one, Format::WholeWindow))
                == window_entries(&encode(other, Format::WholeWindow))
    }

    /// A restore that is refused changes nothing.
    fn a_refused_restore_changes_nothing(choices: Vec<Choice>, at: usize) -> bool {
        let log = log(&choices);
        let (mut live, _) = live_and_restored(&log, Format::WholeWindow);
        let mut bytes = live.encode(Format::WholeWindow).expect("few producers");
        let at = at % bytes.len();
        bytes[at] ^= 1;
        let before = seen(&live);
        let refused = live.restore(&bytes, live.map_end_offset(), after(&log)).is_err();
        refused && seen(&live) == before
    }
}

//! A log that is replayed in pieces, with a restart between them.

use quickcheck::quickcheck;
use retryproof::state_manager::snapshot::Format;
use retryproof::state_manager::{BatchView, Config, Duplicate, ProducerStateManager};

use crate::log::{log, record_all, Choice, Entry};
use crate::seen::{answer, batches_to_try, seen, Answer, SeenProducer};

/// A manager that recorded the log at once.
fn at_once(config: Config, log: &[Entry]) -> ProducerStateManager {
    let mut manager = ProducerStateManager::new(config);
    record_all(&mut manager, log);
    manager
}

/// A manager that recorded the log with a restart at each of the cuts.
fn in_pieces(
    config: Config,
    log: &[Entry],
    cuts: &[usize],
    format: Format,
) -> ProducerStateManager {
    let mut cuts: Vec<_> = cuts.iter().map(|cut| cut % (log.len() + 1)).collect();
    cuts.sort_unstable();
    let mut manager = ProducerStateManager::new(config);
    let mut from = 0;
    for cut in cuts {
        record_all(&mut manager, &log[from..cut]);
        let bytes = manager.encode(format).expect("few producers");
        let end = manager.map_end_offset();
        let now = crate::log::after(&log[..cut]);
        manager = ProducerStateManager::new(config);
        manager.restore(&bytes, end, now).expect("sound bytes");
        from = cut;
    }
    record_all(&mut manager, &log[from..]);
    manager
}

/// A batch of a window without its timestamp: Kafka's format keeps another in its place.
fn without_timestamp(batch: &BatchView) -> impl PartialEq {
    (
        batch.first_sequence,
        batch.last_sequence,
        batch.first_offset,
        batch.last_offset,
    )
}

/// The answer without the original's timestamp.
fn untimed(answer: Answer) -> (Answer, Option<(i64, i64)>) {
    match answer {
        Answer::Duplicate(Duplicate {
            first_offset,
            last_offset,
            ..
        }) => (
            Answer::Append,
            Some((first_offset.get(), last_offset.get())),
        ),
        other => (other, None),
    }
}

/// Whether two managers decide every batch alike, but for retries of batches that the live
/// one remembers and the other does not.
pub fn alike_but_for_lost_batches(
    live: &ProducerStateManager,
    other: &ProducerStateManager,
) -> bool {
    let kept = seen(other);
    let is_lost = |producer: i64, original: &Duplicate| {
        let kept = kept.producers.get(&producer);
        let mut batches = kept.into_iter().flat_map(|kept| &kept.batches);
        !batches.any(|batch| batch.first_offset == original.first_offset)
    };
    batches_to_try(&seen(live)).iter().all(|batch| {
        let by_live = answer(live, batch);
        match &by_live {
            Answer::Duplicate(original) if is_lost(batch.producer_id().get(), original) => true,
            _ => untimed(by_live) == untimed(answer(other, batch)),
        }
    })
}

/// Whether this is what is left of a producer if nothing but older batches was lost.
fn is_shortened(live: &SeenProducer, other: &SeenProducer) -> bool {
    let lost = live.batches.len().saturating_sub(other.batches.len());
    let left = live.batches[lost..].iter().map(without_timestamp);
    let newest_is_there = live.batches.is_empty() || !other.batches.is_empty();
    let last_batches = left.eq(other.batches.iter().map(without_timestamp));
    let same = |producer: &SeenProducer| {
        (
            producer.epoch,
            producer.last_timestamp,
            producer.coordinator_epoch,
            producer.transaction_first_offset,
        )
    };
    newest_is_there && last_batches && same(live) == same(other)
}

quickcheck! {
    /// With snapshots of whole windows, a log replayed in pieces leads to the same state as
    /// the log replayed at once.
    fn pieces_with_whole_windows_are_the_whole(
        choices: Vec<Choice>,
        cuts: Vec<usize>,
        hardened: bool,
        window: u8
    ) -> bool {
        let log = log(&choices);
        let config = if hardened { Config::hardened() } else { Config::kafka() };
        let config = config.with_window(usize::from(window % 7) + 1).expect("1 to 63");
        let live = at_once(config, &log);
        let pieces = in_pieces(config, &log, &cuts, Format::WholeWindow);
        let to_try = batches_to_try(&seen(&live));
        seen(&pieces) == seen(&live)
            && to_try.iter().all(|batch| answer(&live, batch) == answer(&pieces, batch))
    }

    /// With snapshots of Kafka's format, the same producers are known afterwards, each with
    /// the same epoch, timestamp and open transaction, and with the newest batches of its
    /// window, at least one if there is any.
    fn pieces_with_kafkas_format_lose_older_batches_only(
        choices: Vec<Choice>,
        cuts: Vec<usize>
    ) -> bool {
        let log = log(&choices);
        let live = seen(&at_once(Config::kafka(), &log));
        let pieces = seen(&in_pieces(Config::kafka(), &log, &cuts, Format::Kafka));
        let mut producers = live.producers.iter().zip(&pieces.producers);
        live.ids() == pieces.ids()
            && live.map_end == pieces.map_end
            && live.first_undecided == pieces.first_undecided
            && producers.all(|((_, live), (_, other))| is_shortened(live, other))
    }

    /// With snapshots of Kafka's format, every batch is decided as without a restart, but
    /// for a retry of a batch that stands before the one that was newest at the last cut.
    fn pieces_with_kafkas_format_decide_alike(choices: Vec<Choice>, cuts: Vec<usize>) -> bool {
        let log = log(&choices);
        let live = at_once(Config::kafka(), &log);
        let pieces = in_pieces(Config::kafka(), &log, &cuts, Format::Kafka);
        alike_but_for_lost_batches(&live, &pieces)
    }

    /// What is lost with Kafka's format are exactly the batches that stand before the one
    /// that was newest at the cut.
    fn kafkas_format_loses_exactly_what_stands_before_the_newest(choices: Vec<Choice>, cut: usize) -> bool {
        let log = log(&choices);
        let cut = cut % (log.len() + 1);
        let live = seen(&at_once(Config::kafka(), &log));
        let pieces = seen(&in_pieces(Config::kafka(), &log, &[cut], Format::Kafka));
        let at_cut = seen(&at_once(Config::kafka(), &log[..cut]));
        live.producers.iter().all(|(id, live)| {
            let newest_at_cut = at_cut.producers.get(id).and_then(|known| known.batches.last());
            let kept = live.batches.iter().filter(|batch| {
                newest_at_cut.is_none_or(|newest| batch.first_offset >= newest.first_offset)
            });
            let shown = &pieces.producers[id].batches;
            kept.map(without_timestamp).eq(shown.iter().map(without_timestamp))
        })
    }
}

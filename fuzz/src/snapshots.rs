//! Bytes read as a snapshot, whatever they are.

mod expected;
mod repair;

use retryproof::state_manager::snapshot::{detect, kafka, whole_window, Format};
use retryproof::state_manager::{
    Batch, Check, CommitError, Config, Counts, Epoch, Offset, Permit, ProducerId,
    ProducerStateManager, Sequence, Timestamp,
};

use super::producer::Producer;
use expected::File;

/// Fails if a reader panics, takes what it must refuse, or makes something else of the bytes
/// than they say.
pub fn run(bytes: &[u8]) {
    compare(bytes, |window| window);
}

/// As [`run`], expecting another number of batches than the manager keeps: what shows that a
/// difference is noticed.
pub fn compare(bytes: &[u8], expected_window: fn(usize) -> usize) {
    let bytes = bytes.to_vec();
    let repaired = [
        repair::checksum(bytes.clone()),
        repair::counts(bytes.clone()),
    ];
    let mut forms: Vec<Vec<u8>> = repaired.into_iter().flatten().chain([bytes]).collect();
    forms.dedup();
    for bytes in forms {
        let file = read(&bytes);
        for profile in [Config::kafka(), Config::hardened()] {
            for (window, now) in [(1, 0), (5, i64::MAX), (63, i64::MIN)] {
                let config = profile.with_window(window).expect("possible");
                let expected = file.as_ref().map(|file| (file, expected_window(window)));
                restore(&bytes, config, expected, now);
            }
        }
    }
}

/// What the file holds, if it can be read. A file that can is the only one of its contents:
/// writing them again gives the same bytes.
fn read(bytes: &[u8]) -> Option<File> {
    let format = detect(bytes).ok();
    let kafka = kafka::parse(bytes);
    let whole_window = whole_window::parse(bytes);
    assert!(format == Some(Format::Kafka) || kafka.is_err());
    assert!(format == Some(Format::WholeWindow) || whole_window.is_err());
    if let Ok(parsed) = kafka {
        let again = kafka::encode(parsed.entries()).expect("few producers");
        assert_eq!(again, bytes);
        return Some(File::kafka(&parsed));
    }
    let parsed = whole_window.ok()?;
    let mut encoder = whole_window::Encoder::new(parsed.map_end());
    for entry in parsed.entries() {
        encoder
            .push(&entry.producer, entry.batches())
            .expect("few batches");
    }
    assert_eq!(encoder.finish(), bytes);
    Some(File::whole_window(&parsed))
}

/// Restores the file over a state, at the end of log that it has, and before it.
fn restore(bytes: &[u8], config: Config, expected: Option<(&File, usize)>, now: i64) {
    let (mut manager, permit) = prepared(config);
    let before = Everything::of(&manager);
    let end = expected.map_or(7, |(file, _)| file.end());
    if let Some(early) = expected.and_then(|(file, _)| file.too_early()) {
        assert!(manager.restore(bytes, early, ms(now)).is_err(), "{early}");
        assert_eq!(Everything::of(&manager), before, "refused");
    }
    let restored = manager.restore(bytes, offset(end), ms(now));
    let expected = expected.filter(|(file, _)| file.can_be_restored());
    assert_eq!(restored.is_ok(), expected.is_some(), "{restored:?}");
    let (Ok(restored), Some((file, window))) = (restored, expected) else {
        assert_eq!(Everything::of(&manager), before, "refused");
        assert!(
            manager.commit(permit, offset(7), ms(0)).is_ok(),
            "as it was"
        );
        return;
    };
    let producers = file.producers(&config, window, now);
    assert_eq!(views(&manager), producers);
    assert_eq!(restored.producers, producers.len());
    assert_eq!(restored.producers + restored.expired, file.len());
    assert_eq!(manager.metrics().counts().restored, producers.len() as u64);
    assert_eq!(manager.map_end_offset().get(), end);
    assert_eq!(
        manager.commit(permit, offset(end), ms(0)),
        Err(CommitError::StalePermit)
    );
    check_state(&manager);
    comes_back(&manager);
    go_on(&mut manager);
}

/// A manager that knows something, with a permit.
fn prepared(config: Config) -> (ProducerStateManager, Permit) {
    let mut manager = ProducerStateManager::new(config);
    let next = |number, first| batch(id(number), Epoch::new(3), first, 1);
    for (number, first) in [(1, 0), (2, 0), (2, 1)] {
        append(&mut manager, &next(number, first).transactional());
    }
    append(&mut manager, &next(0, 0));
    manager.skip_to(offset(7)).expect("ahead");
    match manager.check(&next(0, 1)) {
        Check::Append(permit) => (manager, permit),
        other => panic!("{other:?}"),
    }
}

/// All that can be seen of a manager.
#[derive(Debug, PartialEq)]
struct Everything {
    encoded: Vec<Vec<u8>>,
    views: Vec<(i64, Producer)>,
    map_end: Offset,
    first_unstable: Option<Offset>,
    first_undecided: Option<Offset>,
    counts: Counts,
}

impl Everything {
    fn of(manager: &ProducerStateManager) -> Self {
        let encoded = Format::ALL.map(|format| manager.encode(format).expect("few"));
        Everything {
            encoded: encoded.to_vec(),
            views: views(manager),
            map_end: manager.map_end_offset(),
            first_unstable: manager.first_unstable_offset(),
            first_undecided: manager.first_undecided_offset(),
            counts: manager.metrics().counts(),
        }
    }
}

/// The producers, by their ids.
fn views(manager: &ProducerStateManager) -> Vec<(i64, Producer)> {
    let mut views: Vec<_> = manager
        .active_producers()
        .map(|view| (view.producer_id().get(), Producer::of(&view)))
        .collect();
    views.sort_by_key(|(producer_id, _)| *producer_id);
    views
}

/// What is true of every state, wherever it came from.
fn check_state(manager: &ProducerStateManager) {
    let transactions = views(manager).into_iter();
    let oldest = transactions
        .filter_map(|(_, producer)| producer.transaction)
        .min();
    assert_eq!(manager.first_undecided_offset().map(Offset::get), oldest);
    assert_eq!(manager.first_unstable_offset().map(Offset::get), oldest);
    for (producer_id, producer) in views(manager) {
        assert!(producer.window.len() <= manager.config().window());
        let mut free = 0;
        for batch in &producer.window {
            assert!(batch.first_offset >= free, "{producer_id}: {producer:?}");
            assert!(
                batch.last_offset >= batch.first_offset,
                "{producer_id}: {producer:?}"
            );
            free = batch.last_offset + 1;
        }
        assert!(
            free <= manager.map_end_offset().get(),
            "{producer_id}: {producer:?}"
        );
    }
}

/// A state that is written and read again is the same, in both formats as far as they go.
fn comes_back(manager: &ProducerStateManager) {
    let end = manager.map_end_offset();
    for format in Format::ALL {
        let bytes = manager.encode(format).expect("few producers");
        let mut again = ProducerStateManager::new(*manager.config());
        let restored = again
            .restore(&bytes, end, ms(i64::MIN))
            .expect("just written");
        assert_eq!((restored.producers, restored.expired), (manager.len(), 0));
        assert_eq!(again.encode(format).expect("few producers"), bytes);
        assert_eq!(
            again.first_undecided_offset(),
            manager.first_undecided_offset()
        );
        if format == Format::WholeWindow {
            assert_eq!(views(&again), views(manager));
        }
    }
}

/// Every producer can go on: a retry of its newest batch is recognised, the next one is
/// appended, unless the window has one with the same sequences.
fn go_on(manager: &mut ProducerStateManager) {
    for (producer_id, producer) in views(manager) {
        let Some(newest) = producer.window.last() else {
            continue;
        };
        let epoch = Epoch::new(producer.epoch);
        let retried = i32::try_from(newest.records())
            .ok()
            .filter(|_| newest.last != -1);
        for (first, records) in retried
            .map(|records| (newest.first, records))
            .into_iter()
            .chain([(producer.next_sequence(), 1)])
        {
            let batch = batch(id(producer_id), epoch, first, records).transactional();
            let last = i64::from(batch.last_sequence().get());
            let original = producer
                .window
                .iter()
                .find(|old| (old.first, old.last) == (first, last));
            match (manager.check(&batch), original) {
                (Check::Duplicate(found), Some(original)) => {
                    assert_eq!(found.first_offset.get(), original.first_offset);
                    assert_eq!(found.last_offset.get(), original.last_offset);
                    assert_eq!(found.timestamp.get(), original.timestamp);
                }
                (Check::Append(permit), None) => {
                    let end = manager.map_end_offset();
                    let room = end.checked_add(i64::from(records)).is_some();
                    assert_eq!(manager.commit(permit, end, ms(0)).is_ok(), room);
                }
                (answer, _) => panic!("{producer_id}: {producer:?}: {answer:?}"),
            }
        }
    }
    check_state(manager);
}

fn append(manager: &mut ProducerStateManager, batch: &Batch) {
    let end = manager.map_end_offset();
    match manager.check(batch) {
        Check::Append(permit) => manager.commit(permit, end, ms(0)).expect("fresh"),
        other => panic!("{other:?}"),
    };
}

fn batch(producer_id: ProducerId, epoch: Epoch, first: i64, records: i32) -> Batch {
    let first = i32::try_from(first)
        .ok()
        .and_then(Sequence::new)
        .expect("in range");
    Batch::new(producer_id, epoch, first, records, ms(0)).expect("one record or more")
}

fn id(number: i64) -> ProducerId {
    ProducerId::new(number).expect("not negative")
}

fn offset(number: i64) -> Offset {
    Offset::new(number).expect("not negative")
}

fn ms(number: i64) -> Timestamp {
    Timestamp::from_millis(number)
}

//! An operator is told what matters, as `tracing` events. Alone in its process: which events
//! anybody wants is remembered for all threads.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use retryproof::state_manager::snapshot::SnapshotDirectory;
use retryproof::state_manager::{
    Batch, Check, Config, Epoch, Offset, ProducerId, ProducerStateManager, Sequence, Timestamp,
};

/// Keeps the messages of all events.
#[derive(Clone, Default)]
struct Messages(Arc<Mutex<Vec<String>>>);

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.push_str(&format!("{}={value:?} ", field.name()));
    }
}

impl Subscriber for Messages {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut text = Text(format!("{} ", event.metadata().level()));
        event.record(&mut text);
        self.0.lock().unwrap().push(text.0);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

fn batch(producer: i64, first: i32) -> Batch {
    Batch::new(
        ProducerId::new(producer).expect("not negative"),
        Epoch::new(0),
        Sequence::new(first).expect("not negative"),
        1,
        Timestamp::from_millis(0),
    )
    .expect("a record")
}

fn offset(number: i64) -> Offset {
    Offset::new(number).expect("not negative")
}

/// Has a batch checked and, if it is accepted, committed.
fn send(manager: &mut ProducerStateManager, batch: Batch) {
    if let Check::Append(permit) = manager.check(&batch) {
        let end = manager.map_end_offset();
        manager
            .commit(permit, end, Timestamp::from_millis(0))
            .expect("the permit is fresh");
    }
}

#[test]
fn an_operator_is_told_what_matters() {
    let messages = Messages::default();
    let place = tempfile::tempdir().expect("a directory");
    tracing::subscriber::with_default(messages.clone(), || {
        let directory = SnapshotDirectory::open(place.path()).expect("just made");
        let cap = NonZeroUsize::new(2).expect("not 0");
        let config = Config::kafka().with_max_producers(cap).expect("possible");
        let mut manager = ProducerStateManager::new(config);
        send(&mut manager, batch(9000, 0));
        send(&mut manager, batch(9000, 0));
        send(&mut manager, batch(9000, 7));
        for producer in 1..=4 {
            send(&mut manager, batch(producer, 0).transactional());
        }
        manager.take_snapshot(&directory).expect("room on the disk");
        let now = Timestamp::from_millis(86_400_000);
        let _ = manager
            .truncate_and_reload(&directory, Offset::ZERO, offset(9), now)
            .expect("readable");
        let mut manager = ProducerStateManager::new(Config::kafka());
        send(&mut manager, batch(9001, 0));
        manager.remove_expired(now);
    });
    let messages = messages.0.lock().expect("nobody panicked");
    for expected in [
        "DEBUG message=duplicate batch producer_id=9000 epoch=0 first_sequence=0 last_sequence=0 \
         original_offset=0 ",
        "WARN message=rejected: out of order: expected sequence 1, received 7 (it follows the \
         newest batch) producer_id=9000 error=\"OUT_OF_ORDER_SEQUENCE_NUMBER\" ",
        "INFO message=producer evicted: there are more than the cap producer_id=9000 last_seen=0 ",
        "WARN message=more producers than the cap: all have a transaction open producers=3 ",
        "INFO message=producer state loaded snapshot=5 producers=4 expired=0 ",
        "INFO message=producer expired producer_id=9001 last_timestamp=0 last_seen=0 ",
    ] {
        assert!(
            messages.iter().any(|message| message == expected),
            "no {expected:?} among {messages:#?}"
        );
    }
    for part in ["wrote producer snapshot", "loaded producer snapshot"] {
        assert!(
            messages.iter().any(|message| message.contains(part)),
            "no {part:?} among {messages:#?}"
        );
    }
}

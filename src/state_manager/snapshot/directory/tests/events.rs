//! What is told to whoever listens.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::*;

/// Writes down every event as a line.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<(Level, String)>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, "{}={value:?} ", field.name()).unwrap();
    }
}

impl Subscriber for Listener {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        let told = (*event.metadata().level(), line.0);
        self.0.lock().unwrap().push(told);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn what_is_written_skipped_removed_and_loaded_is_told() {
    let listener = Listener::default();
    // With a single listener in the process, whether an event is listened to is asked of the
    // thread that comes by first, which may be that of another test. With two, both are.
    let _second = tracing::Dispatch::new(Listener::default());
    tracing::subscriber::with_default(listener.clone(), || {
        let (_place, directory) = with(&[], &[]);
        directory.write(10, Format::Kafka, &snapshot_of(1)).unwrap();
        directory.write(20, Format::Kafka, b"half").unwrap();
        let loaded = directory.load_newest_valid((0, 20), Format::Kafka, ids);
        loaded.unwrap();
    });
    let told = listener.0.lock().unwrap();
    let expected = [
        (
            Level::INFO,
            "wrote producer snapshot",
            "10.snapshot offset=10 bytes=56",
        ),
        (
            Level::INFO,
            "wrote producer snapshot",
            "20.snapshot offset=20 bytes=4",
        ),
        (
            Level::WARN,
            "skipped producer snapshot",
            "20.snapshot reason=the file has 4 bytes",
        ),
        (Level::INFO, "removed producer snapshot", "20.snapshot"),
        (
            Level::INFO,
            "loaded producer snapshot",
            "10.snapshot offset=10",
        ),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((level, line), (of_level, message, words)) in told.iter().zip(expected) {
        assert_eq!(*level, of_level, "{line}");
        assert!(line.contains(message), "{message}: {line}");
        assert!(line.contains(words), "{words}: {line}");
    }
}

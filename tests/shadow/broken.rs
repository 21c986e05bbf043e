//! Subjects with one thing wrong: each is caught, and shrunk to a short list.

use retryproof::shadow::search::{Search, Walked};
use retryproof::shadow::{ProductionManager, StateManager, SubjectFailure};
use retryproof_models::specification::{
    Answer, ErrorName, Fate, Operation, Origin, Settings, Snapshots, State,
};

use crate::Specified;

/// Lists that a broken subject may need until it is caught.
const LISTS: u64 = 300;

type Answered = Result<Answer, SubjectFailure>;

/// A subject that does something else than it is told to.
struct Broken {
    inner: Box<dyn StateManager>,
    settings: fn(Settings) -> Settings,
    deed: fn(&mut dyn StateManager, &Operation) -> Answered,
}

impl Broken {
    /// Ours, doing this in place of each operation.
    fn ours(deed: fn(&mut dyn StateManager, &Operation) -> Answered) -> Self {
        Broken {
            inner: Box::new(ProductionManager::default()),
            settings: |settings| settings,
            deed,
        }
    }

    /// The specification, doing this in place of each operation.
    fn specified(deed: fn(&mut dyn StateManager, &Operation) -> Answered) -> Self {
        Broken {
            inner: Box::new(Specified::new()),
            ..Broken::ours(deed)
        }
    }

    /// Ours, with other settings than it is given.
    fn set(settings: fn(Settings) -> Settings) -> Self {
        Broken {
            settings,
            ..Broken::ours(|inner, operation| inner.apply(operation))
        }
    }
}

impl StateManager for Broken {
    fn name(&self) -> String {
        format!("broken {}", self.inner.name())
    }

    fn start(&mut self, settings: &Settings) -> Result<(), SubjectFailure> {
        self.inner.start(&(self.settings)(*settings))
    }

    fn apply(&mut self, operation: &Operation) -> Answered {
        (self.deed)(self.inner.as_mut(), operation)
    }

    fn state(&mut self) -> Result<Option<State>, SubjectFailure> {
        self.inner.state()
    }
}

/// The list that the first difference is shrunk to.
fn caught(mut subject: Broken) -> Walked {
    let mut search = Search::new(&mut subject, &Settings::kafka());
    (0..LISTS)
        .map(|seed| search.walk(seed, || true).expect("it starts"))
        .find(|walked| walked.difference.is_some())
        .expect("a difference is found")
}

/// Asserts that a subject is caught by a list of at most so many operations, whose difference
/// violates these properties.
#[track_caller]
fn is_caught(what: &str, subject: Broken, at_most: usize, properties: &[&str]) {
    let walked = caught(subject);
    let difference = walked.difference.as_ref().expect("a difference");
    let violated = difference.judged.properties();
    let violated: Vec<&str> = violated.iter().map(|property| property.id()).collect();
    assert_eq!(violated, properties, "{what}: {difference:?}");
    let list = serde_json::to_string(&walked.operations).expect("JSON");
    println!("{what}: {} operations {list}", walked.operations.len());
    assert!(walked.operations.len() <= at_most, "{what}: {list}");
}

/// Appends without any check what would be refused for this reason.
fn despite(error: &ErrorName, inner: &mut dyn StateManager, operation: &Operation) -> Answered {
    let answer = inner.apply(operation)?;
    if answer != Answer::Error(error.clone()) {
        return Ok(answer);
    }
    let mut forced = operation.clone();
    if let Operation::Append { origin, .. } | Operation::Marker { origin, .. } = &mut forced {
        *origin = Origin::Replica;
    }
    inner.apply(&forced)
}

/// The operation with another fate, if it has this one.
fn other_fate(operation: &Operation, from: Fate, to: Fate) -> Operation {
    let mut operation = operation.clone();
    if let Operation::Append { fate, .. } = &mut operation {
        if *fate == from {
            *fate = to;
        }
    }
    operation
}

#[test]
fn a_duplicate_answered_with_the_newest_offset() {
    let subject = Broken::ours(|inner, operation| {
        let answer = inner.apply(operation)?;
        let known = inner.state()?.unwrap_or_default();
        let newest = match operation {
            Operation::Append { pid, .. } => known.get(pid).and_then(|it| it.batches.last()),
            _ => None,
        };
        Ok(match (answer, newest) {
            (Answer::Dup(..), Some([.., first, last])) => Answer::Dup(*first, *last),
            (answer, _) => answer,
        })
    });
    is_caught(
        "newest offset",
        subject,
        3,
        &["duplicate-answer-truthful", "ack-truthful"],
    );
}

#[test]
fn a_gap_accepted() {
    let subject = Broken::specified(|inner, operation| {
        despite(&ErrorName::OutOfOrderSequenceNumber, inner, operation)
    });
    is_caught(
        "gap",
        subject,
        2,
        &["no-duplicate", "sequence-per-partition"],
    );
}

#[test]
fn a_stale_epoch_accepted() {
    let subject = Broken::specified(|inner, operation| {
        despite(&ErrorName::InvalidProducerEpoch, inner, operation)
    });
    is_caught(
        "stale epoch",
        subject,
        2,
        &["partition-order", "stale-epoch-rejected"],
    );
}

#[test]
fn the_coordinators_epoch_forgotten() {
    let subject = Broken::specified(|inner, operation| {
        despite(&ErrorName::TransactionCoordinatorFenced, inner, operation)
    });
    is_caught("coordinator epoch", subject, 2, &[]);
}

#[test]
fn a_window_of_four() {
    let four = |settings| Settings {
        window: 4,
        ..settings
    };
    is_caught("window", Broken::set(four), 5, &["log-is-fold"]);
}

#[test]
fn an_expiry_a_millisecond_late() {
    let late = |settings: Settings| Settings {
        expiry_ms: settings.expiry_ms + 1,
        ..settings
    };
    is_caught("expiry", Broken::set(late), 3, &[]);
}

#[test]
fn a_commit_before_the_permit_is_dropped() {
    let subject = Broken::ours(|inner, operation| {
        let kept = other_fate(operation, Fate::Dropped, Fate::Kept);
        let answer = inner.apply(&kept)?;
        Ok(match answer {
            Answer::Append(..) if kept != *operation => Answer::Ok,
            answer => answer,
        })
    });
    is_caught("early commit", subject, 1, &["log-is-fold"]);
}

#[test]
fn a_batch_forgotten_that_was_written_before_a_crash() {
    let subject = Broken::ours(|inner, operation| {
        let lost = other_fate(operation, Fate::CrashAfterWrite, Fate::CrashBeforeWrite);
        inner.apply(&lost)
    });
    is_caught("crash", subject, 1, &["log-is-fold"]);
}

#[test]
fn a_truncation_that_leaves_the_state_alone() {
    let subject = Broken::specified(|inner, operation| match operation {
        Operation::Truncate { .. } => Ok(Answer::Ok),
        _ => inner.apply(operation),
    });
    is_caught("truncation", subject, 2, &["log-is-fold"]);
}

#[test]
fn a_damaged_snapshot_taken_for_a_whole_one() {
    let subject = Broken::specified(|inner, operation| {
        let mut operation = operation.clone();
        if let Operation::Reload { snapshots, .. } = &mut operation {
            if *snapshots == Snapshots::NewestCorrupt {
                *snapshots = Snapshots::Kept;
            }
        }
        inner.apply(&operation)
    });
    is_caught("damaged snapshot", subject, 4, &["log-is-fold"]);
}

#[test]
fn a_sequence_that_does_not_wrap() {
    let subject = Broken::ours(|inner, operation| match *operation {
        Operation::Append {
            seq,
            n,
            origin: Origin::Client,
            ..
        } if seq + n - 1 > i64::from(i32::MAX) => {
            Ok(Answer::Error(ErrorName::OutOfOrderSequenceNumber))
        }
        _ => inner.apply(operation),
    });
    is_caught("wrap", subject, 2, &[]);
}

#[test]
fn a_subject_that_fails_is_told_and_shrunk() {
    let subject = Broken::ours(|inner, operation| match operation {
        Operation::Retention => Err(SubjectFailure::Failed("no retention".to_owned())),
        _ => inner.apply(operation),
    });
    is_caught("failure", subject, 1, &[]);
}

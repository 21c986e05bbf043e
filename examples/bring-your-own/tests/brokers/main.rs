//! The four brokers behind their adapters: three are caught, each by the property that it
//! violates and with the shortest list of operations; one passes everything.

mod bare_counter;
mod gap_window;
mod newest_offset;
mod window;

use bring_your_own::{Batch, Said};
use retryproof::shadow::cases::{self, Outcome};
use retryproof::shadow::specification::{Answer, ErrorName, Fate, Operation, Origin, Settings};
use retryproof::shadow::suite::{Failure, Passed, Suite};
use retryproof::shadow::StateManager;

/// What the three wrong brokers can do: take batches of clients, with and without a producer.
fn is_from_a_client(operation: &Operation) -> bool {
    match operation {
        Operation::Append {
            epoch,
            origin,
            fate,
            ..
        } => *epoch >= 0 && *origin == Origin::Client && *fate == Fate::Kept,
        Operation::Plain { .. } => true,
        _ => false,
    }
}

fn batch(pid: i64, epoch: i64, seq: i64, n: i64) -> Batch {
    Batch {
        producer: pid,
        epoch,
        first: seq,
        records: n,
    }
}

/// What a client is answered about a batch of so many records.
fn answer(said: Said, n: i64) -> Answer {
    match said {
        Said::Appended(first) => Answer::Append(first, first + n - 1),
        Said::Duplicate(first) => Answer::Dup(first, first + n - 1),
        Said::OutOfOrder => Answer::Error(ErrorName::OutOfOrderSequenceNumber),
        Said::StaleEpoch => Answer::Error(ErrorName::InvalidProducerEpoch),
        Said::Invalid => Answer::Error(ErrorName::InvalidRecord),
    }
}

/// Asserts that each test of the suite catches a broker, by these properties, and shrinks the
/// list to so many operations.
#[track_caller]
fn is_caught(subject: &mut dyn StateManager, properties: &[&str], operations: usize) {
    type Test = fn(&Suite, &mut dyn StateManager) -> Result<Passed, Failure>;
    let tests: [(&str, Test); 3] = [
        ("recorded_cases", Suite::recorded_cases),
        ("drawn_lists", Suite::drawn_lists),
        ("every_edge", Suite::every_edge),
    ];
    for (name, test) in tests {
        let failure = test(&Suite::default(), subject).expect_err(name);
        let violated: Vec<&str> = failure.violates().iter().map(|it| it.id()).collect();
        assert_eq!(violated, properties, "{name}: {failure}");
        let list = failure.found().map(|found| found.operations.len());
        assert_eq!(list, Some(operations), "{name}: {failure}");
        is_seen_again(subject, &failure, operations);
    }
}

/// Asserts that the last line of what is told is a case, and that the broker differs in its
/// last step.
#[track_caller]
fn is_seen_again(subject: &mut dyn StateManager, failure: &Failure, operations: usize) {
    let told = failure.to_string();
    let case = told.lines().last().expect("a line");
    let case = cases::read("told", case).expect("a case").remove(0);
    let outcome = case.run(subject, &Settings::kafka()).expect("it starts");
    let Outcome::Walked(differences) = outcome else {
        panic!("{outcome:?}");
    };
    let steps: Vec<usize> = differences.iter().map(|it| it.step).collect();
    assert_eq!(steps, [operations - 1], "{told}");
    let again = differences[0].judged.properties();
    assert_eq!(again, failure.violates(), "{told}");
}

//! The whole suite for a reader's own state manager, as tests of the reader's crate.
//!
//! ```ignore
//! retryproof::state_manager_suite!(MyBroker::default);
//! ```
//!
//! makes three tests, each of which a line of `cargo test` tells by name:
//!
//! | test | what is walked |
//! |---|---|
//! | `recorded_cases` | what the real Apache Kafka 4.3.1 answered, 324 lists ([`recorded`]) |
//! | `drawn_lists` | lists drawn from seeds ([`search`](super::search)) |
//! | `every_edge` | each decision that the rule of the profile comes to in the models ([`edges`](super::edges)) |
//!
//! What fails is shrunk, and told with the property that it violates ([`judge`](super::judge))
//! and with a file for `retryproof shadow --cases`. [`Suite`] is the same with other
//! settings.
//!
//! `docs/bring-your-own.md` goes through it, `examples/bring-your-own` has four brokers.

mod failure;
mod passed;
mod worlds;

use retryproof_models::specification::{Profile, Settings};

use super::cases::{Case, Outcome};
use super::edges::{edges, on_subject};
use super::found::Found;
use super::search::Search;
use super::shorten::shorten;
use super::subject::StateManager;
use super::{recorded, Difference};

pub use failure::Failure;
pub use passed::Passed;

/// Lists that are drawn, unless said otherwise.
const LISTS: u64 = 1000;

/// Makes the tests `recorded_cases`, `drawn_lists` and `every_edge` of a state manager: of
/// what the first expression makes when it is called, once for each test. The second, if
/// given, is the [`Suite`](crate::shadow::suite::Suite) to be used. For a second state manager
/// write it in a module of its own.
#[macro_export]
macro_rules! state_manager_suite {
    ($subject:expr $(,)?) => {
        $crate::state_manager_suite!($subject, $crate::shadow::suite::Suite::default());
    };
    ($subject:expr, $suite:expr $(,)?) => {
        #[test]
        fn recorded_cases() {
            let suite: $crate::shadow::suite::Suite = $suite;
            $crate::shadow::suite::must_pass(suite.recorded_cases(&mut $subject()));
        }

        #[test]
        fn drawn_lists() {
            let suite: $crate::shadow::suite::Suite = $suite;
            $crate::shadow::suite::must_pass(suite.drawn_lists(&mut $subject()));
        }

        #[test]
        fn every_edge() {
            let suite: $crate::shadow::suite::Suite = $suite;
            $crate::shadow::suite::must_pass(suite.every_edge(&mut $subject()));
        }
    };
}

/// Says what passed.
///
/// # Panics
/// With the failure, if it did not: this is what makes a test of an outcome. Also if the
/// subject supports so little that everything was left out.
#[track_caller]
pub fn must_pass(outcome: Result<Passed, Failure>) {
    match outcome {
        Ok(passed) if passed.checked == 0 && passed.left_out > 0 => panic!("{passed}"),
        Ok(passed) => println!("{passed}"),
        Err(failure) => panic!("{failure}"),
    }
}

/// How a state manager is tried. By default beside Apache Kafka as it is, along 1000 lists
/// from seed 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suite {
    settings: Settings,
    seed: u64,
    lists: u64,
}

impl Default for Suite {
    fn default() -> Self {
        Suite {
            settings: Settings::kafka(),
            seed: 0,
            lists: LISTS,
        }
    }
}

impl Suite {
    /// The same with these settings: another profile, window or time of expiry.
    #[must_use]
    pub fn settings(self, settings: Settings) -> Self {
        Suite { settings, ..self }
    }

    /// The same beside a broker that remembers so many batches of a producer.
    #[must_use]
    pub fn window(self, window: usize) -> Self {
        let settings = Settings {
            window,
            ..self.settings
        };
        Suite { settings, ..self }
    }

    /// The same with the first list drawn from this seed, and the others from those after it.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Suite { seed, ..self }
    }

    /// The same along so many drawn lists.
    #[must_use]
    pub fn lists(self, lists: u64) -> Self {
        Suite { lists, ..self }
    }

    /// Walks along the recorded cases, beside the answers of the real Apache Kafka 4.3.1. A
    /// case ends before the first operation that the subject does not support. Under other
    /// settings than Kafka's nothing was recorded: then beside those of the specification.
    ///
    /// # Errors
    /// At the first case that differs.
    pub fn recorded_cases(&self, subject: &mut dyn StateManager) -> Result<Passed, Failure> {
        let mut passed = Passed::of("recorded cases");
        for case in self.cases()? {
            self.start(subject)?;
            let supported = case.before(|operation| !subject.supports(operation));
            passed.left_out += usize::from(supported.operations.len() < case.operations.len());
            if supported.operations.is_empty() {
                continue;
            }
            let outcome = supported.run(subject, &self.settings);
            let outcome = outcome.map_err(|failed| self.not_started(subject, failed))?;
            passed.checked += 1;
            if let Outcome::Walked(differences) = outcome {
                if let Some(first) = differences.into_iter().next() {
                    return Err(self.differs_in(&supported, first, subject));
                }
            }
        }
        Ok(passed)
    }

    /// Walks along drawn lists of the operations that the subject supports, beside the
    /// specification.
    ///
    /// # Errors
    /// At the first list that differs.
    pub fn drawn_lists(&self, subject: &mut dyn StateManager) -> Result<Passed, Failure> {
        let mut passed = Passed::of("drawn lists");
        let name = subject.name();
        let mut search = Search::new(subject, &self.settings);
        for list in 0..self.lists {
            let walked = search.walk(self.seed.wrapping_add(list), || true);
            let walked = walked.map_err(|failed| Failure::not_started(&name, failed))?;
            if let Some(difference) = walked.difference {
                let operations = walked.operations;
                let found = Found {
                    difference,
                    operations,
                };
                return Err(Failure::differs(&name, &self.settings, found));
            }
            match walked.operations.is_empty() {
                true => passed.left_out += 1,
                false => passed.checked += 1,
            }
        }
        Ok(passed)
    }

    /// Takes every decision that the rule of the profile comes to in models with this window,
    /// and those around each.
    ///
    /// # Errors
    /// At the first decision that differs.
    pub fn every_edge(&self, subject: &mut dyn StateManager) -> Result<Passed, Failure> {
        let mut passed = Passed::of("decisions");
        for world in worlds::of(&self.settings) {
            let taken = on_subject(&edges(&world), &self.settings, subject);
            let taken = taken.map_err(|found| self.shortened(*found, &self.settings, subject))?;
            passed.checked += taken.decisions;
            passed.left_out += taken.left_out;
        }
        Ok(passed)
    }

    fn cases(&self) -> Result<Vec<Case>, Failure> {
        let mut cases = recorded::published()?;
        cases.extend(recorded::vectors()?);
        if self.settings != Settings::kafka() {
            for case in &mut cases {
                let settings = case.settings(&self.settings);
                *case = Case::specified(&case.id, &settings, &case.operations);
            }
        }
        Ok(cases)
    }

    fn start(&self, subject: &mut dyn StateManager) -> Result<(), Failure> {
        let started = subject.start(&self.settings);
        started.map_err(|failed| self.not_started(subject, failed))
    }

    fn not_started(&self, subject: &dyn StateManager, failed: super::SubjectFailure) -> Failure {
        Failure::not_started(&subject.name(), failed)
    }

    fn differs_in(
        &self,
        case: &Case,
        difference: Difference,
        subject: &mut dyn StateManager,
    ) -> Failure {
        let operations = case.operations[..=difference.step].to_vec();
        let found = Found {
            difference,
            operations,
        };
        self.shortened(found, &case.settings(&self.settings), subject)
    }

    /// The failure with the shortest list that is found from this one.
    fn shortened(
        &self,
        found: Found,
        settings: &Settings,
        subject: &mut dyn StateManager,
    ) -> Failure {
        let case = found.difference.case.clone();
        let shorter = shorten(subject, settings, &case, &found.operations);
        Failure::differs(&subject.name(), settings, shorter.unwrap_or(found))
    }
}

/// The profile by name.
fn profile(settings: &Settings) -> &'static str {
    match settings.profile {
        Profile::Kafka => "kafka",
        Profile::Hardened => "hardened",
    }
}

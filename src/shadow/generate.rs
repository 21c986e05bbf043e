//! Lists of operations, drawn at random but again the same from the same seed.
//!
//! What is drawn is a [`Script`]: choices like "the producer retries its third newest batch",
//! not operations with numbers. Numbers are put in when the script is
//! [performed](Script::perform), against the specification at that point. So a list is
//! always legal, most of its operations come near a rule, and leaving some of them out in
//! shrinking leaves a list that is legal and near the rules again.

mod choice;
mod perform;

use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::{BoxedStrategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use retryproof_models::specification::{Fate, Mode, Origin, Recovery, Snapshots};

pub use choice::{Choice, Coordinator, Epoch, Sequence, Time, Twist};
pub use perform::Performance;

/// How many operations a list has.
pub const LENGTHS: RangeInclusive<usize> = 1..=60;

/// The choices of one list.
#[derive(Clone, Debug)]
pub struct Script(pub Vec<Choice>);

/// Draws scripts.
#[derive(Debug)]
pub struct Generator {
    scripts: BoxedStrategy<Script>,
}

impl Default for Generator {
    fn default() -> Self {
        let scripts = vec(choices(), LENGTHS).prop_map(Script).boxed();
        Generator { scripts }
    }
}

impl Generator {
    /// The script of this seed, with the simpler ones that it can be shrunk to; `None` never
    /// comes of it unless the strategy rejects what it draws, which it does not.
    pub fn draw(&self, seed: u64) -> Option<impl ValueTree<Value = Script>> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let config = Config {
            failure_persistence: None,
            ..Config::default()
        };
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(config, random);
        self.scripts.new_tree(&mut runner).ok()
    }
}

/// One choice. What is likelier is what happens to brokers more often; what shrinking
/// prefers comes first.
pub fn choices() -> BoxedStrategy<Choice> {
    prop_oneof![
        48 => batch(),
        24 => retry(),
        4 => marker(),
        3 => (1..=3i64, times()).prop_map(|(n, time)| Choice::Plain { n, time }),
        4 => Just(Choice::Roll),
        2 => Just(Choice::Snapshot),
        5 => reload(),
        5 => (0..6usize).prop_map(|batches| Choice::Truncate { batches }),
        4 => (0..8i64).prop_map(|kept| Choice::DeleteRecords { kept }),
        3 => times().prop_map(|time| Choice::Expire { time }),
        2 => Just(Choice::Retention),
        1 => Just(Choice::Recreate),
    ]
    .boxed()
}

fn batch() -> impl Strategy<Value = Choice> {
    let whose = (producers(), epochs(), sequences(), 1..=4i64);
    (whose, times(), origins(), fates()).prop_map(
        |((producer, epoch, sequence, n), time, origin, fate)| Choice::Batch {
            producer,
            epoch,
            sequence,
            n,
            time,
            origin,
            fate,
        },
    )
}

fn retry() -> impl Strategy<Value = Choice> {
    let twists = prop_oneof![
        12 => Just(Twist::Exact),
        1 => Just(Twist::Shorter),
        1 => Just(Twist::Longer),
        1 => Just(Twist::Inside),
        1 => Just(Twist::TwoAsOne),
    ];
    let which = prop_oneof![2 => 0..3usize, 1 => 0..9usize];
    (producers(), which, twists, fates()).prop_map(|(producer, nth, twist, fate)| Choice::Retry {
        producer,
        nth,
        twist,
        fate,
    })
}

fn marker() -> impl Strategy<Value = Choice> {
    let coordinators = prop_oneof![
        4 => Just(Coordinator::Same),
        2 => Just(Coordinator::Newer),
        2 => Just(Coordinator::Older),
    ];
    (producers(), epochs(), coordinators, times(), origins()).prop_map(
        |(producer, epoch, coordinator, time, origin)| Choice::Marker {
            producer,
            epoch,
            coordinator,
            time,
            origin,
        },
    )
}

fn reload() -> impl Strategy<Value = Choice> {
    let modes = prop_oneof![Just(Mode::Clean), Just(Mode::Crash)];
    let snapshots = prop_oneof![
        4 => Just(Snapshots::Kept),
        1 => Just(Snapshots::Lost),
        2 => Just(Snapshots::NewestCorrupt),
    ];
    let recoveries = prop_oneof![Just(Recovery::All), Just(Recovery::Tail)];
    (modes, snapshots, recoveries).prop_map(|(mode, snapshots, recovery)| Choice::Reload {
        mode,
        snapshots,
        recovery,
    })
}

/// Mostly one producer, so that its window is full.
fn producers() -> impl Strategy<Value = usize> {
    prop_oneof![
        8 => Just(0usize),
        3 => Just(1),
        1 => Just(2),
    ]
}

fn epochs() -> impl Strategy<Value = Epoch> {
    prop_oneof![
        40 => Just(Epoch::Current),
        4 => Just(Epoch::Next),
        1 => Just(Epoch::Jump),
        3 => Just(Epoch::Stale),
        1 => Just(Epoch::Last),
        1 => Just(Epoch::Absent),
        1 => Just(Epoch::Overflowed),
    ]
}

fn sequences() -> impl Strategy<Value = Sequence> {
    prop_oneof![
        30 => Just(Sequence::Next),
        4 => Just(Sequence::At(0)),
        3 => (1..=3i64).prop_map(Sequence::Gap),
        2 => (0..40i64).prop_map(Sequence::At),
        2 => (0..4i64).prop_map(Sequence::BeforeWrap),
        1 => (1..=3i64).prop_map(Sequence::Negative),
    ]
}

fn times() -> impl Strategy<Value = Time> {
    prop_oneof![
        20 => Just(Time::Now),
        10 => (1..5000i64).prop_map(Time::Later),
        2 => Just(Time::Zero),
        2 => Just(Time::Expired),
        2 => Just(Time::AlmostExpired),
        1 => Just(Time::ExpiryLater),
        1 => Just(Time::FarLater),
    ]
}

fn origins() -> impl Strategy<Value = Origin> {
    prop_oneof![
        5 => Just(Origin::Client),
        1 => Just(Origin::Replica),
    ]
}

fn fates() -> impl Strategy<Value = Fate> {
    prop_oneof![
        20 => Just(Fate::Kept),
        1 => Just(Fate::Dropped),
        1 => Just(Fate::CrashBeforeWrite),
        1 => Just(Fate::CrashAfterWrite),
    ]
}

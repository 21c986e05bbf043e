//! The mutants, the world in which each is tried, and the property that must catch it.
//!
//! A mutant's world is bounded: the folding of [`crate::quotient`] is argued for real rules
//! and policies only.

use retryproof_properties::PropertyId;

use crate::checking::{self, Limits, Progress, Run};
use crate::conditions::{Budget, Conditions, ProducerKnown};
use crate::network::NetworkKind;
use crate::policies::{mutants as policy, Policy, JAVA_4};
use crate::rules::{mutants as rule, Rule, KAFKA_4};

/// A rule or policy with one thing wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mutant {
    /// The world it is tried in, itself in it.
    pub conditions: Conditions,
    /// The property that must catch it. The same world without the mutant upholds it.
    pub must_be_caught_by: PropertyId,
}

impl Mutant {
    /// Name of the mutated rule or policy.
    pub fn id(&self) -> &'static str {
        if self.conditions.rule == &KAFKA_4 {
            self.conditions.client.name
        } else {
            self.conditions.rule.name
        }
    }

    /// What is wrong with it, in one line.
    pub fn about(&self) -> &'static str {
        if self.conditions.rule == &KAFKA_4 {
            self.conditions.client.about
        } else {
            self.conditions.rule.about
        }
    }

    /// The same world without the mutant.
    pub fn original(&self) -> Conditions {
        Conditions {
            rule: &KAFKA_4,
            client: &JAVA_4,
            ..self.conditions
        }
    }
}

/// Two in flight and a window of two, four batches, two connections, two disconnects.
const SMALL: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(4),
    disconnects: Budget::AtMost(2),
    ..Conditions::KAFKA
};

/// Gaps arise only where messages overtake each other.
const OVERTAKING: Conditions = Conditions {
    network: NetworkKind::Unordered,
    producer_state: ProducerKnown::Known,
    ..SMALL
};

/// Epoch bumps arise where more is in flight than the window holds.
const BUMPING: Conditions = Conditions {
    in_flight: 3,
    ..SMALL
};

/// More in flight than two, overtaking: two batches can be refused at once.
const OVERTAKING_THREE: Conditions = Conditions {
    in_flight: 3,
    window: 3,
    ..OVERTAKING
};

const fn mutant_rule(rule: &'static Rule, world: Conditions, catch: PropertyId) -> Mutant {
    Mutant {
        conditions: Conditions { rule, ..world },
        must_be_caught_by: catch,
    }
}

const fn mutant_policy(client: &'static Policy, world: Conditions, catch: PropertyId) -> Mutant {
    Mutant {
        conditions: Conditions { client, ..world },
        must_be_caught_by: catch,
    }
}

/// All mutants.
pub const ALL: &[Mutant] = &[
    mutant_rule(&rule::APPENDS_DUPLICATES, SMALL, PropertyId::NoDuplicate),
    mutant_rule(
        &rule::REFUSES_DUPLICATES,
        SMALL,
        PropertyId::RetryRecognised,
    ),
    mutant_rule(&rule::SKIPS_OLDEST, SMALL, PropertyId::RetryRecognised),
    mutant_rule(&rule::WINDOW_ONE_SHORT, SMALL, PropertyId::LogIsFold),
    mutant_rule(&rule::ACCEPTS_GAPS, OVERTAKING, PropertyId::GapRejected),
    mutant_rule(
        &rule::ACKNOWLEDGES_GAPS,
        OVERTAKING,
        PropertyId::AckTruthful,
    ),
    mutant_rule(
        &rule::CHECKS_NO_ORDER,
        OVERTAKING,
        PropertyId::PartitionOrder,
    ),
    mutant_rule(
        &rule::NEW_EPOCH_ANYWHERE,
        OVERTAKING_THREE,
        PropertyId::GapRejected,
    ),
    mutant_rule(
        &rule::DUPLICATE_NAMES_NEWEST,
        SMALL,
        PropertyId::DuplicateAnswerTruthful,
    ),
    mutant_rule(
        &rule::DUPLICATE_NAMES_ZERO,
        SMALL,
        PropertyId::DuplicateAnswerTruthful,
    ),
    mutant_rule(&rule::KEEPS_WINDOW, BUMPING, PropertyId::LogIsFold),
    mutant_rule(&rule::REMEMBERS_NEXT_OFFSET, SMALL, PropertyId::LogIsFold),
    mutant_rule(
        &rule::CHANGES_STATE_ON_REJECT,
        OVERTAKING,
        PropertyId::RejectIsStutter,
    ),
    mutant_policy(
        &policy::RETRIES_WITH_NEW_SEQUENCE,
        SMALL,
        PropertyId::NoDuplicate,
    ),
    mutant_policy(
        &policy::MATCHES_HEAD_OF_LINE,
        OVERTAKING,
        PropertyId::AckTruthful,
    ),
    mutant_policy(
        &policy::FAILS_ON_DISCONNECT,
        SMALL,
        PropertyId::NoFalseFailure,
    ),
    mutant_policy(
        &policy::FORGETS_ON_DISCONNECT,
        SMALL,
        PropertyId::EveryBatchDecided,
    ),
    mutant_policy(&policy::NEVER_RETRIES, SMALL, PropertyId::EveryBatchDecided),
    mutant_policy(
        &policy::ACKNOWLEDGES_ON_SEND,
        SMALL,
        PropertyId::AckTruthful,
    ),
    mutant_policy(
        &policy::RETRIES_NEWEST_FIRST,
        SMALL,
        PropertyId::GapRejected,
    ),
    mutant_policy(
        &policy::RENUMBERS_IN_REVERSE,
        OVERTAKING_THREE,
        PropertyId::PartitionOrder,
    ),
    mutant_policy(
        &policy::GLOBAL_SEQUENCE,
        SMALL,
        PropertyId::EveryBatchDecided,
    ),
];

/// What became of one mutant.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The mutant.
    pub mutant: &'static Mutant,
    /// The properties that catch it and the world without it upholds, each with a
    /// shortest run.
    pub kills: Vec<(PropertyId, Run)>,
    /// Different states of its world.
    pub states: usize,
}

/// Unique states after which the search over a mutant's world ends: some mutants count on
/// without end, and all kills lie far below.
pub const MAX_STATES: usize = 300_000;

/// Tries one mutant. A property that the same world violates without the mutant does not
/// count as having caught it.
pub fn try_out(mutant: &'static Mutant, limits: &Limits, progress: &dyn Progress) -> Trial {
    let limits = Limits {
        max_states: limits.max_states.min(MAX_STATES),
        ..limits.clone()
    };
    let found = checking::check(&mutant.conditions, PropertyId::ALL, &limits, progress);
    let original = checking::check(&mutant.original(), PropertyId::ALL, &limits, progress);
    let kills = found
        .properties
        .into_iter()
        .filter(|outcome| {
            original
                .of(outcome.property)
                .is_some_and(|other| other.counterexample.is_none())
        })
        .filter_map(|outcome| {
            outcome
                .counterexample
                .map(|counterexample| (outcome.property, counterexample))
        })
        .collect();
    Trial {
        mutant,
        kills,
        states: found.counts.unique,
    }
}

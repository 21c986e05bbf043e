//! The mutants, the world in which each is tried, and the property that must catch it.
//!
//! A mutant's world is bounded: the folding of [`crate::quotient`] is argued for real rules
//! and policies only.

use retryproof_properties::PropertyId;

use crate::checking::{self, Limits, Progress, Run};
use crate::conditions::{
    Budget, Conditions, Expiry, InFlightPer, ProducerKnown, RestartKeeps, Validation,
};
use crate::network::NetworkKind;
use crate::policies::{mutants as policy, Policy, HARDENED, MODULAR, PATIENT};
use crate::rules::{mutants as rule, Rule, STRICT};

/// A rule or policy with one thing wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mutant {
    /// The world it is tried in, itself in it.
    pub conditions: Conditions,
    /// The rule or policy that it is a mutant of.
    pub of: Original,
    /// The property that must catch it. The same world without the mutant upholds it.
    pub must_be_caught_by: PropertyId,
}

/// What a mutant is a mutant of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Original {
    /// A rule.
    Rule(&'static Rule),
    /// A policy.
    Policy(&'static Policy),
}

impl Mutant {
    /// Name of the mutated rule or policy.
    pub fn id(&self) -> &'static str {
        match self.of {
            Original::Rule(_) => self.conditions.rule.name,
            Original::Policy(_) => self.conditions.client.name,
        }
    }

    /// What is wrong with it, in one line.
    pub fn about(&self) -> &'static str {
        match self.of {
            Original::Rule(_) => self.conditions.rule.about,
            Original::Policy(_) => self.conditions.client.about,
        }
    }

    /// The same world without the mutant.
    pub fn original(&self) -> Conditions {
        match self.of {
            Original::Rule(rule) => Conditions {
                rule,
                ..self.conditions
            },
            Original::Policy(client) => Conditions {
                client,
                ..self.conditions
            },
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

/// What can befall a batch of a producer that the broker knows; nothing is left over of dead
/// connections, and the limit counts from the lowest undecided batch, so that no other hole
/// is open.
const KNOWN: Conditions = Conditions {
    connections: 1,
    producer_state: ProducerKnown::Known,
    in_flight_per: InFlightPer::Span,
    ..SMALL
};

/// The broker restarts and keeps its state.
const RESTARTING: Conditions = Conditions {
    restarts: Budget::ONE,
    restart_keeps: RestartKeeps::All,
    ..KNOWN
};

/// A batch is refused for good, unless it is a duplicate.
const REFUSING: Conditions = Conditions {
    fatal_refusals: Budget::ONE,
    validation: Validation::AfterLookup,
    ..KNOWN
};

/// The epoch is raised while a dead connection may still deliver.
const BUMPING_PAST_LEFTOVERS: Conditions = Conditions {
    connections: 2,
    ..REFUSING
};

/// The epoch is raised, then the broker restarts and keeps its state.
const BUMPING_RESTARTING: Conditions = Conditions {
    restarts: Budget::ONE,
    restart_keeps: RestartKeeps::All,
    ..REFUSING
};

/// One in flight; an append is answered with an error, and the producer forgotten at any
/// time.
const EXPIRING: Conditions = Conditions {
    in_flight: 1,
    errors_after_append: Budget::ONE,
    expiries: Budget::ONE,
    ..KNOWN
};

/// The epoch is raised, and the producer forgotten when nothing of it is undecided.
const BUMPING_EXPIRING: Conditions = Conditions {
    expiries: Budget::ONE,
    expiry: Expiry::WallClock,
    rule: &STRICT,
    batches: Budget::AtMost(6),
    ..REFUSING
};

/// An append fails half way.
const FAILING: Conditions = Conditions {
    append_failures: Budget::ONE,
    ..KNOWN
};

/// A batch is refused before anything is done.
const RETRYING: Conditions = Conditions {
    refusals_before_append: Budget::ONE,
    ..KNOWN
};

/// Three in flight; one is refused for the moment and one for good.
const RENUMBERING_THREE: Conditions = Conditions {
    in_flight: 3,
    window: 3,
    refusals_before_append: Budget::ONE,
    ..REFUSING
};

/// An append is answered with an error.
const ANSWERING: Conditions = Conditions {
    errors_after_append: Budget::ONE,
    ..KNOWN
};

/// Batches of two records, one of which is found too large.
const SPLITTING: Conditions = Conditions {
    records_per_batch: 2,
    ..REFUSING
};

/// The same with a dead connection; a batch may be too large that is in the log.
const SPLITTING_LATE: Conditions = Conditions {
    connections: 2,
    validation: Validation::BeforeLookup,
    ..SPLITTING
};

/// The same, by a client that splits only what is nowhere.
const SPLITTING_SAFELY: Conditions = Conditions {
    client: &HARDENED,
    ..SPLITTING
};

/// Four sequences, one in flight.
const WRAPPING_ONE: Conditions = Conditions {
    in_flight: 1,
    sequence_modulus: Some(4),
    batches: Budget::AtMost(7),
    ..KNOWN
};

/// Five sequences, two in flight.
const WRAPPING: Conditions = Conditions {
    in_flight: 2,
    sequence_modulus: Some(5),
    client: &MODULAR,
    ..WRAPPING_ONE
};

/// Batches of two records and nine sequences: one of the batches lies across the wrap.
const ACROSS_THE_WRAP: Conditions = Conditions {
    records_per_batch: 2,
    sequence_modulus: Some(9),
    ..WRAPPING
};

/// A batch may be refused for good that is in the log.
const REFUSING_LATE: Conditions = Conditions {
    errors_after_append: Budget::ONE,
    validation: Validation::BeforeLookup,
    client: &PATIENT,
    ..REFUSING
};

/// A batch is refused for the moment, or runs out of time, while a dead connection may still deliver.
const TIMING_OUT: Conditions = Conditions {
    delivery_timeouts: Budget::ONE,
    refusals_before_append: Budget::ONE,
    connections: 2,
    disconnects: Budget::AtMost(3),
    rule: &STRICT,
    client: &PATIENT,
    ..KNOWN
};

/// The application cancels a batch.
const CANCELLING: Conditions = Conditions {
    cancellations: Budget::ONE,
    errors_after_append: Budget::ONE,
    client: &PATIENT,
    ..KNOWN
};

/// A batch is refused for good when the last epoch is in use.
const LAST_EPOCH: Conditions = Conditions {
    max_epoch: Some(0),
    client: &HARDENED,
    rule: &STRICT,
    ..REFUSING
};

const fn mutant_rule(rule: &'static Rule, world: Conditions, catch: PropertyId) -> Mutant {
    Mutant {
        conditions: Conditions { rule, ..world },
        of: Original::Rule(world.rule),
        must_be_caught_by: catch,
    }
}

const fn mutant_policy(client: &'static Policy, world: Conditions, catch: PropertyId) -> Mutant {
    Mutant {
        conditions: Conditions { client, ..world },
        of: Original::Policy(world.client),
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
    mutant_rule(
        &rule::APPENDS_STALE_EPOCH,
        BUMPING_PAST_LEFTOVERS,
        PropertyId::StaleEpochRejected,
    ),
    mutant_rule(
        &rule::ACKNOWLEDGES_STALE_EPOCH,
        BUMPING_PAST_LEFTOVERS,
        PropertyId::StaleEpochRejected,
    ),
    mutant_rule(
        &rule::MATCHES_FIRST_SEQUENCE,
        SPLITTING_LATE,
        PropertyId::DuplicateAnswerTruthful,
    ),
    mutant_rule(
        &rule::MATCHES_LAST_SEQUENCE,
        SPLITTING_LATE,
        PropertyId::DuplicateAnswerTruthful,
    ),
    mutant_rule(&rule::NO_WRAP, WRAPPING_ONE, PropertyId::EveryBatchDecided),
    mutant_rule(
        &rule::OFFSET_FROM_SEQUENCES,
        ACROSS_THE_WRAP,
        PropertyId::DuplicateAnswerTruthful,
    ),
    mutant_rule(
        &rule::COUNTS_BATCHES,
        ACROSS_THE_WRAP,
        PropertyId::LogIsFold,
    ),
    mutant_rule(
        &rule::CHANGES_STATE_ON_INVALID,
        REFUSING,
        PropertyId::RejectIsStutter,
    ),
    mutant_rule(
        &rule::REMEMBERS_WHAT_IS_REFUSED,
        RETRYING,
        PropertyId::AckTruthful,
    ),
    mutant_rule(
        &rule::RESTART_LOSES_NEWEST,
        RESTARTING,
        PropertyId::RetryRecognised,
    ),
    mutant_rule(
        &rule::RESTART_EVICTS_ONE,
        RESTARTING,
        PropertyId::RetryRecognised,
    ),
    mutant_rule(
        &rule::RESTART_LOADS_OLD_EPOCH,
        BUMPING_RESTARTING,
        PropertyId::NoDuplicate,
    ),
    mutant_rule(
        &rule::RESTART_OFF_BY_ONE,
        RESTARTING,
        PropertyId::GapRejected,
    ),
    mutant_rule(&rule::RECOVERY_SKIPS_TAIL, FAILING, PropertyId::NoDuplicate),
    mutant_rule(
        &rule::EXPIRY_KEEPS_LAST_SEQUENCE,
        EXPIRING,
        PropertyId::RetryRecognised,
    ),
    mutant_rule(
        &rule::EXPIRY_KEEPS_EPOCH,
        EXPIRING,
        PropertyId::RetryRecognised,
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
    mutant_policy(
        &policy::KEEPS_LAST_ACKED,
        BUMPING_EXPIRING,
        PropertyId::EveryBatchDecided,
    ),
    mutant_policy(
        &policy::KEEPS_NEXT_SEQUENCE,
        REFUSING,
        PropertyId::EveryBatchDecided,
    ),
    mutant_policy(
        &policy::REQUEUES_AT_END,
        RENUMBERING_THREE,
        PropertyId::PartitionOrder,
    ),
    mutant_policy(&policy::STARTS_AT_ZERO, REFUSING, PropertyId::AckTruthful),
    mutant_policy(
        &policy::FAILS_ON_RETRIABLE,
        ANSWERING,
        PropertyId::NoFalseFailure,
    ),
    mutant_policy(
        &policy::TAKES_REFUSAL_FOR_SUCCESS,
        RETRYING,
        PropertyId::AckTruthful,
    ),
    mutant_policy(
        &policy::SPAN_ONE_MORE,
        ANSWERING,
        PropertyId::RetryRecognised,
    ),
    mutant_policy(
        &policy::FORGETS_DEAD_CONNECTIONS,
        TIMING_OUT,
        PropertyId::NoDuplicate,
    ),
    mutant_policy(
        &policy::FORGETS_ERRORS,
        REFUSING_LATE,
        PropertyId::NoFalseFailure,
    ),
    mutant_policy(&policy::BUMPS_AT_ONCE, TIMING_OUT, PropertyId::NoDuplicate),
    mutant_policy(
        &policy::RETRIES_TIMED_OUT,
        TIMING_OUT,
        PropertyId::NoFalseFailure,
    ),
    mutant_policy(
        &policy::CANCELS_WHAT_WAITS,
        CANCELLING,
        PropertyId::AckTruthful,
    ),
    mutant_policy(
        &policy::SPLITS_TO_ONE_SEQUENCE,
        SPLITTING_SAFELY,
        PropertyId::AckTruthful,
    ),
    mutant_policy(
        &policy::SPLITS_OFF_HALF,
        SPLITTING_SAFELY,
        PropertyId::EveryBatchDecided,
    ),
    mutant_policy(
        &policy::LOWEST_ON_WIRE,
        WRAPPING,
        PropertyId::EveryBatchDecided,
    ),
    mutant_policy(
        &policy::STAYS_AT_LAST_EPOCH,
        LAST_EPOCH,
        PropertyId::AckTruthful,
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

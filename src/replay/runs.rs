//! Counterexamples and random schedules, followed to their ends.

use retryproof_models::checking::{End, Run, Trace, Wanderer};
use retryproof_models::cluster::ClusterWorld;
use retryproof_models::conditions::Conditions;
use retryproof_models::world::{FlatWorld, Properties};
use retryproof_properties::PropertyId;

use super::ask::Ask;
use super::follow::{Differs, Walk, What};
use super::on_kafka::OnKafka;

/// How many steps without faults are taken after a run in which a batch is never decided.
pub const STEPS_WITHOUT_FAULTS: usize = 30;

/// How many steps without faults are taken after a random schedule, so that every batch can be
/// decided.
pub const STEPS_TO_DECIDE: usize = 800;
/// In how many attempts, each of which prefers other kinds of action.
const ATTEMPTS_TO_DECIDE: u64 = 10;

/// Plays a counterexample on Kafka: the same is seen at each step, and in the end the same
/// property is violated. If a batch is never to be decided, a random continuation without
/// faults shows that the real client does not decide it either.
///
/// The conditions of the run must be possible ([`why_not`](super::why_not)).
///
/// # Errors
/// The first step that differs.
pub fn counterexample(
    run: &Run,
    property: PropertyId,
    oracle: &mut dyn Ask,
) -> Result<(), Differs> {
    match run {
        Run::OneBroker(trace) => trace_on_kafka(trace, property, oracle),
        Run::Cluster(trace) => trace_on_kafka(trace, property, oracle),
    }
}

fn trace_on_kafka<W: OnKafka>(
    trace: &Trace<W>,
    property: PropertyId,
    oracle: &mut dyn Ask,
) -> Result<(), Differs> {
    let mut walk = Walk::<W>::start(&trace.conditions, oracle)?;
    let mut violated = Properties::default();
    for step in &trace.steps {
        violated = walk.step(step.action)?;
    }
    let shows = match trace.end {
        End::Violation(_) => violated.contains(property),
        End::NeverDecided => {
            go_on_without_faults(&mut walk, 0, STEPS_WITHOUT_FAULTS)?;
            !W::all_decided(walk.state())
        }
        End::Well => false,
    };
    match shows {
        true => Ok(()),
        false => Err(walk.differs("the end".to_owned(), What::NotViolated(property))),
    }
}

/// Takes random steps that are no faults and send nothing new, until there is none or every
/// batch is decided.
fn go_on_without_faults<W: OnKafka>(
    walk: &mut Walk<'_, W>,
    seed: u64,
    steps: usize,
) -> Result<(), Differs> {
    let mut wanderer = Wanderer::new(seed);
    for _ in 0..steps {
        if W::all_decided(walk.state()) {
            return Ok(());
        }
        let (world, state) = (walk.world(), walk.state());
        let mut possible = possible(walk);
        possible.retain(|action| !world.is_fault(action) && world.kind(state, action) != "send");
        match wanderer.choose(walk.world(), walk.state(), &possible) {
            Some(action) => walk.step(action)?,
            None => return Ok(()),
        };
    }
    Ok(())
}

fn possible<W: OnKafka>(walk: &Walk<'_, W>) -> Vec<W::Action> {
    let mut possible = Vec::new();
    if !W::overflow(walk.state()) {
        walk.world().actions(walk.state(), &mut possible);
    }
    possible.retain(|action| walk.world().can_make(action));
    possible
}

/// What a random schedule came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Steps that it has.
    pub steps: usize,
    /// What its steps violate.
    pub violated: Properties,
    /// Whether every batch was decided in the end, after at most
    /// [`STEPS_TO_DECIDE`] more steps without faults, unless the model could not hold them.
    pub decided: bool,
}

impl Schedule {
    /// The first of these properties that the schedule violates.
    pub fn breaks(&self, properties: &[PropertyId]) -> Option<PropertyId> {
        let is_broken = |property: &PropertyId| match property {
            PropertyId::EveryBatchDecided => !self.decided,
            _ => self.violated.contains(*property),
        };
        properties.iter().copied().find(is_broken)
    }
}

/// Plays a random schedule on Kafka: the same is seen at each step.
///
/// The conditions must be possible ([`why_not`](super::why_not)).
///
/// # Errors
/// The first step that differs.
pub fn schedule(
    conditions: &Conditions,
    seed: u64,
    steps: usize,
    oracle: &mut dyn Ask,
) -> Result<Schedule, Differs> {
    match conditions.is_cluster() {
        true => schedule_in::<ClusterWorld>(conditions, seed, steps, oracle),
        false => schedule_in::<FlatWorld>(conditions, seed, steps, oracle),
    }
}

fn schedule_in<W: OnKafka>(
    conditions: &Conditions,
    seed: u64,
    steps: usize,
    oracle: &mut dyn Ask,
) -> Result<Schedule, Differs> {
    let mut walk = Walk::<W>::start(W::with_room(conditions).conditions(), oracle)?;
    let mut wanderer = Wanderer::new(seed);
    let mut schedule = Schedule::default();
    for _ in 0..steps {
        let possible = possible(&walk);
        let Some(action) = wanderer.choose(walk.world(), walk.state(), &possible) else {
            break;
        };
        let violated = walk.step(action)?;
        schedule.steps += 1;
        for property in violated.iter() {
            schedule.violated.insert(property);
        }
    }
    for attempt in 0..ATTEMPTS_TO_DECIDE {
        let seed = seed.wrapping_add(attempt);
        go_on_without_faults(
            &mut walk,
            seed,
            STEPS_TO_DECIDE / ATTEMPTS_TO_DECIDE as usize,
        )?;
    }
    schedule.decided = W::all_decided(walk.state()) || W::overflow(walk.state());
    Ok(schedule)
}

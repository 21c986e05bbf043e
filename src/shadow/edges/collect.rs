//! The decisions of a world, by a walk over all of its states.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use retryproof_models::broker::Broker;
use retryproof_models::conditions::Conditions;
use retryproof_models::message::{Request, Sequences, Small};
use retryproof_models::rules::{Ruling, Verdict};
use retryproof_models::world::{Action, FlatWorld, State};
use stateright::Model;

/// How far beyond the window and the next sequence requests are made up.
const BEYOND: Small = 3;

/// What a broker of a model goes by when it decides, and where it would write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Its producer state.
    pub broker: Broker,
    /// The offset that the next record gets.
    pub log_end: Small,
}

/// One decision. The request's record is 0: no rule looks at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The memory in which it is taken.
    pub before: Memory,
    /// The request that is decided.
    pub request: Request,
    /// What the rule says.
    pub ruling: Ruling,
    /// The memory after it.
    pub after: Memory,
    /// Whether the request is sent to this memory in the world; if not, it was made up.
    pub reached: bool,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request {
            epoch, sequence, ..
        } = self.request;
        write!(
            f,
            "{:?}, log end {}; request epoch {epoch}, seq {sequence}: {}",
            self.before.broker, self.before.log_end, self.ruling.branch
        )
    }
}

/// The decisions of a world.
#[derive(Clone, Debug)]
pub struct Edges {
    /// Its conditions.
    pub conditions: Conditions,
    /// How many states it has.
    pub states: usize,
    /// How many of them outgrew what a world can hold, so that the walk ended there.
    pub outgrown: usize,
    /// How many steps hand a request to the broker.
    pub deliveries: usize,
    /// Every different decision; those in one memory stand together.
    pub all: Vec<Edge>,
}

impl Edges {
    /// The decisions by the memory in which they are taken.
    pub fn by_memory(&self) -> impl Iterator<Item = &[Edge]> {
        self.all.chunk_by(|one, other| one.before == other.before)
    }

    /// The branches of the rule that they take.
    pub fn branches(&self) -> BTreeSet<&'static str> {
        self.all.iter().map(|edge| edge.ruling.branch).collect()
    }
}

/// Walks over the whole world and gives its decisions. There are none in a world of the
/// client without sequences, whose broker appends whatever arrives.
pub fn edges(conditions: &Conditions) -> Edges {
    let mut walk = Walk::default();
    walk.explore(conditions);
    let mut all = Vec::new();
    for memory in &walk.memories {
        let mut requests = walk.sent.remove(memory).unwrap_or_default();
        let sent = requests.len();
        for request in around(memory, conditions.capacity()) {
            if !requests.contains(&request) {
                requests.push(request);
            }
        }
        let decided = requests.into_iter().enumerate();
        all.extend(decided.map(|(at, request)| decide(conditions, *memory, request, at < sent)));
    }
    Edges {
        conditions: *conditions,
        states: walk.states,
        outgrown: walk.outgrown,
        deliveries: walk.deliveries,
        all,
    }
}

#[derive(Default)]
struct Walk {
    states: usize,
    outgrown: usize,
    deliveries: usize,
    /// In the order in which they were found.
    memories: Vec<Memory>,
    sent: HashMap<Memory, Vec<Request>>,
}

impl Walk {
    fn explore(&mut self, conditions: &Conditions) {
        let world = FlatWorld::new(*conditions);
        let mut pending = world.init_states();
        let mut seen: HashSet<State> = pending.iter().copied().collect();
        let mut actions = Vec::new();
        while let Some(state) = pending.pop() {
            self.states += 1;
            self.outgrown += usize::from(state.overflow());
            world.actions(&state, &mut actions);
            for action in actions.drain(..) {
                if conditions.client.idempotent {
                    self.note(&state, action);
                }
                if let Some(next) = world.next_state(&state, action) {
                    if seen.insert(next) {
                        pending.push(next);
                    }
                }
            }
        }
    }

    fn note(&mut self, state: &State, action: Action) {
        let Action::Deliver(slot) = action else {
            return;
        };
        self.deliveries += 1;
        let memory = Memory {
            broker: state.broker,
            log_end: state.ledger.log_end,
        };
        let request = Request {
            record: 0,
            ..state.network.request(slot)
        };
        let sent = self.sent.entry(memory).or_insert_with(|| {
            self.memories.push(memory);
            Vec::new()
        });
        if !sent.contains(&request) {
            sent.push(request);
        }
    }
}

/// The requests around a memory. Sequences of its epoch lie around the next one, those of
/// other epochs around 0, where an epoch begins.
fn around(memory: &Memory, capacity: usize) -> Vec<Request> {
    let Broker {
        known,
        epoch: current,
        last_sequence,
        ..
    } = memory.broker;
    let reach = capacity as Small + BEYOND;
    let mut requests = Vec::new();
    for epoch in current - 1..=current + 2 {
        let center = if known && epoch == current {
            last_sequence + 1
        } else {
            0
        };
        requests.extend((center - reach..=center + reach).map(|sequence| Request {
            epoch,
            sequence,
            record: 0,
            more: 0,
        }));
    }
    requests
}

fn decide(conditions: &Conditions, before: Memory, request: Request, reached: bool) -> Edge {
    let mut after = before;
    let handled = after.broker.handle(
        conditions.rule,
        conditions.capacity(),
        Sequences::modulo(conditions.sequence_modulus),
        before.log_end,
        request,
        true,
    );
    after.log_end += handled.appended.len() as Small;
    Edge {
        before,
        request,
        ruling: Ruling {
            verdict: handled.verdict,
            branch: handled.branch,
        },
        after,
        reached,
    }
}

impl Edge {
    /// Whether the request is appended.
    pub fn appends(&self) -> bool {
        self.ruling.verdict == Verdict::Append
    }
}

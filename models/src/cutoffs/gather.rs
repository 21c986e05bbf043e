//! A walk over a world that gathers the shapes of its decisions, and which follow on which.

use std::collections::{HashMap, HashSet, VecDeque};

use ahash::RandomState;
use retryproof_properties::{Event, Partition, ProducerId};

use crate::broker::ObservedMemory;
use crate::checking::in_world;
use crate::conditions::Conditions;
use crate::world::{Watch, World};

use super::Shape;

/// What a walk gathered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// Different states.
    pub states: usize,
    /// Whether every state was looked at and none outgrew the world.
    pub exhausted: bool,
    /// The shapes of all decisions.
    pub shapes: HashSet<Shape>,
    /// Two shapes of which the second can be that of the next decision after the first, on a
    /// batch of the same producer for the same partition.
    pub pairs: HashSet<(Shape, Shape)>,
}

impl Gathered {
    /// With every shape changed.
    pub fn map(&self, change: impl Fn(Shape) -> Shape) -> Gathered {
        let pairs = self.pairs.iter();
        Gathered {
            states: self.states,
            exhausted: self.exhausted,
            shapes: self.shapes.iter().map(|shape| change(*shape)).collect(),
            pairs: pairs
                .map(|(one, next)| (change(*one), change(*next)))
                .collect(),
        }
    }
}

/// Walks over the whole world of these conditions, unless it has more states than this.
pub fn gather(conditions: &Conditions, max_states: usize) -> Gathered {
    in_world!(conditions, world => gather_in(&world, max_states))
}

fn gather_in<W: World>(world: &W, max_states: usize) -> Gathered {
    let mut walk = Walk::default();
    let mut seer = Seer::default();
    let mut pending: VecDeque<W::State> = VecDeque::new();
    let mut exhausted = true;
    let hasher = RandomState::with_seeds(0xc0, 0x70, 0xff, 0x5);
    let mut numbers: HashMap<u64, u32, RandomState> = HashMap::default();
    let start = world.initial_state();
    numbers.insert(hasher.hash_one(start), 0);
    pending.push_back(start);
    let mut actions = Vec::new();
    while let Some(state) = pending.pop_front() {
        walk.starts.push(walk.steps.len());
        if W::overflow(&state) || numbers.len() > max_states {
            exhausted = false;
            continue;
        }
        world.actions(&state, &mut actions);
        for action in actions.drain(..) {
            seer.seen = None;
            let next = world.step(&state, action, &mut seer);
            let new = numbers.len() as u32;
            let to = *numbers.entry(hasher.hash_one(next)).or_insert(new);
            if to == new {
                pending.push_back(next);
            }
            let decision = seer.seen.map(|decision| walk.number(decision));
            walk.steps.push(Step { to, decision });
        }
    }
    walk.starts.push(walk.steps.len());
    Gathered {
        states: numbers.len(),
        exhausted,
        pairs: walk.pairs(),
        shapes: walk.decisions.iter().map(|seen| seen.shape).collect(),
    }
}

/// Sees the one decision of a step, if there is one.
#[derive(Default)]
struct Seer {
    branch: &'static str,
    seen: Option<Seen>,
}

/// A decision: its shape, and whose batch it is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Seen {
    shape: Shape,
    whose: (ProducerId, Partition),
}

impl Watch for Seer {
    fn event(&mut self, event: &Event<'_, ObservedMemory>) {
        if let Event::Decided(decision) = event {
            self.seen = Some(Seen {
                shape: Shape::of(self.branch, decision),
                whose: (decision.batch.producer, decision.batch.partition),
            });
        }
    }

    fn ruled(&mut self, branch: &'static str) {
        self.branch = branch;
    }
}

/// A step to a state, and the decision in it.
struct Step {
    to: u32,
    decision: Option<u16>,
}

/// The graph of a world: states are numbers, in the order in which they were found.
#[derive(Default)]
struct Walk {
    decisions: Vec<Seen>,
    numbers: HashMap<Seen, u16>,
    steps: Vec<Step>,
    /// Where the steps from each state start.
    starts: Vec<usize>,
}

impl Walk {
    fn number(&mut self, decision: Seen) -> u16 {
        let new = self.decisions.len() as u16;
        let number = *self.numbers.entry(decision).or_insert(new);
        if number == new {
            self.decisions.push(decision);
        }
        number
    }

    fn states(&self) -> usize {
        self.starts.len() - 1
    }

    fn steps_from(&self, state: usize) -> &[Step] {
        &self.steps[self.starts[state]..self.starts[state + 1]]
    }

    /// For each decision all that are about batches of others, and for no decision all.
    fn others(&self) -> Sets {
        let all = self.decisions.len();
        let mut others = Sets::new(all + 1, all);
        for (number, decision) in self.decisions.iter().enumerate() {
            for (other, _) in (self.decisions.iter().enumerate())
                .filter(|(_, other)| other.whose != decision.whose)
            {
                others.insert(number, other);
            }
            others.insert(all, number);
        }
        others
    }

    /// Which decisions can have been the last one about a batch of theirs before each state,
    /// spread along the steps until nothing changes.
    fn last_decisions(&self) -> Sets {
        let all = self.decisions.len();
        let stays = self.others();
        let mut last = Sets::new(self.states(), all);
        let mut changed: Vec<usize> = Vec::new();
        for step in &self.steps {
            if let Some(decision) = step.decision {
                if last.insert(step.to as usize, decision.into()) {
                    changed.push(step.to as usize);
                }
            }
        }
        while let Some(state) = changed.pop() {
            for step in self.steps_from(state) {
                let to = step.to as usize;
                let mask = step.decision.map_or(all, usize::from);
                if to != state && last.spread(state, to, stays.bits_of(mask)) {
                    changed.push(to);
                }
            }
        }
        last
    }

    fn pairs(&self) -> HashSet<(Shape, Shape)> {
        let last = self.last_decisions();
        let all = self.decisions.len();
        let mut before = Sets::new(all, all);
        for state in 0..self.states() {
            let steps = self.steps_from(state).iter();
            for decision in steps.filter_map(|step| step.decision) {
                before.add(decision.into(), last.bits_of(state));
            }
        }
        let mut pairs = HashSet::new();
        for (number, next) in self.decisions.iter().enumerate() {
            let firsts = before.of(number).map(|first| self.decisions[first]);
            let own = firsts.filter(|first| first.whose == next.whose);
            pairs.extend(own.map(|first| (first.shape, next.shape)));
        }
        pairs
    }
}

/// Sets of small numbers, side by side.
struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    fn new(sets: usize, members: usize) -> Self {
        let words = members.div_ceil(64).max(1);
        Sets {
            words,
            bits: vec![0; sets * words],
        }
    }

    fn bits_of(&self, set: usize) -> &[u64] {
        &self.bits[set * self.words..(set + 1) * self.words]
    }

    fn insert(&mut self, set: usize, member: usize) -> bool {
        let word = &mut self.bits[set * self.words + member / 64];
        let before = *word;
        *word |= 1 << (member % 64);
        *word != before
    }

    /// Adds those members of one set to another that are in the mask; says whether that
    /// changed it.
    fn spread(&mut self, from: usize, to: usize, mask: &[u64]) -> bool {
        let mut changed = false;
        for (word, mask) in mask.iter().enumerate() {
            let bits = self.bits[from * self.words + word] & mask;
            let target = &mut self.bits[to * self.words + word];
            changed |= bits & !*target != 0;
            *target |= bits;
        }
        changed
    }

    fn add(&mut self, to: usize, bits: &[u64]) {
        for (word, bits) in bits.iter().enumerate() {
            self.bits[to * self.words + word] |= bits;
        }
    }

    fn of(&self, set: usize) -> impl Iterator<Item = usize> + '_ {
        let bits = self.bits_of(set);
        let members = 0..self.words * 64;
        members.filter(|member| bits[member / 64] & (1 << (member % 64)) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cutoffs::{Answered, EpochIs, Fill, Lies};

    fn seen(branch: &'static str, producer: i64) -> Seen {
        Seen {
            shape: Shape {
                branch,
                epoch: EpochIs::Current,
                lies: Lies::Next,
                fill: Fill::Empty,
                answered: Answered::Appended,
            },
            whose: (ProducerId(producer), Partition(0)),
        }
    }

    /// The pairs of branches along a line of states, with these decisions from each to the
    /// next.
    fn pairs(decisions: &[Option<Seen>]) -> Vec<(&'static str, &'static str)> {
        let mut walk = Walk::default();
        for (from, decision) in decisions.iter().enumerate() {
            walk.starts.push(walk.steps.len());
            let decision = decision.map(|decision| walk.number(decision));
            walk.steps.push(Step {
                to: from as u32 + 1,
                decision,
            });
        }
        walk.starts.extend([walk.steps.len(); 2]);
        let pairs = walk.pairs().into_iter();
        let mut pairs: Vec<_> = pairs.map(|(one, next)| (one.branch, next.branch)).collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn what_lies_between_two_decisions_does_not_part_them() {
        let line = [Some(seen("a", 0)), None, None, Some(seen("b", 0))];
        assert_eq!(pairs(&line), [("a", "b")]);
    }

    #[test]
    fn only_neighbours_are_a_pair() {
        let line = ["a", "b", "c"].map(|branch| Some(seen(branch, 0)));
        assert_eq!(pairs(&line), [("a", "b"), ("b", "c")]);
    }

    #[test]
    fn the_decisions_about_another_producer_are_not_in_between() {
        let line = [("a", 0), ("x", 1), ("b", 0), ("y", 1)];
        let line = line.map(|(branch, producer)| Some(seen(branch, producer)));
        assert_eq!(pairs(&line), [("a", "b"), ("x", "y")]);
    }
}

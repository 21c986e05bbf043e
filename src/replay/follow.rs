//! A run of a model, step by step on the real client and log, with everything compared
//! after each step.

use std::fmt;

use retryproof_models::conditions::{Conditions, ProducerKnown};
use retryproof_models::world::Properties;
use retryproof_properties::PropertyId;
use thiserror::Error;

use super::ask::Ask;
use super::kafka::{Kafka, Trouble};
use super::on_kafka::{extend_log, OnKafka};
use super::scene::{Logged, Scene};
use super::seen::{Notes, Seen};

/// A step in which the real client or log did something else than the model.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("step {step}, {action}: {what}\nbefore it: {}", before.join(", "))]
pub struct Differs {
    /// Which step, from 1; 0 is the start.
    pub step: usize,
    /// The action of the model.
    pub action: String,
    /// What differs.
    pub what: What,
    /// The actions before it.
    pub before: Vec<String>,
}

/// What differs.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The step could not be made.
    Trouble(Trouble),
    /// Something else was seen.
    Seen {
        /// In the model.
        model: Vec<Seen>,
        /// Of the real client and log.
        real: Vec<Seen>,
    },
    /// Everything looks otherwise afterwards.
    Scene {
        /// In the model.
        model: Box<Scene>,
        /// Of the real client and log.
        real: Box<Scene>,
    },
    /// The run ends without the violation that it was to show.
    NotViolated(PropertyId),
    /// Other properties are violated.
    Violated {
        /// In the model.
        model: Properties,
        /// Of the real client and log.
        real: Properties,
    },
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Trouble(trouble) => trouble.fmt(f),
            What::Seen { model, real } => write!(f, "the model: {model:?}; Kafka: {real:?}"),
            What::Scene { model, real } => write!(f, "the model: {model:#?}\nKafka: {real:#?}"),
            What::NotViolated(property) => write!(f, "{property} is not violated"),
            What::Violated { model, real } => {
                write!(f, "violated in the model: {model:?}; at Kafka: {real:?}")
            }
        }
    }
}

/// A walk on both.
pub struct Walk<'a, W: OnKafka> {
    world: W,
    state: W::State,
    /// The log, where the states of the world do not keep it.
    log: Vec<Logged>,
    kafka: Kafka<'a>,
    taken: Vec<String>,
}

impl<'a, W: OnKafka> Walk<'a, W> {
    /// Begins both anew under these conditions, which must be valid, possible
    /// ([`why_not`](super::why_not)) and have real numbers.
    ///
    /// # Errors
    /// If they differ from the start, or Kafka cannot begin.
    pub fn start(conditions: &Conditions, oracle: &'a mut dyn Ask) -> Result<Self, Differs> {
        let differs = |what| Differs {
            step: 0,
            action: "start".to_owned(),
            what,
            before: Vec::new(),
        };
        let world = W::new(Conditions {
            producer_state: ProducerKnown::New,
            ..*conditions
        });
        let kafka = Kafka::start(conditions, oracle);
        let mut walk = Walk {
            state: world.initial_state(),
            world,
            log: Vec::new(),
            kafka: kafka.map_err(|trouble| differs(What::Trouble(trouble)))?,
            taken: Vec::new(),
        };
        walk.compare_scenes().map_err(differs)?;
        let real = W::new(*conditions);
        for action in real.preamble() {
            walk.step(action)?;
        }
        walk.taken.clear();
        walk.world = real;
        walk.state = walk.world.initial_state();
        Ok(walk)
    }

    /// The world.
    pub fn world(&self) -> &W {
        &self.world
    }

    /// The state of the model.
    pub fn state(&self) -> &W::State {
        &self.state
    }

    /// Takes a step on both, and compares.
    ///
    /// # Errors
    /// What differs.
    pub fn step(&mut self, action: W::Action) -> Result<Properties, Differs> {
        let mut notes = Notes::default();
        let after = self.world.step(&self.state, action, &mut notes);
        extend_log(&mut self.log, &notes.0);
        let moves = self.world.moves(&self.state, &action, &after);
        self.state = after;
        let action = format!("{action:?}");
        let compared = self.compare(&notes.0, &moves);
        let violated = compared.map_err(|what| self.differs(action.clone(), what))?;
        self.taken.push(action);
        Ok(violated)
    }

    /// A difference in the step after those that were taken.
    pub fn differs(&self, action: String, what: What) -> Differs {
        Differs {
            step: self.taken.len() + 1,
            action,
            what,
            before: self.taken.clone(),
        }
    }

    fn compare_scenes(&self) -> Result<(), What> {
        let scene = self.world.scene(&self.state, &self.log);
        match scene == *self.kafka.scene() {
            true => Ok(()),
            false => Err(What::Scene {
                model: Box::new(scene),
                real: Box::new(self.kafka.scene().clone()),
            }),
        }
    }

    fn compare(
        &mut self,
        model: &[Seen],
        moves: &[super::moves::Move],
    ) -> Result<Properties, What> {
        let step = self.kafka.step(moves).map_err(What::Trouble)?;
        if step.seen != model {
            return Err(What::Seen {
                model: model.to_vec(),
                real: step.seen,
            });
        }
        self.compare_scenes()?;
        let violated = *self.state.as_ref();
        if W::overflow(&self.state) {
            // The model says nothing of a step that it cannot hold.
            return Ok(step.violated);
        }
        if violated != step.violated {
            return Err(What::Violated {
                model: violated,
                real: step.violated,
            });
        }
        Ok(step.violated)
    }
}

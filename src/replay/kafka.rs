//! The real client and log: makes moves on them and tells what was seen.

use std::collections::BTreeSet;

use retryproof_models::conditions::Conditions;
use retryproof_models::world::Properties;
use retryproof_properties::{
    Answer as Said, Batch, Epoch, Identity, Offset, Outcome, Partition, ProducerId, Record,
    Rejection, Sequence,
};
use thiserror::Error;

use super::ask::{ask, Ask, NoAnswer};
use super::judge::{AroundDecision, Judge};
use super::moves::{Delivery, Move};
use super::numbers::Numbers;
use super::protocol::{Answer, Command, Sent, Setup, Told};
use super::requests::{OnWire, Requests};
use super::scene::{Logged, Scene};
use super::seen::Seen;

/// Why a move could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    /// No answer came.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// A command was refused.
    #[error("{command} was refused: {reason}")]
    Refused {
        /// The command.
        command: String,
        /// Why.
        reason: String,
    },
    /// The real client has no such request on its way, or never got so far with one.
    #[error("the real client has no {0} on its way")]
    NoRequest(String),
    /// The log says that it wrote where it did not end.
    #[error("the log ended at {end} and says that it wrote at {base}")]
    Misplaced {
        /// Where the log ended.
        end: i64,
        /// Where it says that it wrote.
        base: i64,
    },
    /// An exception came out of the client's loop.
    #[error("out of the client's loop came {0}")]
    Thrown(String),
    /// An error whose name is not known.
    #[error("the log answered {0}, which no model knows")]
    UnknownError(String),
}

/// What a step on the real client and log came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// What was seen.
    pub seen: Vec<Seen>,
    /// What of it violates a property.
    pub violated: Properties,
}

/// The real client and log.
pub struct Kafka<'a> {
    oracle: &'a mut dyn Ask,
    numbers: Numbers,
    capacity: usize,
    requests: Requests,
    /// Records that were sent: whose, for which partition, which.
    known: BTreeSet<(usize, usize, i64)>,
    scene: Scene,
    judge: Judge,
    seen: Vec<Seen>,
    around: Option<AroundDecision>,
}

impl<'a> Kafka<'a> {
    /// Begins anew under these conditions.
    ///
    /// # Errors
    /// If it cannot begin.
    pub fn start(conditions: &Conditions, oracle: &'a mut dyn Ask) -> Result<Self, Trouble> {
        let setup = Command::Start(Setup {
            producers: conditions.producers.into(),
            partitions: conditions.partitions.into(),
            brokers: conditions.brokers.into(),
            in_flight: conditions.in_flight,
            window: conditions.capacity() as u8,
            epoch: Numbers::first_epoch(conditions),
            shared_ids: conditions.producer_ids
                == retryproof_models::conditions::ProducerIds::Shared,
            sequence: Numbers::first_sequence(conditions),
        });
        let answer = refused(&setup, ask(oracle, &setup)?)?;
        let mut kafka = Kafka {
            oracle,
            numbers: Numbers::of(conditions, &answer.pids),
            capacity: conditions.capacity(),
            requests: Requests::default(),
            known: BTreeSet::new(),
            scene: Scene::default(),
            judge: Judge::default(),
            seen: Vec::new(),
            around: None,
        };
        kafka.command(Vec::new())?;
        Ok(kafka)
    }

    /// Everything that can be looked at now.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Makes these moves as one step.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub fn step(&mut self, moves: &[Move]) -> Result<Step, Trouble> {
        self.seen.clear();
        self.around = None;
        for one in moves {
            self.make(one)?;
        }
        let seen = std::mem::take(&mut self.seen);
        let violated = self.judge.see(&seen, self.around.as_ref());
        Ok(Step { seen, violated })
    }

    fn make(&mut self, one: &Move) -> Result<(), Trouble> {
        match *one {
            Move::Send {
                producer,
                partition,
                ref records,
            } => {
                let record = Command::Record {
                    producer,
                    partition,
                    records: records.clone(),
                };
                self.plain(vec![record, turn(producer, vec![partition])])
            }
            Move::Retry {
                producer,
                partition,
            } => self.plain(vec![turn(producer, vec![partition])]),
            Move::TimeOut {
                producer,
                partition,
            } => self.plain(vec![Command::TimeOut {
                producer,
                partition,
            }]),
            Move::Refresh {
                producer,
                partition,
                leader,
            } => self.plain(vec![Command::Refresh {
                producer,
                partition,
                leader,
            }]),
            Move::Deliver(ref delivery) => self.deliver(delivery),
            Move::Read { .. } => self.read(one),
            Move::Disconnect { producer, broker } => {
                self.requests.disconnect(producer, broker);
                self.plain(vec![Command::Disconnect { producer, broker }])
            }
            Move::Restart { broker, forgets } => {
                let restart = Command::Restart {
                    broker,
                    mode: "clean",
                    snapshots: if forgets { "lost" } else { "kept" },
                };
                self.plain(vec![restart])
            }
            Move::Expire { broker, partition } => {
                self.plain(vec![Command::Expire { broker, partition }])
            }
            Move::Replicate {
                from,
                to,
                partition,
            } => self.plain(vec![Command::Replicate {
                from,
                to,
                partition,
            }]),
            Move::Truncate {
                broker,
                partition,
                to,
            } => self.plain(vec![Command::Truncate {
                broker,
                partition,
                to,
            }]),
            Move::Lead {
                from,
                broker,
                partition,
                epoch,
            } => self.lead(from, broker, partition, epoch),
        }
    }

    /// Carries out commands of which only what the client sent and told matters.
    fn plain(&mut self, commands: Vec<Command>) -> Result<(), Trouble> {
        self.command(commands).map(|_| ())
    }

    /// Carries out commands, and looks at everything afterwards.
    fn command(&mut self, commands: Vec<Command>) -> Result<Vec<Answer>, Trouble> {
        let mut all = commands;
        all.push(Command::State);
        let command = Command::All {
            commands: all.clone(),
        };
        let answer = refused(&command, ask(self.oracle, &command)?)?;
        let mut answers = answer.answers;
        for (answer, command) in answers.iter().zip(&all) {
            refused(command, answer.clone())?;
        }
        if let Some(state) = answers.pop() {
            self.scene = Scene::of_kafka(&state, &mut self.numbers, self.capacity);
        }
        for answer in &answers {
            for sent in &answer.sent {
                self.note_sent(sent);
            }
            for told in &answer.told {
                self.note_told(told);
            }
        }
        Ok(answers)
    }

    fn note_sent(&mut self, sent: &Sent) {
        let records = sent.records.len();
        let identity = self
            .numbers
            .identity(sent.pid, sent.epoch, sent.sequence, records);
        let batch = batch(sent.producer, sent.partition, &sent.records, identity);
        let first = batch.first_record.0;
        if self.known.insert((sent.producer, sent.partition, first)) {
            self.known.extend(
                sent.records
                    .iter()
                    .map(|record| (sent.producer, sent.partition, *record)),
            );
            self.seen.push(Seen::Sent(batch));
        }
        self.requests.0.push(OnWire {
            sent: sent.clone(),
            batch,
            id: (sent.pid >= 0).then(|| self.numbers.index_of(sent.pid)),
            live: true,
            said: Vec::new(),
            arrived: false,
        });
    }

    fn note_told(&mut self, told: &Told) {
        for (record, within) in told.records.iter().zip(0..) {
            let outcome = match (&told.error, told.offset) {
                (Some(_), _) => Outcome::Failed,
                (None, Some(offset)) if offset >= 0 => Outcome::Acknowledged {
                    offset: Some(Offset(offset + within)),
                },
                (None, _) => Outcome::Acknowledged { offset: None },
            };
            self.seen.push(Seen::Reported(
                ProducerId(told.producer as i64),
                Partition(told.partition as i32),
                Record(*record),
                outcome,
            ));
        }
    }

    fn deliver(&mut self, delivery: &Delivery) -> Result<(), Trouble> {
        let Some(index) = self.requests.to_deliver(delivery) else {
            return Err(Trouble::NoRequest(format!("{delivery:?}")));
        };
        let (broker, partition) = (delivery.broker, self.requests.0[index].sent.partition);
        let id = self.requests.0[index].id.unwrap_or_default();
        let before = self.scene.memory(broker, partition, id, self.capacity);
        let log_end_before = self.scene.log_end(broker, partition);
        self.requests.0[index].arrived = true;
        let mut said = delivery.error.map(Said::Rejected);
        if delivery.reaches_log {
            let request = self.requests.0[index].sent.request;
            let answers = self.command(vec![Command::Deliver { request }])?;
            let decided = decision(answers.first())?;
            self.requests.0[index].said.push(decided);
            if let Said::Appended { base } = decided {
                if base != log_end_before {
                    let (end, base) = (log_end_before.0, base.0);
                    return Err(Trouble::Misplaced { end, base });
                }
            }
            if let (Said::Appended { base }, true) = (decided, delivery.is_seen) {
                self.seen.push(Seen::Appended(delivery.batch, base));
            }
            if said.is_none() || matches!(decided, Said::Rejected(_)) {
                said = Some(decided);
            }
        }
        if delivery.is_seen {
            self.seen.push(Seen::Decided(delivery.batch, said));
            self.around = Some(AroundDecision {
                before,
                after: self.scene.memory(broker, partition, id, self.capacity),
                log_end_before,
                log_end_after: self.scene.log_end(broker, partition),
            });
        }
        Ok(())
    }

    fn read(&mut self, read: &Move) -> Result<(), Trouble> {
        let &Move::Read {
            producer,
            broker,
            partition,
            record,
            answer,
            after_turn,
        } = read
        else {
            return Ok(());
        };
        if after_turn {
            self.plain(vec![turn(producer, Vec::new())])?;
        }
        let is_scripted = |rejection| {
            !matches!(
                rejection,
                Rejection::OutOfOrderSequence | Rejection::InvalidProducerEpoch
            )
        };
        let error = match answer {
            Said::Rejected(rejection) if is_scripted(rejection) => Some(rejection.to_string()),
            _ => None,
        };
        let of = (producer, broker, partition);
        let found = self.requests.to_read(of, record, answer, error.is_some());
        let Some((index, delivery)) = found else {
            return Err(Trouble::NoRequest(format!(
                "answer {answer:?} to record {record}"
            )));
        };
        let known = self.known_as(producer, partition, record);
        self.requests.0[index].live = false;
        let at = self.seen.len();
        self.plain(vec![Command::Read {
            request: self.requests.0[index].sent.request,
            delivery,
            error,
        }])?;
        self.seen.insert(at, Seen::Answered(known, answer));
        Ok(())
    }

    /// The batch of a record under the identity by which the client knows it now.
    fn known_as(&self, producer: usize, partition: usize, record: i64) -> Batch {
        let lane = &self.scene.clients[producer][partition];
        let known = lane
            .undecided
            .iter()
            .find(|batch| batch.records.first() == Some(&record));
        match known {
            Some(known) => batch(producer, partition, &known.records, known.identity),
            None => {
                let identity = Identity {
                    epoch: Epoch(lane.epoch),
                    first: Sequence(0),
                    last: Sequence(0),
                };
                batch(producer, partition, &[record], Some(identity))
            }
        }
    }

    /// To properties the log is cut to what both leaders have, and what else the new one has
    /// is appended.
    fn lead(
        &mut self,
        from: usize,
        broker: usize,
        partition: usize,
        epoch: u8,
    ) -> Result<(), Trouble> {
        let (old, new) = (
            self.scene.logs[from][partition].clone(),
            self.scene.logs[broker][partition].clone(),
        );
        let common = old
            .iter()
            .zip(&new)
            .take_while(|(old, new)| old == new)
            .count();
        let end = |log: &[Logged]| Offset(log.iter().map(|batch| batch.records.len() as i64).sum());
        if common < old.len() {
            self.seen.push(Seen::Truncated(
                Partition(partition as i32),
                end(&old[..common]),
            ));
        }
        for (index, logged) in new.iter().enumerate().skip(common) {
            let producer = logged.records.first().map_or(0, |(producer, _)| *producer);
            let records: Vec<i64> = logged.records.iter().map(|(_, record)| *record).collect();
            let batch = batch(producer, partition, &records, logged.identity);
            self.seen.push(Seen::Appended(batch, end(&new[..index])));
        }
        self.plain(vec![Command::Lead {
            broker,
            partition,
            epoch,
        }])
    }
}

fn turn(producer: usize, open: Vec<usize>) -> Command {
    Command::Turn { producer, open }
}

fn batch(producer: usize, partition: usize, records: &[i64], identity: Option<Identity>) -> Batch {
    Batch {
        producer: ProducerId(producer as i64),
        partition: Partition(partition as i32),
        identity,
        first_record: Record(records.first().copied().unwrap_or_default()),
        count: records.len() as u32,
    }
}

fn decision(answer: Option<&Answer>) -> Result<Said, Trouble> {
    let unknown = |what: &str| Trouble::UnknownError(what.to_owned());
    let answer = answer.ok_or_else(|| unknown("nothing"))?;
    if let Some((first, _)) = answer.append {
        return Ok(Said::Appended {
            base: Offset(first),
        });
    }
    if let Some((first, _)) = answer.dup {
        return Ok(Said::Duplicate {
            base: Some(Offset(first)),
        });
    }
    let name = answer.error.as_deref().unwrap_or("nothing");
    let known = [
        Rejection::OutOfOrderSequence,
        Rejection::InvalidProducerEpoch,
        Rejection::InvalidRecord,
    ];
    let rejection = known.into_iter().find(|known| known.to_string() == name);
    rejection.map(Said::Rejected).ok_or_else(|| unknown(name))
}

fn refused(command: &Command, answer: Answer) -> Result<Answer, Trouble> {
    if let Some(thrown) = answer.thrown.first() {
        return Err(Trouble::Thrown(thrown.clone()));
    }
    match answer.bad {
        Some(reason) => Err(Trouble::Refused {
            command: serde_json::to_string(command).unwrap_or_default(),
            reason,
        }),
        None => Ok(answer),
    }
}

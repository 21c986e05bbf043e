//! The model's producer with policy `java-4`, connected to logs of the specification.
//!
//! What a model counts in few small numbers stands here for Kafka's: the sequence space has
//! [`MODULUS`] numbers, of which the upper half are the last ones of Kafka's, and the last
//! epoch of a producer id is the first one of the row.

use std::collections::VecDeque;

use retryproof_models::cluster::{Client, Outcomes};
use retryproof_models::conditions::Conditions;
use retryproof_models::message::{Place, Refusal, Reply, Request, Small, Word, NO_IDENTITY};
use retryproof_models::producer::{ProducerConfig, Told as Outcome};
use retryproof_models::specification::{
    Answer, ErrorName, Fate, Operation, Origin, Partition, Settings,
};
use serde::Deserialize;
use serde_json::{json, Map, Value};

use crate::row::Row;

use super::{Lane, Seen, Sent, Side, Told, ANY_ERROR};

/// How many sequences there are in rows about the wrap.
const MODULUS: u8 = 8;
/// How many there are in Kafka.
const SEQUENCES: i64 = 1 << 31;
/// The last epoch in Kafka.
const LAST_EPOCH: i64 = i16::MAX as i64;
/// The id under which the logs know the client whose producer id is 0.
const FIRST_ID: i64 = 9000;

/// What a row begins with.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Start {
    partitions: usize,
    brokers: usize,
    in_flight: u8,
    epoch: i64,
    sequence: i64,
}

impl Default for Start {
    fn default() -> Self {
        Start {
            partitions: 1,
            brokers: 1,
            in_flight: 5,
            epoch: 0,
            sequence: 0,
        }
    }
}

/// A command of the script.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Command {
    Record {
        partition: usize,
        records: Vec<i64>,
    },
    Turn {
        open: Vec<usize>,
    },
    Deliver {
        request: usize,
    },
    Read {
        request: usize,
        error: Option<String>,
    },
    Disconnect {
        broker: usize,
    },
    TimeOut {
        partition: usize,
    },
    Refresh {
        partition: usize,
        leader: u8,
    },
}

/// A request on its way.
struct OnItsWay {
    partition: usize,
    broker: usize,
    request: Request,
    delivered: Option<Answer>,
    answered: bool,
}

/// A client, its requests, and the logs of the brokers.
pub struct Modelled {
    start: Start,
    conditions: Conditions,
    client: Client,
    /// Records that the application has handed over and that were not sent yet, by partition.
    waiting: Vec<VecDeque<Vec<i64>>>,
    requests: Vec<OnItsWay>,
    /// By broker and partition.
    logs: Vec<Vec<Partition>>,
}

impl Modelled {
    /// The world in which a row begins.
    pub fn of(row: &Row) -> Result<Self, String> {
        let start = Value::Object(row.start.clone());
        let start: Start = serde_json::from_value(start).map_err(|error| error.to_string())?;
        let mut conditions = Conditions {
            in_flight: start.in_flight,
            partitions: start.partitions as u8,
            brokers: start.brokers as u8,
            records_per_batch: records_per_batch(row),
            ..Conditions::KAFKA
        };
        conditions.max_epoch = (start.epoch == LAST_EPOCH).then_some(0);
        conditions.sequence_modulus = (start.sequence > 0).then_some(MODULUS);
        let mut client = Client::new(0);
        for lane in &mut client.lanes[..start.partitions] {
            if start.sequence > 0 {
                lane.next_sequence = (i64::from(MODULUS) - (SEQUENCES - start.sequence)) as Small;
            }
        }
        let log = Partition::new(Settings::kafka());
        Ok(Modelled {
            start,
            conditions,
            client,
            waiting: vec![VecDeque::new(); start.partitions],
            requests: Vec::new(),
            logs: vec![vec![log; start.partitions]; start.brokers],
        })
    }

    fn carry_out(&mut self, command: Command, seen: &mut Seen) -> Result<(), String> {
        let mut outcomes = Outcomes::default();
        match command {
            Command::Record { partition, records } => self.waiting[partition].push_back(records),
            Command::Turn { open } => self.turn(&open, &mut outcomes, seen)?,
            Command::Deliver { request } => seen.answer = Some(json!(self.deliver(request)?)),
            Command::Read { request, error } => self.read(request, error, &mut outcomes)?,
            Command::Disconnect { broker } => {
                let conditions = &self.conditions;
                self.client.on_disconnect(conditions, broker, &mut outcomes);
                let requests = self.requests.iter_mut();
                requests
                    .filter(|request| request.broker == broker)
                    .for_each(|request| request.answered = true);
            }
            Command::TimeOut { partition } => self.time_out(partition, &mut outcomes)?,
            Command::Refresh { partition, leader } => self.client.leaders[partition] = leader,
        }
        self.tell(&outcomes, seen);
        Ok(())
    }

    /// One turn of the client's loop: for each open partition the batch that is to be sent
    /// again, or else the next fresh one.
    fn turn(
        &mut self,
        open: &[usize],
        outcomes: &mut Outcomes,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let conditions = self.conditions;
        self.client.turn(&conditions, outcomes);
        for &partition in open {
            let request = if self.client.can_retry(&conditions, partition).is_some() {
                self.client.retry(&conditions, partition, outcomes)
            } else if self.waiting[partition].is_empty()
                || !self.client.can_send(&conditions, partition)
            {
                None
            } else {
                self.client.send(&conditions, partition, outcomes)
            };
            if let Some(request) = request {
                self.leave(partition, request, seen)?;
            }
        }
        Ok(())
    }

    fn leave(&mut self, partition: usize, request: Request, seen: &mut Seen) -> Result<(), String> {
        let sent = self.sent(partition, &request)?;
        if self.waiting[partition].front() == Some(&sent.records) {
            self.waiting[partition].pop_front();
        }
        seen.sent.push(sent);
        self.requests.push(OnItsWay {
            partition,
            broker: self.client.leaders[partition].into(),
            request,
            delivered: None,
            answered: false,
        });
        Ok(())
    }

    fn deliver(&mut self, number: usize) -> Result<Answer, String> {
        let on_its_way = self
            .requests
            .get(number)
            .ok_or("there is no such request")?;
        let (partition, request) = (on_its_way.partition, on_its_way.request);
        let sent = self.sent(partition, &request)?;
        let log = &mut self.logs[self.requests[number].broker][partition];
        let n = sent.records.len() as i64;
        let answer = log.apply(&match sent.pid {
            -1 => Operation::Plain { n, ts: 0 },
            pid => Operation::Append {
                pid: FIRST_ID + pid,
                epoch: sent.epoch,
                seq: sent.sequence,
                n,
                ts: 0,
                origin: Origin::Client,
                fate: Fate::Kept,
            },
        });
        self.requests[number].delivered = Some(answer.clone());
        Ok(answer)
    }

    fn read(
        &mut self,
        number: usize,
        error: Option<String>,
        outcomes: &mut Outcomes,
    ) -> Result<(), String> {
        let on_its_way = self
            .requests
            .get_mut(number)
            .ok_or("there is no such request")?;
        if on_its_way.answered {
            return Err("it was answered, or its connection is gone".to_owned());
        }
        on_its_way.answered = true;
        let word = match (error, &on_its_way.delivered) {
            (Some(error), _) => word_of(&error)?,
            (None, Some(Answer::Append(first, _) | Answer::Dup(first, _))) => {
                Word::Written(Place::At(*first as Small))
            }
            (None, Some(Answer::Error(ErrorName::OutOfOrderSequenceNumber))) => {
                Word::Refused(Refusal::OutOfOrder)
            }
            (None, Some(Answer::Error(ErrorName::InvalidProducerEpoch))) => {
                Word::Refused(Refusal::StaleEpoch)
            }
            (None, answer) => return Err(format!("nobody can read {answer:?}")),
        };
        let (partition, broker) = (on_its_way.partition, on_its_way.broker as u8);
        let reply = Reply::to(&on_its_way.request, word);
        let config = ProducerConfig::of(&self.conditions);
        let lane = &mut self.client.lanes[partition];
        lane.on_reply(&config, &reply, broker, &mut outcomes[partition]);
        Ok(())
    }

    /// A turn in which nothing is sent; after it has begun, the lowest undecided batch runs
    /// out of time.
    fn time_out(&mut self, partition: usize, outcomes: &mut Outcomes) -> Result<(), String> {
        self.client.turn(&self.conditions, outcomes);
        let config = ProducerConfig::of(&self.conditions);
        let lane = &mut self.client.lanes[partition];
        if !lane.can_time_out() {
            return Err("no batch of that partition is undecided".to_owned());
        }
        lane.give_up_on_time(&config, &mut outcomes[partition]);
        Ok(())
    }

    fn tell(&self, outcomes: &Outcomes, seen: &mut Seen) {
        for (partition, reports) in outcomes.iter().enumerate() {
            seen.told.extend(reports.iter().map(|report| {
                let (offset, error) = match report.told {
                    Outcome::Acknowledged(Place::At(offset)) => (Some(offset.into()), None),
                    Outcome::Acknowledged(_) => (Some(-1), None),
                    Outcome::Failed | Outcome::Unknown => (None, Some(ANY_ERROR.to_owned())),
                };
                Told {
                    partition,
                    records: records(report.record, report.more),
                    offset,
                    error,
                }
            }));
        }
    }

    /// A request in Kafka's numbers.
    fn sent(&self, partition: usize, request: &Request) -> Result<Sent, String> {
        let (pid, epoch) = match request.epoch {
            NO_IDENTITY => (-1, -1),
            epoch => self.identity(epoch)?,
        };
        Ok(Sent {
            partition,
            pid,
            epoch,
            sequence: self.sequence(request.sequence),
            records: records(request.record, request.more),
        })
    }

    /// The producer id and epoch that an epoch of the model stands for.
    fn identity(&self, epoch: Small) -> Result<(i64, i64), String> {
        match (self.conditions.max_epoch, epoch) {
            (None, _) => Ok((0, self.start.epoch + i64::from(epoch))),
            (Some(_), 0) => Ok((0, self.start.epoch)),
            (Some(_), 1) => Ok((1, 0)),
            (Some(_), _) => Err("a row uses up one producer id at most".to_owned()),
        }
    }

    /// The sequence that one of the model stands for.
    fn sequence(&self, sequence: Small) -> i64 {
        let modulus = i64::from(MODULUS);
        let sequence = i64::from(sequence);
        match self.conditions.sequence_modulus {
            Some(_) if sequence >= 0 => match sequence % modulus {
                low if low < modulus / 2 => low,
                high => SEQUENCES - modulus + high,
            },
            _ => sequence,
        }
    }
}

impl Side for Modelled {
    fn take(&mut self, command: &Map<String, Value>) -> Result<Seen, String> {
        let command = serde_json::from_value(Value::Object(command.clone()));
        let mut seen = Seen::default();
        self.carry_out(command.map_err(|error| error.to_string())?, &mut seen)?;
        Ok(seen)
    }

    fn lane(&mut self, partition: usize) -> Result<Lane, String> {
        let lane = &self.client.lanes[partition];
        let undecided = lane.undecided.iter();
        Ok(Lane {
            next_sequence: self.sequence(lane.next_sequence),
            last_acked: self.sequence(lane.last_acked),
            undecided: undecided.map(|b| records(b.record, b.more)).collect(),
            unresolved: lane.unresolved.is_some(),
        })
    }
}

fn records(first: Small, more: u8) -> Vec<i64> {
    let first = i64::from(first);
    (first..=first + i64::from(more)).collect()
}

/// In a model all batches have as many records.
fn records_per_batch(row: &Row) -> u8 {
    let records = row
        .steps
        .iter()
        .filter_map(|step| step.operation.get("records"));
    let sizes = records.filter_map(|records| Some(records.as_array()?.len() as u8));
    sizes.max().unwrap_or(1)
}

/// What an error by its name is to the model.
fn word_of(error: &str) -> Result<Word, String> {
    let refusal = match error {
        "DUPLICATE_SEQUENCE_NUMBER" => return Ok(Word::Written(Place::Unnamed)),
        "OUT_OF_ORDER_SEQUENCE_NUMBER" => Refusal::OutOfOrder,
        "INVALID_PRODUCER_EPOCH" => Refusal::StaleEpoch,
        "UNKNOWN_PRODUCER_ID" => Refusal::UnknownProducer,
        "NOT_ENOUGH_REPLICAS" => Refusal::RefusedBefore,
        "NOT_ENOUGH_REPLICAS_AFTER_APPEND" => Refusal::ErrorAfter,
        "NOT_LEADER_OR_FOLLOWER" => Refusal::NotLeader,
        "KAFKA_STORAGE_ERROR" => Refusal::StorageError,
        "INVALID_RECORD" => Refusal::Invalid,
        "MESSAGE_TOO_LARGE" => Refusal::TooLarge,
        _ => return Err(format!("the model knows no {error}")),
    };
    Ok(Word::Refused(refusal))
}

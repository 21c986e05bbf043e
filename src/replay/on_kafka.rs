//! Worlds whose steps can be made on the real client and log.

use retryproof_models::broker::Fate;
use retryproof_models::cluster::{
    self, own_number, producer_of, ClusterWorld, Connection, Lane as ClusterLane, Seat,
};
use retryproof_models::conditions::{Budget, Conditions, ProducerIds, RestartKeeps};
use retryproof_models::message::{observed_answer, observed_batch, Refusal, Request};
use retryproof_models::network::NetworkKind;
use retryproof_models::world::{Action, FlatWorld, State, World};
use retryproof_properties::{Batch, Partition, ProducerId, Record, Rejection};

use super::moves::{Delivery, Move};
use super::scene::{lane_of, memory_of, Logged, Scene};
use super::seen::Seen;

/// A world whose steps can be made on the real client and log.
pub trait OnKafka: World {
    /// The same world with real numbers, where those of its states are relative.
    fn with_room(conditions: &Conditions) -> Self;

    /// What is to be done in a step.
    fn moves(&self, before: &Self::State, action: &Self::Action, after: &Self::State) -> Vec<Move>;

    /// Whether the action is one that can be made on the real client and log.
    fn can_make(&self, _action: &Self::Action) -> bool {
        true
    }

    /// What can be looked at in a state. `log` is the log of a world that does not keep all
    /// of it in its state.
    fn scene(&self, state: &Self::State, log: &[Logged]) -> Scene;
}

/// What befalls a request beside the broker's decision: whether it gets as far as the log,
/// and the error that is answered.
fn befalls(fate: Fate) -> (bool, Option<Rejection>) {
    let error = |refusal| Some(Rejection::from(refusal));
    match fate {
        Fate::Decided => (true, None),
        Fate::RefusedBefore => (false, error(Refusal::RefusedBefore)),
        Fate::ErrorAfter => (true, error(Refusal::ErrorAfter)),
        Fate::Invalid => (false, error(Refusal::Invalid)),
        Fate::TooLarge => (false, error(Refusal::TooLarge)),
        Fate::Fails => (true, error(Refusal::StorageError)),
    }
}

/// The log of a world with one broker, as far as what was seen tells of it.
pub fn extend_log(log: &mut Vec<Logged>, seen: &[Seen]) {
    for one in seen {
        if let Seen::Appended(batch, base) = one {
            let producer = batch.producer.0 as usize;
            log.push(Logged {
                offset: base.0,
                records: batch.records().map(|record| (producer, record.0)).collect(),
                identity: batch.identity,
                leader_epoch: 0,
            });
        }
    }
}

impl OnKafka for FlatWorld {
    fn with_room(conditions: &Conditions) -> Self {
        FlatWorld::new(Conditions {
            batches: match conditions.batches {
                Budget::Any => Budget::AtMost(u8::MAX),
                bounded => bounded,
            },
            ..*conditions
        })
    }

    fn moves(&self, before: &State, action: &Action, _: &State) -> Vec<Move> {
        let (producer, partition, broker) = (0, 0, 0);
        let conditions = &self.conditions;
        let disconnect = Move::Disconnect { producer, broker };
        match *action {
            Action::Send => {
                let first = i64::from(before.producer.next_record);
                let count = i64::from(conditions.records_per_batch);
                vec![Move::Send {
                    producer,
                    partition,
                    records: (first..first + count).collect(),
                }]
            }
            Action::Retry => vec![Move::Retry {
                producer,
                partition,
            }],
            Action::Deliver(_) | Action::DeliverTo(..) => {
                let Some((slot, fate)) = action.delivered() else {
                    return Vec::new();
                };
                let (reaches_log, error) = befalls(fate);
                vec![Move::Deliver(Delivery {
                    batch: observed_batch(&before.network.request(slot), true),
                    broker,
                    awaited: slot.is_live(),
                    may_repeat: conditions.network == NetworkKind::Duplicating,
                    reaches_log,
                    error,
                    is_seen: true,
                })]
            }
            Action::Read { index, after_bump } => {
                let reply = before.network.replies.as_slice()[usize::from(index)];
                vec![Move::Read {
                    producer,
                    broker,
                    partition,
                    record: reply.record.into(),
                    answer: observed_answer(reply.word),
                    after_turn: after_bump,
                }]
            }
            Action::Disconnect => vec![disconnect],
            Action::Lose(_) => Vec::new(),
            Action::Restart => {
                let forgets = conditions.restart_keeps == RestartKeeps::Nothing;
                vec![Move::Restart { broker, forgets }, disconnect]
            }
            Action::Expire => vec![Move::Expire { broker, partition }],
            Action::TimeOut => vec![Move::TimeOut {
                producer,
                partition,
            }],
            // No client of Kafka's lets an application cancel (see `possible`).
            Action::Cancel => Vec::new(),
        }
    }

    fn scene(&self, state: &State, log: &[Logged]) -> Scene {
        let config = retryproof_models::producer::ProducerConfig::of(&self.conditions);
        let capacity = self.conditions.capacity();
        let memories = [&state.broker, &state.retired]
            .into_iter()
            .filter(|memory| memory.known)
            .map(|memory| {
                let id = config.producer_id_of(memory.epoch) as usize;
                (id, memory_of(memory, capacity))
            })
            .collect();
        Scene {
            logs: vec![vec![log.to_vec()]],
            memories: vec![vec![memories]],
            clients: vec![vec![lane_of(&state.producer, i64::from)]],
        }
    }
}

impl OnKafka for ClusterWorld {
    fn with_room(conditions: &Conditions) -> Self {
        ClusterWorld::new(*conditions)
    }

    fn moves(
        &self,
        before: &cluster::State,
        action: &cluster::Action,
        _: &cluster::State,
    ) -> Vec<Move> {
        use cluster::Action;
        match *action {
            Action::Send(ClusterLane {
                producer,
                partition,
            }) => {
                let next = before.clients[producer].lanes[partition].next_record;
                vec![Move::Send {
                    producer,
                    partition,
                    records: vec![own_number(next).into()],
                }]
            }
            Action::Retry(ClusterLane {
                producer,
                partition,
            }) => vec![Move::Retry {
                producer,
                partition,
            }],
            Action::Refresh(ClusterLane {
                producer,
                partition,
            }) => vec![Move::Refresh {
                producer,
                partition,
                leader: before.leaderships[partition].leader.into(),
            }],
            Action::TimeOut(ClusterLane {
                producer,
                partition,
            }) => vec![Move::TimeOut {
                producer,
                partition,
            }],
            Action::Deliver {
                producer,
                connection,
                fate,
            } => delivery(before, producer, connection, fate),
            Action::Read {
                producer,
                broker,
                after_bump,
            } => {
                let replies = before.links[producer].live[broker].replies;
                let next = replies.as_slice().first();
                next.map(|next| Move::Read {
                    producer,
                    broker,
                    partition: next.partition.into(),
                    record: own_number(next.reply.record).into(),
                    answer: observed_answer(next.reply.word),
                    after_turn: after_bump,
                })
                .into_iter()
                .collect()
            }
            Action::Disconnect { producer, broker } => {
                vec![Move::Disconnect { producer, broker }]
            }
            Action::Lose { .. } | Action::Shrink(_) | Action::Expand(_) => Vec::new(),
            Action::Fetch(Seat { broker, partition }) => vec![Move::Replicate {
                from: before.leaderships[partition].leader.into(),
                to: broker,
                partition,
            }],
            Action::LeaderMove(Seat { broker, partition }) => {
                let leadership = before.leaderships[partition];
                vec![Move::Lead {
                    from: leadership.leader.into(),
                    broker,
                    partition,
                    epoch: leadership.epoch + 1,
                }]
            }
            Action::Learn(seat) => learn(before, seat).into_iter().collect(),
            Action::Restart { broker } => restart(before, broker, self.conditions().restart_keeps),
            Action::Expire { seat, .. } => vec![Move::Expire {
                broker: seat.broker,
                partition: seat.partition,
            }],
        }
    }

    /// An expiry check of the real log forgets every producer that has expired, not one of
    /// them.
    fn can_make(&self, action: &cluster::Action) -> bool {
        let ids = match self.conditions().producer_ids {
            ProducerIds::Own => self.conditions().producers,
            ProducerIds::Shared => 1,
        };
        ids == 1 || !matches!(action, cluster::Action::Expire { .. })
    }

    fn scene(&self, state: &cluster::State, _: &[Logged]) -> Scene {
        let shape = state.shape;
        let capacity = self.conditions().capacity();
        let mut scene = Scene::default();
        for replicas in &state.replicas[..shape.brokers] {
            let replicas = &replicas[..shape.partitions];
            scene.logs.push(
                replicas
                    .iter()
                    .map(|replica| log_of(&replica.log))
                    .collect(),
            );
            scene.memories.push(
                replicas
                    .iter()
                    .map(|replica| {
                        let known = replica.memory.iter().enumerate();
                        let known = known.filter(|(_, memory)| memory.known);
                        known
                            .map(|(id, memory)| (id, memory_of(memory, capacity)))
                            .collect()
                    })
                    .collect(),
            );
        }
        for client in &state.clients[..shape.producers] {
            let lanes = client.lanes[..shape.partitions].iter();
            let own = |record| i64::from(own_number(record));
            scene
                .clients
                .push(lanes.map(|lane| lane_of(lane, own)).collect());
        }
        scene
    }
}

fn log_of(log: &cluster::Log) -> Vec<Logged> {
    log.iter()
        .zip(0..)
        .map(|(entry, offset)| {
            let batch = observed(0, &entry.request());
            Logged {
                offset,
                records: vec![(batch.producer.0 as usize, batch.first_record.0)],
                identity: batch.identity,
                leader_epoch: entry.leader_epoch.into(),
            }
        })
        .collect()
}

fn observed(partition: usize, request: &Request) -> Batch {
    Batch {
        producer: ProducerId(producer_of(request.record) as i64),
        partition: Partition(partition as i32),
        first_record: Record(own_number(request.record).into()),
        ..observed_batch(request, true)
    }
}

fn delivery(
    before: &cluster::State,
    producer: usize,
    connection: Connection,
    fate: Fate,
) -> Vec<Move> {
    let links = &before.links[producer];
    let Some(parcel) = links.pipe(connection).next() else {
        return Vec::new();
    };
    let seat = Seat {
        broker: links.broker(connection),
        partition: parcel.partition.into(),
    };
    let leads = before.replica(seat).leads;
    let (reaches_log, error) = match leads {
        true => befalls(fate),
        false => (false, Some(Rejection::from(Refusal::NotLeader))),
    };
    vec![Move::Deliver(Delivery {
        batch: observed(seat.partition, &parcel.request),
        broker: seat.broker,
        awaited: matches!(connection, Connection::Live(_)),
        may_repeat: false,
        reaches_log,
        error,
        is_seen: leads && before.is_leader(seat),
    })]
}

/// A broker that learns who leads goes back to what it has in common with the leader.
fn learn(before: &cluster::State, seat: Seat) -> Option<Move> {
    let (mine, leaders) = (&before.replica(seat).log, before.log(seat.partition));
    let pairs = mine.iter().zip(leaders.iter());
    let common = pairs.take_while(|(mine, theirs)| mine == theirs).count();
    (common < mine.len()).then_some(Move::Truncate {
        broker: seat.broker,
        partition: seat.partition,
        to: common,
    })
}

/// A broker restarts: it goes back first to what it has in common with leaders that it does not
/// know yet, and every connection to it is gone.
fn restart(before: &cluster::State, broker: usize, keeps: RestartKeeps) -> Vec<Move> {
    let seats = (0..before.shape.partitions).map(|partition| Seat { broker, partition });
    let learns = seats
        .filter(|seat| !before.is_up_to_date(*seat))
        .filter_map(|seat| learn(before, seat));
    let restart = Move::Restart {
        broker,
        forgets: keeps == RestartKeeps::Nothing,
    };
    let producers = 0..before.shape.producers;
    let disconnects = producers.map(|producer| Move::Disconnect { producer, broker });
    learns.chain([restart]).chain(disconnects).collect()
}

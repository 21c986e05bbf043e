//! The chart of a run of a cluster: a lifeline for each producer and each broker.

use retryproof_models::actors::Role;
use retryproof_models::checking::Trace;
use retryproof_models::cluster::{
    producer_of, Action, Answer, ClusterWorld, Connection, Parcel, Seat, State,
};
use retryproof_models::message::{Small, Word};
use retryproof_properties::{Answer as Answered, Outcome};

use crate::evidence::seen::Seen;
use crate::evidence::story::in_cluster::Names;

use super::tracking::{beyond, Tracking, Which};
use super::{label, Arrow, Item, Kind, Lifeline, Mark, Note};

/// What can be on its way, between which producer and which broker.
#[derive(Clone, Debug, PartialEq)]
enum Message {
    Request(usize, usize, Parcel),
    Answer(usize, usize, Answer),
}

/// Draws a run.
pub fn draw(run: &Trace<ClusterWorld>) -> (Vec<Lifeline>, Vec<Vec<Item>>) {
    let mut tracking = Tracking::new();
    for index in 0..run.len() {
        tracking.begin();
        let mut step = Step {
            run,
            action: run.steps[index].action,
            before: run.before(index),
            after: &run.steps[index].after,
            seen: Seen::in_step(run, index),
            tracking: &mut tracking,
        };
        step.draw();
    }
    (lifelines(&run.start), tracking.into_rows())
}

fn lifelines(state: &State) -> Vec<Lifeline> {
    let of = |role: Role, count: usize| {
        let names = (0..count).map(move |number| match count {
            1 => role.name().to_owned(),
            _ => format!("{} {number}", role.name()),
        });
        names.map(move |name| Lifeline { role, name })
    };
    let producers = of(Role::Producer, state.shape.producers);
    let brokers = of(Role::Broker, state.shape.brokers);
    producers
        .chain(of(Role::Network, 1))
        .chain(brokers)
        .collect()
}

struct Step<'a> {
    run: &'a Trace<ClusterWorld>,
    action: Action,
    before: &'a State,
    after: &'a State,
    seen: Seen,
    tracking: &'a mut Tracking<Message>,
}

impl Step<'_> {
    fn network(&self) -> usize {
        self.before.shape.producers
    }

    fn broker(&self, broker: usize) -> usize {
        self.network() + 1 + broker
    }

    fn draw(&mut self) {
        match self.action {
            Action::Send(lane) => self.sends(lane.producer, Kind::Fresh),
            Action::Retry(lane) => self.sends(lane.producer, Kind::Retry),
            Action::Deliver {
                producer,
                connection,
                ..
            } => self.delivers(producer, connection),
            Action::Read {
                producer, broker, ..
            } => self.reads(producer, broker),
            Action::Disconnect { producer, broker } => {
                let text = match (self.before.shape.producers, self.before.shape.brokers) {
                    (1, 1) => "connection breaks".to_owned(),
                    (1, _) => format!("connection to broker {broker} breaks"),
                    (_, 1) => format!("connection of producer {producer} breaks"),
                    _ => format!("connection of producer {producer} to broker {broker} breaks"),
                };
                self.note(None, Mark::Fault, text);
                self.loses(Which::Newest);
            }
            Action::Lose { .. } => {
                self.note(Some(self.network()), Mark::Fault, "lost on its way");
                self.loses(Which::Oldest);
            }
            Action::Restart { broker } => {
                self.note(Some(self.broker(broker)), Mark::Fault, "restarts");
                self.loses(Which::Newest);
            }
            Action::Fetch(seat) => self.fetches(seat),
            Action::Learn(seat) => self.learns(seat),
            Action::LeaderMove(seat) => {
                let text = format!("becomes leader{}", self.of_partition(seat.partition));
                self.note(Some(self.broker(seat.broker)), Mark::News, text);
            }
            Action::Shrink(seat) => {
                self.note(Some(self.broker(seat.broker)), Mark::Fault, "out of sync");
            }
            Action::Expand(seat) => {
                self.note(Some(self.broker(seat.broker)), Mark::News, "in sync again");
            }
            Action::Expire { seat, .. } => {
                let at = Some(self.broker(seat.broker));
                self.note(at, Mark::Fault, "forgets the producer");
            }
            Action::Refresh(lane) => {
                let leader = self.after.clients[lane.producer].leaders[lane.partition];
                let text = format!("learns that broker {leader} leads");
                self.note(Some(lane.producer), Mark::News, text);
            }
            Action::TimeOut(lane) => {
                self.note(Some(lane.producer), Mark::Fault, "delivery timeout");
            }
        }
        self.releases();
        self.tells();
    }

    fn note(&mut self, at: Option<usize>, mark: Mark, text: impl Into<String>) {
        let text = text.into();
        self.tracking.note(Note { at, mark, text });
    }

    fn of_partition(&self, partition: usize) -> String {
        match self.before.shape.partitions {
            1 => String::new(),
            _ => format!(" of partition {partition}"),
        }
    }

    fn record(&self, record: Small) -> String {
        Names::of(self.before).record(record)
    }

    fn request(&self, from: usize, to: usize, kind: Kind, parcel: &Parcel) -> Arrow {
        let record = parcel.request.record;
        let conditions = &self.run.conditions.of_producer(producer_of(record));
        let name = self.record(record);
        let label = label::request(conditions, &name, &parcel.request);
        Arrow {
            from,
            to,
            kind,
            label: format!("{label}{}", self.of_partition(parcel.partition.into())),
            epoch: label::epoch(conditions, &parcel.request),
            lost_in: None,
        }
    }

    fn answer(&self, from: usize, to: usize, kind: Kind, answer: &Answer) -> Arrow {
        Arrow {
            from,
            to,
            kind,
            label: label::answer(&self.record(answer.reply.record), answer.reply.word),
            epoch: None,
            lost_in: None,
        }
    }

    /// The producer goes over to another epoch.
    fn raises(&mut self, producer: usize) {
        let epoch = |state: &State| state.clients[producer].epoch;
        let (old, new) = (epoch(self.before), epoch(self.after));
        if old != new {
            let text = format!("epoch {old} → epoch {new}");
            self.note(Some(producer), Mark::News, text);
        }
    }

    fn sends(&mut self, producer: usize, kind: Kind) {
        self.raises(producer);
        let network = self.network();
        for (_, broker, parcel) in beyond(&requests(self.after), &requests(self.before)) {
            let arrow = self.request(producer, network, kind, &parcel);
            let message = Message::Request(producer, broker, parcel);
            self.tracking.put(message, arrow);
        }
    }

    fn delivers(&mut self, producer: usize, connection: Connection) {
        let links = &self.before.links[producer];
        let broker = links.broker(connection);
        let Some(parcel) = links.pipe(connection).next() else {
            return;
        };
        let message = Message::Request(producer, broker, parcel);
        let kind = match connection {
            Connection::Live(_) => self.tracking.take(&message, Which::Newest),
            Connection::Dead(_) => {
                self.tracking.take(&message, Which::Oldest);
                Some(Kind::Late)
            }
        };
        let (network, at) = (self.network(), self.broker(broker));
        let arrow = self.request(network, at, kind.unwrap_or(Kind::Retry), &parcel);
        self.tracking.arrow(arrow);
        let seat = Seat {
            broker,
            partition: parcel.partition.into(),
        };
        let (mark, text) = self.decides(seat, &parcel);
        self.note(Some(at), mark, text);
    }

    /// What a broker decides.
    fn decides(&self, seat: Seat, parcel: &Parcel) -> (Mark, String) {
        let (before, after) = (self.before.replica(seat), self.after.replica(seat));
        let lead = match (before.leads, self.before.is_leader(seat)) {
            (true, false) => "deposed: ",
            (false, _) => "no leader: ",
            (true, true) => "",
        };
        if after.log.len() > before.log.len() {
            let record = self.record(parcel.request.record);
            let text = format!("{lead}appends {record} → offset {}", before.end());
            return (Mark::Append, text);
        }
        let error =
            self.new_answers()
                .into_iter()
                .find_map(|(.., answer)| match answer.reply.word {
                    Word::Refused(_) => Some(answer.reply.word),
                    Word::Written(_) => None,
                });
        match (self.seen.answer, error) {
            (Some(Answered::Duplicate { base: Some(base) }), _) => {
                (Mark::Duplicate, format!("{lead}duplicate of offset {base}"))
            }
            (Some(Answered::Duplicate { base: None }), _) => {
                (Mark::Duplicate, format!("{lead}duplicate"))
            }
            // The answer says which error it is.
            (_, Some(_)) => (Mark::Rejection, format!("{lead}refuses")),
            (Some(Answered::Rejected(error)), None) => {
                (Mark::Rejection, format!("{lead}refuses: {error}"))
            }
            _ => (Mark::News, format!("{lead}writes nothing")),
        }
    }

    fn new_answers(&self) -> Vec<(usize, usize, Answer)> {
        beyond(&answers(self.after), &answers(self.before))
    }

    /// The answers that go out: at once, or now that the replicas have followed.
    fn releases(&mut self) {
        for (producer, broker, answer) in self.new_answers() {
            let kind = match (answer.reply.word, self.seen.answer) {
                (Word::Refused(_), _) => Kind::Rejection,
                (_, Some(Answered::Duplicate { .. })) => Kind::Duplicate,
                _ => Kind::Success,
            };
            let arrow = self.answer(self.broker(broker), self.network(), kind, &answer);
            let message = Message::Answer(producer, broker, answer);
            self.tracking.put(message, arrow);
        }
    }

    fn reads(&mut self, producer: usize, broker: usize) {
        self.raises(producer);
        let replies = self.before.links[producer].live[broker].replies;
        let Some(answer) = replies.as_slice().first() else {
            return;
        };
        let message = Message::Answer(producer, broker, *answer);
        let kind = self.tracking.take(&message, Which::Oldest);
        let kind = kind.unwrap_or(Kind::Success);
        let arrow = self.answer(self.network(), producer, kind, answer);
        self.tracking.arrow(arrow);
    }

    /// What was on its way and is no more.
    fn loses(&mut self, which: Which) {
        for (producer, broker, answer) in beyond(&answers(self.before), &answers(self.after)) {
            let message = Message::Answer(producer, broker, answer);
            self.tracking.lose(&message, Which::Newest);
        }
        for (producer, broker, parcel) in beyond(&requests(self.before), &requests(self.after)) {
            let message = Message::Request(producer, broker, parcel);
            self.tracking.lose(&message, which);
        }
    }

    fn fetches(&mut self, seat: Seat) {
        let newest = self.after.replica(seat).log.as_slice().last();
        let Some(entry) = newest else {
            return;
        };
        let label = format!(
            "{}{}",
            self.record(entry.record),
            self.of_partition(seat.partition)
        );
        let leader = self.before.leader_seat(seat.partition).broker;
        self.tracking.arrow(Arrow {
            from: self.broker(leader),
            to: self.broker(seat.broker),
            kind: Kind::Replication,
            label,
            epoch: None,
            lost_in: None,
        });
    }

    fn learns(&mut self, seat: Seat) {
        let (before, after) = (self.before.replica(seat), self.after.replica(seat));
        let leader = self.before.leader_seat(seat.partition).broker;
        let mut text = format!("learns that broker {leader} leads");
        let mut mark = Mark::News;
        if after.log.len() < before.log.len() {
            text.push_str(&format!(", cuts its log at offset {}", after.end()));
            mark = Mark::Fault;
        }
        self.note(Some(self.broker(seat.broker)), mark, text);
    }

    /// What applications are told, unless it is that something is written.
    fn tells(&mut self) {
        let reported = self.seen.reported.clone();
        for (record, outcome) in reported {
            let record = record.0 as Small;
            let at = producer_of(record);
            let name = self.record(record);
            match outcome {
                Outcome::Failed => {
                    let text = format!("tells the application: failed: {name}");
                    self.note(Some(at), Mark::Rejection, text);
                }
                Outcome::Unknown => {
                    let text = format!("tells the application: fate unknown: {name}");
                    self.note(Some(at), Mark::Rejection, text);
                }
                Outcome::Acknowledged { .. } => {}
            }
        }
    }
}

/// All requests on their way, with producer and broker.
fn requests(state: &State) -> Vec<(usize, usize, Parcel)> {
    let mut found = Vec::new();
    for producer in 0..state.shape.producers {
        let links = &state.links[producer];
        let live = (0..state.shape.brokers).map(Connection::Live);
        let dead = (0..links.dead.len()).map(Connection::Dead);
        for connection in live.chain(dead) {
            let broker = links.broker(connection);
            let parcels = links.pipe(connection).requests.iter();
            found.extend(parcels.map(|parcel| (producer, broker, *parcel)));
        }
    }
    found
}

/// All answers on their way, with producer and broker.
fn answers(state: &State) -> Vec<(usize, usize, Answer)> {
    let mut found = Vec::new();
    for producer in 0..state.shape.producers {
        for broker in 0..state.shape.brokers {
            let replies = state.links[producer].live[broker].replies;
            found.extend(replies.iter().map(|answer| (producer, broker, *answer)));
        }
    }
    found
}

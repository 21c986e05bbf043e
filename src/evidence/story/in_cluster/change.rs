//! What one step changed in a cluster, in a sentence or two.

use retryproof_models::broker::Fate;
use retryproof_models::cluster::{Action, Connection, Lane, Parcel, Replica, Seat, State};
use retryproof_models::message::{Request, Small};
use retryproof_models::producer::Status;

use crate::evidence::seen::Seen;

use super::super::phrase::{said, told_of};
use super::names::Names;

/// One step: the state before and after it, and what could be seen.
pub struct Change<'a> {
    pub before: &'a State,
    pub after: &'a State,
    pub seen: &'a Seen,
}

impl Change<'_> {
    /// What happened.
    pub fn sentence(&self, action: &Action) -> String {
        match *action {
            Action::Send(lane) => self.sends(lane, ""),
            Action::Retry(lane) => self.sends(lane, " again"),
            Action::Deliver {
                producer,
                connection,
                fate,
            } => self.takes(producer, connection, fate),
            Action::Read {
                producer,
                broker,
                after_bump,
            } => self.reads(producer, broker, after_bump),
            Action::TimeOut(lane) => self.times_out(lane),
            Action::Disconnect { producer, broker } => self.breaks(producer, broker),
            Action::Fetch(seat) => self.fetches(seat),
            Action::LeaderMove(seat) => self.leads(seat),
            Action::Learn(seat) => self.learns(seat),
            Action::Restart { broker } => self.restarts(broker),
            Action::Refresh(lane) => self.refreshes(lane),
            Action::Lose { producer, dead } => self.loses(producer, dead),
            Action::Shrink(_) | Action::Expand(_) | Action::Expire { .. } => capital(action),
        }
    }

    fn names(&self) -> Names {
        Names::of(self.before)
    }

    fn batch(&self, parcel: &Parcel) -> String {
        let Request {
            epoch,
            sequence,
            record,
            ..
        } = parcel.request;
        let identity = match parcel.request.has_identity() {
            true => format!("sequence {sequence}, epoch {epoch}"),
            false => "no producer id".to_owned(),
        };
        format!(
            "{}{} ({identity})",
            self.names().record(record),
            self.names().of_partition(parcel.partition.into())
        )
    }

    fn sends(&self, lane: Lane, again: &str) -> String {
        let sent = (0..self.before.shape.brokers).find_map(|broker| {
            let requests = |state: &State| state.links[lane.producer].live[broker].pipe.requests;
            let (before, after) = (requests(self.before), requests(self.after));
            let newest = after.as_slice().last().copied()?;
            (after.len() > before.len()).then_some((broker, newest))
        });
        let producer = self.names().producer(lane.producer);
        let raised = self.raised(lane.producer);
        match sent {
            Some((broker, parcel)) => format!(
                "{producer} {raised}sends {}{again}{}.",
                self.batch(&parcel),
                self.names().to_broker(broker)
            ),
            None => format!("{producer} {raised}sends nothing."),
        }
    }

    /// "raises its epoch to 1 and ", if it does.
    fn raised(&self, producer: usize) -> String {
        let epoch = |state: &State| state.clients[producer].epoch;
        match epoch(self.after) != epoch(self.before) {
            true => format!("raises its epoch to {} and ", epoch(self.after)),
            false => String::new(),
        }
    }

    fn takes(&self, producer: usize, connection: Connection, fate: Fate) -> String {
        let links = &self.before.links[producer];
        let broker = links.broker(connection);
        let Some(parcel) = links.pipe(connection).next() else {
            return format!("{} takes nothing.", self.names().broker(broker));
        };
        let seat = Seat {
            broker,
            partition: parcel.partition.into(),
        };
        let late = match connection {
            Connection::Live(_) => String::new(),
            Connection::Dead(_) => format!(
                "Left over of a dead connection of {}, ",
                self.names().producer(producer).to_lowercase()
            ),
        };
        let arrives = match late.is_empty() {
            true => String::new(),
            false => format!(
                "{late}{} arrives. ",
                self.names().record(parcel.request.record)
            ),
        };
        format!(
            "{arrives}{}{} {}{}{}",
            self.names().broker(broker),
            self.role(seat),
            self.does(seat, &parcel, producer, fate),
            self.then(seat, producer),
            match fate {
                Fate::ErrorAfter => " The answer will be an error all the same.",
                _ => "",
            }
        )
    }

    /// Whether the broker is leader, where that is not as it should be.
    fn role(&self, seat: Seat) -> &'static str {
        let replica = self.before.replica(seat);
        match (replica.leads, self.before.is_leader(seat)) {
            (true, false) => ", which leads no more and does not know it,",
            (false, _) => ", which does not lead,",
            (true, true) => "",
        }
    }

    fn does(&self, seat: Seat, parcel: &Parcel, producer: usize, fate: Fate) -> String {
        let batch = self.batch(parcel);
        let (before, after) = (self.before.replica(seat), self.after.replica(seat));
        let why = self
            .seen
            .branch
            .map_or(String::new(), |branch| format!(": {branch}"));
        if after.log.len() > before.log.len() {
            return format!("appends {batch} at offset {}{why}.", before.end());
        }
        let answer = self.answer(seat, producer);
        match (answer, fate) {
            (Some(answer), _) => format!("answers {batch} with {answer}{why}."),
            (None, Fate::Decided) => format!("does not write {batch}{why}."),
            (None, fate) => format!("does not write {batch}: {}.", fate.words()),
        }
    }

    /// What the broker answers at once.
    fn answer(&self, seat: Seat, producer: usize) -> Option<String> {
        let replies = |state: &State| state.links[producer].live[seat.broker].replies;
        let (before, after) = (replies(self.before), replies(self.after));
        let newest = after.as_slice().last()?;
        (after.len() > before.len()).then(|| said(newest.reply.word))
    }

    /// Whether an answer waits for the replicas.
    fn then(&self, seat: Seat, producer: usize) -> &'static str {
        let waiting = |state: &State| state.links[producer].live[seat.broker].pipe.waiting.len();
        match waiting(self.after) > waiting(self.before) {
            true => " Its answer waits for the replicas.",
            false => "",
        }
    }

    fn reads(&self, producer: usize, broker: usize, after_bump: bool) -> String {
        let name = self.names().producer(producer);
        let replies = &self.before.links[producer].live[broker].replies;
        let Some(answer) = replies.iter().next() else {
            return format!("{name} reads nothing.");
        };
        let raised = if after_bump {
            self.raised(producer)
        } else {
            String::new()
        };
        let partition = usize::from(answer.partition);
        let wants = |state: &State| state.clients[producer].lanes[partition].bump_wanted;
        let mut text = format!(
            "{name} {raised}reads the answer{} to {}{}: {}.",
            self.names().of_broker(broker),
            self.names().record(answer.reply.record),
            self.names().of_partition(partition),
            said(answer.reply.word)
        );
        let told = told_of(&self.seen.reported);
        if !told.is_empty() {
            text.push_str(&format!(" It {told}."));
        }
        let stopped = |state: &State| state.clients[producer].lanes[partition].stopped;
        if stopped(self.after) && !stopped(self.before) {
            text.push_str(" It takes that for fatal, and stops for good.");
        }
        if wants(self.after) && !wants(self.before) {
            text.push_str(" It will raise its epoch.");
        }
        text
    }

    fn times_out(&self, lane: Lane) -> String {
        format!(
            "Delivery timeout{}. {} {}.",
            self.names().of_partition(lane.partition),
            self.names().producer(lane.producer),
            told_of(&self.seen.reported)
        )
    }

    fn breaks(&self, producer: usize, broker: usize) -> String {
        let link = &self.before.links[producer].live[broker];
        let mut text = format!(
            "Connection of {}{} breaks.",
            self.names().producer(producer).to_lowercase(),
            self.names().to_broker(broker)
        );
        let names = self.names();
        let lost = link.replies.iter().map(|answer| answer.reply.record);
        let waiting = link.pipe.waiting.iter().map(|waiting| waiting.record);
        let lost: Vec<Small> = lost.chain(waiting).collect();
        if !lost.is_empty() {
            let lost = names.records(lost.into_iter());
            text.push_str(&format!(" Lost: the answers to {lost}."));
        }
        if !link.pipe.requests.is_empty() {
            let sent = link
                .pipe
                .requests
                .iter()
                .map(|parcel| parcel.request.record);
            text.push_str(&format!(
                " Sent already, and perhaps executed later: {}.",
                names.records(sent)
            ));
        }
        text.push_str(&self.must_send_again(producer));
        text
    }

    fn must_send_again(&self, producer: usize) -> String {
        let lanes = self.after.clients[producer].lanes.iter();
        let undecided = lanes.flat_map(|lane| lane.undecided.iter());
        let queued: Vec<Small> = undecided
            .filter(|batch| batch.status == Status::Queued)
            .map(|batch| batch.record)
            .collect();
        match queued.is_empty() {
            true => String::new(),
            false => format!(
                " {} must send {} again.",
                self.names().producer(producer),
                self.names().records(queued.into_iter())
            ),
        }
    }

    fn fetches(&self, seat: Seat) -> String {
        let newest = self.after.replica(seat).log.as_slice().last();
        let copied = newest.map_or_else(String::new, |entry| self.names().record(entry.record));
        format!(
            "Broker {} copies {copied}{} from the leader.{}",
            seat.broker,
            self.names().of_partition(seat.partition),
            self.released()
        )
    }

    /// The answers that go out now that the replicas have followed.
    fn released(&self) -> String {
        let answered = |state: &State| -> Vec<Small> {
            let links = state.links.iter().flat_map(|links| links.live.iter());
            let replies = links.flat_map(|link| link.replies.iter());
            replies.map(|answer| answer.reply.record).collect()
        };
        let before = answered(self.before);
        let now = answered(self.after).into_iter();
        let released: Vec<Small> = now.filter(|record| !before.contains(record)).collect();
        match released.is_empty() {
            true => String::new(),
            false => format!(
                " The answer to {} goes out.",
                self.names().records(released.into_iter())
            ),
        }
    }

    fn holds(&self, replica: &Replica) -> String {
        let names = self.names();
        match replica.log.is_empty() {
            true => "an empty log".to_owned(),
            false => {
                let records = replica.log.iter().map(|entry| names.record(entry.record));
                format!("the log {}", records.collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn leads(&self, seat: Seat) -> String {
        format!(
            "Broker {} becomes leader{}, with {}.",
            seat.broker,
            self.names().of_partition(seat.partition),
            self.holds(self.after.replica(seat))
        )
    }

    fn learns(&self, seat: Seat) -> String {
        let (before, after) = (self.before.replica(seat), self.after.replica(seat));
        let cut = match after.log.len() < before.log.len() {
            true => format!(" and cuts its log at offset {}", after.end()),
            false => String::new(),
        };
        format!(
            "Broker {} learns who leads{}{cut}.{}",
            seat.broker,
            self.names().of_partition(seat.partition),
            self.released()
        )
    }

    fn restarts(&self, broker: usize) -> String {
        let broker_name = self.names().broker(broker);
        let mut text = format!("{broker_name} restarts: what was on its connections is gone.");
        for producer in 0..self.before.shape.producers {
            text.push_str(&self.must_send_again(producer));
        }
        text
    }

    fn refreshes(&self, lane: Lane) -> String {
        format!(
            "{} learns that broker {} leads{}.",
            self.names().producer(lane.producer),
            self.after.clients[lane.producer].leaders[lane.partition],
            self.names().of_partition(lane.partition)
        )
    }

    fn loses(&self, producer: usize, dead: usize) -> String {
        let lost = self.before.links[producer].dead[dead].requests;
        format!(
            "What a dead connection left over never arrives: {}.",
            self.names()
                .records(lost.iter().map(|parcel| parcel.request.record))
        )
    }
}

/// The words of the action itself, as a sentence.
fn capital(action: &Action) -> String {
    let words = format!("{action:?}");
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

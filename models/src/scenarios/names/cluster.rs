//! The names of actions where there are several brokers, partitions or producers.

use crate::cluster::{
    own_number, producer_of, Action, ClusterWorld, Connection, Lane, Outcomes, Parcel, Seat, State,
};
use crate::message::Small;
use crate::world::World;

use super::{identity, takes, Detail, Named};

impl Named for ClusterWorld {
    fn name(&self, state: &State, action: &Action, detail: Detail) -> String {
        let names = Names { world: self, state };
        match *action {
            Action::Send(lane) => {
                let next = state.clients[lane.producer].lanes[lane.partition].next_record;
                let partition = names.partition(" to partition", lane.partition);
                format!(
                    "{} sends {}{partition}",
                    names.producer(lane.producer),
                    names.record(next)
                )
            }
            Action::Retry(lane) => names.sends_again(lane),
            Action::Refresh(lane) => format!(
                "{} learns who leads{}",
                names.producer(lane.producer),
                names.partition(" partition", lane.partition)
            ),
            Action::TimeOut(lane) => names.runs_out_of_time(lane),
            Action::Deliver {
                producer,
                connection,
                fate,
            } => takes(
                &names.broker(state.links[producer].broker(connection)),
                &names.request(producer, connection, detail),
                fate,
            ),
            Action::Read {
                producer,
                broker,
                after_bump,
            } => names.reads(producer, broker, after_bump),
            Action::Disconnect { producer, broker } => format!(
                "connection{}{} breaks",
                names.of_producer(producer),
                names.to_broker(broker)
            ),
            Action::Lose { producer, dead } => names.loses(producer, dead, detail),
            Action::Fetch(seat) => names.fetches(seat),
            Action::Shrink(seat) => names.of_seat(seat, "falls out of sync"),
            Action::Expand(seat) => names.of_seat(seat, "is in sync again"),
            Action::LeaderMove(seat) => names.of_seat(seat, "becomes leader"),
            Action::Learn(seat) => names.of_seat(seat, "learns who leads"),
            Action::Restart { broker } => format!("{} restarts", names.broker(broker)),
            Action::Expire { seat, id } => {
                let whose = names.producer(id);
                let whose = match state.shape.producers {
                    1 => "the producer",
                    _ => &whose,
                };
                names.of_seat(seat, &format!("forgets {whose}"))
            }
        }
    }
}

struct Names<'a> {
    world: &'a ClusterWorld,
    state: &'a State,
}

impl Names<'_> {
    fn producer(&self, producer: usize) -> String {
        match self.state.shape.producers {
            1 => "producer".to_owned(),
            _ => format!("p{producer}"),
        }
    }

    fn of_producer(&self, producer: usize) -> String {
        match self.state.shape.producers {
            1 => String::new(),
            _ => format!(" of p{producer}"),
        }
    }

    fn broker(&self, broker: usize) -> String {
        match self.state.shape.brokers {
            1 => "broker".to_owned(),
            _ => format!("b{broker}"),
        }
    }

    fn to_broker(&self, broker: usize) -> String {
        match self.state.shape.brokers {
            1 => String::new(),
            _ => format!(" to b{broker}"),
        }
    }

    /// A partition after these words, if there are several.
    fn partition(&self, lead: &str, partition: usize) -> String {
        match self.state.shape.partitions {
            1 => String::new(),
            _ => format!("{lead} {partition}"),
        }
    }

    fn of_seat(&self, seat: Seat, does: &str) -> String {
        let partition = self.partition(" of partition", seat.partition);
        format!("{} {does}{partition}", self.broker(seat.broker))
    }

    /// A record as its producer counts it.
    fn record(&self, record: Small) -> String {
        format!("r{}", own_number(record))
    }

    /// A record, and whose it is.
    fn record_of(&self, record: Small) -> String {
        let whose = self.of_producer(producer_of(record));
        format!("{}{whose}", self.record(record))
    }

    fn sends_again(&self, lane: Lane) -> String {
        let mut client = self.state.clients[lane.producer];
        let conditions = self.world.conditions().of_producer(lane.producer);
        let again = client.retry(&conditions, lane.partition, &mut Outcomes::default());
        let producer = self.producer(lane.producer);
        let partition = self.partition(" to partition", lane.partition);
        match again {
            Some(request) => format!(
                "{producer} sends {} again{partition}",
                self.record(request.record)
            ),
            None => format!("{producer} finds nothing to send again{partition}"),
        }
    }

    fn runs_out_of_time(&self, lane: Lane) -> String {
        let mut client = self.state.clients[lane.producer];
        let conditions = self.world.conditions().of_producer(lane.producer);
        client.turn(&conditions, &mut Outcomes::default());
        let lowest = client.lanes[lane.partition].undecided;
        let lowest = lowest.as_slice().first();
        let partition = self.partition(" for partition", lane.partition);
        match lowest {
            Some(batch) => format!(
                "{}{partition} runs out of time",
                self.record_of(batch.record)
            ),
            None => format!("nothing{partition} runs out of time"),
        }
    }

    fn request(&self, producer: usize, connection: Connection, detail: Detail) -> String {
        let pipe = self.state.links[producer].pipe(connection);
        let mut parcels = pipe.requests.iter();
        let Some(first) = parcels.next() else {
            return "nothing".to_owned();
        };
        let leftover = match connection {
            Connection::Live(_) => "",
            Connection::Dead(_) => "leftover ",
        };
        let mut name = format!("{leftover}{}", self.parcel(first, detail));
        if detail >= Detail::Queue {
            let behind: String = parcels
                .map(|parcel| format!(" {}", self.parcel(parcel, detail)))
                .collect();
            name += &match behind.is_empty() {
                true => behind,
                false => format!(" before{behind}"),
            };
        }
        name
    }

    fn parcel(&self, parcel: &Parcel, detail: Detail) -> String {
        let record = self.record_of(parcel.request.record);
        let partition = self.partition(" for partition", parcel.partition.into());
        match detail {
            Detail::Record => format!("{record}{partition}"),
            _ => format!("{record}{partition}{}", identity(&parcel.request)),
        }
    }

    fn reads(&self, producer: usize, broker: usize, after_bump: bool) -> String {
        let replies = &self.state.links[producer].live[broker].replies;
        let Some(answer) = replies.iter().next() else {
            return format!("{} reads nothing", self.producer(producer));
        };
        let from = match self.state.shape.brokers {
            1 => String::new(),
            _ => format!(" from b{broker}"),
        };
        let turn = if after_bump { " in a new turn" } else { "" };
        format!(
            "{} reads answer to {}{}{from}{turn}",
            self.producer(producer),
            self.record(answer.reply.record),
            self.partition(" for partition", answer.partition.into()),
        )
    }

    fn loses(&self, producer: usize, dead: usize, detail: Detail) -> String {
        let pipe = &self.state.links[producer].dead[dead];
        let lost: Vec<String> = pipe
            .requests
            .iter()
            .map(|parcel| {
                let record = self.record(parcel.request.record);
                let partition = self.partition(" for partition", parcel.partition.into());
                match detail {
                    Detail::Record => format!("{record}{partition}"),
                    _ => format!("{record}{partition}{}", identity(&parcel.request)),
                }
            })
            .collect();
        format!(
            "network loses leftover {}{}{}",
            lost.join(", "),
            self.of_producer(producer),
            self.to_broker(pipe.broker.into())
        )
    }

    fn fetches(&self, seat: Seat) -> String {
        let copied = self.state.replica(seat).log.len();
        let next = self.state.log(seat.partition).as_slice().get(copied);
        let next = next.map(|entry| self.record_of(entry.record));
        self.of_seat(seat, &format!("copies {}", next.unwrap_or_default()))
    }
}

//! Actions in words.

use std::fmt;

use crate::broker::Fate;

use super::action::{Action, Lane, Seat};
use super::link::Connection;

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::Send(lane) => of_lane(f, lane, "sends to"),
            Action::Retry(lane) => of_lane(f, lane, "sends again to"),
            Action::Refresh(lane) => of_lane(f, lane, "learns who leads"),
            Action::TimeOut(lane) => of_lane(f, lane, "runs out of time for"),
            Action::Deliver {
                producer,
                connection,
                fate,
            } => delivery(f, producer, connection, fate),
            Action::Read {
                producer,
                broker,
                after_bump,
            } => {
                let before = if after_bump { "raise the epoch, " } else { "" };
                write!(
                    f,
                    "{before}producer {producer} reads a reply of broker {broker}"
                )
            }
            Action::Disconnect { producer, broker } => {
                write!(f, "producer {producer} and broker {broker} disconnect")
            }
            Action::Lose { producer, dead } => {
                write!(f, "leftover {dead} of producer {producer} is lost")
            }
            Action::Fetch(seat) => of_seat(f, seat, "fetches"),
            Action::Shrink(seat) => of_seat(f, seat, "is no longer in sync for"),
            Action::Expand(seat) => of_seat(f, seat, "is in sync again for"),
            Action::LeaderMove(seat) => of_seat(f, seat, "becomes leader of"),
            Action::Learn(seat) => of_seat(f, seat, "learns who leads"),
            Action::Restart { broker } => write!(f, "broker {broker} restarts"),
            Action::Expire { seat, id } => {
                of_seat(f, seat, &format!("forgets producer id {id} for"))
            }
        }
    }
}

fn of_lane(f: &mut fmt::Formatter<'_>, lane: Lane, does: &str) -> fmt::Result {
    let Lane {
        producer,
        partition,
    } = lane;
    write!(f, "producer {producer} {does} partition {partition}")
}

fn of_seat(f: &mut fmt::Formatter<'_>, seat: Seat, does: &str) -> fmt::Result {
    let Seat { broker, partition } = seat;
    write!(f, "broker {broker} {does} partition {partition}")
}

fn delivery(
    f: &mut fmt::Formatter<'_>,
    producer: usize,
    connection: Connection,
    fate: Fate,
) -> fmt::Result {
    match connection {
        Connection::Live(broker) => {
            write!(f, "broker {broker} takes a request of producer {producer}")?;
        }
        Connection::Dead(dead) => write!(f, "leftover {dead} of producer {producer} is taken")?,
    }
    match fate {
        Fate::Decided => Ok(()),
        fate => write!(f, ", {}", fate.words()),
    }
}

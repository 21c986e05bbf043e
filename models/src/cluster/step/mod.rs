//! The step function of a cluster: the one place where producers, connections and replicas
//! meet.

mod deliver;
mod lead;
mod produce;
mod release;
mod settle;
mod start;

pub(super) use start::{initial_state, preamble};

use crate::conditions::{Conditions, Fault};
use crate::world::{Properties, Watch};

use super::action::Action;
use super::observer::Observer;
use super::state::State;

use settle::settle;

/// The state after an action.
pub(super) fn step(
    conditions: &Conditions,
    state: &State,
    action: Action,
    watch: &mut impl Watch,
) -> State {
    let mut next = *state;
    next.violated = Properties::default();
    let mut cluster = Stepping {
        conditions,
        state: &mut next,
        watch,
    };
    cluster.act(action);
    cluster.release();
    settle(conditions, &mut next);
    next
}

/// A step on its way: the state is neither the one before nor the one after.
struct Stepping<'a, W> {
    conditions: &'a Conditions,
    state: &'a mut State,
    watch: &'a mut W,
}

impl<W: Watch> Stepping<'_, W> {
    fn act(&mut self, action: Action) {
        match action {
            Action::Send(lane) => self.send(lane),
            Action::Retry(lane) => self.retry(lane),
            Action::Refresh(lane) => self.refresh(lane),
            Action::TimeOut(lane) => self.time_out(lane),
            Action::Deliver {
                producer,
                connection,
                fate,
            } => self.deliver(producer, connection, fate),
            Action::Read {
                producer,
                broker,
                after_bump,
            } => self.read(producer, broker, after_bump),
            Action::Disconnect { producer, broker } => self.disconnect(producer, broker),
            Action::Lose { producer, dead } => self.lose(producer, dead),
            Action::Fetch(seat) => self.fetch(seat),
            Action::Shrink(seat) => self.set_in_sync(seat, false),
            Action::Expand(seat) => self.set_in_sync(seat, true),
            Action::LeaderMove(seat) => self.move_leader(seat),
            Action::Learn(seat) => self.learn(seat),
            Action::Restart { broker } => self.restart(broker),
            Action::Expire { seat, id } => self.expire(seat, id),
        }
    }

    fn take(&mut self, fault: Fault) {
        self.state.left.take(self.conditions, fault);
    }

    fn observer(&mut self) -> Observer<'_, W> {
        Observer {
            conditions: self.conditions,
            state: self.state,
            watch: self.watch,
        }
    }
}

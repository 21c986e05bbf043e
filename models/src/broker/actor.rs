//! The broker as an actor.

use std::borrow::Cow;

use stateright::actor::{Actor, Id, Out};

use crate::actors::{act, start, Chooses, Decided, Message, Role, Sighting, Watched};
use crate::conditions::{Conditions, Fault, FaultsLeft};
use crate::message::{Request, Small};
use crate::producer::ProducerConfig;
use crate::world::{choices, Action};

use super::{Broker, Fate};

/// The leader of the partition: its producer state, and where its log ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leader {
    /// Producer state.
    pub broker: Broker,
    /// Producer state of the producer id before, where epochs run out.
    pub retired: Broker,
    /// Log end offset.
    pub log_end: Small,
}

impl Leader {
    /// Decides a request, by the state of its producer id, and appends what is to be
    /// appended.
    pub fn decide(
        &mut self,
        conditions: &Conditions,
        request: Request,
        awaited: bool,
        fate: Fate,
    ) -> Decided {
        let config = ProducerConfig::of(conditions);
        let id = |epoch| config.producer_id_of(epoch);
        let is_named = request.has_identity() && config.max_epoch.is_some();
        if is_named && self.broker.known && id(request.epoch) > id(self.broker.epoch) {
            self.retired = self.broker;
            self.broker.forget();
        }
        let is_retired = is_named
            && (self.broker.known && id(request.epoch) < id(self.broker.epoch)
                || self.retired.known && id(request.epoch) == id(self.retired.epoch));
        let state = match is_retired {
            true => &mut self.retired,
            false => &mut self.broker,
        };
        let before = *state;
        let handled = state.take(conditions, self.log_end, request, awaited, fate);
        self.log_end += handled.records_appended();
        Decided {
            request,
            before,
            after: *state,
            handled,
        }
    }
}

impl Leader {
    /// The broker restarts.
    pub fn restart(&mut self, conditions: &Conditions) {
        let Conditions {
            rule,
            restart_keeps,
            ..
        } = *conditions;
        (rule.on_restart)(&mut self.broker, restart_keeps);
        (rule.on_restart)(&mut self.retired, restart_keeps);
    }
}

/// What the broker may still do of itself, besides answering.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Host {
    /// The leader.
    pub leader: Leader,
    /// How many of each fault are left to it.
    pub left: FaultsLeft,
}

/// The broker as an actor. It answers, restarts and forgets.
#[derive(Clone, Debug)]
pub struct BrokerActor {
    /// The conditions of the world.
    pub conditions: Conditions,
    /// The broker at the start.
    pub at_start: Host,
}

impl Chooses for BrokerActor {
    fn choices(&self, state: &Self::State) -> Vec<Action> {
        let mut found = Vec::new();
        let Host { leader, left } = &state.actor;
        choices::of_broker(&self.conditions, &leader.broker, left, |choice| {
            found.push(choice)
        });
        found
    }
}

impl Actor for BrokerActor {
    type Msg = Message;
    type Timer = Action;
    type State = Watched<Host>;
    type Storage = ();
    type Random = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> Self::State {
        start(self, Watched::new(self.at_start.clone()), out)
    }

    fn on_timeout(
        &self,
        _: Id,
        state: &mut Cow<'_, Self::State>,
        choice: &Action,
        out: &mut Out<Self>,
    ) {
        act(self, state, out, |state, out| {
            let Host { leader, left } = &mut state.actor;
            match choice {
                Action::Restart => {
                    left.take(&self.conditions, Fault::Restart);
                    leader.restart(&self.conditions);
                    out.send(Role::Network.id(), Message::Restarted);
                }
                Action::Expire => {
                    left.take(&self.conditions, Fault::Expiry);
                    (self.conditions.rule.on_expiry)(&mut leader.broker);
                }
                _ => {}
            }
        });
    }

    fn on_msg(
        &self,
        _: Id,
        state: &mut Cow<'_, Self::State>,
        _: Id,
        message: Message,
        out: &mut Out<Self>,
    ) {
        act(self, state, out, |state, out| match message {
            Message::Deliver {
                request,
                awaited,
                fate,
            } => {
                let leader = &mut state.actor.leader;
                let decided = leader.decide(&self.conditions, request, awaited, fate);
                decided.handled.each_reply(&request, awaited, |_, reply| {
                    out.send(Role::Network.id(), Message::Reply(reply));
                });
                state.seen.push(Sighting::Decided(Box::new(decided)));
            }
            Message::Disconnected => state.actor.leader.broker.on_disconnect(),
            _ => {}
        });
    }

    fn name(&self) -> String {
        Role::Broker.name().to_owned()
    }
}

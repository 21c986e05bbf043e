//! Producers with their own ids are independent: what one sees of a world that it shares with
//! another is a world of its own.
//!
//! A world with two producers on one partition of one broker is *projected* on one of them: its
//! client, its connections, its notes, its producer state, and its own batches of the log in
//! their order. Offsets count its own batches only. Every step of the shared world is then the
//! same step of that producer's own world, or one of the other and leaves the projection as it
//! is; every step of its own world is possible in the shared one; and violations are the same.
//! So a property of one producer is violated with two exactly if it is with one.

use retryproof_models::broker::Broker;
use retryproof_models::cluster::{Action, Client, ClusterWorld, Lane, Links, Pipe, State};
use retryproof_models::conditions::{
    Budget, Conditions, Expiry, FaultsLeft, ProducerIds, RestartKeeps, MAX_BATCHES,
};
use retryproof_models::message::{Place, Request, Small, Word};
use retryproof_models::rules::BUFFERING;
use retryproof_models::world::{Properties, Quiet, World};

use super::reach::look_at_all;

const TWO: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    producers: 2,
    batches: Budget::AtMost(2),
    disconnects: Budget::AtMost(2),
    ..Conditions::KAFKA
};

const ALONE: Conditions = Conditions {
    connections: 1,
    disconnects: Budget::ONE,
    ..TWO
};

/// One producer's part of a shared world.
struct Part<'a> {
    producer: usize,
    state: &'a State,
    id: usize,
}

impl Part<'_> {
    fn first_record(&self) -> Small {
        (self.producer * usize::from(MAX_BATCHES)) as Small
    }

    fn is_own(&self, record: Small) -> bool {
        record / MAX_BATCHES as Small == self.producer as Small
    }

    /// An offset, counted in own batches.
    fn offset(&self, offset: Small) -> Small {
        let before = self.state.log(0).iter().take(offset as usize);
        before.filter(|entry| self.is_own(entry.record)).count() as Small
    }

    fn request(&self, request: &mut Request) {
        request.record -= self.first_record();
    }

    fn pipe(&self, pipe: &mut Pipe) {
        assert!(pipe.waiting.is_empty(), "one broker waits for nobody");
        for parcel in pipe.requests.as_mut_slice() {
            self.request(&mut parcel.request);
        }
    }

    fn links(&self) -> Links {
        let mut links = self.state.links[self.producer];
        for pipe in &mut links.dead {
            self.pipe(pipe);
        }
        for link in &mut links.live {
            self.pipe(&mut link.pipe);
            for answer in link.replies.as_mut_slice() {
                answer.reply.record -= self.first_record();
                if let Word::Written(Place::At(offset)) = answer.reply.word {
                    answer.reply.word = Word::Written(Place::At(self.offset(offset)));
                }
            }
        }
        links
    }

    fn client(&self) -> Client {
        let mut client = self.state.clients[self.producer];
        for lane in &mut client.lanes {
            lane.next_record -= self.first_record();
            for batch in lane.undecided.as_mut_slice() {
                batch.record -= self.first_record();
            }
            for batch in lane.expired.as_mut_slice() {
                batch.record -= self.first_record();
            }
        }
        client
    }

    fn memory(&self) -> Broker {
        let mut memory = self.state.replicas[0][0].memory[self.id];
        for cached in memory.window.as_mut_slice() {
            cached.offset = self.offset(cached.offset);
        }
        for held in memory.held.as_mut_slice() {
            self.request(&mut held.request);
        }
        memory
    }

    fn project(&self) -> State {
        let mut own = *self.state;
        own.shape.producers = 1;
        own.clients = [self.client(), Client::new(1)];
        own.links = [self.links(), Links::default()];
        own.notes = [self.state.notes[self.producer], Default::default()];
        own.leaderships[0].high_watermark = self.offset(own.leaderships[0].high_watermark);
        let replica = &mut own.replicas[0][0];
        replica.memory = [self.memory(), Broker::default()];
        replica.log.clear();
        for entry in self
            .state
            .log(0)
            .iter()
            .filter(|entry| self.is_own(entry.record))
        {
            let mut entry = *entry;
            entry.record -= self.first_record();
            replica.log.push(entry);
        }
        own
    }
}

fn project(conditions: &Conditions, state: &State, producer: usize) -> State {
    let id = match conditions.producer_ids {
        ProducerIds::Own => producer,
        ProducerIds::Shared => 0,
    };
    Part {
        producer,
        state,
        id,
    }
    .project()
}

/// The action in a producer's own world, if it concerns this producer.
fn own_action(action: Action, me: usize) -> Option<Action> {
    let own_lane = |lane: Lane| Lane {
        producer: 0,
        ..lane
    };
    let (whose, own) = match action {
        Action::Send(lane) => (lane.producer, Action::Send(own_lane(lane))),
        Action::Retry(lane) => (lane.producer, Action::Retry(own_lane(lane))),
        Action::Refresh(lane) => (lane.producer, Action::Refresh(own_lane(lane))),
        Action::TimeOut(lane) => (lane.producer, Action::TimeOut(own_lane(lane))),
        Action::Deliver {
            producer,
            connection,
            fate,
        } => {
            let own = Action::Deliver {
                producer: 0,
                connection,
                fate,
            };
            (producer, own)
        }
        Action::Read {
            producer,
            broker,
            after_bump,
        } => {
            let own = Action::Read {
                producer: 0,
                broker,
                after_bump,
            };
            (producer, own)
        }
        Action::Disconnect { producer, broker } => {
            let own = Action::Disconnect {
                producer: 0,
                broker,
            };
            (producer, own)
        }
        Action::Lose { producer, dead } => (producer, Action::Lose { producer: 0, dead }),
        Action::Expire { seat, id } => (id, Action::Expire { seat, id: 0 }),
        shared => (me, shared),
    };
    (whose == me).then_some(own)
}

/// Without what is counted for both together, and what the last step violated.
fn bare(mut state: State) -> State {
    state.left = FaultsLeft::default();
    state.violated = Properties::default();
    state
}

/// Every step of the shared world is one of each producer's own world, or none of it.
fn independent(conditions: Conditions) -> Result<usize, String> {
    conditions.validate().map_err(|error| error.to_string())?;
    let world = ClusterWorld::new(conditions);
    let alone = ClusterWorld::new(Conditions {
        producers: 1,
        producer_ids: ProducerIds::Own,
        ..conditions
    });
    look_at_all(&world, |state, possible| {
        let parts = [0, 1].map(|producer| project(&conditions, state, producer));
        for (producer, part) in parts.iter().enumerate() {
            let mut own = Vec::new();
            alone.actions(part, &mut own);
            let shared = possible
                .iter()
                .filter_map(|action| own_action(*action, producer));
            let shared: Vec<Action> = shared.collect();
            if shared != own {
                return Err(format!("{shared:?} are not {own:?} in\n{state:?}"));
            }
        }
        for action in possible {
            let next = world.step(state, *action, &mut Quiet);
            let mut violated = Properties::default();
            for (producer, part) in parts.iter().enumerate() {
                let expected = match own_action(*action, producer) {
                    Some(own) => alone.step(part, own, &mut Quiet),
                    None => bare(*part),
                };
                violated.0 |= expected.violated.0;
                let found = project(&conditions, &next, producer);
                if bare(found) != bare(expected) {
                    return Err(format!(
                        "{action:?} in\n{state:?}\nis to producer {producer}\n{found:?}\nnot\n{expected:?}"
                    ));
                }
            }
            if violated != next.violated {
                return Err(format!(
                    "{violated:?}, not {:?}: {action:?} in\n{state:?}",
                    next.violated
                ));
            }
        }
        Ok(())
    })
}

#[test]
fn a_producer_sees_nothing_of_another() {
    let worlds = [
        TWO,
        Conditions {
            restarts: Budget::ONE,
            ..ALONE
        },
        Conditions {
            restarts: Budget::ONE,
            restart_keeps: RestartKeeps::Nothing,
            ..ALONE
        },
        Conditions {
            expiries: Budget::ONE,
            ..ALONE
        },
        Conditions {
            expiries: Budget::ONE,
            expiry: Expiry::WallClock,
            ..ALONE
        },
        Conditions {
            refusals_before_append: Budget::ONE,
            ..ALONE
        },
        Conditions {
            errors_after_append: Budget::ONE,
            delivery_timeouts: Budget::ONE,
            ..ALONE
        },
        Conditions {
            fatal_refusals: Budget::ONE,
            ..ALONE
        },
        Conditions {
            rule: &BUFFERING,
            refusals_before_append: Budget::ONE,
            ..ALONE
        },
    ];
    for conditions in worlds {
        let states =
            independent(conditions).unwrap_or_else(|error| panic!("{conditions}: {error}"));
        println!("{states:>8} states: {conditions}");
    }
}

#[test]
fn with_one_id_it_does() {
    let shared = Conditions {
        producer_ids: ProducerIds::Shared,
        ..ALONE
    };
    assert!(independent(shared).is_err());
}

//! Single runs of a cluster: who waits for whom, who answers what, and what is seen of it.

use retryproof_models::broker::{Fate, ObservedMemory};
use retryproof_models::cluster::{Action, ClusterWorld, Connection, Lane, Seat, State};
use retryproof_models::conditions::{Acks, Budget, Conditions, Election};
use retryproof_models::message::{Place, Refusal, Word};
use retryproof_models::world::{Watch, World};
use retryproof_properties::{Event, PropertyId};

const TWO_BROKERS: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(4),
    brokers: 2,
    leader_moves: Budget::AtMost(2),
    ..Conditions::KAFKA
};

const LANE: Lane = Lane {
    producer: 0,
    partition: 0,
};
const SEND: Action = Action::Send(LANE);
const RETRY: Action = Action::Retry(LANE);
const REFRESH: Action = Action::Refresh(LANE);
const FIRST: Seat = Seat {
    broker: 0,
    partition: 0,
};
const SECOND: Seat = Seat {
    broker: 1,
    partition: 0,
};

fn deliver(broker: usize) -> Action {
    Action::Deliver {
        producer: 0,
        connection: Connection::Live(broker),
        fate: Fate::Decided,
    }
}

fn deliver_leftover() -> Action {
    Action::Deliver {
        producer: 0,
        connection: Connection::Dead(0),
        fate: Fate::Decided,
    }
}

fn read(broker: usize) -> Action {
    Action::Read {
        producer: 0,
        broker,
        after_bump: false,
    }
}

fn disconnect(broker: usize) -> Action {
    Action::Disconnect {
        producer: 0,
        broker,
    }
}

/// What was seen, in a word for each event.
#[derive(Default)]
struct Seen(Vec<&'static str>);

impl Watch for Seen {
    fn event(&mut self, event: &Event<'_, ObservedMemory>) {
        self.0.push(match event {
            Event::Sent { .. } => "sent",
            Event::Appended { .. } => "appended",
            Event::Decided(_) => "decided",
            Event::Answered { .. } => "answered",
            Event::Reported { .. } => "reported",
            Event::Truncated { .. } => "truncated",
            Event::Finished => "finished",
        });
    }
}

/// A cluster on its way.
struct Run {
    world: ClusterWorld,
    state: State,
}

impl Run {
    fn new(conditions: Conditions) -> Self {
        let world = ClusterWorld::new(conditions);
        let state = world.initial_state();
        Run { world, state }
    }

    fn may(&self, action: Action) -> bool {
        let mut found = Vec::new();
        self.world.actions(&self.state, &mut found);
        found.contains(&action)
    }

    /// Takes these steps, each of which must be possible; what was seen of the last.
    fn take(&mut self, actions: &[Action]) -> Vec<&'static str> {
        let mut seen = Seen::default();
        for action in actions {
            assert!(self.may(*action), "{action:?} in {:?}", self.state);
            seen = Seen::default();
            self.state = self.world.step(&self.state, *action, &mut seen);
        }
        seen.0
    }

    fn reply(&self, broker: usize) -> Option<Word> {
        let replies = &self.state.links[0].live[broker].replies;
        replies.as_slice().first().map(|answer| answer.reply.word)
    }

    fn log(&self, seat: Seat) -> Vec<i8> {
        let log = self.state.replica(seat).log;
        log.iter().map(|entry| entry.record).collect()
    }

    fn violates(&self, property: PropertyId) -> bool {
        self.state.violated.contains(property)
    }
}

const WRITTEN: Option<Word> = Some(Word::Written(Place::At(0)));
const NOT_LEADER: Option<Word> = Some(Word::Refused(Refusal::NotLeader));

#[test]
fn with_acks_all_an_answer_and_the_next_request_wait_for_the_follower() {
    let mut run = Run::new(TWO_BROKERS);
    run.take(&[SEND, SEND, deliver(0)]);
    assert_eq!(run.reply(0), None);
    assert!(!run.may(deliver(0)), "the channel is muted");
    run.take(&[Action::Fetch(SECOND)]);
    assert_eq!(run.reply(0), WRITTEN);
    assert!(run.may(deliver(0)));
}

#[test]
fn with_acks_1_no_answer_waits() {
    let mut run = Run::new(Conditions {
        acks: Acks::One,
        ..TWO_BROKERS
    });
    run.take(&[SEND, SEND, deliver(0)]);
    assert_eq!(run.reply(0), WRITTEN);
    assert!(run.may(deliver(0)));
}

#[test]
fn a_dead_connection_is_muted_too_and_nobody_is_answered() {
    let mut run = Run::new(TWO_BROKERS);
    run.take(&[SEND, SEND, disconnect(0), deliver_leftover()]);
    assert!(!run.may(deliver_leftover()));
    run.take(&[Action::Fetch(SECOND), deliver_leftover()]);
    assert_eq!(run.reply(0), None);
    assert_eq!(run.log(FIRST), [0, 1]);
}

#[test]
fn an_answer_waits_no_longer_for_a_follower_that_left_the_replicas_in_sync() {
    let mut run = Run::new(TWO_BROKERS);
    run.take(&[SEND, deliver(0), Action::Shrink(SECOND)]);
    assert_eq!(run.reply(0), WRITTEN);
    assert!(!run.may(Action::LeaderMove(SECOND)), "it must not lead");
    assert!(!run.may(Action::Expand(SECOND)), "it lags");
    run.take(&[Action::Fetch(SECOND), Action::Expand(SECOND)]);
    assert!(run.may(Action::LeaderMove(SECOND)));
}

#[test]
fn a_duplicate_waits_for_the_follower_like_its_original() {
    let mut run = Run::new(TWO_BROKERS);
    run.take(&[SEND, deliver(0), disconnect(0), RETRY, deliver(0)]);
    assert_eq!(run.reply(0), None);
    run.take(&[Action::Fetch(SECOND)]);
    assert_eq!(run.reply(0), WRITTEN);
    assert_eq!(run.log(FIRST), [0]);
}

#[test]
fn what_a_deposed_leader_appends_is_seen_by_nobody_and_never_acknowledged() {
    let mut run = Run::new(TWO_BROKERS);
    run.take(&[SEND, Action::LeaderMove(SECOND)]);
    let seen = run.take(&[deliver(0)]);
    assert!(seen.is_empty());
    assert_eq!(run.log(FIRST), [0]);
    assert_eq!(run.reply(0), None);
    run.take(&[Action::Learn(FIRST)]);
    assert!(run.log(FIRST).is_empty());
    assert!(!run.state.replica(FIRST).memory[0].known);
    assert_eq!(run.reply(0), NOT_LEADER);
}

#[test]
fn a_follower_refuses_as_not_leader_and_the_client_goes_elsewhere() {
    let mut run = Run::new(TWO_BROKERS);
    run.take(&[Action::LeaderMove(SECOND), Action::Learn(FIRST)]);
    run.take(&[SEND, deliver(0)]);
    assert_eq!(run.reply(0), NOT_LEADER);
    run.take(&[read(0), REFRESH, RETRY, deliver(1)]);
    assert_eq!(run.log(SECOND), [0]);
}

#[test]
fn a_new_leader_waits_for_one_in_sync_that_does_not_know_it_yet() {
    let mut run = Run::new(TWO_BROKERS);
    run.take(&[Action::LeaderMove(SECOND), REFRESH, SEND, deliver(1)]);
    assert_eq!(run.reply(1), None);
    assert!(!run.may(Action::Fetch(FIRST)));
    run.take(&[Action::Learn(FIRST), Action::Fetch(FIRST)]);
    assert_eq!(run.reply(1), WRITTEN);
}

#[test]
fn a_shorter_log_of_a_new_leader_cuts_the_log() {
    let mut run = Run::new(TWO_BROKERS);
    run.take(&[SEND, SEND, deliver(0), Action::Fetch(SECOND), deliver(0)]);
    let seen = run.take(&[Action::LeaderMove(SECOND)]);
    assert_eq!(seen, ["truncated"]);
    assert!(!run.violates(PropertyId::AckTruthful));
}

#[test]
fn an_acknowledged_record_that_is_cut_away_is_missed() {
    let mut run = Run::new(Conditions {
        acks: Acks::One,
        ..TWO_BROKERS
    });
    run.take(&[SEND, deliver(0), read(0), Action::LeaderMove(SECOND)]);
    assert!(run.violates(PropertyId::AckTruthful));
}

#[test]
fn what_a_new_leader_has_beyond_the_common_part_is_appended() {
    let mut run = Run::new(Conditions {
        election: Election::Unclean,
        ..TWO_BROKERS
    });
    run.take(&[SEND, SEND, Action::LeaderMove(SECOND), deliver(0)]);
    let seen = run.take(&[Action::LeaderMove(FIRST)]);
    assert_eq!(seen, ["appended"]);
    assert_eq!(run.log(FIRST), [0]);
}

#[test]
fn a_restart_breaks_connections_and_tells_who_leads() {
    let mut run = Run::new(Conditions {
        restarts: Budget::ONE,
        ..TWO_BROKERS
    });
    run.take(&[SEND, Action::LeaderMove(SECOND), deliver(0)]);
    run.take(&[Action::Restart { broker: 0 }]);
    assert!(!run.state.replica(FIRST).leads);
    assert!(run.log(FIRST).is_empty());
    assert_eq!(run.reply(0), None);
    assert!(run.may(RETRY));
}

#[test]
fn a_truncated_follower_knows_the_whole_window_of_what_is_left() {
    let mut run = Run::new(TWO_BROKERS);
    let written = [deliver(0), Action::Fetch(SECOND), read(0)];
    run.take(&[SEND]);
    run.take(&written);
    run.take(&[SEND]);
    run.take(&written);
    run.take(&[
        SEND,
        deliver(0),
        Action::LeaderMove(SECOND),
        Action::Learn(FIRST),
    ]);
    let memory = run.state.replica(FIRST).memory[0];
    assert_eq!(memory, run.state.replica(SECOND).memory[0]);
    assert_eq!((memory.last_sequence, memory.window.len()), (1, 2));
}

#[test]
fn actions_are_told_in_words() {
    let told = [
        (SEND, "producer 0 sends to partition 0"),
        (deliver(1), "broker 1 takes a request of producer 0"),
        (Action::Fetch(SECOND), "broker 1 fetches partition 0"),
        (
            Action::Deliver {
                producer: 1,
                connection: Connection::Dead(2),
                fate: Fate::Invalid,
            },
            "leftover 2 of producer 1 is taken, does not pass validation",
        ),
        (
            Action::Expire { seat: FIRST, id: 1 },
            "broker 0 forgets producer id 1 for partition 0",
        ),
    ];
    for (action, words) in told {
        assert_eq!(format!("{action:?}"), words);
    }
}

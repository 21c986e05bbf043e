//! The chart of a run with one producer, one partition and one broker.

use retryproof_models::actors::Role;
use retryproof_models::checking::Trace;
use retryproof_models::message::{Reply, Request, Small, Word};
use retryproof_models::network::{Network, NetworkKind, Slot};
use retryproof_models::world::{Action, FlatWorld, State};
use retryproof_properties::{Answer, Outcome};

use crate::evidence::seen::Seen;
use crate::evidence::story::phrase::{records, Answered, Batch};
use crate::evidence::story::wire;

use super::tracking::{beyond, Tracking, Which};
use super::{label, Arrow, Item, Kind, Lifeline, Mark, Note};

const PRODUCER: usize = 0;
const NETWORK: usize = 1;
const BROKER: usize = 2;

/// What can be on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Message {
    Request(Request),
    Reply(Reply),
}

/// Draws a run.
pub fn draw(run: &Trace<FlatWorld>) -> (Vec<Lifeline>, Vec<Vec<Item>>) {
    let lifelines = Role::ALL.iter().map(|role| Lifeline {
        role: *role,
        name: role.name().to_owned(),
    });
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
    (lifelines.collect(), tracking.into_rows())
}

struct Step<'a> {
    run: &'a Trace<FlatWorld>,
    action: Action,
    before: &'a State,
    after: &'a State,
    seen: Seen,
    tracking: &'a mut Tracking<Message>,
}

impl Step<'_> {
    fn draw(&mut self) {
        match self.action {
            Action::Send => self.sends(Kind::Fresh),
            Action::Retry => self.sends(Kind::Retry),
            Action::Deliver(slot) | Action::DeliverTo(slot, _) => self.delivers(slot),
            Action::Read { index, .. } => self.reads(index),
            Action::Disconnect => {
                let text = match self.run.conditions.network {
                    NetworkKind::Session => "connection breaks",
                    _ => "request timeout: no answer is awaited any more",
                };
                self.note(None, Mark::Fault, text);
            }
            Action::Lose(_) => self.note(Some(NETWORK), Mark::Fault, "lost on its way"),
            Action::Restart => self.note(Some(BROKER), Mark::Fault, "restarts"),
            Action::Expire => self.note(Some(BROKER), Mark::Fault, "forgets the producer"),
            Action::TimeOut => self.note(Some(PRODUCER), Mark::Fault, "delivery timeout"),
            Action::Cancel => self.note(Some(PRODUCER), Mark::Fault, "a batch is cancelled"),
        }
        if matches!(
            self.action,
            Action::Disconnect | Action::Lose(_) | Action::Restart
        ) {
            self.loses();
        }
        self.tells();
    }

    fn note(&mut self, at: Option<usize>, mark: Mark, text: impl Into<String>) {
        let text = text.into();
        self.tracking.note(Note { at, mark, text });
    }

    fn label(&self, request: &Request) -> String {
        label::request(&self.run.conditions, &request.name(), request)
    }

    fn request(&self, from: usize, to: usize, kind: Kind, request: &Request) -> Arrow {
        Arrow {
            from,
            to,
            kind,
            label: self.label(request),
            epoch: label::epoch(&self.run.conditions, request),
            lost_in: None,
        }
    }

    fn answer(&self, from: usize, to: usize, kind: Kind, reply: &Reply) -> Arrow {
        let name = Answered::by(reply, &self.before.producer).name();
        Arrow {
            from,
            to,
            kind,
            label: label::answer(&name, reply.word),
            epoch: None,
            lost_in: None,
        }
    }

    fn sends(&mut self, kind: Kind) {
        self.raises();
        let sent = beyond(
            &requests(&self.after.network),
            &requests(&self.before.network),
        );
        for request in sent {
            let arrow = self.request(PRODUCER, NETWORK, kind, &request);
            self.tracking.put(Message::Request(request), arrow);
        }
    }

    /// The producer goes over to another epoch.
    fn raises(&mut self) {
        let epoch = |state: &State| state.producer.epoch;
        let (old, new) = (epoch(self.before), epoch(self.after));
        if old == new {
            return;
        }
        let named = |epoch| wire::epoch(&self.run.conditions, epoch);
        let text = format!("{} → {}", named(old), named(new));
        self.note(Some(PRODUCER), Mark::News, text);
    }

    fn delivers(&mut self, slot: Slot) {
        let request = self.before.network.request(slot);
        let message = Message::Request(request);
        let kind = match slot.is_live() {
            true => self.tracking.take(&message, Which::Newest),
            false => {
                self.tracking.take(&message, Which::Oldest);
                Some(Kind::Late)
            }
        };
        // A network that delivers twice delivers a copy.
        let kind = kind.unwrap_or(Kind::Retry);
        let arrow = self.request(NETWORK, BROKER, kind, &request);
        self.tracking.arrow(arrow);
        let (mark, text) = self.decides(slot.is_live());
        self.note(Some(BROKER), mark, text);
        let answers = beyond(
            self.after.network.replies.as_slice(),
            self.before.network.replies.as_slice(),
        );
        for reply in answers {
            let kind = match (reply.word, self.seen.answer) {
                (Word::Refused(_), _) => Kind::Rejection,
                (_, Some(Answer::Duplicate { .. })) => Kind::Duplicate,
                _ => Kind::Success,
            };
            let arrow = self.answer(BROKER, NETWORK, kind, &reply);
            self.tracking.put(Message::Reply(reply), arrow);
        }
    }

    /// What the broker decides. An answer that is awaited says which error it is.
    fn decides(&self, is_awaited: bool) -> (Mark, String) {
        let appended: Vec<String> = self
            .seen
            .appended
            .iter()
            .map(|(record, offset)| format!("r{record} → offset {offset}"))
            .collect();
        let writes = || format!("appends {}", appended.join(", "));
        match (appended.is_empty(), self.seen.answer) {
            (false, Some(Answer::Rejected(_))) => {
                (Mark::Fault, format!("{}, answers an error", writes()))
            }
            (false, _) => (Mark::Append, writes()),
            (true, Some(Answer::Duplicate { base: Some(base) })) => {
                (Mark::Duplicate, format!("duplicate of offset {base}"))
            }
            (true, Some(Answer::Duplicate { base: None })) => {
                (Mark::Duplicate, "duplicate, offset not known".to_owned())
            }
            (true, Some(Answer::Rejected(_))) if is_awaited => {
                (Mark::Rejection, "refuses".to_owned())
            }
            (true, Some(Answer::Rejected(error))) => (Mark::Rejection, format!("refuses: {error}")),
            (true, Some(Answer::Appended { .. })) => (Mark::Fault, "writes nothing".to_owned()),
            (true, None) => (Mark::News, "keeps it for later".to_owned()),
        }
    }

    fn reads(&mut self, index: u8) {
        self.raises();
        let replies = self.before.network.replies;
        let Some(reply) = replies.as_slice().get(usize::from(index)) else {
            return;
        };
        let kind = self.tracking.take(&Message::Reply(*reply), Which::Oldest);
        let arrow = self.answer(NETWORK, PRODUCER, kind.unwrap_or(Kind::Success), reply);
        self.tracking.arrow(arrow);
        let wants = |state: &State| state.producer.bump_wanted;
        if wants(self.after) && !wants(self.before) {
            self.note(Some(PRODUCER), Mark::News, "will raise its epoch");
        }
    }

    /// What was on its way and is no more.
    fn loses(&mut self) {
        let (before, after) = (&self.before.network, &self.after.network);
        let lost = beyond(before.replies.as_slice(), after.replies.as_slice());
        for reply in lost {
            self.tracking.lose(&Message::Reply(reply), Which::Newest);
        }
        // Of equal requests those of the older connection are looked for where it is that one
        // which loses something.
        let which = match self.action {
            Action::Lose(_) => Which::Oldest,
            _ => Which::Newest,
        };
        for request in beyond(&requests(before), &requests(after)) {
            self.tracking.lose(&Message::Request(request), which);
        }
    }

    /// What the application is told, unless it is that something is written.
    fn tells(&mut self) {
        let reported = self.seen.reported.clone();
        for (outcome, words) in [
            (Outcome::Failed, "tells the application: failed:"),
            (Outcome::Unknown, "tells the application: fate unknown:"),
        ] {
            let told: Vec<Small> = reported
                .iter()
                .filter(|(_, told)| *told == outcome)
                .map(|(record, _)| record.0 as Small)
                .collect();
            if !told.is_empty() {
                let text = format!("{words} {}", records(told));
                self.note(Some(PRODUCER), Mark::Rejection, text);
            }
        }
        let stopped = |state: &State| state.producer.stopped;
        if stopped(self.after) && !stopped(self.before) {
            self.note(Some(PRODUCER), Mark::Fault, "stops for good");
        }
    }
}

/// All requests on their way.
fn requests(network: &Network) -> Vec<Request> {
    let old = network.old.iter().flat_map(|old| old.iter());
    network.live.iter().chain(old).copied().collect()
}

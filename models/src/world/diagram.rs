//! A path of a world as a sequence diagram: who said what to whom, what the broker did and
//! the application was told, and what the network lost.

use std::fmt::Debug;

use stateright::actor::ActorModelAction;

use crate::actors::{Message, Role, Sighting};
use crate::broker::{Append, Handled};
use crate::network::Loss;
use crate::producer::{Report, Told};
use crate::rules::Verdict;

use super::{Action, ActorAction, State};

const STYLE: &str = "<style>.run text{font:12px monospace;fill:#e7ecef}\
    .run line{stroke:#8fc1e3;stroke-width:1.5}.run polygon{fill:#8fc1e3}\
    .run .life{stroke:#3f6d8c;stroke-width:1}.run .head{font-weight:bold;fill:#f2e27a}\
    .run .said,.run .over{marker-end:url(#tip)}.run text.dim{fill:#a9b8c4}\
    .run .over,.run .lost{stroke-dasharray:5 4}.run line.lost{stroke:#ff8c7a}\
    .run text.lost{fill:#ff8c7a}</style><defs><marker id='tip' markerWidth='10' \
    markerHeight='8' refX='10' refY='4' orient='auto' markerUnits='userSpaceOnUse'>\
    <polygon points='0 0,10 4,0 8'/></marker></defs>";

const WIDTH: usize = 930;
/// From one message to the next.
const ROW: usize = 32;
/// From one line of a note to the next.
const LINE: usize = 15;

/// Where a lifeline stands. Left of them is what the application is told, right of them
/// what the broker does.
fn x(role: Role) -> usize {
    220 + 250 * role as usize
}

/// A diagram in the making. It is shown a state, the events of the step from it, the next
/// state, and so on.
#[derive(Default)]
pub(super) struct Diagram {
    before: Option<State>,
    steps: usize,
    y: usize,
    drawn: String,
}

impl Diagram {
    /// The next state.
    pub fn state(&mut self, state: &State) {
        for property in state.violated.iter() {
            self.y += ROW;
            let violation = format!("violates {property}");
            self.text(x(Role::Network), self.y, "lost", "middle", &violation);
        }
        self.before = Some(*state);
    }

    /// The next event of the step.
    pub fn event(&mut self, action: &ActorAction, seen: &[Sighting]) {
        match action {
            ActorModelAction::Timeout(_, choice) => self.choice(choice),
            ActorModelAction::Deliver { msg, .. } => self.message(msg, seen),
            _ => {}
        }
        let told: Vec<String> = seen.iter().filter_map(told).collect();
        self.notes(Role::Producer, &told);
    }

    /// What is said first in a step stands in the row of its number.
    fn choice(&mut self, choice: &Action) {
        self.steps += 1;
        let step = self.steps.to_string();
        self.text(12, self.y + ROW + 4, "dim", "start", &step);
        let network = self.before.map(|state| state.network).unwrap_or_default();
        match choice {
            Action::Disconnect => {
                self.line(Role::Producer, Role::Broker, "lost", &"connection breaks");
                self.losses(network.replies.iter());
            }
            Action::Lose(Loss::Leftovers(connection)) => {
                self.y += ROW - LINE;
                let dead = network.old.get(usize::from(*connection) - 1);
                self.losses(dead.iter().flat_map(|requests| requests.iter()));
            }
            _ => {}
        }
    }

    fn message(&mut self, message: &Message, seen: &[Sighting]) {
        use Role::{Broker, Network, Producer};
        match message {
            Message::Produce(request) => self.line(Producer, Network, "said", request),
            Message::Deliver {
                request, awaited, ..
            } => {
                let class = if *awaited { "said" } else { "over" };
                self.line(Network, Broker, class, request);
                self.decided(seen, *awaited);
            }
            Message::Reply(reply) => self.line(Broker, Network, "said", reply),
            Message::Read { reply, new_turn } => {
                self.line(Network, Producer, "said", reply);
                if *new_turn {
                    self.notes(Producer, &["raises its epoch".to_owned()]);
                    self.y += LINE;
                }
            }
            Message::Disconnected => {}
            Message::Restarted => {
                self.notes(Broker, &["restarts".to_owned()]);
                self.y += LINE;
            }
        }
    }

    /// What the broker did. The answer to a request that nobody awaits ends in the network.
    fn decided(&mut self, seen: &[Sighting], awaited: bool) {
        for sighting in seen {
            let Sighting::Decided(decided) = sighting else {
                continue;
            };
            self.notes(Role::Broker, &deeds(&decided.handled));
            if let (Some(word), false) = (decided.handled.word, awaited) {
                self.line(Role::Broker, Role::Network, "lost", &word);
                self.text(x(Role::Network), self.y + 4, "lost", "middle", "✗");
            }
        }
    }

    fn losses<T: Debug>(&mut self, lost: impl Iterator<Item = T>) {
        for message in lost {
            self.y += LINE;
            let label = format!("✗ {message:?} is lost");
            self.text(x(Role::Network) - 4, self.y + 4, "lost", "start", &label);
        }
    }

    fn line(&mut self, from: Role, to: Role, class: &str, label: &impl Debug) {
        self.y += ROW;
        let (from, to, y) = (x(from), x(to), self.y);
        self.drawn += &format!("<line class='{class}' x1='{from}' y1='{y}' x2='{to}' y2='{y}'/>");
        let label = format!("{label:?}");
        self.text(
            (from + to) / 2,
            y - 5,
            class,
            "middle",
            label.trim_matches('"'),
        );
    }

    /// Short lines beside a lifeline, from the row on.
    fn notes(&mut self, role: Role, lines: &[String]) {
        let (x, anchor) = match role {
            Role::Producer => (x(role) - 10, "end"),
            Role::Network | Role::Broker => (x(role) + 10, "start"),
        };
        for (index, line) in lines.iter().enumerate() {
            self.y += LINE * index.min(1);
            self.text(x, self.y + 4, "note", anchor, line);
        }
    }

    fn text(&mut self, x: usize, y: usize, class: &str, anchor: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        self.drawn +=
            &format!("<text class='{class}' x='{x}' y='{y}' text-anchor='{anchor}'>{text}</text>");
    }

    /// The diagram as SVG.
    pub fn draw(mut self) -> String {
        let end = self.y + ROW;
        let mut lives = String::new();
        for role in Role::ALL {
            let x = x(*role);
            self.text(x, 0, "head", "middle", role.name());
            lives += &format!("<line class='life' x1='{x}' y1='8' x2='{x}' y2='{end}'/>");
        }
        let height = end + ROW;
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' class='run' width='{WIDTH}' \
             height='{height}' viewBox='0 0 {WIDTH} {height}'>{STYLE}\
             <rect width='100%' height='100%' rx='8' fill='#142b46'/>\
             <g transform='translate(0 24)'>{lives}{}</g></svg>",
            self.drawn
        )
    }
}

/// What the application is told.
fn told(sighting: &Sighting) -> Option<String> {
    let Sighting::Reported(Report { record, told, .. }) = sighting else {
        return None;
    };
    let outcome = match told {
        Told::Acknowledged(_) => "acknowledged",
        Told::Failed => "reported failed",
        Told::Unknown => "reported unknown",
    };
    Some(format!("r{record} {outcome}"))
}

/// What the broker did about a request.
fn deeds(handled: &Handled) -> Vec<String> {
    let appends =
        |append: &Append| format!("appends r{} at {}", append.request.record, append.offset);
    match handled.verdict {
        Verdict::Append => handled.appended.iter().map(appends).collect(),
        Verdict::Duplicate(_) => vec!["duplicate".to_owned()],
        Verdict::Reject(_) => vec!["refuses".to_owned()],
        Verdict::Hold => vec!["holds".to_owned()],
    }
}

//! `retryproof ask`: the verdict under any combination of conditions.

use std::io::Write;

use clap::Args;
use retryproof_models::checking::{self, Outcome, Walked};
use retryproof_models::conditions::{Budget, Conditions};

use crate::evidence::paint::Tone;
use crate::evidence::story::Story;
use crate::evidence::tellings::{tellings, Telling};
use crate::evidence::{figures, json, lanes, properties_table, walked, wrap};

use super::conditions::{SizeFlags, WorldFlags};
use super::interrupt::Interrupt;
use super::memory;
use super::output::Output;
use super::progress::Watcher;
use super::search::SearchFlags;
use super::walking::WalkFlags;
use super::{names, Ending, Refused};

/// Ask "what if": the verdict under any combination of conditions
///
/// Each property is proved, with the size of the proof, or refuted, with a shortest run told step
/// by step. Exit code 0 if all properties asked for hold, 1 if one is refuted, 3 if none is
/// refuted but one is unknown. With --walks, random walks take the place of the search: they
/// refute, or leave unknown.
#[derive(Args, Clone, Debug)]
pub struct Ask {
    /// Properties to judge by; may be repeated [all]
    #[arg(long = "property", value_name = "ID")]
    properties: Vec<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    size: SizeFlags,
    #[command(flatten)]
    world: WorldFlags,
    #[command(flatten)]
    search: SearchFlags,
    #[command(flatten)]
    walk: WalkFlags,
}

impl Ask {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        let conditions = self.world.apply(self.size.apply(Conditions::KAFKA))?;
        let properties = names::properties(&self.properties)?;
        let brake = Interrupt::new().brake();
        let limits = self.search.limits(brake.clone());
        let watcher = Watcher::new(1, &brake);
        watcher.begin(conditions.to_string());
        let outcome = match self.walk.walks() {
            Some(walks) => checking::walk(&conditions, &properties, &walks, &limits, &watcher),
            None => checking::check(&conditions, &properties, &limits, &watcher),
        };
        drop(watcher);
        if self.json {
            output.json(&json::Ask::new(&conditions, &outcome, memory::peak()))?;
        } else {
            answer(output, &conditions, &outcome)?;
        }
        let verdicts = outcome.properties.iter().map(|found| found.verdict);
        Ok(Ending::of(verdicts.map(Ending::from)))
    }
}

fn answer(output: &mut Output, conditions: &Conditions, outcome: &Outcome) -> Result<(), Refused> {
    let width = output.width();
    let title = Tone::Strong.paint(wrap::fill(&conditions.to_string(), width));
    let rest = wrap::fill(&rest(conditions), width);
    writeln!(output, "{title}\n{}\n", Tone::Dim.paint(rest))?;
    if let Some(walked) = &outcome.walked {
        return answer_of_walks(output, conditions, outcome, walked);
    }
    writeln!(
        output,
        "{}\n",
        properties_table::table(outcome, width).trim_fmt()
    )?;
    writeln!(output, "{}", wrap::fill(&size(conditions, outcome), width))?;
    for telling in tellings(&outcome.properties) {
        tell(output, &telling.title(), &telling)?;
    }
    Ok(())
}

fn answer_of_walks(
    output: &mut Output,
    conditions: &Conditions,
    outcome: &Outcome,
    walked: &Walked,
) -> Result<(), Refused> {
    let width = output.width();
    let verdicts = walked::verdicts(outcome, walked, width);
    writeln!(output, "{}\n", verdicts.trim_fmt())?;
    let summary = walked::summary(conditions, outcome, walked, width);
    writeln!(output, "{summary}")?;
    for telling in tellings(&outcome.properties) {
        tell(output, &telling.title_of_any_run(), &telling)?;
        let property = telling.properties().into_iter().next();
        if let Some(walk) = property.and_then(|property| walked.walk_against(property)) {
            let flags = format!("{} {}", conditions.flags(), walked::flags(&walk));
            writeln!(
                output,
                "To take this walk again:\n  retryproof ask {}",
                flags.trim()
            )?;
        }
    }
    Ok(())
}

/// The conditions that the title leaves out; of the faults only those that happen.
fn rest(conditions: &Conditions) -> String {
    let changed = conditions.changed();
    let named = ["in-flight", "window"];
    let rest: Vec<String> = conditions
        .all()
        .into_iter()
        .filter(|(flag, _)| !named.contains(flag))
        .filter(|(flag, _)| !changed.iter().any(|(changed, _)| changed == flag))
        .filter(|(_, value)| *value != Budget::NONE.to_string())
        .map(|(flag, value)| format!("{flag} {value}"))
        .collect();
    format!("as Apache Kafka 4.x: {}, no other fault", rest.join(", "))
}

fn size(conditions: &Conditions, outcome: &Outcome) -> String {
    let counts = outcome.counts;
    let looked_at = format!(
        "{} and {} to depth {} in {}",
        figures::counted(counts.unique, "state"),
        figures::counted(counts.generated, "step"),
        counts.depth,
        figures::seconds(outcome.seconds)
    );
    if let Some(cut) = outcome.cut {
        return format!(
            "The search was cut: {cut}. It looked at {looked_at}; of what lies beyond nothing is \
             known."
        );
    }
    let length = if conditions.any_length() {
        "runs of any length"
    } else {
        "all runs of the bounded length asked for"
    };
    format!(
        "The search was exhaustive: {looked_at}. The verdicts are about {length}. Odds that a \
         fingerprint collision hid a state: below {}.",
        figures::odds(outcome.collision_odds())
    )
}

fn tell(output: &mut Output, title: &str, telling: &Telling<'_>) -> Result<(), Refused> {
    let story = Story::of(telling.run);
    let width = output.width();
    let title = wrap::fill(title, width);
    writeln!(output, "\n{}\n", Tone::Strong.paint(title))?;
    let picture = lanes::draw(&story, &telling.properties(), width);
    writeln!(output, "{picture}")?;
    for property in telling.at_the_end() {
        let ending = format!("{property} is violated: {}.", story.violation_of(property));
        writeln!(output, "{}", Tone::Bad.paint(wrap::fill(&ending, width)))?;
    }
    writeln!(output, "{}", wrap::fill(&story.log.in_words(), width))?;
    Ok(())
}

//! The claims about the frontier as one picture.

use retryproof_models::claims::ClaimOutcome;
use retryproof_models::conditions::Conditions;
use retryproof_properties::PropertyId;

use super::columns::{self, QUESTION};
use crate::evidence::checked_claims::CheckedClaims;
use crate::evidence::paint::Tone;
use crate::evidence::staircase::{self, Staircase};
use crate::evidence::{figures, wrap};

/// The frontier of worlds that have all other conditions in common.
pub(super) struct Picture<'a> {
    pub base: Conditions,
    pub members: Vec<&'a ClaimOutcome>,
}

impl Picture<'_> {
    /// Draws it, with what there is to say about it.
    pub fn show(&self, question: &str, width: usize) -> String {
        let staircase = self.staircase();
        let property = PropertyId::NoDuplicate.id();
        let dead = match self.base.connections - 1 {
            1 => "one dead connection".to_owned(),
            dead => format!("{dead} dead connections"),
        };
        let title =
            format!("{question:<QUESTION$}{property} for every in-flight limit and window, {dead}");
        let about =
            format!(
            "{} in {}, {} as expected. ✓ holds; a number is the length of the shortest run that \
             writes a duplicate. --all-rows shows each claim.",
            figures::counted(self.members.len(), "claim"),
            figures::seconds(self.seconds()),
            self.members.iter().filter(|outcome| outcome.as_expected()).count(),
        );
        let indent = " ".repeat(QUESTION);
        let drawing = staircase.draw();
        let turning = wrap::fill(&staircase.turning(property), width - QUESTION);
        let about = Tone::Dim.paint(wrap::fill(&about, width - QUESTION));
        let below = textwrap::indent(&format!("{drawing}{turning}\n{about}"), &indent);
        format!("{}\n{below}\n\n", Tone::Strong.paint(title))
    }

    fn staircase(&self) -> Staircase {
        let mut cells: Vec<staircase::Cell> = Vec::new();
        for member in &self.members {
            let conditions = &member.claim.conditions;
            let known = cells.iter_mut().find(|cell| {
                (cell.in_flight, cell.window) == (conditions.in_flight, conditions.window)
            });
            match known {
                Some(cell) => cell.tone = cell.tone.worse(columns::tone(member)),
                None => cells.extend(cell(member)),
            }
        }
        Staircase::new(cells)
    }

    fn seconds(&self) -> f64 {
        let checked = CheckedClaims {
            outcomes: self
                .members
                .iter()
                .map(|member| (*member).clone())
                .collect(),
            ..CheckedClaims::default()
        };
        checked.totals().exploring_seconds
    }
}

fn cell(member: &ClaimOutcome) -> Option<staircase::Cell> {
    let found = member.outcome.of(PropertyId::NoDuplicate)?;
    Some(staircase::Cell {
        in_flight: member.claim.conditions.in_flight,
        window: member.claim.conditions.window,
        verdict: found.verdict,
        length: found.counterexample.as_ref().map(|run| run.len()),
        states: member.outcome.counts.unique,
        tone: columns::tone(member),
    })
}

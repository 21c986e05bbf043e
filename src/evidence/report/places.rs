//! Where a run stands in the explorer of its claim.

use retryproof_models::checking::{PropertyOutcome, Run, Verdict};
use retryproof_models::claims::Claim;
use retryproof_models::scenarios;

use crate::explore::{bounded, Opened};

/// The command that opens the world of a claim. A name alone means the scenario, where there is
/// one of this name; with conditions it is the claim's.
pub(super) fn command(claim: &Claim) -> String {
    let flags = match scenarios::find(&claim.id) {
        Some(_) => claim.conditions.flags(),
        None => String::new(),
    };
    let command = format!("retryproof explore {} {flags}", claim.id);
    command.trim_end().to_owned()
}

/// The world that the explorer shows for a claim.
pub(super) struct Explorer(Option<Opened>);

impl Explorer {
    /// The explorer of a claim, against whose properties these runs were found.
    pub fn of(claim: &Claim, found: &[PropertyOutcome]) -> Self {
        let runs = found.iter();
        let runs = runs.filter_map(|found| found.counterexample.as_ref());
        let shown = bounded(claim.conditions, runs);
        // It knows the runs of claims that expect a refutation.
        let is_known = claim.expected == Verdict::Refuted;
        Explorer(Opened::new(&shown).ok().filter(|_| is_known))
    }

    /// The path of the last step of a run, as in `#/steps/0/1`; `None` if the explorer cannot
    /// show it.
    pub fn path(&self, run: &Run) -> Option<String> {
        let place = self.0.as_ref()?.place(run)?;
        Some(place.fragment(run.len()))
    }
}

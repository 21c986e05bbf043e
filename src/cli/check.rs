//! `retryproof check`: runs claims and compares their verdicts with the expected ones.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use retryproof_models::checking::{Brake, Limits, Walks};
use retryproof_models::claims::{check_claims, walk_claims, Claim};

use crate::evidence::checked_claims::CheckedClaims;
use crate::evidence::claims_table::{self, Detail};
use crate::evidence::json;

use super::chosen::ChosenClaims;
use super::interrupt::Interrupt;
use super::memory::Peak;
use super::output::Output;
use super::progress::Watcher;
use super::search::SearchFlags;
use super::walking::WalkFlags;
use super::{Ending, Refused};

/// Run claims and compare their verdicts with the expected ones
///
/// Exit code 0 if all are as expected, 1 if one differs, 3 if none differs but one is unknown.
/// With --walks, random walks take the place of the search: no claim that expects to hold is
/// as expected then, but one may be found to be wrong.
#[derive(Args, Clone, Debug)]
pub struct Check {
    #[command(flatten)]
    chosen: ChosenClaims,
    /// Show a row for each claim about the frontier instead of one picture
    #[arg(long)]
    all_rows: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: SearchFlags,
    #[command(flatten)]
    walk: WalkFlags,
}

impl Check {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        let claims = self.chosen.claims()?;
        let brake = Interrupt::new().brake();
        let walks = self.walk.walks();
        let checked = check(&claims, walks, &self.search.limits(brake.clone()), &brake);
        if self.json {
            output.json(&json::Check::new(&checked))?;
        } else {
            let detail = if self.all_rows || walks.is_some() {
                Detail::AllRows
            } else {
                Detail::Picture
            };
            let text = claims_table::show(&checked, detail, output.width());
            writeln!(output, "{text}\n{}", claims_table::summary(&checked))?;
        }
        Ok(ending(&checked))
    }
}

/// Checks claims world by world, by random walks if any, until the brake is pulled.
pub(super) fn check(
    claims: &[&'static Claim],
    walks: Option<Walks>,
    limits: &Limits,
    brake: &Brake,
) -> CheckedClaims {
    let start = Instant::now();
    let watcher = Watcher::new(claims.len(), brake);
    let mut checked = CheckedClaims::default();
    let mut left: Vec<&'static Claim> = claims.to_vec();
    while let Some(first) = left.first().copied() {
        if brake.is_pulled() {
            break;
        }
        let (world, others): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|claim| claim.conditions == first.conditions);
        left = others;
        watcher.begin(&first.id);
        let outcomes = match walks {
            Some(walks) => walk_claims(&world, &walks, limits, &watcher, |_| watcher.done(1)),
            None => {
                let memory = Peak::begin();
                let outcomes = check_claims(&world, limits, &watcher, |_| watcher.done(1));
                let peak = memory.bytes().map(|bytes| (first.conditions, bytes));
                checked.peak_memory.extend(peak);
                outcomes
            }
        };
        checked.outcomes.extend(outcomes);
    }
    let place = |claim: &Claim| claims.iter().position(|other| other.id == claim.id);
    checked.outcomes.sort_by_key(|outcome| place(outcome.claim));
    checked.not_checked = left;
    checked.seconds = start.elapsed().as_secs_f64();
    checked
}

pub(super) fn ending(checked: &CheckedClaims) -> Ending {
    if checked.differing().next().is_some() {
        Ending::Differs
    } else if checked.as_expected() {
        Ending::AsExpected
    } else {
        Ending::Unknown
    }
}

//! `retryproof report`: the evidence of a run, to be cited.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use clap::Args;
use retryproof_models::checking::Limits;
use retryproof_models::fixes::{lattice, Lattice, DISTURBANCES};

use crate::evidence::checked_claims::CheckedClaims;
use crate::evidence::paint::Tone;
use crate::evidence::report::{forms, Asked, Material, Report as Evidence, Times};
use crate::evidence::report_directory::{Directory, Written};
use crate::evidence::{claims_table, figures, wrap};

use super::chosen::ChosenClaims;
use super::interrupt::Interrupt;
use super::output::Output;
use super::progress::Watcher;
use super::search::SearchFlags;
use super::{check, mutants, Ending, Refused};

/// So many files that are left alone are named.
const NAMED: usize = 5;

/// Write the evidence of a run: HTML, Markdown and JSON, to be read, cited and checked
///
/// Runs claims, mutants and fixes, and writes into a directory index.html (one page that needs
/// nothing else), README.md (with a page for each refuted claim) and report.json. Exit code 0 if
/// all is as expected, 1 if something differs, 3 if something is unknown; the report says so.
/// Stopped with Ctrl-C, nothing is written.
#[derive(Args, Clone, Debug)]
pub struct Report {
    #[command(flatten)]
    chosen: ChosenClaims,
    /// The directory to write into; what else is in it stays
    #[arg(long, value_name = "DIR", default_value = "report")]
    out: PathBuf,
    #[command(flatten)]
    search: SearchFlags,
}

impl Report {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        let claims = self.chosen.claims()?;
        let asked = Asked {
            tiers: self.chosen.tiers()?,
            names: self.chosen.names().to_vec(),
        };
        let ids = claims.iter().map(|claim| claim.id.as_str());
        let directory = Directory::at(&self.out, &forms::names(ids))?;
        let brake = Interrupt::new().brake();
        let limits = self.search.limits(brake.clone());

        let began = SystemTime::now();
        let (checked, claims) = timed(|| check::check(&claims, None, &limits, &brake));
        // Some mutants have no end of states. On one thread what is seen of them before the cut
        // is the same each time.
        let of_small_worlds = Limits {
            threads: 1,
            brake: brake.clone(),
            ..Limits::default()
        };
        let (matrix, of_mutants) = timed(|| mutants::try_all(&of_small_worlds));
        let (fixes, of_fixes) = timed(|| try_fixes(&of_small_worlds));
        if brake.is_pulled() {
            writeln!(
                output,
                "{}",
                Tone::Open.paint("? Stopped: nothing was written.")
            )?;
            return Ok(Ending::Unknown);
        }
        let all_known = fixes.len() == DISTURBANCES.len();
        let evidence = Evidence::new(Material {
            checked: &checked,
            asked,
            mutants: &matrix,
            fixes: &fixes,
            times: Times::new(began, limits.threads, [claims, of_mutants, of_fixes]),
        });
        let written = directory.write(&forms::files(&evidence)?)?;
        self.tell(output, &checked, &written)?;
        Ok(Ending::of([
            check::ending(&checked),
            mutants::ending(&matrix),
            match all_known {
                true => Ending::AsExpected,
                false => Ending::Unknown,
            },
        ]))
    }

    fn tell(
        &self,
        output: &mut Output,
        checked: &CheckedClaims,
        written: &Written,
    ) -> Result<(), Refused> {
        writeln!(output, "{}", claims_table::summary(checked))?;
        let place = |name: &str| self.out.join(name).display().to_string();
        for (name, what) in [
            (forms::HTML, "one page, to be opened in a browser and cited"),
            (
                forms::MARKDOWN,
                "the same for a forge, with a page for each refuted claim",
            ),
            (forms::JSON, "the same for programs"),
        ] {
            writeln!(output, "  {}  {}", place(name), Tone::Dim.paint(what))?;
        }
        let mut about = format!(
            "{} written, {}.",
            figures::counted(written.files, "file"),
            figures::memory(written.bytes)
        );
        if written.removed > 0 {
            about += &format!(
                " {} of an earlier report removed.",
                figures::counted(written.removed, "page")
            );
        }
        if !written.kept.is_empty() {
            let names = written.kept.iter().map(|path| path.display().to_string());
            let names: Vec<String> = names.take(NAMED).collect();
            let more = match written.kept.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            about += &format!(
                " Left alone, because no report wrote it: {}{more}.",
                names.join(", ")
            );
        }
        let about = wrap::fill(&about, output.width());
        writeln!(output, "{}", Tone::Dim.paint(about))?;
        Ok(())
    }
}

/// Tries the fixes against every disturbance. What was not exhausted is left out.
fn try_fixes(limits: &Limits) -> Vec<Lattice> {
    let watcher = Watcher::new(DISTURBANCES.len(), &limits.brake);
    let mut fixes = Vec::new();
    for disturbance in DISTURBANCES {
        if limits.brake.is_pulled() {
            break;
        }
        watcher.begin(disturbance.name);
        fixes.extend(lattice(disturbance, limits));
        watcher.done(1);
    }
    fixes
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

//! `retryproof frontier`: every in-flight limit with every window.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::Args;
use retryproof_models::broker::MAX_WINDOW;
use retryproof_models::checking::{self, Limits, Silent, Verdict};
use retryproof_models::conditions::Conditions;
use retryproof_properties::PropertyId;

use crate::evidence::paint::Tone;
use crate::evidence::staircase::{Cell, Staircase};
use crate::evidence::{figures, file, json, svg, wrap};

use super::conditions::WorldFlags;
use super::interrupt::Interrupt;
use super::numbers::range;
use super::output::Output;
use super::progress::Watcher;
use super::search::SearchFlags;
use super::{names, Ending, Refused};

/// Every in-flight limit with every window, and the line at which the verdict turns
///
/// Exit code 0 if every cell is known, whatever its verdict, 3 if one is unknown.
#[derive(Args, Clone, Debug)]
pub struct Frontier {
    /// In-flight limits, as a range or a number
    #[arg(long, value_name = "A..B", default_value = "1..8", value_parser = range(MAX_WINDOW as u8))]
    in_flight: RangeInclusive<u8>,
    /// Windows, as a range or a number
    #[arg(long, value_name = "A..B", default_value = "1..8", value_parser = range(MAX_WINDOW as u8))]
    window: RangeInclusive<u8>,
    /// The property to judge by
    #[arg(long, value_name = "ID", default_value = "no-duplicate")]
    property: String,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Draw the table into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    world: WorldFlags,
    #[command(flatten)]
    search: SearchFlags,
}

impl Frontier {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        let property = names::property(&self.property)?;
        let worlds = self.worlds()?;
        if let Some(path) = &self.svg {
            file::try_place(path).map_err(|reason| Self::no_svg(path, reason))?;
        }
        let start = Instant::now();
        let cells = self.search(&worlds, property);
        let seconds = start.elapsed().as_secs_f64();
        let staircase = Staircase::new(cells);
        let base = self.world.apply(Conditions::KAFKA)?;
        if let Some(path) = &self.svg {
            let drawing = svg::draw(&staircase, property, &base);
            file::write(path, &drawing).map_err(|reason| Self::no_svg(path, reason))?;
        }
        if self.json {
            output.json(&json::Frontier::new(property, &base, &staircase, seconds))?;
        } else {
            self.show(output, property, &base, &staircase, seconds)?;
        }
        let unknown = |cell: &Cell| cell.verdict == Verdict::Unknown;
        Ok(if staircase.cells().iter().any(unknown) {
            Ending::Unknown
        } else {
            Ending::AsExpected
        })
    }

    fn no_svg(path: &Path, reason: std::io::Error) -> Refused {
        Refused::File {
            path: path.to_owned(),
            reason,
        }
    }

    /// The conditions of every cell.
    fn worlds(&self) -> Result<Vec<Conditions>, Refused> {
        let mut worlds = Vec::new();
        for in_flight in self.in_flight.clone() {
            for window in self.window.clone() {
                worlds.push(self.world.apply(Conditions {
                    in_flight,
                    window,
                    ..Conditions::KAFKA
                })?);
            }
        }
        Ok(worlds)
    }

    /// Searches the worlds, several at a time, the largest first.
    fn search(&self, worlds: &[Conditions], property: PropertyId) -> Vec<Cell> {
        let brake = Interrupt::new().brake();
        let limits = self.search.limits(brake.clone());
        let alone = Limits {
            threads: 1,
            ..limits.clone()
        };
        let watcher = Watcher::new(worlds.len(), &brake);
        let next = AtomicUsize::new(0);
        let cells = Mutex::new(Vec::new());
        let mut order: Vec<&Conditions> = worlds.iter().collect();
        order.sort_by_key(|world| {
            std::cmp::Reverse(u16::from(world.in_flight) + u16::from(world.window))
        });
        std::thread::scope(|scope| {
            for _ in 0..limits.threads.min(worlds.len()) {
                scope.spawn(|| {
                    while let Some(world) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                        watcher.begin(format!(
                            "{} in flight, window {}",
                            world.in_flight, world.window
                        ));
                        let cell = cell(world, property, &alone);
                        cells
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(cell);
                        watcher.done(1);
                    }
                });
            }
        });
        let mut cells = cells.into_inner().unwrap_or_else(PoisonError::into_inner);
        cells.sort_by_key(|cell| (cell.in_flight, cell.window));
        cells
    }

    fn show(
        &self,
        output: &mut Output,
        property: PropertyId,
        base: &Conditions,
        staircase: &Staircase,
        seconds: f64,
    ) -> Result<(), Refused> {
        let width = output.width();
        let title = format!("{property}: {}", property.statement());
        writeln!(output, "{}", Tone::Strong.paint(wrap::fill(&title, width)))?;
        writeln!(output, "{}\n", Tone::Dim.paint(svg::conditions(base)))?;
        writeln!(output, "{}", staircase.draw())?;
        let turning = staircase.turning(property.id());
        writeln!(
            output,
            "{}",
            Tone::Strong.paint(wrap::fill(&turning, width))
        )?;
        let states: usize = staircase.cells().iter().map(|cell| cell.states).sum();
        let about = format!(
            "✓ holds{}; a number is the length of the shortest run against it; ? unknown. {} and {} \
             in {}.",
            if base.any_length() { " for runs of any length" } else { "" },
            figures::counted(staircase.cells().len(), "cell"),
            figures::counted(states, "state"),
            figures::seconds(seconds)
        );
        writeln!(output, "{}", Tone::Dim.paint(wrap::fill(&about, width)))?;
        if let Some(path) = &self.svg {
            writeln!(output, "Drawn into {}.", path.display())?;
        }
        Ok(())
    }
}

fn cell(conditions: &Conditions, property: PropertyId, limits: &Limits) -> Cell {
    let outcome = checking::check(conditions, &[property], limits, &Silent);
    let found = outcome.of(property);
    let verdict = found.map_or(Verdict::Unknown, |found| found.verdict);
    Cell {
        in_flight: conditions.in_flight,
        window: conditions.window,
        verdict,
        length: found.and_then(|found| Some(found.counterexample.as_ref()?.len())),
        states: outcome.counts.unique,
        tone: Tone::of(verdict),
    }
}

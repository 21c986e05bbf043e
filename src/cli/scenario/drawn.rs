//! A scenario as a page that plays it, as a drawing, or as Mermaid text.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use retryproof_models::scenarios::Scenario;

use crate::cli::output::Output;
use crate::cli::Refused;
use crate::evidence::sequence::{mermaid, svg, Chart};
use crate::evidence::{file, player};

/// How to draw a scenario.
#[derive(Args, Clone, Debug)]
pub struct Drawing {
    /// Write one page that plays the scenario, with a link to every step, and the line of HTML that embeds it
    #[arg(long, value_name = "FILE", requires = "name", conflicts_with = "json")]
    html: Option<PathBuf>,
    /// Write its sequence diagram as SVG
    #[arg(long, value_name = "FILE", requires = "name", conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// Write its sequence diagram to stdout, as Mermaid for Markdown
    #[arg(long, requires = "name", conflicts_with_all = ["json", "html"])]
    mermaid: bool,
}

impl Drawing {
    /// Whether anything is to be drawn.
    pub fn is_asked_for(&self) -> bool {
        self.html.is_some() || self.svg.is_some() || self.mermaid
    }

    /// Draws a scenario.
    pub fn draw(&self, output: &mut Output, scenario: &Scenario) -> Result<(), Refused> {
        for path in [&self.html, &self.svg].into_iter().flatten() {
            file::try_place(path).map_err(|reason| no_file(path, reason))?;
        }
        let acts = acts(scenario)?;
        let charts = player::charts(&acts);
        let titled = || acts.iter().map(|act| act.title).zip(&charts);
        if let Some(path) = &self.svg {
            let titled: Vec<(&str, &Chart)> = titled().collect();
            let drawing = svg::draw_acts(&titled, scenario.title);
            file::write(path, &drawing).map_err(|reason| no_file(path, reason))?;
        }
        if self.mermaid {
            for (title, chart) in titled() {
                if !title.is_empty() {
                    writeln!(output, "### {title}\n")?;
                }
                writeln!(output, "```mermaid\n{}```\n", mermaid::write(chart))?;
            }
        }
        match &self.html {
            Some(path) => write_page(output, path, scenario, acts),
            None => Ok(()),
        }
    }
}

/// Every act of a scenario, run.
fn acts(scenario: &Scenario) -> Result<Vec<player::Act<'static>>, Refused> {
    let acts = scenario.acts.iter();
    acts.map(|act| {
        let run = act.run().map_err(|reason| Refused::Scenario {
            name: scenario.id,
            reason,
        })?;
        Ok(player::Act {
            title: act.title,
            run,
            already_told: act.before.len(),
        })
    })
    .collect()
}

fn write_page(
    output: &mut Output,
    path: &Path,
    scenario: &Scenario,
    acts: Vec<player::Act<'_>>,
) -> Result<(), Refused> {
    let command = format!("retryproof scenario {} --html FILE", scenario.id);
    let page = player::page(&player::Play {
        id: scenario.id,
        title: scenario.title,
        shows: scenario.shows,
        source: scenario.source,
        claims: scenario.claims,
        command: &command,
        acts,
    })?;
    file::write(path, &page).map_err(|reason| no_file(path, reason))?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let line = player::embedding(&name.to_string_lossy(), scenario.title);
    writeln!(output, "{line}")?;
    Ok(())
}

fn no_file(path: &Path, reason: std::io::Error) -> Refused {
    Refused::File {
        path: path.to_owned(),
        reason,
    }
}

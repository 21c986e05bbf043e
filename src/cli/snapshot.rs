//! `retryproof snapshot`: what a producer snapshot file holds.

mod contents;
mod table;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::evidence::figures;
use crate::evidence::paint::Tone;
use crate::state_manager::snapshot::SnapshotFile;

use super::output::Output;
use super::{Ending, Refused};

use contents::Contents;

/// Show a producer snapshot file, Kafka's format or that of a whole window
///
/// Kafka's files hold the newest batch of each producer, files of a whole window every batch
/// that a broker remembers. Exit code 2 if the file is damaged.
#[derive(Args, Clone, Debug)]
pub struct Snapshot {
    /// The file, as 00000000000000000042.snapshot; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Snapshot {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        let bytes = self.read().map_err(|reason| Refused::Input {
            name: self.name(),
            reason,
            wanted: "a producer snapshot",
        })?;
        let contents = Contents::read(&bytes).map_err(|reason| Refused::Snapshot {
            name: self.name(),
            reason,
        })?;
        let by_name = SnapshotFile::of_path(&self.file).map(|named| named.offset);
        if self.json {
            output.json(&contents.or_map_end(by_name))?;
        } else {
            show(&contents, by_name, output)?;
        }
        Ok(Ending::AsExpected)
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        if self.is_stdin() {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            Ok(bytes)
        } else {
            fs::read(&self.file)
        }
    }

    fn is_stdin(&self) -> bool {
        self.file == Path::new("-")
    }

    fn name(&self) -> String {
        if self.is_stdin() {
            "stdin".to_owned()
        } else {
            self.file.display().to_string()
        }
    }
}

fn show(contents: &Contents, by_name: Option<i64>, output: &mut Output) -> Result<(), Refused> {
    let format = contents.format.about();
    let producers = figures::counted(contents.producers.len(), "producer");
    writeln!(
        output,
        "{}, version {}, CRC-32C {}",
        Tone::Strong.paint(format),
        contents.version,
        contents.checksum
    )?;
    writeln!(
        output,
        "{producers}, {}",
        covered(contents.map_end, by_name)
    )?;
    if !contents.producers.is_empty() {
        let table = table::table(&contents.producers, output.width());
        writeln!(output, "\n{}", table.trim_fmt())?;
    }
    Ok(())
}

/// Up to where the log is covered, by the file itself and by its name.
fn covered(by_itself: Option<i64>, by_name: Option<i64>) -> String {
    match (by_itself, by_name) {
        (None, None) => "the file does not say up to which offset of the log".to_owned(),
        (Some(end), Some(named)) if end != named => Tone::Bad.paint(format!(
            "up to offset {end} of the log, by its name up to {named}: a broker refuses it"
        )),
        (Some(end), _) | (None, Some(end)) => format!("up to offset {end} of the log, exclusive"),
    }
}

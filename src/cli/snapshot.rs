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
        let contents = match SnapshotFile::of_path(&self.file) {
            Some(file) => contents.named(file.offset),
            None => contents,
        };
        if self.json {
            output.json(&contents)?;
        } else {
            show(&contents, output)?;
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

fn show(contents: &Contents, output: &mut Output) -> Result<(), Refused> {
    let format = contents.format.about();
    let producers = figures::counted(contents.producers.len(), "producer");
    writeln!(
        output,
        "{}, version {}, CRC-32C {}",
        Tone::Strong.paint(format),
        contents.version,
        contents.checksum
    )?;
    match contents.map_end {
        Some(end) => writeln!(
            output,
            "{producers}, up to offset {end} of the log, exclusive"
        )?,
        None => writeln!(
            output,
            "{producers}, the file does not say up to which offset of the log"
        )?,
    }
    if let Some(reason) = &contents.refused {
        let remark = format!("a broker refuses it: {reason}");
        writeln!(output, "{}", Tone::Bad.paint(remark))?;
    }
    if !contents.producers.is_empty() {
        let table = table::table(&contents.producers, output.width());
        writeln!(output, "\n{}", table.trim_fmt())?;
    }
    Ok(())
}

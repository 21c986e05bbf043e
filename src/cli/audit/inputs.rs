//! The files that a command line names, looked at.

use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use crate::audit::acks::Acks;
use crate::audit::form::BYTE_ORDER_MARK;
use crate::audit::input::{Input, Progress};
use crate::audit::reader::Reason;
use crate::audit::FileId;
use crate::cli::Refused;

/// What can be given, for a refusal.
const WANTED: &str = "a dump, a segment, a snapshot or a broker log";

/// Refuses stdin where it is given more than once.
pub(super) fn stdin_once<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Result<(), Refused> {
    if files.filter(|path| is_stdin(path)).count() < 2 {
        return Ok(());
    }
    Err(Refused::Audit {
        name: "stdin".to_owned(),
        reason: "it is given twice and can be read once only: give it once".to_owned(),
    })
}

/// The inputs, and their names.
pub(super) fn of(
    files: &[PathBuf],
    progress: &Progress,
) -> Result<(Vec<Input>, Vec<String>), Refused> {
    let mut paths = Vec::new();
    for file in files {
        if file.is_dir() {
            paths.extend(of_directory(file)?);
        } else {
            paths.push(file.clone());
        }
    }
    let names: Vec<String> = paths.iter().map(|path| name(path)).collect();
    let mut inputs = Vec::with_capacity(paths.len());
    for (index, path) in paths.iter().enumerate() {
        let file = FileId(u32::try_from(index).unwrap_or(u32::MAX));
        let input = if is_stdin(path) {
            Input::stdin(file, progress)
        } else {
            Input::file(file, path)
        };
        inputs.push(input.map_err(|reason| refused(names[index].clone(), reason))?);
    }
    Ok((inputs, names))
}

/// What the producer was told. The name of the file goes behind those of the inputs.
pub(super) fn acks(path: &Path, names: &mut Vec<String>) -> Result<Acks, Refused> {
    let file = FileId(u32::try_from(names.len()).unwrap_or(u32::MAX));
    names.push(name(path));
    let unreadable = |reason| Refused::Input {
        name: name(path),
        reason,
        wanted: "a file with acknowledgements, a line of JSON each",
    };
    let mut lines: Box<dyn BufRead> = if is_stdin(path) {
        Box::new(io::stdin().lock())
    } else {
        let opened = fs::File::open(path).map_err(unreadable)?;
        Box::new(io::BufReader::new(opened))
    };
    if lines
        .fill_buf()
        .map_err(unreadable)?
        .starts_with(BYTE_ORDER_MARK)
    {
        lines.consume(BYTE_ORDER_MARK.len());
    }
    Acks::read(file, lines).map_err(|unreadable| Refused::Audit {
        name: name(path),
        reason: unreadable.to_string(),
    })
}

/// The segments and snapshots in the directory of a partition, or in those of all partitions
/// in a directory of logs.
fn of_directory(directory: &Path) -> Result<Vec<PathBuf>, Refused> {
    let own = listed(directory, |path| !path.is_dir() && is_of_a_log(path))?;
    if !own.is_empty() {
        return Ok(own);
    }
    let mut all = Vec::new();
    for partition in listed(directory, Path::is_dir)? {
        all.extend(listed(&partition, |path| {
            !path.is_dir() && is_of_a_log(path)
        })?);
    }
    if all.is_empty() {
        return Err(Refused::Audit {
            name: name(directory),
            reason:
                "there is no segment and no snapshot in this directory: give the directory of a \
                     partition, as orders-0, or files"
                    .to_owned(),
        });
    }
    Ok(all)
}

/// Whether a broker gives such a name to segments and snapshots that are in use; they may be
/// packed. A running broker has others beside them, as `.log.swap` and `.log.deleted`.
fn is_of_a_log(path: &Path) -> bool {
    let name = path
        .file_name()
        .map_or_else(Default::default, |name| name.to_string_lossy());
    let Some((digits, kind)) = name.split_at_checked(20) else {
        return false;
    };
    let kind = kind.strip_suffix(".gz").unwrap_or(kind);
    digits.bytes().all(|it| it.is_ascii_digit()) && matches!(kind, ".log" | ".snapshot")
}

fn listed(directory: &Path, wanted: fn(&Path) -> bool) -> Result<Vec<PathBuf>, Refused> {
    let unreadable = |reason| refused(name(directory), Reason::Io(reason));
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if wanted(&path) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn refused(name: String, reason: Reason) -> Refused {
    match reason {
        Reason::Io(reason) if reason.kind() == io::ErrorKind::NotFound => Refused::Input {
            name,
            reason,
            wanted: WANTED,
        },
        Reason::Io(reason) => Refused::Audit {
            name,
            reason: format!("cannot be read: {reason}"),
        },
        Reason::Form(reason) => Refused::Audit { name, reason },
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn name(path: &Path) -> String {
    if is_stdin(path) {
        "stdin".to_owned()
    } else {
        path.display()
            .to_string()
            .replace(char::is_control, "\u{fffd}")
    }
}

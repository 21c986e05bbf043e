//! `retryproof report`: what is written, where, and that it can be cited. `tests/browser` opens
//! it in a browser.

mod anchors;
mod directory;
mod ending;
mod forms;
mod same_again;
mod schema;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// Claims of every kind, in small worlds: some that hold and some that are refuted, cells of a
/// frontier, conditions with fixes and without, worlds with one broker and with several.
const CLAIMS: &str = "A6 B7 B11 frontier-1 frontier-2 kafka-0.11-2 in-flight-6-writes";

/// A report, written once for all tests that read one.
static REPORT: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = fresh("read");
    let output = report(&directory, CLAIMS, &["--tier", "quick"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    directory
});

/// The reports whose links and shape are looked at: the one of all claims too, if
/// `RETRYPROOF_REPORT` names its directory, as in `.ci/run`.
fn reports() -> Vec<PathBuf> {
    let of_all = std::env::var_os("RETRYPROOF_REPORT").map(PathBuf::from);
    std::iter::once(REPORT.clone()).chain(of_all).collect()
}

/// A directory that is not there.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}"));
    let _ = fs::remove_dir_all(&path);
    path
}

/// Runs `retryproof report` on these claims.
fn report(directory: &Path, claims: &str, more: &[&str]) -> Output {
    command(directory, claims, more)
        .output()
        .expect("the command starts")
}

fn command(directory: &Path, claims: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retryproof"));
    command
        .arg("report")
        .args(claims.split(' '))
        .arg("--out")
        .arg(directory)
        .args(more);
    command
}

/// A file of a report.
fn read(directory: &Path, name: &str) -> String {
    let path = directory.join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of all files in a directory and below it, in order.
fn names(directory: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.path().is_dir() {
            true => {
                let below = self::names(&entry.path()).into_iter();
                names.extend(below.map(|file| format!("{name}/{file}")));
            }
            false => names.push(name),
        }
    }
    names.sort();
    names
}

//! Which commit the command line is built from, for `retryproof report`. The lean library asks
//! nothing.

use std::env;
use std::path::Path;
use std::process::Command;

/// What goes into the command line. A change elsewhere leaves what is built as it is.
const SOURCES: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "build.rs",
    "docs/requirements.toml",
    "models",
    "properties",
    "src",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_SUITE").is_none() {
        return;
    }
    for source in SOURCES.iter().filter(|source| Path::new(source).exists()) {
        println!("cargo:rerun-if-changed={source}");
    }
    // Every commit, checkout and reset adds a line to it.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    // In an unpacked archive inside another checkout the commit would be that one's.
    let is_tracked = git(&["ls-files", "--error-unmatch", "Cargo.toml"]).is_some();
    let commit = git(&["rev-parse", "HEAD"]).filter(|_| is_tracked);
    let status = ["--no-optional-locks", "status", "--porcelain", "--"];
    let changes = git(&[&status, SOURCES].concat());
    let tree = match (&commit, changes) {
        (Some(_), Some(changes)) if changes.is_empty() => "clean",
        (Some(_), Some(_)) => "changed",
        _ => "unknown",
    };
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=RETRYPROOF_COMMIT={commit}");
    println!("cargo:rustc-env=RETRYPROOF_TREE={tree}");
}

/// What git says; `None` where there is no git, or it refuses.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}

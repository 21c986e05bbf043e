//! Where programs lie, and where files go.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// A program on the PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

/// A directory of the target directory, which is there afterwards.
pub fn in_target(name: &str) -> PathBuf {
    let of_tests = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let directory = of_tests.parent().unwrap_or(of_tests).join(name);
    fs::create_dir_all(&directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    directory
}

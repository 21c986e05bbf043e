//! What fuzzing found stays checked: every file of the corpus, and as many mutations of its
//! files as a few seconds allow, through the bodies of the fuzz targets.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, Index};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use fuzz::{operations, snapshots};

/// Mutated files of each target.
const MUTATED: u32 = 2_000;

fn directory(target: &str) -> PathBuf {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    corpus.join(target)
}

/// The files of a directory, which must have some.
fn files(directory: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let entries =
        std::fs::read_dir(directory).map_err(|error| format!("{directory:?}: {error}"))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let bytes = std::fs::read(&path).map_err(|error| format!("{path:?}: {error}"))?;
        files.push((path, bytes));
    }
    // Directories have no order, and the mutations are to be the same every time.
    files.sort();
    if files.is_empty() {
        return Err(format!("{directory:?}: there is no file"));
    }
    Ok(files)
}

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    files(&directory(target)).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Which files make the body fail.
fn failing(target: &str, body: impl Fn(&[u8])) -> Vec<PathBuf> {
    let corpus = corpus(target);
    let files = corpus.len();
    let fails = |bytes: &[u8]| catch_unwind(AssertUnwindSafe(|| body(bytes))).is_err();
    let failing = corpus.into_iter().filter(|(_, bytes)| fails(bytes));
    let failing: Vec<PathBuf> = failing.map(|(path, _)| path).collect();
    println!("{target}: {files} files, {} fail", failing.len());
    failing
}

#[test]
fn every_file_of_the_corpus_passes() {
    let failed = failing("snapshots", snapshots::run);
    assert!(failed.is_empty(), "{failed:?}");
    let failed = failing("operations", operations::run);
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn a_corpus_without_files_is_a_failure() {
    let empty = tempfile::tempdir().expect("a directory");
    assert!(files(empty.path()).is_err());
    assert!(files(&empty.path().join("missing")).is_err());
}

#[test]
fn a_wrong_expectation_is_noticed() {
    let one_less = |window: usize| window - 1;
    let snapshots = failing("snapshots", |bytes| snapshots::compare(bytes, one_less));
    let operations = failing("operations", |bytes| operations::compare(bytes, one_less));
    assert!(!snapshots.is_empty());
    assert!(!operations.is_empty());
}

/// A change of a file.
#[derive(Clone, Debug)]
enum Mutation {
    /// Bits of one byte are flipped.
    Flip(Index, u8),
    /// What is behind a place is cut off.
    Truncate(Index),
    /// What is behind a place becomes what is behind one of another file.
    Splice(Index, Vec<u8>, Index),
}

impl Mutation {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Mutation::Flip(..) if bytes.is_empty() => {}
            Mutation::Flip(at, bits) => {
                let at = at.index(bytes.len());
                bytes[at] ^= bits;
            }
            Mutation::Truncate(at) => bytes.truncate(at.index(bytes.len() + 1)),
            Mutation::Splice(at, other, from) => {
                bytes.truncate(at.index(bytes.len() + 1));
                bytes.extend_from_slice(&other[from.index(other.len() + 1)..]);
            }
        }
    }
}

fn mutated(target: &str) -> impl Strategy<Value = Vec<u8>> {
    let corpus = corpus(target).into_iter().map(|(_, bytes)| bytes);
    let file = select(corpus.collect::<Vec<_>>());
    let mutation = prop_oneof![
        6 => (any::<Index>(), 1..=u8::MAX).prop_map(|(at, bits)| Mutation::Flip(at, bits)),
        1 => any::<Index>().prop_map(Mutation::Truncate),
        3 => (any::<Index>(), file.clone(), any::<Index>())
            .prop_map(|(at, other, from)| Mutation::Splice(at, other, from)),
    ];
    (file, vec(mutation, 1..6)).prop_map(|(mut bytes, mutations)| {
        mutations
            .iter()
            .for_each(|mutation| mutation.apply(&mut bytes));
        bytes
    })
}

/// The same inputs every time.
fn run_mutated(target: &str, body: fn(&[u8])) {
    let config = Config {
        cases: MUTATED,
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let run = TestRunner::new_with_rng(config, random).run(&mutated(target), |bytes| {
        body(&bytes);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{target}: {failure}"));
}

#[test]
fn mutated_snapshots_pass() {
    run_mutated("snapshots", snapshots::run);
}

#[test]
fn mutated_lists_of_operations_pass() {
    run_mutated("operations", operations::run);
}

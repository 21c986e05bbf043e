//! Bytes of all kinds through the body of the fuzz target: nothing panics.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

#[path = "../../fuzz/src/audit.rs"]
mod audit;

/// Mutated inputs.
const MUTATED: u32 = 2_000;

fn corpus() -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/audit");
    let entries = fs::read_dir(directory).expect("a corpus");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    // Directories have no order, and the mutations are to be the same every time.
    paths.sort();
    let read = paths.iter().map(|path| fs::read(path).expect("a file"));
    read.collect()
}

#[test]
fn every_file_of_the_corpus_passes() {
    let corpus = corpus();
    assert!(corpus.len() > 10, "{}", corpus.len());
    for bytes in corpus {
        audit::run(&bytes);
    }
}

#[test]
fn mutated_files_of_the_corpus_pass() {
    let file = proptest::sample::select(corpus());
    let mutation = (any::<prop::sample::Index>(), 0..5_u8, any::<u8>());
    let mutated = (file, proptest::collection::vec(mutation, 1..6));
    let config = Config {
        cases: MUTATED,
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let run = TestRunner::new_with_rng(config, random).run(&mutated, |(mut bytes, mutations)| {
        for (at, kind, byte) in mutations {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match kind {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, byte),
                // Digits and line breaks are what most lines are made of.
                2 => bytes[at] = b'0' + byte % 10,
                3 => bytes.insert(at, b'\n'),
                _ => bytes[at] = byte,
            }
        }
        audit::run(&bytes);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, ..Config::default() })]

    #[test]
    fn arbitrary_bytes_pass(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        audit::run(&bytes);
    }

    #[test]
    fn arbitrary_lines_pass(text in "(Dumping |baseOffset: |offset: |producerId: |\\| offset: )[a-zA-Z0-9:. -]{0,80}\n{0,2}") {
        audit::run(text.as_bytes());
    }
}

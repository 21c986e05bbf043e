//! Logs of the real Kafka that are cut or altered anywhere: never a panic, and what is wrong is told.

use std::fs;
use std::path::PathBuf;

use flate2::write::GzEncoder;
use flate2::Compression;
use std::io::Write;

use crate::logs::{audit, data, files, names, Told};

/// Where the length stands in a batch.
const LENGTH: std::ops::Range<usize> = 8..12;
/// Where the leader epoch stands in it. Nothing checks that of a single replica: a leader writes it over what
/// the client sent, and leaves the checksum as it is.
const LEADER_EPOCH: std::ops::Range<usize> = 12..16;

/// A directory of a partition, and a segment in it that can be written anew.
struct Segment {
    _directory: tempfile::TempDir,
    path: PathBuf,
}

impl Segment {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let partition = directory.path().join("orders-0");
        fs::create_dir(&partition).expect("a directory");
        Segment {
            path: partition.join("00000000000000000000.log"),
            _directory: directory,
        }
    }

    fn audit(&self, bytes: &[u8]) -> Result<Told, String> {
        fs::write(&self.path, bytes).expect("writable");
        audit(std::slice::from_ref(&self.path))
    }
}

fn segment(log: &str) -> Vec<u8> {
    let path = data()
        .join("logs")
        .join(log)
        .join("orders-0/00000000000000000000.log");
    fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

#[test]
fn a_segment_cut_anywhere_gives_no_finding() {
    let whole = segment("sound/three-producers");
    let scratch = Segment::new();
    let mut batches = 0;
    for cut in 0..=whole.len() {
        let told = scratch
            .audit(&whole[..cut])
            .unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        assert_eq!(told.findings, [], "cut at {cut}");
        assert!(
            told.batches == batches || told.batches == batches + 1,
            "cut at {cut}"
        );
        batches = told.batches;
    }
    assert_eq!(batches, 12);
}

#[test]
fn a_bit_that_is_another_is_found() {
    let whole = segment("sound/epochs");
    let scratch = Segment::new();
    let last = (0..whole.len())
        .rfind(|at| is_batch(&whole, *at))
        .expect("a batch");
    let mut in_batch = 0;
    for at in 0..whole.len() {
        if is_batch(&whole, at) {
            in_batch = 0;
        }
        let mut altered = whole.clone();
        altered[at] ^= 1 << (at % 8);
        let told = scratch
            .audit(&altered)
            .unwrap_or_else(|error| panic!("byte {at}: {error}"));
        let found = !told.findings.is_empty();
        if LEADER_EPOCH.contains(&in_batch) {
            assert!(!found, "byte {at}: {told:?}");
        } else if LENGTH.contains(&in_batch) && at >= last {
            // A last batch that claims to be longer looks like one that was not written to its end.
            assert!(found || told.batches == 5, "byte {at}: {told:?}");
        } else {
            assert!(found, "byte {at}, {in_batch} of its batch");
        }
        in_batch += 1;
    }
}

/// Whether a batch begins here, in a log whose batches are as long as they say.
fn is_batch(whole: &[u8], at: usize) -> bool {
    let mut begin = 0;
    while begin < at {
        let length: [u8; 4] = whole[begin + 8..begin + 12].try_into().expect("four bytes");
        begin += 12 + u32::from_be_bytes(length) as usize;
    }
    begin == at
}

#[test]
fn a_segment_that_nothing_was_written_to_is_one() {
    let scratch = Segment::new();
    for bytes in [&[][..], &[0; 4096]] {
        let told = scratch.audit(bytes).expect("known by its name");
        assert_eq!((told.batches, told.findings), (0, Vec::new()));
    }
}

#[test]
fn a_packed_log_gives_what_it_gives_unpacked() {
    for name in names() {
        let scratch = tempfile::tempdir().expect("a directory");
        let mut packed = Vec::new();
        for file in files(&name) {
            let below = file.strip_prefix(data()).expect("a file of the data");
            let mut path = scratch.path().join(below).into_os_string();
            path.push(".gz");
            let path = PathBuf::from(path);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            let mut encoder = GzEncoder::new(
                fs::File::create(&path).expect("a file"),
                Compression::fast(),
            );
            encoder
                .write_all(&fs::read(&file).expect("readable"))
                .expect("writable");
            encoder.finish().expect("writable");
            packed.push(path);
        }
        // An empty file is known by its name only, which is another one here.
        if name != "damaged/empty" {
            assert_eq!(audit(&packed).ok(), audit(&files(&name)).ok(), "{name}");
        }
    }
}

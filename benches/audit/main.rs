//! How fast logs are judged, beside the least that can be done with their bytes: a text is
//! read and its lines are counted, nothing more. Both are measured in the same run.
//!
//! `cargo bench --bench audit` prints both under criterion; `cargo bench --bench audit -- table`
//! prints megabytes a second and the ratio.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use retryproof::audit::input::Input;
use retryproof::audit::run::{run, Settings};
use retryproof::audit::FileId;
use tempfile::TempDir;

/// Batches of the text that is judged.
const BATCHES: u64 = 200_000;
/// Runs of each; the fastest counts.
const RUNS: usize = 7;

/// A dump of a good log, in a file.
struct Dump {
    _place: TempDir,
    path: PathBuf,
    bytes: u64,
}

impl Dump {
    /// Of so many producers, in turns.
    fn new(producers: u64) -> io::Result<Self> {
        let place = tempfile::tempdir()?;
        let path = place.path().join("dump.txt");
        let mut file = io::BufWriter::new(File::create(&path)?);
        writeln!(file, "Dumping /var/kafka/orders-0/00000000000000000000.log")?;
        for batch in 0..BATCHES {
            let (offset, first) = (batch * 10, batch / producers * 10);
            writeln!(
                file,
                "baseOffset: {offset} lastOffset: {} count: 10 baseSequence: {first} lastSequence: {} \
                 producerId: {} producerEpoch: 0 partitionLeaderEpoch: 7 isTransactional: false isControl: false \
                 deleteHorizonMs: OptionalLong.empty position: {} CreateTime: 1790510023056 size: 1234 magic: 2 \
                 compresscodec: lz4 crc: 2238940677 isvalid: true",
                offset + 9,
                first + 9,
                1_000 + batch % producers,
                batch * 1_234,
            )?;
        }
        file.flush()?;
        let bytes = path.metadata()?.len();
        Ok(Dump {
            _place: place,
            path,
            bytes,
        })
    }
}

/// Judges the dump, in which nothing is wrong.
fn judge(path: &Path) {
    let input = Input::file(FileId(0), path).expect("a dump");
    let report = run(
        vec![input],
        vec![],
        None,
        Settings::default(),
        Rc::new(|_| {}),
    );
    let report = report.expect("readable");
    assert_eq!((report.batches, report.findings.count()), (BATCHES, 0));
}

/// Reads the text and counts its lines.
fn count_lines(path: &Path) -> usize {
    let mut file = File::open(path).expect("a dump");
    let mut buffer = vec![0; 256 * 1024];
    let mut lines = 0;
    loop {
        match file.read(&mut buffer).expect("readable") {
            0 => return lines,
            count => lines += memchr::memchr_iter(b'\n', &buffer[..count]).count(),
        }
    }
}

fn fastest(mut work: impl FnMut()) -> Duration {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

fn table() -> io::Result<()> {
    println!("producers   judged MB/s   lines counted MB/s   ratio");
    for producers in [1, 100, 10_000] {
        let dump = Dump::new(producers)?;
        let judged = fastest(|| judge(&dump.path)).as_secs_f64();
        let counted = fastest(|| assert!(black_box(count_lines(&dump.path)) > 0)).as_secs_f64();
        let megabytes = dump.bytes as f64 / 1e6;
        println!(
            "{producers:>9} {:>13.0} {:>20.0} {:>7.1}",
            megabytes / judged,
            megabytes / counted,
            judged / counted
        );
    }
    Ok(())
}

fn main() -> io::Result<()> {
    if std::env::args().any(|word| word == "table") {
        return table();
    }
    let dump = Dump::new(100)?;
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("audit");
    group
        .throughput(Throughput::Bytes(dump.bytes))
        .sample_size(10);
    group.bench_function("judge a dump", |bench| bench.iter(|| judge(&dump.path)));
    group.bench_function("yardstick: count its lines", |bench| {
        bench.iter(|| count_lines(&dump.path));
    });
    group.finish();
    criterion.final_summary();
    Ok(())
}

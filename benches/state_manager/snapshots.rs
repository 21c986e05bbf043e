//! Writing and loading a million producers, beside copying as many bytes with their CRC.

use std::cell::RefCell;
use std::hint::black_box;

use retryproof::state_manager::snapshot::{Format, SnapshotDirectory};
use retryproof::state_manager::{Config, ProducerStateManager, Timestamp};

use crate::rounds::measure;
use crate::subjects::Subject;

const PRODUCERS: usize = 1_000_000;

pub fn print() {
    println!("\nSnapshots of a million producers beside copying the same bytes with their CRC-32C");
    println!("median ms, and in brackets the median ratio to the copy\n");
    println!(
        "| format | bytes | encode | restore | copy | write a file | load a file | copy a file |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    line("Kafka's, one batch", Config::kafka(), Format::Kafka);
    line("whole window", Config::hardened(), Format::WholeWindow);
}

fn line(name: &str, config: Config, format: Format) {
    let subject = Subject::new(config, PRODUCERS, 5);
    let manager = &subject.manager;
    let end = manager.map_end_offset();
    let now = Timestamp::from_millis(1_800_000_000_001);
    let bytes = manager.encode(format).expect("countable");
    let [encode, restore, copy] = measure(
        1_000_000,
        [
            &mut |_| drop(black_box(manager.encode(format))),
            &mut |_| {
                let mut fresh = ProducerStateManager::new(config);
                black_box(fresh.restore(&bytes, end, now)).expect("just encoded");
            },
            &mut |_| {
                let copied = black_box(&bytes).clone();
                black_box(crc32c::crc32c(&copied));
            },
        ],
    );
    let place = tempfile::tempdir().expect("a directory");
    let directory = SnapshotDirectory::open(place.path()).expect("just made");
    let written = RefCell::new(None);
    let [write, load, copy_file] = measure(
        1_000_000,
        [
            &mut |_| {
                let bytes = manager.encode(format).expect("countable");
                let path = directory.write(end.get(), format, &bytes).expect("room");
                *written.borrow_mut() = Some(path);
            },
            &mut |_| {
                let path = written.borrow().clone().expect("written before");
                let bytes = std::fs::read(path).expect("readable");
                let mut fresh = ProducerStateManager::new(config);
                black_box(fresh.restore(&bytes, end, now)).expect("just written");
            },
            &mut |_| {
                let path = written.borrow().clone().expect("written before");
                let bytes = std::fs::read(path).expect("readable");
                black_box(crc32c::crc32c(&bytes));
                let copy = std::fs::File::create(place.path().join("copy")).expect("room");
                std::io::Write::write_all(&mut &copy, &bytes).expect("room");
                copy.sync_all().expect("room");
            },
        ],
    );
    print!("| {name} | {} ", bytes.len());
    for (at, (nanos, ratio)) in [encode, restore, copy, write, load, copy_file]
        .iter()
        .enumerate()
    {
        if at % 3 == 2 {
            print!("| {nanos:.1} ");
        } else {
            print!("| {nanos:.1} ({ratio:.2}) ");
        }
    }
    println!("|");
}

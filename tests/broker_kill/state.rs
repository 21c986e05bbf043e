//! The producer state that the next start of a broker would load.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use retryproof::state_manager::snapshot::SnapshotDirectory;
use retryproof::state_manager::{
    Batch, BatchHeader, Check, Config, LoggedBatch, Offset, ProducerId, ProducerStateManager,
    Timestamp,
};
use retryproof_properties as properties;

use super::frame::Frame;
use super::request::Request;

/// When the state is loaded: so early that nothing has expired.
const NOW: Timestamp = Timestamp::from_millis(0);

/// What the state said of a batch of the log that is sent again.
pub struct Asked {
    pub request: Request,
    pub answer: properties::Answer,
    /// The state of the batch's producer.
    pub memory: properties::RecordedMemory,
}

fn header(request: &Request) -> BatchHeader {
    let record_count = request.count as i32;
    BatchHeader {
        producer_id: request.producer_id,
        producer_epoch: request.epoch,
        base_sequence: request.first_sequence,
        last_offset_delta: record_count - 1,
        record_count,
        max_timestamp: -1,
        transactional: false,
        control: false,
    }
}

fn replay<'a>(manager: &mut ProducerStateManager, frames: impl Iterator<Item = &'a Frame>) {
    for frame in frames {
        let base_offset = Offset::new(frame.base_offset).expect("it is 0 or more");
        let batch = LoggedBatch::from_header(&header(&frame.request), base_offset);
        let batch = batch.expect("it was written").expect("it has a producer");
        let replayed = manager.replicate(&batch, NOW);
        replayed.expect("offsets ascend");
    }
}

/// The state by the log alone.
pub fn fold(frames: &[Frame]) -> ProducerStateManager {
    let mut manager = ProducerStateManager::new(Config::hardened());
    replay(&mut manager, frames.iter());
    manager
}

/// The state by the newest snapshot that can be used, and what the log has behind it. Works
/// on copies, so the broker finds the directory as it is.
pub fn load(directory: &Path, frames: &[Frame]) -> ProducerStateManager {
    let copies = tempfile::tempdir().expect("there is room for snapshots");
    for entry in fs::read_dir(directory).expect("the broker's directory") {
        let entry = entry.expect("the broker's directory");
        if entry.file_name() != "log" {
            let copied = fs::copy(entry.path(), copies.path().join(entry.file_name()));
            copied.expect("there is room for snapshots");
        }
    }
    let snapshots = SnapshotDirectory::open(copies.path()).expect("a directory of snapshots");
    let end = Offset::new(frames.last().map_or(0, Frame::end)).expect("it is 0 or more");
    let mut manager = ProducerStateManager::new(Config::hardened());
    let reloaded = manager.truncate_and_reload(&snapshots, Offset::ZERO, end, NOW);
    let from = reloaded.expect("files can be read").replay_from.get();
    let tail = frames.iter().filter(|frame| frame.base_offset >= from);
    replay(&mut manager, tail);
    manager
}

/// Asks the state about the batches that it must know again: the newest ones of each
/// producer, as many as the window has room for, if they are of its newest epoch.
pub fn ask(manager: &ProducerStateManager, frames: &[Frame]) -> Vec<Asked> {
    let producers: BTreeSet<i64> = frames.iter().map(|f| f.request.producer_id).collect();
    let mut asked = Vec::new();
    for producer in producers {
        let of_producer = frames.iter().rev().map(|frame| &frame.request);
        let of_producer = of_producer.filter(|request| request.producer_id == producer);
        let newest: Vec<&Request> = of_producer.take(manager.config().window()).collect();
        for request in &newest {
            if request.epoch == newest[0].epoch {
                asked.push(ask_about(manager, request));
            }
        }
    }
    asked
}

fn ask_about(manager: &ProducerStateManager, request: &Request) -> Asked {
    let batch = Batch::from_header(&header(request)).expect("it was accepted before");
    let answer = match manager.check(&batch.expect("it has a producer")) {
        Check::Append(_) => properties::Answer::Appended {
            base: properties::Offset(manager.map_end_offset().get()),
        },
        Check::Duplicate(original) => properties::Answer::Duplicate {
            base: Some(properties::Offset(original.first_offset.get())),
        },
        Check::Rejected(_) => {
            properties::Answer::Rejected(properties::Rejection::OutOfOrderSequence)
        }
    };
    Asked {
        request: *request,
        answer,
        memory: memory(manager, request.producer_id),
    }
}

fn memory(manager: &ProducerStateManager, producer_id: i64) -> properties::RecordedMemory {
    let capacity = manager.config().window();
    let id = ProducerId::new(producer_id).expect("it is 0 or more");
    let Some(producer) = manager.producer(id) else {
        return properties::RecordedMemory {
            capacity,
            ..Default::default()
        };
    };
    let sequence =
        |sequence: retryproof::state_manager::Sequence| properties::Sequence(sequence.get().into());
    let mut remembered: Vec<_> = producer
        .batches()
        .filter_map(|batch| {
            Some(properties::Remembered {
                first: sequence(batch.first_sequence?),
                last: sequence(batch.last_sequence?),
                base: properties::Offset(batch.first_offset.get()),
            })
        })
        .collect();
    remembered.reverse();
    properties::RecordedMemory {
        epoch: Some(properties::Epoch(producer.epoch().get().into())),
        last_sequence: producer.last_sequence().map(sequence),
        capacity,
        remembered,
    }
}

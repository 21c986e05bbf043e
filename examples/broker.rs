//! The append path of a broker: check, write to the log, commit. One partition, one log file.
//!
//! ```console
//! $ cargo run --no-default-features --example broker -- DIRECTORY
//! 7 0 0 apple,pear   <- producer id, epoch, sequence of the first record, records
//! ok 0               -> offset of the first record
//! 7 0 0 apple,pear   <- the same again, from a client that got no answer
//! duplicate 0        -> it stands there already
//! ```
//! Kill it at any moment, as `tests/broker_kill` does, or cut the power: what was answered is
//! in the log, and no retry is written twice. One process at a time may use a directory.
//! Left out: batches of no producer, which need no permit, but `skip_to` behind them; Windows.

use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::time::SystemTime;

use retryproof::state_manager::{
    snapshot::SnapshotDirectory, Batch, BatchHeader, Check, Config, LoggedBatch, Offset,
    ProducerStateManager, Timestamp,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Start-up: the log is the truth, and the producer state is what follows from it.
fn open(snapshots: &SnapshotDirectory) -> Result<(File, ProducerStateManager)> {
    let path = snapshots.path().join("log");
    let log = File::options().append(true).create(true).open(&path)?;
    let bytes = fs::read(&path)?;
    let (mut batches, mut end, mut rest) = (Vec::new(), Offset::ZERO, &bytes[..]);
    while let Some((batch, behind)) = read_frame(rest) {
        (end, rest) = (batch.end(), behind);
        batches.push(batch);
    }
    // The rest is a torn frame, of which nobody was told. With more behind it, it is damage.
    let newest = snapshots.list()?.pop().map_or(0, |it| it.offset);
    if newest > end.get() || (1..rest.len()).any(|at| read_frame(&rest[at..]).is_some()) {
        return Err(format!("{} is damaged behind offset {end}", path.display()).into());
    }
    // Of a whole one the next retry will be told: it must be on the disk, with the file's name.
    log.set_len((bytes.len() - rest.len()) as u64)?;
    log.sync_all()?;
    File::open(snapshots.path())?.sync_all()?;

    let mut manager = ProducerStateManager::new(Config::hardened());
    let reloaded = manager.truncate_and_reload(snapshots, Offset::ZERO, end, now())?;
    batches.retain(|batch| batch.last_offset() >= reloaded.replay_from);
    for batch in batches {
        manager.replicate(&batch, now())?;
    }
    Ok((log, manager))
}

/// The answer to a request. After an error log and state may differ: start again.
fn produce(request: &[u8], log: &mut File, manager: &mut ProducerStateManager) -> Result<String> {
    let batch = parse(request).and_then(|header| Batch::from_header(&header).transpose());
    let Some(batch) = batch else {
        return Ok("error 42 INVALID_REQUEST send ID EPOCH SEQUENCE RECORD,RECORD…".into());
    };
    // Check. This changes nothing, and a permit that is dropped leaves no trace.
    let permit = match batch.map(|batch| manager.check(&batch)) {
        Ok(Check::Append(permit)) => permit,
        Ok(Check::Duplicate(it)) => return Ok(format!("duplicate {}", it.first_offset)),
        Ok(Check::Rejected(why)) | Err(why) => {
            return Ok(format!("error {} {} {why}", why.code(), why.code_name()))
        }
    };
    // Write to the log. If that fails, half a frame may be there.
    let base_offset = manager.map_end_offset();
    let length = log.metadata()?.len();
    let written = log.write_all(&frame(base_offset, request));
    if let Err(why) = written.and_then(|()| log.sync_data()) {
        log.set_len(length)?;
        return Ok(format!("error 56 KAFKA_STORAGE_ERROR {why}"));
    }
    // Commit. Only from now on is a retry a duplicate.
    manager.commit(permit, base_offset, now())?;
    Ok(format!("ok {base_offset}"))
}

/// Writes a snapshot, so that the next start has less of the log to go through.
fn snapshot(manager: &mut ProducerStateManager, snapshots: &SnapshotDirectory) -> Result<()> {
    manager.remove_expired(now());
    manager.take_snapshot(snapshots)?;
    if let [.., older, _newest] = &snapshots.list()?[..] {
        snapshots.remove_below(older.offset)?; // Two are kept, in case one is damaged.
    }
    Ok(())
}

fn parse(request: &[u8]) -> Option<BatchHeader> {
    let mut words = std::str::from_utf8(request).ok()?.splitn(4, ' ');
    let (id, epoch, sequence) = (words.next()?, words.next()?, words.next()?);
    let record_count = i32::try_from(words.next()?.split(',').count()).ok()?;
    Some(BatchHeader {
        producer_id: id.parse().ok()?,
        producer_epoch: epoch.parse().ok()?,
        base_sequence: sequence.parse().ok()?,
        last_offset_delta: record_count - 1,
        record_count,
        max_timestamp: -1,
        transactional: false,
        control: false,
    })
}

/// A batch in the log: a line end (no request has one, so none can pass for a frame), length
/// and CRC-32C of what follows, base offset, the request.
fn frame(base_offset: Offset, request: &[u8]) -> Vec<u8> {
    let body = [&base_offset.get().to_be_bytes(), request].concat();
    let (size, crc) = (body.len() as u64, crc32c::crc32c(&body));
    [b"\n", &size.to_be_bytes()[..], &crc.to_be_bytes(), &body].concat()
}

/// The batch at the start of these bytes, if it is whole, and what lies behind it.
fn read_frame(bytes: &[u8]) -> Option<(LoggedBatch, &[u8])> {
    let (length, rest) = bytes.strip_prefix(b"\n")?.split_first_chunk()?;
    let (checksum, rest) = rest.split_first_chunk()?;
    let (body, behind) = rest.split_at_checked(u64::from_be_bytes(*length).try_into().ok()?)?;
    let (base_offset, request) = body.split_first_chunk()?;
    let base_offset = Offset::new(i64::from_be_bytes(*base_offset))?;
    let batch = LoggedBatch::from_header(&parse(request)?, base_offset).ok()??;
    (crc32c::crc32c(body) == u32::from_be_bytes(*checksum)).then_some((batch, behind))
}

fn now() -> Timestamp {
    let since_1970 = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    Timestamp::from_millis(since_1970.as_millis() as i64)
}

fn main() -> Result<()> {
    let directory = std::env::args_os().nth(1);
    let snapshots = SnapshotDirectory::open(directory.ok_or("usage: broker DIRECTORY")?)?;
    let (mut log, mut manager) = open(&snapshots)?;
    for served in 0_u64.. {
        if served % 16 == 0 {
            let taken = snapshot(&mut manager, &snapshots);
            taken.unwrap_or_else(|why| eprintln!("no snapshot: {why}"));
        }
        let mut request = Vec::new();
        io::stdin().lock().read_until(b'\n', &mut request)?;
        let Some(request) = request.strip_suffix(b"\n") else {
            break; // Nothing more, or half a request: the client is gone.
        };
        let answer = produce(request, &mut log, &mut manager)?;
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

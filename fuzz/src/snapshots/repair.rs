//! Checksum and counts put right, so that what lies behind them is reached.

use retryproof::state_manager::snapshot::{detect, kafka, whole_window, Format};

/// The file with the checksum of its bytes; `None` if it has no room for one.
pub fn checksum(mut file: Vec<u8>) -> Option<Vec<u8>> {
    let (at, from) = match detect(&file).ok()? {
        Format::Kafka => (2, 6),
        Format::WholeWindow => (12, 16),
    };
    let checksum = crc32c::crc32c(file.get(from..)?).to_be_bytes();
    file[at..from].copy_from_slice(&checksum);
    Some(file)
}

/// The file with the number of its whole entries, without what is behind them, and with the
/// right checksum; `None` if the header is not whole.
pub fn counts(mut file: Vec<u8>) -> Option<Vec<u8>> {
    match detect(&file).ok()? {
        Format::Kafka => {
            let entries = file.len().checked_sub(kafka::HEADER_SIZE)? / kafka::ENTRY_SIZE;
            file.truncate(kafka::HEADER_SIZE + entries * kafka::ENTRY_SIZE);
            file[6..10].copy_from_slice(&i32::try_from(entries).ok()?.to_be_bytes());
        }
        Format::WholeWindow => {
            let (mut producers, mut batches) = (0u64, 0u64);
            let mut end = whole_window::HEADER_SIZE;
            while let Some(count) = file.get(end + 38..end + whole_window::PRODUCER_SIZE) {
                let count = u16::from_be_bytes([count[0], count[1]]);
                let next = end
                    + whole_window::PRODUCER_SIZE
                    + usize::from(count) * whole_window::BATCH_SIZE;
                if next > file.len() {
                    break;
                }
                end = next;
                producers += 1;
                batches += u64::from(count);
            }
            file.get(..end)?;
            file.truncate(end);
            file[8..12].copy_from_slice(&whole_window::VERSION.to_be_bytes());
            file[24..32].copy_from_slice(&producers.to_be_bytes());
            file[32..40].copy_from_slice(&batches.to_be_bytes());
        }
    }
    checksum(file)
}

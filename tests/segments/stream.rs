//! A segment is read in constant memory, however long it is and whatever it claims.

use std::io::Cursor;

use retryproof::audit::{FileId, Reader, Seen, SegmentReader};

/// Bytes that a reader of a segment may hold at once.
const MOST: u64 = 512 * 1024;

fn read(segment: &[u8]) -> u64 {
    let mut batches = 0;
    let mut reader =
        SegmentReader::new(FileId(0), b"00000000000000000000.log", Cursor::new(segment))
            .expect("a cursor can seek");
    while let Some(seen) = reader.next().expect("a segment") {
        batches += u64::from(matches!(seen, Seen::Batch(_)));
    }
    batches
}

fn batch(offset: i64, records: usize, claimed: Option<i32>) -> Vec<u8> {
    let mut checked = vec![0; 40];
    checked.extend(std::iter::repeat_n(0x5a, records));
    let length = claimed.unwrap_or(i32::try_from(checked.len()).expect("short") + 9);
    let mut batch = offset.to_be_bytes().to_vec();
    batch.extend(length.to_be_bytes());
    batch.extend(0_i32.to_be_bytes());
    batch.push(2);
    batch.extend(crc32c::crc32c(&checked).to_be_bytes());
    batch.extend(checked);
    batch
}

#[test]
fn memory_is_bounded() {
    let long: Vec<u8> = (0..16)
        .flat_map(|offset| batch(offset, 1 << 20, None))
        .collect();
    let many: Vec<u8> = (0..50_000)
        .flat_map(|offset| batch(offset, 40, None))
        .collect();
    // Every length claims what is left of an address space of 31 bits.
    let claims: Vec<u8> = (0..1000)
        .flat_map(|offset| batch(offset, 40, Some(i32::MAX - 7)))
        .collect();
    let claims = [&batch(0, 0, None)[..], &claims, &batch(1000, 0, None)].concat();
    for (segment, expected) in [(long, 16), (many, 50_000), (claims, 2)] {
        let mut batches = 0;
        let held = allocation_counter::measure(|| batches = read(&segment)).bytes_max;
        assert_eq!(batches, expected);
        assert!(
            held < MOST,
            "{held} bytes were held of a segment of {}",
            segment.len()
        );
    }
}

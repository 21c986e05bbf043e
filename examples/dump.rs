//! Prints a dump of a good log, as long as it is wanted: what `retryproof audit` is measured
//! with. `cargo run --release --example dump -- MEGABYTES [PRODUCERS]`.

use std::env;
use std::io::{self, BufWriter, Write};

/// Bytes of every batch.
const SIZE: u64 = 1_234;
/// Records of every batch.
const RECORDS: i64 = 10;

fn main() -> io::Result<()> {
    let mut numbers = env::args().skip(1).map(|word| word.parse::<usize>());
    let (Some(Ok(megabytes)), Ok(producers)) = (numbers.next(), numbers.next().unwrap_or(Ok(100)))
    else {
        eprintln!("give megabytes, and producers if there are to be other than 100");
        std::process::exit(2);
    };
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    writeln!(out, "Dumping /var/kafka/orders-0/00000000000000000000.log")?;
    writeln!(out, "Log starting offset: 0")?;
    let mut next = vec![0_i64; producers.max(1)];
    let (mut written, mut offset, mut position) = (0, 0, 0);
    while written < megabytes * 1_000_000 {
        let batch = offset / RECORDS;
        let producer = usize::try_from(batch).unwrap_or(0) % next.len();
        let first = next[producer];
        next[producer] += RECORDS;
        let line = format!(
            "baseOffset: {offset} lastOffset: {} count: {RECORDS} baseSequence: {first} lastSequence: {} \
             producerId: {} producerEpoch: 0 partitionLeaderEpoch: 7 isTransactional: false isControl: false \
             deleteHorizonMs: OptionalLong.empty position: {position} CreateTime: {} size: {SIZE} magic: 2 \
             compresscodec: lz4 crc: {} isvalid: true\n",
            offset + RECORDS - 1,
            first + RECORDS - 1,
            1_000 + producer,
            1_790_510_023_056 + offset,
            2_166_136_261_u32.wrapping_add(batch as u32)
        );
        out.write_all(line.as_bytes())?;
        written += line.len();
        offset += RECORDS;
        position += SIZE;
    }
    out.flush()
}

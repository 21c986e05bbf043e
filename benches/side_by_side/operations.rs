//! Which batch comes next, the same as in `oracle/src/main/java/retryproof/oracle/speed/`. An
//! operation is one number: the producer in the upper 32 bits, the batch's base sequence in the
//! lower ones.

/// Records of each batch.
pub const RECORDS: i32 = 10;
/// Batches that are remembered of each producer.
pub const WINDOW: i32 = 5;

/// In which order producers write, and whether they write or repeat.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stream {
    /// The next batch of a producer that is drawn.
    Random,
    /// The next batch of each producer in turn.
    Turns,
    /// One of the last five batches of a producer, both drawn.
    Duplicates,
}

impl Stream {
    pub const ALL: [Stream; 3] = [Stream::Random, Stream::Turns, Stream::Duplicates];

    /// Its word in commands to the oracle.
    pub fn word(self) -> &'static str {
        match self {
            Stream::Random => "random",
            Stream::Turns => "turns",
            Stream::Duplicates => "duplicates",
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct SplitMix64(u64);

impl SplitMix64 {
    const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::GAMMA);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Where the producers are, and the numbers that decide what they do next.
pub struct Operations {
    random: SplitMix64,
    /// The base sequence of each producer's next batch.
    next: Vec<i32>,
    turn: usize,
}

impl Operations {
    /// After so many batches of each producer.
    pub fn new(producers: usize, written: i32, seed: u64) -> Self {
        Operations {
            random: SplitMix64(seed),
            next: vec![written * RECORDS; producers],
            turn: 0,
        }
    }

    /// The next ones of this stream, in place of those that are in the list.
    pub fn draw(&mut self, stream: Stream, into: &mut [u64]) {
        for operation in into {
            *operation = self.draw_one(stream);
        }
    }

    fn draw_one(&mut self, stream: Stream) -> u64 {
        let producers = self.next.len();
        match stream {
            Stream::Random => {
                let producer = below(self.random.next() >> 32, producers);
                self.write(producer)
            }
            Stream::Turns => {
                let producer = self.turn;
                self.turn = (producer + 1) % producers;
                self.write(producer)
            }
            Stream::Duplicates => {
                let drawn = self.random.next();
                let producer = below(drawn >> 32, producers);
                let back = 1 + below(drawn & 0xffff_ffff, WINDOW as usize) as i32;
                operation(producer, moved(self.next[producer], -back * RECORDS))
            }
        }
    }

    fn write(&mut self, producer: usize) -> u64 {
        let base = self.next[producer];
        self.next[producer] = moved(base, RECORDS);
        operation(producer, base)
    }
}

/// Which producer an operation is about, counted from 0.
#[inline]
pub fn producer(operation: u64) -> u32 {
    (operation >> 32) as u32
}

/// The sequence of its first record.
#[inline]
pub fn base_sequence(operation: u64) -> i32 {
    operation as i32
}

/// FNV-1a of 64 bits, with an operation in place of a byte.
pub fn checksum(operations: &[u64]) -> u64 {
    operations
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, operation| {
            (sum ^ operation).wrapping_mul(0x100_0000_01b3)
        })
}

fn operation(producer: usize, base_sequence: i32) -> u64 {
    (producer as u64) << 32 | base_sequence as u64
}

/// After 2³¹ − 1 comes 0.
fn moved(sequence: i32, by: i32) -> i32 {
    sequence.wrapping_add(by) & i32::MAX
}

/// From 32 random bits a number below this one.
fn below(bits: u64, bound: usize) -> usize {
    ((bits * bound as u64) >> 32) as usize
}

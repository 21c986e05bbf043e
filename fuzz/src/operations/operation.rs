//! How bytes are read as operations. Every list of bytes is a list of operations.

use retryproof::state_manager::snapshot::Format;

/// Bytes to be read one after another; behind the last there are zeros.
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub fn new(rest: &'a [u8]) -> Self {
        Bytes { rest }
    }

    pub fn next(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.next()) % choices.len()]
    }
}

/// A batch, told by what is chosen: which numbers that comes to depends on the state.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    pub producer: i64,
    /// From the producer's epoch on.
    pub epoch: i16,
    pub start: Start,
    pub records: i32,
    pub time: Time,
    pub place: Place,
    pub transactional: bool,
}

/// The first sequence of a batch.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// So far behind the one that is next.
    Next(i64),
    /// That of a batch of the window, with its records: a retry.
    Again(usize),
    /// So far into the newest batch.
    Inside(i64),
    /// This one.
    At(i64),
    /// So far before 2³¹.
    BeforeWrap(i64),
    /// None, if it stands in a log; the next one otherwise.
    Without,
}

/// A client's time.
#[derive(Clone, Copy, Debug)]
pub enum Time {
    Now,
    Ago(i64),
    At(i64),
}

/// Where the log has a batch: so far from its end.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub i64);

/// An end of a transaction.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub producer: i64,
    /// From the producer's epoch on.
    pub epoch: i16,
    pub coordinator_epoch: i32,
    pub place: Place,
}

/// One batch of a read of the log, right behind the one ahead of it.
#[derive(Clone, Copy, Debug)]
pub enum Logged {
    Batch(Chosen),
    Marker(Ended),
    EmptyControl(i64),
    /// So many records of no producer.
    Plain(u8),
}

/// What is wrong with a snapshot that is restored.
#[derive(Clone, Copy, Debug)]
pub enum Damage {
    None,
    /// One byte of it, counted round and round, is another.
    Byte(u8),
    /// It is said to end so far from where it does.
    End(i8),
}

/// Something that happens to a partition.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// Checked, and committed if allowed.
    Append(Chosen),
    /// Checked; the permit is dropped.
    Check(Chosen),
    /// Checked; the permit is kept for [`Operation::CommitHeld`].
    Hold(Chosen),
    HoldMarker(Ended),
    CommitHeld,
    /// So many batches in one request.
    Request(Chosen, u8),
    Coordinator(Chosen),
    Marker(Ended),
    Replicate(Chosen),
    ReplicateMarker(Ended),
    ReplicateEmptyControl(i64, Place),
    ReplicateRead([Logged; 4]),
    /// To so far from the end.
    Skip(i64),
    /// To so far before the last offset there is.
    SkipFar(u8),
    Wait(i8),
    Expire,
    ExpireSome(u8),
    /// Small steps, until every place was looked at.
    ExpirePass(u8),
    Save(Format),
    /// One of those that were saved, counted from the newest.
    Restore(u8, Damage),
    LogStart(i8),
    HighWatermark(i8),
    LeaderEpoch(u8),
}

const PRODUCERS: [i64; 6] = [7, 0, 1, 4_000, 1 << 40, i64::MAX];

impl Operation {
    /// The next one; `None` behind the last byte.
    pub fn decode(bytes: &mut Bytes<'_>) -> Option<Self> {
        if bytes.rest.is_empty() {
            return None;
        }
        Some(match bytes.next() % 34 {
            0..=5 => Operation::Append(chosen(bytes)),
            6 => Operation::Check(chosen(bytes)),
            7 | 8 => Operation::Hold(chosen(bytes)),
            9 => Operation::HoldMarker(ended(bytes)),
            10 => Operation::CommitHeld,
            11 => Operation::Request(chosen(bytes), bytes.next() % 4),
            12 => Operation::Coordinator(chosen(bytes)),
            13 | 14 => Operation::Marker(ended(bytes)),
            15..=17 => Operation::Replicate(chosen(bytes)),
            18 => Operation::ReplicateMarker(ended(bytes)),
            19 => Operation::ReplicateEmptyControl(bytes.one_of(&PRODUCERS), place(bytes)),
            20 => Operation::Skip(i64::from(bytes.next() as i8)),
            21 => Operation::SkipFar(bytes.next()),
            22 => Operation::Wait(bytes.next() as i8),
            23 => Operation::Expire,
            24 => Operation::ExpireSome(bytes.next()),
            25 => Operation::ExpirePass(bytes.next()),
            26 => Operation::Save(bytes.one_of(&Format::ALL)),
            27 => Operation::Restore(bytes.next(), Damage::None),
            28 => Operation::Restore(bytes.next(), damage(bytes)),
            29 => Operation::LogStart(near_end(bytes)),
            30 => Operation::HighWatermark(near_end(bytes)),
            31 | 32 => {
                let read = [(); 4].map(|()| logged(bytes));
                Operation::ReplicateRead(read)
            }
            _ => Operation::LeaderEpoch(bytes.next() % 4),
        })
    }
}

fn chosen(bytes: &mut Bytes<'_>) -> Chosen {
    Chosen {
        producer: bytes.one_of(&PRODUCERS),
        epoch: epoch(bytes),
        start: start(bytes),
        records: records(bytes),
        time: time(bytes),
        place: place(bytes),
        transactional: bytes.next() % 4 == 1,
    }
}

fn ended(bytes: &mut Bytes<'_>) -> Ended {
    Ended {
        producer: bytes.one_of(&PRODUCERS),
        epoch: epoch(bytes),
        coordinator_epoch: bytes.one_of(&[0, 1, 2, -1, -2, i32::MIN, i32::MAX]),
        place: place(bytes),
    }
}

fn logged(bytes: &mut Bytes<'_>) -> Logged {
    match bytes.next() % 8 {
        0..=4 => Logged::Batch(chosen(bytes)),
        5 => Logged::Marker(ended(bytes)),
        6 => Logged::EmptyControl(bytes.one_of(&PRODUCERS)),
        _ => Logged::Plain(bytes.next()),
    }
}

fn epoch(bytes: &mut Bytes<'_>) -> i16 {
    bytes.one_of(&[0, 0, 0, 0, 1, -1, 2, -2, i16::MAX, i16::MIN])
}

fn start(bytes: &mut Bytes<'_>) -> Start {
    let number = bytes.next();
    let rest = i64::from(number / 8);
    match number % 8 {
        0 | 1 => Start::Next(0),
        2 => Start::Next(rest),
        3 => Start::Again(usize::from(number / 8)),
        4 => Start::Inside(rest),
        5 => Start::At(rest),
        6 => Start::BeforeWrap(1 + rest),
        _ => Start::Without,
    }
}

/// Few mostly, and sometimes so many that sequences come round within a window.
fn records(bytes: &mut Bytes<'_>) -> i32 {
    match bytes.next() {
        number @ 0..=223 => 1 + i32::from(number % 6),
        number @ 224..=239 => (1 << 25) - 7 + i32::from(number - 224),
        number @ 240..=247 => 1 << (number - 217),
        number => i32::MAX - i32::from(number - 248),
    }
}

fn time(bytes: &mut Bytes<'_>) -> Time {
    match bytes.next() {
        number @ 0..=127 => Time::Ago(i64::from(number)),
        number @ 128..=250 => Time::At(i64::from(number) - 129),
        251 => Time::At(i64::MIN),
        252 => Time::At(i64::MAX),
        _ => Time::Now,
    }
}

fn place(bytes: &mut Bytes<'_>) -> Place {
    Place(bytes.one_of(&[0, 0, 0, 0, 0, 0, 3, -1]))
}

fn near_end(bytes: &mut Bytes<'_>) -> i8 {
    bytes.one_of(&[-1, 0, -2, 3, -5, -20, i8::MIN])
}

fn damage(bytes: &mut Bytes<'_>) -> Damage {
    match bytes.next() % 2 {
        0 => Damage::Byte(bytes.next()),
        _ => Damage::End(bytes.next() as i8),
    }
}

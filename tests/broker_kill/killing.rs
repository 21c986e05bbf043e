//! Two hundred kills of one broker.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use retryproof_properties::Answer;

use super::broker::{kill, Broker};
use super::connection::{talk, Heard, Until};
use super::judge::{Judge, PROPERTIES};
use super::log_file::LogFile;
use super::producer::Producer;
use super::random::Random;
use super::request::Request;
use super::state;

const KILLS: usize = 200;

#[test]
fn two_hundred_kills_lose_nothing_and_double_nothing() {
    let began = Instant::now();
    let mut random = Random::seeded();
    let directory = tempfile::tempdir().expect("a directory for the broker");
    let mut run = Run::begin(directory.path());
    while run.tally.kills < KILLS {
        run.live_and_end(&mut random);
        run.leave_behind(&mut random);
        run.judge_what_is_there();
    }
    run.finish(&mut random);
    println!("{:#?} in {:?}", run.tally, began.elapsed());
}

/// How a broker ends.
enum End {
    /// Killed so soon after its start that it may still be reading the log.
    Starting(Duration),
    /// Killed once so many bytes were sent to it, perhaps in the middle of a request.
    AfterBytes(usize),
    /// Killed after some time, whatever it does then.
    AfterTime(Duration),
    /// Killed as soon as the log has grown by so many bytes, which is between the write to it
    /// and the answer, or within the write.
    Growing(usize),
    /// Its client went away, perhaps in the middle of a request.
    ClientGone(usize),
    /// Everything was answered.
    AllAnswered,
}

impl End {
    fn choose(random: &mut Random) -> Self {
        match random.below(12) {
            0..=2 => End::Starting(random.up_to(Duration::from_millis(8))),
            3..=5 => End::AfterBytes(1 + random.below(200_000)),
            6..=7 => End::AfterTime(random.up_to(Duration::from_millis(25))),
            8..=9 => End::Growing(1 + random.below(50_000)),
            10 => End::ClientGone(1 + random.below(100_000)),
            _ => End::AllAnswered,
        }
    }
}

/// How often what happened.
#[derive(Debug, Default)]
struct Tally {
    kills: usize,
    ends_without_a_kill: usize,
    answers_ok: usize,
    answers_duplicate: usize,
    batches: usize,
    records: i64,
    bytes_of_log: usize,
    /// Half a frame was at the end of the log after a kill.
    kills_within_an_append: usize,
    /// A kill came before the broker had cut half a frame away.
    kills_within_a_start: usize,
    /// Half a snapshot was there after a kill.
    kills_within_a_snapshot: usize,
    /// Half a frame was put at the end of the log between two brokers.
    halves_left: usize,
    /// As before, but a whole frame.
    wholes_left: usize,
    snapshots_damaged: usize,
}

struct Run {
    directory: PathBuf,
    log: LogFile,
    judge: Judge,
    producers: Vec<Producer>,
    tally: Tally,
    /// Bytes of the log behind the last whole frame.
    tail: usize,
    /// Whether half a snapshot is there already.
    half_snapshot: bool,
}

impl Run {
    /// A log that was taken over from another broker: two producers have come so far that
    /// their sequences will soon begin again at 0. They have no answer to their last batch.
    fn begin(directory: &Path) -> Self {
        let near_the_end = |records| i32::MAX - records;
        let mut run = Run {
            directory: directory.to_owned(),
            log: LogFile::of(directory),
            judge: Judge::default(),
            producers: vec![
                Producer::new(1000),
                Producer::at_sequence(2000, near_the_end(100)),
                Producer::at_sequence(3000, near_the_end(200)),
            ],
            tally: Tally::default(),
            tail: 0,
            half_snapshot: false,
        };
        for which in [1, 2] {
            let request = run.producers[which].make(3);
            run.judge.sent(&request);
            run.log.append(&run.log.next_frame(request).bytes());
            run.read_log();
        }
        run
    }

    /// One broker, from its start to its end.
    fn live_and_end(&mut self, random: &mut Random) {
        let tail_before = self.tail;
        let mut broker = Broker::start(&self.directory);
        let (mut killed, mut heard) = (true, Heard::default());
        match End::choose(random) {
            End::Starting(time) => {
                thread::sleep(time);
                kill(&mut broker.process);
            }
            End::AfterBytes(bytes) => {
                heard = self.talk(&mut broker, Until::Bytes(bytes), random);
                kill(&mut broker.process);
            }
            End::AfterTime(time) => {
                heard = self.talk_until_killed(broker, random, move |_| thread::sleep(time));
            }
            End::Growing(bytes) => {
                let (path, size) = (self.log.path(), self.log.size() + bytes);
                let grow = move |process: &mut Child| {
                    let small = || fs::metadata(&path).map_or(0, |log| log.len()) < size as u64;
                    while small() && process.try_wait().is_ok_and(|ended| ended.is_none()) {}
                };
                heard = self.talk_until_killed(broker, random, grow);
            }
            End::ClientGone(bytes) => {
                heard = self.talk(&mut broker, Until::Bytes(bytes), random);
                broker.stop();
                killed = false;
            }
            End::AllAnswered => {
                heard = self.talk(&mut broker, Until::Answered, random);
                broker.stop();
                killed = false;
                self.producers[0].bump_epoch();
            }
        }
        self.tail = self.read_log();
        self.hear(&heard);
        self.count(killed, tail_before);
    }

    fn talk(&mut self, broker: &mut Broker, until: Until, random: &mut Random) -> Heard {
        let ends = (&mut broker.requests, &mut broker.answers);
        talk(ends, &mut self.producers, until, random)
    }

    /// Talks on while somebody else waits for something, and kills the broker then.
    fn talk_until_killed(
        &mut self,
        broker: Broker,
        random: &mut Random,
        wait: impl FnOnce(&mut Child) + Send + 'static,
    ) -> Heard {
        let Broker {
            mut process,
            mut requests,
            mut answers,
        } = broker;
        let killer = thread::spawn(move || {
            wait(&mut process);
            kill(&mut process);
        });
        let ends = (&mut requests, &mut answers);
        let heard = talk(ends, &mut self.producers, Until::Broken, random);
        killer.join().expect("the broker was killed");
        heard
    }

    /// Tells the judge what the log has more than before; says how much of it is no frame.
    fn read_log(&mut self) -> usize {
        let known = self.log.frames.len();
        let tail = self.log.read_on();
        for frame in &self.log.frames[known..] {
            self.judge.appended(frame);
        }
        tail
    }

    fn hear(&mut self, heard: &Heard) {
        heard
            .sent
            .iter()
            .for_each(|request| self.judge.sent(request));
        for (request, answer) in &heard.answers {
            match answer {
                Answer::Appended { .. } => self.tally.answers_ok += 1,
                _ => self.tally.answers_duplicate += 1,
            }
            self.judge.answered(request, *answer);
        }
    }

    fn count(&mut self, killed: bool, tail_before: usize) {
        let half_snapshot_before = self.half_snapshot;
        self.half_snapshot = !self.files_ending_in(".tmp").is_empty();
        if !killed {
            self.tally.ends_without_a_kill += 1;
            assert_eq!(
                self.tail, 0,
                "half a frame is there, though nobody was killed"
            );
            return;
        }
        self.tally.kills += 1;
        if self.tail > 0 && self.tail == tail_before {
            self.tally.kills_within_a_start += 1;
        } else if self.tail > 0 {
            self.tally.kills_within_an_append += 1;
        }
        if self.half_snapshot && !half_snapshot_before {
            self.tally.kills_within_a_snapshot += 1;
        }
    }

    /// Between two brokers: more of what a kill can leave, at places that a random kill
    /// rarely strikes; and a snapshot that the disk has damaged.
    fn leave_behind(&mut self, random: &mut Random) {
        if self.tail == 0 && random.once_in(2) {
            self.leave_a_frame(random);
        }
        let end = self.log.end();
        if random.once_in(4) {
            let half = self.directory.join(format!("{end:020}.window.tmp"));
            fs::write(half, &b"RPWINDOW"[..random.below(9)]).expect("there is room");
            self.half_snapshot = true;
        }
        if random.once_in(6) {
            if let Some(newest) = self.files_ending_in(".window").pop() {
                let mut bytes = fs::read(&newest).expect("it is there");
                if random.once_in(2) {
                    bytes.truncate(random.below(bytes.len()));
                } else {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
                fs::write(&newest, bytes).expect("it can be written over");
                self.tally.snapshots_damaged += 1;
            }
        }
    }

    /// A batch that was sent and is not in the log may as well have been written to some
    /// part, or whole, when the kill came.
    fn leave_a_frame(&mut self, random: &mut Random) {
        let producer = &self.producers[random.below(self.producers.len())];
        let is_in_log = |request: &Request| self.log.frames.iter().any(|f| f.request == *request);
        let Some(request) = producer.unanswered().find(|request| !is_in_log(request)) else {
            return;
        };
        let bytes = self.log.next_frame(*request).bytes();
        let written = match random.below(8) {
            0 => bytes.len(),
            _ => random.below(bytes.len()),
        };
        self.log.append(&bytes[..written]);
        self.tail = self.read_log();
        match written == bytes.len() {
            true => self.tally.wholes_left += 1,
            false => self.tally.halves_left += 1,
        }
    }

    /// The paths of files whose names end in this, by name.
    fn files_ending_in(&self, end: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.directory).expect("the broker's directory");
        let paths = entries.map(|entry| entry.expect("the broker's directory").path());
        let mut paths: Vec<_> = paths
            .filter(|path| path.to_string_lossy().ends_with(end))
            .collect();
        paths.sort();
        paths
    }

    /// Whatever the next start finds, the state that it loads must be the fold of the log.
    fn judge_what_is_there(&mut self) {
        let frames = &self.log.frames;
        let (loaded, fold) = (state::load(&self.directory, frames), state::fold(frames));
        for producer in fold.active_producers() {
            assert_eq!(loaded.producer(producer.producer_id()), Some(producer));
        }
        let asked = state::ask(&loaded, frames);
        self.judge.asked(&asked, self.log.end());
        self.judge.insist();
    }

    /// A last broker answers everything; then nothing may be missing.
    fn finish(&mut self, random: &mut Random) {
        let mut broker = Broker::start(&self.directory);
        let heard = self.talk(&mut broker, Until::Answered, random);
        broker.stop();
        assert_eq!(self.read_log(), 0);
        self.hear(&heard);
        self.judge_what_is_there();
        self.judge.finished();
        self.judge.insist();
        assert_eq!(
            self.judge.upheld().len(),
            PROPERTIES.len(),
            "all had to judge"
        );
        self.check_log();
        self.tally.batches = self.log.frames.len();
        self.tally.records = self.log.end();
        self.tally.bytes_of_log = self.log.size();
        assert!(self.tally.answers_duplicate > 0, "no answer was lost");
        assert!(self.tally.halves_left > 0 && self.tally.wholes_left > 0);
    }

    /// The same without the properties: every record once and in order, and the sequences
    /// of the two producers have begun again.
    fn check_log(&self) {
        for producer in &self.producers {
            let requests = self.log.frames.iter().map(|frame| &frame.request);
            let requests: Vec<_> = requests
                .filter(|r| r.producer_id == producer.id())
                .collect();
            let records = requests
                .iter()
                .flat_map(|r| r.first_record..r.first_record + i64::from(r.count));
            assert!(
                records.eq(0..producer.records()),
                "producer {}",
                producer.id()
            );
            let wrapped = requests.iter().any(|r| r.first_sequence < i32::MAX / 2)
                && requests.iter().any(|r| r.first_sequence > i32::MAX / 2);
            assert_eq!(wrapped, producer.id() != 1000, "producer {}", producer.id());
        }
    }
}

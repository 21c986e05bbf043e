//! What would be wrong is found: the judge of the kills is shown evidence that was tampered
//! with, and a producer that does not retry as it should.

use std::io::{BufRead, Write};

use retryproof_properties::{Answer, Offset, PropertyId};
use tempfile::TempDir;

use super::broker::{kill, Broker};
use super::connection::{talk, Until};
use super::frame::Frame;
use super::judge::{judge, Judge, PROPERTIES};
use super::log_file::LogFile;
use super::producer::Producer;
use super::random::Random;
use super::request::Request;
use super::state;

/// What is left of a short run.
struct Evidence {
    directory: TempDir,
    frames: Vec<Frame>,
    answers: Vec<(Request, Answer)>,
}

impl Evidence {
    /// Two producers write 10 batches each. Then a kill takes the answers to three more of
    /// each, which are sent again as `retry` says.
    fn gather(retry: impl Fn(&mut Producer) -> Producer) -> Self {
        let directory = tempfile::tempdir().expect("a directory for the broker");
        let mut random = Random::fixed();
        let mut producers = [Producer::new(1), Producer::new(2)];
        let mut answers = Vec::new();
        for _ in 0..5 {
            producers.iter_mut().for_each(|producer| make(producer, 2));
            answers.extend(talk_to_the_end(&directory, &mut producers, &mut random));
        }
        producers.iter_mut().for_each(|producer| make(producer, 3));
        lose_the_answers(&directory, &producers);
        let mut retrying = producers.each_mut().map(retry);
        answers.extend(talk_to_the_end(&directory, &mut retrying, &mut random));
        let mut log = LogFile::of(directory.path());
        assert_eq!(log.read_on(), 0);
        Evidence {
            directory,
            frames: log.frames,
            answers,
        }
    }

    fn honest() -> Self {
        Evidence::gather(|producer| producer.clone())
    }

    /// The judgement of this log, with the state that follows from it.
    fn judge(&self, frames: &[Frame]) -> Judge {
        judge(frames, &self.answers, &state::fold(frames))
    }
}

fn make(producer: &mut Producer, batches: u32) {
    for records in 1..=batches {
        producer.make(records);
    }
}

fn talk_to_the_end(
    directory: &TempDir,
    producers: &mut [Producer],
    random: &mut Random,
) -> Vec<(Request, Answer)> {
    let mut broker = Broker::start(directory.path());
    let ends = (&mut broker.requests, &mut broker.answers);
    let heard = talk(ends, producers, Until::Answered, random);
    broker.stop();
    heard.answers
}

/// Has all batches written, and kills the broker. The producers know nothing of it.
fn lose_the_answers(directory: &TempDir, producers: &[Producer]) {
    let mut broker = Broker::start(directory.path());
    for request in producers.iter().flat_map(Producer::unanswered) {
        writeln!(broker.requests, "{}", request.line()).expect("the broker reads");
        let read = broker.answers.read_line(&mut String::new());
        read.expect("the broker answers");
    }
    kill(&mut broker.process);
}

/// The frames with other base offsets: each follows the one before.
fn renumbered(mut frames: Vec<Frame>) -> Vec<Frame> {
    let mut end = 0;
    for frame in &mut frames {
        frame.base_offset = end;
        end = frame.end();
    }
    frames
}

fn assert_broken(judge: &Judge, expected: &[PropertyId]) {
    let broken: Vec<_> = judge.broken().keys().copied().collect();
    assert_eq!(broken, expected, "{:?}", judge.broken());
}

#[test]
fn the_honest_run_upholds_every_property() {
    let evidence = Evidence::honest();
    let state = state::load(evidence.directory.path(), &evidence.frames);
    let judge = judge(&evidence.frames, &evidence.answers, &state);
    assert_broken(&judge, &[]);
    assert_eq!(judge.upheld().len(), PROPERTIES.len());
}

#[test]
fn a_producer_that_retries_under_a_new_epoch_writes_twice() {
    let evidence = Evidence::gather(|producer| producer.with_all_sent_as_new());
    assert_broken(
        &evidence.judge(&evidence.frames),
        &[PropertyId::NoDuplicate],
    );
}

#[test]
fn a_batch_that_stands_twice_in_the_log_is_found() {
    let evidence = Evidence::honest();
    let mut frames = evidence.frames.clone();
    frames.extend(evidence.frames.last());
    let frames = renumbered(frames);
    assert_broken(&evidence.judge(&frames), &[PropertyId::NoDuplicate]);
}

#[test]
fn a_batch_that_was_lost_is_found() {
    let evidence = Evidence::honest();
    let mut frames = evidence.frames.clone();
    frames.pop();
    assert_broken(&evidence.judge(&frames), &[PropertyId::AckTruthful]);
}

#[test]
fn a_hole_in_the_log_is_found() {
    let evidence = Evidence::honest();
    let mut frames = evidence.frames.clone();
    frames.remove(frames.len() / 2);
    let broken = [PropertyId::AckTruthful, PropertyId::LogIsFold];
    assert_broken(&evidence.judge(&frames), &broken);
}

#[test]
fn batches_in_the_wrong_order_are_found() {
    let evidence = Evidence::honest();
    let mut frames = evidence.frames.clone();
    let last = frames.len() - 1;
    let producer = frames[last].request.producer_id;
    let before = frames[..last]
        .iter()
        .rposition(|f| f.request.producer_id == producer);
    frames.swap(before.expect("it has more than one batch"), last);
    let frames = renumbered(frames);
    let broken = [PropertyId::PartitionOrder, PropertyId::AckTruthful];
    assert_broken(&evidence.judge(&frames), &broken);
}

#[test]
fn an_answer_with_a_wrong_offset_is_found() {
    let mut evidence = Evidence::honest();
    for (_, answer) in &mut evidence.answers[3..4] {
        let Answer::Appended { base: Offset(base) } = answer else {
            panic!("the first batches were no retries");
        };
        *base += 1;
    }
    assert_broken(
        &evidence.judge(&evidence.frames),
        &[PropertyId::AckTruthful],
    );
}

#[test]
fn a_start_that_does_not_read_the_end_of_the_log_is_found() {
    let evidence = Evidence::honest();
    let all_but_one = &evidence.frames[..evidence.frames.len() - 1];
    let state = state::load(evidence.directory.path(), all_but_one);
    let judge = judge(&evidence.frames, &evidence.answers, &state);
    assert_broken(&judge, &[PropertyId::LogIsFold]);
}

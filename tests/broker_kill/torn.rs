//! A broker that was killed in the middle of a write, at every byte.

use super::broker::Broker;
use super::connection::{talk, Until};
use super::log_file::LogFile;
use super::producer::Producer;
use super::random::Random;
use super::state;
use retryproof_properties::{Answer, Offset};

/// A log of one batch, and bytes that the kill left behind it.
fn answer_to_the_retry(left: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Answer {
    let directory = tempfile::tempdir().expect("a directory for the broker");
    let mut log = LogFile::of(directory.path());
    let mut producer = Producer::new(7);
    let first = producer.make(2);
    producer.send();
    producer.answered();
    log.append(&log.next_frame(first).bytes());
    log.read_on();
    let next = log.next_frame(producer.make(3));
    log.append(&left(next.bytes()));

    let mut broker = Broker::start(directory.path());
    let ends = (&mut broker.requests, &mut broker.answers);
    let mut random = Random::fixed();
    let heard = talk(ends, &mut [producer], Until::Answered, &mut random);
    broker.stop();
    assert_eq!(log.read_on(), 0);
    assert_eq!(log.frames[1..], [next], "once, and where it belongs");
    let state = state::load(directory.path(), &log.frames);
    assert_eq!(state.map_end_offset().get(), 5);
    heard.answers[0].1
}

fn size_of_the_frame() -> usize {
    let mut size = 0;
    answer_to_the_retry(|frame| {
        size = frame.len();
        Vec::new()
    });
    size
}

const APPENDED: Answer = Answer::Appended { base: Offset(2) };

#[test]
fn a_frame_that_was_cut_at_any_byte_is_written_anew() {
    let size = size_of_the_frame();
    assert!(size > 20);
    for cut in 0..size {
        assert_eq!(answer_to_the_retry(|frame| frame[..cut].to_vec()), APPENDED);
    }
}

#[test]
fn a_frame_that_was_written_whole_is_a_duplicate() {
    let base = Some(Offset(2));
    assert_eq!(
        answer_to_the_retry(|frame| frame),
        Answer::Duplicate { base }
    );
}

#[test]
fn what_a_loss_of_power_leaves_in_place_of_a_frame_is_cut_off() {
    for zeros in [1, 12, 13, 21, 4096] {
        assert_eq!(answer_to_the_retry(|_| vec![0; zeros]), APPENDED);
    }
    for at in 0..size_of_the_frame() {
        let flipped = |mut frame: Vec<u8>| {
            frame[at] ^= 0x10;
            frame
        };
        assert_eq!(answer_to_the_retry(flipped), APPENDED);
    }
}

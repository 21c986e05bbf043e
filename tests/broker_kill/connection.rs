//! Producers that share one connection to a broker, until it breaks.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};

use retryproof_properties::{Answer, Offset};

use super::producer::Producer;
use super::random::Random;
use super::request::Request;

/// How long a connection lasts, unless the broker dies before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Until so many bytes of requests were sent. The last request may be cut.
    Bytes(usize),
    /// Until the broker is gone.
    Broken,
    /// Until nothing is unanswered; nothing new is sent.
    Answered,
}

/// What became known over one connection.
#[derive(Default)]
pub struct Heard {
    /// Batches that were sent for the first time.
    pub sent: Vec<Request>,
    /// Answers that were read.
    pub answers: Vec<(Request, Answer)>,
}

/// Sends and reads in a random order, mostly with several batches under way.
pub fn talk(
    (requests, answers): (&mut ChildStdin, &mut BufReader<ChildStdout>),
    producers: &mut [Producer],
    until: Until,
    random: &mut Random,
) -> Heard {
    let mut heard = Heard::default();
    let mut bytes_left = match until {
        Until::Bytes(bytes) => bytes,
        Until::Broken | Until::Answered => usize::MAX,
    };
    // Whose batches are under way, in the order in which the broker will answer.
    let mut under_way = VecDeque::new();
    producers.iter_mut().for_each(Producer::reconnect);
    while until != Until::Answered || producers.iter().any(Producer::waits) {
        if !random.once_in(3) {
            let who = random.below(producers.len());
            let producer = &mut producers[who];
            if until != Until::Answered && producer.may_make() {
                let count = 1 + random.below(5) as u32;
                heard.sent.push(producer.make(count));
            }
            let Some(request) = producer.send() else {
                continue;
            };
            let line = request.line() + "\n";
            let on_the_wire = line.len().min(bytes_left);
            bytes_left -= on_the_wire;
            let written = requests.write_all(&line.as_bytes()[..on_the_wire]);
            if written.is_err() || bytes_left == 0 {
                return heard;
            }
            under_way.push_back(who);
        } else if let Some(who) = under_way.pop_front() {
            let Some(answer) = read_answer(answers) else {
                return heard;
            };
            heard.answers.push((producers[who].answered(), answer));
        }
    }
    heard
}

/// The next answer; `None` if the broker was gone before it was whole.
pub fn read_answer(answers: &mut impl BufRead) -> Option<Answer> {
    let mut line = String::new();
    answers.read_line(&mut line).ok()?;
    let line = line.strip_suffix('\n')?;
    let base = |offset: &str| Offset(offset.parse().expect("an offset"));
    Some(match line.split_once(' ') {
        Some(("ok", offset)) => Answer::Appended { base: base(offset) },
        Some(("duplicate", offset)) => Answer::Duplicate {
            base: Some(base(offset)),
        },
        _ => panic!("the broker answered: {line}"),
    })
}

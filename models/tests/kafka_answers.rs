//! Rule kafka-4 decides as the real Apache Kafka 4.3.1 did (see the head of the data file).

use std::collections::HashMap;

use retryproof_models::broker::Broker;
use retryproof_models::message::{Place, Refusal, Request, Sequences, Word};
use retryproof_models::rules::KAFKA_4;

const RECORDED: &str = include_str!("data/kafka-4.3.1-one-record-batches.txt");
const WINDOW: usize = 5;

#[derive(Default)]
struct Partition {
    producers: HashMap<i64, Broker>,
    log_end: i8,
}

impl Partition {
    /// Carries out one step and says what the rule answers, in the words of the data.
    fn step(&mut self, step: &str) -> String {
        if step == "plain" {
            self.log_end += 1;
            return format!("append {}", self.log_end - 1);
        }
        let numbers: Vec<i64> = step
            .split(' ')
            .map(|number| number.parse().expect("a number"))
            .collect();
        let request = Request {
            epoch: numbers[1] as i8,
            sequence: numbers[2] as i8,
            record: 0,
            more: 0,
        };
        let broker = self.producers.entry(numbers[0]).or_default();
        let handled = broker.handle(
            &KAFKA_4,
            WINDOW,
            Sequences::default(),
            self.log_end,
            request,
            true,
        );
        let appended = handled.appended.len() as i8;
        self.log_end += appended;
        match handled.word {
            Some(Word::Written(Place::At(offset))) if appended == 1 => format!("append {offset}"),
            Some(Word::Written(Place::At(offset))) => format!("dup {offset}"),
            Some(Word::Refused(Refusal::OutOfOrder)) => {
                "error OUT_OF_ORDER_SEQUENCE_NUMBER".to_owned()
            }
            Some(Word::Refused(Refusal::StaleEpoch)) => "error INVALID_PRODUCER_EPOCH".to_owned(),
            other => format!("{other:?}"),
        }
    }
}

#[test]
fn kafka_4_answers_as_apache_kafka_4_3_1() {
    let mut partition = Partition::default();
    let mut case = "";
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    for line in RECORDED.lines().filter(|line| !line.starts_with('#')) {
        if let Some(id) = line.strip_prefix("case ") {
            case = id;
            partition = Partition::default();
            continue;
        }
        let (step, recorded) = line.split_once(" -> ").expect("a step and its answer");
        assert_eq!(partition.step(step), recorded, "case {case}, step {step}");
        *kinds
            .entry(recorded.split(' ').next().unwrap_or(""))
            .or_default() += 1;
    }
    for kind in ["append", "dup", "error"] {
        assert!(
            kinds.get(kind).is_some_and(|steps| *steps >= 10),
            "the data must hold every kind of answer: {kinds:?}"
        );
    }
}

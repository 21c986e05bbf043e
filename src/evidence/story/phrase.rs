//! Phrases that recur in stories.

use retryproof_models::message::{Place, Reply, Request, Small, Word};
use retryproof_models::producer::{Producer, Undecided};
use retryproof_properties::{Outcome, Record, Rejection};

use super::Moment;

/// A record by name.
pub fn record(record: Small) -> String {
    format!("r{record}")
}

/// Several records that go in one batch, by their first and how many follow it.
pub trait Batch {
    /// Its first record.
    fn first(&self) -> Small;
    /// How many records follow the first.
    fn more(&self) -> u8;

    /// Its name: "r0", or "r0..1".
    fn name(&self) -> String {
        match self.more() {
            0 => record(self.first()),
            more => format!("r{}..{}", self.first(), self.first() + more as Small),
        }
    }
}

impl Batch for Request {
    fn first(&self) -> Small {
        self.record
    }

    fn more(&self) -> u8 {
        self.more
    }
}

impl Batch for Undecided {
    fn first(&self) -> Small {
        self.record
    }

    fn more(&self) -> u8 {
        self.more
    }
}

/// The batch that a reply is about, as its producer knows it.
pub struct Answered {
    first: Small,
    more: u8,
}

impl Answered {
    /// The batch that a reply to this producer is about.
    pub fn by(reply: &Reply, producer: &Producer) -> Self {
        let known = producer
            .undecided
            .iter()
            .find(|batch| batch.record == reply.record);
        Answered {
            first: reply.record,
            more: known.map_or(0, |batch| batch.more),
        }
    }
}

impl Batch for Answered {
    fn first(&self) -> Small {
        self.first
    }

    fn more(&self) -> u8 {
        self.more
    }
}

/// Batches by name; those of one record as records are.
pub fn batches<B: Batch>(batches: impl IntoIterator<Item = B>) -> String {
    let batches: Vec<B> = batches.into_iter().collect();
    if batches.iter().all(|batch| batch.more() == 0) {
        return records(batches.iter().map(Batch::first));
    }
    listed(&batches.iter().map(Batch::name).collect::<Vec<_>>())
}

/// "a", "a and b", "a, b and c".
pub fn listed(words: &[String]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [word] => word.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Records by name, three or more neighbours as "r0 to r5".
pub fn records(records: impl IntoIterator<Item = Small>) -> String {
    let mut runs: Vec<(Small, Small)> = Vec::new();
    for number in records {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let words: Vec<String> = runs
        .into_iter()
        .flat_map(|(first, last)| match last - first {
            0 => vec![record(first)],
            1 => vec![record(first), record(last)],
            _ => vec![format!("{} to {}", record(first), record(last))],
        })
        .collect();
    listed(&words)
}

/// "answer" or "answers".
pub fn plural(noun: &str, count: usize) -> String {
    if count == 1 {
        noun.to_owned()
    } else {
        format!("{noun}s")
    }
}

/// What a reply says.
pub fn said(word: Word) -> String {
    match word {
        Word::Written(Place::Unnamed) => "written before, no offset named".to_owned(),
        Word::Written(Place::At(offset)) => format!("written at offset {offset}"),
        Word::Written(Place::WhereItStands | Place::Elsewhere) => "written".to_owned(),
        Word::Refused(refusal) => Rejection::from(refusal).to_string(),
    }
}

/// What the application was told in this step; empty if nothing.
pub fn told(moment: &Moment<'_>) -> String {
    told_of(&moment.seen.reported)
}

/// These reports to the application, in words; empty if there is none.
pub fn told_of(reported: &[(Record, Outcome)]) -> String {
    let mut words = Vec::new();
    for together in reported.chunk_by(|(_, one), (_, other)| one == other) {
        let records = records(together.iter().map(|(record, _)| record.0 as Small));
        let verb = |one: &str, many: &str| match together.len() {
            1 => format!("{records} {one}"),
            _ => format!("{records} {many}"),
        };
        let told = match together[0].1 {
            Outcome::Acknowledged {
                offset: Some(offset),
            } => format!("{} at offset {offset}", verb("is written", "are written")),
            Outcome::Acknowledged { offset: None } => verb("is written", "are written"),
            Outcome::Failed => verb("has failed", "have failed"),
            Outcome::Unknown => format!("it does not know what became of {records}"),
        };
        words.push(format!("that {told}"));
    }
    if words.is_empty() {
        String::new()
    } else {
        format!("tells the application {}", listed(&words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_drawn_together() {
        assert_eq!(records([]), "nothing");
        assert_eq!(records([3]), "r3");
        assert_eq!(records([0, 1]), "r0 and r1");
        assert_eq!(records([0, 1, 2, 5]), "r0 to r2 and r5");
        assert_eq!(records([1, 3, 4]), "r1, r3 and r4");
    }
    #[test]
    fn a_batch_of_several_records_is_named_by_its_first_and_last() {
        let batch = |record, more| Request {
            record,
            more,
            ..Request::default()
        };
        assert_eq!(batch(2, 1).name(), "r2..3");
        assert_eq!(batches([batch(0, 0), batch(1, 0), batch(2, 0)]), "r0 to r2");
        assert_eq!(batches([batch(0, 1), batch(2, 0)]), "r0..1 and r2");
    }
}

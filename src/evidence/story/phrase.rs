//! Phrases that recur in stories.

use retryproof_models::message::{Place, Request, Small, Word};
use retryproof_properties::{Outcome, Rejection};

use super::Moment;

/// A record by name.
pub fn record(record: Small) -> String {
    format!("r{record}")
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

/// The identity under which a request travels; none without idempotence.
pub fn identity(moment: &Moment<'_>, request: &Request) -> Option<String> {
    let identity = || format!("sequence {}, epoch {}", request.sequence, request.epoch);
    moment.conditions.client.idempotent.then(identity)
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
    let mut words = Vec::new();
    let reported = &moment.seen.reported;
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
}

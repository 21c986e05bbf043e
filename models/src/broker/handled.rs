//! What one request did at the broker.

use crate::message::{Place, Refusal, Reply, Request, Small, Word};
use crate::queue::Queue;
use crate::rules::Verdict;

use super::{Fate, Held, MAX_WINDOW};

/// One batch that a step appended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Append {
    /// The request it came in.
    pub request: Request,
    /// Whether its sender still waits for the answer.
    pub awaited: bool,
    /// Its offset.
    pub offset: Small,
}

/// What one request did at the broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handled {
    /// Batches appended, in order: the request's own, then held ones that fit now.
    pub appended: Queue<Append, { MAX_WINDOW + 1 }>,
    /// Held requests that an append made stale: they are refused, their epoch is over.
    pub expelled: Queue<Held, MAX_WINDOW>,
    /// What the broker decided.
    pub verdict: Verdict,
    /// Which branch of the rule decided.
    pub branch: &'static str,
    /// The answer to the request; `None` if it is held.
    pub word: Option<Word>,
}

/// Branch of a request without sequences: every rule appends it.
pub const NO_SEQUENCE: &str = "no sequence";

impl Handled {
    /// A request that is refused without the rule's word.
    pub(super) fn refused(refusal: Refusal, fate: Fate) -> Self {
        Handled {
            appended: Queue::default(),
            expelled: Queue::default(),
            verdict: Verdict::Reject(refusal),
            branch: fate.words(),
            word: Some(Word::Refused(refusal)),
        }
    }

    /// How many records it appended.
    pub fn records_appended(&self) -> Small {
        self.appended
            .iter()
            .map(|append| append.request.count())
            .sum()
    }

    /// A request without sequences: whatever arrives is appended.
    pub(super) fn plain(request: Request, awaited: bool, offset: Small) -> Self {
        let mut appended = Queue::default();
        appended.push(Append {
            request,
            awaited,
            offset,
        });
        Handled {
            appended,
            expelled: Queue::default(),
            verdict: Verdict::Append,
            branch: NO_SEQUENCE,
            word: Some(Word::Written(Place::At(offset))),
        }
    }

    /// Every reply that goes out now, in order, with the request that it answers: `request`
    /// itself, which is the one that was handled, and held ones. There is none to a request
    /// that nobody awaits.
    pub fn each_reply(
        &self,
        request: &Request,
        awaited: bool,
        mut each: impl FnMut(&Request, Reply),
    ) {
        let mut reply = |to: &Request, word| each(to, Reply::to(to, word));
        if let (Some(word), true) = (self.word, awaited) {
            reply(request, word);
        }
        let own = usize::from(self.verdict == Verdict::Append);
        for append in self.appended.iter().skip(own).filter(|held| held.awaited) {
            reply(&append.request, Word::Written(Place::At(append.offset)));
        }
        for held in self.expelled.iter().filter(|held| held.awaited) {
            reply(&held.request, Word::Refused(Refusal::StaleEpoch));
        }
    }
}

//! What properties about refusals share: a batch with something wrong about it must be
//! refused, never appended, acknowledged or kept for later.

use std::fmt;

use crate::{Answer, Batch, Event, Judgement};

/// A batch with this wrong about it was not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRefused<W> {
    /// It was appended.
    Appended(W),
    /// It was answered as a duplicate, and so acknowledged.
    Acknowledged(W),
    /// It was kept, to be answered later.
    Kept(W),
}

impl<W: fmt::Display> fmt::Display for NotRefused<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRefused::Appended(wrong) => write!(f, "{wrong} was appended"),
            NotRefused::Acknowledged(wrong) => {
                write!(f, "{wrong} was acknowledged as a duplicate")
            }
            NotRefused::Kept(wrong) => write!(f, "{wrong} was kept instead of refused"),
        }
    }
}

/// Judges one event; `what_is_wrong` says what is wrong with a batch in the light of the log
/// before the event. A batch that was appended is judged at its append: the decision that
/// follows sees it in the log.
#[inline]
pub(crate) fn judge<W, M>(
    event: &Event<'_, M>,
    what_is_wrong: impl Fn(&Batch) -> Option<W>,
) -> Judgement<NotRefused<W>> {
    match event {
        Event::Appended { batch, .. } => match what_is_wrong(batch) {
            Some(wrong) => Judgement::Broken(NotRefused::Appended(wrong)),
            None => Judgement::Unconcerned,
        },
        Event::Decided(decision) => match (decision.answer, what_is_wrong(&decision.batch)) {
            (_, None) | (Some(Answer::Appended { .. }), Some(_)) => Judgement::Unconcerned,
            (Some(Answer::Rejected(_)), Some(_)) => Judgement::Upheld,
            (Some(Answer::Duplicate { .. }), Some(wrong)) => {
                Judgement::Broken(NotRefused::Acknowledged(wrong))
            }
            (None, Some(wrong)) => Judgement::Broken(NotRefused::Kept(wrong)),
        },
        _ => Judgement::Unconcerned,
    }
}

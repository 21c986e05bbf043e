//! What can befall a request at the broker beside the rule's decision.

use crate::conditions::Fault;

/// What befalls a request at the broker beside the rule's decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// Nothing.
    #[default]
    Decided,
    /// It is refused before anything is done ([`Refusal::RefusedBefore`](crate::message::Refusal::RefusedBefore)).
    RefusedBefore,
    /// It is decided, and answered with an error all the same ([`Refusal::ErrorAfter`](crate::message::Refusal::ErrorAfter)).
    ErrorAfter,
    /// It does not pass validation ([`Refusal::Invalid`](crate::message::Refusal::Invalid)).
    Invalid,
    /// It is too large ([`Refusal::TooLarge`](crate::message::Refusal::TooLarge)).
    TooLarge,
    /// Its append fails between its two steps (see [`AppendOrder`](crate::conditions::AppendOrder)).
    Fails,
}

impl Fate {
    /// All that can befall a request, with the fault that it is.
    pub const FAULTS: &'static [(Fate, Fault)] = &[
        (Fate::RefusedBefore, Fault::RefusalBeforeAppend),
        (Fate::ErrorAfter, Fault::ErrorAfterAppend),
        (Fate::Invalid, Fault::FatalRefusal),
        (Fate::TooLarge, Fault::FatalRefusal),
        (Fate::Fails, Fault::AppendFailure),
    ];

    /// The fault that it is, if it is one.
    pub fn fault(self) -> Option<Fault> {
        Fate::FAULTS
            .iter()
            .find(|(fate, _)| *fate == self)
            .map(|(_, fault)| *fault)
    }

    /// What it is, in words: what is told as the branch where no rule was asked.
    pub fn words(self) -> &'static str {
        match self {
            Fate::Decided => "nothing else",
            Fate::RefusedBefore => REFUSED_BEFORE,
            Fate::ErrorAfter => "answered with an error though it is in the log",
            Fate::Invalid => DOES_NOT_VALIDATE,
            Fate::TooLarge => TOO_LARGE,
            Fate::Fails => FAILS_HALF_WAY,
        }
    }
}

/// Branch of a request that is refused before anything is done.
pub const REFUSED_BEFORE: &str = "refused before anything is done";
/// Branch of a request that does not pass validation.
pub const DOES_NOT_VALIDATE: &str = "does not pass validation";
/// Branch of a request that is too large.
pub const TOO_LARGE: &str = "too large";
/// Branch of an append that fails between its two steps.
pub const FAILS_HALF_WAY: &str = "the append fails half way";

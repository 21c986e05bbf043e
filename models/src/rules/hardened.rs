//! Rule **hardened**: the broker's half of what would close the holes.
//!
//! As strict: a producer without state must start at 0. The rest of the broker's half is no
//! matter of one decision and stands in the conditions: a snapshot keeps the whole window
//! (`restart-keeps all`), the state expires by the time since the producer was last seen
//! (`expiry wall-clock`), duplicates are looked up before anything is validated
//! (`validation after-lookup`). The production state manager offers the same as a profile.
//!
//! Source: ours; kafka-facts "What would close them".

use super::{Rule, STRICT};

/// See the head of this file.
pub const HARDENED: Rule = Rule {
    name: "hardened",
    about:
        "as strict; with the conditions restart-keeps, expiry and validation the hardened broker",
    source: "ours (closes H3)",
    ..STRICT
};

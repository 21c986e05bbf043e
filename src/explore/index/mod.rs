//! The index: a page with all scenarios and claims, on a server of this machine. Its links
//! open the explorer on a world when they are followed, and at the step that they name.
//!
//! | address | what it is |
//! |---|---|
//! | `/` | the page |
//! | `/go/SCENARIO/ACT/STEP` | to the explorer, after so many steps of an act (acts count from 1) |
//! | `/claim/CLAIM` | to the explorer, at the start of the world of a claim |

mod page;
mod server;
mod worlds;

pub use page::page;
pub use server::serve;

/// The link to a step of an act of a scenario, behind the address of the index; acts and
/// steps are counted from 1, and step 0 is the start.
pub fn step_link(scenario: &str, act: usize, step: usize) -> String {
    format!("/go/{scenario}/{act}/{step}")
}

/// The link to the start of the world of a claim, behind the address of the index.
pub fn claim_link(claim: &str) -> String {
    format!("/claim/{claim}")
}

//! The defect museum: published faults of idempotent producers and of brokers that
//! deduplicate, as data.
//!
//! Each comes from an issue, a pull request, a commit or a report; known-faults retells
//! them. A fault that these worlds can show is an exhibit: the smallest world in which a
//! property catches it, and the same world with only the repair, which upholds that
//! property. [`crate::claims`] makes two claims of each. Of the others it is said why they
//! are not shown.

mod apache_kafka;
mod brokers;
mod clients;
mod java;
mod worlds;

use retryproof_properties::PropertyId;

use crate::conditions::Conditions;

/// A published fault.
#[derive(Debug)]
pub struct Defect {
    /// The issue, in kebab case.
    pub id: &'static str,
    /// Its entry in known-faults; `None` for a second exhibit of an entry, for a design
    /// without a report, and for a hole of the protocol that has none.
    pub entry: Option<&'static str>,
    /// What has the fault, and in which releases.
    pub product: &'static str,
    /// The fault in one clause.
    pub title: &'static str,
    /// Where it is reported.
    pub source: &'static str,
    /// What there is to see of it.
    pub exhibit: Exhibit,
}

/// What there is to see of a fault.
#[derive(Debug)]
pub enum Exhibit {
    /// Its world, and the same world with the repair.
    Caught {
        /// A world with the fault.
        faulty: Conditions,
        /// The properties that the fault breaks there and the repair upholds.
        caught_by: &'static [PropertyId],
        /// The same world with another policy, rule or condition.
        repaired: Conditions,
    },
    /// It is a fault of something that these models leave out.
    NotProtocol {
        /// Of what.
        reason: &'static str,
    },
    /// It is one of the protocol, but breaks no property.
    NoProperty {
        /// What it does instead.
        reason: &'static str,
    },
    /// It needs worlds that are not there yet.
    Later {
        /// Which.
        reason: &'static str,
    },
}

impl Defect {
    /// The id of the claim that the repair holds.
    pub fn repaired_id(&self) -> String {
        format!("{}-repaired", self.id)
    }
}

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Defect> {
    [
        apache_kafka::DEFECTS,
        java::DEFECTS,
        clients::DEFECTS,
        brokers::DEFECTS,
    ]
    .into_iter()
    .flatten()
}

/// The fault of this id.
pub fn find(id: &str) -> Option<&'static Defect> {
    all().find(|defect| defect.id == id)
}

//! How things are done in a world, as flags: who decides by which rule, and the
//! conditions that are one word out of a few.

use clap::Args;
use retryproof_models::conditions::{
    Acks, AppendOrder, Conditions, Election, Expiry, InFlightPer, ProducerIds, ProducerKnown,
    Replicas, RestartKeeps, Validation,
};

use super::super::names::{self, one_of};
use super::super::Refused;

/// How things are done in a world.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "World [default: Apache Kafka 4.x]")]
pub struct WaysFlags {
    /// The broker's rule, or a mutant of it [kafka-4]
    #[arg(long, value_name = "NAME")]
    rule: Option<String>,
    /// The client's policy, or a mutant of it [java-4]
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// The policy of a second producer: same, or a name [same]
    #[arg(long, value_name = "NAME")]
    second_client: Option<String>,
    /// Session, ordered, unordered or duplicating [session]
    #[arg(long, value_name = "KIND")]
    network: Option<String>,
    /// Counted per connection, partition or span of it [connection]
    #[arg(long, value_name = "WHAT")]
    in_flight_per: Option<String>,
    /// What the broker knows of the producer at first: new or known [new]
    #[arg(long, value_name = "STATE")]
    producer_state: Option<String>,
    /// Whether producers have ids of their own: own or shared [own]
    #[arg(long, value_name = "WHOSE")]
    producer_ids: Option<String>,
    /// Replicas that must have a batch: all (in sync) or 1 (leader) [all]
    #[arg(long, value_name = "WHICH")]
    acks: Option<String>,
    /// Who may lead: clean (in sync) or unclean (any replica) [clean]
    #[arg(long, value_name = "KIND")]
    election: Option<String>,
    /// What followers do with what they fetch: copy or judge [copy]
    #[arg(long, value_name = "HOW")]
    replicas: Option<String>,
    /// What a restart keeps: all, last, all-but-newest, nothing [last]
    #[arg(long, value_name = "WHAT")]
    restart_keeps: Option<String>,
    /// Clock that expires state: client-time or wall-clock [client-time]
    #[arg(long, value_name = "CLOCK")]
    expiry: Option<String>,
    /// before-lookup or after-lookup (of duplicates) [before-lookup]
    #[arg(long, value_name = "WHEN")]
    validation: Option<String>,
    /// write-first, state-first or end-last (log end) [write-first]
    #[arg(long, value_name = "ORDER")]
    append_order: Option<String>,
}

impl WaysFlags {
    /// These conditions with the flags carried out.
    ///
    /// # Errors
    /// If a name is not known.
    pub fn apply(&self, base: Conditions) -> Result<Conditions, Refused> {
        Ok(Conditions {
            rule: chosen(&self.rule, base.rule, names::rule)?,
            client: chosen(&self.client, base.client, names::client)?,
            second_client: chosen(&self.second_client, base.second_client, |name| match name {
                "same" => Ok(None),
                name => names::client(name).map(Some),
            })?,
            network: chosen(&self.network, base.network, names::network)?,
            in_flight_per: chosen(&self.in_flight_per, base.in_flight_per, |name| {
                one_of(
                    "value of --in-flight-per",
                    name,
                    InFlightPer::ALL,
                    InFlightPer::name,
                )
            })?,
            producer_state: chosen(&self.producer_state, base.producer_state, |name| {
                let all = ProducerKnown::ALL;
                one_of("value of --producer-state", name, all, ProducerKnown::name)
            })?,
            producer_ids: chosen(&self.producer_ids, base.producer_ids, |name| {
                one_of(
                    "value of --producer-ids",
                    name,
                    ProducerIds::ALL,
                    ProducerIds::name,
                )
            })?,
            acks: chosen(&self.acks, base.acks, |name| {
                one_of("value of --acks", name, Acks::ALL, Acks::name)
            })?,
            election: chosen(&self.election, base.election, |name| {
                one_of("value of --election", name, Election::ALL, Election::name)
            })?,
            replicas: chosen(&self.replicas, base.replicas, |name| {
                one_of("value of --replicas", name, Replicas::ALL, Replicas::name)
            })?,
            restart_keeps: chosen(&self.restart_keeps, base.restart_keeps, |name| {
                let all = RestartKeeps::ALL;
                one_of("value of --restart-keeps", name, all, RestartKeeps::name)
            })?,
            expiry: chosen(&self.expiry, base.expiry, |name| {
                one_of("value of --expiry", name, Expiry::ALL, Expiry::name)
            })?,
            validation: chosen(&self.validation, base.validation, |name| {
                one_of(
                    "value of --validation",
                    name,
                    Validation::ALL,
                    Validation::name,
                )
            })?,
            append_order: chosen(&self.append_order, base.append_order, |name| {
                one_of(
                    "value of --append-order",
                    name,
                    AppendOrder::ALL,
                    AppendOrder::name,
                )
            })?,
            ..base
        })
    }
}

/// What a name stands for; without a name the value that is there.
fn chosen<T>(
    name: &Option<String>,
    there: T,
    find: impl Fn(&str) -> Result<T, Refused>,
) -> Result<T, Refused> {
    name.as_deref().map_or(Ok(there), find)
}

//! What conditions cannot be, or make no sense together.

use crate::broker::MAX_WINDOW;
use crate::network::{NetworkKind, MAX_CONNECTIONS};
use crate::policies::{Cancels, LateAnswers};
use crate::producer::MAX_UNDECIDED;

use super::{
    Acks, AppendOrder, Budget, Conditions, Election, Expiry, Fault, InFlightPer, ProducerIds,
    Replicas, RestartKeeps, Senseless, Validation, MAX_BATCHES, MAX_BROKERS, MAX_DISCONNECTS,
    MAX_FAULTS, MAX_LANES, MAX_MODULUS, MAX_RECORDS_PER_BATCH,
};

impl Conditions {
    /// Refuses what cannot be or makes no sense.
    ///
    /// # Errors
    /// Says which condition is at fault and what to do.
    pub fn validate(&self) -> Result<(), Senseless> {
        self.validate_ranges()?;
        self.validate_plain()?;
        self.validate_network()?;
        self.validate_effect()?;
        self.validate_cluster()?;
        self.validate_length()
    }

    fn validate_ranges(&self) -> Result<(), Senseless> {
        let max = MAX_WINDOW as u8;
        within("in-flight", self.in_flight, 1, max)?;
        within("window", self.window, 1, max)?;
        within("connections", self.connections, 1, MAX_CONNECTIONS as u8)?;
        within(
            "records-per-batch",
            self.records_per_batch,
            1,
            MAX_RECORDS_PER_BATCH,
        )?;
        within("producers", self.producers, 1, MAX_LANES)?;
        within("partitions", self.partitions, 1, MAX_LANES)?;
        within("brokers", self.brokers, 1, MAX_BROKERS)?;
        if let Some(modulus) = self.sequence_modulus {
            within("sequence-modulus", modulus, 2, MAX_MODULUS)?;
        }
        if let Some(last) = self.max_epoch {
            within("max-epoch", last, 0, MAX_MODULUS)?;
        }
        if let Budget::AtMost(batches) = self.batches {
            within("batches", batches, 1, MAX_BATCHES)?;
        }
        for fault in Fault::ALL {
            let max = match fault {
                Fault::Disconnect => MAX_DISCONNECTS,
                _ => MAX_FAULTS,
            };
            if let Budget::AtMost(budget) = self.budget(*fault) {
                within(fault.flag(), budget, 0, max)?;
            }
        }
        Ok(())
    }

    fn validate_plain(&self) -> Result<(), Senseless> {
        if self.is_idempotent() {
            return Ok(());
        }
        let kafka = Conditions::KAFKA;
        let without_effect = [
            ("rule", self.rule != kafka.rule),
            ("window", self.window != kafka.window),
            (
                "producer-state",
                self.producer_state != kafka.producer_state,
            ),
            ("sequence-modulus", self.sequence_modulus.is_some()),
            ("max-epoch", self.max_epoch.is_some()),
            ("expiries", self.has(Fault::Expiry)),
            ("restart-keeps", self.restart_keeps != kafka.restart_keeps),
            ("validation", self.validation != kafka.validation),
            ("producer-ids", self.producer_ids != kafka.producer_ids),
        ];
        match without_effect.iter().find(|(_, changed)| *changed) {
            Some((condition, _)) => Err(Senseless::PlainHasNoSequences { condition }),
            None => Ok(()),
        }
    }

    fn validate_network(&self) -> Result<(), Senseless> {
        if self.network == NetworkKind::Session {
            return Ok(());
        }
        if self.connections == 1 {
            return Err(Senseless::NothingLeftOver {
                network: self.network.name(),
            });
        }
        if self.network == NetworkKind::Ordered && self.disconnects != Budget::Any {
            return Err(Senseless::HealingBounded);
        }
        let faults = Fault::ALL[1..]
            .iter()
            .map(|fault| (fault.flag(), self.has(*fault)));
        let others = [
            ("brokers", self.brokers > 1),
            ("partitions", self.partitions > 1),
            ("producers", self.producers > 1),
            ("records-per-batch", self.records_per_batch > 1),
            ("sequence-modulus", self.sequence_modulus.is_some()),
            ("max-epoch", self.max_epoch.is_some()),
        ];
        match faults.chain(others).find(|(_, changed)| *changed) {
            Some((condition, _)) => Err(Senseless::SessionOnly { condition }),
            None => Ok(()),
        }
    }

    /// Conditions that change nothing without another.
    fn validate_effect(&self) -> Result<(), Senseless> {
        let needs = [
            (
                "leader-moves",
                self.has(Fault::LeaderMove),
                self.brokers > 1,
                "brokers 2",
            ),
            (
                "acks",
                self.acks != Acks::All,
                self.brokers > 1,
                "brokers 2",
            ),
            (
                "election",
                self.election != Election::Clean,
                self.has(Fault::LeaderMove),
                "leader-moves 1",
            ),
            (
                "replicas",
                self.replicas != Replicas::Copy,
                self.brokers > 1,
                "brokers 2",
            ),
            (
                "in-flight-per",
                self.in_flight_per == InFlightPer::Partition,
                self.brokers > 1 || self.partitions > 1,
                "brokers 2",
            ),
            (
                "second-client",
                self.second_client.is_some(),
                self.producers > 1,
                "producers 2",
            ),
            (
                "producer-ids",
                self.producer_ids != ProducerIds::Own,
                self.producers > 1,
                "producers 2",
            ),
            (
                "restart-keeps",
                self.restart_keeps != RestartKeeps::Last,
                self.has(Fault::Restart),
                "restarts 1",
            ),
            (
                "expiry",
                self.expiry != Expiry::ClientTime,
                self.has(Fault::Expiry),
                "expiries 1",
            ),
            (
                "validation",
                self.validation != Validation::BeforeLookup,
                self.has(Fault::FatalRefusal),
                "fatal-refusals 1",
            ),
            (
                "cancellations",
                self.has(Fault::Cancellation),
                self.client.cancels != Cancels::Never,
                "client franz-go-1217",
            ),
            (
                "append-order",
                self.append_order != AppendOrder::WriteFirst,
                self.has(Fault::AppendFailure),
                "append-failures 1",
            ),
        ];
        match needs.iter().find(|(_, changed, has, _)| *changed && !has) {
            Some((condition, _, _, needs)) => Err(Senseless::WithoutEffect { condition, needs }),
            None => Ok(()),
        }
    }

    fn validate_cluster(&self) -> Result<(), Senseless> {
        if !self.is_cluster() {
            return Ok(());
        }
        let brokers = match self.in_flight_per {
            InFlightPer::Connection => self.brokers,
            InFlightPer::Partition | InFlightPer::Span => 1,
        };
        if usize::from(self.in_flight * brokers) > MAX_UNDECIDED {
            return Err(Senseless::TooManyInFlight {
                in_flight: self.in_flight,
                brokers,
                max: MAX_UNDECIDED as u8,
            });
        }
        let other = ["brokers", "partitions", "producers"]
            .into_iter()
            .zip([self.brokers, self.partitions, self.producers])
            .find(|(_, number)| *number > 1)
            .map_or("brokers", |(flag, _)| flag);
        let single_only = [
            ("records-per-batch", self.records_per_batch > 1),
            ("sequence-modulus", self.sequence_modulus.is_some()),
            ("max-epoch", self.max_epoch.is_some()),
            ("cancellations", self.has(Fault::Cancellation)),
            ("append-failures", self.has(Fault::AppendFailure)),
        ];
        if let Some((condition, _)) = single_only.iter().find(|(_, changed)| *changed) {
            return Err(Senseless::NotTogether { condition, other });
        }
        if self.producers > 1 && self.brokers > 2 {
            return Err(Senseless::NotTogether {
                condition: "producers",
                other: "brokers",
            });
        }
        Ok(())
    }

    fn validate_length(&self) -> Result<(), Senseless> {
        if !self.any_length() {
            return Ok(());
        }
        let bounded_only = [
            ("brokers", self.brokers > 1),
            ("partitions", self.partitions > 1),
            ("producers", self.producers > 1),
            ("records-per-batch", self.records_per_batch > 1),
            ("sequence-modulus", self.sequence_modulus.is_some()),
            ("max-epoch", self.max_epoch.is_some()),
            ("cancellations", self.has(Fault::Cancellation)),
            ("append-failures", self.has(Fault::AppendFailure)),
            (
                "delivery-timeouts with a client that heeds late answers",
                self.has(Fault::DeliveryTimeout) && self.client.late_answers == LateAnswers::Heeded,
            ),
            (
                "restart-keeps all-but-newest",
                self.restart_keeps == RestartKeeps::AllButNewest,
            ),
        ];
        if let Some((condition, _)) = bounded_only.iter().find(|(_, changed)| *changed) {
            return Err(Senseless::BoundedOnly { condition });
        }
        let mutant = [
            (!self.rule.any_length, self.rule.name),
            (!self.client.any_length, self.client.name),
        ];
        match mutant.iter().find(|(is_mutant, _)| *is_mutant) {
            Some((_, name)) => Err(Senseless::MutantOfAnyLength { name }),
            None => Ok(()),
        }
    }
}

fn within(condition: &'static str, value: u8, min: u8, max: u8) -> Result<(), Senseless> {
    if (min..=max).contains(&value) {
        Ok(())
    } else {
        Err(Senseless::OutOfRange {
            condition,
            value,
            min,
            max,
        })
    }
}

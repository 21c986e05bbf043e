//! Who is forgotten, and that it does not matter in how many steps.

use std::time::Duration;

use quickcheck::quickcheck;
use retryproof::state_manager::{Config, ProducerStateManager, Profile, Timestamp};

use crate::log::{log, record_all, Choice, Entry};
use crate::seen::{seen, SeenProducer};

fn config(hardened: bool, expiry: u16) -> Config {
    let config = if hardened {
        Config::hardened()
    } else {
        Config::kafka()
    };
    let expiry = Duration::from_millis(u64::from(expiry) + 1);
    config.with_expiry(expiry).expect("a millisecond or more")
}

fn manager(config: Config, log: &[Entry]) -> ProducerStateManager {
    let mut manager = ProducerStateManager::new(config);
    record_all(&mut manager, log);
    manager
}

/// Whether a producer has outlived its time.
fn is_expired(config: &Config, producer: &SeenProducer, now: Timestamp) -> bool {
    let seen = match config.profile() {
        Profile::Kafka => producer.last_timestamp,
        Profile::Hardened => producer.last_seen,
    };
    let age = now.get() - seen.get();
    age >= config.expiry().as_millis() as i64 && producer.transaction_first_offset.is_none()
}

quickcheck! {
    /// Forgotten is who was not seen for the time of expiry and has no transaction open:
    /// seen by its own timestamps under profile Kafka, by the clock under Hardened.
    fn who_is_forgotten(choices: Vec<Choice>, hardened: bool, expiry: u16, now: u16) -> bool {
        let config = config(hardened, expiry);
        let now = Timestamp::from_millis(now.into());
        let mut manager = manager(config, &log(&choices));
        let mut expected = seen(&manager);
        let before = expected.producers.len();
        expected.producers.retain(|_, producer| !is_expired(&config, producer, now));
        let forgotten = manager.remove_expired(now);
        forgotten == before - expected.producers.len() && seen(&manager) == expected
    }

    /// Steps of any sizes forget the same producers as all at once.
    fn steps_forget_what_one_pass_forgets(
        choices: Vec<Choice>,
        steps: Vec<u8>,
        hardened: bool,
        expiry: u16
    ) -> bool {
        let (config, log) = (config(hardened, expiry), log(&choices));
        let now = Timestamp::from_millis(30_000);
        let (mut at_once, mut in_steps) = (manager(config, &log), manager(config, &log));
        let expected = at_once.remove_expired(now);
        let mut forgotten = 0;
        for places in steps.into_iter().chain(std::iter::repeat(1)) {
            let step = in_steps.expire_some(now, usize::from(places % 4));
            forgotten += step.expired;
            if step.finished {
                break;
            }
        }
        forgotten == expected && seen(&in_steps) == seen(&at_once)
    }

    /// A pass that is finished finds nothing the second time.
    fn a_second_pass_finds_nothing(choices: Vec<Choice>, hardened: bool, expiry: u16) -> bool {
        let mut manager = manager(config(hardened, expiry), &log(&choices));
        let now = Timestamp::from_millis(30_000);
        manager.remove_expired(now);
        let step = manager.expire_some(now, usize::MAX);
        step.expired == 0 && step.finished
    }
}

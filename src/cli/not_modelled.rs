//! Conditions of the contract of which this version models one value only. They are
//! accepted at that value and refused at any other.

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

/// A condition with one value that is modelled.
struct Fixed {
    flag: &'static str,
    only: &'static str,
    about: &'static str,
}

const fn fixed(flag: &'static str, only: &'static str, about: &'static str) -> Fixed {
    Fixed { flag, only, about }
}

const FIXED: &[Fixed] = &[
    fixed(
        "in-flight-per",
        "connection",
        "what the in-flight limit is counted per",
    ),
    fixed("records-per-batch", "1", "records in a batch"),
    fixed("producers", "1", "producers"),
    fixed("partitions", "1", "partitions"),
    fixed("brokers", "1", "brokers"),
    fixed(
        "acks",
        "all",
        "which replicas must have a batch before it is acknowledged",
    ),
    fixed("election", "clean", "who may become leader"),
    fixed(
        "sequence-modulus",
        "none",
        "where sequence numbers start anew",
    ),
    fixed("max-epoch", "none", "the last epoch that a producer id has"),
    fixed("restarts", "0", "how often the broker restarts"),
    fixed(
        "restart-keeps",
        "last",
        "how much of the window a restart keeps",
    ),
    fixed("leader-moves", "0", "how often the leader moves"),
    fixed("expiries", "0", "how often producer state expires"),
    fixed(
        "refusals-before-append",
        "0",
        "how often a batch is refused for another reason",
    ),
    fixed(
        "errors-after-append",
        "0",
        "how often an appended batch is answered with an error",
    ),
    fixed(
        "fatal-refusals",
        "0",
        "how often a batch is refused for good",
    ),
    fixed(
        "delivery-timeouts",
        "0",
        "how often a batch runs out of time",
    ),
];

/// The conditions that are not modelled yet, all at the one value that is.
#[derive(Clone, Debug, Default)]
pub struct NotModelled;

impl Args for NotModelled {
    fn augment_args(command: Command) -> Command {
        let values: Vec<String> = FIXED
            .iter()
            .map(|condition| format!("--{} {}", condition.flag, condition.only))
            .collect();
        let all = format!(
            "Accepted at the one value that this version models: {}.",
            values.join(", ")
        );
        FIXED
            .iter()
            .fold(command.after_long_help(all), |command, condition| {
                command.arg(
                    Arg::new(condition.flag)
                        .long(condition.flag)
                        .value_name("VALUE")
                        .hide(true),
                )
            })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for NotModelled {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        for condition in FIXED {
            if let Some(value) = matches.get_one::<String>(condition.flag) {
                condition.accept(value)?;
            }
        }
        Ok(NotModelled)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        Self::from_arg_matches(matches).map(|_| ())
    }
}

impl Fixed {
    fn accept(&self, value: &str) -> Result<(), Error> {
        if value == self.only {
            return Ok(());
        }
        Err(Error::raw(
            ErrorKind::ValueValidation,
            format!(
                "--{} {value}: this version models only {} ({}): leave it out\n",
                self.flag, self.only, self.about
            ),
        ))
    }
}

//! Conditions that cannot be or make no sense together.

/// Why conditions are refused, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Senseless {
    /// A number is out of range.
    #[error("--{condition} {value} is out of range: choose {min} to {max}")]
    OutOfRange {
        /// Flag.
        condition: &'static str,
        /// What was asked for.
        value: u8,
        /// Smallest possible value.
        min: u8,
        /// Largest possible value.
        max: u8,
    },
    /// The plain client sends no sequences.
    #[error(
        "--{condition} has no effect with --client plain, which sends no sequences: leave it out"
    )]
    PlainHasNoSequences {
        /// Flag.
        condition: &'static str,
    },
    /// A mutant whose requests must not be folded.
    #[error("{name} is a mutant and modelled in bounded runs only: add --batches 4, say")]
    MutantOfAnyLength {
        /// Rule or policy.
        name: &'static str,
    },
    /// A condition under which states cannot be folded.
    #[error("--{condition} is modelled in bounded runs only: add --batches 4, say")]
    BoundedOnly {
        /// Flag.
        condition: &'static str,
    },
    /// On an ordered channel that loses single messages the timeout heals.
    #[error("--network ordered loses single messages and only timeouts heal that: leave --disconnects out")]
    HealingBounded,
    /// The network kind needs room for leftovers.
    #[error(
        "--network {network} keeps requests beyond a timeout: --connections must be 2 or more"
    )]
    NothingLeftOver {
        /// Network kind.
        network: &'static str,
    },
    /// A condition that only the session network has.
    #[error("--{condition} needs connections that break: use --network session")]
    SessionOnly {
        /// Flag.
        condition: &'static str,
    },
    /// A condition that says something only together with another.
    #[error("--{condition} has no effect without --{needs}: add it, or leave --{condition} out")]
    WithoutEffect {
        /// Flag.
        condition: &'static str,
        /// The flag it needs, with a value.
        needs: &'static str,
    },
    /// Two conditions that are not modelled together.
    #[error("--{condition} and --{other} are not modelled together: leave one out")]
    NotTogether {
        /// Flag.
        condition: &'static str,
        /// The other flag.
        other: &'static str,
    },
    /// Too much at once for a state to hold.
    #[error("{in_flight} in flight on each of {brokers} connections are more batches than a world holds ({max}): lower --in-flight, or use --in-flight-per partition")]
    TooManyInFlight {
        /// Limit per connection.
        in_flight: u8,
        /// Connections.
        brokers: u8,
        /// The most undecided batches.
        max: u8,
    },
}

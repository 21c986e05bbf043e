//! Policies of clients with a published fault, each in a file named after its issue. What
//! becomes of them in which world is told in [`crate::defects`].
//!
//! A client is modelled by java-4 or stop with the one point replaced that its report is
//! about. None of them is argued to be faithful in worlds of any length.

mod fluss_2826;
mod fluss_354;
mod franz_go_1217;
mod kafka_12152;
mod kafka_8483;
mod librdkafka_3712;
mod librdkafka_3720;
mod librdkafka_4438;
mod librdkafka_4736;
mod librdkafka_4953;
mod sarama_1070;
mod sarama_1430;
mod sarama_3354;

pub use fluss_2826::FLUSS_2826_REPAIRED;
pub use fluss_354::FLUSS_354;
pub use franz_go_1217::{FRANZ_GO_1217, FRANZ_GO_1217_REPAIRED};
pub use kafka_12152::KAFKA_12152;
pub use kafka_8483::KAFKA_8483;
pub use librdkafka_3712::{LIBRDKAFKA_3712, LIBRDKAFKA_3712_REPAIRED};
pub use librdkafka_3720::LIBRDKAFKA_3720;
pub use librdkafka_4438::LIBRDKAFKA_4438;
pub use librdkafka_4736::LIBRDKAFKA_4736;
pub use librdkafka_4953::LIBRDKAFKA_4953;
pub use sarama_1070::SARAMA_1070;
pub use sarama_1430::{SARAMA_1430, SARAMA_1430_REPAIRED};
pub use sarama_3354::SARAMA_3354;

use super::Policy;

/// All of them.
pub const ALL: &[&Policy] = &[
    &KAFKA_8483,
    &KAFKA_12152,
    &LIBRDKAFKA_3712,
    &LIBRDKAFKA_3712_REPAIRED,
    &LIBRDKAFKA_3720,
    &LIBRDKAFKA_4438,
    &LIBRDKAFKA_4736,
    &LIBRDKAFKA_4953,
    &FRANZ_GO_1217,
    &FRANZ_GO_1217_REPAIRED,
    &SARAMA_1070,
    &SARAMA_1430,
    &SARAMA_1430_REPAIRED,
    &SARAMA_3354,
    &FLUSS_354,
    &FLUSS_2826_REPAIRED,
];

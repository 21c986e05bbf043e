//! What Kafka's tests pin and no row here does, each with the reason.

use std::sync::LazyLock;

use serde::Deserialize;

/// A behaviour without a row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// What it is.
    pub what: String,
    /// The tests of Kafka.
    pub kafka: Vec<String>,
    /// Why it has no row.
    pub why: String,
    /// Tests of ours that come near it.
    #[serde(default)]
    pub ours: Vec<String>,
}

static EXCEPTIONS: LazyLock<Vec<Exception>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("rows/exceptions.json"))
        .unwrap_or_else(|error| panic!("rows/exceptions.json: {error}"))
});

/// All of them, in the order of the document.
pub fn all() -> &'static [Exception] {
    &EXCEPTIONS
}

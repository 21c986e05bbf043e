//! What a partition answers to an operation.

use serde::{Deserialize, Serialize};

/// The answer to one operation. Offsets are those of the first and the last record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub enum Answer {
    /// Appended at these offsets: `{"append":[first,last]}`.
    Append(i64, i64),
    /// In the log already, at these offsets; nothing was written: `{"dup":[first,last]}`.
    Dup(i64, i64),
    /// Refused; nothing changed: `{"error":"NAME"}`.
    Error(ErrorName),
    /// Done: `{"ok":true}`.
    Ok,
}

/// Kafka's name of an error (Kafka: `org.apache.kafka.common.protocol.Errors`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorName {
    /// Code 45.
    OutOfOrderSequenceNumber,
    /// Code 46. Sent by brokers before 1.0.2 only.
    DuplicateSequenceNumber,
    /// Code 47.
    InvalidProducerEpoch,
    /// Code 48. Concerns open transactions, which are not specified here.
    InvalidTxnState,
    /// Code 52. Markers only.
    TransactionCoordinatorFenced,
    /// Code 59. Sent by brokers before 2.5 only.
    UnknownProducerId,
    /// Code 87.
    InvalidRecord,
    /// Any other: an answer of another subject is reported as it is.
    #[serde(untagged)]
    Other(String),
}

/// How an [`Answer`] is written in JSON.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    Append(i64, i64),
    Dup(i64, i64),
    Error(ErrorName),
    Ok(True),
}

/// The JSON value `true`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "bool", into = "bool")]
struct True;

impl TryFrom<bool> for True {
    type Error = &'static str;

    fn try_from(value: bool) -> Result<Self, Self::Error> {
        value.then_some(True).ok_or("\"ok\" can only be true")
    }
}

impl From<True> for bool {
    fn from(_: True) -> Self {
        true
    }
}

impl From<Written> for Answer {
    fn from(written: Written) -> Self {
        match written {
            Written::Append(first, last) => Answer::Append(first, last),
            Written::Dup(first, last) => Answer::Dup(first, last),
            Written::Error(name) => Answer::Error(name),
            Written::Ok(True) => Answer::Ok,
        }
    }
}

impl From<Answer> for Written {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Append(first, last) => Written::Append(first, last),
            Answer::Dup(first, last) => Written::Dup(first, last),
            Answer::Error(name) => Written::Error(name),
            Answer::Ok => Written::Ok(True),
        }
    }
}

//! What becomes of records when the real client core of Apache Kafka meets its real log layer, as
//! `java -jar oracle.jar client` lets them meet: each test is one schedule, and says what is in the log in
//! the end and what the application was told.
//!
//! Without Java or the built oracle the tests are skipped and say so.

#[path = "../oracle/jvm.rs"]
mod jvm;

mod driver;

mod expiry;
mod identity;
mod leaders;
mod protocol;
mod window;

//! Segment files: read as a broker wrote them, cut, altered, packed and long, and beside what `kafka-dump-log` of
//! each release prints for them.

mod altered;
mod logs;
mod recorded;
mod stream;

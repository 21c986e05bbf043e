//! One batch of a producer: a line of the broker's protocol, and what the properties call it.

use retryproof_properties as properties;

/// A batch, as its producer made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub producer_id: i64,
    pub epoch: i16,
    pub first_sequence: i32,
    /// The records are numbered, and consist of their number mostly.
    pub first_record: i64,
    pub count: u32,
}

/// The one partition of the broker.
pub const PARTITION: properties::Partition = properties::Partition(0);

/// The sequence `records` further on.
pub fn sequence_after(sequence: i32, records: u32) -> i32 {
    ((i64::from(sequence) + i64::from(records)) % (1 << 31)) as i32
}

/// Few records are so long that the system does not write them to the log in one go: a kill
/// can strike in between.
fn record(number: i64) -> String {
    let mut text = number.to_string();
    if number % 40 == 11 {
        text.push_str(&"x".repeat(100_000));
    }
    text
}

impl Request {
    /// The line of the protocol, without its end.
    pub fn line(&self) -> String {
        let numbers = self.first_record..self.first_record + i64::from(self.count);
        let records: Vec<String> = numbers.map(record).collect();
        let (id, epoch, sequence) = (self.producer_id, self.epoch, self.first_sequence);
        format!("{id} {epoch} {sequence} {}", records.join(","))
    }

    /// The batch of such a line; `None` if not every byte is as it was sent.
    pub fn of_line(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [id, epoch, sequence, records] = words[..] else {
            return None;
        };
        let digits = records.split(|c: char| !c.is_ascii_digit()).next()?;
        let request = Request {
            producer_id: id.parse().ok()?,
            epoch: epoch.parse().ok()?,
            first_sequence: sequence.parse().ok()?,
            first_record: digits.parse().ok()?,
            count: u32::try_from(records.split(',').count()).ok()?,
        };
        (request.line() == line).then_some(request)
    }

    /// The batch as the properties see it.
    pub fn batch(&self) -> properties::Batch {
        let last = sequence_after(self.first_sequence, self.count - 1);
        properties::Batch {
            producer: properties::ProducerId(self.producer_id),
            partition: PARTITION,
            identity: Some(properties::Identity {
                epoch: properties::Epoch(self.epoch.into()),
                first: properties::Sequence(self.first_sequence.into()),
                last: properties::Sequence(last.into()),
            }),
            first_record: properties::Record(self.first_record),
            count: self.count,
        }
    }
}

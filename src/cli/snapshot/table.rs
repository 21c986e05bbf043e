//! Producers and their batches as a table.

use comfy_table::{CellAlignment, ColumnConstraint, Table};

use crate::evidence::paint::Tone;
use crate::evidence::properties_table::plain_table;

use super::contents::{Batch, Producer};

/// A row. The first one of a producer is of its oldest batch, if it has any.
struct Row<'a> {
    /// The producer, in its first row only.
    producer: Option<&'a Producer>,
    batch: Option<&'a Batch>,
}

/// A column: its head, and what stands in a row.
type Column = (&'static str, fn(&Row<'_>) -> Option<String>);

const COLUMNS: [Column; 8] = [
    ("producer\nid", |row| {
        Some(row.producer?.producer_id.to_string())
    }),
    ("epoch", |row| Some(row.producer?.epoch.to_string())),
    ("sequences", |row| {
        let batch = row.batch?;
        Some(range(batch.first_sequence?, batch.last_sequence?))
    }),
    ("offsets", |row| {
        let batch = row.batch?;
        Some(range(batch.first_offset, batch.last_offset))
    }),
    // The producer's where the batch has none of its own, as in Kafka's files.
    ("timestamp", |row| {
        let of_batch = row.batch.and_then(|batch| batch.timestamp);
        let of_producer = row.producer.and_then(|producer| producer.last_timestamp);
        Some(of_batch.or(of_producer)?.to_string())
    }),
    ("last seen", |row| {
        Some(row.producer?.last_seen?.to_string())
    }),
    ("coordinator\nepoch", |row| {
        Some(row.producer?.coordinator_epoch?.to_string())
    }),
    ("transaction\nopen from", |row| {
        Some(row.producer?.transaction_first_offset?.to_string())
    }),
];

/// A row for each batch, the oldest of a producer first. A producer without batches has a
/// row too. Columns in which nothing would stand are left out.
pub(super) fn table(producers: &[Producer], width: usize) -> Table {
    let columns: Vec<Column> = COLUMNS
        .into_iter()
        .filter(|(_, text)| rows(producers).any(|row| text(&row).is_some()))
        .collect();
    let mut table = plain_table(width);
    table.set_header(columns.iter().map(|(head, _)| Tone::Dim.cell(head)));
    for row in rows(producers) {
        let nothing = if row.producer.is_some() { "–" } else { "" };
        let cells = columns.iter().map(|(_, text)| text(&row));
        table.add_row(cells.map(|text| text.unwrap_or_else(|| nothing.to_owned())));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(CellAlignment::Right);
        // Numbers are not broken, however long they are.
        column.set_constraint(ColumnConstraint::ContentWidth);
        // Nothing to the right: a head in colours would end in a blank.
        column.set_padding((if index == 0 { 1 } else { 2 }, 0));
    }
    table
}

fn rows(producers: &[Producer]) -> impl Iterator<Item = Row<'_>> {
    producers.iter().flat_map(|producer| {
        let first = Row {
            producer: Some(producer),
            batch: producer.batches.first(),
        };
        let others = producer.batches.iter().skip(1).map(|batch| Row {
            producer: None,
            batch: Some(batch),
        });
        std::iter::once(first).chain(others)
    })
}

/// First and last; one number if they are the same.
fn range<N: PartialEq + ToString>(first: N, last: N) -> String {
    if first == last {
        last.to_string()
    } else {
        format!("{}–{}", first.to_string(), last.to_string())
    }
}

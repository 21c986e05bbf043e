//! Follows messages: which arrow put one on its way, so that the arrow can say later that
//! it was lost, and the next arrow what it is.

use super::{Arrow, Item, Kind, Note};

/// The rows drawn so far, and the arrow of each message that is on its way. Messages that
/// are equal cannot be told apart in a model either.
pub struct Tracking<M> {
    rows: Vec<Vec<Item>>,
    on_its_way: Vec<Way<M>>,
}

struct Way<M> {
    message: M,
    row: usize,
    item: usize,
}

/// Which of several messages that are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one that is on its way longest.
    Oldest,
    /// The one that came last: the only one on a live connection.
    Newest,
}

impl<M: PartialEq> Tracking<M> {
    /// Nothing has happened.
    pub fn new() -> Self {
        Tracking {
            rows: Vec::new(),
            on_its_way: Vec::new(),
        }
    }

    /// A step begins.
    pub fn begin(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Number of the step that was begun last, from 1.
    pub fn step(&self) -> usize {
        self.rows.len()
    }

    fn item(&mut self, item: Item) {
        if let Some(row) = self.rows.last_mut() {
            row.push(item);
        }
    }

    /// Something happens.
    pub fn note(&mut self, note: Note) {
        self.item(Item::Note(note));
    }

    /// A message arrives: nothing more can become of it on its way.
    pub fn arrow(&mut self, arrow: Arrow) {
        self.item(Item::Arrow(arrow));
    }

    /// A message is put on its way.
    pub fn put(&mut self, message: M, arrow: Arrow) {
        self.item(Item::Arrow(arrow));
        let row = self.rows.len().saturating_sub(1);
        let items = self.rows.last().map_or(0, Vec::len);
        self.on_its_way.push(Way {
            message,
            row,
            item: items.saturating_sub(1),
        });
    }

    fn remove(&mut self, message: &M, which: Which) -> Option<&mut Arrow> {
        let is_it = |way: &Way<M>| way.message == *message;
        let index = match which {
            Which::Oldest => self.on_its_way.iter().position(is_it),
            Which::Newest => self.on_its_way.iter().rposition(is_it),
        }?;
        let Way { row, item, .. } = self.on_its_way.remove(index);
        match self.rows.get_mut(row)?.get_mut(item)? {
            Item::Arrow(arrow) => Some(arrow),
            Item::Note(_) => None,
        }
    }

    /// A message goes on its way from the network. What it was when it was put there.
    pub fn take(&mut self, message: &M, which: Which) -> Option<Kind> {
        self.remove(message, which).map(|arrow| arrow.kind)
    }

    /// A message is lost in the step that was begun last.
    pub fn lose(&mut self, message: &M, which: Which) {
        let step = self.step();
        if let Some(arrow) = self.remove(message, which) {
            arrow.lost_in = Some(step);
        }
    }

    /// The rows.
    pub fn into_rows(self) -> Vec<Vec<Item>> {
        self.rows
    }
}

/// What there is in `these` beyond what there is in `those`, both with repetitions.
pub fn beyond<M: PartialEq + Clone>(these: &[M], those: &[M]) -> Vec<M> {
    let mut others = those.to_vec();
    let mut found = Vec::new();
    for message in these {
        match others.iter().position(|other| other == message) {
            Some(same) => drop(others.swap_remove(same)),
            None => found.push(message.clone()),
        }
    }
    found
}

//! In which order producers were last seen: a list through the slots, most recent first.

use super::slab::Slot;

const NONE: Slot = Slot::MAX;

#[derive(Clone, Copy)]
struct Link {
    newer: Slot,
    older: Slot,
}

const UNLINKED: Link = Link {
    newer: NONE,
    older: NONE,
};

/// A doubly linked list of slots. A slot that is not in it can be put in, and the other way
/// round; both cost the same at any length.
pub(super) struct Recency {
    links: Vec<Link>,
    newest: Slot,
    oldest: Slot,
}

impl Recency {
    pub fn new() -> Self {
        Recency {
            links: Vec::new(),
            newest: NONE,
            oldest: NONE,
        }
    }

    /// The slot that was put in longest ago.
    pub fn oldest(&self) -> Option<Slot> {
        (self.oldest != NONE).then_some(self.oldest)
    }

    /// Puts `slot` first, whether it was in the list or not.
    pub fn touch(&mut self, slot: Slot) {
        if self.newest == slot {
            return;
        }
        self.unlink(slot);
        if self.links.len() <= slot as usize {
            self.links.resize(slot as usize + 1, UNLINKED);
        }
        self.links[slot as usize] = Link {
            newer: NONE,
            older: self.newest,
        };
        match self.newest {
            NONE => self.oldest = slot,
            newest => self.links[newest as usize].newer = slot,
        }
        self.newest = slot;
    }

    /// Takes `slot` out, if it is in.
    pub fn unlink(&mut self, slot: Slot) {
        let Some(link) = self.links.get(slot as usize).copied() else {
            return;
        };
        if link.newer == NONE && self.newest != slot {
            return;
        }
        match link.newer {
            NONE => self.newest = link.older,
            newer => self.links[newer as usize].older = link.older,
        }
        match link.older {
            NONE => self.oldest = link.newer,
            older => self.links[older as usize].newer = link.newer,
        }
        self.links[slot as usize] = UNLINKED;
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    /// The slots, oldest first, by taking them out one by one.
    fn drain(mut recency: Recency) -> Vec<Slot> {
        let mut slots = Vec::new();
        while let Some(slot) = recency.oldest() {
            slots.push(slot);
            recency.unlink(slot);
        }
        slots
    }

    quickcheck! {
        fn keeps_the_order_of_a_plain_list(steps: Vec<(u8, bool)>) -> bool {
            let mut recency = Recency::new();
            let mut plain: Vec<Slot> = Vec::new();
            for (slot, touched) in steps {
                let slot = Slot::from(slot % 8);
                plain.retain(|other| *other != slot);
                if touched {
                    recency.touch(slot);
                    plain.push(slot);
                } else {
                    recency.unlink(slot);
                }
                if recency.oldest() != plain.first().copied() {
                    return false;
                }
            }
            drain(recency) == plain
        }
    }
}

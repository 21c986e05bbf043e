//! Expiry, snapshots, and going back to them.

use retryproof::state_manager::snapshot::Format;

use super::super::operation::Damage;
use super::super::reference::offset;
use super::super::saved::Saved;
use super::{id, ms, Pair, KEPT};

impl Pair {
    pub(super) fn expire(&mut self) {
        let expired = self.reference.expired(self.now);
        assert_eq!(self.manager.remove_expired(ms(self.now)), expired.len());
        self.forget(&expired);
    }

    /// Which producers a step looks at is the manager's business; none but expired ones may
    /// go. Says whether the pass is finished.
    pub(super) fn expire_some(&mut self, places: u8) -> bool {
        let mut expired = self.reference.expired(self.now);
        let step = self.manager.expire_some(ms(self.now), places.into());
        expired.retain(|producer_id| self.manager.producer(id(*producer_id)).is_none());
        assert_eq!(step.expired, expired.len());
        self.forget(&expired);
        step.finished
    }

    /// The pass that was begun before, and one from beginning to end.
    pub(super) fn expire_pass(&mut self, places: u8) {
        for _ in 0..2 {
            while !self.expire_some(places.max(1)) {}
        }
        assert!(self.reference.expired(self.now).is_empty());
    }

    fn forget(&mut self, expired: &[i64]) {
        self.reference.counts.expired += expired.len() as u64;
        expired
            .iter()
            .for_each(|producer_id| self.reference.forget(*producer_id));
    }

    pub(super) fn save(&mut self, format: Format) {
        let bytes = self.manager.encode(format).expect("few producers");
        let ids = self
            .manager
            .active_producers()
            .map(|view| view.producer_id().get());
        let producers = ids.map(|id| (id, self.reference.producers[&id].clone()));
        self.saved.push(Saved {
            format,
            producers: producers.collect(),
            bytes,
            end: self.reference.end,
        });
        if self.saved.len() > KEPT {
            self.saved.remove(0);
        }
    }

    pub(super) fn restore(&mut self, which: u8, damage: Damage) {
        let Some(newest) = self.saved.len().checked_sub(1) else {
            return;
        };
        let saved = &self.saved[newest - usize::from(which) % self.saved.len()];
        let mut bytes = saved.bytes.clone();
        let mut end = saved.end;
        match damage {
            Damage::None => {}
            Damage::Byte(at) => {
                let at = usize::from(at) % bytes.len();
                bytes[at] ^= 0x20;
            }
            Damage::End(by) => end = end.saturating_add(by.into()).max(0),
        }
        let restored = self.manager.restore(&bytes, offset(end), ms(self.now));
        let sound = bytes == saved.bytes && saved.fits(end);
        assert_eq!(restored.is_ok(), sound, "{restored:?}");
        if let Ok(restored) = restored {
            let expired = self.reference.restore(saved, end, self.now);
            assert_eq!(
                (restored.producers, restored.expired),
                (self.reference.producers.len(), expired)
            );
        }
    }
}

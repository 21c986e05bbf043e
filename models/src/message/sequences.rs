//! The space of sequences.

use super::Small;

/// The space of sequences: how many there are before they start at 0 again.
///
/// A model counts on beyond the wrap, so that properties see which record a number means.
/// On the wire, and to a rule, there is only the remainder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequences {
    modulus: Option<Small>,
}

impl Sequences {
    /// Sequences that start at 0 again after so many; `None`: never.
    pub const fn modulo(modulus: Option<u8>) -> Self {
        Sequences {
            modulus: match modulus {
                Some(modulus) => Some(modulus as Small),
                None => None,
            },
        }
    }

    /// Whether sequences start at 0 again.
    #[inline]
    pub fn wrap_around(self) -> bool {
        self.modulus.is_some()
    }

    /// A sequence as it is on the wire; what is below 0 is no sequence and stays.
    #[inline]
    pub fn on_wire(self, sequence: Small) -> Small {
        match self.modulus {
            Some(modulus) if sequence >= 0 => sequence % modulus,
            _ => sequence,
        }
    }

    /// Whether two sequences are the same on the wire.
    #[inline]
    pub fn same(self, one: Small, other: Small) -> bool {
        self.on_wire(one) == self.on_wire(other)
    }

    /// Whether `next` follows directly on `last`, on the wire and across the wrap.
    #[inline]
    pub fn follows(self, last: Small, next: Small) -> bool {
        match self.modulus {
            Some(modulus) if last >= 0 => (self.on_wire(last) + 1) % modulus == self.on_wire(next),
            _ => next == last + 1,
        }
    }

    /// Whether the number on the wire is higher, as plain numbers.
    #[inline]
    pub fn is_beyond(self, one: Small, other: Small) -> bool {
        self.on_wire(one) > self.on_wire(other)
    }
}

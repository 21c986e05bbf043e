//! Two bytes that say how a producer's window lies in memory.

/// How many batches there are, where the oldest of the older ones stands in its ring, and
/// two flags, in 16 bits: a producer's record has exactly two bytes left for them.
///
/// Bits 0–5: number of batches. Bits 6–11: start of the ring. Bits 12 and 13: flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Shape(u16);

const FIELD: u16 = 0x3f;
const START: u16 = 6;
const IRREGULAR: u16 = 1 << 12;
const SIDE: u16 = 1 << 13;

impl Shape {
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        Shape(bits)
    }

    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Number of batches, the newest among them.
    #[inline]
    pub fn len(self) -> usize {
        (self.0 & FIELD) as usize
    }

    /// Where the ring of the older batches starts.
    #[inline]
    pub fn start(self) -> usize {
        (self.0 >> START & FIELD) as usize
    }

    #[inline]
    pub fn set_len(&mut self, len: usize) {
        debug_assert!(len <= FIELD as usize);
        self.0 = self.0 & !FIELD | len as u16;
    }

    #[inline]
    pub fn set_start(&mut self, start: usize) {
        debug_assert!(start <= FIELD as usize);
        self.0 = self.0 & !(FIELD << START) | (start as u16) << START;
    }

    /// Whether a batch that follows the newest one could nevertheless equal a batch of the
    /// window.
    #[inline]
    pub fn irregular(self) -> bool {
        self.0 & IRREGULAR != 0
    }

    #[inline]
    pub fn set_irregular(&mut self, irregular: bool) {
        self.set_flag(IRREGULAR, irregular);
    }

    /// Whether there is a batch and neither flag.
    #[inline]
    pub fn plain(self) -> bool {
        self.0 & (IRREGULAR | SIDE) == 0 && self.len() > 0
    }

    /// Whether there is something on the side (see [`super::side`]).
    #[inline]
    pub fn has_side(self) -> bool {
        self.0 & SIDE != 0
    }

    #[inline]
    pub fn set_side(&mut self, side: bool) {
        self.set_flag(SIDE, side);
    }

    #[inline]
    fn set_flag(&mut self, flag: u16, on: bool) {
        if on {
            self.0 |= flag;
        } else {
            self.0 &= !flag;
        }
    }

    /// No batches any more; what is on the side stays.
    #[inline]
    pub fn clear_window(&mut self) {
        self.0 &= SIDE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_touch_each_other() {
        for (len, start) in [(0, 0), (1, 63), (63, 0), (63, 63), (42, 21)] {
            for (irregular, side) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut shape = Shape::default();
                shape.set_irregular(true);
                shape.set_side(true);
                shape.set_len(63);
                shape.set_start(63);
                shape.set_side(side);
                shape.set_start(start);
                shape.set_irregular(irregular);
                shape.set_len(len);
                assert_eq!((shape.len(), shape.start()), (len, start));
                assert_eq!((shape.irregular(), shape.has_side()), (irregular, side));
                assert_eq!(shape.plain(), len > 0 && !irregular && !side);
                shape.clear_window();
                assert_eq!((shape.len(), shape.start()), (0, 0));
                assert_eq!((shape.irregular(), shape.has_side()), (false, side));
            }
        }
    }
}

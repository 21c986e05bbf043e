//! Cutoffs: whether a bound is enough.
//!
//! A verdict about a bounded world says nothing of a larger one by itself. But what a rule can
//! be asked is finite, once absolute numbers are taken away: a [`Shape`] is what one decision
//! looked at. [`growth()`] makes a base world larger in one [`Dimension`] and tells from which
//! size on neither a verdict, nor the set of shapes, nor the set of pairs of shapes that follow
//! on each other changes any more.

mod dimension;
mod gather;
mod growth;
mod shape;
mod worlds;

pub use dimension::{Dimension, Size};
pub use gather::{gather, Gathered};
pub use growth::{all_growths, growth, Growth, Measured};
pub use shape::{Answered, EpochIs, Fill, Lies, Shape};
pub use worlds::{Base, BASES};

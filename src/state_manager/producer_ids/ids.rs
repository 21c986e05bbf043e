//! Giving out the ids of blocks one by one.

use thiserror::Error;

use super::{Block, BlockSource, ClaimError};

/// Gives out producer ids, each larger than all before, from blocks that it claims when it
/// needs them.
///
/// A claim may wait for a disk or for another machine. A broker that must not wait claims
/// ahead in its [`BlockSource`], as Kafka does from 90 % of a block on.
#[derive(Debug)]
pub struct ProducerIds<S> {
    source: S,
    /// The next id of the block at hand.
    next: i64,
    /// Where it ends, exclusive; so does every block seen, at or below this.
    end: i64,
}

/// Why no id was given out. Nothing has changed then, and asking again is allowed.
#[derive(Debug, Error)]
pub enum NextIdError {
    /// The source gave out no block.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The source gave out ids that it may have given out before.
    #[error(
        "the block of producer ids from {first} on begins below {end}, where the last one ended: \
         its ids may be in use; see to it that the source of blocks was not set back"
    )]
    NotMonotonic {
        /// Where the block begins.
        first: i64,
        /// Where the last one ended, exclusive.
        end: i64,
    },
    /// The source gave out a block without ids.
    #[error(
        "the block of producer ids from {first} on is empty: the source of blocks is at fault"
    )]
    Empty {
        /// Where the block begins.
        first: i64,
    },
    /// The source gave out ids that there cannot be.
    #[error(
        "the block of {len} producer ids from {first} on ends above 2^63 - 1: the source of \
         blocks is at fault, or ids are used up"
    )]
    Overflowing {
        /// Where the block begins.
        first: i64,
        /// How many ids it has.
        len: u32,
    },
}

impl<S: BlockSource> ProducerIds<S> {
    /// Gives out ids of this source. No block is claimed yet.
    pub fn new(source: S) -> Self {
        ProducerIds {
            source,
            next: 0,
            end: 0,
        }
    }

    /// The next id, 0 or more.
    ///
    /// # Errors
    /// If a block is needed and the source has none, or gives one that cannot be used.
    pub fn next_id(&mut self) -> Result<i64, NextIdError> {
        if self.next == self.end {
            let block = self.source.claim()?;
            self.end = self.end_of(block)?;
            self.next = block.first;
        }
        let id = self.next;
        self.next += 1;
        Ok(id)
    }

    /// Where a new block ends, exclusive.
    fn end_of(&self, block: Block) -> Result<i64, NextIdError> {
        let Block { first, len } = block;
        if first < self.end {
            let end = self.end;
            return Err(NextIdError::NotMonotonic { first, end });
        }
        if len == 0 {
            return Err(NextIdError::Empty { first });
        }
        first
            .checked_add(i64::from(len))
            .ok_or(NextIdError::Overflowing { first, len })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives out these, the first of the list first.
    struct Listed(Vec<Result<Block, ClaimError>>);

    impl BlockSource for Listed {
        fn claim(&mut self) -> Result<Block, ClaimError> {
            self.0.remove(0)
        }
    }

    fn ids<const N: usize>(blocks: [(i64, u32); N]) -> ProducerIds<Listed> {
        let blocks = blocks.map(|(first, len)| Ok(Block { first, len }));
        ProducerIds::new(Listed(blocks.into()))
    }

    #[test]
    fn ids_come_one_by_one_and_block_after_block() {
        let mut ids = ids([(0, 2), (2, 1), (7, 2)]);
        let given: Vec<_> = (0..5).map(|_| ids.next_id().unwrap()).collect();
        assert_eq!(given, [0, 1, 2, 7, 8]);
        assert!(ids.source.0.is_empty());
    }

    #[test]
    fn a_block_is_claimed_when_the_one_before_is_used_up() {
        let mut ids = ids([(5, 1), (9, 1)]);
        assert_eq!(ids.source.0.len(), 2);
        ids.next_id().unwrap();
        assert_eq!(ids.source.0.len(), 1);
    }

    #[test]
    fn a_block_that_begins_before_the_end_of_the_last_is_refused() {
        let mut ids = ids([(10, 5), (14, 1000), (15, 1)]);
        for _ in 0..5 {
            ids.next_id().unwrap();
        }
        assert!(matches!(
            ids.next_id(),
            Err(NextIdError::NotMonotonic { first: 14, end: 15 })
        ));
        assert_eq!(ids.next_id().unwrap(), 15);
    }

    #[test]
    fn a_block_of_negative_ids_is_refused() {
        assert!(matches!(
            ids([(-1, 1000)]).next_id(),
            Err(NextIdError::NotMonotonic { first: -1, end: 0 })
        ));
    }

    #[test]
    fn an_empty_block_is_refused() {
        let mut ids = ids([(3, 0), (3, 1)]);
        let refused = ids.next_id();
        assert!(matches!(refused, Err(NextIdError::Empty { first: 3 })));
        assert_eq!(ids.next_id().unwrap(), 3);
    }

    #[test]
    fn a_block_beyond_the_last_id_is_refused() {
        let first = i64::MAX - 2;
        let mut ids = ids([(first, 3), (first, 2), (i64::MAX, 1)]);
        assert!(matches!(
            ids.next_id(),
            Err(NextIdError::Overflowing { first: told, len: 3 }) if told == first
        ));
        assert_eq!(ids.next_id().unwrap(), first);
        assert_eq!(ids.next_id().unwrap(), first + 1);
        let refused = ids.next_id();
        assert!(matches!(refused, Err(NextIdError::Overflowing { .. })));
    }

    #[test]
    fn a_source_that_fails_can_be_asked_again() {
        let out_of_reach = || Err(ClaimError::Other("the controller is out of reach".into()));
        let block = |first| Ok(Block { first, len: 1 });
        let mut ids = ProducerIds::new(Listed(vec![
            out_of_reach(),
            block(4),
            out_of_reach(),
            block(5),
        ]));
        let error = ids.next_id().unwrap_err();
        assert_eq!(error.to_string(), "the controller is out of reach");
        assert_eq!(ids.next_id().unwrap(), 4);
        assert!(ids.next_id().is_err());
        assert_eq!(ids.next_id().unwrap(), 5);
    }
}

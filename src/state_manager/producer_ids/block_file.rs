//! Blocks for a broker that stands alone, remembered in a file.
//!
//! The file holds the first id that was never given out. All numbers are big-endian:
//!
//! | bytes | type | |
//! |---|---|---|
//! | 0–7 | | `RPNEXTID` in ASCII |
//! | 8–11 | u32 | version, 1 |
//! | 12–15 | u32 | CRC-32C of the bytes from 16 to the end |
//! | 16–23 | i64 | next id, 0 or more |

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::super::snapshot::durable_file;
use super::super::snapshot::field::Field;
use super::super::snapshot::FileError;
use super::{Block, BlockSource, ClaimError};

const MAGIC: [u8; 8] = *b"RPNEXTID";
const VERSION: u32 = 1;
const SIZE: usize = 24;

const FORMAT_MAGIC: Field<0> = Field;
const FORMAT_VERSION: Field<8> = Field;
const CHECKSUM: Field<12> = Field;
const NEXT_ID: Field<16> = Field;
/// Where the bytes begin that the checksum is taken of.
const CHECKED: usize = 16;

/// A source of blocks that lasts over restarts, crashes and losses of power: a block is
/// given out only after the file on the disk says that it is. A crash in between loses a
/// block, which nobody notices; none is given out twice.
///
/// One process at a time may use a file. Nothing here sees to that: two processes would give
/// out the same ids.
#[derive(Debug)]
pub struct BlockFile {
    path: PathBuf,
    next: i64,
}

/// Why a file cannot be a source of blocks.
#[derive(Debug, Error)]
pub enum BlockFileError {
    /// There is a file already.
    #[error(
        "{} is there already: open it; a new one in its place would give out ids that are in use",
        .path.display()
    )]
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// A negative id to begin with.
    #[error("producer ids cannot begin at {first}: begin at 0 or more")]
    Negative {
        /// The id.
        first: i64,
    },
    /// The file is not what was written.
    #[error(
        "{} is damaged ({what}): restore it, or create one that begins above every producer id \
         in use",
        .path.display()
    )]
    Damaged {
        /// Where.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl BlockFile {
    /// Makes a new file, from which ids from `first` on are given out: 0 in a new cluster,
    /// else above every id that was ever given out.
    ///
    /// # Errors
    /// If there is a file already or it cannot be written, or `first` is negative.
    pub fn create(path: impl Into<PathBuf>, first: i64) -> Result<Self, BlockFileError> {
        let path = path.into();
        if first < 0 {
            return Err(BlockFileError::Negative { first });
        }
        let is_there = path
            .try_exists()
            .map_err(FileError::when("look for", &path))?;
        if is_there {
            return Err(BlockFileError::Exists { path });
        }
        durable_file::write(&path, &encode(first))?;
        Ok(BlockFile { path, next: first })
    }

    /// Carries on from a file. A file that is missing is an error and not made anew, or ids
    /// would be given out again.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was written.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, BlockFileError> {
        let path = path.into();
        match parse(&durable_file::read(&path)?) {
            Ok(next) => Ok(BlockFile { path, next }),
            Err(what) => Err(BlockFileError::Damaged { path, what }),
        }
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl BlockSource for BlockFile {
    fn claim(&mut self) -> Result<Block, ClaimError> {
        let block = Block {
            first: self.next,
            len: Block::KAFKA_LEN,
        };
        let next = block
            .first
            .checked_add(i64::from(block.len))
            .ok_or(ClaimError::Exhausted { next: self.next })?;
        durable_file::write(&self.path, &encode(next)).map_err(ClaimError::File)?;
        self.next = next;
        Ok(block)
    }
}

fn encode(next: i64) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    FORMAT_MAGIC.put(&mut bytes, MAGIC);
    FORMAT_VERSION.put(&mut bytes, VERSION.to_be_bytes());
    NEXT_ID.put(&mut bytes, next.to_be_bytes());
    let checksum = crc32c::crc32c(&bytes[CHECKED..]);
    CHECKSUM.put(&mut bytes, checksum.to_be_bytes());
    bytes
}

/// The next id, or what is wrong.
fn parse(bytes: &[u8]) -> Result<i64, &'static str> {
    let Ok(bytes) = <&[u8; SIZE]>::try_from(bytes) else {
        return Err("it has not 24 bytes");
    };
    if FORMAT_MAGIC.get(bytes) != MAGIC {
        return Err("it is no file of producer ids");
    }
    if u32::from_be_bytes(FORMAT_VERSION.get(bytes)) != VERSION {
        return Err("its version is unknown");
    }
    if u32::from_be_bytes(CHECKSUM.get(bytes)) != crc32c::crc32c(&bytes[CHECKED..]) {
        return Err("its checksum is wrong");
    }
    match i64::from_be_bytes(NEXT_ID.get(bytes)) {
        ..0 => Err("its next id is negative"),
        next => Ok(next),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;

    use super::super::{NextIdError, ProducerIds};
    use super::*;

    /// A new file in a new directory.
    fn file(first: i64) -> (tempfile::TempDir, BlockFile) {
        let place = tempfile::tempdir().unwrap();
        let file = BlockFile::create(place.path().join("ids"), first).unwrap();
        (place, file)
    }

    fn firsts(file: &mut BlockFile, count: usize) -> Vec<i64> {
        (0..count)
            .map(|_| {
                let block = file.claim().unwrap();
                assert_eq!(block.len, 1000);
                block.first
            })
            .collect()
    }

    #[test]
    fn blocks_follow_each_other_over_restarts() {
        let (_place, mut file) = file(0);
        assert_eq!(firsts(&mut file, 3), [0, 1000, 2000]);
        let mut file = BlockFile::open(file.path()).unwrap();
        assert_eq!(firsts(&mut file, 2), [3000, 4000]);
        let mut file = BlockFile::open(file.path()).unwrap();
        assert_eq!(firsts(&mut file, 1), [5000]);
    }

    #[test]
    fn a_restart_loses_the_rest_of_a_block_and_repeats_nothing() {
        let (_place, file) = file(7);
        let path = file.path().to_owned();
        let mut ids = ProducerIds::new(file);
        assert_eq!(ids.next_id().unwrap(), 7);
        assert_eq!(ids.next_id().unwrap(), 8);
        let mut ids = ProducerIds::new(BlockFile::open(path).unwrap());
        assert_eq!(ids.next_id().unwrap(), 1007);
    }

    #[test]
    fn a_crash_between_writing_and_giving_out_loses_a_block() {
        let (_place, mut file) = file(0);
        let block = file.claim().unwrap();
        assert_eq!(block.first, 0);
        // The process ends here, and nobody has seen the block.
        let mut ids = ProducerIds::new(BlockFile::open(file.path()).unwrap());
        assert_eq!(ids.next_id().unwrap(), 1000);
    }

    #[test]
    fn a_crash_while_writing_leaves_what_was_there() {
        let (place, mut file) = file(0);
        file.claim().unwrap();
        fs::write(place.path().join("ids.tmp"), &encode(2000)[..9]).unwrap();
        let mut file = BlockFile::open(file.path()).unwrap();
        assert_eq!(file.claim().unwrap().first, 1000);
    }

    #[test]
    fn a_block_that_cannot_be_written_is_not_given_out() {
        let (place, file) = file(0);
        let aside = place.path().with_extension("aside");
        let mut ids = ProducerIds::new(file);
        fs::rename(place.path(), &aside).unwrap();
        let error = ids.next_id().unwrap_err();
        assert!(
            matches!(error, NextIdError::Claim(ClaimError::File(_))),
            "{error}"
        );
        assert!(error.to_string().contains("ask again"), "{error}");
        fs::rename(&aside, place.path()).unwrap();
        assert_eq!(ids.next_id().unwrap(), 0);
    }

    #[test]
    fn ids_are_used_up_before_they_overflow() {
        let (_place, mut file) = file(i64::MAX - 1000);
        assert_eq!(file.claim().unwrap().first, i64::MAX - 1000);
        for _ in 0..2 {
            let refused = file.claim();
            assert!(matches!(
                refused,
                Err(ClaimError::Exhausted { next: i64::MAX })
            ));
        }
        let mut reopened = BlockFile::open(file.path()).unwrap();
        assert!(reopened.claim().is_err());

        let (_place, mut file) = self::file(i64::MAX - 999);
        assert!(file.claim().is_err());
    }

    #[test]
    fn the_last_block_is_given_out_to_its_end() {
        let (_place, file) = file(i64::MAX - 1000);
        let mut ids = ProducerIds::new(file);
        for id in i64::MAX - 1000..i64::MAX {
            assert_eq!(ids.next_id().unwrap(), id);
        }
        assert!(matches!(
            ids.next_id(),
            Err(NextIdError::Claim(ClaimError::Exhausted { next: i64::MAX }))
        ));
    }

    #[test]
    fn a_file_is_not_made_over_another() {
        let (_place, file) = file(5);
        let refused = BlockFile::create(file.path(), 0);
        assert!(matches!(refused, Err(BlockFileError::Exists { .. })));
        let mut kept = BlockFile::open(file.path()).unwrap();
        assert_eq!(kept.claim().unwrap().first, 5);
    }

    #[test]
    fn a_file_does_not_begin_with_a_negative_id() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ids");
        let refused = BlockFile::create(&path, -1);
        assert!(matches!(
            refused,
            Err(BlockFileError::Negative { first: -1 })
        ));
        assert!(!path.exists());
    }

    #[test]
    fn a_missing_file_is_not_made_anew() {
        let place = tempfile::tempdir().unwrap();
        match BlockFile::open(place.path().join("ids")) {
            Err(BlockFileError::File(error)) => {
                assert_eq!(error.source.kind(), io::ErrorKind::NotFound);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_bytes_are_those_of_the_documented_layout() {
        let (_place, file) = file(0x0102_0304_0506_0708);
        let bytes = fs::read(file.path()).unwrap();
        assert_eq!(&bytes[..12], b"RPNEXTID\0\0\0\x01");
        assert_eq!(bytes[12..16], crc32c::crc32c(&bytes[16..]).to_be_bytes());
        assert_eq!(bytes[16..], [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let (_place, file) = file(12);
        let whole = fs::read(file.path()).unwrap();
        let refused = |bytes: &[u8]| {
            fs::write(file.path(), bytes).unwrap();
            match BlockFile::open(file.path()) {
                Err(BlockFileError::Damaged { what, .. }) => what,
                other => panic!("{bytes:?}: {other:?}"),
            }
        };
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let what = match bit / 8 {
                0..8 => "it is no file of producer ids",
                8..12 => "its version is unknown",
                _ => "its checksum is wrong",
            };
            assert_eq!(refused(&bytes), what);
        }
        for size in 0..whole.len() {
            assert_eq!(refused(&whole[..size]), "it has not 24 bytes");
        }
        assert_eq!(refused(&[&whole[..], b"x"].concat()), "it has not 24 bytes");
        assert_eq!(refused(&encode(-1)), "its next id is negative");
        fs::write(file.path(), encode(0)).unwrap();
        assert_eq!(BlockFile::open(file.path()).unwrap().next, 0);
    }
}

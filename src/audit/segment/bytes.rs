//! A file in a window that moves: positions, not a file in memory.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// Bytes that are read at a time. Seeks within them cost nothing.
const WINDOW: usize = 1 << 18;

/// A file of the length that it has when it is opened; what is written to it later is not seen.
#[derive(Debug)]
pub struct Bytes<R> {
    window: BufReader<R>,
    at: u64,
    length: u64,
}

impl<R: Read + Seek> Bytes<R> {
    pub fn new(mut file: R) -> io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        Ok(Bytes {
            window: BufReader::with_capacity(WINDOW, file),
            at: 0,
            length,
        })
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// Reads what stands at this position into these bytes: how many there are, fewer only at
    /// the end of the file.
    pub fn read_at(&mut self, position: u64, into: &mut [u8]) -> io::Result<usize> {
        self.go_to(position)?;
        let wanted = into.len();
        let mut read = 0;
        self.each(wanted as u64, |piece| {
            into[read..read + piece.len()].copy_from_slice(piece);
            read += piece.len();
            true
        })?;
        Ok(read)
    }

    /// CRC-32C of what stands between these positions.
    pub fn crc32c(&mut self, from: u64, to: u64) -> io::Result<u32> {
        let mut crc = 0;
        self.go_to(from)?;
        self.each(to - from, |piece| {
            crc = crc32c::crc32c_append(crc, piece);
            true
        })?;
        Ok(crc)
    }

    /// CRC-32, as gzip has it, of what stands between these positions.
    pub fn crc32(&mut self, from: u64, to: u64) -> io::Result<u32> {
        let mut crc = flate2::Crc::new();
        self.go_to(from)?;
        self.each(to - from, |piece| {
            crc.update(piece);
            true
        })?;
        Ok(crc.sum())
    }

    /// Whether there is nothing but zeros from this position to the end of the file.
    pub fn only_zeros_from(&mut self, position: u64) -> io::Result<bool> {
        self.go_to(position)?;
        let mut zeros = true;
        self.each(self.length.saturating_sub(position), |piece| {
            zeros = piece.iter().all(|byte| *byte == 0);
            zeros
        })?;
        Ok(zeros)
    }

    fn go_to(&mut self, position: u64) -> io::Result<()> {
        // Files are at most 2⁶³−1 bytes long.
        let distance = position as i64 - self.at as i64;
        self.window.seek_relative(distance)?;
        self.at = position;
        Ok(())
    }

    /// Gives the next so many bytes of the file piece by piece, until told to stop.
    fn each(&mut self, bytes: u64, mut goes_on: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
        let mut left = bytes.min(self.length.saturating_sub(self.at));
        while left > 0 {
            let filled = self.window.fill_buf()?;
            if filled.is_empty() {
                break;
            }
            let piece = &filled[..filled
                .len()
                .min(usize::try_from(left).unwrap_or(usize::MAX))];
            let taken = piece.len();
            let on = goes_on(piece);
            self.window.consume(taken);
            self.at += taken as u64;
            left -= taken as u64;
            if !on {
                break;
            }
        }
        Ok(())
    }
}

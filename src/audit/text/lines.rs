//! The lines of a text of any size, out of one buffer.

use std::io::{self, ErrorKind, Read};

use memchr::memchr;

/// Bytes of the buffer. What a line holds beyond that is passed over: no line that is read
/// for its numbers is near as long, only payloads are.
const BUFFER: usize = 256 * 1024;

/// A line without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: u64,
    /// Its bytes, without newline, carriage return and trailing blanks.
    pub(crate) bytes: &'a [u8],
    /// Whether a newline ends it. The last line of a text that was cut has none.
    pub(crate) is_ended: bool,
}

/// Reads lines.
pub(crate) struct Lines<R> {
    input: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    number: u64,
    is_at_end: bool,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Lines {
            input,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            start: 0,
            end: 0,
            number: 0,
            is_at_end: false,
        }
    }

    /// The next line; `None` at the end of the text.
    #[inline]
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut looked_at = 0;
        loop {
            let found = memchr(b'\n', &self.buffer[self.start + looked_at..self.end]);
            if let Some(at) = found {
                let line = self.start..self.start + looked_at + at;
                self.start = line.end + 1;
                self.number += 1;
                return Ok(Some(Line {
                    number: self.number,
                    bytes: trimmed(&self.buffer[line]),
                    is_ended: true,
                }));
            }
            looked_at = self.end - self.start;
            if self.is_at_end {
                return Ok(self.last());
            }
            if looked_at == self.buffer.len() {
                return self.overlong().map(Some);
            }
            self.fill()?;
        }
    }

    /// What is left behind the last newline.
    fn last(&mut self) -> Option<Line<'_>> {
        let line = self.start..self.end;
        self.start = self.end;
        if line.is_empty() {
            return None;
        }
        self.number += 1;
        Some(Line {
            number: self.number,
            bytes: trimmed(&self.buffer[line]),
            is_ended: false,
        })
    }

    /// The front of a line that is longer than the buffer. The rest of it is passed over.
    fn overlong(&mut self) -> io::Result<Line<'_>> {
        // The front stays where it is, and what follows is read into the second half.
        let half = self.buffer.len() / 2;
        self.start = self.end;
        self.number += 1;
        let mut is_ended = false;
        let mut filled = self.buffer.len();
        let mut searched = half;
        while !is_ended {
            match memchr(b'\n', &self.buffer[searched..filled]) {
                Some(at) => {
                    self.start = searched + at + 1;
                    self.end = filled;
                    is_ended = true;
                }
                None => {
                    searched = half;
                    filled = half + read(&mut self.input, &mut self.buffer[half..])?;
                    if filled == half {
                        self.is_at_end = true;
                        (self.start, self.end) = (half, half);
                        break;
                    }
                }
            }
        }
        Ok(Line {
            number: self.number,
            bytes: &self.buffer[..half],
            is_ended,
        })
    }

    /// Moves what is left to the front of the buffer and reads behind it.
    fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        let count = read(&mut self.input, &mut self.buffer[self.end..])?;
        self.end += count;
        self.is_at_end = count == 0;
        Ok(())
    }
}

/// Reads as many bytes as there are at once; 0 at the end.
fn read(input: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(into) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Without carriage return and blanks at the end.
fn trimmed(mut line: &[u8]) -> &[u8] {
    while let [front @ .., b' ' | b'\r' | b'\t'] = line {
        line = front;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes at a time.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(into.len()).min(self.0.len());
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn lines(text: &[u8], at_a_time: usize) -> Vec<(u64, Vec<u8>, bool)> {
        let mut lines = Lines::new(Slowly(text, at_a_time));
        let mut all = Vec::new();
        while let Some(line) = lines.next().expect("nothing fails") {
            all.push((line.number, line.bytes.to_vec(), line.is_ended));
        }
        all
    }

    #[test]
    fn lines_are_the_same_however_they_arrive() {
        let text = b"one\r\n\ntwo  \nthree";
        let expected = [
            (1, b"one".to_vec(), true),
            (2, b"".to_vec(), true),
            (3, b"two".to_vec(), true),
            (4, b"three".to_vec(), false),
        ];
        for at_a_time in [1, 2, 5, 100] {
            assert_eq!(lines(text, at_a_time), expected);
        }
    }

    #[test]
    fn of_an_overlong_line_the_front_is_kept_and_the_next_is_whole() {
        for length in [
            BUFFER - 1,
            BUFFER,
            BUFFER + 1,
            BUFFER + BUFFER / 2,
            3 * BUFFER,
        ] {
            let mut text = vec![b'x'; length];
            text.extend_from_slice(b"\nnext\n");
            for at_a_time in [1000, BUFFER] {
                let lines = lines(&text, at_a_time);
                assert_eq!(lines.len(), 2, "{length}");
                assert!(lines[0].1.len() >= BUFFER / 2 && lines[0].2);
                assert_eq!(lines[1], (2, b"next".to_vec(), true));
            }
        }
    }

    #[test]
    fn an_overlong_line_may_be_the_last() {
        for length in [BUFFER, 2 * BUFFER + 7] {
            let lines = lines(&vec![b'x'; length], 4096);
            assert_eq!(lines.len(), 1, "{length}");
            assert!(!lines[0].2 || length < BUFFER);
        }
    }
}

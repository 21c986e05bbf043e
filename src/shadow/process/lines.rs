//! Lines to and from a program, each way in a thread of its own, so that one can stop waiting
//! for it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

/// Most bytes of a line that are read.
const LONGEST_LINE: u64 = 1 << 20;

/// Writes each line that is sent, and says so. The thread ends when the sender is dropped, or
/// when the program closes its input; then no more is said.
pub(super) fn write(mut input: ChildStdin) -> (SyncSender<String>, Receiver<()>) {
    let (sender, lines) = mpsc::sync_channel::<String>(1);
    let (written, acknowledged) = mpsc::sync_channel(1);
    thread::spawn(move || {
        for line in lines {
            let sent = input
                .write_all(line.as_bytes())
                .and_then(|()| input.flush());
            if sent.is_err() || written.send(()).is_err() {
                return;
            }
        }
    });
    (sender, acknowledged)
}

/// Reads lines, one ahead of what is taken. The thread ends with the program, with a line that
/// cannot be read, or with the first one that nobody waits for.
pub(super) fn read(output: ChildStdout) -> Receiver<io::Result<String>> {
    let (sender, lines) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        while let Some(line) = read_line(&mut output).transpose() {
            let last = line.is_err();
            if sender.send(line).is_err() || last {
                return;
            }
        }
    });
    lines
}

/// The next line; `None` at the end.
fn read_line(output: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    output.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
        return Err(io::Error::other("it wrote a line of more than 1 MiB"));
    }
    if line.is_empty() {
        return Ok(None);
    }
    String::from_utf8(line)
        .map(Some)
        .map_err(|_| io::Error::other("it wrote a line that is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_an_end() {
        let longest = LONGEST_LINE as usize;
        let mut whole = vec![b'x'; longest - 1];
        whole.push(b'\n');
        let read = |bytes: &[u8]| read_line(&mut &bytes[..]).map(|line| line.map(|it| it.len()));
        assert_eq!(read(&whole).ok(), Some(Some(longest)));
        assert_eq!(read(b"").ok(), Some(None));
        assert_eq!(read(b"cut").ok(), Some(Some(3)));
        whole[longest - 1] = b'x';
        let refused = read(&whole).expect_err("too long");
        assert_eq!(refused.to_string(), "it wrote a line of more than 1 MiB");
        assert!(read(b"\xff\n").is_err());
    }
}

//! Lines to and from a program, each way in a thread of its own, so that one can stop waiting
//! for it.

use std::io::{BufRead, BufReader, Read, Write};
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

/// What is no line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// The output ended in the middle of this one.
    Cut(String),
    /// It cannot be read.
    Unreadable(String),
}

/// Reads lines, one ahead of what is taken. The thread ends with the program, with a line that
/// cannot be read, or with the first one that nobody waits for.
pub(super) fn read(output: ChildStdout) -> Receiver<Result<String, NoLine>> {
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

/// The next line, without its end; `None` if there is none.
fn read_line(output: &mut impl BufRead) -> Result<Option<String>, NoLine> {
    let mut line = Vec::new();
    let read = output.take(LONGEST_LINE).read_until(b'\n', &mut line);
    read.map_err(|error| NoLine::Unreadable(error.to_string()))?;
    if line.is_empty() {
        return Ok(None);
    }
    let whole = line.ends_with(b"\n");
    if !whole && line.len() as u64 == LONGEST_LINE {
        let longer = "it wrote a line of more than 1 MiB";
        return Err(NoLine::Unreadable(longer.to_owned()));
    }
    let line = String::from_utf8(line);
    let mut line = line.map_err(|_| {
        let not_text = "it wrote a line that is not UTF-8";
        NoLine::Unreadable(not_text.to_owned())
    })?;
    if !whole {
        return Err(NoLine::Cut(line));
    }
    line.pop();
    Ok(Some(line))
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
        assert_eq!(read(&whole), Ok(Some(longest - 1)));
        assert_eq!(read(b""), Ok(None));
        assert_eq!(read(b"\n"), Ok(Some(0)));
        assert_eq!(read(b"cut"), Err(NoLine::Cut("cut".to_owned())));
        whole[longest - 1] = b'x';
        let longer = NoLine::Unreadable("it wrote a line of more than 1 MiB".to_owned());
        assert_eq!(read(&whole), Err(longer));
        assert!(matches!(read(b"\xff\n"), Err(NoLine::Unreadable(_))));
    }
}

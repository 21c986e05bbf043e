//! A program with all that it starts.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// How often one looks whether it has ended.
const SLICE: Duration = Duration::from_millis(5);

/// A program in a process group of its own, where there are such. All of it is ended when
/// this is dropped.
#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    ended: bool,
}

impl Group {
    /// Starts a program, whose pipes are for [`child`](Self::child) to give.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        Ok(Group {
            child: command.spawn()?,
            ended: false,
        })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Ends it, and gives how it ended: by itself, if it had.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        // Once it was waited for, its number may be that of another group.
        if !self.ended {
            self.end_members();
            // It may have ended by itself.
            let _ = self.child.kill();
            self.ended = true;
        }
        self.child.wait()
    }

    /// How it ended by itself, if it does so by this time.
    pub(super) fn ended_by(&mut self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        loop {
            let status = self.child.try_wait()?;
            if status.is_some() || Instant::now() >= deadline {
                return Ok(status);
            }
            thread::sleep(SLICE);
        }
    }

    /// Ends what the program has started. A group can be ended without `unsafe` only by the
    /// command; where there is none, only the program itself is ended.
    #[cfg(unix)]
    fn end_members(&self) {
        use std::process::Stdio;

        let _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{}", self.child.id())])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }

    #[cfg(not(unix))]
    fn end_members(&self) {}
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

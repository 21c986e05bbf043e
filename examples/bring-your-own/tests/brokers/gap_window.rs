use bring_your_own::gap_window::GapWindow;
use retryproof::shadow::specification::{Answer, Operation, Settings};
use retryproof::shadow::{StateManager, SubjectFailure};

use crate::{answer, batch, is_caught, is_from_a_client};

#[derive(Default)]
struct Adapter(GapWindow);

impl StateManager for Adapter {
    fn name(&self) -> String {
        "the window that takes gaps".to_owned()
    }

    fn start(&mut self, _: &Settings) -> Result<(), SubjectFailure> {
        self.0 = GapWindow::default();
        Ok(())
    }

    fn supports(&self, operation: &Operation) -> bool {
        is_from_a_client(operation)
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure> {
        match *operation {
            Operation::Append {
                pid,
                epoch,
                seq,
                n,
                ts,
                ..
            } => Ok(answer(self.0.append(batch(pid, epoch, seq, n), ts), n)),
            Operation::Plain { n, .. } => {
                self.0 .0.end += n;
                Ok(Answer::Append(self.0 .0.end - n, self.0 .0.end - 1))
            }
            _ => Err(SubjectFailure::because("not supported")),
        }
    }
}

#[test]
fn a_gap_is_not_rejected() {
    is_caught(
        &mut Adapter::default(),
        &["gap-rejected", "sequence-per-partition"],
        2,
    );
}

use bring_your_own::window::{Producer, Window};
use retryproof::shadow::specification::{self, Answer, Fate, Operation, Origin, Settings, State};
use retryproof::shadow::{StateManager, SubjectFailure};

use crate::{answer, batch};

#[derive(Default)]
struct Adapter(Window);

impl StateManager for Adapter {
    fn name(&self) -> String {
        "the window".to_owned()
    }

    fn start(&mut self, _: &Settings) -> Result<(), SubjectFailure> {
        self.0 = Window::default();
        Ok(())
    }

    fn supports(&self, operation: &Operation) -> bool {
        match operation {
            Operation::Append { fate, .. } => *fate == Fate::Kept,
            other => matches!(other, Operation::Plain { .. } | Operation::Recreate),
        }
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure> {
        match *operation {
            Operation::Append {
                pid,
                epoch,
                seq,
                n,
                ts,
                origin,
                ..
            } => {
                let batch = batch(pid, epoch, seq, n);
                Ok(match origin {
                    Origin::Client => answer(self.0.append(batch, ts), n),
                    Origin::Replica => {
                        let first = self.0.write(batch, ts);
                        Answer::Append(first, first + n - 1)
                    }
                })
            }
            Operation::Plain { n, .. } => {
                self.0.end += n;
                Ok(Answer::Append(self.0.end - n, self.0.end - 1))
            }
            Operation::Recreate => {
                self.0 = Window::default();
                Ok(Answer::Ok)
            }
            _ => Err(SubjectFailure::because("not supported")),
        }
    }

    fn state(&mut self) -> Result<Option<State>, SubjectFailure> {
        let known = |(pid, known): (&i64, &Producer)| {
            let state = specification::Producer {
                epoch: known.epoch,
                last_timestamp: known.last_timestamp,
                batches: known.batches.iter().copied().collect(),
            };
            (*pid, state)
        };
        Ok(Some(self.0.producers.iter().map(known).collect()))
    }
}

retryproof::state_manager_suite!(Adapter::default);

use bring_your_own::bare_counter::BareCounter;
use retryproof::shadow::specification::{Answer, Operation, Settings};
use retryproof::shadow::{StateManager, SubjectFailure};

use crate::{answer, batch, is_caught, is_from_a_client};

#[derive(Default)]
struct Adapter(BareCounter);

impl StateManager for Adapter {
    fn name(&self) -> String {
        "the bare counter".to_owned()
    }

    fn start(&mut self, _: &Settings) -> Result<(), SubjectFailure> {
        self.0 = BareCounter::default();
        Ok(())
    }

    fn supports(&self, operation: &Operation) -> bool {
        is_from_a_client(operation)
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure> {
        match *operation {
            Operation::Append {
                pid, epoch, seq, n, ..
            } => Ok(answer(self.0.append(batch(pid, epoch, seq, n)), n)),
            Operation::Plain { n, .. } => {
                self.0.end += n;
                Ok(Answer::Append(self.0.end - n, self.0.end - 1))
            }
            _ => Err(SubjectFailure::because("not supported")),
        }
    }
}

#[test]
fn a_retry_that_is_out_of_order_is_not_recognised() {
    is_caught(&mut Adapter::default(), &["retry-recognised"], 2);
}

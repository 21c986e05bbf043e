//! The questions that the registry answers, in their order, in words.

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its id, as in [`super::Claim::question`].
    pub id: &'static str,
    /// The question; of a B, the condition that is dropped.
    pub words: &'static str,
}

const fn question(id: &'static str, words: &'static str) -> Question {
    Question { id, words }
}

/// All questions.
pub const QUESTIONS: &[Question] = &[
    question("A1", "Is 5 in flight safe?"),
    question("A2", "Why is 6 not?"),
    question(
        "A3",
        "Where is the border between in-flight limit and window?",
    ),
    question("A4", "Is a gap always rejected?"),
    question("A5", "Which broker rules need the window?"),
    question("A6", "What does idempotence buy?"),
    question(
        "B1",
        "the producer state survives a restart with the whole window",
    ),
    question(
        "B2",
        "one leader, and no more batches past an undecided one than the window holds",
    ),
    question("B3", "the broker knows the producer id"),
    question("B4", "the client gives no undecided batch a new identity"),
    question(
        "B5",
        "an epoch bump waits for what dead connections left over",
    ),
    question("B6", "the state does not expire while a batch is undecided"),
    question("B7", "epochs do not run out"),
    question(
        "B8",
        "sequences are compared across the wrap, and there are enough of them",
    ),
    question("B9", "validation does not refuse a retry"),
    question("B10", "connections are FIFO"),
    question("B11", "acks=all and clean elections"),
    question("B12", "no batch runs out of time"),
    question("B13", "a producer id belongs to one producer"),
    question(
        "B14",
        "sequences and epoch bumps are a matter of one partition",
    ),
    question("B15", "a retry is cut at the same boundaries"),
    question(
        "B16",
        "the broker changes its state after, and only if, the append succeeded",
    ),
    question("H", "What holds all the same"),
    question("C", "What would close the holes?"),
    question("museum", "Which published bugs are caught?"),
];

//! What readers tell beside batches, as findings and notes.

use super::Run;
use crate::audit::finding::Finding;
use crate::audit::kind::Kind;
use crate::audit::notes::{self, counted};
use crate::audit::{PassedOver, Place};

impl Run {
    pub(in crate::audit) fn damaged(
        &mut self,
        log: Option<usize>,
        place: Place,
        what: &'static str,
    ) {
        if let Some(log) = log {
            self.logs[log].lose_the_next();
        }
        let name = log.map_or("the log".into(), |log| self.logs[log].name.clone());
        self.findings.add(Kind::Corrupt, || Finding {
            kind: Kind::Corrupt,
            also: Vec::new(),
            place,
            log: name,
            producer: None,
            sequences: None,
            offsets: None,
            text: format!("no batch can be read here: {what}"),
        });
    }

    pub(in crate::audit) fn passed_over(&mut self, first: Place, lines: u64, why: PassedOver) {
        let (are, was) = if lines == 1 {
            ("is", "was")
        } else {
            ("are", "were")
        };
        let lines = counted(lines, "line");
        let text = match why {
            PassedOver::Noise => format!("{lines} from here on {are} no part of a dump and {was} passed over."),
            PassedOver::Payload => format!(
                "{lines} from here on, as of a dump but not continuing it, {was} taken for text of \
                 payloads. To be sure, dump without --print-data-log."
            ),
            PassedOver::Cut => "The line is cut off and was passed over: kafka-dump-log.sh gave up here, or the text was cut.".to_owned(),
            PassedOver::OtherFile => format!("{lines} from here on {are} of an index and {was} passed over."),
        };
        self.note(Some(first), text);
    }

    pub(in crate::audit) fn torn_tail(&mut self, log: Option<usize>, place: Place, bytes: u64) {
        match log {
            Some(log) => self.logs[log].torn_tail(place, bytes),
            None => self.note(Some(place), notes::torn(place, bytes)),
        }
    }
}

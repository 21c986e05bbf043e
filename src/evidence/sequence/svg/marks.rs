//! The signs of a chart: lines with their points, crosses, tags of epochs.

use super::super::Kind;

/// Length and half the width of a point.
const POINT: i32 = 9;
const HALF: i32 = 4;

/// The class of a kind of message.
pub fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Fresh => "fresh",
        Kind::Retry => "retry",
        Kind::Late => "late",
        Kind::Success => "success",
        Kind::Duplicate => "duplicate",
        Kind::Rejection => "rejection",
        Kind::Replication => "replication",
    }
}

/// The line of a message without a point.
pub fn line(kind: Kind, from: i32, to: i32, y: i32) -> String {
    let class = class(kind);
    format!("<path class=\"way {class}\" d=\"M{from} {y}H{to}\"/>")
}

/// The line of a message that arrives: requests have a filled point, those that nobody waits
/// for a hollow one, answers an open one.
pub fn way(kind: Kind, from: i32, to: i32, y: i32) -> String {
    let back = if to > from { -POINT } else { POINT };
    let (x, above, below) = (to + back, y - HALF, y + HALF);
    let class = class(kind);
    let (end, point) = match kind {
        Kind::Fresh | Kind::Retry | Kind::Late => (
            x,
            format!("<path class=\"point {class}\" d=\"M{x} {above}L{to} {y}L{x} {below}Z\"/>"),
        ),
        Kind::Success | Kind::Duplicate | Kind::Rejection | Kind::Replication => (
            to,
            format!("<path class=\"open point {class}\" d=\"M{x} {above}L{to} {y}L{x} {below}\"/>"),
        ),
    };
    line(kind, from, end, y) + &point
}

/// Something ends here.
pub fn cross(x: i32, y: i32) -> String {
    let (left, right, top, bottom) = (x - 6, x + 6, y - 6, y + 6);
    format!("<path class=\"cross\" d=\"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}\"/>")
}

/// The epoch of a request: the first is framed, later ones are filled.
pub fn tag(x: i32, y: i32, epoch: u8) -> String {
    let later = if epoch > 0 { " later" } else { "" };
    let (left, top, base) = (x - 9, y - 7, y + 4);
    format!(
        "<rect class=\"tag{later}\" x=\"{left}\" y=\"{top}\" width=\"18\" height=\"14\" rx=\"3\"/>\
         <text class=\"tag-text{later}\" x=\"{x}\" y=\"{base}\">e{epoch}</text>"
    )
}

//! Where things stand: columns, and how text is broken into lines.

/// Room for the numbers of steps, at the left.
pub const GUTTER: i32 = 30;
/// From the gutter to the first lifeline, and from the last one to the edge.
const SIDE: i32 = 40;
/// From one lifeline to the next. With three, the chart is as wide as a phone.
const GAP: i32 = 128;
/// Height of a line of text.
pub const LINE: i32 = 16;
/// Widths of letters in tenths, roughly, of the widest of the fonts that are asked for.
const TENTHS: i32 = 10;
const LETTER: i32 = 76;
const WIDE: i32 = 86;
const UNDERSCORE: i32 = 63;
const NARROW: i32 = 45;
/// How far the words of an arrow may stick out beyond it, both sides together.
pub const BEYOND: i32 = 24;
/// Room within a note, left and right of its text.
pub const WITHIN: i32 = 7;

/// The columns of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    lifelines: usize,
}

impl Layout {
    /// The columns for so many lifelines.
    pub fn of(lifelines: usize) -> Self {
        Layout { lifelines }
    }

    /// Where a lifeline stands.
    pub fn x(&self, lifeline: usize) -> i32 {
        GUTTER + SIDE + GAP * lifeline as i32
    }

    /// Width of the chart.
    pub fn width(&self) -> i32 {
        self.x(self.lifelines.saturating_sub(1)) + SIDE
    }

    /// A box of a width, in the middle over `x` unless it would stick out.
    pub fn within(&self, x: i32, width: i32) -> i32 {
        let rightmost = self.width() - 4 - width;
        (x - width / 2).min(rightmost).max(GUTTER)
    }
}

/// Width of a text, roughly: capitals and symbols take more room than other letters.
pub fn width(text: &str) -> i32 {
    let letters = text.chars().map(|letter| match letter {
        'A'..='Z' | 'm' | 'w' => WIDE,
        '_' => UNDERSCORE,
        ' ' | 'i' | 'l' | 'j' | 't' | 'f' | ',' | '.' | ':' => NARROW,
        letter if letter.is_ascii() => LETTER,
        _ => WIDE,
    });
    letters.sum::<i32>() / TENTHS
}

/// A text in lines of at most this width where it can be broken: at blanks, and behind the
/// underscores of Kafka's names.
pub fn lines(text: &str, room: i32) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for piece in text.split_inclusive([' ', '_']) {
        let longer = format!("{line}{}", piece.trim_end());
        if width(&longer) > room && !line.is_empty() {
            lines.push(line.trim_end().to_owned());
            line.clear();
        }
        line.push_str(piece);
    }
    lines.push(line.trim_end().to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_lifelines_are_as_wide_as_a_phone() {
        assert!(Layout::of(3).width() <= 370);
    }

    #[test]
    fn boxes_stay_in_the_chart() {
        let layout = Layout::of(3);
        let last = layout.x(2);
        assert_eq!(layout.within(layout.x(1), 100), layout.x(1) - 50);
        assert!(layout.within(last, 200) + 200 < layout.width());
        assert_eq!(layout.within(layout.x(0), 200), GUTTER);
    }

    #[test]
    fn names_of_kafka_are_broken_behind_an_underscore() {
        assert_eq!(
            lines("r2: OUT_OF_ORDER_SEQUENCE_NUMBER", 140),
            ["r2: OUT_OF_ORDER_", "SEQUENCE_NUMBER"]
        );
        assert_eq!(lines("", 140), [""]);
        assert_eq!(lines("unbreakable", 20), ["unbreakable"]);
    }
}

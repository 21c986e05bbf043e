//! The fields of a line: `name: value` with blanks between.

use std::fmt;

/// Why a line is not of its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BadLine {
    /// A field has a value that cannot be.
    Value {
        /// The field and its value, as they stand there.
        field: String,
    },
    /// A field is not known.
    Unknown {
        /// What stands in its place.
        field: String,
    },
    /// A field stands there twice.
    Twice {
        /// Its name.
        name: &'static str,
    },
    /// A field is missing.
    Missing {
        /// Its name.
        name: &'static str,
    },
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadLine::Value { field } => write!(f, "\"{field}\" cannot be"),
            BadLine::Unknown { field } => write!(f, "\"{field}\" is no field that is known"),
            BadLine::Twice { name } => write!(f, "{name} stands there twice"),
            BadLine::Missing { name } => write!(f, "{name} is missing"),
        }
    }
}

/// Most characters of a line that are repeated to say what is wrong.
const MOST_SHOWN: usize = 40;

/// Bytes as text that fits into a line.
pub(super) fn shown(bytes: &[u8]) -> String {
    let front = &bytes[..bytes.len().min(MOST_SHOWN)];
    String::from_utf8_lossy(front).replace(char::is_control, " ")
}

/// A field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    /// Its name.
    pub(super) name: &'a [u8],
    /// Its value, up to the next blank.
    pub(super) value: &'a [u8],
}

impl Field<'_> {
    /// The value as a number of this kind.
    #[inline]
    pub(super) fn number<N: TryFrom<i64>>(&self) -> Result<N, BadLine> {
        number(self.value)
            .and_then(|number| N::try_from(number).ok())
            .ok_or_else(|| self.bad())
    }

    /// The value as `true` or `false`.
    #[inline]
    pub(super) fn truth(&self) -> Result<bool, BadLine> {
        match self.value {
            b"true" => Ok(true),
            b"false" => Ok(false),
            _ => Err(self.bad()),
        }
    }

    /// That the value cannot be.
    pub(super) fn bad(&self) -> BadLine {
        BadLine::Value {
            field: format!("{}: {}", shown(self.name), shown(self.value)),
        }
    }
}

/// The fields of a line, from front to back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn of(line: &'a [u8]) -> Self {
        Fields(line)
    }

    /// What has not been read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.0
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, BadLine>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let Some(colon) = self
            .0
            .iter()
            .position(|byte| *byte == b':' || *byte == b' ')
        else {
            return Some(Err(BadLine::Unknown {
                field: shown(self.0),
            }));
        };
        let (name, rest) = self.0.split_at(colon);
        let Some(rest) = rest.strip_prefix(b": ") else {
            return Some(Err(BadLine::Unknown {
                field: shown(self.0),
            }));
        };
        let blank = rest.iter().position(|byte| *byte == b' ');
        let (value, rest) = match blank {
            Some(blank) => (&rest[..blank], &rest[blank + 1..]),
            None => (rest, &rest[rest.len()..]),
        };
        self.0 = rest;
        Some(Ok(Field { name, value }))
    }
}

/// A decimal number with or without a minus, and nothing else.
#[inline]
pub(super) fn number(text: &[u8]) -> Option<i64> {
    let (digits, is_negative) = match text {
        [b'-', digits @ ..] => (digits, true),
        digits => (digits, false),
    };
    // 18 digits always fit, and no number here has 19 that do not.
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    let mut number = 0_i64;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(i64::from(digit))?;
    }
    Some(if is_negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_digits_and_nothing_else() {
        for (text, expected) in [
            (&b"0"[..], Some(0)),
            (b"-1", Some(-1)),
            (b"9223372036854775807", Some(i64::MAX)),
            (b"9223372036854775808", None),
            (b"", None),
            (b"-", None),
            (b"1x", None),
            (b"+1", None),
            (b"00000000000000000000000001", None),
        ] {
            assert_eq!(number(text), expected, "{}", shown(text));
        }
    }

    #[test]
    fn fields_are_names_with_values() {
        let fields: Vec<_> = Fields::of(b"a: 1 b: x")
            .map(|field| field.map(|field| (field.name.to_vec(), field.value.to_vec())))
            .collect();
        assert_eq!(
            fields,
            [
                Ok((b"a".to_vec(), b"1".to_vec())),
                Ok((b"b".to_vec(), b"x".to_vec()))
            ]
        );
    }

    #[test]
    fn what_is_no_field_is_said() {
        for line in [&b"hello"[..], b"hello there: 1", b"hello:1"] {
            let first = Fields::of(line).next();
            assert!(matches!(first, Some(Err(BadLine::Unknown { .. }))));
        }
    }
}

//! Conditions on the values of columns (`--where`): which output lines are written.

use super::columns::Column;
use super::domain::Domain;
use super::value::Value;
use engine::error::InvalidInput;

/// A column, and the values that it must have or must not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub(crate) column: Column,
    is_negated: bool,
    values: Vec<Wanted>,
}

#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    Missing,
    /// Exactly this text.
    Text(String),
    /// A number from the first to the second, both included.
    Range(f64, f64),
}

impl Condition {
    /// Splits `COLUMN=VALUES` or `COLUMN!=VALUES`, into the column, true for `!=`, and the values.
    #[must_use]
    pub fn split(text: &str) -> Option<(&str, bool, &str)> {
        let (column, values) = text.split_once('=')?;
        let (column, is_negated) = match column.strip_suffix('!') {
            Some(column) => (column, true),
            None => (column, false),
        };
        Some((column.trim(), is_negated, values.trim()))
    }

    /// Returns a condition that holds for these values, separated by commas, or with `is_negated`
    /// for all others. `domain` is that of the column.
    ///
    /// # Errors
    /// Returns an error if the column cannot have one of the values.
    pub fn new(
        column: Column,
        is_negated: bool,
        values: &str,
        domain: &Domain<'_>,
    ) -> Result<Condition, InvalidInput> {
        let wanted = |value| Wanted::parse(value, domain).map_err(|it| it.of_column(&column));
        let values = values.split(',').map(str::trim).map(wanted).collect::<Result<_, _>>()?;
        Ok(Condition { column, is_negated, values })
    }

    /// Returns the names and other texts among the values.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.values.iter().filter_map(|value| match value {
            Wanted::Text(text) => Some(&**text),
            _ => None,
        })
    }

    /// Returns the column.
    #[must_use]
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// `value` is that of the column, as an output line shows it.
    pub(crate) fn holds(&self, value: &Value<'_>) -> bool {
        let text = value.to_text();
        let is_wanted = self.values.iter().any(|wanted| wanted.is(text.as_deref()));
        is_wanted != self.is_negated
    }
}

/// Why a text is no value of a column.
enum Unfit {
    Name(String),
    Number(String),
    EmptyRange(String),
    Empty,
}

impl Unfit {
    fn of_column(self, column: &Column) -> InvalidInput {
        match self {
            Unfit::Name(reason) => format!("the column {column} {reason}"),
            Unfit::Number(value) => format!(
                "'{value}' is no value of the column {column}; expected numbers or ranges, such as 3, 2..4, ..26 or 14.."
            ),
            Unfit::EmptyRange(value) => format!("no number is in {value}"),
            Unfit::Empty => "expected values separated by commas; - is no value".to_string(),
        }
        .into()
    }
}

impl Wanted {
    fn parse(value: &str, domain: &Domain<'_>) -> Result<Wanted, Unfit> {
        let text = || Ok(Wanted::Text(value.to_string()));
        match domain {
            _ if value.is_empty() => Err(Unfit::Empty),
            _ if value == "-" => Ok(Wanted::Missing),
            Domain::Names(names) if names.contains(&value) => text(),
            Domain::Names(names) => {
                let names = names.join(", ");
                Err(Unfit::Name(format!("is never '{value}'; its values are {names}")))
            }
            Domain::Texts => text(),
            Domain::Numbers | Domain::Fields => match (range(value), domain) {
                (Some((low, high)), _) if low > high => Err(Unfit::EmptyRange(value.to_string())),
                (Some((low, high)), _) => Ok(Wanted::Range(low, high)),
                (None, Domain::Fields) => text(),
                (None, _) => match Number::parse(value.as_bytes()) {
                    Some(Number { least, most }) if least == most => Ok(Wanted::Range(least, most)),
                    Some(_) => text(),
                    None => Err(Unfit::Number(value.to_string())),
                },
            },
        }
    }

    fn is(&self, text: Option<&[u8]>) -> bool {
        match (self, text) {
            (Wanted::Missing, text) => text.is_none(),
            (_, None) => false,
            (Wanted::Text(wanted), Some(text)) => wanted.as_bytes() == text,
            (Wanted::Range(low, high), Some(text)) => Number::parse(text)
                .is_some_and(|number| *low <= number.least && number.most <= *high),
        }
    }
}

/// Parses `2.6..4.4`, `..26` or `14..`. Returns `None` for a grid such as `1..4`, whose text
/// has more dots, and for `..`.
fn range(value: &str) -> Option<(f64, f64)> {
    let (low, high) = value.split_once("..")?;
    let bound = |text: &str, open| if text.is_empty() { Some(open) } else { decimal(text) };
    let is_open = low.is_empty() && high.is_empty();
    (!is_open).then_some(())?;
    Some((bound(low, f64::NEG_INFINITY)?, bound(high, f64::INFINITY)?))
}

/// The number of a value. `2+` is 2 or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    pub least: f64,
    pub most: f64,
}

impl Number {
    pub fn parse(text: &[u8]) -> Option<Number> {
        let text = str::from_utf8(text).ok()?;
        match text.strip_suffix('+') {
            Some(least) => Some(Number { least: decimal(least)?, most: f64::INFINITY }),
            None => decimal(text).map(|number| Number { least: number, most: number }),
        }
    }
}

/// `f64::from_str` also accepts `inf`, `nan`, `.5` and `4.`, and a range of the last two would look like a grid.
fn decimal(text: &str) -> Option<f64> {
    let is_part = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let has_bare_point = text.starts_with('.') || text.ends_with('.');
    text.parse().ok().filter(|_| text.bytes().all(is_part) && !has_bare_point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::classes::Classes;

    fn condition(text: &str) -> Result<Condition, InvalidInput> {
        let (name, is_negated, values) = Condition::split(text).unwrap();
        let column = Column::parse(name, &|_| true).unwrap();
        let classes = Classes::default();
        Condition::new(column.clone(), is_negated, values, &Domain::of(&column, &classes))
    }

    #[test]
    fn a_condition_holds_for_its_values_only() {
        for (text, held, others) in [
            ("class=hard,extreme", &["hard", "extreme"][..], &["easy", "-"][..]),
            ("class!=hard", &["easy", "-"], &["hard"]),
            ("class=-,easy", &["-", "easy"], &["hard"]),
            ("difficulty=2.6..4.4", &["2.6", "3.0", "4.4"], &["2.5", "4.5", "10.5", "-"]),
            ("difficulty=3", &["3.0"], &["3.1", "-"]),
            ("givens=..26", &["26", "0"], &["27", "-"]),
            ("level!=14..", &["13", "-"], &["14", "28"]),
            ("solutions=2..", &["2", "2+", "3"], &["1", "-"]),
            ("solutions=1..9", &["2"], &["2+", "10"]),
            ("solutions=2+", &["2+"], &["2", "3+"]),
            ("note=a b,..4", &["a b", "-3", "1e0"], &["a", "x", "5", "-"]),
            ("input.note=1..4.", &["1..4."], &["1", "2"]),
            ("puzzle=1..4", &["1..4"], &["2"]),
        ] {
            let condition = condition(text).unwrap();
            let holds = |value: &&&str| condition.holds(&Value::of_field(value.as_bytes()));
            assert_eq!(held.iter().find(|value| !holds(value)), None, "{text}");
            assert_eq!(others.iter().find(holds), None, "{text}");
        }
    }

    #[test]
    fn values_that_a_column_never_has_are_errors() {
        for (text, reason) in [
            (
                "class=hrad",
                "the column class is never 'hrad'; its values are easy, medium, hard, extreme",
            ),
            ("minimal=true", "the column minimal is never 'true'; its values are yes, no"),
            (
                "givens=few",
                "'few' is no value of the column givens; expected numbers or ranges, such as 3, 2..4, ..26 or 14..",
            ),
            ("givens=4..2", "no number is in 4..2"),
            ("id=9..7", "no number is in 9..7"),
            ("givens=", "expected values separated by commas; - is no value"),
        ] {
            assert_eq!(condition(text).unwrap_err().to_string(), reason, "{text}");
        }
    }
}

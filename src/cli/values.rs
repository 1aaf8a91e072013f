//! Parses the values of options, and escapes texts for other programs.

use std::fmt::Display;
use std::time::Duration;

use sudoku_filter::program::Level;
use sudoku_filter::{GuessLimit, Place, Rules, Status};

/// The statuses that lines can have without changing the exit status from 0 to 1.
#[derive(Debug, Default, PartialEq, Eq)]
pub enum Required {
    /// Without `--require`, the statuses that [`Status::is_good`] accepts.
    #[default]
    Good,
    Any,
    OneOf(Vec<Status>),
}

/// Sets an option to a parsed value, or returns the message of the error. If `option` is an
/// `Option` and the parsed value is not, `into` wraps the value in `Some`.
pub fn set<T, U: From<T>, E: Display>(option: &mut U, value: Result<T, E>) -> Result<(), String> {
    *option = value.map_err(|reason| reason.to_string())?.into();
    Ok(())
}

pub fn names<T>(table: &[(&'static str, T)]) -> Vec<&'static str> {
    table.iter().map(|(name, _)| *name).collect()
}

pub fn one_of<T: Copy>(table: &[(&'static str, T)], name: &str) -> Result<T, String> {
    let known = table.iter().find(|(known, _)| *known == name);
    known
        .map(|(_, value)| *value)
        .ok_or_else(|| format!("expected one of {}", names(table).join(", ")))
}

pub fn layout(value: &str) -> Result<String, String> {
    match value {
        "@" => Err("expected a file name after @".to_string()),
        _ => Ok(value.to_string()),
    }
}

/// Parses the shape of a box: `2x3` is 2 rows and 3 columns. A box must have 2 to 25 cells.
pub fn box_shape(value: &str) -> Result<(usize, usize), String> {
    let shape = value
        .split_once('x')
        .and_then(|(rows, columns)| Some((size(rows).ok()?, size(columns).ok()?)));
    match shape {
        Some((rows, columns)) if (2..=25).contains(&usize::saturating_mul(rows, columns)) => {
            Ok((rows, columns))
        }
        Some(_) => Err("a box has 2 to 25 cells".to_string()),
        None => Err("expected ROWSxCOLUMNS, such as 2x3".to_string()),
    }
}

/// Parses a cell: `r4c5`, `R4C5` or `4,5`. Row and column must be 1 to 25.
pub fn place(value: &str) -> Result<Place, String> {
    let numbers = match value.strip_prefix(['r', 'R']) {
        Some(rest) => rest.split_once(['c', 'C']),
        None => value.split_once(','),
    };
    let place = numbers.and_then(|(row, column)| Some((size(row).ok()?, size(column).ok()?)));
    match place {
        Some((row @ 1..=Rules::MAX_SIDE, column @ 1..=Rules::MAX_SIDE)) => {
            Ok(Place { row, column })
        }
        _ => Err("expected a cell, such as r4c5 or 4,5 (row, column)".to_string()),
    }
}

pub fn statuses(list: &str) -> Result<Vec<Status>, String> {
    let status = |name: &str| {
        one_of(&Status::NAMES, name).map_err(|_| {
            let known = names(&Status::NAMES).join(", ");
            format!("unknown status '{name}'; the statuses are {known}")
        })
    };
    list.split(',').map(status).collect()
}

pub fn required(list: &str) -> Result<Required, String> {
    let (any, others): (Vec<&str>, Vec<&str>) = list.split(',').partition(|name| *name == "any");
    if any.is_empty() {
        return Ok(Required::OneOf(statuses(list)?));
    }
    // Statuses beside `any` change nothing, but must be names of statuses.
    if !others.is_empty() {
        statuses(&others.join(","))?;
    }
    Ok(Required::Any)
}

/// Parses a number up to `u64::MAX`. Where `usize` has 32 bits, more becomes `usize::MAX`.
pub fn size(value: &str) -> Result<usize, String> {
    number(value).map(saturated)
}

pub fn size_from_1(value: &str) -> Result<usize, String> {
    number_from_1(value).map(saturated)
}

fn saturated(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub fn guess_limit(value: &str) -> Result<GuessLimit, String> {
    Ok(match number(value)? {
        0 => GuessLimit::None,
        number => GuessLimit::Guesses(number),
    })
}

pub fn number(value: &str) -> Result<u64, String> {
    number_from(0, "expected a number", value)
}

pub fn number_from_1(value: &str) -> Result<u64, String> {
    number_from(1, "expected a number of 1 or more", value)
}

/// The largest number that browsers count to is 2^31.
pub fn figure_number(value: &str) -> Result<u32, String> {
    let number = number_from_1(value)?.try_into();
    number
        .ok()
        .filter(|number| *number <= MAX_FIGURE)
        .ok_or(format!("the largest number is {MAX_FIGURE}"))
}

const MAX_FIGURE: u32 = 1_000_000_000;

/// Accepts language tags as HTML has them: words of letters and digits with hyphens between them.
pub fn language(value: &str) -> Result<String, String> {
    let is_word = |word: &str| {
        (1..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    match value.split('-').all(is_word) {
        true => Ok(value.to_string()),
        false => Err("expected a language tag, such as de or pt-BR".to_string()),
    }
}

fn number_from(min: u64, expected: &str, value: &str) -> Result<u64, String> {
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected.to_string());
    }
    match value.parse() {
        Ok(number) if number >= min => Ok(number),
        Ok(_) => Err(expected.to_string()),
        // A string of digits fails to parse only if the number is too large.
        Err(_) => Err(format!("the largest number is {}", u64::MAX)),
    }
}

/// With or without a fraction. Returns `None` for 0, `Duration::MAX` if the number is too large.
pub fn seconds(value: &str) -> Result<Option<Duration>, String> {
    // `f64::from_str` also accepts signs, exponents, `inf` and `nan`.
    let is_decimal = value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = match value.parse() {
        Ok(seconds) if is_decimal => seconds,
        _ => return Err("expected a number of seconds, such as 0.5".to_string()),
    };
    if seconds == 0.0 {
        return Ok(None);
    }
    let time = Duration::try_from_secs_f64(seconds);
    Ok(Some(time.unwrap_or(Duration::MAX)))
}

pub fn level(value: &str) -> Result<Level, String> {
    match value {
        "auto" => Ok(Level::best()),
        name if Level::NAMES.contains(&name) => {
            Level::named(name).ok_or_else(|| "this machine does not support it".to_string())
        }
        _ => Err(format!("expected one of auto, {}", Level::NAMES.join(", "))),
    }
}

/// Returns the text with a backslash before each of the `special` characters.
pub fn escaped(text: &str, special: &[char]) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if special.contains(&letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

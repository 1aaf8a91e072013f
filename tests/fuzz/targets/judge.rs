//! Checks output lines against the documented behaviour; shares no code with the library.

use super::plain;

/// A valid puzzle.
pub struct Puzzle {
    side: usize,
    sets: Vec<Vec<usize>>,
    /// The candidates of each cell: bit d-1 is digit d.
    allowed: Vec<u32>,
    /// The puzzle as the output shows it.
    pub text: Vec<u8>,
    /// The layout on the line, whether or not the variant uses one.
    pub labels: Option<Vec<u8>>,
}

impl Puzzle {
    /// Reads a puzzle and its labels; `None` if it is invalid.
    pub fn read(variants: &str, field: &[u8], labels: Option<&[u8]>) -> Option<Puzzle> {
        let jigsaw = variants.contains("jigsaw");
        let (mut text, mut labels) = (field.to_vec(), labels.map(<[u8]>::to_vec));
        if field.starts_with(b"SumoCueV1") {
            let (puzzle, own_labels) = plain::sumocue(field)?;
            if own_labels.is_some() && !jigsaw {
                return None;
            }
            (text, labels) = (puzzle, own_labels.or(labels));
        } else if jigsaw && is_puzzle_with_layout(field) {
            labels = Some(text.split_off(text.len() / 2));
        }
        if text.contains(&b'+') {
            let is_known = |cells: usize| {
                let side = cells.isqrt();
                side * side == cells
                    && (2..=25).contains(&side)
                    && (jigsaw || plain::usual_box(side).is_some())
            };
            text = plain::without_plus(&text, is_known);
        }
        let pencilmarks = text.len() == 729;
        let side = if pencilmarks { 9 } else { text.len().isqrt() };
        let has_valid_side = if jigsaw {
            (2..=25).contains(&side)
        } else {
            plain::usual_box(side).is_some()
        };
        let fits_windows = !variants.contains("window") || side.isqrt().pow(2) == side;
        let has_layout = labels
            .as_ref()
            .is_some_and(|labels| plain::is_layout(labels, side, false));
        if !has_valid_side || !fits_windows || jigsaw && !has_layout {
            return None;
        }
        let allowed = if pencilmarks {
            plain::pencilmarks(&text)?
        } else {
            let digits = plain::digits(&text, side).filter(|digits| digits.len() == side * side)?;
            digits
                .into_iter()
                .map(|digit| candidates_of(digit, side))
                .collect()
        };
        Some(Puzzle {
            side,
            sets: plain::sets(side, labels.as_deref().filter(|_| jigsaw), variants),
            allowed,
            text,
            labels,
        })
    }

    /// Returns whether a grid solves the puzzle; `None` if it is no grid of this size.
    fn is_right(&self, grid: &[u8]) -> Option<bool> {
        let digits =
            plain::digits(grid, self.side).filter(|digits| digits.len() == self.allowed.len())?;
        let allowed = |(&digit, &digits): (&u8, &u32)| digit != 0 && digits >> (digit - 1) & 1 == 1;
        let sets: Vec<u32> = digits
            .iter()
            .map(|&digit| candidates_of(digit, self.side))
            .collect();
        Some(
            digits.iter().zip(&self.allowed).all(allowed)
                && plain::solutions(self.side, &self.sets, &sets, 0) == Some(1),
        )
    }

    /// Asserts that an output line with this grid and this status is right.
    pub fn judge(&self, shown: &[u8], status: &[u8]) {
        let context = || {
            format!(
                "{} {}",
                self.text.escape_ascii(),
                [shown, status].concat().escape_ascii()
            )
        };
        let found = match status {
            b"none" => 0,
            b"unique" => 1,
            b"multiple" => 2,
            b"unknown" => return assert_eq!(shown, self.text, "{}", context()),
            _ => panic!("{}", context()),
        };
        if found == 0 {
            assert_eq!(shown, self.text, "{}", context());
        } else {
            assert_eq!(self.is_right(shown), Some(true), "{}", context());
            self.judge_case(shown);
        }
        if let Some(expected) = plain::solutions(self.side, &self.sets, &self.allowed, 20_000) {
            assert_eq!(found, expected, "{}", context());
        }
    }

    /// Asserts that the letters of a solution have the case of the puzzle's first letter, and are capitals if it has
    /// none.
    fn judge_case(&self, shown: &[u8]) {
        // An `x` can be a blank.
        let is_digit = |byte: &&u8| byte.is_ascii_alphabetic() && **byte != b'x';
        let is_lower_case = self
            .text
            .iter()
            .find(is_digit)
            .is_some_and(u8::is_ascii_lowercase);
        let has_right_case =
            |byte: &u8| !byte.is_ascii_alphabetic() || byte.is_ascii_lowercase() == is_lower_case;
        assert!(
            shown.iter().all(has_right_case),
            "{} {}",
            self.text.escape_ascii(),
            shown.escape_ascii()
        );
    }

    /// Returns the expected status of an answer.
    pub fn verdict_of(&self, answer: &[u8]) -> &'static str {
        match self.is_right(answer) {
            Some(true) => "correct",
            Some(false) => "incorrect",
            None => "invalid",
        }
    }
}

/// True if a field holds a puzzle followed by its layout.
fn is_puzzle_with_layout(field: &[u8]) -> bool {
    let side = (field.len() / 2).isqrt();
    field.len() == 2 * side * side && (2..=25).contains(&side)
}

/// Returns the candidates of a cell in which `digit` was read.
fn candidates_of(digit: u8, side: usize) -> u32 {
    match digit {
        0 => (1 << side) - 1,
        digit => 1 << (digit - 1),
    }
}

/// True if a puzzle field contains its labels, so that the next field is no layout.
pub fn contains_labels(field: &[u8]) -> bool {
    is_puzzle_with_layout(field) || field.starts_with(b"SumoCueV1")
}

/// An input line, or a record of several lines, and its expected output.
pub struct Expected<'a> {
    /// The text as it came.
    pub line: &'a [u8],
    /// Its number in its file.
    pub number: u64,
    /// `None` if it is invalid.
    pub puzzle: Option<Puzzle>,
    pub answer: Option<Vec<u8>>,
    pub verifies: bool,
}

impl Expected<'_> {
    /// Returns the expected status if it follows from the input alone.
    fn known(&self) -> Option<&'static str> {
        let Some(puzzle) = &self.puzzle else {
            return Some("invalid");
        };
        let answer = self.answer.as_deref().unwrap_or_default();
        self.verifies.then(|| puzzle.verdict_of(answer))
    }

    pub fn is_invalid(&self) -> bool {
        self.known() == Some("invalid")
    }

    /// Checks the columns of an output line by their names. Returns true for each column that this function knows.
    pub fn judge(&self, columns: &[&str], fields: &[Vec<u8>]) -> Vec<bool> {
        let context = || format!("{} {fields:?}", self.line.escape_ascii());
        assert_eq!(columns.len(), fields.len(), "{}", context());
        let field = |name: &str| {
            let index = columns.iter().position(|column| *column == name);
            index.map(|index| fields[index].as_slice())
        };
        let status = field("status").expect("the columns always include it");
        if let Some(known) = self.known() {
            assert_eq!(status, known.as_bytes(), "{}", context());
        }
        let invalid = self.is_invalid();
        let first_grid = columns
            .iter()
            .position(|column| ["solution", "answer", "puzzle"].contains(column));
        let or_dash = |field: &[u8]| {
            if field.is_empty() {
                b"-".to_vec()
            } else {
                field.to_vec()
            }
        };
        let is_known = |(index, (column, field)): (usize, (&&str, &Vec<u8>))| {
            let expected = match (*column, &self.puzzle) {
                ("status", _) => return true,
                ("line", _) => self.number.to_string().into_bytes(),
                ("input", _) => {
                    let same = plain::without_mark(field) == plain::without_mark(self.line);
                    assert!(same, "{}", context());
                    return true;
                }
                ("reason", _) => {
                    let has_reason = invalid || status == b"incorrect";
                    assert_eq!(field != b"-", has_reason, "{}", context());
                    return true;
                }
                _ if invalid && first_grid == Some(index) => {
                    let tab = |byte: &u8| if *byte == b'\t' { b' ' } else { *byte };
                    self.line.iter().map(tab).collect()
                }
                _ if invalid => b"-".to_vec(),
                ("puzzle", Some(puzzle)) => puzzle.text.clone(),
                ("regions", Some(puzzle)) => or_dash(puzzle.labels.as_deref().unwrap_or_default()),
                ("answer", Some(_)) => or_dash(self.answer.as_deref().unwrap_or_default()),
                ("solution", Some(puzzle)) if !self.verifies => {
                    puzzle.judge(field, status);
                    return true;
                }
                _ => return false,
            };
            assert_eq!(
                field.escape_ascii().to_string(),
                expected.escape_ascii().to_string(),
                "{column}: {}",
                context()
            );
            true
        };
        columns
            .iter()
            .zip(fields)
            .enumerate()
            .map(is_known)
            .collect()
    }
}

//! What may be said of a puzzle, by the contract alone.

use super::plain;

/// A puzzle that is none of the invalid ones.
pub struct Puzzle {
    side: usize,
    sets: Vec<Vec<usize>>,
    /// The digits that each cell may take: bit d-1 for d.
    allowed: Vec<u32>,
    /// As rows show it.
    pub text: Vec<u8>,
    /// The layout beside it, whether or not the variant has one.
    pub labels: Option<Vec<u8>>,
}

impl Puzzle {
    /// A puzzle and the labels beside it; nothing if it is invalid.
    pub fn read(variants: &str, field: &[u8], labels: Option<&[u8]>) -> Option<Puzzle> {
        let jigsaw = variants.contains("jigsaw");
        let (mut text, mut labels) = (field.to_vec(), labels.map(<[u8]>::to_vec));
        if field.starts_with(b"SumoCueV1") {
            let (puzzle, its_own) = plain::sumocue(field)?;
            if its_own.is_some() && !jigsaw {
                return None;
            }
            (text, labels) = (puzzle, its_own.or(labels));
        } else if jigsaw && is_glued(field) {
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
        let sized = if jigsaw {
            (2..=25).contains(&side)
        } else {
            plain::usual_box(side).is_some()
        };
        let windowed = !variants.contains("window") || side.isqrt().pow(2) == side;
        let laid_out = labels
            .as_ref()
            .is_some_and(|labels| plain::is_layout(labels, side, false));
        if !sized || !windowed || jigsaw && !laid_out {
            return None;
        }
        let allowed = if pencilmarks {
            plain::pencilmarks(&text)?
        } else {
            let digits = plain::digits(&text, side).filter(|digits| digits.len() == side * side)?;
            digits
                .into_iter()
                .map(|digit| may_be(digit, side))
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

    /// Whether a grid is right; nothing if it is no grid of this size.
    fn is_right(&self, grid: &[u8]) -> Option<bool> {
        let digits =
            plain::digits(grid, self.side).filter(|digits| digits.len() == self.allowed.len())?;
        let allowed = |(&digit, &digits): (&u8, &u32)| digit != 0 && digits >> (digit - 1) & 1 == 1;
        let each: Vec<u32> = digits
            .iter()
            .map(|&digit| may_be(digit, self.side))
            .collect();
        Some(
            digits.iter().zip(&self.allowed).all(allowed)
                && plain::solutions(self.side, &self.sets, &each, 0) == Some(1),
        )
    }

    /// Whether a row that says this of it, and shows this, may be right.
    pub fn judge(&self, shown: &[u8], status: &[u8]) {
        let what = || {
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
            b"unknown" => return assert_eq!(shown, self.text, "{}", what()),
            _ => panic!("{}", what()),
        };
        if found == 0 {
            assert_eq!(shown, self.text, "{}", what());
        } else {
            assert_eq!(self.is_right(shown), Some(true), "{}", what());
            self.judge_case(shown);
        }
        if let Some(expected) = plain::solutions(self.side, &self.sets, &self.allowed, 20_000) {
            assert_eq!(found, expected, "{}", what());
        }
    }

    /// A solution has the case of the puzzle's first letter, and capitals where it has none.
    fn judge_case(&self, shown: &[u8]) {
        // A blank may be an `x`.
        let is_digit = |byte: &&u8| byte.is_ascii_alphabetic() && **byte != b'x';
        let small = self
            .text
            .iter()
            .find(is_digit)
            .is_some_and(u8::is_ascii_lowercase);
        let right = |byte: &u8| !byte.is_ascii_alphabetic() || byte.is_ascii_lowercase() == small;
        assert!(
            shown.iter().all(right),
            "{} {}",
            self.text.escape_ascii(),
            shown.escape_ascii()
        );
    }

    /// What is to be said of an answer.
    pub fn verdict_of(&self, answer: &[u8]) -> &'static str {
        match self.is_right(answer) {
            Some(true) => "correct",
            Some(false) => "incorrect",
            None => "invalid",
        }
    }
}

/// Whether a field of a line is a puzzle and its layout in one.
fn is_glued(field: &[u8]) -> bool {
    let side = (field.len() / 2).isqrt();
    field.len() == 2 * side * side && (2..=25).contains(&side)
}

/// The digits a cell may take where this one was read.
fn may_be(digit: u8, side: usize) -> u32 {
    match digit {
        0 => (1 << side) - 1,
        digit => 1 << (digit - 1),
    }
}

/// Whether a puzzle of the field has its labels in it, so that the next field is none.
pub fn brings_labels(field: &[u8]) -> bool {
    is_glued(field) || field.starts_with(b"SumoCueV1")
}

/// A line, or what stands for one, and what is to come of it.
pub struct Expected<'a> {
    /// As it came.
    pub line: &'a [u8],
    /// Its number in its file.
    pub number: u64,
    /// Nothing if it is invalid.
    pub puzzle: Option<Puzzle>,
    pub answer: Option<Vec<u8>>,
    pub verifies: bool,
}

impl Expected<'_> {
    /// The verdict, where it is known beforehand.
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

    /// Judges the columns of a row, by their names; true of each that is known here.
    pub fn judge(&self, columns: &[&str], fields: &[Vec<u8>]) -> Vec<bool> {
        let what = || format!("{} {fields:?}", self.line.escape_ascii());
        assert_eq!(columns.len(), fields.len(), "{}", what());
        let field = |name: &str| {
            let index = columns.iter().position(|column| *column == name);
            index.map(|index| fields[index].as_slice())
        };
        let status = field("status").expect("it is always asked for");
        if let Some(known) = self.known() {
            assert_eq!(status, known.as_bytes(), "{}", what());
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
        let one = |(index, (column, field)): (usize, (&&str, &Vec<u8>))| {
            let expected = match (*column, &self.puzzle) {
                ("status", _) => return true,
                ("line", _) => self.number.to_string().into_bytes(),
                ("input", _) => {
                    let same = plain::without_mark(field) == plain::without_mark(self.line);
                    assert!(same, "{}", what());
                    return true;
                }
                ("reason", _) => {
                    let none = invalid || status == b"incorrect";
                    assert_eq!(field != b"-", none, "{}", what());
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
                what()
            );
            true
        };
        columns.iter().zip(fields).enumerate().map(one).collect()
    }
}

//! Recognises damaged 4x4 and 6x6 puzzles on a line with other text. They are as short as
//! words of any text, so they are looked for only on lines of the form of one with a whole puzzle:
//!
//! ```text
//!     easy 56.2.4...3.1..6.42..1.5...4.2.6.15.3      form `a `, side 6
//!     hard ..6...34.....1.4..                        18 cells in a line of this form
//!     page 12...14                                   too few
//! ```

use super::line::{DrawingAlphabet, DrawnLine, RowLine};
use super::words::{are_gaps_of_grid, is_end_of_word, most_common};

/// A longer line has no small puzzle that is looked for.
const MAX_LINE: usize = 200;
const SIDES: [usize; 2] = [4, 6];

/// The form of the last line with a small puzzle, and the side of the puzzle.
#[derive(Default)]
pub struct SmallPuzzles {
    form: String,
    side: usize,
    has_damaged: bool,
}

/// The cells of a line whose form is that of a line with a puzzle.
pub enum SmallPuzzle {
    /// A 4x4 after a damaged one. Before, two of them beside each other are read as rows.
    Whole(Vec<String>),
    Damaged {
        cells: String,
        side: usize,
    },
}

impl SmallPuzzles {
    /// Looks for a puzzle on a line that is parsed, and remembers the form of the line.
    pub fn read(
        &mut self,
        alphabet: &DrawingAlphabet,
        line: &[u8],
        parsed: &DrawnLine,
    ) -> Option<SmallPuzzle> {
        let is_candidate = match parsed {
            DrawnLine::Row(row) => row.plain_width == 0 && !row.is_damaged_grid,
            DrawnLine::Grid(cells) => SIDES.contains(&cells.len().isqrt()),
            DrawnLine::Text => self.side > 0,
            _ => false,
        };
        if !is_candidate || line.len() > MAX_LINE {
            return None;
        }
        let line = String::from_utf8_lossy(line);
        let (word, form) = word_and_form(alphabet, line.trim())?;
        let side = word.len().isqrt();
        if side * side == word.len() && SIDES.contains(&side) && are_cells(alphabet, word, side, 0)
        {
            let is_whole = self.has_damaged && side == 4 && form == self.form;
            (self.form, self.side) = (form, side);
            return is_whole.then(|| SmallPuzzle::Whole(word.chars().map(String::from).collect()));
        }
        let cells = self.side * self.side;
        let is_damaged = self.side > 0
            && form == self.form
            && word.len() != cells
            && (cells / 2..=2 * cells).contains(&word.len())
            && !matches!(parsed, DrawnLine::Grid(_))
            && are_cells(alphabet, word, self.side, 1);
        self.has_damaged |= is_damaged;
        is_damaged.then(|| SmallPuzzle::Damaged { cells: word.into(), side: self.side })
    }

    /// Returns the cells of a row that can be a whole 4x4.
    pub fn whole(&self, alphabet: &DrawingAlphabet, row: &RowLine) -> Option<Vec<String>> {
        let word: String = alphabet.symbols(&row.text).collect();
        let is_whole = self.side == 4 && word.len() == 16 && are_cells(alphabet, &word, 4, 0);
        is_whole.then(|| word.chars().map(String::from).collect())
    }
}

/// Returns the first word of a line in which digits and blank cells alternate, and the text beside
/// it, with an `a` for all letters and a `0` for all digits of a word. There must be such text.
fn word_and_form<'l>(alphabet: &DrawingAlphabet, line: &'l str) -> Option<(&'l str, String)> {
    let is_puzzle = |word: &&str| {
        word.len() >= 8 && word.is_ascii() && {
            let is_blank = |it: &char| alphabet.value(*it) == Some(0);
            let blank = most_common(word.chars().filter(is_blank));
            3 * word.matches(blank).count() >= word.len() && are_gaps_of_grid(word, blank, 2)
        }
    };
    let word = line.split(is_end_of_word).find(is_puzzle)?;
    let begin = word.as_ptr().addr() - line.as_ptr().addr();
    let beside = [&line[..begin], " ", &line[begin + word.len()..]].concat();
    let mut form = String::new();
    for symbol in beside.chars() {
        let symbol = match symbol {
            _ if symbol.is_alphabetic() => 'a',
            _ if symbol.is_numeric() => '0',
            _ => symbol,
        };
        if !form.ends_with(symbol) {
            form.push(symbol);
        }
    }
    (!form.trim().is_empty()).then_some((word, form))
}

/// Returns true for cells of a puzzle of `side`, of which so many can be wrong.
fn are_cells(alphabet: &DrawingAlphabet, word: &str, side: usize, wrong: usize) -> bool {
    let values = || word.chars().map(|it| alphabet.value(it));
    values().filter(|value| value.is_none_or(|it| it > side)).count() <= wrong
        && values().any(|value| value > Some(0))
}

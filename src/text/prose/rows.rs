//! Finds rows in a line of an answer.

use crate::text::one_line::read_cells;
use crate::text::symbols::Alphabet;

/// A row of the grid, or a whole grid, in a line of text.
pub struct Row {
    pub symbols: Vec<u8>,
    /// The words before it on its line, from the row before it on.
    pub words: Vec<String>,
    /// True if words follow it, the last row of its line.
    pub precedes_words: bool,
    /// True if it is not the first row of its line.
    pub is_beside_row: bool,
    /// True if an empty line precedes it.
    pub is_after_blank: bool,
    /// True if a line such as `Columns:` precedes it.
    pub is_after_heading: bool,
}

impl Row {
    /// The maximum number of words of a label. Without it, long lines would take quadratic time.
    const MAX_WORDS: usize = 20;

    /// Returns whether words precede this row that do not fit those of the row above. `First row:`
    /// and `Second row:` fit.
    pub fn has_other_words(&self, above: &Row) -> bool {
        let is_label = self.words.len() <= Self::MAX_WORDS && self.words.len() == above.words.len();
        let fits = is_label && self.words.iter().any(|word| above.words.contains(word));
        !self.words.is_empty() && !fits
    }
}

/// Reads rows of a puzzle.
pub struct RowReader<'s> {
    pub side: usize,
    pub alphabet: &'s Alphabet,
    pub puzzle_blank: u8,
}

impl RowReader<'_> {
    /// Returns 0 for a blank cell.
    pub fn digit_of(&self, symbol: char) -> Option<usize> {
        let symbol = u8::try_from(symbol).ok()?;
        let can_be_blank = symbol == self.puzzle_blank || b".0_?".contains(&symbol);
        match self.alphabet.digit_of(symbol)? {
            0 => can_be_blank.then_some(0),
            digit => (digit <= self.side).then_some(digit),
        }
    }

    /// Returns the rows and grids of a line. A line about a column or a box has none: such text
    /// usually repeats parts of the grid to check them.
    pub fn rows(&self, line: &str) -> Vec<Row> {
        let house = named_house(line).filter(|_| !self.begins_with_row(line));
        let is_labelled_row = house.as_deref() == Some("row");
        if house.is_some() && !is_labelled_row {
            return Vec::new();
        }
        let mut rows = self.runs(without_item_number(line));
        // `Row 1, columns 1 to 9: ...` is a row. A whole grid can follow any words.
        let is_row = |index: usize, row: &Row| {
            let is_labelled = is_labelled_row && index == 0;
            is_labelled || row.symbols.len() > self.side || !row.words.iter().any(is_column_or_box)
        };
        if let Some(end) = (0..rows.len()).find(|&index| !is_row(index, &rows[index])) {
            rows.truncate(end);
        }
        rows
    }

    fn begins_with_row(&self, line: &str) -> bool {
        let is_end = |symbol| self.digit_of(symbol).is_none() && !is_separator(symbol);
        let run = line.split(is_end).next();
        run.and_then(|run| self.rows_or_grids(run)).is_some()
    }

    /// Returns the runs of a line that are rows or grids.
    pub fn runs(&self, line: &str) -> Vec<Row> {
        // A `-` between single symbols, as in `1-3-4-2`, is a separator.
        let line = self.without_hyphens(line);
        let is_end = |symbol| self.digit_of(symbol).is_none() && !is_separator(symbol);
        let mut rows = Vec::new();
        let mut start = 0;
        let mut end_of_row = 0;
        for part in line.split_inclusive(is_end) {
            let text = part.trim_end_matches(is_end);
            let follows_letter = line[..start].ends_with(char::is_alphabetic);
            // Digits right after a letter can be the end of a label, as in `R1 | 5 | 3 | 4`.
            let without_label = text.trim_start_matches(|it| self.digit_of(it).is_some());
            let row = self.rows_or_grids(text);
            let after_label =
                || follows_letter.then(|| self.rows_or_grids(without_label)).flatten();
            if let Some(symbols) = row.or_else(after_label) {
                let mut words = words(&line[end_of_row..start]);
                let grid = self.side * self.side;
                let is_grid = symbols.len().is_multiple_of(grid);
                for symbols in symbols.chunks(if is_grid { grid } else { self.side }) {
                    rows.push(Row {
                        symbols: symbols.to_vec(),
                        words: std::mem::take(&mut words),
                        precedes_words: false,
                        is_beside_row: !rows.is_empty(),
                        is_after_blank: false,
                        is_after_heading: false,
                    });
                }
                end_of_row = start + text.len();
            }
            start += part.len();
        }
        if let Some(last) = rows.last_mut() {
            last.precedes_words = !words(&line[end_of_row..]).is_empty();
        }
        rows
    }

    /// Replaces each `-` between two symbols that have no other symbol or letter beside them.
    fn without_hyphens(&self, line: &str) -> String {
        let bytes = line.as_bytes();
        let is_part = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_alphanumeric);
        let is_hyphen = |index: usize| {
            bytes[index] == b'-'
                && index > 0
                && is_part(index - 1)
                && is_part(index + 1)
                && !(index > 1 && is_part(index - 2))
                && !is_part(index + 2)
        };
        if self.digit_of('-').is_some() {
            return line.to_string();
        }
        let symbols = line.char_indices();
        symbols.map(|(index, symbol)| if is_hyphen(index) { ' ' } else { symbol }).collect()
    }

    /// Returns the symbols of a run, or `None` if they are no rows.
    fn rows_or_grids(&self, text: &str) -> Option<Vec<u8>> {
        let run = self.numbers(text).or_else(|| {
            let symbols = text.chars().filter(|&symbol| self.digit_of(symbol).is_some());
            let mut run: Vec<u8> = symbols.map(|symbol| symbol as u8).collect();
            // A `.` or `?` that makes the run too long by one is the end of a sentence, not a cell.
            let ends_sentence = matches!(run.last(), Some(b'.' | b'?'));
            if ends_sentence && self.are_rows(run.len() - 1) {
                run.pop();
            }
            self.are_rows(run.len()).then_some(run)
        })?;
        let has_digit = run.iter().any(|&symbol| self.digit_of(symbol.into()) > Some(0));
        has_digit.then_some(run)
    }

    fn are_rows(&self, length: usize) -> bool {
        length > 0 && length.is_multiple_of(self.side)
    }

    fn numbers(&self, text: &str) -> Option<Vec<u8>> {
        // Up to 9x9, two digits are two cells.
        if self.side <= 9 {
            return None;
        }
        let parts = text.split(is_separator).filter(|part| !part.is_empty());
        let mut parts: Vec<&[u8]> = parts.map(str::as_bytes).collect();
        if let Some(last) = parts.last_mut()
            && let [number @ .., b'.' | b'?'] = *last
            && !number.is_empty()
        {
            *last = number; // The end of a sentence.
        }
        let is_complete = self.are_rows(parts.len());
        is_complete.then(|| read_cells(&parts, self.side, self.alphabet)).flatten()
    }
}

pub fn is_separator(symbol: char) -> bool {
    // The last two make an emoji of a digit.
    " \t\r\u{a0}|,;/'\"`()[]{}*&\\\u{fe0f}\u{20e3}".contains(symbol)
        || ('\u{2500}'..='\u{257f}').contains(&symbol)
}

pub fn is_border(symbol: char) -> bool {
    is_separator(symbol) || "+-=_:$".contains(symbol)
}

/// Returns a line without the number of a list item at its beginning, such as `1. ` or `(1) `.
fn without_item_number(line: &str) -> &str {
    let text = line.trim_start_matches([' ', '\t', '(']);
    let after = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    let rest = after.strip_prefix(". ").or_else(|| after.strip_prefix(") "));
    let has_number = after.len() < text.len();
    rest.filter(|_| has_number).unwrap_or(line)
}

/// Returns the kind of house in lower case, as in `Row 3: ...` or `**Columns:**`.
pub fn named_house(line: &str) -> Option<String> {
    let text = line.trim_start_matches(|symbol: char| !symbol.is_alphanumeric());
    // The number of a list item can precede the label, but `1C3...` is a row.
    let text = without_item_number(text);
    let (word, after) = text.split_at(text.find(|it: char| !it.is_alphabetic())?);
    let word = word.to_ascii_lowercase();
    // `C1: ...` is about a column, but `C: ...` can be the third row.
    let is_column = word == "c" && after.starts_with(|it: char| it.is_ascii_digit());
    let after = after.trim_start_matches([' ', '*', '#']);
    let without_number = after.trim_start_matches(|it: char| it.is_ascii_digit());
    let number_length = after.len() - without_number.len();
    let is_number = matches!(number_length, 1 | 2)
        && !without_number.starts_with(|it: char| it.is_alphanumeric());
    let is_label = after.starts_with(':') || is_number;
    let houses = ["row", "column", "columns", "col", "box", "boxes", "block"];
    (is_label && (is_column || houses.contains(&&*word))).then_some(word)
}

/// Returns the words of a text in lower case. A letter is no word: it can be the label of a row.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|it: char| !it.is_alphabetic()).filter(|word| word.chars().count() > 1);
    words.map(str::to_lowercase).collect()
}

/// Returns whether a word is one for a column or a box in a common language. `boxed` is none.
pub fn is_column_or_box(word: &String) -> bool {
    let beginnings = ["column", "colonn", "colum", "colun", "kolom", "kolumn", "spalte", "subgrid"];
    let words = "col cols box boxes block blocks bloc blocs blok blokken blöcke bloque bloques \
                 bloco blocos";
    beginnings.iter().any(|it| word.starts_with(it)) || words.split(' ').any(|it| it == word)
}

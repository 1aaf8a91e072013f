//! Finds the grid in an answer that is prose (`--lenient`), such as what a language model writes.
//! `markup.rs` removes thoughts and markup before.
//!
//! ```text
//!     Step 1: r1c1 must be 1.           no row: no run of 4 symbols
//!     **Answer:**
//!     | 1 | 3 | 4 | 2 |                 rows: a run of 4 symbols on each line
//!     |---|---|---|---|                 borders and blank lines can lie between rows
//!     Row 2: 2 4 3 1                    a label can precede a row
//! ```

use super::markup::plain_text;
use super::one_line::read_cells;
use super::symbols::Alphabet;

/// Returns the symbols of the grid in an answer to a puzzle of side N, one for each cell, or `None`
/// if there is no grid. These rules find it:
///
/// 1. Only the [plain text](plain_text) of the answer counts: without thoughts and markup, and
///    within `<answer>` if there is one.
/// 2. If this text has nothing but N² cells and separators, it is the grid. Only here, a cell can
///    be any symbol that can be a blank cell in a puzzle. A cell can be a number of two digits.
/// 3. Otherwise, the text is searched for *runs*: digits of the puzzle and symbols of blank cells,
///    with only separators between them. A run of N symbols with a digit is a row, one of N² symbols
///    is a grid, and a longer or shorter one is as many rows or grids as it has room for. If N is
///    above 9, so are runs of numbers. Other text can precede or follow a row on its line.
/// 4. A *block* is successive rows: only borders and empty lines lie between their lines. A fence
///    (three backticks) ends it, unless it encloses a single row. Words for a column or a box
///    before digits end it. Once a block has N rows, it ends at an empty line, before a row that
///    other words precede than the rows above, and before the digits from 1 to N with words behind
///    them. N lines with the same number of rows, two or more, are grids side by side.
/// 5. The longest block counts, and N rows or more count as N. Of several blocks with N rows, those
///    without a blank cell in the last N rows count; of these, those that no line `Columns:` or
///    `Boxes:` precedes; of all that remain, the last. The grid is the last N rows of this block
///    or, if it is shorter, its rows and then blank ones.
/// 6. If no block has N rows without a blank cell, and the text gives a digit to each cell
///    (`r1c1=1` or `(1,1)=1`), these digits are the grid. The last digit of a cell counts. If it
///    gives none to some cell, N successive rows after the numbers 1 to N are the grid.
///
/// In runs, blank cells are `.`, `0`, `_`, `?` and `puzzle_blank`, the symbol of blank cells in the
/// puzzle. In the result, all blank cells have the symbol of the first one (`.` if none is found).
pub(crate) fn find_grid(
    answer: &[u8],
    side: usize,
    alphabet: &Alphabet,
    puzzle_blank: u8,
) -> Option<Vec<u8>> {
    let reader = Reader { side, alphabet, puzzle_blank };
    let is_blank = |symbol: u8| alphabet.digit_of(symbol) == Some(0);
    let text = plain_text(&String::from_utf8_lossy(answer));
    let mut grid = reader.cells_alone(&text).or_else(|| {
        let block = reader.longest_block(&text);
        let has_blank = |block: &Vec<u8>| block.iter().any(|&symbol| is_blank(symbol));
        let is_whole = |block: &Vec<u8>| block.len() == side * side && !has_blank(block);
        let others = || reader.named_cells(&text).or_else(|| reader.numbered_rows(&text));
        if block.as_ref().is_some_and(is_whole) { block } else { others().or(block) }
    })?;
    let blank = alphabet.blank_of(&grid);
    for symbol in grid.iter_mut().filter(|symbol| is_blank(**symbol)) {
        *symbol = blank;
    }
    grid.resize(side * side, blank);
    Some(grid)
}

fn is_separator(symbol: char) -> bool {
    // The last two make an emoji of a digit.
    " \t\r\u{a0}|,;/'\"`()[]{}*&\\\u{fe0f}\u{20e3}".contains(symbol)
        || ('\u{2500}'..='\u{257f}').contains(&symbol)
}

fn is_border(symbol: char) -> bool {
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
fn named_house(line: &str) -> Option<String> {
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
fn words(text: &str) -> Vec<String> {
    let words = text.split(|it: char| !it.is_alphabetic()).filter(|word| word.chars().count() > 1);
    words.map(str::to_lowercase).collect()
}

/// Returns whether a word is one for a column or a box in a common language. `boxed` is none.
fn is_column_or_box(word: &String) -> bool {
    let beginnings = ["column", "colonn", "colum", "colun", "kolom", "kolumn", "spalte", "subgrid"];
    let words = "col cols box boxes block blocks bloc blocs blok blokken blöcke bloque bloques \
                 bloco blocos";
    beginnings.iter().any(|it| word.starts_with(it)) || words.split(' ').any(|it| it == word)
}

/// A row of the grid, or a whole grid, in a line of text.
struct Row {
    symbols: Vec<u8>,
    /// The words before it on its line, from the row before it on.
    words: Vec<String>,
    /// True if words follow it, the last row of its line.
    precedes_words: bool,
    /// True if it is not the first row of its line.
    is_beside_row: bool,
    /// True if an empty line precedes it.
    is_after_blank: bool,
    /// True if a line such as `Columns:` precedes it.
    is_after_heading: bool,
}

impl Row {
    /// The maximum number of words of a label. Without it, long lines would take quadratic time.
    const MAX_WORDS: usize = 20;

    /// Returns whether words precede this row that do not fit those of the row above. `First row:`
    /// and `Second row:` fit.
    fn has_other_words(&self, above: &Row) -> bool {
        let is_label = self.words.len() <= Self::MAX_WORDS && self.words.len() == above.words.len();
        let fits = is_label && self.words.iter().any(|word| above.words.contains(word));
        !self.words.is_empty() && !fits
    }
}

/// Successive rows of the text.
struct Block {
    symbols: Vec<u8>,
    /// True if a line such as `Columns:` precedes it.
    is_after_heading: bool,
}

impl Block {
    fn from_rows<'r>(rows: impl Iterator<Item = &'r Row>) -> Block {
        let mut block = Block { symbols: Vec::new(), is_after_heading: false };
        for row in rows {
            block.symbols.extend(&row.symbols);
            block.is_after_heading |= row.is_after_heading;
        }
        block
    }
}

struct Reader<'s> {
    side: usize,
    alphabet: &'s Alphabet,
    puzzle_blank: u8,
}

impl Reader<'_> {
    /// Returns 0 for a blank cell.
    fn digit_of(&self, symbol: char) -> Option<usize> {
        let symbol = u8::try_from(symbol).ok()?;
        let can_be_blank = symbol == self.puzzle_blank || b".0_?".contains(&symbol);
        match self.alphabet.digit_of(symbol)? {
            0 => can_be_blank.then_some(0),
            digit => (digit <= self.side).then_some(digit),
        }
    }

    fn are_rows(&self, length: usize) -> bool {
        length > 0 && length.is_multiple_of(self.side)
    }

    /// Returns the symbols of a text that has nothing but separators and one part for each cell.
    fn cells_alone(&self, text: &str) -> Option<Vec<u8>> {
        let cells = self.side * self.side;
        let parts = text.split(|symbol| is_separator(symbol) || symbol == '\n');
        let parts = parts.filter(|part| !part.is_empty()).map(str::as_bytes);
        // One cell more than the grid has shows that the text is longer.
        let parts: Vec<&[u8]> = parts.take(cells + 1).collect();
        let grid = read_cells(&parts, self.side, self.alphabet).filter(|_| parts.len() == cells)?;
        self.alphabet.has_cells(&grid, self.side).then_some(grid)
    }

    /// Returns the symbols of the block that rule 5 of [`find_grid`] chooses, at most N rows.
    fn longest_block(&self, text: &str) -> Option<Vec<u8>> {
        let cells = self.side * self.side;
        let is_full = |symbols: &[u8]| {
            let mut digits = symbols.iter().map(|&symbol| self.digit_of(symbol.into()));
            symbols.len() == cells && digits.all(|digit| digit > Some(0))
        };
        let mut blocks = self.blocks(text);
        for Block { symbols, .. } in &mut blocks {
            symbols.drain(..symbols.len().saturating_sub(cells));
        }
        let order =
            |block: &Block| (block.symbols.len(), is_full(&block.symbols), !block.is_after_heading);
        let longest = blocks.into_iter().max_by_key(order)?.symbols;
        (!longest.is_empty()).then_some(longest)
    }

    fn blocks(&self, text: &str) -> Vec<Block> {
        // Rows without other text between them. The next row continues the last group.
        let mut groups = vec![Vec::new()];
        let mut is_after_blank = false;
        let mut is_after_heading = false;
        // The number of rows since the last fence. Each row can have a fence of its own.
        let mut rows_in_fence = 0;
        for line in text.lines() {
            if line.trim().is_empty() {
                is_after_blank = true;
                continue;
            }
            let has_fence = line.matches("```").count() == 1;
            let rows = self.rows(line);
            let house = named_house(line);
            // Other text ends the block, but the row of `Row 2:` can be on the next line.
            let is_label = house.as_deref() == Some("row");
            let is_between_rows = line.chars().all(is_border) || is_label;
            let begins_with_fence = has_fence && line.trim_start().starts_with("```");
            if rows.is_empty() && !is_between_rows {
                is_after_heading = house.is_some();
                groups.push(Vec::new());
            } else if begins_with_fence && rows_in_fence > 1 {
                groups.push(Vec::new());
            }
            if begins_with_fence {
                rows_in_fence = 0;
            }
            rows_in_fence += rows.len();
            for row in rows {
                let row = Row { is_after_blank, is_after_heading, ..row };
                is_after_blank = false;
                match groups.last_mut() {
                    Some(group) if row.symbols.len() == self.side => group.push(row),
                    // A whole grid on one line is a block by itself.
                    _ => groups.extend([vec![row], Vec::new()]),
                }
            }
            let ends_with_fence = has_fence && line.trim_end().ends_with("```");
            if ends_with_fence && rows_in_fence > 1 {
                rows_in_fence = 0;
                groups.push(Vec::new());
            }
        }
        groups.iter().flat_map(|rows| self.split(rows)).collect()
    }

    /// Splits successive rows into grids that are side by side. Otherwise, splits them before other
    /// words and before a list of all digits if N rows or more are then together.
    fn split(&self, rows: &[Row]) -> Vec<Block> {
        let rows_of_lines: Vec<_> = rows.chunk_by(|_, row| row.is_beside_row).collect();
        if let [first @ [_, _, ..], ..] = rows_of_lines[..]
            && rows_of_lines.len() == self.side
            && rows_of_lines.iter().all(|line| line.len() == first.len())
        {
            let column = |column| Block::from_rows(rows_of_lines.iter().map(|line| &line[column]));
            return (0..first.len()).map(column).collect();
        }
        let continues =
            |above: &Row, row: &Row| !row.has_other_words(above) && !self.is_list_of_digits(row);
        let parts: Vec<&[Row]> = rows.chunk_by(continues).collect();
        let is_split = parts.iter().any(|part| part.len() >= self.side);
        let parts = if is_split { parts } else { vec![rows] };
        parts.into_iter().flat_map(|part| self.split_at_blank_lines(part)).collect()
    }

    /// Returns whether a row is as in `123456789 appears in each row`.
    fn is_list_of_digits(&self, row: &Row) -> bool {
        row.precedes_words && self.has_digits_in_order(row)
    }

    fn has_digits_in_order(&self, row: &Row) -> bool {
        let digits = row.symbols.iter().map(|&symbol| self.digit_of(symbol.into()));
        digits.eq((1..=self.side).map(Some))
    }

    fn split_at_blank_lines(&self, mut rows: &[Row]) -> Vec<Block> {
        let mut blocks = Vec::new();
        while let [first, others @ ..] = rows {
            // If empty lines lie between N rows, a heading before them does not count as a row.
            let can_be_heading = !first.words.is_empty() || self.has_digits_in_order(first);
            let follows_blank = |row: &Row| row.is_after_blank && row.words.is_empty();
            let is_rest_of_grid = |rows: &[Row]| rows.iter().all(follows_blank);
            if can_be_heading && others.get(1..self.side).is_some_and(is_rest_of_grid) {
                rows = others;
                continue;
            }
            let end = (self.side..rows.len()).find(|&row| rows[row].is_after_blank);
            let (block, after) = rows.split_at(end.unwrap_or(rows.len()));
            blocks.push(Block::from_rows(block.iter()));
            rows = after;
        }
        blocks
    }

    /// Returns the rows and grids of a line. A line about a column or a box has none: such text
    /// usually repeats parts of the grid to check them.
    fn rows(&self, line: &str) -> Vec<Row> {
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
    fn runs(&self, line: &str) -> Vec<Row> {
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

    /// Returns the last grid whose rows follow the numbers 1 to N (`| Row 3 | 4 | 2 | 1 | 3 |`).
    /// Only borders and empty lines lie between them.
    fn numbered_rows(&self, text: &str) -> Option<Vec<u8>> {
        let mut found = None;
        let mut grid = Vec::new();
        for line in text.lines().filter(|line| !line.chars().all(is_border)) {
            let (number, mut row) = self.numbered_row(line).unwrap_or_default();
            if number * self.side != grid.len() + self.side {
                grid.clear();
            }
            if number * self.side == grid.len() + self.side {
                grid.append(&mut row);
            }
            if grid.len() == self.side * self.side {
                found = Some(std::mem::take(&mut grid));
            }
        }
        found
    }

    fn numbered_row(&self, line: &str) -> Option<(usize, Vec<u8>)> {
        let label = line.trim_start_matches(|it: char| !it.is_ascii_digit());
        let is_about_row = !words(&line[..line.len() - label.len()]).iter().any(is_column_or_box);
        let row = label.trim_start_matches(|it: char| it.is_ascii_digit());
        let number = label[..label.len() - row.len()].parse().ok()?;
        if number > self.side {
            return None;
        }
        let row = self.runs(row).into_iter().next()?.symbols;
        (is_about_row && row.len() == self.side).then_some((number, row))
    }

    fn named_cells(&self, text: &str) -> Option<Vec<u8>> {
        let mut grid = vec![None; self.side * self.side];
        for (start, _) in text.match_indices(['r', 'R', '(']) {
            if let Some((cell, symbol)) = self.named_cell(&text[start + 1..]) {
                grid[cell] = Some(symbol);
            }
        }
        grid.into_iter().collect()
    }

    /// Returns the cell and the symbol of a text such as `1c2 = 3`, which follows an `r`, or
    /// `1,2) = 3`, which follows a parenthesis.
    fn named_cell(&self, text: &str) -> Option<(usize, u8)> {
        let number = |text: &'_ str| -> Option<(usize, usize)> {
            let length = text.bytes().take(3).take_while(u8::is_ascii_digit).count();
            let number: usize = text[..length].parse().ok()?;
            (1..=self.side).contains(&number).then_some((number - 1, length))
        };
        let (row, length) = number(text)?;
        let text = text[length..].strip_prefix(['c', 'C', ','])?.trim_start_matches(' ');
        let (column, length) = number(text)?;
        let text = text[length..]
            .trim_start_matches(')')
            .trim_start_matches([' ', '*', '`'])
            .strip_prefix(['=', ':'])?;
        let text = text.trim_start_matches([' ', '*', '`']);
        let length = text.bytes().take(3).take_while(u8::is_ascii_alphanumeric).count();
        let symbol = read_cells(&[&text.as_bytes()[..length]], self.side, self.alphabet)?[0];
        let is_digit = self.digit_of(symbol.into()) > Some(0);
        is_digit.then_some((row * self.side + column, symbol))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = "1342243142133124";

    fn found(answer: &str) -> Option<String> {
        let grid = find_grid(answer.as_bytes(), 4, &Alphabet::default(), b'.')?;
        Some(String::from_utf8(grid).unwrap())
    }

    #[test]
    fn a_grid_is_found_in_every_style_of_answer() {
        for answer in [
            "1342243142133124",
            "1 3 4 2 2 4 3 1 4 2 1 3 3 1 2 4",
            "1342\n2431\n4213\n3124\n",
            "1 3 4 2\r\n2 4 3 1\r\n4 2 1 3\r\n3 1 2 4\r\n",
            "1 3 | 4 2\n2 4 | 3 1\n----+----\n4 2 | 1 3\n3 1 | 2 4",
            "+-----+-----+\n| 1 3 | 4 2 |\n| 2 4 | 3 1 |\n+-----+-----+\n| 4 2 | 1 3 |\n| 3 1 | 2 4 |\n+-----+-----+",
            "┌───┬───┐\n│1 3│4 2│\n│2 4│3 1│\n├───┼───┤\n│4 2│1 3│\n│3 1│2 4│\n└───┴───┘",
            "| A | B | C | D |\n|---|:-:|---|---|\n| 1 | 3 | 4 | 2 |\n| 2 | 4 | 3 | 1 |\n| 4 | 2 | 1 | 3 |\n| 3 | 1 | 2 | 4 |",
            "{\"solution\": [[1,3,4,2],[2,4,3,1],[4,2,1,3],[3,1,2,4]]}",
            "[\n  [1, 3, 4, 2],\n  [2, 4, 3, 1],\n  [4, 2, 1, 3],\n  [3, 1, 2, 4]\n]",
            "[\"1342\",\n \"2431\",\n \"4213\",\n \"3124\"]",
            "Step 1: r1c1 must be 1, so r1c2 = 3.\nAnswer: 1342243142133124",
            "Step 1: r1c1 must be 1. Answer: 1342243142133124.",
            "**1342243142133124** is the solution; r1c1 was given.",
            "The rows are:\nRow 1: 1 3 4 2\nRow 2: 2 4 3 1\n\nRow 3: 4 2 1 3\nRow 4: 3 1 2 4\nAll 4 rows have 1 to 4.",
            "```\n1342\n2431\n4213\n3124\n```\nDone.",
            "<think>maybe 4321 4321 4321 4321?</think><answer>1342 2431 4213 3124</answer> 4321432143214321",
            "<answer>4321</answer> wait <answer>\n1342\n2431\n4213\n3124",
            // The puzzle, then the answer. The last grid counts.
            "1...\n..3.\n.2..\n...4\nis solved by\n1342\n2431\n4213\n3124",
            "1.....3..2.....4\n1342243142133124\nI hope 1 2 3 4 helps",
            "<think>4321?</think>\n\n1342\n2431\n4213\n3124\n",
            "1. 1342\n2. 2431\n3. 4213\n4. 3124",
            "(1) 1 3 4 2\n(2) 2 4 3 1\n(3) 4 2 1 3\n(4) 3 1 2 4",
            "[1,3,4,2], # row 1\n[2,4,3,1], # row 2\n[4,2,1,3],\n[3,1,2,4]] # done",
            "Row 1: 1342 (done)\nRow 2: 2431 (done)\nRow 3: 4213\nRow 4: 3124",
            "1342\n2431\n4213\n3124\n\nCheck: row 1 has 1 2 3 4.",
            "1342\n2431\n4213\n3124\n\n- **Column 1**: 1 2 4 3 has 1 to 4.",
            "Row 1: 1342\nRow 2: 2431\nRow 3: 4213\nRow 4: 3124\ncolumn 1: 1243\ncolumn 2: 3421\ncolumn 3: 4312\ncolumn 4: 2134\nBox 1: 1324",
            "\\boxed{1342243142133124}",
            "Boxed answer: 1342243142133124",
            "4321\n4321\n4321\n4321\nThis is wrong.\n\\boxed{1342\n2431\n4213\n3124}",
            "\\begin{array}{cccc}\n1 & 3 & 4 & 2 \\\\\n2 & 4 & 3 & 1 \\\\\n4 & 2 & 1 & 3 \\\\\n3 & 1 & 2 & 4\n\\end{array}",
            "Row 1:\n1342\nRow 2:\n2431\n**Row 3**\n4213\nRow 4:\n3124",
            "1342\n2431\n4213\n3124\nCol 1: 1243\nCol 2: 3421\nBlock 1: 1324\nBlock 2: 4231",
            "1342\n2431\n4213\n3124\nC1: 1243\nC2: 3421\nC3: 4312\nC4: 2134",
            "A: 1342\nB: 2431\nC: 4213\nD: 3124",
            "[1,\n3,4,2,2,4,3,1,\n4,2,1,3,3,1,2,4]",
            "1\u{a0}3\u{a0}4\u{a0}2\n2 4 3 1\n4 2 1 3\n3 1 2 4?",
            // A grid without blanks, then the puzzle.
            "1342\n2431\n4213\n3124\n\nOriginal puzzle:\n1...\n..3.\n.2..\n...4",
            // Markup, or a bracket that begins none.
            "[答]\n1342\n2431\n4213\n3124",
            "So:\n[\n  [\n    1,\n    3,\n    4,\n    2\n  ],\n  [\n    2,\n    4,\n    3,\n    1\n  ],\n  [\n    \"4\",\n    \"2\",\n    \"1\",\n    \"3\"\n  ],\n  [\n    3,\n    1,\n    2,\n    4\n  ]\n]\nDone.",
            "<table><tr><td>1</td><td>3</td><td>4</td><td>2</td></tr>\n<tr>\n<td class=\"x\">2</td>\n<td><b>4</b></td>\n<td>3</td>\n<td>1</td>\n</tr>\n<tr><td>4</td><td>2</td><td>1</td><td>3</td></tr><tr><td>3</td><td>1</td><td>2</td><td>4</td></tr></table>",
            "Lösung:\n１３４２\n２４３１\n４２１３\n３１２４",
            "It is\n1-3-4-2\n2-4-3-1\n4-2-1-3\n3-1-2-4",
            "r1c1=1, r1c2=3, r1c3=4, r1c4=2, r2c1=2, r2c2=4, r2c3=3, r2c4=1, R3C1: 4, R3C2: 2, R3C3: 1, R3C4: 3, r4c1 = 3, r4c2 = 1, r4c3 = 4, r4c3 = 2, r4c4 = 4.",
            "\\begin{array}{|cc|cc|}\n\\hline\n1 & 3 & 4 & 2 \\\\\n2 & 4 & 3 & 1 \\\\\n\\hline\n4 & 2 & 1 & 3 \\\\\n3 & 1 & 2 & 4 \\\\\n\\hline\n\\end{array}",
            // Thoughts do not count.
            "1342\n2431\n4213\n3124\n<think>or 4321432143214321?</think>",
            "4321432143214321</think>1342243142133124",
            "<Thinking>4321432143214321</thinking>1342243142133124<think>4321432143214321",
            // A list of the digits, columns, and the puzzle beside the answer.
            "1342\n2431\n4213\n3124\n1 2 3 4 all appear in every row.",
            "1342\n2431\n4213\n3124\nColumns:\n1243\n3421\n4312\n2134",
            "1000 → 1342\n0030 → 2431\n0200 → 4213\n0004 → 3124",
            "1... 1342\n..3. 2431\n.2.. 4213\n...4 3124",
            "| Puzzle | Solution |\n|---|---|\n| 1... | 1342 |\n| ..3. | 2431 |\n| .2.. | 4213 |\n| ...4 | 3124 |",
            "1.....3..2.....4 1342243142133124",
            // Lines of several rows, parts of a row, emoji.
            "1342 2431\n4213 3124",
            "1) 1 3 / 4 2\n2) 2 4 / 3 1\n3) 4 2 / 1 3\n4) 3 1 / 2 4",
            "1️⃣3️⃣4️⃣2️⃣\n2️⃣4️⃣3️⃣1️⃣\n4️⃣2️⃣1️⃣3️⃣\n3️⃣1️⃣2️⃣4️⃣",
            "| R1 | 1 | 3 | 4 | 2 |\n| **R2** | 2 | 4 | 3 | 1 |\n| r3 | 4 | 2 | 1 | 3 |\n| R4 | 3 | 1 | 2 | 4 |",
        ] {
            assert_eq!(found(answer).as_deref(), Some(GRID), "{answer}");
        }
    }

    #[test]
    fn cells_of_a_large_grid_can_be_numbers() {
        let numbers = (0..256).map(|cell| (cell % 16 + 1).to_string());
        let numbers: Vec<String> = numbers.collect();
        let rows: Vec<String> = numbers.chunks(16).map(|row| row.join(", ")).collect();
        for answer in [numbers.join(" "), format!("[[{}]]", rows.join("],\n["))] {
            let grid = find_grid(answer.as_bytes(), 16, &Alphabet::default(), b'.');
            let expected = "123456789ABCDEFG".repeat(16);
            assert_eq!(grid, Some(expected.into_bytes()), "{answer}");
        }
    }

    /// Returns the grid with the rows in many shapes.
    fn shapes(rows: &[String]) -> Vec<String> {
        let side = rows.len();
        let spaced = |by: &str| -> Vec<String> {
            let cells = |row: &String| row.chars().map(String::from).collect::<Vec<_>>().join(by);
            rows.iter().map(cells).collect()
        };
        let each = |by: &str, between: &str, shape: &dyn Fn(usize, &str) -> String| {
            let rows = spaced(by);
            let rows = rows.iter().enumerate().map(|(index, row)| shape(index + 1, row));
            rows.collect::<Vec<_>>().join(between)
        };
        let plain = |_: usize, row: &str| row.to_string();
        let digits = (1..=side).map(|it| it.to_string()).collect::<Vec<_>>();
        let bands = rows.chunks(if side == 9 { 3 } else { 2 });
        let bands: Vec<String> = bands.map(|band| band.join("\n")).collect();
        let tagged = |name: &str, cells: &[String]| {
            let cell = |it: &String| format!("<{name}>{it}</{name}>");
            format!("<tr>{}</tr>", cells.iter().map(cell).collect::<String>())
        };
        let table = each(" ", "\n", &|_, row| {
            tagged("td", &row.split(' ').map(String::from).collect::<Vec<_>>())
        });
        let cells = rows.iter().enumerate().flat_map(|(row, symbols)| {
            let cell = move |(column, symbol)| format!("({},{})={symbol}", row + 1, column + 1);
            symbols.chars().enumerate().map(cell)
        });
        let bar = format!("\n|{}\n", "---|".repeat(side + 1));
        vec![
            rows.concat(),
            rows.join(" "),
            rows.join("\n"),
            bands.join("\n\n"),
            rows.join("\n\n"),
            spaced(" ").join("\n"),
            spaced(" ").join(" / "),
            format!("[\n [{}]\n]", spaced(", ").join("],\n [")),
            format!("Answer: [[{}]]", spaced(", ").join("],\n[")),
            format!("```\n{}\n```", spaced(" ").join("\n")),
            format!("```text\n{}\n```", rows.join("\n")),
            format!("```\n{}```", rows.join("\n")),
            format!("| {} |", spaced(" | ").join(&format!(" |{bar}| "))),
            format!("\\begin{{array}}{{c}}\n{}\n\\end{{array}}", spaced(" & ").join("\\\\\n")),
            each(" ", "\n", &|row, cells| format!("Row {row}: {cells}")),
            each(" ", "\n\n", &|row, cells| format!("**Row {row}:** {cells}")),
            each("", "\n", &|row, cells| format!("- row {row} is {cells} (columns 1 to 4)")),
            each(", ", "\n", &|row, cells| format!("Row {row}, columns 1-{side}: {cells}")),
            each(" ", "\n", &|row, cells| format!("{row}. {cells}")),
            each(" ", "\n", &|row, cells| format!("R{row}: {cells}")),
            each(" ", "\n", &|row, cells| format!("{}: {cells}", char::from(b'A' + row as u8 - 1))),
            each(" ", "\n", &|row, cells| format!("Row {row}:\n{cells}")),
            each(" ", "\n", &|row, cells| format!("Row {row}:\n```\n{cells}\n```")),
            each(" ", "\n", &|row, cells| {
                format!("{} row: {cells}", if row % 2 == 1 { "First" } else { "Next" })
            }),
            each(" | ", "\n", &|row, cells| format!("| R{row} | {cells} |")),
            // Labels in cells, and headings.
            each(" | ", "\n", &|row, cells| format!("| Row {row} | {cells} |")),
            each(" | ", "\n", &|row, cells| format!("| {row} | {cells} |")),
            format!("| | {} |{bar}", digits.join(" | "))
                + &each(" | ", "\n", &|row, cells| format!("| {row} | {cells} |")),
            format!("| Row | {} |{bar}", digits.join(" | "))
                + &each(" | ", "\n", &|row, cells| format!("| **{row}** | {cells} |")),
            format!("<table>\n{table}\n</table>"),
            format!("<table>\n{}\n{table}\n</table>", tagged("th", &digits)),
            cells.collect::<Vec<_>>().join(", "),
            each(" ", "\n", &plain) + "\n",
        ]
    }

    #[test]
    fn a_line_beside_the_grid_is_no_row() {
        let sudoku =
            "468931527751624839392578461134756298289413675675289314846192753513867942927345186";
        for (side, grid) in [(4, GRID), (9, sudoku)] {
            let rows: Vec<String> =
                (0..side).map(|row| grid[row * side..][..side].into()).collect();
            let column: Vec<&str> = rows.iter().map(|row| &row[..1]).collect();
            let first: Vec<String> = rows[0].chars().map(String::from).collect();
            let (digits, column, first) =
                (&"123456789"[..side], column.join(" "), first.join(", "));
            let listed: Vec<String> = digits.chars().map(String::from).collect();
            let listed = listed.join(", ");
            let lines = [
                format!("Each row has the digits {listed}."),
                format!("{listed} all appear in each row."),
                format!("Each of {digits} appears in each row."),
                format!("Every row, column and box has {digits} once."),
                format!("The first column is {column}."),
                format!("For example row 1 is {first}."),
                format!("Check column 1: {column}"),
                format!("Check: {first}"),
                format!("All columns check: Column 1: {column}, column 2: {column}"),
                format!("Column 1: {column}"),
                format!("- **Column 1**: {column}\n- **Column 2**: {column}"),
                format!("Spalte 1: {column}"),
                format!("La première colonne : {column}"),
                format!("Top-left box: {column}"),
                format!("Box 1: {column}\nBox 2: {column}"),
                format!("C1: {column}"),
                format!("All rows are right, such as [{first}]"),
            ];
            for shape in shapes(&rows) {
                for line in lines.iter().chain([&String::new()]) {
                    for answer in [
                        format!("{shape}\n{line}"),
                        format!("{line}\n{shape}"),
                        format!("{line}\n{shape}\n{line}"),
                    ] {
                        let found = find_grid(answer.as_bytes(), side, &Alphabet::default(), b'.');
                        let found = found.map(|grid| String::from_utf8(grid).unwrap());
                        assert_eq!(found.as_deref(), Some(grid), "{answer}");
                    }
                }
            }
        }
    }

    /// Returns the symbols of a Latin square: each row begins one symbol later than the row above.
    fn latin(side: usize) -> Vec<String> {
        let symbols = "123456789ABCDEFG"[..side].repeat(2);
        (0..side).map(|row| symbols[row..][..side].to_string()).collect()
    }

    #[test]
    fn rows_with_letters_are_no_labels() {
        for side in [12, 16] {
            let rows = latin(side);
            let spaced = |by: &str| -> Vec<String> {
                rows.iter().map(|row| row.chars().map(|it| it.to_string() + by).collect()).collect()
            };
            let fours =
                |row: &String| row.as_bytes().chunks(3).map(<[u8]>::to_vec).collect::<Vec<_>>();
            let grouped: Vec<Vec<u8>> = rows.iter().map(|row| fours(row).join(&b' ')).collect();
            let grouped: Vec<String> =
                grouped.into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
            let numbers: Vec<Vec<String>> = rows
                .iter()
                .map(|row| row.chars().map(|it| it.to_digit(17).unwrap().to_string()).collect())
                .collect();
            let numbers = |by: &str| numbers.iter().map(|row| row.join(by)).collect::<Vec<_>>();
            for text in [
                rows.join("\n"),
                rows.join("\n").to_lowercase(),
                grouped.join("\n"),
                spaced(" ").join("\n"),
                format!("$$\\begin{{bmatrix}}{}\\end{{bmatrix}}$$", spaced(" & ").join("\\\\\n")),
                format!(
                    "$$\\begin{{array}}{{{}}}{}\\end{{array}}$$",
                    "c".repeat(side),
                    spaced(" & ").join("\\\\\n")
                ),
                numbers(" ").join("\n"),
                format!("| {} |", numbers(" | ").join(" |\n| ")),
                numbers(", ").join("\n"),
            ] {
                let answer = format!("The solution is:\n{text}\nAll is right.");
                let grid = find_grid(answer.as_bytes(), side, &Alphabet::default(), b'.').unwrap();
                let grid = String::from_utf8(grid).unwrap().to_uppercase();
                assert_eq!(grid, rows.concat(), "{answer}");
            }
        }
    }

    #[test]
    fn rows_that_are_missing_are_blank() {
        for (answer, grid) in [
            ("1342\n2431\n42", "13422431........"),
            ("1342\n2431\n\nand then\n4213", "13422431........"),
            // The last of the longest blocks.
            ("1342\nthen\n2431", "2431............"),
            ("1342-2431", "13422431........"),
            ("1342, 2431", "13422431........"),
            ("[\n1342\n2431\n]", "13422431........"),
            ("1_42\n2431", "1_422431________"),
            ("1.42 is row 1.", "1.42............"),
            ("```\n1342\n2431\n```\nEach row has 1, 2, 3, 4.", "13422431........"),
            ("1?42\n2431", "1?422431????????"),
            ("1 - 4 2 2 4 3 1 x 2 1 3 3 1 2 4", "1-422431-2133124"),
        ] {
            assert_eq!(found(answer).as_deref(), Some(grid), "{answer}");
        }
    }

    #[test]
    fn an_answer_without_a_row_has_no_grid() {
        for answer in [
            "",
            "I cannot solve this.",
            "....",
            "13424 1342.1",
            "r1c1 = 1, r1c2 = 3",
            "<answer></answer> 1342",
            "<think>1342243142133124</think>",
            "<think>1342243142133124",
            "<thinking>1342\n2431\n4213\n3124\n<answer>1342243142133124</answer>",
            "1342243142133124</think>",
            "r1c1=1 r9c9=3 r=4 r1=3 r1c=2 r1c1= r1c1",
            "1 3 4 and 2",
            "Column 1: 1 2 4 3",
        ] {
            assert_eq!(found(answer), None, "{answer}");
        }
    }
}

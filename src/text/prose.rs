//! Finds the grid in an answer that is prose (`--lenient`), such as what a language model writes.
//!
//! ```text
//!     Step 1: r1c1 must be 1.           no row: no run of 4 symbols
//!     **Answer:**
//!     | 1 | 3 | 4 | 2 |                 rows: a run of 4 symbols on each line
//!     |---|---|---|---|                 borders and blank lines can lie between rows
//!     Row 2: 2 4 3 1                    a label can precede a row
//! ```

use super::one_line::read_cells;
use super::symbols::Alphabet;

/// Returns the symbols of the grid in an answer to a puzzle of side N, one for each cell, or `None`
/// if there is no grid. These rules find it:
///
/// 1. If the answer has `<answer>`, only the text after the last one counts, up to `</answer>`.
/// 2. If this text has nothing but N² cells and separators, it is the grid. Only here, a cell can
///    also be a number of two digits, or any symbol that can be a blank cell in a puzzle.
/// 3. Otherwise, the text is searched for *runs*: digits of the puzzle and symbols of blank cells,
///    with only separators between them. A run of N symbols with a digit is a row, and one of N²
///    symbols is N rows. Other text can precede or follow a row on its line.
/// 4. A *block* is successive rows: only borders and empty lines lie between their lines. Once it
///    has N rows, an empty line ends it.
/// 5. The longest block counts; of equally long ones, the last. N rows or more count as N. The grid
///    is the last N rows of this block or, if it is shorter, its rows and then blank ones.
///
/// In runs, blank cells are `.`, `0`, `_`, `?` and `puzzle_blank`, the symbol of blank cells in the
/// puzzle. In the result, all blank cells have the symbol of the first one (`.` if none is found).
pub(crate) fn find_grid(
    answer: &[u8],
    side: usize,
    alphabet: &Alphabet,
    puzzle_blank: u8,
) -> Option<Vec<u8>> {
    let answer = String::from_utf8_lossy(answer);
    let digit_of = |symbol: char| {
        let symbol = u8::try_from(symbol).ok()?;
        let can_be_blank = symbol == puzzle_blank || b".0_?".contains(&symbol);
        match alphabet.digit_of(symbol)? {
            0 => can_be_blank.then_some(0),
            digit => (digit <= side).then_some(digit),
        }
    };
    let text = within_tags(&answer);
    let mut grid =
        cells_alone(text, side, alphabet).or_else(|| longest_block(text, side, digit_of))?;
    let blank = alphabet.blank_of(&grid);
    for symbol in &mut grid {
        if alphabet.digit_of(*symbol) == Some(0) {
            *symbol = blank;
        }
    }
    grid.resize(side * side, blank);
    Some(grid)
}

/// Returns the part of a text after the last `<answer>`, up to `</answer>`. If a tag is missing,
/// the part begins or ends with the text.
fn within_tags(text: &str) -> &str {
    let after = text.rsplit_once("<answer>").map_or(text, |(_, after)| after);
    after.split_once("</answer>").map_or(after, |(within, _)| within)
}

/// Returns true for the characters that can lie between the symbols of a row: blanks, borders,
/// commas, quotes, brackets and marks of Markdown and LaTeX.
fn is_separator(symbol: char) -> bool {
    " \t\r\u{a0}|,;'\"`()[]{}*&\\".contains(symbol) || ('\u{2500}'..='\u{257f}').contains(&symbol)
}

/// Returns the symbols of a text that has nothing but separators and one part for each cell, or
/// `None` for other texts.
fn cells_alone(text: &str, side: usize, alphabet: &Alphabet) -> Option<Vec<u8>> {
    let parts = text.split(|symbol| is_separator(symbol) || symbol == '\n');
    let cells = parts.filter(|part| !part.is_empty()).map(str::as_bytes);
    // One cell more than the grid has shows that the text is longer.
    let cells: Vec<&[u8]> = cells.take(side * side + 1).collect();
    let grid = read_cells(&cells, side, alphabet).filter(|_| cells.len() == side * side)?;
    let is_cell = |&symbol: &u8| alphabet.digit_of(symbol).is_some_and(|digit| digit <= side);
    grid.iter().all(is_cell).then_some(grid)
}

/// Returns a line without the number of a list item at its beginning, such as `1. ` or `(1) `.
fn without_item_number(line: &str) -> &str {
    let text = line.trim_start_matches([' ', '\t', '(']);
    let after = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    let rest = after.strip_prefix(". ").or_else(|| after.strip_prefix(") "));
    let has_number = after.len() < text.len();
    rest.filter(|_| has_number).unwrap_or(line)
}

/// Returns the symbols of the block that rule 5 of [`find_grid`] chooses, at most N rows. Returns
/// `None` if the text has no row.
fn longest_block(
    text: &str,
    side: usize,
    digit_of: impl Fn(char) -> Option<usize> + Copy,
) -> Option<Vec<u8>> {
    let is_border = |symbol: char| is_separator(symbol) || "+-=_:".contains(symbol);
    let cells = side * side;
    // The symbols of the blocks that have ended, and of the block that the next row continues.
    let mut ended = Vec::new();
    let mut open = Vec::new();
    for line in text.lines() {
        // A blank line after a whole grid ends the block, and so does a line about a column or a
        // box: such text usually repeats parts of the grid to check them.
        let is_after_grid = open.len() >= cells && line.trim().is_empty();
        let house = named_house(line);
        if is_after_grid || house.as_deref().is_some_and(|house| house != "row") {
            ended.push(std::mem::take(&mut open));
            continue;
        }
        let mut rows = runs(without_item_number(line), side, digit_of).peekable();
        // A line with other text ends the block, but the row of `Row 2:` can be on the next line.
        if rows.peek().is_none() && house.is_none() && !line.chars().all(is_border) {
            ended.push(std::mem::take(&mut open));
        }
        for mut row in rows {
            // A whole grid on one line is a block by itself.
            if row.len() > side {
                ended.extend([std::mem::take(&mut open), row]);
            } else {
                open.append(&mut row);
            }
        }
    }
    ended.push(open);
    let longest = ended.into_iter().max_by_key(|block| block.len().min(cells));
    let mut block = longest.filter(|block| !block.is_empty())?;
    block.drain(..block.len().saturating_sub(cells));
    Some(block)
}

/// Returns the kind of house that a line begins with, as in `Row 3: ...` or `**Columns:**`, in
/// lower case. Returns `None` for lines that begin otherwise, such as `\boxed{...}`.
fn named_house(line: &str) -> Option<String> {
    let text = line.trim_start_matches(|symbol: char| !symbol.is_alphabetic());
    let (word, after) = text.split_at(text.find(|it: char| !it.is_alphabetic())?);
    let word = word.to_ascii_lowercase();
    // `C1: ...` is about a column, but `C: ...` can be the third row.
    let is_column = word == "c" && after.starts_with(|it: char| it.is_ascii_digit());
    let after = after.trim_start_matches([' ', '*', '#']);
    let without_number = after.trim_start_matches(|it: char| it.is_ascii_digit());
    let number_length = after.len() - without_number.len();
    let is_label = after.starts_with(':') || matches!(number_length, 1 | 2);
    let houses = ["row", "column", "columns", "col", "box", "boxes", "block"];
    (is_label && (is_column || houses.contains(&&*word))).then_some(word)
}

/// Returns the symbols of the runs of a line that are rows or grids.
fn runs(
    line: &str,
    side: usize,
    digit_of: impl Fn(char) -> Option<usize> + Copy,
) -> impl Iterator<Item = Vec<u8>> {
    let run_of = move |text: &str| {
        let symbols = text.chars().filter(|&symbol| digit_of(symbol).is_some());
        let mut run: Vec<u8> = symbols.map(|symbol| symbol as u8).collect();
        // A `.` or `?` that makes the run too long by one is the end of a sentence, not a cell.
        if matches!(run.last(), Some(b'.' | b'?'))
            && [side + 1, side * side + 1].contains(&run.len())
        {
            run.pop();
        }
        let has_digit = run.iter().any(|&symbol| digit_of(symbol.into()) > Some(0));
        (has_digit && [side, side * side].contains(&run.len())).then_some(run)
    };
    // Each text is a run with its separators.
    let texts = line.split(move |symbol| digit_of(symbol).is_none() && !is_separator(symbol));
    texts.filter_map(move |text| {
        // `text` is a part of `line`, so the distance of their addresses is its index.
        let start = text.as_ptr().addr() - line.as_ptr().addr();
        let follows_letter = line[..start].ends_with(char::is_alphabetic);
        // Digits right after a letter can be the end of a label, as in `R1 | 5 | 3 | 4`.
        let without_label = || run_of(text.trim_start_matches(|it| digit_of(it).is_some()));
        run_of(text).or_else(|| follows_letter.then(without_label).flatten())
    })
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

    #[test]
    fn rows_that_are_missing_are_blank() {
        for (answer, grid) in [
            ("1342\n2431\n42", "13422431........"),
            ("1342\n2431\n\nand then\n4213", "13422431........"),
            // The last of the longest blocks.
            ("1342\nthen\n2431", "2431............"),
            ("1_42\n2431", "1_422431________"),
            ("1.42 is row 1.", "1.42............"),
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
            "1 3 4 and 2",
            "Column 1: 1 2 4 3",
        ] {
            assert_eq!(found(answer), None, "{answer}");
        }
    }
}

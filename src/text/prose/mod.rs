//! Finds the grid in an answer that is prose (`--lenient`), such as what a language model writes, and
//! the puzzle in a prompt.
//!
//! ```text
//!     <think>4321</think>              sections.rs   thoughts do not count
//!     **Answer:**                      markup.rs     no markup
//!     | 1 | 3 | 4 | 2 |                rows.rs       a row of 4 cells in each of these lines
//!     |---|---|---|---|                grids.rs      borders can lie between rows; 4 rows that are
//!     | Row 2 | 2 | 4 | 3 | 1 |                      read alike and have the givens are the grid
//! ```

mod grids;
mod markup;
mod named;
mod rows;
mod sections;

use std::collections::BTreeSet;

use super::notation::is_self_describing;
use super::size::Sizes;
use super::symbols::Alphabet;
use engine::error::InvalidInput;
use engine::rules::MAX_SIDE;
use grids::{Cell, Cells, Found};
use named::named_cells;

/// Returns the symbols of the grid in an answer to a puzzle of side N, one for each cell, or `None`
/// if there is no row of one:
///
/// 1. The [sections](sections::sections) of the answer are searched, without thoughts and markup. The
///    first with N rows counts, or else the first with any row.
/// 2. In a section, [`grids::find`] chooses N successive rows.
/// 3. If they have blank cells or too few of the givens, and the text has a digit for each cell by
///    its name (`r1c1=1`), these are the grid.
///
/// All blank cells have the symbol of the first one (`.` if none is found). Wrong cells, such as 7
/// in a 4x4, are blank, and so are those of missing rows.
pub(crate) fn find_grid(
    answer: &[u8],
    puzzle: &[u8],
    side: usize,
    alphabet: &Alphabet,
) -> Option<Vec<u8>> {
    let cells = Cells::new(puzzle, side, alphabet);
    let text = sections::without_thoughts(&String::from_utf8_lossy(answer));
    let mut found: Option<Found> = None;
    for section in sections::sections(&text) {
        let next = find_in_section(&cells, section);
        let is_full = next.as_ref().is_some_and(|it| it.is_full);
        if is_full || found.is_none() {
            found = next;
        }
        if is_full {
            break;
        }
    }
    Some(symbols(&found?.cells))
}

fn symbols(grid: &[Cell]) -> Vec<u8> {
    let blank = grid.iter().find_map(|cell| match cell {
        Cell::Blank { symbol } => Some(*symbol),
        _ => None,
    });
    let symbol = |cell: &Cell| match cell {
        Cell::Digit { symbol, .. } => *symbol,
        _ => blank.unwrap_or(b'.'),
    };
    grid.iter().map(symbol).collect()
}

/// Returns whether a text is more than the cells of a grid: it has blanks and letters.
pub(crate) fn is_prose(text: &[u8]) -> bool {
    memchr::memchr2(b' ', b'\n', text).is_some()
        && !is_self_describing(text)
        && String::from_utf8_lossy(text).contains(char::is_alphabetic)
}

/// Returns the symbols of the only puzzle in a text such as a prompt, or `None` if there is none. Its
/// grid has blank cells and is not solved in the text, as that of an example is.
///
/// # Errors
/// Returns an error if the text has several puzzles.
pub(crate) fn find_puzzle(
    text: &str,
    sizes: &Sizes,
    alphabet: &Alphabet,
) -> Result<Option<Vec<u8>>, InvalidInput> {
    let text = markup::without_markup(text, false);
    let mut puzzles: Vec<Vec<u8>> = Vec::new();
    let mut lines = BTreeSet::new();
    // Rows of a grid could also be several rows of a smaller one.
    for side in (MIN_SIDE..=MAX_SIDE).rev().filter(|&side| sizes.allows(side)) {
        let cells = Cells::new(b"", side, alphabet);
        let mut grids = grids::grids(&cells, &text);
        grids.retain(|grid| grid.lines.clone().all(|line| !lines.contains(&line)));
        for grid in &grids {
            lines.extend(grid.lines.clone());
            let is_solved = || grids.iter().any(|other| other.solves(grid));
            let symbols = symbols(&grid.cells);
            if grid.has_blank() && !is_solved() && !puzzles.contains(&symbols) {
                puzzles.push(symbols);
            }
        }
    }
    match puzzles.len() {
        0 | 1 => Ok(puzzles.pop()),
        number => Err(format!("{number} puzzles in the text").into()),
    }
}

/// The side of the smallest puzzle that is found in a text.
const MIN_SIDE: usize = 4;

fn find_in_section(cells: &Cells<'_>, section: &str) -> Option<Found> {
    let found = grids::find(cells, &markup::without_markup(section, cells.blank == b'*'));
    if found.as_ref().is_some_and(|it| it.is_full && it.has_givens) {
        return found;
    }
    named_cells(cells, &section.replace('*', " "))
        .map_or(found, |cells| Some(Found { cells, is_full: true, has_givens: true }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "1.....3..2.....4";
    const GRID: &str = "1342243142133124";

    fn found(answer: &str) -> Option<String> {
        let grid = find_grid(answer.as_bytes(), PUZZLE.as_bytes(), 4, &Alphabet::default())?;
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
            "\\begin{array}{cccc}\n\\textbf{1} & 3 & \\boxed{4} & \\color{red}{2} \\\\[2pt]\n2 & \\mathbf{4} & 3 & 1 \\\\ \\cline{1-4}\n4 & 2 & 1 & 3 \\\\\n3 & 1 & \\underline{2} & 4\n\\end{array}",
            // Thoughts do not count.
            "1342\n2431\n4213\n3124\n<think>or 4321432143214321?</think>",
            "4321432143214321</think>1342243142133124",
            "<Thinking>4321432143214321</thinking>1342243142133124<think>4321432143214321",
            // A list of the digits, columns, and the puzzle beside the answer.
            "1342\n2431\n4213\n3124\n1 2 3 4 all appear in every row.",
            "1342\n2431\n4213\n3124\nColumns:\n1243\n3421\n4312\n2134",
            "1342\n2431\n4213\n3124\n\nCheck:\nRow 1: 1 2 3 4\nRow 2: 1 2 3 4\nRow 3: 1 2 3 4\nRow 4: 1 2 3 4",
            "1342\n2431\n4213\n3124\n\nDown:\n1: 1 2 4 3\n2: 3 4 2 1\n3: 4 3 1 2\n4: 2 1 3 4",
            "1342\n2431\n4213\n3124\n\nSquares:\n1. 1, 3, 2, 4\n2. 4, 2, 3, 1\n3. 4, 2, 3, 1\n4. 1, 3, 2, 4",
            "1342\n2431\n4213\n3124\n\n### Checking columns\n1243\n3421\n4312\n2143",
            "1342\n2431\n4213\n3124\n\n**2×2 boxes:**\n1324\n4231\n4231\n1342",
            // The columns, then the grid.
            "By columns:\n1243\n3421\n4312\n2134\nSo by rows:\n1342\n2431\n4213\n3124",
            "1000 → 1342\n0030 → 2431\n0200 → 4213\n0004 → 3124",
            "1... 1342\n..3. 2431\n.2.. 4213\n...4 3124",
            "| Puzzle | Solution |\n|---|---|\n| 1... | 1342 |\n| ..3. | 2431 |\n| .2.. | 4213 |\n| ...4 | 3124 |",
            "1.....3..2.....4 1342243142133124",
            // Lines of several rows, parts of a row, emoji.
            "1342 2431\n4213 3124",
            "1) 1 3 / 4 2\n2) 2 4 / 3 1\n3) 4 2 / 1 3\n4) 3 1 / 2 4",
            "1️⃣3️⃣4️⃣2️⃣\n2️⃣4️⃣3️⃣1️⃣\n4️⃣2️⃣1️⃣3️⃣\n3️⃣1️⃣2️⃣4️⃣",
            "| R1 | 1 | 3 | 4 | 2 |\n| **R2** | 2 | 4 | 3 | 1 |\n| r3 | 4 | 2 | 1 | 3 |\n| R4 | 3 | 1 | 2 | 4 |",
            // Checks with a slip, with the givens alone to tell what they are.
            "1342\n2431\n4213\n3124\n\nReading down:\n1234\n3421\n4312\n2134",
            "1 3 4 2\n2 4 3 1\n4 2 1 3\n3 1 2 4\n\n第1列：1 2 4 3\n第2列：3 2 4 1\n第3列：4 3 1 2\n第4列：2 1 3 4",
            "1342\n2431\n4213\n3124\nLike this:\n4123\n3412\n2341\n1234",
            // Arrows in some lines, text between labelled rows, objects.
            "1342\n..3. -> 2431\n4213\n...4 -> 3124",
            "Row 1: 1 3 4 2\nBecause of r1c1.\nRow 2: 2 4 3 1\nNow the third.\nRow 3: 4 2 1 3\nThe rest:\nRow 4: 3 1 2 4",
            "[{\"row\":1,\"cells\":[1,3,4,2]},{\"row\":2,\"cells\":[2,4,3,1]},\n{\"row\":3,\"cells\":[4,2,1,3]},{\"row\":4,\"cells\":[3,1,2,4]}]",
            "[{\"c1\":1,\"c2\":3,\"c3\":4,\"c4\":2},{\"c1\":2,\"c2\":4,\"c3\":3,\"c4\":1},{\"c1\":4,\"c2\":2,\"c3\":1,\"c4\":3},{\"c1\":3,\"c2\":1,\"c3\":2,\"c4\":4}]",
            // Tags: the last pair with a grid.
            "<answer>1342243142133124</answer> is between <answer> and its end.",
            "<ANSWER>1342243142133124</Answer><answer>done</answer>",
            "I use `<answer>` and `</answer>`. 1342243142133124",
            "<start_working_out>4321432143214321<end_working_out><SOLUTION>\n1342\n2431\n4213\n3124\n</SOLUTION>",
            "1342243142133124<reasoning>4321432143214321</reasoning>",
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
            let grid = find_grid(answer.as_bytes(), b"", 16, &Alphabet::default());
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
        // Of 9x9, a third of the digits.
        let third = |(cell, symbol)| if cell % 3 == 1 { symbol } else { '.' };
        let givens: String = sudoku.chars().enumerate().map(third).collect();
        for (side, puzzle, grid) in [(4, PUZZLE, GRID), (9, &givens, sudoku)] {
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
                        let found = find_grid(
                            answer.as_bytes(),
                            puzzle.as_bytes(),
                            side,
                            &Alphabet::default(),
                        );
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
                let grid = find_grid(answer.as_bytes(), b"", side, &Alphabet::default()).unwrap();
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
    fn wrong_cells_and_rows_keep_their_places() {
        for (answer, grid) in [
            ("1342\n2471\n4213\n3124", "134224.142133124"),
            ("1 3 4 2\n2 4 10 1\n4 2 1 3\n3 1 2 4", "134224.142133124"),
            ("1 3 4 2\n2 4 1\n4 2 1 3\n3 1 2 4", "1342....42133124"),
            ("Row 1: 1342\nRow 2: 24331\nRow 3: 4213\nRow 4: 3124", "1342....42133124"),
            ("[[1,3,4,2],[2,4,3,1],[4,2,1,3],[3,1,2]]", "134224314213...."),
            ("[[1,3,4],[2,4,3,1],[4,2,1,3],[3,1,2,4]]", "....243142133124"),
            // Blank cells.
            ("[[1,3,null,2],[2,4,3,1],[\"\",2,1,3],[3,1,2,\" \"]]", "13_22431_213312_"),
            ("1 3 X 2\n2 4 3 1\n4 2 1 3\n3 1 2 4", "13.2243142133124"),
            (
                "| 1 | 3 |  | 2 |\n|---|---|---|---|\n| 2 | 4 | 3 | 1 |\n| 4 | 2 | 1 | 3 |\n| | 1 | 2 | 4 |",
                "13_224314213_124",
            ),
            (
                "| R1 | 1 | 3 |  | 2 |\n| R2 | 2 | 4 | 3 | 1 |\n| R3 | 4 | 2 | 1 | 3 |\n| R4 | 3 | 1 | 2 | 4 |",
                "13_2243142133124",
            ),
            (
                "<table><tr><td>1</td><td>3</td><td></td><td>2</td></tr>\n<tr><td>2</td><td>4</td><td>3</td><td>1</td></tr>\n<tr><td>4</td><td>2</td><td>1</td><td>3</td></tr><tr><td>3</td><td>1</td><td>2</td><td>4</td></tr></table>",
                "13_2243142133124",
            ),
            // A draft, then a grid with a slip: the last counts.
            ("1342\n2431\n4213\n3124\nWrong. Now:\n1342\n2431\n4231\n3124", "1342243142313124"),
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
        ] {
            assert_eq!(found(answer), None, "{answer}");
        }
    }
}

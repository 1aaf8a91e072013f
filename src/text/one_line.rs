//! Reads grids on one line with blanks, `,`, `;` or `:` between their rows or cells, cells that are
//! numbers of two digits, and cells that are groups of candidates.

use super::forms::lines::Fields;
use super::record::{is_blank, trim, without_end};
use super::symbols::{Alphabet, Case};
use engine::rules::Shape;

/// A line of 25 symbols or fewer could be a row of a larger puzzle.
const MIN_SIDE: usize = 6;

/// Reads N fields of N symbols, or N² that [`read_cells`] accepts, without HoDoKu's `+` marks.
/// Returns N and the symbols. No text in which [`blanks_as_cells`] finds a grid has such fields: 36
/// digits of a 9x9 without neighbours are no 6x6.
pub(crate) fn read_grid(text: &[u8], alphabet: &Alphabet) -> Option<(usize, Vec<u8>)> {
    if blanks_as_cells(text).is_some() {
        return None;
    }
    let text = alphabet.without_marks(text);
    if let Some(grid) = cells_before_dots(trim(&text)) {
        return Some(grid);
    }
    let fields: Vec<&[u8]> = Fields::of(&text).collect();
    let are_rows = fields.len() >= MIN_SIDE && fields.iter().all(|it| it.len() == fields.len());
    if are_rows {
        return Some((fields.len(), fields.concat()));
    }
    let side = fields.len().isqrt();
    let are_cells = side >= MIN_SIDE && side * side == fields.len();
    are_cells.then(|| Some((side, read_cells(&fields, side, alphabet)?)))?
}

/// Returns N and the cells of N rows of N cells with commas between the cells and dots between the rows.
fn cells_before_dots(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    if text.get(1) != Some(&b',') {
        return None;
    }
    let side = text.len().div_ceil(2).isqrt();
    if side < MIN_SIDE || text.len() != 2 * side * side - 1 {
        return None;
    }
    let separator = |cell: usize| if (cell + 1).is_multiple_of(side) { b'.' } else { b',' };
    let has_separator = |(cell, pair): (usize, &[u8])| {
        pair[0] != b',' && pair.get(1).is_none_or(|&it| it == separator(cell))
    };
    let are_rows = text.chunks(2).enumerate().all(has_separator);
    are_rows.then(|| (side, text.iter().copied().step_by(2).collect()))
}

/// Reads N² fields, each with the candidates of a cell in ascending order, as pencilmarks. In files
/// of SudoCue, `u` precedes a digit of the player.
pub(crate) fn read_candidates(text: &[u8], alphabet: &Alphabet) -> Option<Vec<u8>> {
    let fields: Vec<&[u8]> = Fields::of(text).collect();
    let side = fields.len().isqrt();
    // In larger grids, two digits are a number.
    let is_side = (MIN_SIDE..=9).contains(&side) && side * side == fields.len();
    if !is_side || fields.iter().all(|field| field.len() == 1) {
        return None;
    }
    let mut marks = Vec::with_capacity(side * side * side);
    for field in fields {
        let candidates = match field {
            [b'u', digit] => std::slice::from_ref(digit),
            _ => field,
        };
        let digits: Option<Vec<usize>> =
            candidates.iter().map(|&symbol| alphabet.digit_of(symbol)).collect();
        let digits = digits.filter(|digits| {
            digits[0] > 0
                && digits.is_sorted_by(|one, next| one < next)
                && digits.iter().all(|&digit| digit <= side)
        })?;
        let symbol = |digit: usize| match digits.binary_search(&digit) {
            Ok(index) => candidates[index],
            Err(_) => alphabet.symbol(0, Case::Capital) as u8,
        };
        marks.extend((1..=side).map(symbol));
    }
    Some(marks)
}

/// Numbers of two digits become symbols: `07` becomes `7`, and `10` (by default) `A`.
pub(crate) fn read_cells(cells: &[&[u8]], side: usize, alphabet: &Alphabet) -> Option<Vec<u8>> {
    let symbol = |cell: &&[u8]| match **cell {
        [symbol] => Some(symbol),
        [b'0', digit @ b'0'..=b'9'] => Some(digit),
        [tens @ b'1'..=b'2', ones @ b'0'..=b'9'] => {
            let number = 10 * (tens - b'0') + (ones - b'0');
            // If the user chose the symbols, `1` need not be the symbol of 1, and digits up to
            // `side` can lack a symbol. In either case, `10` is not read as a number.
            let are_numbers =
                alphabet.digit_of(b'1') == Some(1) && alphabet.number_of_digits() >= side;
            let is_digit = are_numbers && usize::from(number) <= side;
            is_digit.then(|| alphabet.symbol(number, Case::Capital) as u8)
        }
        _ => None,
    };
    cells.iter().map(symbol).collect()
}

/// Returns the symbols of a text in which spaces and tabs are blank cells. The length of the whole
/// text decides, not the number of its digits: it has as many characters as a puzzle of side 4 or
/// more has cells, on one line or in N lines of N. Blanks at regular places separate rows or cells.
pub(crate) fn blanks_as_cells(text: &[u8]) -> Option<Vec<u8>> {
    memchr::memchr2(b' ', b'\t', text)?;
    let is_cell = |byte: &u8| byte.is_ascii_alphanumeric() || is_blank(*byte);
    let mut cells = rows_of_lines(text).unwrap_or_else(|| text.to_vec());
    if !is_grid(cells.len()) || !cells.iter().all(is_cell) || has_separators(&cells) {
        return None;
    }
    let digits = cells.iter().filter(|byte| !is_blank(**byte)).count();
    // Few puzzles have a side without boxes.
    let has_boxes = |cells: usize| Shape::boxes_of(cells.isqrt()).is_some();
    if is_grid(digits) && has_boxes(digits) && !has_boxes(cells.len()) {
        return None;
    }
    cells.iter_mut().filter(|byte| is_blank(**byte)).for_each(|byte| *byte = b'.');
    Some(cells)
}

fn is_grid(length: usize) -> bool {
    length >= 16 && length.isqrt().pow(2) == length
}

/// Joins N lines of N characters.
fn rows_of_lines(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').map(without_end).collect();
    let are_rows = lines.len() > 1 && lines.iter().all(|line| line.len() == lines.len());
    are_rows.then(|| lines.concat())
}

/// Returns true if blanks divide a text into a square number of cells, or into parts of equal
/// length that are a grid together.
fn has_separators(text: &[u8]) -> bool {
    let fields: Vec<&[u8]> = text.split(|&byte| is_blank(byte)).collect();
    let gap = fields.split(|field| !field.is_empty()).map(<[_]>::len).max().unwrap_or_default();
    let is_enclosed = [fields.first(), fields.last()].iter().flatten().all(|it| !it.is_empty());
    let parts: Vec<&[u8]> = fields.into_iter().filter(|field| !field.is_empty()).collect();
    let length = parts.first().map_or(0, |part| part.len());
    let are_equal = length > 1 && parts.len() >= 4 && parts.iter().all(|part| part.len() == length);
    let are_cells = is_grid(parts.len()) && parts.iter().all(|part| part.len() <= 2);
    // The gap is one less than the number of blanks.
    (are_equal && is_grid(length * parts.len())) || (are_cells && is_enclosed && gap <= 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_or_cells_are_joined_unless_the_line_could_be_a_row() {
        let cells = |side: usize, cell: &str| vec![cell; side * side].join(" ");
        let rows = |side: usize| vec![".".repeat(side); side].join(",");
        for (text, length) in [
            (rows(6), Some(36)),
            (rows(9).replace(',', "  "), Some(81)),
            (rows(9) + ",.", None),
            (rows(9).replacen("..", ".", 1), None),
            (rows(5), None),
            (cells(9, "."), Some(81)),
            (cells(9, "09"), Some(81)),
            (cells(12, "12"), Some(144)),
            (cells(12, "13"), None),
            (cells(12, "123"), None),
            (cells(5, "."), None),
            (cells(9, ".").replacen(' ', ",,", 1), None),
            (String::new(), None),
        ] {
            let grid = read_grid(text.as_bytes(), &Alphabet::default());
            assert_eq!(grid.map(|(_, cells)| cells.len()), length, "{text}");
        }
        let digits = Alphabet::of_symbols("0123456789AB").unwrap();
        assert_eq!(read_grid(cells(12, "12").as_bytes(), &digits), None);
    }

    #[test]
    fn groups_of_candidates_are_pencilmarks() {
        let with = |cell: &str, first: &str| {
            let groups = [vec![first], vec![cell; 80]].concat().join(" ");
            read_candidates(groups.as_bytes(), &Alphabet::default())
                .map(|marks| String::from_utf8(marks).unwrap())
        };
        let marks = with("123456789", "257").unwrap();
        assert_eq!((&marks[..18], marks.len()), (".2..5.7..123456789", 729));
        assert_eq!(with("4", "u7").unwrap()[..18], *"......7.....4.....");
        for (cell, first) in [
            ("4", "7"),
            ("12", "21"),
            ("12", "11"),
            ("12", "."),
            ("12", "0"),
            ("12", "02"),
            ("12", "u"),
            ("12", "u12"),
            ("12", "1a"),
            ("12", "1 2"),
        ] {
            assert_eq!(with(cell, first), None, "{cell} {first}");
        }
        let six = vec!["16"; 36].join(",");
        let read = |text: &str| read_candidates(text.as_bytes(), &Alphabet::default());
        assert_eq!(read(&six).unwrap().len(), 216);
        assert_eq!(read(&six.replace('6', "7")), None);
        assert_eq!(read(&vec!["12"; 144].join(" ")), None);
    }

    #[test]
    fn the_length_of_the_whole_text_decides_whether_blanks_are_cells() {
        let with_givens = |cells: &[usize]| {
            let mut text = vec![b' '; 81];
            cells.iter().for_each(|&cell| text[cell] = b'1');
            String::from_utf8(text).unwrap()
        };
        let first = |number: usize| with_givens(&(0..number).collect::<Vec<usize>>());
        let isolated =
            |number: usize| with_givens(&(0..number).map(|it| 2 * it).collect::<Vec<_>>());
        let spread = |number: usize| isolated(number).split_at(2).1.to_string() + "  ";
        for (text, are_cells) in [
            (first(25), true),
            (first(36), true),
            (first(49), true),
            (first(64), true),
            (first(30), true),
            (isolated(25), true),
            (isolated(36), true),
            (spread(37), true),
            ("1   \n  3 \n 2  \n   4\n".into(), true),
            ("1     3  2     4".into(), true),
            // 25 cells, 36 numbers of up to two digits, rows of boxes.
            (["1"; 25].join(" "), false),
            ([vec!["12"; 10], vec!["1"; 26]].concat().join(" "), false),
            (["123"; 27].join(" "), false),
            (first(30)[1..].to_string(), false),
            (first(30).replace('1', "."), false),
        ] {
            let cells = blanks_as_cells(text.as_bytes());
            assert_eq!(cells.is_some(), are_cells, "{text:?}");
        }
        let grid = read_grid(isolated(36).trim().as_bytes(), &Alphabet::default());
        assert!(grid.is_some(), "36 cells with a blank after each");
        let grid = read_grid(isolated(36).as_bytes(), &Alphabet::default());
        assert_eq!(grid, None, "81 cells, 36 of them not blank");
    }

    #[test]
    fn numbers_are_the_symbols_of_their_digits() {
        let cells: [&[u8]; 5] = [b"1", b"-", b"10", b"07", b"16"];
        let symbols = read_cells(&cells, 16, &Alphabet::default());
        assert_eq!(symbols.as_deref(), Some(&b"1-A7G"[..]));
    }
}

//! Reads grids on one line with blanks, `,`, `;` or `:` between their rows or cells, and cells that
//! are numbers of two digits.

use super::forms::lines::Fields;
use super::symbols::{Alphabet, Case};

/// A line of 25 symbols or fewer could be a row of a larger puzzle.
const MIN_SIDE: usize = 6;

/// Reads N fields of N symbols, or N² that [`read_cells`] accepts, without HoDoKu's `+` marks.
pub(crate) fn read_grid(text: &[u8], alphabet: &Alphabet) -> Option<Vec<u8>> {
    let text = alphabet.without_marks(text);
    let fields: Vec<&[u8]> = Fields::of(&text).collect();
    let are_rows = fields.len() >= MIN_SIDE && fields.iter().all(|it| it.len() == fields.len());
    if are_rows {
        return Some(fields.concat());
    }
    let side = fields.len().isqrt();
    let are_cells = side >= MIN_SIDE && side * side == fields.len();
    are_cells.then(|| read_cells(&fields, side, alphabet)).flatten()
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
            assert_eq!(grid.map(|grid| grid.len()), length, "{text}");
        }
        let digits = Alphabet::of_symbols("0123456789AB").unwrap();
        assert_eq!(read_grid(cells(12, "12").as_bytes(), &digits), None);
    }

    #[test]
    fn numbers_are_the_symbols_of_their_digits() {
        let cells: [&[u8]; 5] = [b"1", b"-", b"10", b"07", b"16"];
        let symbols = read_cells(&cells, 16, &Alphabet::default());
        assert_eq!(symbols.as_deref(), Some(&b"1-A7G"[..]));
    }
}

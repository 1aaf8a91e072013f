//! Cages as arrows: one symbol per cell, for puzzles up to 9x9. A symbol is the sum of a cage, or
//! an arrow to a neighbour in the same cage.
//!
//! ```text
//!   ` ^ '       0-9    sums 0 to 9, 0 for a cage without a sum or a cell in no cage
//!   <   >       A-Z    sums 10 to 35
//!   , v .       a-j    sums 36 to 45
//! ```

use super::draft::CageDraft;
use crate::text::size::wrong_length;
use engine::error::InvalidInput;
use engine::rules::{Cage, Place, a_puzzle};

/// The largest side of a puzzle with cages as arrows: every sum up to this side has a symbol.
pub(super) const MAX_ARROWS_SIDE: usize = 9;

const ARROWS: [(u8, [isize; 2]); 8] = [
    (b'<', [0, -1]),
    (b'>', [0, 1]),
    (b'^', [-1, 0]),
    (b'v', [1, 0]),
    (b'`', [-1, -1]),
    (b'\'', [-1, 1]),
    (b',', [1, -1]),
    (b'.', [1, 1]),
];

const SUMS: &[u8; 46] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij";

fn sum_of(symbol: u8) -> Option<u16> {
    memchr::memchr(symbol, SUMS).map(|sum| sum as u16)
}

pub fn symbol_of_sum(sum: u8) -> Option<u8> {
    SUMS.get(usize::from(sum)).copied()
}

fn step_of(symbol: u8) -> Option<[isize; 2]> {
    let arrow = ARROWS.iter().find(|(arrow, _)| *arrow == symbol);
    arrow.map(|&(_, step)| step)
}

/// Returns true if a field looks like cages as arrows: it has the length of a puzzle up to 9x9, all
/// its symbols are arrows or sums, and one of them is an arrow other than `.`.
///
/// A field without another arrow is more likely a puzzle, in which `.` is a blank cell.
pub fn is_arrows(field: &[u8]) -> bool {
    let side = field.len().isqrt();
    let is_arrow = |symbol: &u8| step_of(*symbol).is_some();
    (2..=MAX_ARROWS_SIDE).contains(&side)
        && side * side == field.len()
        && field.iter().any(|it| *it != b'.' && is_arrow(it))
        && field.iter().all(|it| is_arrow(it) || sum_of(*it).is_some())
}

/// The cages are in the order of their first cells.
pub(super) fn read(field: &[u8], side: usize) -> Result<Vec<Cage>, InvalidInput> {
    if field.len() != side * side {
        return Err(wrong_length(field.len(), "cage symbol", side));
    }
    if side > MAX_ARROWS_SIDE {
        let puzzle = a_puzzle(side);
        return Err(
            format!("cages of {puzzle} cannot be arrows; write cage numbers (4x4::k:...)").into()
        );
    }
    let symbols = field.iter().enumerate();
    let targets = symbols.map(|(cell, &symbol)| target(symbol, cell, side));
    let targets: Vec<usize> = targets.collect::<Result<_, _>>()?;
    let mut draft = CageDraft::new(side);
    for (cell, &symbol) in field.iter().enumerate() {
        let root = root_of(cell, &targets).map_err(|in_loop| {
            let place = Place::of(in_loop, side);
            format!("the arrows from {place} lead back to it, not to a sum")
        })?;
        draft.join(cell, root);
        if let Some(sum) = sum_of(symbol) {
            draft.set_sum(root, sum)?;
        }
    }
    draft.finish()
}

/// Returns the cell to which the arrow of a cell points, or the cell itself if it has a sum.
fn target(symbol: u8, cell: usize, side: usize) -> Result<usize, InvalidInput> {
    let place = Place::of(cell, side);
    match (sum_of(symbol), step_of(symbol)) {
        (Some(_), _) => Ok(cell),
        (None, Some(step)) => neighbour(cell, step, side).ok_or_else(|| {
            let symbol = char::from(symbol);
            format!("the arrow '{symbol}' at {place} points out of the grid").into()
        }),
        (None, None) => {
            let symbol = symbol.escape_ascii();
            Err(format!("'{symbol}' at {place} is neither an arrow nor a sum").into())
        }
    }
}

fn neighbour(cell: usize, [down, right]: [isize; 2], side: usize) -> Option<usize> {
    let row = (cell / side).checked_add_signed(down)?;
    let column = (cell % side).checked_add_signed(right)?;
    (row < side && column < side).then_some(row * side + column)
}

/// Returns the cell with a sum to which the arrows from `start` lead, which can be `start` itself.
/// If they lead into a loop, returns a cell of the loop as the error.
fn root_of(start: usize, targets: &[usize]) -> Result<usize, usize> {
    let mut cell = start;
    // A path that has not ended after one step for each cell of the grid is in a loop.
    for _ in targets {
        if targets[cell] == cell {
            return Ok(cell);
        }
        cell = targets[cell];
    }
    Err(cell)
}

/// Returns cages as arrows. The first cell of each cage holds its sum, and the arrows of the other
/// cells take a shortest path through the cage to this cell. Returns `None` if the puzzle is larger
/// than 9x9, or if a cage has parts that do not touch each other, not even at corners.
pub(super) fn write(cages: &[Cage], side: usize) -> Option<Vec<u8>> {
    if side > MAX_ARROWS_SIDE {
        return None;
    }
    let mut symbols = vec![b'0'; side * side];
    let are_written = cages.iter().all(|cage| write_cage(cage, side, &mut symbols));
    are_written.then_some(symbols)
}

/// A breadth-first search from the first cell. Returns false if it does not reach all cells.
fn write_cage(cage: &Cage, side: usize, symbols: &mut [u8]) -> bool {
    let first = cage.cells()[0];
    symbols[usize::from(first)] = SUMS[usize::from(cage.sum.unwrap_or_default())];
    let mut unreached: Vec<u16> = cage.cells()[1..].to_vec();
    let mut reached = vec![usize::from(first)];
    let mut next = 0;
    while let Some(&target) = reached.get(next) {
        next += 1;
        for (symbol, [down, right]) in ARROWS {
            // The cell from which this arrow points to `target`.
            let Some(from) = neighbour(target, [-down, -right], side) else {
                continue;
            };
            if let Some(index) = unreached.iter().position(|&cell| usize::from(cell) == from) {
                unreached.swap_remove(index);
                symbols[from] = symbol;
                reached.push(from);
            }
        }
    }
    unreached.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Kind, cells_and_sums, random_cages};
    use super::*;

    #[test]
    fn an_arrow_leads_to_its_neighbour_in_each_direction() {
        for (field, cell) in [
            (".00050000", 0),
            ("0v0050000", 1),
            ("00,050000", 2),
            ("000>50000", 3),
            ("00005<000", 5),
            ("000050'00", 6),
            ("0000500^0", 7),
            ("00005000`", 8),
        ] {
            let cells = vec![cell.min(4), cell.max(4)];
            let cages = read(field.as_bytes(), 3).unwrap();
            assert_eq!(cells_and_sums(&cages), [(cells, Some(5))], "{field}");
        }
    }

    #[test]
    fn killers_of_public_collections_are_read() {
        for (field, number, first) in [
            (
                "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^",
                24,
                (vec![0, 1, 2, 9], Some(16)),
            ),
            // It has a single cell without a sum, which is no cage.
            (
                "D<C<OF<C<^K<<^R<<^7^P<^N<^A^^^^^^^^^C<<N0^C<<DV>^EI<NF^^^^^^^^^E^<<^>>^I^<A<^7<>^",
                24,
                (vec![0, 1, 9], Some(13)),
            ),
        ] {
            let cages = read(field.as_bytes(), 9).unwrap();
            assert_eq!((cages.len(), &cells_and_sums(&cages)[0]), (number, &first), "{field}");
            let text = write(&cages, 9).unwrap();
            assert_eq!(cells_and_sums(&read(&text, 9).unwrap()), cells_and_sums(&cages));
        }
    }

    #[test]
    fn every_sum_has_a_symbol() {
        for (sum, &symbol) in (0..).zip(SUMS) {
            assert_eq!(sum_of(symbol), Some(sum));
        }
        let digits = 1..=MAX_ARROWS_SIDE;
        assert_eq!(SUMS.len(), digits.sum::<usize>() + 1);
    }

    #[test]
    fn a_cage_of_several_cells_can_have_no_sum() {
        let cages = read(b"0<0^00000", 3).unwrap();
        assert_eq!(cells_and_sums(&cages), [(vec![0, 1, 3], None)]);
    }

    #[test]
    fn errors_name_the_cell_the_cage_or_the_count() {
        for (field, reason) in [
            ("0000", "4 cage symbols; a 3x3 puzzle has 9"),
            ("000#00000", "'#' at r2c1 is neither an arrow nor a sum"),
            ("0000k0000", "'k' at r2c2 is neither an arrow nor a sum"),
            ("0000\x1b0000", "'\\x1b' at r2c2 is neither an arrow nor a sum"),
            ("000<00000", "the arrow '<' at r2c1 points out of the grid"),
            ("00'000000", "the arrow ''' at r1c3 points out of the grid"),
            ("00000000.", "the arrow '.' at r3c3 points out of the grid"),
            (">v0^<0000", "the arrows from r1c2 lead back to it, not to a sum"),
            // The first cell leads to a loop, but is not in it.
            (">v0>v0^<0", "the arrows from r2c1 lead back to it, not to a sum"),
            ("6<000000^", "cage at r1c1: 2 different digits add up to 3 to 5, not 6"),
            ("00006<000", "cage at r2c2: 2 different digits add up to 3 to 5, not 6"),
            ("6<<^00000", "cage at r1c1 has 4 cells; the limit is 3"),
        ] {
            let error = read(field.as_bytes(), 3).map(|cages| cells_and_sums(&cages));
            assert_eq!(error.unwrap_err().to_string(), reason, "{field}");
        }
        let reason = "cages of a 16x16 puzzle cannot be arrows; write cage numbers (4x4::k:...)";
        assert_eq!(read(&[b'0'; 256], 16).unwrap_err().to_string(), reason);
    }

    #[test]
    fn a_field_that_could_be_a_puzzle_is_not_arrows() {
        for field in ["3<<^", "3`^0", "0v00"] {
            assert!(is_arrows(field.as_bytes()), "{field}");
        }
        for field in ["1234", "1..2", "0000", "....", "3<<", "3<<#", "x<12", "", "3", "3<<^0"] {
            assert!(!is_arrows(field.as_bytes()), "{field}");
        }
        assert!(!is_arrows(&[b'<'; 100]));
    }

    #[test]
    fn connected_cages_are_read_back() {
        for side in 2..=MAX_ARROWS_SIDE {
            for seed in 0..100 {
                for kind in [Kind::WithSums, Kind::SomeWithoutSums] {
                    let cages = random_cages(side, kind, seed);
                    let text = write(&cages, side).unwrap();
                    let read = read(&text, side).unwrap();
                    assert_eq!(
                        cells_and_sums(&read),
                        cells_and_sums(&cages),
                        "{}",
                        text.escape_ascii()
                    );
                }
            }
        }
    }
}

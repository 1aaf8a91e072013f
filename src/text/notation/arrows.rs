//! Cages as arrows: one symbol per cell, for puzzles up to 9x9. A symbol is the sum of a cage, or an arrow to a neighbour in
//! the same cage.
//!
//! ```text
//!   ` ^ '       0-9    sums 0 to 9, 0 for a cage without a sum
//!   < . >       A-Z    sums 10 to 35
//!   , v .       a-j    sums 36 to 45
//! ```

use super::draft::CageDraft;
use super::error::NotationError;
use crate::rules::{Cage, Place};

/// The largest side of a puzzle with cages as arrows. The sum of all its digits has a symbol.
pub(super) const MAX_ARROWS_SIDE: usize = 9;

/// The arrows, with their steps in rows and columns.
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

/// The symbols of the sums from 0.
const SUMS: &[u8; 46] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij";

/// What a symbol means for its cell.
#[derive(Clone, Copy)]
enum Symbol {
    /// The cell is in the cage of the cell at this step in rows and columns.
    Arrow([isize; 2]),
    /// The sum of the cell's cage.
    Sum(u16),
}

impl Symbol {
    fn of(symbol: u8) -> Option<Symbol> {
        let sum = match symbol {
            b'0'..=b'9' => symbol - b'0',
            b'A'..=b'Z' => symbol - b'A' + 10,
            b'a'..=b'j' => symbol - b'a' + 36,
            _ => {
                let arrow = ARROWS.iter().find(|(known, _)| *known == symbol);
                return arrow.map(|&(_, step)| Symbol::Arrow(step));
            }
        };
        Some(Symbol::Sum(sum.into()))
    }
}

/// Returns true if a field that is alone on its line is a field of arrows: it has the length of a puzzle up to 9x9, and all
/// its symbols are arrows or sums.
///
/// A field of digits and `.` only is a puzzle without cages: `.` also is an arrow, but cages of single cells and falling
/// diagonals do not make a killer.
pub fn is_arrows(field: &[u8]) -> bool {
    let side = field.len().isqrt();
    (2..=MAX_ARROWS_SIDE).contains(&side)
        && side * side == field.len()
        && field.iter().all(|&symbol| Symbol::of(symbol).is_some())
        && field
            .iter()
            .any(|&symbol| symbol != b'.' && matches!(Symbol::of(symbol), Some(Symbol::Arrow(_))))
}

/// Reads the cages of a puzzle, in the order of their first cells.
///
/// # Errors
/// Returns an error that names the cell, the cage or the count at fault.
pub(super) fn read(field: &[u8], side: usize) -> Result<Vec<Cage>, NotationError> {
    if field.len() != side * side {
        return Err(NotationError::Length {
            number: field.len(),
            noun: "cage symbol",
            side,
        });
    }
    if side > MAX_ARROWS_SIDE {
        return Err(NotationError::TooLargeForArrows(side));
    }
    let mut targets = Vec::with_capacity(field.len());
    for (cell, &symbol) in field.iter().enumerate() {
        targets.push(target(symbol, cell, side)?);
    }
    let roots = roots(&targets).map_err(|cell| NotationError::Loop(Place::of(cell, side)))?;
    let mut draft = CageDraft::new(side);
    for (cell, &root) in roots.iter().enumerate() {
        draft.join(cell, root);
    }
    for (cell, &target) in targets.iter().enumerate() {
        if let Target::Sum(sum @ 1..) = target {
            draft.set_sum(cell, sum)?;
        }
    }
    draft.finish()
}

/// Where the cage of a cell is found.
#[derive(Clone, Copy)]
enum Target {
    /// The cage of this cell is the same.
    Cell(usize),
    /// The cage is that of the cell itself, with this sum.
    Sum(u16),
}

/// Reads the symbol of a cell.
fn target(symbol: u8, cell: usize, side: usize) -> Result<Target, NotationError> {
    let place = Place::of(cell, side);
    match Symbol::of(symbol) {
        Some(Symbol::Sum(sum)) => Ok(Target::Sum(sum)),
        Some(Symbol::Arrow(step)) => match neighbour(cell, step, side) {
            Some(neighbour) => Ok(Target::Cell(neighbour)),
            None => Err(NotationError::PointsOutside { symbol, place }),
        },
        None => Err(NotationError::NotAnArrow { symbol, place }),
    }
}

/// Returns the cell that is one step away, if it is in the grid.
fn neighbour(cell: usize, [down, right]: [isize; 2], side: usize) -> Option<usize> {
    let row = (cell / side).checked_add_signed(down)?;
    let column = (cell % side).checked_add_signed(right)?;
    (row < side && column < side).then_some(row * side + column)
}

/// Returns for each cell the cell with a sum to which its arrows lead. Returns a cell of a loop if there is one.
fn roots(targets: &[Target]) -> Result<Vec<usize>, usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut roots = vec![UNKNOWN; targets.len()];
    // The start of the last path through each cell.
    let mut starts = vec![UNKNOWN; targets.len()];
    let mut path = Vec::new();
    for start in 0..targets.len() {
        let mut cell = start;
        while roots[cell] == UNKNOWN {
            if starts[cell] == start {
                return Err(cell);
            }
            starts[cell] = start;
            path.push(cell);
            match targets[cell] {
                Target::Cell(next) => cell = next,
                Target::Sum(_) => roots[cell] = cell,
            }
        }
        for passed in path.drain(..) {
            roots[passed] = roots[cell];
        }
    }
    Ok(roots)
}

/// Appends cages as arrows. The first cell of each cage holds its sum, and the arrows take the shortest path to it. Appends
/// nothing and returns false if they cannot be written so: the puzzle is larger than 9x9, or the cells of a cage do not
/// touch each other, not even at corners.
pub(super) fn write(cages: &[Cage], side: usize, out: &mut Vec<u8>) -> bool {
    if side > MAX_ARROWS_SIDE {
        return false;
    }
    let mut symbols = vec![b'0'; side * side];
    let are_written = cages
        .iter()
        .all(|cage| write_cage(cage, side, &mut symbols));
    if are_written {
        out.extend(symbols);
    }
    are_written
}

/// Writes the symbols of a cage by a breadth-first search from its first cell. Returns false if it does not reach all cells.
fn write_cage(cage: &Cage, side: usize, symbols: &mut [u8]) -> bool {
    let first = cage.cells()[0];
    symbols[usize::from(first)] = SUMS[usize::from(cage.sum.unwrap_or_default())];
    let mut left: Vec<u16> = cage.cells()[1..].to_vec();
    let mut reached = vec![usize::from(first)];
    let mut next = 0;
    while let Some(&to) = reached.get(next) {
        next += 1;
        for (symbol, [down, right]) in ARROWS {
            // The cell from which this arrow points to `to`.
            let Some(from) = neighbour(to, [-down, -right], side) else {
                continue;
            };
            if let Some(index) = left.iter().position(|&cell| usize::from(cell) == from) {
                left.swap_remove(index);
                symbols[from] = symbol;
                reached.push(from);
            }
        }
    }
    left.is_empty()
}

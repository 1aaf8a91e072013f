//! Decodes the game IDs of Solo, the sudoku of Simon Tatham's Portable Puzzle Collection, as its `--generate` prints them:
//! `3x3:a8e4_2c3d7...`.
//!
//! ```text
//!   3x3:GIVENS      3 rows by 3 columns in a box         3x3x:   with diagonals
//!   9j:GIVENS,REGIONS        jigsaw                      3x3k:GIVENS,CAGES,SUMS       killer
//! ```
//!
//! Givens and sums are lists of cells along the rows: a number, or a letter for a run of blank cells (`a` for 1, `b` for 2).
//! `_` separates two numbers. The sum of a cage is at one of its cells.
//!
//! Regions and cages are lists of borders between neighbouring cells: those between columns, row by row, then those between
//! rows, column by column. A letter is a run of open borders (`a` for 1), which ends at a closed one; `_` is a closed border
//! directly after another. A closed border that does not exist follows the last one.

use super::described::{DescribedPuzzle, parse_number, side_of_boxes, split_number};
use super::draft::CageDraft;
use super::error::{NotationError, excerpt};
use crate::rules::{Cage, MAX_SIDE, Place, RulesError};

const GIVENS: &str = "givens";
const REGIONS: &str = "regions";
const CAGES: &str = "cages";
const SUMS: &str = "sums";

/// Region labels, in the order of the regions' first cells.
const LABELS: &[u8; MAX_SIDE] = b"ABCDEFGHIJKLMNOPQRSTUVWXY";

/// The part of a game ID before the first `:`.
pub(super) struct Header<'a> {
    rows: &'a [u8],
    /// `None` if the ID states one number only: the side of a jigsaw.
    columns: Option<&'a [u8]>,
    jigsaw: bool,
    diagonals: bool,
    killer: bool,
}

impl<'a> Header<'a> {
    /// Splits a field into its header and its lists. Returns `None` if the field is not in this notation: a number up to 99,
    /// `x` and another number or none, some of the letters `jxk`, each once, and `:`. Without a second number there must be a
    /// `j`.
    pub fn split(field: &'a [u8]) -> Option<(Header<'a>, &'a [u8])> {
        let is_size = |number: &[u8]| matches!(number, [b'1'..=b'9'] | [b'1'..=b'9', _]);
        let (rows, rest) = split_number(field);
        let (columns, mut rest) = match rest.strip_prefix(b"x").map(split_number) {
            Some((columns @ [_, ..], rest)) => (Some(columns), rest),
            _ => (None, rest),
        };
        let mut header = Header {
            rows,
            columns,
            jigsaw: false,
            diagonals: false,
            killer: false,
        };
        while let [letter @ (b'j' | b'x' | b'k'), after @ ..] = rest {
            let flag = match letter {
                b'j' => &mut header.jigsaw,
                b'x' => &mut header.diagonals,
                _ => &mut header.killer,
            };
            if std::mem::replace(flag, true) {
                return None;
            }
            rest = after;
        }
        let lists = rest.strip_prefix(b":")?;
        let is_known = is_size(rows) && columns.map_or(header.jigsaw, is_size);
        is_known.then_some((header, lists))
    }

    /// Returns the names of the lists after the header.
    fn lists(&self) -> &'static [&'static str] {
        match (self.jigsaw, self.killer) {
            (false, false) => &[GIVENS],
            (true, false) => &[GIVENS, REGIONS],
            (false, true) => &[GIVENS, CAGES, SUMS],
            (true, true) => &[GIVENS, REGIONS, CAGES, SUMS],
        }
    }
}

/// Decodes a field that [`Header::split`] can split.
///
/// # Errors
/// Returns an error that names the cell, the cage, the list or the count at fault.
pub(super) fn decode(field: &[u8]) -> Result<DescribedPuzzle, NotationError> {
    let (header, lists) = Header::split(field).expect("the field is in this notation");
    let Some((boxes, side)) = side_of_boxes(header.rows, header.columns.unwrap_or(b"1")) else {
        let size = &field[..field.len() - lists.len() - 1];
        return Err(NotationError::Size(excerpt(size)));
    };
    let expected = header.lists();
    let number = memchr::memchr_iter(b',', lists).count() + 1;
    if number != expected.len() {
        return Err(NotationError::NumberOfLists { number, expected });
    }
    let mut lists = lists.split(|&byte| byte == b',');
    let mut next = || lists.next().unwrap_or_default();
    let mut puzzle = DescribedPuzzle {
        boxes: (!header.jigsaw).then_some(boxes),
        diagonals: header.diagonals,
        ..DescribedPuzzle::blank(side)
    };
    read_givens(next(), side, &mut puzzle.digits)?;
    if header.jigsaw {
        puzzle.regions = Some(read_regions(next(), side)?);
    }
    if header.killer {
        puzzle.cages = Some(read_cages(next(), next(), side)?);
    }
    Ok(puzzle)
}

/// Reads the givens into `digits`, which are 0.
fn read_givens(list: &[u8], side: usize, digits: &mut [u8]) -> Result<(), NotationError> {
    read_cells(list, GIVENS, side, |cell, number| {
        match parse_number(number).filter(|number| (1..=side).contains(&(*number as usize))) {
            Some(digit) => {
                digits[cell] = digit as u8;
                Ok(())
            }
            None => Err(NotationError::NotADigit {
                text: excerpt(number),
                place: Place::of(cell, side),
                side,
            }),
        }
    })
}

/// Calls `read` for each number in a list of cells, with its cell.
fn read_cells(
    list: &[u8],
    name: &'static str,
    side: usize,
    mut read: impl FnMut(usize, &[u8]) -> Result<(), NotationError>,
) -> Result<(), NotationError> {
    let cells = side * side;
    let mut cell = 0;
    let mut rest = list;
    while let [symbol, after @ ..] = rest {
        rest = after;
        match symbol {
            b'_' => {}
            b'a'..=b'z' => cell += usize::from(symbol - b'a') + 1,
            b'0'..=b'9' => {
                let (_, after) = split_number(after);
                // Of a list that is too long, only the length matters.
                if cell < cells {
                    let start = list.len() - rest.len() - 1;
                    read(cell, &list[start..list.len() - after.len()])?;
                }
                rest = after;
                cell += 1;
            }
            &symbol => return Err(NotationError::NotInList { symbol, list: name }),
        }
    }
    match cell == cells {
        true => Ok(()),
        false => Err(NotationError::LengthOfList {
            list: name,
            number: cell,
            noun: "cell",
            expected: cells,
        }),
    }
}

/// Reads the label of each cell.
fn read_regions(list: &[u8], side: usize) -> Result<Vec<u8>, NotationError> {
    let mut areas = Areas::read(list, REGIONS, side)?;
    let mut firsts = Vec::with_capacity(side);
    let mut labels = Vec::with_capacity(side * side);
    for cell in 0..side * side {
        let first = areas.first_cell(cell);
        if first == cell {
            firsts.push(cell);
        }
        if firsts.len() <= side {
            let region = firsts.iter().position(|&known| known == first);
            labels.push(LABELS[region.expect("the first cell of an area comes first")]);
        }
    }
    match firsts.len() {
        regions if regions > side => Err(RulesError::NumberOfRegions { regions, side }.into()),
        _ => Ok(labels),
    }
}

/// Reads the cages. The key of a cage is its first cell.
fn read_cages(list: &[u8], sums: &[u8], side: usize) -> Result<Vec<Cage>, NotationError> {
    let mut areas = Areas::read(list, CAGES, side)?;
    let mut draft = CageDraft::new(side);
    for cell in 0..side * side {
        draft.join(cell, areas.first_cell(cell));
    }
    read_cells(sums, SUMS, side, |cell, number| {
        match parse_number(number).map(u16::try_from) {
            Some(Ok(sum)) => draft.set_sum(cell, sum),
            _ => Err(NotationError::NotASum {
                text: excerpt(number),
                place: Place::of(cell, side),
            }),
        }
    })?;
    draft.finish()
}

/// The areas into which closed borders divide a grid, as a union-find forest: each cell has a parent in its area that is
/// not after it, and the first cell of an area is its own parent.
struct Areas {
    parents: Vec<u16>,
}

impl Areas {
    /// Reads a list of borders.
    fn read(list: &[u8], name: &'static str, side: usize) -> Result<Areas, NotationError> {
        let borders = 2 * side * (side - 1);
        let z = borders_of_z(list, name, borders)?;
        let mut areas = Areas {
            parents: (0..(side * side) as u16).collect(),
        };
        let mut border = 0;
        for &symbol in list {
            let (open, closed) = run(symbol, z).unwrap_or_default();
            for border in border..border + open {
                let [one, other] = cells_at(border, side);
                areas.join(one, other);
            }
            border += open + closed;
        }
        Ok(areas)
    }

    /// Returns the first cell of the area of a cell.
    fn first_cell(&mut self, mut cell: usize) -> usize {
        while usize::from(self.parents[cell]) != cell {
            let parent = usize::from(self.parents[cell]);
            self.parents[cell] = self.parents[parent];
            cell = parent;
        }
        cell
    }

    /// Joins the areas of two cells.
    fn join(&mut self, one: usize, other: usize) {
        let firsts = [one, other].map(|cell| self.first_cell(cell));
        let [first, second] = [firsts[0].min(firsts[1]), firsts[0].max(firsts[1])];
        self.parents[second] = first as u16;
    }
}

/// Returns the number of open borders that a symbol stands for, and the number of closed ones after them. `z` is the number
/// of open borders for the letter `z`, after which no closed border follows.
fn run(symbol: u8, z: usize) -> Option<(usize, usize)> {
    match symbol {
        b'_' => Some((0, 1)),
        b'a'..=b'y' => Some((usize::from(symbol - b'a') + 1, 1)),
        b'z' => Some((z, 0)),
        _ => None,
    }
}

/// Returns the number of open borders for the letter `z`. Solo writes it for 25 borders but reads it as 26. Only one of them
/// gives the list the right length.
fn borders_of_z(list: &[u8], name: &'static str, borders: usize) -> Result<usize, NotationError> {
    let mut length = 0;
    for &symbol in list {
        let Some((open, closed)) = run(symbol, 25) else {
            return Err(NotationError::NotInList { symbol, list: name });
        };
        length += open + closed;
    }
    let letters = memchr::memchr_iter(b'z', list).count();
    // After the last border, the list has a closed one.
    let is_closed = list.last() != Some(&b'z');
    match borders + 1 {
        expected if is_closed && expected == length => Ok(25),
        expected if is_closed && expected == length + letters => Ok(26),
        _ => Err(NotationError::LengthOfList {
            list: name,
            number: length.saturating_sub(1),
            noun: "border",
            expected: borders,
        }),
    }
}

/// Returns the cells on both sides of a border.
fn cells_at(border: usize, side: usize) -> [usize; 2] {
    let (line, place) = (border / (side - 1), border % (side - 1));
    if line < side {
        let left = line * side + place;
        [left, left + 1]
    } else {
        let upper = place * side + line - side;
        [upper, upper + side]
    }
}

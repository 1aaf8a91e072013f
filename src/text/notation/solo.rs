//! Decodes the game IDs of Solo, the sudoku of Simon Tatham's Portable Puzzle Collection, as its
//! `--generate` prints them: `3x3:a8e4_2c3d7...`.
//!
//! ```text
//!   3x3:GIVENS      3 rows by 3 columns in a box         3x3x:   with diagonals
//!   9j:GIVENS,REGIONS        jigsaw                      3x3k:GIVENS,CAGES,SUMS       killer
//! ```
//!
//! Givens and sums are lists of cells along the rows: a number, or a letter for a run of blank
//! cells (`a` for 1, `b` for 2). `_` separates two numbers. The sum of a cage is at one of its
//! cells, if the cage has one.
//!
//! Regions and cages are lists of borders between neighbouring cells: those between columns, row by
//! row, then those between rows, column by column. An open border joins its two cells into one
//! region or cage. A letter up to `y` is a run of open borders (`a` for 1) and the closed border
//! after it. `_` is a closed border without open ones before it. `z` is 25 open borders, or 26 (see
//! [`open_borders_of_z`]), without a closed one. The list ends as if one more, closed border
//! followed the last.

use super::described::{
    DescribedPuzzle, excerpt, labels_of, not_a_digit, not_a_size, not_a_sum, parse_number,
    side_of_boxes, split_number,
};
use super::draft::CageDraft;
use engine::error::InvalidInput;
use engine::rules::{Cage, Place, pluralize, too_many_regions};

const GIVENS: &str = "givens";
const REGIONS: &str = "regions";
const CAGES: &str = "cages";
const SUMS: &str = "sums";

pub(super) struct GameIdHeader<'a> {
    text: &'a [u8],
    rows: &'a [u8],
    /// `None` if the ID states one number only: the side of a jigsaw.
    columns: Option<&'a [u8]>,
    jigsaw: bool,
    diagonals: bool,
    killer: bool,
    lists: &'a [u8],
}

impl<'a> GameIdHeader<'a> {
    /// A header is a number from 1 to 99 without leading zeros, possibly `x` and another such
    /// number, some of the letters `jxk`, each at most once, and `:`. Without a second number there
    /// must be a `j`.
    pub fn split(field: &'a [u8]) -> Option<GameIdHeader<'a>> {
        let is_size = |number: &[u8]| matches!(number, [b'1'..=b'9'] | [b'1'..=b'9', _]);
        let (rows, rest) = split_number(field);
        // An `x` without a number after it is the letter for diagonals.
        let (columns, rest) = match rest.strip_prefix(b"x").map(split_number) {
            Some((columns @ [_, ..], rest)) => (Some(columns), rest),
            _ => (None, rest),
        };
        // `:` follows at most three letters.
        let end = rest.iter().take(4).position(|&symbol| symbol == b':')?;
        let letters = &rest[..end];
        let is_new = |at: usize| !letters[..at].contains(&letters[at]);
        let are_letters = (0..end).all(|at| b"jxk".contains(&letters[at]) && is_new(at));
        let has = |letter: u8| letters.contains(&letter);
        let is_sized = is_size(rows) && columns.map_or(has(b'j'), is_size);
        (are_letters && is_sized).then(|| GameIdHeader {
            text: &field[..field.len() - rest.len() + end],
            rows,
            columns,
            jigsaw: has(b'j'),
            diagonals: has(b'x'),
            killer: has(b'k'),
            lists: &rest[end + 1..],
        })
    }

    fn names(&self) -> &'static [&'static str] {
        match (self.jigsaw, self.killer) {
            (false, false) => &[GIVENS],
            (true, false) => &[GIVENS, REGIONS],
            (false, true) => &[GIVENS, CAGES, SUMS],
            (true, true) => &[GIVENS, REGIONS, CAGES, SUMS],
        }
    }
}

pub(super) fn decode(header: &GameIdHeader<'_>) -> Result<DescribedPuzzle, InvalidInput> {
    // A jigsaw can state its side alone: `9j` is read as `9x1j`. Its boxes are not used.
    let Some((boxes, side)) = side_of_boxes(header.rows, header.columns.unwrap_or(b"1")) else {
        return Err(not_a_size(&excerpt(header.text)));
    };
    let (expected, lists) = (header.names(), header.lists);
    let number = memchr::memchr_iter(b',', lists).count() + 1;
    if number != expected.len() {
        let (number, names) = (pluralize(number, "list"), expected.join(", "));
        return Err(format!("{number} instead of {}: {names}", expected.len()).into());
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

fn read_givens(list: &[u8], side: usize, digits: &mut [u8]) -> Result<(), InvalidInput> {
    read_cells(list, GIVENS, side, |cell, number| {
        digits[cell] = parse_number(number)
            .filter(|&digit: &u8| (1..=side).contains(&digit.into()))
            .ok_or_else(|| not_a_digit(number, Place::of(cell, side), side))?;
        Ok(())
    })
}

/// Calls `read` for each number in a list of cells, with its cell.
fn read_cells(
    list: &[u8],
    name: &str,
    side: usize,
    mut read: impl FnMut(usize, &[u8]) -> Result<(), InvalidInput>,
) -> Result<(), InvalidInput> {
    let cells = side * side;
    let mut cell = 0;
    let mut rest = list;
    while let Some(symbol) = rest.first() {
        let (number, _) = split_number(rest);
        rest = &rest[number.len().max(1)..];
        match symbol {
            b'_' => {}
            b'a'..=b'z' => cell += usize::from(symbol - b'a') + 1,
            b'0'..=b'9' => {
                // Cells beyond the grid are only counted; the error follows below.
                if cell < cells {
                    read(cell, number)?;
                }
                cell += 1;
            }
            &symbol => return Err(not_in_list(symbol, name)),
        }
    }
    if cell == cells {
        return Ok(());
    }
    let number = pluralize(cell, "cell");
    Err(format!("the {name} have {number} instead of {cells}").into())
}

fn not_in_list(symbol: u8, name: &str) -> InvalidInput {
    format!("'{}' in the {name}", symbol.escape_ascii()).into()
}

fn read_regions(list: &[u8], side: usize) -> Result<Vec<u8>, InvalidInput> {
    let areas = read_areas(list, REGIONS, side)?;
    let (labels, regions) = labels_of(areas.into_iter().map(usize::from));
    if regions > side {
        return Err(too_many_regions(regions, side));
    }
    Ok(labels)
}

/// The key of a cage is its first cell.
fn read_cages(list: &[u8], sums: &[u8], side: usize) -> Result<Vec<Cage>, InvalidInput> {
    let areas = read_areas(list, CAGES, side)?;
    let mut draft = CageDraft::new(side);
    for (cell, &area) in areas.iter().enumerate() {
        draft.join(cell, area.into());
    }
    read_cells(sums, SUMS, side, |cell, number| match parse_number(number) {
        Some(sum @ 1..) => draft.set_sum(areas[cell].into(), sum),
        _ => Err(not_a_sum(number, Place::of(cell, side))),
    })?;
    draft.finish()
}

/// Returns the first cell of each cell's area. The closed borders divide the grid into areas.
fn read_areas(list: &[u8], name: &str, side: usize) -> Result<Vec<u16>, InvalidInput> {
    let open_of_z = open_borders_of_z(list, name, 2 * side * (side - 1))?;
    let mut first_cells: Vec<u16> = (0..(side * side) as u16).collect();
    let mut border = 0;
    for &symbol in list {
        let (open, closed) = borders_of_symbol(symbol, open_of_z).unwrap_or_default();
        for open_border in border..border + open {
            // The cells of the area that begins later get the first cell of the other.
            let [one, other] = cells_at(open_border, side).map(|cell| first_cells[cell]);
            let (earlier, later) = (one.min(other), one.max(other));
            let of_later = first_cells.iter_mut().filter(|first| **first == later);
            of_later.for_each(|first| *first = earlier);
        }
        border += open + closed;
    }
    Ok(first_cells)
}

/// Returns how many open borders a symbol stands for, and how many closed borders follow them: (0,
/// 1) for `_`, (3, 1) for `c`, (`open_of_z`, 0) for `z`.
fn borders_of_symbol(symbol: u8, open_of_z: usize) -> Option<(usize, usize)> {
    match symbol {
        b'_' => Some((0, 1)),
        b'a'..=b'y' => Some((usize::from(symbol - b'a') + 1, 1)),
        b'z' => Some((open_of_z, 0)),
        _ => None,
    }
}

/// Returns 25 or 26, whichever gives the list the right length, because Solo writes `z` for 25
/// borders but reads it as 26.
fn open_borders_of_z(list: &[u8], name: &str, borders: usize) -> Result<usize, InvalidInput> {
    // The number of borders in the list, if each `z` is 25.
    let mut length = 0;
    for &symbol in list {
        let Some((open, closed)) = borders_of_symbol(symbol, 25) else {
            return Err(not_in_list(symbol, name));
        };
        length += open + closed;
    }
    let number_of_z = memchr::memchr_iter(b'z', list).count();
    // The list must end with the closed border after the last one of the grid. A `z` has none.
    let is_closed = list.last() != Some(&b'z');
    let expected = borders + 1;
    if is_closed && length == expected {
        Ok(25)
    } else if is_closed && length + number_of_z == expected {
        Ok(26)
    } else {
        // The closed border at the end of the list is not one of the grid.
        let number = pluralize(length.saturating_sub(is_closed.into()), "border");
        Err(format!("the {name} have {number} instead of {borders}").into())
    }
}

/// Returns the cells on both sides of a border. Borders are counted from 0 in the order of the
/// list: N - 1 borders between the cells of each row, then as many between those of each column.
fn cells_at(border: usize, side: usize) -> [usize; 2] {
    // The strips are the rows, then the columns.
    let (strip, index) = (border / (side - 1), border % (side - 1));
    if strip < side {
        let left = strip * side + index;
        [left, left + 1]
    } else {
        let column = strip - side;
        let upper = index * side + column;
        [upper, upper + side]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_errors, cells_and_sums};
    use super::*;

    fn decoded(id: &str) -> DescribedPuzzle {
        super::super::tests::decoded(id.as_bytes())
    }

    #[test]
    fn givens_are_decoded_with_their_boxes() {
        // A solution exists with boxes of 2 rows by 3 columns, but not with boxes of 3 rows by 2
        // columns.
        let puzzle = decoded("2x3:b3_1a5d4c2b6_6b5c2d5a1_6b");
        assert_eq!((puzzle.side, puzzle.boxes), (6, Some([2, 3])));
        let rows = ["..31.5", "....4.", "..2..6", "6..5..", ".2....", "5.16.."];
        let digits: String = puzzle.digits.iter().map(u8::to_string).collect();
        assert_eq!(digits.replace('0', "."), rows.concat());
        assert!(!puzzle.diagonals && puzzle.regions.is_none() && puzzle.cages.is_none());
        let puzzle = decoded("2x2x:2f3_1f4");
        assert!(puzzle.diagonals);
        let puzzle = decoded("2x5:zzz10_9t");
        assert_eq!(puzzle.digits[78..80], [10, 9]);
    }

    #[test]
    fn regions_are_labelled_in_the_order_of_their_first_cells() {
        let puzzle = decoded("4j:2f4_3f2,dbda_a_a_a_");
        assert_eq!((puzzle.side, puzzle.boxes), (4, None));
        assert_eq!(puzzle.regions.as_deref(), Some(&b"AAAABBCCBBCCDDDD"[..]));
        // The same as a product with `j`.
        assert_eq!(decoded("2x2j:2f4_3f2,dbda_a_a_a_").regions, puzzle.regions);
    }

    #[test]
    fn cages_are_decoded_with_their_sums() {
        let puzzle = decoded("2x2k:p,aaa__baa__a__a__,3a8a4_6c9_6c4a");
        let expected = [
            (vec![0, 1], Some(3)),
            (vec![2, 3, 7], Some(8)),
            (vec![4, 8], Some(4)),
            (vec![5, 6], Some(6)),
            (vec![9, 12, 13], Some(9)),
            (vec![10, 11], Some(6)),
            (vec![14, 15], Some(4)),
        ];
        assert_eq!(cells_and_sums(&puzzle.cages.unwrap()), expected);
    }

    #[test]
    fn flags_can_be_combined_in_any_order() {
        let lists = ":zj,aababab_cabbbddd_cabb,___a____b__b_aa_abaa___a___ba_a_______aaa,\
            6_6_10_3a13c9b9c8a10a7_5b4b10a11_11b4b";
        for flags in ["jxk", "xjk", "kjx", "kxj"] {
            let puzzle = decoded(&format!("6{flags}{lists}"));
            assert!(puzzle.diagonals && puzzle.boxes.is_none());
            let regions = puzzle.regions.unwrap();
            for label in b'A'..=b'F' {
                assert_eq!(memchr::memchr_iter(label, &regions).count(), 6, "{flags}");
            }
            let cages = puzzle.cages.unwrap();
            assert_eq!(cages.iter().map(|cage| cage.cells().len()).sum::<usize>(), 36);
            assert!(cages.iter().all(|cage| cage.sum.is_some()));
        }
    }

    #[test]
    fn a_sum_can_be_at_any_cell_of_its_cage_and_can_be_missing() {
        let id = |sums: &str| format!("2x2k:p,aaa__baa__a__a__,{sums}");
        let puzzle = decoded(&id("a3f4g"));
        let cages = cells_and_sums(&puzzle.cages.unwrap());
        assert_eq!(cages[0], (vec![0, 1], Some(3)));
        assert_eq!(cages[2], (vec![4, 8], Some(4)));
        assert_eq!(cages[3], (vec![5, 6], None));
        // Single cells: borders are closed everywhere.
        let closed = "_".repeat(25);
        let puzzle = decoded(&format!("2x2k:p,{closed},3o"));
        assert_eq!(cells_and_sums(&puzzle.cages.unwrap()), [(vec![0], Some(3))]);
    }

    #[test]
    fn a_z_is_25_open_borders_or_26() {
        // The regions are the rows: 72 open borders, then 72 closed ones and the last.
        let closed = |number| "_".repeat(number);
        for run in ["zzv", "zzt"] {
            let puzzle = decoded(&format!("9j:zzzc,{run}{}", closed(72)));
            let labels: String = ('A'..='I').flat_map(|label| [label; 9]).collect();
            assert_eq!(puzzle.regions, Some(labels.into_bytes()), "{run}");
        }
        for run in ["zzu", "zzw", "zzs"] {
            let id = format!("9j:zzzc,{run}{}", closed(72));
            let header = GameIdHeader::split(id.as_bytes()).unwrap();
            assert!(decode(&header).is_err());
        }
    }

    #[test]
    fn errors_name_the_cell_the_cage_the_list_or_the_count() {
        let borders = "aaa__baa__a__a__";
        let killer = |cages: &str, sums: &str| format!("2x2k:p,{cages},{sums}");
        assert_errors(&[
            ("2x2:", "the givens have 0 cells instead of 16"),
            ("2x2:o", "the givens have 15 cells instead of 16"),
            ("2x2:p1", "the givens have 17 cells instead of 16"),
            ("2x2:a5n", "'5' at r1c2 is not a digit of a 4x4 puzzle"),
            ("2x2:a0n", "'0' at r1c2 is not a digit of a 4x4 puzzle"),
            ("2x2:3a12m", "'12' at r1c3 is not a digit of a 4x4 puzzle"),
            ("2x2:a.n", "'.' in the givens"),
            ("2x2:p,", "2 lists instead of 1: givens"),
            ("4j:p", "1 list instead of 2: givens, regions"),
            ("2x2k:p,a", "2 lists instead of 3: givens, cages, sums"),
            ("4jk:p,a,b", "3 lists instead of 4: givens, regions, cages, sums"),
            ("4j:p,dbda_a_a_a", "the regions have 23 borders instead of 24"),
            ("4j:p,", "the regions have 0 borders instead of 24"),
            ("4j:p,dbda_a_a_a__", "the regions have 25 borders instead of 24"),
            ("4j:p,z", "the regions have 25 borders instead of 24"),
            ("4j:p,dbda_a_a_3_", "'3' in the regions"),
            (&format!("4j:p,{}", "_".repeat(25)), "16 different region labels instead of 4"),
            (&killer("aaa", "p"), "the cages have 5 borders instead of 24"),
            (&killer(borders, "o"), "the sums have 15 cells instead of 16"),
            (&killer(borders, "3_4n"), "cage at r1c1 has two sums, 3 and 4"),
            (&killer(borders, "-3o"), "'-' in the sums"),
            (&killer(borders, "99999999999o"), "'99999999999' at r1c1 is not a sum"),
            (&killer(borders, "99o"), "cage at r1c1: 2 different digits add up to 3 to 7, not 99"),
            (&killer("x", "p"), "cage at r1c1 has 16 cells; the limit is 4"),
        ]);
    }
}

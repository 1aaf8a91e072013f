//! Finds fish with and without fins. The k rows (or columns) are the base lines, the k columns (or
//! rows) the cover lines. The fins are cells for the digit in one or two more columns (or rows).

use super::marks::{Marks, has_at_most};
use super::pattern::Pattern;
use super::pattern::Word::{Cells, Digits, Numbers, Text};
use super::subsets::{Subset, first_subset};
use super::tables::Tables;
use crate::bits::bits;
use crate::rules::{CellSet, MAX_SIDE};

/// Finds the first fish with K base rows (or columns). The order is: base rows before base columns,
/// then the lowest base lines, then the lowest lines with fins. `MAX` is K without fins, and K + 2
/// with fins in one or two columns (or rows).
///
/// If no fin holds the digit, the base rows hold it in the cover columns, so the other cells of
/// these columns lose it. Of these cells, those that see all fins lose it in any case.
pub(super) fn find<const K: usize, const MAX: usize>(
    tables: &Tables,
    marks: &mut Marks,
    digit: usize,
) -> Option<Pattern> {
    let [rows, columns] = [tables.rows().start, tables.columns().start];
    let mut axes = [[rows, columns], [columns, rows]].into_iter();
    axes.find_map(|houses| {
        let lines = Lines::new(tables, marks, digit, houses);
        let positions = lines.positions[..tables.side].iter().copied();
        let fish = first_subset::<K, MAX, _>(positions, |base| lines.first_fish::<K, MAX>(base))?;
        let targets: CellSet = lines.targets(fish).collect();
        let fins: CellSet = lines.fins(fish).collect();
        marks.eliminate(1 << digit, targets.iter());
        Some(lines.pattern(digit, fish, fins.iter().collect()))
    })
}

/// The cells for one digit. A line is a row or a column: if the base lines are rows, the cover
/// lines are columns, and the reverse. A `line` is parallel to the base lines, a `cover_line` to
/// the cover lines.
///
/// ```text
///     base lines are rows       1 2 3 4 5 6 7 8 9
///     row 2                     . X . . X F . . .     X: a cell in a cover line (columns 2 and 5), F: a fin
///     row 7                     . X . . X . . . .     targets: the cells of column 5 that see F, in rows 1 and 3
/// ```
struct Lines<'a> {
    tables: &'a Tables,
    /// The house of row 1 or column 1, parallel to the base lines.
    first_base: usize,
    /// The house of column 1 or row 1, parallel to the cover lines.
    first_cover: usize,
    /// For each line, its cells for the digit: bit i for the cell in cover line i, from 0.
    positions: [u32; MAX_SIDE],
    /// For each cover line, its cells for the digit: bit i for the cell in line i, from 0.
    cover_positions: [u32; MAX_SIDE],
}

/// Bit i of a set is row or column i, counted from 0.
#[derive(Clone, Copy)]
struct FishLines {
    base: u32,
    cover: u32,
    /// One or two more lines parallel to the cover lines, or none.
    fins: u32,
}

impl<'a> Lines<'a> {
    fn new(tables: &'a Tables, marks: &Marks, digit: usize, houses: [usize; 2]) -> Lines<'a> {
        let [first_base, first_cover] = houses;
        let positions = |first: usize| {
            let mut positions = [0; MAX_SIDE];
            for line in 0..tables.side {
                positions[line] = marks.positions(tables, first + line)[digit];
            }
            positions
        };
        Lines {
            tables,
            first_base,
            first_cover,
            positions: positions(first_base),
            cover_positions: positions(first_cover),
        }
    }

    /// Tries each choice of one or two of the cover lines in excess as the lines with fins.
    fn first_fish<const K: usize, const MAX: usize>(&self, base: Subset) -> Option<FishLines> {
        const { assert!(MAX == K || MAX == K + 2) };
        let if_useful = |fins: u32| {
            let fish = FishLines { base: base.members, cover: base.union & !fins, fins };
            self.is_useful(fish).then_some(fish)
        };
        if has_at_most(K, base.union) {
            // A search for finned fish skips fish without fins: an easier technique has tried them.
            return if MAX == K { if_useful(0) } else { None };
        }
        // A single line with fins is tried as both the first and the second one.
        let has_one_line_of_fins = has_at_most(K + 1, base.union);
        bits(base.union).find_map(|first| {
            let after_first = base.union & !((2 << first) - 1);
            let seconds = if has_one_line_of_fins { 1 << first } else { after_first };
            bits(seconds).find_map(|second| if_useful(1 << first | 1 << second))
        })
    }

    /// Each base line must have a cell for the digit in a cover line.
    fn is_useful(&self, fish: FishLines) -> bool {
        let is_covered = |line: usize| self.positions[line] & fish.cover != 0;
        let has_targets = |cover_line: usize| self.targets_in(fish, cover_line) != 0;
        bits(fish.base).all(is_covered) && bits(fish.cover).any(has_targets)
    }

    /// Returns the lines, other than base lines, whose cell in this cover line loses the digit.
    fn targets_in(&self, fish: FishLines, cover_line: usize) -> u32 {
        let cover_house = self.first_cover + cover_line;
        let mut targets = self.cover_positions[cover_line] & !fish.base;
        for line in bits(fish.base) {
            for fin in bits(self.positions[line] & fish.fins) {
                let fin = self.cell(line, fin);
                targets &= self.tables.seen_positions(cover_house, fin);
            }
            if targets == 0 {
                break;
            }
        }
        targets
    }

    fn fins(&self, fish: FishLines) -> impl Iterator<Item = u16> {
        bits(fish.base).flat_map(move |line| {
            let fins = bits(self.positions[line] & fish.fins);
            fins.map(move |cover_line| self.cell(line, cover_line))
        })
    }

    fn targets(&self, fish: FishLines) -> impl Iterator<Item = u16> {
        bits(fish.cover).flat_map(move |cover_line| {
            let lines = bits(self.targets_in(fish, cover_line));
            lines.map(move |line| self.cell(line, cover_line))
        })
    }

    fn pattern(&self, digit: usize, fish: FishLines, fins: Vec<u16>) -> Pattern {
        let [base, cover] = match self.first_base {
            0 => ["rows", "columns"],
            _ => ["columns", "rows"],
        };
        let mut pattern = vec![
            Digits(1 << digit),
            Text(base),
            Numbers(fish.base),
            Text(cover),
            Numbers(fish.cover),
        ];
        if !fins.is_empty() {
            pattern.extend([Text("fins"), Cells(fins)]);
        }
        pattern
    }

    fn cell(&self, line: usize, cover_line: usize) -> u16 {
        self.tables.cells_of.of(self.first_base + line)[cover_line]
    }
}

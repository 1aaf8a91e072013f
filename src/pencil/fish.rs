//! Finds X-wings, swordfish and jellyfish: k rows that can hold a digit only in the same k columns, or the reverse. Also
//! finds finned ones, whose rows can hold the digit in a few other cells too.

use super::marks::{Marks, digits_of, has_at_most};
use super::step::Pattern;
use super::subsets::{Subset, first_subset};
use super::tables::Tables;
use super::technique::Technique;
use crate::rules::MAX_SIDE;

/// Finds the first fish with K base rows (or columns) that eliminates a candidate.
///
/// A fish is a [`Subset`]: its members are the base rows, its union the columns that cover them.
pub(super) fn find<const K: usize>(
    tables: &Tables,
    marks: &mut Marks,
    technique: Technique,
) -> Option<Pattern> {
    let (rows, columns) = (tables.rows(), tables.columns());
    for house in rows.clone().chain(columns.clone()) {
        marks.update_positions(tables, house);
    }
    for digit in 0..tables.side {
        if !marks.history.digit_needs_search(technique, digit) {
            continue;
        }
        for (base, cover) in [(&rows, &columns), (&columns, &rows)] {
            let positions = |house: usize| marks.positions(tables, house)[digit];
            let is_useful = |fish: Subset| {
                digits_of(fish.union)
                    .any(|index| positions(cover.start + index) & !fish.members != 0)
            };
            let sets = base.clone().map(positions);
            if let Some(fish) = first_subset::<K>(sets, is_useful) {
                collect_eliminations(tables, marks, digit, cover.start, fish);
                return Some(Pattern::Fish {
                    digit: digit as u8,
                    base_is_rows: *base == rows,
                    base: fish.members,
                    cover: fish.union,
                    fins: Vec::new(),
                });
            }
        }
        marks.history.record_failed_search(technique, digit);
    }
    None
}

/// Stores the eliminations of a fish: the digit, from all cells of the cover houses outside the base houses.
fn collect_eliminations(
    tables: &Tables,
    marks: &mut Marks,
    digit: usize,
    first_cover: usize,
    fish: Subset,
) {
    marks.eliminations.clear();
    for index in digits_of(fish.union) {
        let cells = tables.cells_of.of(first_cover + index).iter().enumerate();
        let outside_base = cells.filter(|&(position, _)| fish.members & 1 << position == 0);
        let can_hold = |cell: u16| marks.candidates[cell] & 1 << digit != 0;
        let targets = outside_base.filter(|&(_, &cell)| can_hold(cell));
        let eliminations = targets.map(|(_, &cell)| (cell, 1 << digit));
        marks.eliminations.extend(eliminations);
    }
    marks.eliminations.sort_unstable();
}

/// The largest number of columns (or rows) with fins.
const MAX_FIN_LINES: usize = 2;

/// Finds the first finned fish with K base rows (or columns) that eliminates a candidate.
///
/// The fins are the cells for the digit in the base rows outside the K cover columns. If no fin holds the digit, the base
/// rows hold it in the cover columns, so the other cells of these columns lose it. Those of them that see all fins lose it
/// in any case.
pub(super) fn find_finned<const K: usize>(
    tables: &Tables,
    marks: &mut Marks,
    technique: Technique,
) -> Option<Pattern> {
    marks.update_all_positions(tables);
    for digit in 0..tables.side {
        if !marks.history.digit_needs_search(technique, digit) {
            continue;
        }
        for base_is_rows in [true, false] {
            let lines = Lines::new(tables, marks, digit, base_is_rows);
            if let Some(fish) = lines.first_finned::<K>() {
                let mut targets: Vec<u16> = lines.targets(fish).collect();
                let mut fins: Vec<u16> = lines.fins(fish).collect();
                targets.sort_unstable();
                fins.sort_unstable();
                marks.eliminate(1 << digit, targets.into_iter());
                return Some(Pattern::Fish {
                    digit: digit as u8,
                    base_is_rows,
                    base: fish.base,
                    cover: fish.cover,
                    fins,
                });
            }
        }
        marks.history.record_failed_search(technique, digit);
    }
    None
}

/// The cells for one digit, by lines. A line is a row or a column here: if the base lines are rows, the cover lines are columns,
/// and the reverse. An index `line` is that of a line parallel to the base lines, an index `across` that of one parallel to the
/// cover lines.
struct Lines<'a> {
    tables: &'a Tables,
    /// The house of the first base line, and that of the first cover line.
    first_base: usize,
    first_cover: usize,
    /// For each base line, the cover lines where it has cells for the digit.
    positions: [u32; MAX_SIDE],
    /// For each cover line, the base lines where it has cells for the digit.
    cover_positions: [u32; MAX_SIDE],
}

/// Lines of a finned fish: bit i for row or column i.
#[derive(Clone, Copy)]
struct Finned {
    base: u32,
    /// The K cover lines without fins.
    cover: u32,
    /// The cover lines with fins. They are not in `cover`.
    fins: u32,
}

impl Lines<'_> {
    fn new<'a>(tables: &'a Tables, marks: &Marks, digit: usize, base_is_rows: bool) -> Lines<'a> {
        let (rows, columns) = (tables.rows().start, tables.columns().start);
        let (first_base, first_cover) = if base_is_rows {
            (rows, columns)
        } else {
            (columns, rows)
        };
        let positions = |first: usize| {
            std::array::from_fn(|line| {
                if line < tables.side {
                    marks.positions(tables, first + line)[digit]
                } else {
                    0
                }
            })
        };
        Lines {
            tables,
            first_base,
            first_cover,
            positions: positions(first_base),
            cover_positions: positions(first_cover),
        }
    }

    /// Returns the first finned fish that eliminates a candidate: base lines ascending, then lines with fins ascending.
    fn first_finned<const K: usize>(&self) -> Option<Finned> {
        self.extend::<K>(Subset::default(), K, 0)
    }

    /// Returns the first finned fish whose base is `base` and `missing` more lines, from line `from` on.
    fn extend<const K: usize>(&self, base: Subset, missing: usize, from: usize) -> Option<Finned> {
        if missing == 0 {
            return self.with_fins::<K>(base);
        }
        (from..self.tables.side).find_map(|line| {
            let positions = self.positions[line];
            let base = Subset {
                members: base.members | 1 << line,
                union: base.union | positions,
            };
            let can_be_base =
                !has_at_most(1, positions) && has_at_most(K + MAX_FIN_LINES, base.union);
            can_be_base.then(|| self.extend::<K>(base, missing - 1, line + 1))?
        })
    }

    /// Returns the first finned fish with these base lines. They have cells for the digit in at most K + 2 lines across: one or
    /// two of these are chosen to have the fins, so that K are left as the cover. With K or fewer there are no fins.
    fn with_fins<const K: usize>(&self, base: Subset) -> Option<Finned> {
        if has_at_most(K, base.union) {
            return None;
        }
        digits_of(base.union).find_map(|first| {
            let later = base.union & !((2 << first) - 1);
            // With K + 1 lines, one line has the fins: the second is the same.
            let seconds = if has_at_most(K + 1, base.union) {
                1 << first
            } else {
                later
            };
            let fish = |second: usize| Finned {
                base: base.members,
                cover: base.union & !(1 << first | 1 << second),
                fins: 1 << first | 1 << second,
            };
            digits_of(seconds)
                .map(fish)
                .find(|&fish| self.is_useful(fish))
        })
    }

    /// Returns true if each base line has a cell for the digit in the cover lines, and a candidate can be eliminated.
    fn is_useful(&self, fish: Finned) -> bool {
        let is_covered = |line: usize| self.positions[line] & fish.cover != 0;
        let has_targets = |across: usize| self.targets_in(fish, across) != 0;
        digits_of(fish.base).all(is_covered) && digits_of(fish.cover).any(has_targets)
    }

    /// Returns the lines, other than the base lines, whose cell in the cover line `across` can hold the digit and sees all fins.
    fn targets_in(&self, fish: Finned, across: usize) -> u32 {
        let mut targets = self.cover_positions[across] & !fish.base;
        for line in digits_of(fish.base) {
            for fin in digits_of(self.positions[line] & fish.fins) {
                let fin = self.cell(line, fin);
                targets &= self.tables.seen_positions(self.first_cover + across, fin);
            }
            if targets == 0 {
                break;
            }
        }
        targets
    }

    fn fins(&self, fish: Finned) -> impl Iterator<Item = u16> {
        digits_of(fish.base).flat_map(move |line| {
            let fins = digits_of(self.positions[line] & fish.fins);
            fins.map(move |across| self.cell(line, across))
        })
    }

    /// Returns the cells that lose the digit.
    fn targets(&self, fish: Finned) -> impl Iterator<Item = u16> {
        digits_of(fish.cover).flat_map(move |across| {
            let lines = digits_of(self.targets_in(fish, across));
            lines.map(move |line| self.cell(line, across))
        })
    }

    fn cell(&self, line: usize, across: usize) -> u16 {
        self.tables.cells_of.of(self.first_base + line)[across]
    }
}

//! Finds X-wings, swordfish and jellyfish: k rows that can hold a digit only in the same k columns, or the reverse.

use super::paper::{Paper, digits_of};
use super::step::Pattern;
use super::subsets::{Subset, first_subset};
use super::tables::Tables;
use super::technique::Technique::{Jellyfish, Swordfish, XWing};

/// Finds the first fish with K base rows (or columns) that eliminates a candidate.
///
/// A fish is a [`Subset`]: its members are the base rows, its union the columns that cover them.
pub(super) fn find<const K: usize>(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    let technique = [XWing, Swordfish, Jellyfish][K - 2];
    let (rows, columns) = (tables.rows(), tables.columns());
    for house in rows.clone().chain(columns.clone()) {
        paper.update_positions(tables, house);
    }
    for digit in 0..tables.side {
        if !paper.history.digit_needs_search(technique, digit) {
            continue;
        }
        for (base, cover) in [(&rows, &columns), (&columns, &rows)] {
            let positions = |house: usize| paper.positions(tables, house)[digit];
            let is_useful = |fish: Subset| {
                digits_of(fish.union)
                    .any(|index| positions(cover.start + index) & !fish.members != 0)
            };
            let sets = base.clone().map(positions);
            if let Some(fish) = first_subset::<K>(sets, is_useful) {
                collect_eliminations(tables, paper, digit, cover.start, fish);
                return Some(Pattern::Fish {
                    technique,
                    digit: digit as u8,
                    base_is_rows: *base == rows,
                    base: fish.members,
                    cover: fish.union,
                });
            }
        }
        paper.history.record_failed_search(technique, digit);
    }
    None
}

/// Stores the eliminations of a fish: the digit, from all cells of the cover houses outside the base houses.
fn collect_eliminations(
    tables: &Tables,
    paper: &mut Paper,
    digit: usize,
    first_cover: usize,
    fish: Subset,
) {
    paper.eliminations.clear();
    for index in digits_of(fish.union) {
        let cells = tables.cells_of.of(first_cover + index).iter().enumerate();
        let outside_base = cells.filter(|&(position, _)| fish.members & 1 << position == 0);
        let can_hold = |cell: u16| paper.candidates[cell] & 1 << digit != 0;
        let targets = outside_base.filter(|&(_, &cell)| can_hold(cell));
        let eliminations = targets.map(|(_, &cell)| (cell, 1 << digit));
        paper.eliminations.extend(eliminations);
    }
    paper.eliminations.sort_unstable();
}

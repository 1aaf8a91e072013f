//! Finds X-wings, swordfish and jellyfish: k rows that can hold a digit only in the same k columns, or the reverse.

use super::Technique::{Jellyfish, Swordfish, XWing};
use super::paper::{Paper, digits_of};
use super::step::Pattern;
use super::subsets::{Subset, first_subset};
use super::tables::Tables;

/// Finds the first fish with K base rows (or columns) that eliminates a candidate.
///
/// A fish is a [`Subset`]: its members are the base rows, its union the columns that cover them.
pub(super) fn find<const K: usize>(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    let technique = [XWing, Swordfish, Jellyfish][K - 2];
    let side = tables.side;
    // Houses 0 to N-1 are the rows, N to 2N-1 the columns.
    for house in 0..2 * side {
        paper.update_positions(tables, house);
    }
    for digit in 0..side {
        if !paper.history.digit_needs_search(technique, digit) {
            continue;
        }
        for (first_base, first_cover) in [(0, side), (side, 0)] {
            let positions = |house: usize| paper.positions(tables, house)[digit];
            let is_useful = |fish: Subset| {
                digits_of(fish.union)
                    .any(|index| positions(first_cover + index) & !fish.members != 0)
            };
            let sets = (first_base..first_base + side).map(positions);
            if let Some(fish) = first_subset::<K>(sets, is_useful) {
                collect_eliminations(tables, paper, digit, first_cover, fish);
                return Some(Pattern::Fish {
                    technique,
                    digit: digit as u8,
                    base_is_rows: first_base == 0,
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

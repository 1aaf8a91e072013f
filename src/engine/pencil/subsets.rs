//! Finds naked and hidden subsets: k sets whose union has k elements. Fish and almost locked sets
//! use the same search.

use super::marks::{Marks, has_at_most};
use super::pattern::Pattern;
use super::pattern::Word::{Cells, Digits, House};
use super::tables::Tables;
use crate::bits::bits;
use crate::rules::MAX_SIDE;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Subset {
    /// Bit i for set i of the sequence.
    pub(super) members: u32,
    pub(super) union: u32,
}

/// Calls `pattern_of` with each selection of K sets whose union has at most `MAX` elements, in
/// lexicographic order, and returns its first result.
///
/// The sets are the candidates of each cell for naked subsets and almost locked sets, the positions
/// of each digit for hidden subsets, and the positions of one digit in each line for fish. Skips
/// sets of fewer than two elements: their cell or digit is placed or is a single.
pub(super) fn first_subset<const K: usize, const MAX: usize, T>(
    sets: impl Iterator<Item = u32>,
    mut pattern_of: impl FnMut(Subset) -> Option<T>,
) -> Option<T> {
    let mut small = [Subset::default(); MAX_SIDE];
    let mut count = 0;
    for (index, set) in sets.enumerate() {
        // Writes every set, to avoid a branch. The next set overwrites a skipped one.
        small[count] = Subset { members: 1 << index, union: set };
        count += usize::from(has_at_most(MAX, set) && !has_at_most(1, set));
    }
    if count < K {
        return None;
    }
    extend::<MAX, T>(Subset::default(), K, &small[..count], &mut pattern_of)
}

fn extend<const MAX: usize, T>(
    chosen: Subset,
    missing: usize,
    others: &[Subset],
    pattern_of: &mut impl FnMut(Subset) -> Option<T>,
) -> Option<T> {
    if missing == 0 {
        return pattern_of(chosen);
    }
    others.iter().enumerate().find_map(|(index, next)| {
        let union = chosen.union | next.union;
        let members = chosen.members | next.members;
        let chosen = Subset { members, union };
        if has_at_most(MAX, union) {
            extend::<MAX, T>(chosen, missing - 1, &others[index + 1..], pattern_of)
        } else {
            None
        }
    })
}

/// At least one other cell of the house or group must have one of the K candidates.
pub(super) fn find_naked<const K: usize>(
    tables: &Tables,
    marks: &mut Marks,
    house: usize,
) -> Option<Pattern> {
    let cells = tables.cells_of.of(house);
    let sets: Vec<u32> = cells.iter().map(|&cell| marks.candidates[cell]).collect();
    first_subset::<K, K, _>(sets.into_iter(), |Subset { members, union }| {
        let others = cells.iter().enumerate();
        let others = others.filter(|(position, _)| members & 1 << position == 0);
        let is_useful = marks.eliminate_each(others.map(|(_, &cell)| (cell, union)));
        is_useful.then(|| pattern(tables, house, members, union))
    })
}

/// At least one of the K cells must have other candidates.
pub(super) fn find_hidden<const K: usize>(
    tables: &Tables,
    marks: &mut Marks,
    house: usize,
) -> Option<Pattern> {
    let cells = tables.cells_of.of(house);
    let positions = marks.positions(tables, house).to_vec();
    first_subset::<K, K, _>(positions.into_iter(), |Subset { members, union }| {
        let is_useful = marks.eliminate(!members, cells_at(cells, union));
        is_useful.then(|| pattern(tables, house, union, members))
    })
}

fn pattern(tables: &Tables, house: usize, positions: u32, digits: u32) -> Pattern {
    let cells = cells_at(tables.cells_of.of(house), positions).collect();
    vec![House(tables.names[house]), Cells(cells), Digits(digits)]
}

pub(super) fn cells_at(cells: &[u16], positions: u32) -> impl Iterator<Item = u16> {
    bits(positions).map(|position| cells[position])
}

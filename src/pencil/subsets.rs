//! Finds naked and hidden pairs, triples and quads: k sets whose union has k elements.

use super::marks::{Marks, elements_of, has_at_most};
use super::step::Pattern;
use super::tables::Tables;
use super::technique::Technique;
use crate::rules::MAX_SIDE;

/// A selection from a sequence of sets, and the union of the selected sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Subset {
    /// The selected sets: bit i for set i.
    pub(super) members: u32,
    /// The union of the selected sets.
    pub(super) union: u32,
}

/// Returns the first K of these sets, in order, whose union has at most K elements and for which `is_useful` returns true.
///
/// For naked subsets, the sets are the candidates of each cell; for hidden subsets, the positions of each digit. Skips sets of
/// fewer than two elements, because their cell or digit is already placed, and sets of more than K, because their union is too
/// large.
pub(super) fn first_subset<const K: usize>(
    sets: impl Iterator<Item = u32>,
    mut is_useful: impl FnMut(Subset) -> bool,
) -> Option<Subset> {
    let mut small = [Subset::default(); MAX_SIDE];
    let mut count = 0;
    for (index, set) in sets.enumerate() {
        // Writes every set, and the next one over it if it is skipped. This avoids a branch.
        small[count] = Subset {
            members: 1 << index,
            union: set,
        };
        count += usize::from(has_at_most(K, set) && !has_at_most(1, set));
    }
    if count < K {
        return None;
    }
    extend::<K>(Subset::default(), K, &small[..count], &mut is_useful)
}

/// Returns the first useful subset that consists of `chosen` and `missing` more sets, which are taken from `others` in order.
fn extend<const K: usize>(
    chosen: Subset,
    missing: usize,
    others: &[Subset],
    is_useful: &mut impl FnMut(Subset) -> bool,
) -> Option<Subset> {
    if missing == 0 {
        return is_useful(chosen).then_some(chosen);
    }
    for (index, next) in others.iter().enumerate() {
        let union = chosen.union | next.union;
        if !has_at_most(K, union) {
            continue;
        }
        let members = chosen.members | next.members;
        let found = extend::<K>(
            Subset { members, union },
            missing - 1,
            &others[index + 1..],
            is_useful,
        );
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Finds the first K cells of a house or group that together have K candidates, and stores the eliminations. At least one other
/// cell of the house or group must have one of these candidates.
pub(super) fn find_naked<const K: usize>(
    tables: &Tables,
    marks: &mut Marks,
    technique: Technique,
) -> Option<Pattern> {
    for house in 0..tables.houses_and_groups() {
        if !marks.history.house_needs_search(technique, house) {
            continue;
        }
        let cells = tables.cells_of.of(house);
        let candidates = &marks.candidates;
        let sets = || cells.iter().map(|&cell| candidates[cell]);
        let is_useful = |subset: Subset| {
            let mut others = sets().enumerate();
            others.any(|(position, set)| {
                subset.members & 1 << position == 0 && set & subset.union != 0
            })
        };
        let Some(subset) = first_subset::<K>(sets(), is_useful) else {
            marks.history.record_failed_search(technique, house);
            continue;
        };
        let others = cells
            .iter()
            .enumerate()
            .filter(|(position, _)| subset.members & 1 << position == 0);
        marks.eliminate_each(others.map(|(_, &cell)| (cell, subset.union)));
        return Some(Pattern::Subset {
            house: tables.names[house],
            cells: cells_at(cells, subset.members).collect(),
            digits: subset.union,
        });
    }
    None
}

/// Finds the first K digits that together have K cells of a house, and stores the eliminations. At least one of these cells must
/// have other candidates.
pub(super) fn find_hidden<const K: usize>(
    tables: &Tables,
    marks: &mut Marks,
    technique: Technique,
) -> Option<Pattern> {
    for house in 0..tables.house_count {
        if !marks.history.house_needs_search(technique, house) {
            continue;
        }
        marks.update_positions(tables, house);
        let cells = tables.cells_of.of(house);
        let candidates = &marks.candidates;
        let is_useful = |subset: Subset| {
            cells_at(cells, subset.union).any(|cell| candidates[cell] & !subset.members != 0)
        };
        let positions = marks.positions(tables, house).iter().copied();
        let Some(subset) = first_subset::<K>(positions, is_useful) else {
            marks.history.record_failed_search(technique, house);
            continue;
        };
        marks.eliminate(!subset.members, cells_at(cells, subset.union));
        return Some(Pattern::Subset {
            house: tables.names[house],
            cells: cells_at(cells, subset.union).collect(),
            digits: subset.members,
        });
    }
    None
}

/// Returns the cells of a house or group at these positions.
fn cells_at(cells: &[u16], positions: u32) -> impl Iterator<Item = u16> {
    elements_of(positions).map(|position| cells[position])
}

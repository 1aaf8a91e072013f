//! Naked and hidden pairs, triples and quads; and what they share with fish: k sets whose union has k elements.

use super::Technique::{
    self, HiddenPair, HiddenQuad, HiddenTriple, NakedPair, NakedQuad, NakedTriple,
};
use super::paper::{Paper, digits_of, has_at_most};
use super::step::Pattern;
use super::tables::Tables;
use crate::rules::MAX_SIDE;

/// Some of a row of sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Subset {
    /// Which, a bit each.
    pub(super) members: u32,
    pub(super) union: u32,
}

/// The first K of these sets, in their order, whose union has K elements and which are of use. Sets of fewer than two
/// elements are left out: their cell or digit is placed.
pub(super) fn first_subset<const K: usize>(
    sets: impl Iterator<Item = u32>,
    mut is_useful: impl FnMut(Subset) -> bool,
) -> Option<Subset> {
    let mut fitting = [Subset::default(); MAX_SIDE];
    let mut count = 0;
    for (index, set) in sets.enumerate() {
        fitting[count] = Subset {
            members: 1 << index,
            union: set,
        };
        count += usize::from(has_at_most(K, set) && !has_at_most(1, set));
    }
    if count < K {
        return None;
    }
    extend::<K>(Subset::default(), K, &fitting[..count], &mut is_useful)
}

/// The first useful subset of `chosen` and `missing` more.
fn extend<const K: usize>(
    chosen: Subset,
    missing: usize,
    from: &[Subset],
    is_useful: &mut impl FnMut(Subset) -> bool,
) -> Option<Subset> {
    if missing == 0 {
        return is_useful(chosen).then_some(chosen);
    }
    for (index, next) in from.iter().enumerate() {
        let union = chosen.union | next.union;
        if !has_at_most(K, union) {
            continue;
        }
        let members = chosen.members | next.members;
        let found = extend::<K>(
            Subset { members, union },
            missing - 1,
            &from[index + 1..],
            is_useful,
        );
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The first K cells of a house or group that have K candidates together, which others have too.
pub(super) fn find_naked<const K: usize>(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    let technique = [NakedPair, NakedTriple, NakedQuad][K - 2];
    for house in 0..tables.all_houses() {
        if !paper.history.is_house_new(technique, house) {
            continue;
        }
        let cells = tables.cells_of.of(house);
        let candidates = &paper.candidates;
        let sets = || cells.iter().map(|&cell| candidates[cell]);
        let is_useful = |subset: Subset| {
            let mut others = sets().enumerate();
            others.any(|(position, set)| {
                subset.members & 1 << position == 0 && set & subset.union != 0
            })
        };
        let Some(subset) = first_subset::<K>(sets(), is_useful) else {
            paper.history.searched_in_vain(technique, house);
            continue;
        };
        let losses = |(position, &cell): (usize, &u16)| {
            let is_other = subset.members & 1 << position == 0;
            let lost = candidates[cell] & subset.union;
            (is_other && lost != 0).then_some((cell, lost))
        };
        paper.losses.clear();
        paper
            .losses
            .extend(cells.iter().enumerate().filter_map(losses));
        return Some(pattern(technique, house, subset.members, subset.union));
    }
    None
}

/// The first K digits that have K cells of a house together, which have other candidates too.
pub(super) fn find_hidden<const K: usize>(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    let technique = [HiddenPair, HiddenTriple, HiddenQuad][K - 2];
    for house in 0..tables.houses {
        if !paper.history.is_house_new(technique, house) {
            continue;
        }
        paper.seek_spots(tables, house);
        let cells = tables.cells_of.of(house);
        let candidates = &paper.candidates;
        let others =
            |subset: Subset, position: usize| candidates[cells[position]] & !subset.members;
        let is_useful =
            |subset: Subset| digits_of(subset.union).any(|position| others(subset, position) != 0);
        let spots = paper.spots(tables, house).iter().copied();
        let Some(subset) = first_subset::<K>(spots, is_useful) else {
            paper.history.searched_in_vain(technique, house);
            continue;
        };
        let losses = digits_of(subset.union)
            .map(|position| (cells[position], others(subset, position)))
            .filter(|&(_, lost)| lost != 0);
        paper.losses.clear();
        paper.losses.extend(losses);
        return Some(pattern(technique, house, subset.union, subset.members));
    }
    None
}

fn pattern(technique: Technique, house: usize, positions: u32, digits: u32) -> Pattern {
    Pattern::Subset {
        technique,
        house,
        positions,
        digits,
    }
}

//! Crossings: two houses, or a house and a group or cage, that share several cells.

use super::cell_set::CellSet;
use super::house::House;

/// Two houses that share at least two cells. Neither contains the other. The second one can be a
/// group or a cage.
///
/// Locked candidates apply here: if one house can hold a digit only in `common`, the other house
/// cannot hold that digit outside `common`. A group or cage of fewer than N cells can only be the
/// other house, because it need not hold every digit.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// Indices of the two houses, in ascending order. Groups are numbered after the houses, cages
    /// after the groups.
    pub houses: [usize; 2],
    /// The shared cells.
    pub common: Vec<u16>,
    /// The cells of each house that the other house does not have.
    pub rests: [Vec<u16>; 2],
}

/// Ordered by the second house, then by the first. `groups` can also hold cages.
pub(crate) fn crossings(houses: &[House], groups: &[House]) -> Vec<Crossing> {
    let sets = houses.iter().chain(groups).map(House::cell_set);
    let sets: Vec<CellSet> = sets.collect();
    let list = |set: CellSet| -> Vec<u16> { set.iter().collect() };
    let mut crossings = Vec::new();
    for b in 0..sets.len() {
        for a in 0..b.min(houses.len()) {
            let common = sets[a].intersection(&sets[b]);
            // A house has at least as many cells as `b`, so only `b` can lie inside the other.
            if common.len() < 2 || common == sets[b] {
                continue;
            }
            crossings.push(Crossing {
                houses: [a, b],
                common: list(common),
                rests: [a, b].map(|house| list(sets[house].difference(&common))),
            });
        }
    }
    crossings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::rules_of;

    #[test]
    fn each_box_of_a_4x4_crosses_two_rows_and_two_columns() {
        let rules = rules_of(4, "classic").unwrap();
        let crossings = rules.crossings();
        assert_eq!(crossings.len(), 16);
        assert_eq!(crossings[0].houses, [0, 8]);
        assert_eq!(crossings[0].common, [0, 1]);
        assert_eq!(crossings[0].rests, [vec![2, 3], vec![4, 5]]);
    }

    #[test]
    fn crossings_agree_with_comparing_all_cells_of_all_houses_and_groups() {
        let extra = b"AB...A.......B..BB..................".as_slice();
        for (side, variants, extra) in [
            (4, "diagonal,window", b"A..B.B..B..BA...".as_slice()),
            (6, "disjoint,diagonal", extra),
            (9, "classic", &[b'.'; 81]),
            (9, "window,diagonal,asterisk", &[b'.'; 81]),
            (25, "window", &[b'.'; 625]),
        ] {
            let rules = rules_of(side, variants).unwrap().with_extra(extra).unwrap();
            let (houses, groups) = (rules.houses(), rules.groups());
            let both: Vec<&House> = houses.iter().chain(groups).collect();
            let mut expected = Vec::new();
            for (b, second) in both.iter().enumerate() {
                for (a, first) in houses[..b.min(houses.len())].iter().enumerate() {
                    let cells_of = |house: &House, others: &House, are_shared: bool| -> Vec<u16> {
                        let cells = house.cells.iter().copied();
                        cells.filter(|cell| others.cells.contains(cell) == are_shared).collect()
                    };
                    let common = cells_of(first, second, true);
                    let rests = [cells_of(first, second, false), cells_of(second, first, false)];
                    if common.len() >= 2 && rests.iter().all(|rest| !rest.is_empty()) {
                        expected.push(([a, b], common, rests));
                    }
                }
            }
            let found = rules.crossings().iter();
            let found = found
                .map(|crossing| (crossing.houses, crossing.common.clone(), crossing.rests.clone()));
            assert!(found.eq(expected), "{side} {variants}");
        }
    }
}

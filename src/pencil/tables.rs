//! Tables that the techniques derive from the rules once: peers, exclusions, and crossings of houses. The candidates of
//! a puzzle are in `marks.rs`.

use std::ops::Range;
use std::sync::Arc;

use crate::rules::{
    Cage, CellSet, Crossing, House, HouseName, Lists, Pair, houses_of_cells, peers_of_cells,
};

/// A crossing with a direction: one house can confine a digit to the shared cells, and the other one loses it elsewhere.
#[derive(Debug)]
pub(super) struct DirectedCrossing {
    /// Indices of the confining house and of the target. The target can be a group.
    pub(super) houses: [u16; 2],
    /// Index into `Tables::crossings`.
    crossing: usize,
    /// True if the confining house is the second one of the crossing.
    is_reversed: bool,
}

/// The effect of a placed digit on the other cell of a pair, if the pair forbids more than equal digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exclusion {
    /// The other cell of the pair.
    pub(super) cell: u16,
    /// Index into [`Tables::excluded_digits`].
    pub(super) table: u16,
}

/// A killer cage with a sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct SumCage {
    /// Index of the cage among the houses and groups.
    pub(super) house: usize,
    pub(super) sum: u16,
}

/// The rules in the form that the techniques need.
///
/// Groups are numbered after the houses, and killer cages are the last groups. Names and comments say "house" for all of them
/// where the difference does not matter.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) side: usize,
    /// The lowest N bits.
    pub(super) every_digit: u32,
    /// Names of the houses, then of the groups.
    pub(super) names: Vec<HouseName>,
    /// The cells of each house and group.
    pub(super) cells_of: Lists<u16>,
    /// Number of houses, without the groups.
    pub(super) house_count: usize,
    /// The houses and groups of each cell.
    pub(super) houses_of: Lists<u16>,
    /// The peers of each cell, in ascending order.
    pub(super) peers: Lists<u16>,
    /// The peers of each cell as a set.
    peer_sets: Vec<CellSet>,
    /// The exclusions of each cell.
    pub(super) exclusions: Vec<Vec<Exclusion>>,
    /// One table per relation of pairs. Entry d-1 is the set of digits that digit d excludes from the other cell.
    pub(super) excluded_digits: Vec<Vec<u32>>,
    crossings: Arc<[Crossing]>,
    /// Each crossing of two houses in both directions, and each crossing of a house with a group in one, because only the house
    /// can confine digits. Ordered by confining house, then by target.
    pub(super) directed_crossings: Vec<DirectedCrossing>,
    /// For each house, the sets of positions that it shares with another house or a group, in ascending order.
    pub(super) crossing_positions: Vec<Vec<u32>>,
    /// For each row or column and each cell of the grid, the positions in the row or column that are peers of the cell. Entry
    /// `house * N² + cell`.
    seen_positions: Vec<u32>,
    /// The cages with a sum, in the order of the rules.
    pub(super) sum_cages: Vec<SumCage>,
    /// The houses and unions of houses that the rule of 45 looks at. Empty if no cage has a sum.
    pub(super) unions: Vec<HouseUnion>,
}

impl Tables {
    /// Builds the tables for rules without sums. `crossings` are those of the houses and groups.
    pub(super) fn new(
        side: usize,
        houses: &[House],
        groups: &[House],
        pairs: &[Pair],
        crossings: Arc<[Crossing]>,
    ) -> Tables {
        debug_assert!(houses.iter().all(|house| house.is_of_side(side)));
        let mut first = houses.iter().take(2 * side);
        debug_assert!(first.all(|house| house.name.is_row_or_column()));
        let cells = side * side;
        let both = || houses.iter().chain(groups);
        let peer_sets: Vec<CellSet> = peers_of_cells(cells, both(), pairs);
        let (exclusions, excluded_digits) = exclusions(side, pairs);
        Tables {
            side,
            every_digit: (1 << side) - 1,
            names: both().map(|house| house.name).collect(),
            cells_of: Lists::new(both().map(|house| house.cells.iter().copied())),
            house_count: houses.len(),
            houses_of: Lists::new(houses_of_cells(cells, both())),
            peers: Lists::new(peer_sets.iter().map(CellSet::iter)),
            directed_crossings: directed_crossings(&crossings, houses.len()),
            crossing_positions: crossing_positions(&crossings, houses),
            seen_positions: seen_positions(&houses[..2 * side], &peer_sets),
            crossings,
            exclusions,
            excluded_digits,
            peer_sets,
            sum_cages: Vec::new(),
            unions: Vec::new(),
        }
    }

    /// Adds the sums of cages, which are the last groups of the tables.
    pub(super) fn with_sums(mut self, cages: &[Cage]) -> Tables {
        let first = self.houses_and_groups() - cages.len();
        let sum_cages = cages.iter().enumerate().filter_map(|(index, cage)| {
            let house = first + index;
            debug_assert_eq!(cage.cells(), self.cells_of.of(house));
            cage.sum.map(|sum| SumCage { house, sum })
        });
        self.sum_cages = sum_cages.collect();
        self
    }

    pub(super) fn cells(&self) -> usize {
        self.side * self.side
    }

    /// Returns the indices of the rows among the houses.
    pub(super) fn rows(&self) -> Range<usize> {
        0..self.side
    }

    /// Returns the indices of the columns among the houses.
    pub(super) fn columns(&self) -> Range<usize> {
        self.side..2 * self.side
    }

    /// Returns the number of houses and groups.
    pub(super) fn houses_and_groups(&self) -> usize {
        self.names.len()
    }

    /// Returns the shared cells of a crossing, the other cells of the confining house, and those of the target.
    pub(super) fn parts_of(&self, directed: &DirectedCrossing) -> [&[u16]; 3] {
        let Crossing { common, rests, .. } = &self.crossings[directed.crossing];
        match (directed.is_reversed, rests) {
            (false, [confining, target]) | (true, [target, confining]) => {
                [common, confining, target]
            }
        }
    }

    #[inline]
    pub(super) fn are_peers(&self, a: u16, b: u16) -> bool {
        self.peer_sets[usize::from(a)].contains(b)
    }

    /// Returns the positions of a row or column that are peers of a cell: bit i for position i.
    #[inline]
    pub(super) fn seen_positions(&self, row_or_column: usize, cell: u16) -> u32 {
        self.seen_positions[row_or_column * self.cells() + usize::from(cell)]
    }

    /// Returns the peers of at least one of these cells.
    pub(super) fn seen_by_any(&self, cells: &CellSet) -> CellSet {
        let peers = cells.iter().map(|cell| self.peer_sets[usize::from(cell)]);
        peers.fold(CellSet::default(), |seen, peers| seen.union(&peers))
    }

    /// Returns the common peers of all these cells.
    pub(super) fn seen_by_all(&self, cells: &CellSet) -> CellSet {
        let peers = cells.iter().map(|cell| self.peer_sets[usize::from(cell)]);
        peers
            .reduce(|seen, peers| seen.intersection(&peers))
            .unwrap_or_default()
    }

    /// Returns the common peers of two cells, in ascending order.
    pub(super) fn common_peers(&self, a: u16, b: u16) -> impl Iterator<Item = u16> + use<> {
        let [a, b] = [a, b].map(|cell| &self.peer_sets[usize::from(cell)]);
        a.intersection(b).iter()
    }
}

/// Builds [`Tables::exclusions`] and [`Tables::excluded_digits`].
///
/// Pairs whose only constraint is to differ are peers and have no exclusions.
fn exclusions(side: usize, pairs: &[Pair]) -> (Vec<Vec<Exclusion>>, Vec<Vec<u32>>) {
    let mut exclusions = vec![Vec::new(); side * side];
    let mut excluded_digits: Vec<Vec<u32>> = Vec::new();
    for pair in pairs {
        let excluded_by = |digit: u8| {
            let others = (1..=side as u8).filter(|&other| other != digit);
            let others = others.filter(|&other| pair.relation.forbids(digit, other));
            others.fold(0, |set, other| set | 1 << (other - 1))
        };
        let table: Vec<u32> = (1..=side as u8).map(excluded_by).collect();
        if table.iter().all(|&set| set == 0) {
            continue;
        }
        let known = excluded_digits.iter().position(|known| *known == table);
        let table = known.unwrap_or_else(|| {
            excluded_digits.push(table);
            excluded_digits.len() - 1
        }) as u16;
        let [a, b] = pair.cells;
        exclusions[usize::from(a)].push(Exclusion { cell: b, table });
        exclusions[usize::from(b)].push(Exclusion { cell: a, table });
    }
    (exclusions, excluded_digits)
}

/// One house, or several without a common cell, whose digits add up to N(N+1)/2 each.
///
/// ```text
///     A A B .        Row 1 of a 4x4 adds up to 10. Cage A lies inside it and cage B crosses it. If A has the sum 6, the innies
///     . . B .        r1c3 and r1c4 add up to 4.
/// ```
#[derive(Debug)]
pub(super) struct HouseUnion {
    /// Indices of the houses, in ascending order.
    pub(super) houses: Vec<u16>,
    pub(super) cells: CellSet,
    /// The sum of the cells of the union that are in none of the cages with a sum that lie wholly inside it.
    pub(super) rest: i32,
    /// The cells of the union that are in no cage with a sum.
    pub(super) uncaged: Vec<u16>,
    /// The cages with a sum that have cells inside the union and outside of it.
    pub(super) crossing: Vec<SumCage>,
}

impl HouseUnion {
    /// Returns the names of the houses.
    pub(super) fn names(&self, tables: &Tables) -> Vec<HouseName> {
        let houses = self.houses.iter();
        houses
            .map(|&house| tables.names[usize::from(house)])
            .collect()
    }
}

/// The number of equations of a union: one of its innies, one of its outies, and one that takes from each cage that crosses the
/// union the part with fewer blank cells.
pub(super) const EQUATIONS_PER_UNION: usize = 3;

/// Builds [`Tables::directed_crossings`]. A group is never the confining house, because it need not hold every digit.
fn directed_crossings(crossings: &[Crossing], house_count: usize) -> Vec<DirectedCrossing> {
    let mut directed = Vec::with_capacity(2 * crossings.len());
    for (crossing, Crossing { houses, .. }) in crossings.iter().enumerate() {
        let [first, second] = houses.map(|house| house as u16);
        for (houses, is_reversed) in [([first, second], false), ([second, first], true)] {
            if usize::from(houses[0]) < house_count {
                directed.push(DirectedCrossing {
                    houses,
                    crossing,
                    is_reversed,
                });
            }
        }
    }
    directed.sort_unstable_by_key(|directed| directed.houses);
    directed
}

/// Builds [`Tables::crossing_positions`].
fn crossing_positions(crossings: &[Crossing], houses: &[House]) -> Vec<Vec<u32>> {
    let of_house = |(index, house): (usize, &House)| {
        let of_house = crossings
            .iter()
            .filter(|crossing| crossing.houses.contains(&index));
        let positions = of_house.map(|crossing| {
            let position = |cell: &u16| {
                house
                    .cells
                    .binary_search(cell)
                    .expect("the house has the cell")
            };
            crossing
                .common
                .iter()
                .fold(0, |set, cell| set | 1 << position(cell))
        });
        let mut positions: Vec<u32> = positions.collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    };
    houses.iter().enumerate().map(of_house).collect()
}

/// Builds [`Tables::seen_positions`].
fn seen_positions(rows_and_columns: &[House], peer_sets: &[CellSet]) -> Vec<u32> {
    let houses = rows_and_columns.iter();
    let of_house = houses.flat_map(|house| {
        peer_sets.iter().map(|peers| {
            let cells = house.cells.iter().enumerate();
            let seen = cells.filter(|&(_, &cell)| peers.contains(cell));
            seen.fold(0, |set, (position, _)| set | 1 << position)
        })
    });
    of_house.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rules, Shape, crossings};

    fn tables(side: usize, variants: &str, extra: &[u8]) -> (Rules, Tables) {
        let shape = Shape::boxes_of(side).unwrap();
        let rules = Rules::new(side, shape, &variants.parse().unwrap()).unwrap();
        let rules = rules.with_extra(extra).unwrap();
        let (houses, groups) = (rules.houses(), rules.groups());
        let crossings = crossings(houses, groups).into();
        let tables = Tables::new(side, houses, groups, rules.pairs(), crossings);
        (rules, tables)
    }

    #[test]
    fn every_house_confines_digits_to_the_cells_it_shares_with_houses_and_groups() {
        let (rules, tables) = tables(6, "diagonal", b"AB...A.......B..BB..................");
        let both: Vec<&House> = rules.houses().iter().chain(rules.groups()).collect();
        let mut directed = tables.directed_crossings.iter();
        for (a, confining) in rules.houses().iter().enumerate() {
            for (b, target) in both.iter().enumerate() {
                let [confining, target]: [CellSet; 2] = [confining, target].map(House::cell_set);
                let common = confining.intersection(&target);
                if a == b || common.len() < 2 || common == target {
                    continue;
                }
                let directed = directed.next().unwrap();
                assert_eq!(directed.houses, [a, b].map(|house| house as u16));
                let parts = tables
                    .parts_of(directed)
                    .map(|part| part.iter().copied().collect::<CellSet>());
                let rests = [confining, target].map(|house| house.difference(&common));
                assert_eq!(parts, [common, rests[0], rests[1]]);
            }
        }
        assert!(directed.next().is_none());
    }

    #[test]
    fn peers_share_a_house_a_group_or_a_pair_of_different_digits() {
        let (rules, tables) = tables(4, "antiknight,nonconsecutive", b"A..B...B.....A..");
        let sets = || rules.houses().iter().chain(rules.groups());
        for a in 0..16 {
            let is_peer = |b: &u16| {
                let share = |cells: &[u16]| cells.contains(&a) && cells.contains(b);
                let mut pairs = rules.pairs().iter();
                let differ = pairs.any(|pair| pair.relation.forbids(3, 3) && share(&pair.cells));
                a != *b && (differ || sets().any(|house| share(&house.cells)))
            };
            let expected: Vec<u16> = (0..16).filter(is_peer).collect();
            assert_eq!(tables.peers.of(a.into()), expected, "{a}");
        }
    }

    #[test]
    fn positions_of_crossings_and_peers_are_those_of_their_cells() {
        let (rules, tables) = tables(6, "diagonal", b"AB...A.......B..BB..................");
        let both: Vec<CellSet> = rules
            .houses()
            .iter()
            .chain(rules.groups())
            .map(House::cell_set)
            .collect();
        for (index, house) in rules.houses().iter().enumerate() {
            let positions = |set: &CellSet| {
                let cells = house.cells.iter().enumerate();
                let members = cells.filter(|&(_, &cell)| set.contains(cell));
                members.fold(0u32, |set, (position, _)| set | 1 << position)
            };
            let shared = both.iter().map(|other| (other.len(), positions(other)));
            let crosses = |&(len, shared): &(usize, u32)| {
                shared.count_ones() >= 2 && (shared.count_ones() as usize) < len
            };
            let mut expected: Vec<u32> = shared.filter(crosses).map(|(_, shared)| shared).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(tables.crossing_positions[index], expected, "{}", house.name);
            for cell in (0..36).filter(|_| index < 12) {
                let peers: CellSet = tables.peers.of(cell.into()).iter().copied().collect();
                assert_eq!(
                    tables.seen_positions(index, cell),
                    positions(&peers),
                    "{cell}"
                );
            }
        }
    }
}

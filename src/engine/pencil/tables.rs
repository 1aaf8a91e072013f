//! Tables that are derived from the rules once, for all techniques.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::rules::{CellSet, Crossing, House, HouseName, Lists, Rules, crossings, peers_of_cells};

#[derive(Clone, Copy, Debug)]
pub(super) struct SumCage {
    /// Index among the houses and groups.
    pub(super) house: usize,
    pub(super) sum: u16,
}

/// The rules in the form that the techniques need.
///
/// Groups are numbered after the houses, and killer cages are the last groups. Names and comments
/// say "house" for all of them where the difference does not matter.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) side: usize,
    /// The lowest N bits are 1.
    pub(super) every_digit: u32,
    /// For the houses, then for the groups, as `cells_of`.
    pub(super) names: Vec<HouseName>,
    pub(super) cells_of: Lists<u16>,
    /// Does not count the groups.
    pub(super) house_count: usize,
    pub(super) houses_of: Lists<u16>,
    /// In ascending order.
    pub(super) peers: Lists<u16>,
    peer_sets: Vec<CellSet>,
    pub(super) consecutive_neighbours: Vec<Vec<u16>>,
    /// The confining house and the target of each directed crossing, in ascending order. The house
    /// can confine a digit to the shared cells, and the target, a house or a group, loses the digit
    /// elsewhere. A [`Crossing`] of two houses gives two directed crossings. A crossing of a house
    /// and a group gives one, because a group confines no digit.
    pub(super) directed_crossings: Vec<[u16; 2]>,
    /// Three lists for each directed crossing (see the method of this name).
    crossing_cells: Lists<u16>,
    /// For each house, the positions of each crossing (bit i for position i), each set once.
    pub(super) crossing_positions: Vec<Vec<u32>>,
    /// Entry `house * N² + cell`: the positions in a row or column that the cell sees.
    seen_positions: Vec<u32>,
    /// In the order of the rules.
    pub(super) sum_cages: Vec<SumCage>,
    /// For the rule of 45. Empty if no cage has a sum.
    pub(super) unions: Vec<HouseUnion>,
}

impl Tables {
    /// Leaves [`Tables::unions`] empty.
    pub(super) fn new(rules: &Rules) -> Tables {
        let (side, cells, houses) = (rules.side(), rules.cells(), rules.houses());
        debug_assert!(houses.iter().all(|house| house.is_of_side(side)));
        let mut first = houses.iter().take(2 * side);
        debug_assert!(first.all(|house| house.name.is_row_or_column()));
        let both = || houses.iter().chain(rules.groups_and_cages());
        let peer_sets: Vec<CellSet> = peers_of_cells(cells, both(), rules.pairs());
        let crossings = crossings_of(rules);
        let (directed_crossings, crossing_cells) = directed_crossings(&crossings, houses.len());
        let first_cage = houses.len() + rules.groups().len();
        let sum_cages = (first_cage..).zip(rules.cages()).filter_map(|(house, cage)| {
            let sum = cage.sum?;
            Some(SumCage { house, sum })
        });
        Tables {
            side,
            every_digit: (1 << side) - 1,
            names: both().map(|house| house.name).collect(),
            cells_of: Lists::new(both().map(|house| house.cells.iter().copied())),
            house_count: houses.len(),
            houses_of: Lists::new(rules.houses_of_cells()),
            peers: Lists::new(peer_sets.iter().map(CellSet::iter)),
            consecutive_neighbours: rules.consecutive_neighbours(),
            directed_crossings,
            crossing_cells,
            crossing_positions: crossing_positions(&crossings, houses),
            seen_positions: seen_positions(&houses[..2 * side], &peer_sets),
            peer_sets,
            sum_cages: sum_cages.collect(),
            unions: Vec::new(),
        }
    }

    pub(super) fn cells(&self) -> usize {
        self.side * self.side
    }

    pub(super) fn rows(&self) -> Range<usize> {
        0..self.side
    }

    pub(super) fn columns(&self) -> Range<usize> {
        self.side..2 * self.side
    }

    pub(super) fn houses_and_groups(&self) -> usize {
        self.names.len()
    }

    /// Returns the shared cells, the other cells of the confining house, and those of the target.
    pub(super) fn crossing_cells(&self, crossing: usize) -> [&[u16]; 3] {
        [0, 1, 2].map(|list| self.crossing_cells.of(3 * crossing + list))
    }

    #[inline]
    pub(super) fn are_peers(&self, a: u16, b: u16) -> bool {
        self.peer_sets[usize::from(a)].contains(b)
    }

    #[inline]
    pub(super) fn seen_positions(&self, row_or_column: usize, cell: u16) -> u32 {
        self.seen_positions[row_or_column * self.cells() + usize::from(cell)]
    }

    pub(super) fn seen_by_any(&self, cells: &CellSet) -> CellSet {
        let peers = cells.iter().map(|cell| self.peer_sets[usize::from(cell)]);
        peers.fold(CellSet::default(), |seen, peers| seen.union(&peers))
    }

    /// None if there are no cells.
    pub(super) fn seen_by_all(&self, cells: &CellSet) -> CellSet {
        let peers = cells.iter().map(|cell| self.peer_sets[usize::from(cell)]);
        peers.reduce(|seen, peers| seen.intersection(&peers)).unwrap_or_default()
    }

    /// In ascending order.
    pub(super) fn common_peers(&self, a: u16, b: u16) -> impl Iterator<Item = u16> + use<> {
        let [a, b] = [a, b].map(|cell| &self.peer_sets[usize::from(cell)]);
        a.intersection(b).iter()
    }
}

/// One house, or several that do not overlap. The digits of each house add up to N(N+1)/2.
///
/// ```text
///     A A B .        Row 1 of a 4x4 adds up to 10. Cage A lies inside it and cage B crosses it. If A has the sum 6, the innies
///     . . B .        r1c3 and r1c4 add up to 4.
/// ```
#[derive(Debug)]
pub(super) struct HouseUnion {
    pub(super) houses: Vec<usize>,
    pub(super) cells: CellSet,
    /// The sum of the union minus the sums of the cages wholly inside it.
    pub(super) rest: i32,
    /// The cells that are in no cage with a sum.
    pub(super) uncaged: Vec<u16>,
    /// The cages with a sum that have cells inside and outside.
    pub(super) crossing: Vec<SumCage>,
}

/// One for each `EquationPart` (see `innies_outies.rs`).
pub(super) const EQUATIONS_PER_UNION: usize = 3;

/// Without cages, borrows those that the rules keep for all puzzles.
fn crossings_of(rules: &Rules) -> Cow<'_, [Crossing]> {
    if rules.cages().is_empty() {
        return rules.crossings().into();
    }
    let groups: Vec<House> = rules.groups_and_cages().cloned().collect();
    crossings(rules.houses(), &groups).into()
}

fn directed_crossings(crossings: &[Crossing], house_count: usize) -> (Vec<[u16; 2]>, Lists<u16>) {
    let mut directed = Vec::with_capacity(2 * crossings.len());
    for Crossing { houses, common, rests } in crossings {
        let [a, b] = houses.map(|house| house as u16);
        let [rest_a, rest_b] = rests;
        directed.push(([a, b], [common, rest_a, rest_b]));
        directed.push(([b, a], [common, rest_b, rest_a]));
    }
    directed.retain(|([confining, _], _)| usize::from(*confining) < house_count);
    directed.sort_unstable_by_key(|(houses, _)| *houses);
    let houses = directed.iter().map(|(houses, _)| *houses).collect();
    let cells = directed.iter().flat_map(|(_, lists)| *lists);
    (houses, Lists::new(cells.map(|list| list.iter().copied())))
}

fn crossing_positions(crossings: &[Crossing], houses: &[House]) -> Vec<Vec<u32>> {
    let mut positions = vec![BTreeSet::new(); houses.len()];
    for crossing in crossings {
        // Indices from `houses.len()` on are those of groups and cages.
        for &house in crossing.houses.iter().filter(|&&house| house < houses.len()) {
            let is_common = |cell: u16| crossing.common.contains(&cell);
            positions[house].insert(positions_of(&houses[house], is_common));
        }
    }
    positions.into_iter().map(Vec::from_iter).collect()
}

fn seen_positions(rows_and_columns: &[House], peer_sets: &[CellSet]) -> Vec<u32> {
    let houses = rows_and_columns.iter();
    let of_house = houses.flat_map(|house| {
        let peer_sets = peer_sets.iter();
        peer_sets.map(move |peers| positions_of(house, |cell| peers.contains(cell)))
    });
    of_house.collect()
}

/// Bit i for cell i of the house.
fn positions_of(house: &House, is_member: impl Fn(u16) -> bool) -> u32 {
    let cells = house.cells.iter().enumerate();
    let members = cells.filter(|&(_, &cell)| is_member(cell));
    members.fold(0, |set, (position, _)| set | 1 << position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Shape;

    fn tables(side: usize, variants: &str, extra: &[u8]) -> (Rules, Tables) {
        let shape = Shape::boxes_of(side).unwrap();
        let rules = Rules::new(side, shape, &variants.parse().unwrap()).unwrap();
        let rules = rules.with_extra(extra).unwrap();
        let tables = Tables::new(&rules);
        (rules, tables)
    }

    #[test]
    fn every_house_confines_digits_to_the_cells_it_shares_with_houses_and_groups() {
        let (rules, tables) = tables(6, "diagonal", b"AB...A.......B..BB..................");
        let both: Vec<&House> = rules.houses().iter().chain(rules.groups()).collect();
        let mut directed = tables.directed_crossings.iter().enumerate();
        for (a, confining) in rules.houses().iter().enumerate() {
            for (b, target) in both.iter().enumerate() {
                let [confining, target]: [CellSet; 2] = [confining, target].map(House::cell_set);
                let common = confining.intersection(&target);
                if a == b || common.len() < 2 || common == target {
                    continue;
                }
                let (index, houses) = directed.next().unwrap();
                assert_eq!(*houses, [a, b].map(|house| house as u16));
                let lists = tables.crossing_cells(index);
                let sets = lists.map(|cells| cells.iter().copied().collect::<CellSet>());
                let rests = [confining, target].map(|house| house.difference(&common));
                assert_eq!(sets, [common, rests[0], rests[1]]);
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
        let both: Vec<CellSet> =
            rules.houses().iter().chain(rules.groups()).map(House::cell_set).collect();
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
            let expected = shared.filter(crosses).map(|(_, shared)| shared);
            let expected = Vec::from_iter(expected.collect::<BTreeSet<u32>>());
            assert_eq!(tables.crossing_positions[index], expected, "{}", house.name);
            for cell in (0..36).filter(|_| index < 12) {
                let peers: CellSet = tables.peers.of(cell.into()).iter().copied().collect();
                assert_eq!(tables.seen_positions(index, cell), positions(&peers), "{cell}");
            }
        }
    }
}

//! The constraints of a puzzle other than its cages. Killers with the same houses, groups and pairs share them.

use std::sync::OnceLock;

use crate::rules::{ForbiddenDigits, MAX_KILLER_SIDE, Rules};
use crate::solver::constraints::houses::ListedConstraints;

/// The most cells of a grid. A cell number fits a byte, so that an index into an array of this length needs no check.
pub(super) const MAX_CELLS: usize = MAX_KILLER_SIDE * MAX_KILLER_SIDE;
const _: () = assert!(MAX_CELLS == 1 << u8::BITS);

/// The most houses in which digits are counted. Any others only exclude digits from their cells, which is sufficient.
pub(super) const MOST_HOUSES: usize = 80;

/// The most adjacent rows, or columns, whose cells are added up together.
const MOST_LINES: usize = 4;

/// A set of cells: bit `cell % 64` of word `cell / 64`.
pub(super) type CellBits = [u64; MAX_CELLS / 64];

/// Houses, groups and pairs, prepared for the search.
#[derive(Debug)]
pub(super) struct Plan {
    pub side: usize,
    pub cells: usize,
    /// The cells of each house.
    pub houses: Vec<Vec<u8>>,
    /// For each cell, the cells that must differ from it, as a set.
    pub sees: Vec<CellBits>,
    /// Unions of houses that share no cell: sets of known sum. No two are equal.
    pub unions: Vec<Union>,
    /// For each cell, the cells that must differ from it.
    peers: CellLists,
    /// For each cell, the cells whose digits must not be consecutive to its own.
    neighbours: CellLists,
    /// The groups and pairs, for searches in lanes.
    listed: OnceLock<ListedConstraints>,
}

/// A union of houses that share no cell.
#[derive(Debug)]
pub(super) struct Union {
    pub cells: CellBits,
    /// The number of houses.
    pub houses: usize,
}

/// A list of cells for each cell.
#[derive(Debug)]
struct CellLists {
    starts: [u16; MAX_CELLS + 1],
    cells: Vec<u8>,
}

impl CellLists {
    fn new(lists: &[Vec<u8>]) -> CellLists {
        let mut starts = [0; MAX_CELLS + 1];
        for (cell, list) in lists.iter().enumerate() {
            starts[cell + 1] = starts[cell] + list.len() as u16;
        }
        let cells = lists.concat();
        debug_assert_eq!(usize::from(starts[lists.len()]), cells.len());
        CellLists { starts, cells }
    }

    #[inline(always)]
    fn of(&self, cell: u8) -> &[u8] {
        let cell = usize::from(cell);
        &self.cells[usize::from(self.starts[cell])..usize::from(self.starts[cell + 1])]
    }
}

impl Plan {
    /// Prepares the houses, groups and pairs of these rules. Ignores their cages.
    pub fn new(rules: &Rules) -> Plan {
        let cells = rules.cells();
        assert!(cells <= MAX_CELLS, "{cells} cells");
        let houses = rules.houses().iter().chain(rules.implied());
        let houses = houses.map(|house| bytes(&house.cells));
        let houses: Vec<Vec<u8>> = houses.take(MOST_HOUSES).collect();
        let sees = cells_seen(rules);
        let lists: Vec<Vec<u8>> = sees.iter().map(|seen| members(seen).collect()).collect();
        Plan {
            side: rules.side(),
            cells,
            peers: CellLists::new(&lists),
            neighbours: CellLists::new(&consecutive_neighbours(rules)),
            sees,
            unions: unions(&chains(rules), &houses),
            listed: OnceLock::new(),
            houses,
        }
    }

    /// Returns the groups and pairs of the rules of this plan, as lists for vectors.
    pub fn listed(&self, rules: &Rules) -> &ListedConstraints {
        let of_cell = |cell| cell;
        self.listed
            .get_or_init(|| ListedConstraints::new(rules, of_cell, |_| false, |_, _| false))
    }

    /// Returns the cells that must differ from a cell.
    #[inline(always)]
    pub fn peers(&self, cell: u8) -> &[u8] {
        self.peers.of(cell)
    }

    /// Returns the cells whose digits must not be consecutive to that of a cell.
    #[inline(always)]
    pub fn neighbours(&self, cell: u8) -> &[u8] {
        self.neighbours.of(cell)
    }

    /// Returns a mask of all digits.
    #[inline(always)]
    pub fn every_digit(&self) -> u16 {
        u16::MAX >> (16 - self.side)
    }

    /// Returns the sum of all digits.
    pub fn sum_of_house(&self) -> i32 {
        (self.side * (self.side + 1) / 2) as i32
    }

    /// Returns true if all of these cells must differ.
    pub fn all_differ(&self, cells: &[u8]) -> bool {
        let mut firsts = cells.iter().enumerate();
        firsts.all(|(index, &cell)| {
            let seen = &self.sees[usize::from(cell)];
            cells[index + 1..]
                .iter()
                .all(|&other| contains(seen, other))
        })
    }
}

fn bytes(cells: &[u16]) -> Vec<u8> {
    cells.iter().map(|&cell| cell as u8).collect()
}

/// Returns whether a set contains a cell.
#[inline(always)]
pub(super) fn contains(set: &CellBits, cell: u8) -> bool {
    set[usize::from(cell) / 64] >> (cell % 64) & 1 == 1
}

/// Adds a cell to a set.
#[inline(always)]
pub(super) fn insert(set: &mut CellBits, cell: u8) {
    set[usize::from(cell) / 64] |= 1 << (cell % 64);
}

/// Returns the cells of a set, in ascending order.
#[inline(always)]
pub(super) fn members<const N: usize>(set: &[u64; N]) -> impl Iterator<Item = u8> + use<N> {
    let mut left = *set;
    let mut word = 0;
    std::iter::from_fn(move || {
        while left[word] == 0 {
            if word + 1 == left.len() {
                return None;
            }
            word += 1;
        }
        let bit = left[word].trailing_zeros();
        left[word] &= left[word] - 1;
        Some((word as u32 * 64 + bit) as u8)
    })
}

/// Returns, for each cell, the cells that must differ from it because of a house, a group or a pair.
fn cells_seen(rules: &Rules) -> Vec<CellBits> {
    let mut sees = vec![CellBits::default(); rules.cells()];
    let groups = rules.houses().iter().chain(rules.groups());
    for group in groups.chain(rules.implied()) {
        let mut members = CellBits::default();
        for &cell in &group.cells {
            insert(&mut members, cell as u8);
        }
        for &cell in &group.cells {
            for (seen, members) in sees[usize::from(cell)].iter_mut().zip(members) {
                *seen |= members;
            }
        }
    }
    for pair in rules.pairs() {
        if pair.relation.forbidden_digits() == ForbiddenDigits::Equal {
            let [a, b] = pair.cells;
            insert(&mut sees[usize::from(a)], b as u8);
            insert(&mut sees[usize::from(b)], a as u8);
        }
    }
    for (cell, seen) in sees.iter_mut().enumerate() {
        seen[cell / 64] &= !(1 << (cell % 64));
    }
    sees
}

/// Returns, for each cell, the cells whose digits must not be consecutive to its own.
fn consecutive_neighbours(rules: &Rules) -> Vec<Vec<u8>> {
    let mut neighbours = vec![Vec::new(); rules.cells()];
    for pair in rules.pairs() {
        if pair.relation.forbidden_digits() == ForbiddenDigits::Consecutive {
            let [a, b] = pair.cells;
            neighbours[usize::from(a)].push(b as u8);
            neighbours[usize::from(b)].push(a as u8);
        }
    }
    neighbours
}

/// Returns the unions of the first house of each chain, of the first two and so on. Leaves out those that an earlier chain has.
fn unions(chains: &[Vec<u8>], houses: &[Vec<u8>]) -> Vec<Union> {
    let mut unions: Vec<Union> = Vec::new();
    for chain in chains {
        let mut cells = CellBits::default();
        for (number, &house) in (1..).zip(chain) {
            for &cell in &houses[usize::from(house)] {
                debug_assert!(!contains(&cells, cell), "the houses share cell {cell}");
                insert(&mut cells, cell);
            }
            if unions.iter().all(|union| union.cells != cells) {
                unions.push(Union {
                    cells,
                    houses: number,
                });
            }
        }
    }
    unions
}

/// Returns the chains: sequences of houses whose cells are added up: adjacent rows, adjacent columns, adjacent regions, and each
/// extra house.
fn chains(rules: &Rules) -> Vec<Vec<u8>> {
    let side = rules.side();
    let houses = rules.houses().len().min(MOST_HOUSES);
    let mut chains = Vec::new();
    for first in [0, side] {
        for start in 0..side {
            let end = side.min(start + MOST_LINES);
            chains.push((start..end).map(|line| (first + line) as u8).collect());
        }
    }
    for start in 2 * side..houses {
        chains.push(vec![start as u8]);
    }
    for regions in (2 * side..houses.min(4 * side)).step_by(side) {
        let Some(of_cell) = regions_of_cells(rules, regions) else {
            continue;
        };
        for [a, b] in adjacent(&of_cell, side) {
            chains.push(vec![(regions + a) as u8, (regions + b) as u8]);
        }
    }
    chains
}

/// Returns the region of each cell if `side` houses from this index divide the grid.
fn regions_of_cells(rules: &Rules, first: usize) -> Option<Vec<usize>> {
    let mut of_cell = vec![usize::MAX; rules.cells()];
    let houses = rules.houses().get(first..first + rules.side())?;
    for (region, house) in houses.iter().enumerate() {
        for &cell in &house.cells {
            of_cell[usize::from(cell)] = region;
        }
    }
    (!of_cell.contains(&usize::MAX)).then_some(of_cell)
}

/// Returns each pair of regions that touch.
fn adjacent(of_cell: &[usize], side: usize) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for cell in 0..of_cell.len() {
        let right = (cell % side + 1 < side).then_some(cell + 1);
        let below = (cell + side < of_cell.len()).then_some(cell + side);
        for other in [right, below].into_iter().flatten() {
            let (a, b) = (of_cell[cell], of_cell[other]);
            if a != b {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

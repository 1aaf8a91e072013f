//! The constraints of a puzzle other than its cages. Killers whose rules `Rules::with_cages` made from the same rules share them.

use std::sync::OnceLock;

use crate::rules::{
    CellSet, House, Lists, MAX_KILLER_SIDE, Rules, houses_of_cells, peers_of_cells,
};
use crate::solver::constraints::houses::ListedConstraints;

/// The most cells of a grid. A cell number is a byte, so an array of this length is indexed without bounds checks.
pub(super) const MAX_CELLS: usize = MAX_KILLER_SIDE * MAX_KILLER_SIDE;
const _: () = assert!(MAX_CELLS == 1 << u8::BITS);

/// The maximum number of houses in `KillerPlan::houses`, in which `board.rs` finds hidden singles. The cells of further houses
/// are only peers. This loses deductions but no correctness: N cells that all differ hold all N digits. The search in lanes gets
/// the further houses by `listed`.
pub(super) const MAX_HOUSES: usize = 80;

/// The maximum number of rows (or columns) in a sequence from `chains`.
const MAX_LINES: usize = 4;

/// A set of cells.
pub(super) type Cells = CellSet<{ MAX_CELLS / 64 }>;

/// Houses, groups and pairs, prepared for the search.
#[derive(Debug)]
pub(super) struct KillerPlan {
    pub side: usize,
    pub cells: usize,
    /// The cells of each of the first `MAX_HOUSES` houses, in the order of [`Rules::houses`]; implied houses are last.
    pub houses: Vec<Vec<u8>>,
    /// For each cell, the cells that must differ from it by a house, group or pair (not by a cage), as a set, for intersections.
    pub sees: Vec<Cells>,
    /// Unions of houses that share no cell, so that the sum of their cells is known. No two have the same cells.
    pub unions: Vec<Union>,
    /// The cells of `sees` as lists, for loops.
    pub peers: Lists<u8>,
    /// For each cell, the cells whose digits must not be consecutive to its own.
    pub neighbours: Lists<u8>,
    /// The groups, the pairs and the houses that are not in `houses`, for searches in lanes. Made on first use.
    listed: OnceLock<ListedConstraints>,
}

/// A union of houses that share no cell.
#[derive(Debug)]
pub(super) struct Union {
    pub cells: Cells,
    /// The number of houses.
    pub houses: usize,
}

impl KillerPlan {
    /// Prepares the houses, groups and pairs of these rules. Ignores their cages.
    pub fn new(rules: &Rules) -> KillerPlan {
        let cells = rules.cells();
        assert!(cells <= MAX_CELLS, "{cells} cells");
        let houses = rules.houses().iter().chain(rules.implied());
        let sees: Vec<Cells> =
            peers_of_cells(cells, houses.clone().chain(rules.groups()), rules.pairs());
        let bytes = |cells: &Vec<u16>| cells.iter().map(|&cell| cell as u8).collect();
        let houses = houses.map(|house| bytes(&house.cells));
        let houses: Vec<Vec<u8>> = houses.take(MAX_HOUSES).collect();
        let neighbours = rules.consecutive_neighbours();
        KillerPlan {
            side: rules.side(),
            cells,
            peers: Lists::new(sees.iter().map(|seen| seen.iter().map(|cell| cell as u8))),
            neighbours: Lists::new(neighbours.iter().map(bytes)),
            sees,
            unions: unions(&chains(rules), &houses),
            listed: OnceLock::new(),
            houses,
        }
    }

    /// Returns the groups, the pairs and the houses that are not in `houses`, as lists for vectors. Makes them on the first call.
    pub fn listed(&self, rules: &Rules) -> &ListedConstraints {
        // On a `LaneBoard`, the position of a cell is its number.
        let of_cell = |cell| cell;
        let has_house = |house: &House| {
            let cells = || house.cells.iter().map(|&cell| cell as u8);
            let mut known = self.houses.iter();
            !known.any(|known| known.iter().copied().eq(cells()))
        };
        self.listed
            .get_or_init(|| ListedConstraints::new(rules, of_cell, has_house, |_, _| false))
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

    /// Returns true if houses, groups and pairs make all of these cells differ.
    pub fn all_differ(&self, cells: &Cells) -> bool {
        cells.iter().all(|cell| {
            let mut others = *cells;
            others.remove(cell);
            others.is_subset(&self.sees[usize::from(cell)])
        })
    }
}

/// Returns the unions of the first house of each chain, of its first two houses, and so on. Leaves out a union that has the same
/// cells as an earlier one. Chains hold indices into `houses`.
fn unions(chains: &[Vec<u8>], houses: &[Vec<u8>]) -> Vec<Union> {
    let mut unions: Vec<Union> = Vec::new();
    for chain in chains {
        let mut cells = Cells::default();
        for (number, &house) in (1..).zip(chain) {
            let house = houses[usize::from(house)].iter();
            let house: Cells = house.map(|&cell| cell.into()).collect();
            debug_assert!(cells.intersection(&house).is_empty(), "houses share a cell");
            cells = cells.union(&house);
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

/// Returns chains: sequences of houses that share no cell, as indices of houses. Each chain is up to `MAX_LINES` adjacent rows or
/// columns, one other house (implied houses excepted), or two regions that touch.
fn chains(rules: &Rules) -> Vec<Vec<u8>> {
    let side = rules.side();
    let houses = rules.houses().len().min(MAX_HOUSES);
    let mut chains = Vec::new();
    for first in [0, side] {
        for start in 0..side {
            let end = side.min(start + MAX_LINES);
            chains.push((start..end).map(|line| (first + line) as u8).collect());
        }
    }
    for start in 2 * side..houses {
        chains.push(vec![start as u8]);
    }
    // Houses 2N to 3N - 1 are boxes, or the jigsaw regions that replace them. The next N houses also divide the grid if they are
    // jigsaw regions or disjoint groups. Later regions are left out: this only loses deductions.
    for regions in (2 * side..houses.min(4 * side)).step_by(side) {
        let Some(of_cell) = regions_of_cells(rules, regions) else {
            continue;
        };
        for [a, b] in adjacent(&of_cell, side) {
            chains.push(
                [a, b]
                    .map(|region| (regions as u16 + region) as u8)
                    .to_vec(),
            );
        }
    }
    chains
}

/// Returns the region of each cell, counted from 0, if the houses `first` to `first + side - 1` divide the grid.
fn regions_of_cells(rules: &Rules, first: usize) -> Option<Vec<u16>> {
    let houses = rules.houses().get(first..first + rules.side())?;
    let of_cells = houses_of_cells(rules.cells(), houses.iter());
    let only = |regions: &Vec<u16>| (regions.len() == 1).then(|| regions[0]);
    of_cells.iter().map(only).collect()
}

/// Returns each pair of regions that have adjacent cells, once. `of_cell` is the region of each cell.
fn adjacent(of_cell: &[u16], side: usize) -> Vec<[u16; 2]> {
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

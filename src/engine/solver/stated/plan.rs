//! The constraints of a puzzle other than its cages and the sums that follow from them. In a call
//! of `StatedSolver::solve`, killers share these if `Rules::with_cages` made their rules from the same
//! rules.

use std::sync::OnceLock;

use crate::rules::{CellSet, House, Lists, MAX_KILLER_SIDE, Rules, peers_of_cells};
use crate::solver::constraints::houses::ListedConstraints;

/// A cell number is a byte, so an array of this length is indexed without bounds checks.
pub(super) const MAX_CELLS: usize = MAX_KILLER_SIDE * MAX_KILLER_SIDE;
const _: () = assert!(MAX_CELLS == 1 << u8::BITS);

/// In `StatedPlan::houses`. The search of one node at a time finds hidden singles in these houses
/// only; in a further house, it only makes the cells differ. This loses deductions, but no answer
/// is wrong: N cells that all differ hold all N digits. The search in lanes also finds hidden
/// singles in the further houses (`listed`).
pub(super) const MAX_HOUSES: usize = 80;

pub(super) type Cells = CellSet<{ MAX_CELLS / 64 }>;

#[derive(Debug)]
pub(super) struct StatedPlan {
    pub side: usize,
    pub cells: usize,
    /// The first `MAX_HOUSES` of [`Rules::houses`], then of the implied houses.
    pub houses: Vec<Vec<u8>>,
    /// For each cell, the cells that must differ from it by a house, group or pair (not by a cage).
    pub sees: Vec<Cells>,
    pub unions: Vec<Union>,
    pub peers: Lists<u8>,
    /// Cells whose digits must not be consecutive.
    pub neighbours: Lists<u8>,
    /// Made on first use, for searches in lanes.
    listed: OnceLock<ListedConstraints>,
}

/// Houses that share no cell.
#[derive(Debug)]
pub(super) struct Union {
    pub cells: Cells,
    pub houses: usize,
}

impl StatedPlan {
    pub fn new(rules: &Rules) -> StatedPlan {
        let cells = rules.cells();
        assert!(cells <= MAX_CELLS, "{cells} cells");
        let houses = rules.houses().iter().chain(rules.implied());
        let sees: Vec<Cells> =
            peers_of_cells(cells, houses.clone().chain(rules.groups()), rules.pairs());
        let houses = houses.map(|house| to_bytes(&house.cells));
        let houses: Vec<Vec<u8>> = houses.take(MAX_HOUSES).collect();
        let neighbours = rules.consecutive_neighbours();
        let to_union = |indices: &Vec<usize>| {
            let cells = indices.iter().flat_map(|&house| &rules.houses()[house].cells);
            let (cells, houses) = (cells.copied().collect(), indices.len());
            Union { cells, houses }
        };
        StatedPlan {
            side: rules.side(),
            cells,
            peers: Lists::new(sees.iter().map(|seen| seen.iter().map(|cell| cell as u8))),
            neighbours: Lists::new(neighbours.iter().map(|cells| to_bytes(cells))),
            sees,
            unions: rules.unions().iter().map(to_union).collect(),
            listed: OnceLock::new(),
            houses,
        }
    }

    /// `rules` must have the houses, groups and pairs of this plan.
    pub fn listed(&self, rules: &Rules) -> &ListedConstraints {
        // On a `LaneBoard`, the position of a cell is its number.
        let of_cell = |cell| cell;
        let is_further = |house: &House| !self.houses.contains(&to_bytes(&house.cells));
        // Killers make no deductions from crossings of houses. For region sums, these save 85 % of
        // the guesses.
        let crosses = rules.stated().is_some();
        let has_crossing = |_: [&House; 2], common| crosses && common > 1;
        let new = || ListedConstraints::new(rules, of_cell, is_further, has_crossing);
        self.listed.get_or_init(new)
    }

    #[inline(always)]
    pub fn every_digit(&self) -> u16 {
        u16::MAX >> (16 - self.side)
    }

    pub fn sum_of_house(&self) -> i32 {
        (self.side * (self.side + 1) / 2) as i32
    }

    pub fn all_differ(&self, cells: &Cells) -> bool {
        let unseen = |cell| cells.difference(&self.sees[usize::from(cell)]);
        // A cell does not see itself.
        cells.iter().all(|cell| unseen(cell).len() == 1)
    }
}

/// Divides cells into groups that all see each other, the first of them as large as a greedy choice
/// finds.
pub(super) fn cliques(mut cells: Cells, sees: &[Cells]) -> Vec<Vec<u16>> {
    let mut cliques = Vec::new();
    while !cells.is_empty() {
        let (mut clique, mut fitting) = (Vec::new(), cells);
        let seen = |cell: u16, fitting: &Cells| sees[usize::from(cell)].intersection(fitting);
        // Of equal cells, the first one.
        let best = |fitting: &Cells| {
            fitting.iter().max_by_key(|&cell| (seen(cell, fitting).len(), u16::MAX - cell))
        };
        while let Some(cell) = best(&fitting) {
            clique.push(cell);
            cells.remove(cell);
            fitting = seen(cell, &fitting);
        }
        cliques.push(clique);
    }
    cliques
}

fn to_bytes(cells: &[u16]) -> Vec<u8> {
    cells.iter().map(|&cell| cell as u8).collect()
}

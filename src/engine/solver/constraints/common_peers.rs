//! Pairs and common peers. A cell *sees* the cells that it must differ from. Its *neighbours* must
//! not hold a digit consecutive to its own. `houses.rs` makes the deductions.
//!
//! ```text
//!     row 1   x s x        A house (box 1). The cell P outside of it sees the cells s: by row 2 and by knight's moves.
//!     row 2   s s s  P     If no unseen cell x can hold a digit, some cell s holds it, so P cannot hold it:
//!     row 3   x s x        P is a common peer of all cells of the house that can hold the digit.
//! ```

use crate::rules::{CellSet, House, Rules, peers_of_cells};

#[derive(Debug, Default)]
pub(crate) struct CommonPeers {
    /// Cells that must differ because of a pair. Leaves out cells that share a house (other than a
    /// jigsaw region) or a group.
    pub differing: Vec<Related>,
    /// Pairs that must not hold consecutive digits.
    pub not_consecutive: Vec<Related>,
    /// A cell and a house that does not contain it, if the cell sees more than half of the house.
    /// `others` are the cells of the house that it does not see. The cell cannot hold a digit that
    /// none of `others` can hold. A case of locked candidates is left out: a single house contains
    /// the cell and all cells that it sees in this house. `from_rules` leaves out further entries.
    // With these entries, minimal antiknight puzzles take a quarter of the branches and less than
    // half of the time; minimal asterisk puzzles two fifths of the branches and half of the time.
    pub of_houses: Vec<Related>,
    /// A cell and a house in which it has three or more neighbours. `others` are the other cells of
    /// the house. If none of them can hold digit d, a neighbour or the cell itself holds d. Either
    /// way, the cell can hold neither d - 1 nor d + 1.
    // With these, minimal nonconsecutive puzzles take 1/12 of the branches and 1/10 of the time.
    pub of_neighbours: Vec<Related>,
}

#[derive(Debug)]
pub(crate) struct Related {
    pub cell: u16,
    pub others: Vec<u16>,
}

impl CommonPeers {
    /// Ignores cages, and also jigsaw regions, so that the relations hold for every layout.
    /// `board_covers` returns true for a house that the board need not sweep from a list (a covered
    /// house). Leaves out each entry of `of_houses` that follows from covered houses alone: its
    /// house is covered, and the cell sees all cells of it outside `others` through covered houses.
    // Tried: including these entries. With windows 15 % fewer sweeps and 20 % fewer branches, but
    // sweeps take 25 % longer; with diagonals 2 % more time in all. Entries that follow only
    // together with others must stay: without them, antiknight windows take 24 times as long.
    pub fn from_rules(rules: &Rules, board_covers: impl Fn(&House) -> bool) -> CommonPeers {
        if rules.has_no_extra_constraints() {
            return CommonPeers::default();
        }
        let cells = rules.cells();
        let houses = || rules.houses_without_jigsaw_regions();
        let houses_and_groups = || houses().chain(rules.groups());
        // The cells that each cell sees without pairs, with them, and through covered houses only.
        let seen_without_pairs: Vec<CellSet> = peers_of_cells(cells, houses_and_groups(), &[]);
        let seen: Vec<CellSet> = peers_of_cells(cells, houses_and_groups(), rules.pairs());
        let covered_houses = houses().filter(|house| board_covers(house));
        let seen_by_covered: Vec<CellSet> = peers_of_cells(cells, covered_houses, &[]);
        let neighbours = rules.consecutive_neighbours().into_iter();
        let neighbours: Vec<CellSet> = neighbours.map(CellSet::from_iter).collect();
        let is_covered: Vec<bool> = houses().map(&board_covers).collect();
        let houses: Vec<CellSet> = houses().map(House::cell_set).collect();
        let follows_from_covered = |cell: usize, house: usize, unseen: CellSet| {
            is_covered[house] && houses[house].difference(&seen_by_covered[cell]) == unseen
        };
        CommonPeers {
            differing: related(rules, |cell| seen[cell].difference(&seen_without_pairs[cell])),
            not_consecutive: related(rules, |cell| neighbours[cell]),
            of_houses: peers_of_houses(rules, &houses, &seen, follows_from_covered),
            of_neighbours: neighbours_of_houses(&houses, &neighbours),
        }
    }

    pub fn at(mut self, position_of: impl Fn(u16) -> u16) -> CommonPeers {
        let lists = [
            &mut self.differing,
            &mut self.not_consecutive,
            &mut self.of_houses,
            &mut self.of_neighbours,
        ];
        for Related { cell, others } in lists.into_iter().flatten() {
            for cell in others.iter_mut().chain([cell]) {
                *cell = position_of(*cell);
            }
        }
        self
    }
}

fn related(rules: &Rules, others_of: impl Fn(usize) -> CellSet) -> Vec<Related> {
    let of_cell = |cell| Related::new(cell, others_of(cell));
    let related = (0..rules.cells()).map(of_cell);
    related.filter(|entry| !entry.others.is_empty()).collect()
}

/// `follows_from_covered` takes a cell, the index of a house, and its cells that are not seen.
fn peers_of_houses(
    rules: &Rules,
    houses: &[CellSet],
    seen: &[CellSet],
    follows_from_covered: impl Fn(usize, usize, CellSet) -> bool,
) -> Vec<Related> {
    let mut found = Vec::new();
    for (cell, seen) in seen.iter().enumerate() {
        let has_cell = |house: &&CellSet| house.contains(cell as u16);
        for (index, house) in houses.iter().enumerate() {
            let unseen = house.difference(seen);
            if has_cell(&house) || 2 * unseen.len() >= rules.side() {
                continue;
            }
            let is_locked = |of_cell: &CellSet| house.difference(of_cell) == unseen;
            let mut houses_of_cell = houses.iter().filter(has_cell);
            if !houses_of_cell.any(is_locked) && !follows_from_covered(cell, index, unseen) {
                found.push(Related::new(cell, unseen));
            }
        }
    }
    found
}

fn neighbours_of_houses(houses: &[CellSet], neighbours: &[CellSet]) -> Vec<Related> {
    let mut found = Vec::new();
    for (cell, &neighbours) in neighbours.iter().enumerate() {
        let mut near = neighbours;
        near.insert(cell as u16);
        for house in houses {
            if house.intersection(&neighbours).len() >= 3 {
                found.push(Related::new(cell, house.difference(&near)));
            }
        }
    }
    found
}

impl Related {
    fn new(cell: usize, others: CellSet) -> Related {
        Related { cell: cell as u16, others: others.iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    fn common_peers(side: usize, variants: &str) -> CommonPeers {
        let variants: Variants = variants.parse().unwrap();
        let rules = Rules::new(side, Shape::boxes_of(side).unwrap(), &variants).unwrap();
        CommonPeers::from_rules(&rules, |_| false)
    }

    /// Returns the others of each entry of a cell.
    fn of_cell(related: &[Related], cell: u16) -> Vec<&[u16]> {
        let entries = related.iter().filter(|entry| entry.cell == cell);
        entries.map(|entry| &entry.others[..]).collect()
    }

    #[test]
    fn rows_columns_and_boxes_alone_have_no_common_peers_but_crossings() {
        for side in [4, 6, 9, 10, 16] {
            // Only the cells of its own box see a center dot of a 9x9.
            let variants = if side == 9 { "center-dot" } else { "classic" };
            let peers = common_peers(side, variants);
            assert!(peers.differing.is_empty() && peers.of_houses.is_empty());
        }
    }

    #[test]
    fn pairs_within_a_house_are_not_listed() {
        let king = common_peers(9, "antiking");
        assert_eq!(of_cell(&king.differing, 0), [[0u16; 0]; 0]);
        // r3c3, a corner of its box, pairs with r2c4, r4c2 and r4c4 outside.
        assert_eq!(of_cell(&king.differing, 20), [[12, 28, 30]]);
    }

    #[test]
    fn a_cell_sees_a_house_by_row_column_and_moves() {
        let knight = common_peers(9, "antiknight");
        // r2c4 sees row 2 of box 1, and r1c2 and r3c2 by a knight's move.
        let box_1: Vec<&[u16]> = of_cell(&knight.of_houses, 12)
            .into_iter()
            .filter(|rest| rest.iter().all(|&cell| cell / 9 < 3 && cell % 9 < 3))
            .collect();
        assert_eq!(box_1, [[0, 2, 18, 20]]);
    }

    #[test]
    fn the_middle_of_a_box_has_four_neighbours_in_it_and_a_corner_two() {
        let peers = common_peers(9, "nonconsecutive");
        assert_eq!(of_cell(&peers.of_neighbours, 10), [[0, 2, 18, 20]]);
        assert_eq!(of_cell(&peers.of_neighbours, 0), [[0u16; 0]; 0]);
        assert_eq!(peers.of_neighbours.len(), 9 * 5);
    }
}

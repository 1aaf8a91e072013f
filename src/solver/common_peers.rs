//! Which cells tell which others something, beyond what houses and their crossings do: pairs, and cells that see much of
//! a house. Says what is so, leaves to `houses.rs` what follows.

use crate::rules::{House, MAX_SIDE, Rules};

/// Who tells whom, by the cells that listen.
#[derive(Debug, Default)]
pub(crate) struct CommonPeers {
    /// Pairs of cells that differ, but for those that a house tells apart already; from both sides.
    pub differing: Vec<Related>,
    /// Pairs of cells that are not consecutive, from both sides.
    pub not_consecutive: Vec<Related>,
    /// Cells that see most of a house they are no part of, and what they do not see of it. A digit that the house holds
    /// nowhere else than in sight is not theirs. Not those that one house sees all of: locked candidates do the same.
    // Minimal antiknight puzzles take a quarter of the branches and less than half the time, asterisks two fifths and half.
    // Not done: cells that see less. A few branches fewer, more time.
    pub of_houses: Vec<Related>,
    /// Cells that have three neighbours in a house, and what of it is neither these nor themselves. They are not
    /// consecutive to a digit that the house holds nowhere else.
    // Minimal nonconsecutive puzzles take a twelfth of the branches and a tenth of the time. Not done: two neighbours. A
    // quarter fewer branches, more time.
    pub of_neighbours: Vec<Related>,
}

/// A cell, and others that have to do with it.
#[derive(Debug)]
pub(crate) struct Related {
    pub cell: u16,
    pub others: Vec<u16>,
}

impl CommonPeers {
    /// Those that follow from everything but regions: a line may bring its own, and these are to serve all lanes. Over houses,
    /// not those that follow from houses alone that a board `sees_to`.
    // With windows, swept as a second grid, these would save 15 % of the sweeps and a fifth of the branches, each sweep a quarter
    // longer: no less time, with diagonals 2 % more. What others join in on stays: without, antiknight windows take 24 times as
    // long, windows with girandolas four times.
    pub fn of(rules: &Rules, sees_to: impl Fn(&House) -> bool) -> CommonPeers {
        if rules.ask_no_more() {
            return CommonPeers::default();
        }
        let houses: Vec<Cells> = rules.common_houses().map(Cells::of).collect();
        let seen_to: Vec<bool> = rules.common_houses().map(sees_to).collect();
        let groups: Vec<Cells> = rules.groups().iter().map(Cells::of).collect();
        let by_house = by_cell(rules, houses.iter().chain(&groups));
        let mut by_pair = vec![Cells::default(); rules.cells()];
        let mut neighbours = by_pair.clone();
        for pair in rules.pairs() {
            let [a, b] = pair.cells.map(usize::from);
            let table = match pair.relation.forbids(1, 1) {
                true => &mut by_pair,
                false => &mut neighbours,
            };
            table[a].insert(b);
            table[b].insert(a);
        }
        let seen_from = |cell: usize| by_house[cell].with(by_pair[cell]);
        let differ = |cell: usize| by_pair[cell].without(by_house[cell]);
        let only_seen_to = houses.iter().zip(&seen_to).filter(|&(_, &seen_to)| seen_to);
        let by_seen_to = by_cell(rules, only_seen_to.map(|(house, _)| house));
        let follows = |cell: usize, house: usize, unseen: Cells| {
            seen_to[house] && houses[house].without(by_seen_to[cell]) == unseen
        };
        CommonPeers {
            differing: related(rules, differ),
            not_consecutive: related(rules, |cell| neighbours[cell]),
            of_houses: peers_of_houses(rules, &houses, seen_from, follows),
            of_neighbours: neighbours_of_houses(rules, &houses, |cell| neighbours[cell]),
        }
    }

    /// The same for a board where these cells stand at those places.
    pub fn at(self, places: impl Fn(&[u16]) -> Vec<u16>) -> CommonPeers {
        let at_places = |related: Vec<Related>| -> Vec<Related> {
            let placed = related.into_iter().map(|related| Related {
                cell: places(&[related.cell])[0],
                others: places(&related.others),
            });
            placed.collect()
        };
        CommonPeers {
            differing: at_places(self.differing),
            not_consecutive: at_places(self.not_consecutive),
            of_houses: at_places(self.of_houses),
            of_neighbours: at_places(self.of_neighbours),
        }
    }
}

/// For each cell all cells of the houses it is in.
fn by_cell<'a>(rules: &Rules, houses: impl IntoIterator<Item = &'a Cells>) -> Vec<Cells> {
    let mut together = vec![Cells::default(); rules.cells()];
    for house in houses {
        for cell in house.iter() {
            together[cell].add(*house);
        }
    }
    together
}

/// Each cell that has any, with these others.
fn related(rules: &Rules, others_of: impl Fn(usize) -> Cells) -> Vec<Related> {
    let of_cell = |cell| Related::new(cell, others_of(cell));
    let related = (0..rules.cells()).map(of_cell);
    related.filter(|entry| !entry.others.is_empty()).collect()
}

/// Those that `follow` otherwise, from a cell over a house by its index, are left out.
fn peers_of_houses(
    rules: &Rules,
    houses: &[Cells],
    seen_from: impl Fn(usize) -> Cells,
    follows: impl Fn(usize, usize, Cells) -> bool,
) -> Vec<Related> {
    let mut found = Vec::new();
    for cell in 0..rules.cells() {
        let seen = seen_from(cell);
        let is_mine = |house: &&Cells| house.contains(cell);
        for (index, house) in houses.iter().enumerate() {
            let unseen = house.without(seen);
            if is_mine(&house) || 2 * unseen.len() >= rules.side() {
                continue;
            }
            let is_locked = |mine: &Cells| house.without(*mine) == unseen;
            let mut mine = houses.iter().filter(is_mine);
            if !mine.any(is_locked) && !follows(cell, index, unseen) {
                found.push(Related::new(cell, unseen));
            }
        }
    }
    found
}

fn neighbours_of_houses(
    rules: &Rules,
    houses: &[Cells],
    neighbours_of: impl Fn(usize) -> Cells,
) -> Vec<Related> {
    let mut found = Vec::new();
    for cell in 0..rules.cells() {
        let mut near = neighbours_of(cell);
        near.insert(cell);
        for house in houses {
            let far = house.without(near);
            if house.len() - far.len() >= 3 + usize::from(house.contains(cell)) {
                found.push(Related::new(cell, far));
            }
        }
    }
    found
}

impl Related {
    fn new(cell: usize, others: Cells) -> Related {
        Related {
            cell: cell as u16,
            others: others.iter().map(|other| other as u16).collect(),
        }
    }
}

/// A set of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cells([u64; (MAX_SIDE * MAX_SIDE).div_ceil(64)]);

impl Cells {
    fn of(house: &House) -> Cells {
        let mut cells = Cells::default();
        for &cell in &house.cells {
            cells.insert(cell.into());
        }
        cells
    }

    fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    fn add(&mut self, others: Cells) {
        for (word, other) in self.0.iter_mut().zip(others.0) {
            *word |= other;
        }
    }

    fn with(mut self, others: Cells) -> Cells {
        self.add(others);
        self
    }

    fn without(mut self, others: Cells) -> Cells {
        for (word, other) in self.0.iter_mut().zip(others.0) {
            *word &= !other;
        }
        self
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        (0..64 * self.0.len()).filter(|&cell| self.contains(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    fn common_peers(side: usize, variants: &str) -> CommonPeers {
        let variants: Variants = variants.parse().unwrap();
        let rules = Rules::new(side, Shape::boxes_of(side).unwrap(), &variants).unwrap();
        CommonPeers::of(&rules, |_| false)
    }

    /// The partners of a cell, as often as it is told something.
    fn of_cell(related: &[Related], cell: u16) -> Vec<&[u16]> {
        let entries = related.iter().filter(|entry| entry.cell == cell);
        entries.map(|entry| &entry.others[..]).collect()
    }

    #[test]
    fn rows_columns_and_boxes_alone_have_no_common_peers_but_crossings() {
        for side in [4, 6, 9, 10, 16] {
            // Center dots of a 9x9 are seen by cells of their box only.
            let variants = if side == 9 { "center-dot" } else { "classic" };
            let peers = common_peers(side, variants);
            assert!(peers.differing.is_empty() && peers.of_houses.is_empty());
        }
    }

    #[test]
    fn pairs_within_a_house_are_told_apart_by_it() {
        let king = common_peers(9, "antiking");
        assert_eq!(of_cell(&king.differing, 0), [[0u16; 0]; 0]);
        // r3c3 at the corner of its box: r2c4, r4c2, r4c4.
        assert_eq!(of_cell(&king.differing, 20), [[12, 28, 30]]);
    }

    #[test]
    fn a_cell_sees_a_house_by_row_column_and_moves() {
        let knight = common_peers(9, "antiknight");
        // r2c4 sees of box 1 row 2, and r1c2 and r3c2 by a move.
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

//! Finds candidates to remove by unique rectangles and loops, levels 4.5 to 5.3.
//!
//! The cells of a loop have two common candidates. Each cell shares a house with the next one, and
//! each house has two cells of the loop or none. If no cell had another candidate, the two digits
//! could be exchanged. So in a puzzle with one solution, a cell of the loop holds an *extra*
//! candidate.

use super::grid::{
    ALL_DIGITS, CELL_MASKS, CELLS_OF, CellMask, Deductions, Grid, PLACES_OF, cell_list, cells_at,
    cells_of, common_houses, common_peers, name_of, positions_in, subsets_of,
};
use crate::bits::bits;
use crate::pencil::marks::pairs_of;
use crate::pencil::pattern::Word;
use crate::pencil::technique::Technique;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct UniqueLoop {
    pair: u32,
    cells: CellMask,
    extra_cells: CellMask,
    extra: u32,
}

/// Makes the deductions of the first of types 1 to 4 that has any at this level, in tenths.
pub(super) fn find(grid: &Grid, loops: &[UniqueLoop], level: u32, found: &mut Deductions) {
    for loop_type in 1..=4 {
        for unique_loop in loops {
            let base = unique_loop.base_level();
            match loop_type {
                3 if level >= base => unique_loop.set_with_extras(grid, level - base, found),
                1 if level == base => unique_loop.one_extra_cell(grid, found),
                2 if level == base => unique_loop.one_extra_digit(grid, found),
                4 if level == base => unique_loop.confined_digit(grid, found),
                _ => {}
            }
        }
        if !found.is_empty() {
            return;
        }
    }
}

impl UniqueLoop {
    /// Ends a pattern: the cells and the pair, the name of the type, and what only this type has.
    fn end(&self, found: &mut Deductions, name: &'static str, more: impl FnOnce() -> Vec<Word>) {
        let technique = match self.cells.count_ones() {
            4 => Technique::UniqueRectangle,
            _ => Technique::UniqueLoop,
        };
        found.end(technique, || {
            let mut words = vec![Word::Cells(cell_list(self.cells)), Word::Digits(self.pair)];
            words.push(Word::Type(name));
            words.extend(more());
            words
        });
    }

    /// As [`end`](UniqueLoop::end), for type 3 with these cells and digits of the house.
    fn end_set(&self, found: &mut Deductions, name: &'static str, set: (usize, u32, u32)) {
        let (house, positions, digits) = set;
        self.end(found, name, || {
            let cells = Word::SetCells(cell_list(cells_at(house, positions)));
            vec![Word::House(name_of(house)), cells, Word::SetDigits(digits)]
        });
    }

    fn base_level(&self) -> u32 {
        match self.cells.count_ones() {
            4 => 45,
            6 => 46,
            8 => 47,
            _ => 50,
        }
    }

    /// Type 1: one cell has extra candidates. It loses the digits of the pair.
    fn one_extra_cell(&self, grid: &Grid, found: &mut Deductions) {
        if self.extra_cells.is_power_of_two() {
            found.remove_digits(grid, self.extra_cells.trailing_zeros() as usize, self.pair);
            self.end(found, "type 1", Vec::new);
        }
    }

    /// Type 2: several cells have the same extra candidate. Their common peers lose it.
    fn one_extra_digit(&self, grid: &Grid, found: &mut Deductions) {
        if self.extra_cells.count_ones() > 1 && self.extra.is_power_of_two() {
            let digit = self.extra.trailing_zeros() as usize;
            found.remove(grid, common_peers(self.extra_cells), digit);
            self.end(found, "type 2", || vec![Word::SetDigits(self.extra)]);
        }
    }

    /// Type 4: two cells have extra candidates, and their house can hold one digit of the pair only
    /// there. One holds it, the other an extra candidate, so both lose the pair's other digit.
    fn confined_digit(&self, grid: &Grid, found: &mut Deductions) {
        for house in self.houses_of_two_extra_cells() {
            for digit in bits(self.pair) {
                if grid.cells_for[digit] & CELL_MASKS[house] & !self.extra_cells == 0 {
                    let other = self.pair & !(1 << digit);
                    found.remove(grid, self.extra_cells, other.trailing_zeros() as usize);
                    self.end(found, "type 4", || {
                        vec![Word::House(name_of(house)), Word::SetDigits(1 << digit)]
                    });
                }
            }
        }
    }

    /// Type 3: two cells of a house have extra candidates. At least one of the two holds one, so
    /// together they count as one cell with these candidates, which is part of a naked set. At most
    /// one holds a digit of the pair, so together they count as one place for these two digits,
    /// which are part of a hidden set. A naked set of k cells is k - 1 tenths above the base level,
    /// a hidden set of k digits k - 2 tenths.
    fn set_with_extras(&self, grid: &Grid, above_base: u32, found: &mut Deductions) {
        if self.extra.count_ones() >= 2 {
            for house in self.houses_of_two_extra_cells() {
                self.naked_set(grid, house, above_base + 1, found);
                self.hidden_set(grid, house, above_base + 2, found);
            }
        }
    }

    fn houses_of_two_extra_cells(&self) -> impl Iterator<Item = usize> {
        let has_two = self.extra_cells.count_ones() == 2;
        common_houses(self.extra_cells).filter(move |_| has_two)
    }

    /// `size - 1` other cells of the house have `size` candidates together with the extra ones.
    /// Each extra candidate that only one of the two cells has must be a candidate of them too.
    fn naked_set(&self, grid: &Grid, house: usize, size: u32, found: &mut Deductions) {
        // The rest of a naked set is a hidden set: only the smaller of the two is looked for.
        if size < self.extra.count_ones() || 2 * size > grid.blanks_of(house) {
            return;
        }
        let candidates = CELLS_OF[house].map(|cell| grid.candidates[cell]);
        let others = positions_in(house, grid.blanks & !self.extra_cells);
        let sets = cells_of(self.extra_cells).map(|cell| grid.candidates[cell]);
        let extra_of_both = sets.fold(self.extra, |common, set| common & set);
        let extra_of_one = self.extra & !extra_of_both;
        for chosen in subsets_of(others, size - 1) {
            let digits = bits(chosen).fold(0, |set, position| set | candidates[position]);
            let naked = digits | self.extra;
            if naked.count_ones() == size && extra_of_one & !digits == 0 {
                for position in bits(others & !chosen) {
                    found.remove_digits(grid, CELLS_OF[house][position], naked);
                }
                self.end_set(found, "type 3 naked", (house, chosen, naked));
            }
        }
    }

    /// The pair and `size - 2` other digits have `size - 1` places besides the two cells.
    fn hidden_set(&self, grid: &Grid, house: usize, size: u32, found: &mut Deductions) {
        if 2 * size >= grid.blanks_of(house) {
            return;
        }
        let positions = &grid.positions[house];
        let extra_cells = positions_in(house, self.extra_cells);
        for others in subsets_of(ALL_DIGITS & !self.pair & !self.extra, size - 2) {
            let digits = others | self.pair;
            let places = bits(digits).fold(0, |set, digit| set | positions[digit]);
            let places = places & !extra_cells;
            let are_open = bits(others).all(|digit| positions[digit] != 0);
            if are_open && places.count_ones() == size - 1 {
                for position in bits(places) {
                    found.remove_digits(grid, CELLS_OF[house][position], !digits);
                }
                self.end_set(found, "type 3 hidden", (house, places, digits));
            }
        }
    }
}

/// Returns the loops that types 1 to 4 can use: at least one cell has no extra candidates, and
/// either at most two cells have some, or all extra candidates are the same digit.
pub(super) fn all(grid: &Grid) -> Vec<UniqueLoop> {
    let small = grid.cells_with(2);
    let mut loops = Vec::new();
    for [first, second] in pairs_of(&[0, 1, 2, 3, 4, 5, 6, 7, 8]) {
        let pair = 1 << first | 1 << second;
        let cells = grid.cells_for[first] & grid.cells_for[second];
        if cells.count_ones() < 4 {
            continue;
        }
        let mut search = LoopSearch { grid, pair, cells, loops: &mut loops };
        for start in cells_of(cells & small) {
            search.extend(LoopPath::default().with(start, None, 0), start);
        }
    }
    loops.sort_unstable();
    loops.dedup();
    loops
}

#[derive(Clone, Copy, Default)]
struct LoopPath {
    cells: CellMask,
    last: usize,
    /// The kind of house (0 box, 1 row, 2 column) that the last two cells share.
    kind: Option<usize>,
    /// The houses of the cells at even positions of the path, and at odd positions. Cells within
    /// each set share no house. If the two are equal, each house has two or no cells of the path.
    houses: [u32; 2],
    extra_cells: CellMask,
    extra: u32,
}

impl LoopPath {
    fn with(mut self, cell: usize, kind: Option<usize>, extra: u32) -> LoopPath {
        self.houses[self.parity()] |= houses_of(cell);
        self.cells |= 1 << cell;
        self.extra |= extra;
        self.extra_cells |= CellMask::from(extra != 0) << cell;
        LoopPath { last: cell, kind, ..self }
    }

    fn parity(&self) -> usize {
        self.cells.count_ones() as usize % 2
    }
}

fn houses_of(cell: usize) -> u32 {
    PLACES_OF[cell].iter().fold(0, |set, (house, _)| set | 1 << house)
}

struct LoopSearch<'g> {
    grid: &'g Grid,
    pair: u32,
    cells: CellMask,
    loops: &'g mut Vec<UniqueLoop>,
}

impl LoopSearch<'_> {
    /// Goes on from the last cell, in each of its houses but the one that led to it.
    fn extend(&mut self, path: LoopPath, start: usize) {
        for kind in (0..3).filter(|&kind| path.kind != Some(kind)) {
            let (house, _) = PLACES_OF[path.last][kind];
            let in_house = self.cells & CELL_MASKS[house] & !(1 << path.last);
            let is_closed = path.houses[0] == path.houses[1] && in_house >> start & 1 != 0;
            if is_closed && path.cells.count_ones() >= 4 {
                self.loops.push(UniqueLoop {
                    pair: self.pair,
                    cells: path.cells,
                    extra_cells: path.extra_cells,
                    extra: path.extra,
                });
            }
            for next in cells_of(in_house & !path.cells) {
                let extra = self.grid.candidates[next] & !self.pair;
                let longer = path.with(next, Some(kind), extra);
                let is_first_visit = houses_of(next) & path.houses[path.parity()] == 0;
                let is_useful = extra == 0
                    || longer.extra_cells.count_ones() <= 2
                    || longer.extra.is_power_of_two();
                if is_first_visit && is_useful {
                    self.extend(longer, start);
                }
            }
        }
    }
}

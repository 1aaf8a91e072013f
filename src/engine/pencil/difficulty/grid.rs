//! The candidates of a classic 9x9 puzzle as bit sets, and what a technique deduces from them.
//!
//! Digits and cells count from 0. Houses: boxes 0 to 8, rows 9 to 17, columns 18 to 26. A position
//! is the index of a cell in a house. A `u32` is a set of digits or of positions, a bit for each.

use std::ops::Range;

use crate::bits::bits;
use crate::pencil::pattern::Pattern;
use crate::pencil::step::Step;
use crate::pencil::technique::{Technique, TechniqueSet};
use crate::rules::HouseName;

/// Bit i is cell i.
pub(super) type CellMask = u128;

pub(super) const BOXES: Range<usize> = 0..9;
pub(super) const ROWS: Range<usize> = 9..18;
pub(super) const COLUMNS: Range<usize> = 18..27;
pub(super) const LINES: Range<usize> = 9..27;
pub(super) const HOUSES: usize = 27;
pub(super) const ALL_DIGITS: u32 = 0x1FF;

pub(super) static CELLS_OF: [[usize; 9]; HOUSES] = {
    let mut cells = [[0; 9]; HOUSES];
    let mut index = 0;
    while index < 9 * HOUSES {
        let (house, number, position) = (index / 9, index / 9 % 9, index % 9);
        cells[house][position] = match house / 9 {
            0 => 27 * (number / 3) + 3 * (number % 3) + 9 * (position / 3) + position % 3,
            1 => 9 * number + position,
            _ => 9 * position + number,
        };
        index += 1;
    }
    cells
};

pub(super) static CELL_MASKS: [CellMask; HOUSES] = {
    let mut masks = [0; HOUSES];
    let mut index = 0;
    while index < 9 * HOUSES {
        masks[index / 9] |= 1 << CELLS_OF[index / 9][index % 9];
        index += 1;
    }
    masks
};

pub(super) static PLACES_OF: [[(usize, usize); 3]; 81] = {
    let mut places = [[(0, 0); 3]; 81];
    let mut index = 0;
    while index < 9 * HOUSES {
        let (house, position) = (index / 9, index % 9);
        places[CELLS_OF[house][position]][house / 9] = (house, position);
        index += 1;
    }
    places
};

pub(super) static PEERS: [CellMask; 81] = {
    let mut peers = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let [(in_box, _), (row, _), (column, _)] = PLACES_OF[cell];
        let seen = CELL_MASKS[in_box] | CELL_MASKS[row] | CELL_MASKS[column];
        peers[cell] = seen & !(1 << cell);
        cell += 1;
    }
    peers
};

/// A filled cell has no candidates.
#[derive(Clone)]
pub(super) struct Grid {
    pub blanks: CellMask,
    pub candidates: [u32; 81],
    pub cells_for: [CellMask; 9],
    pub positions: [[u32; 9]; HOUSES],
}

impl Grid {
    pub fn from_puzzle(puzzle: &[u8; 81]) -> Grid {
        let mut grid = Grid {
            blanks: (1 << 81) - 1,
            candidates: [ALL_DIGITS; 81],
            cells_for: [(1 << 81) - 1; 9],
            positions: [[ALL_DIGITS; 9]; HOUSES],
        };
        for (cell, &digit) in puzzle.iter().enumerate() {
            if digit > 0 {
                grid.place(cell, usize::from(digit) - 1);
            }
        }
        grid
    }

    /// Cells without candidates have a digit.
    pub fn from_candidates(candidates: &[u32; 81]) -> Grid {
        let mut grid = Grid::from_puzzle(&[0; 81]);
        for (cell, &set) in candidates.iter().enumerate() {
            grid.blanks &= !(CellMask::from(set == 0) << cell);
            bits(ALL_DIGITS & !set).for_each(|digit| grid.remove(cell, digit));
        }
        grid
    }

    fn place(&mut self, cell: usize, digit: usize) {
        self.blanks &= !(1 << cell);
        for other in bits(self.candidates[cell]) {
            self.remove(cell, other);
        }
        for peer in cells_of(self.cells_for[digit] & PEERS[cell]) {
            self.remove(peer, digit);
        }
    }

    pub fn remove(&mut self, cell: usize, digit: usize) {
        self.candidates[cell] &= !(1 << digit);
        self.cells_for[digit] &= !(1 << cell);
        for (house, position) in PLACES_OF[cell] {
            self.positions[house][digit] &= !(1 << position);
        }
    }

    pub fn apply(&mut self, deductions: &Deductions) {
        for digit in 0..9 {
            for cell in cells_of(deductions.removed[digit]) {
                self.remove(cell, digit);
            }
        }
        for digit in 0..9 {
            for cell in cells_of(deductions.placed[digit] & self.blanks) {
                self.place(cell, digit);
            }
        }
    }

    /// `count` must not be 0.
    pub fn cells_with(&self, count: u32) -> CellMask {
        let has_count = |&cell: &usize| self.candidates[cell].count_ones() == count;
        mask_of((0..81).filter(has_count))
    }

    pub fn blanks_of(&self, house: usize) -> u32 {
        (self.blanks & CELL_MASKS[house]).count_ones()
    }
}

/// The purpose of the deductions of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Their levels, and the candidates that they leave together.
    Rating,
    /// A description of each that is by one of these techniques.
    Steps(TechniqueSet),
}

impl Purpose {
    pub fn uses(self, technique: Technique) -> bool {
        match self {
            Purpose::Rating => true,
            Purpose::Steps(techniques) => techniques.contains(technique),
        }
    }
}

/// The deductions of all patterns of a row of the table.
pub(super) struct Deductions {
    pub purpose: Purpose,
    placed: [CellMask; 9],
    removed: [CellMask; 9],
    /// True if the current pattern deduced anything: see [`Deductions::end`].
    is_changed: bool,
    /// The easiest technique of the patterns that deduced anything. `None` if there are none.
    pub technique: Option<Technique>,
    /// One for each pattern, if steps are the purpose. `placed` and `removed` are empty then.
    pub steps: Vec<Step>,
}

impl Deductions {
    pub fn new(purpose: Purpose) -> Deductions {
        Deductions {
            purpose,
            placed: [0; 9],
            removed: [0; 9],
            is_changed: false,
            technique: None,
            steps: Vec::new(),
        }
    }

    /// Returns the same without deductions.
    pub fn cleared(&self) -> Deductions {
        Deductions::new(self.purpose)
    }

    pub fn is_empty(&self) -> bool {
        self.technique.is_none()
    }

    pub fn places_digits(&self) -> bool {
        self.placed.iter().any(|&cells| cells != 0)
    }

    pub fn place(&mut self, cell: usize, digit: usize) {
        self.placed[digit] |= 1 << cell;
        self.is_changed = true;
    }

    pub fn remove(&mut self, grid: &Grid, cells: CellMask, digit: usize) {
        let removed = cells & grid.cells_for[digit];
        self.removed[digit] |= removed;
        self.is_changed |= removed != 0;
    }

    pub fn remove_digits(&mut self, grid: &Grid, cell: usize, digits: u32) {
        for digit in bits(digits & grid.candidates[cell]) {
            self.remove(grid, 1 << cell, digit);
        }
    }

    /// Ends a pattern of this technique. What was placed and removed since the last call is what it
    /// deduced.
    pub fn end(&mut self, technique: Technique, pattern: impl FnOnce() -> Pattern) {
        if !std::mem::take(&mut self.is_changed) {
            return;
        }
        if !self.purpose.uses(technique) {
            (self.placed, self.removed) = Default::default();
            return;
        }
        let easiest = self.technique.map_or(technique, |easiest| easiest.min(technique));
        self.technique = Some(easiest);
        if self.purpose != Purpose::Rating {
            let placed = candidates_of(std::mem::take(&mut self.placed));
            let removals = candidates_of(std::mem::take(&mut self.removed));
            debug_assert!(placed.len() + usize::from(!removals.is_empty()) == 1);
            self.steps.push(Step {
                technique,
                level: None,
                placement: placed.first().copied(),
                removals,
                side: 9,
                pattern: pattern(),
            });
        }
    }

    /// Like [`end`](Deductions::end) for a technique of a rating whose patterns are no steps of the
    /// scale: a person who may use it has found them before.
    pub fn end_of_person(&mut self, technique: Technique) {
        debug_assert!(!technique.is_step_of_scale());
        self.end(technique, Vec::new);
    }
}

/// Returns the candidates in the order of their cells, with digits counted from 1.
fn candidates_of(cells_for: [CellMask; 9]) -> Vec<(u16, u8)> {
    let mut candidates = Vec::new();
    for (cells, digit) in cells_for.into_iter().zip(1..) {
        candidates.extend(cells_of(cells).map(|cell| (cell as u16, digit)));
    }
    candidates.sort_unstable();
    candidates
}

pub(super) fn name_of(house: usize) -> HouseName {
    let name = [HouseName::Box, HouseName::Row, HouseName::Column][house / 9];
    name(house % 9 + 1)
}

pub(super) fn cell_list(cells: CellMask) -> Vec<u16> {
    cells_of(cells).map(|cell| cell as u16).collect()
}

pub(super) fn cells_at(house: usize, positions: u32) -> CellMask {
    mask_of(bits(positions).map(|position| CELLS_OF[house][position]))
}

pub(super) fn cells_of(cells: CellMask) -> impl Iterator<Item = usize> {
    bits(cells)
}

pub(super) fn mask_of(cells: impl IntoIterator<Item = usize>) -> CellMask {
    cells.into_iter().fold(0, |mask, cell| mask | 1 << cell)
}

pub(super) fn common_peers(cells: CellMask) -> CellMask {
    cells_of(cells).fold(!0, |peers, cell| peers & PEERS[cell])
}

pub(super) fn common_houses(cells: CellMask) -> impl Iterator<Item = usize> {
    (0..HOUSES).filter(move |&house| cells & !CELL_MASKS[house] == 0)
}

pub(super) fn positions_in(house: usize, cells: CellMask) -> u32 {
    let is_in = |&position: &usize| cells >> CELLS_OF[house][position] & 1 != 0;
    (0..9).filter(is_in).fold(0, |set, position| set | 1 << position)
}

/// The elements are below 9.
pub(super) fn subsets_of(elements: u32, size: u32) -> impl Iterator<Item = u32> {
    (0..1 << 9).filter(move |set: &u32| set & !elements == 0 && set.count_ones() == size)
}

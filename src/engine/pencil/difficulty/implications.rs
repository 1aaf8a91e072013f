//! The graph of chains: candidates that are true or false, and the links between them.

use super::grid::{
    CELL_MASKS, CellMask, Deductions, Grid, HOUSES, PEERS, PLACES_OF, Purpose, cells_of, name_of,
};
use crate::pencil::links::{insert, members, unite};

use crate::bits::bits;
use crate::pencil::pattern::{Claim, Pattern, Word};
use crate::pencil::technique::Technique;

/// Indices in [`Links::candidates`], as a row of bits (see `pencil/links.rs`).
pub(super) type CandidateMask<const WORDS: usize> = [u64; WORDS];

pub(super) fn intersection<const WORDS: usize>(
    a: CandidateMask<WORDS>,
    b: CandidateMask<WORDS>,
) -> CandidateMask<WORDS> {
    std::array::from_fn(|word| a[word] & b[word])
}

pub(super) fn is_empty<const WORDS: usize>(mask: &CandidateMask<WORDS>) -> bool {
    // A comparison of arrays would call `memcmp`.
    mask.iter().fold(0, |all, word| all | word) == 0
}

/// A candidate, and 0 if it is true or 1 if it is false.
pub(super) type Statement = (usize, usize);

/// In place of the number of a house.
pub(super) const CELL: u8 = 27;

pub(super) const TRUE: usize = 0;
pub(super) const FALSE: usize = 1;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChainKind {
    /// Links of one digit.
    X,
    /// All weak links, but only the strong links between the two candidates of a cell.
    Y,
    Xy,
}

/// Candidates that are false if one is true, or true if it is false. Both relations are symmetric.
pub(super) struct ChainGraph<const WORDS: usize> {
    pub weak: Vec<CandidateMask<WORDS>>,
    pub strong: Vec<CandidateMask<WORDS>>,
}

impl<const WORDS: usize> ChainGraph<WORDS> {
    /// Sets `layers[d]` to the candidates whose statements are d links from the given statement by
    /// the shortest way, for d up to `max`. Statements at even distances have the truth of the
    /// given one, those at odd distances the opposite.
    pub fn find_layers(
        &self,
        (start, truth): Statement,
        max: usize,
        layers: &mut Vec<CandidateMask<WORDS>>,
    ) {
        let mut front = [0; WORDS];
        insert(&mut front, start);
        layers.clear();
        layers.push(front);
        let mut seen = [[0; WORDS]; 2];
        seen[truth] = front;
        while layers.len() <= max {
            let next_truth = (truth + layers.len()) % 2;
            let links = if next_truth == FALSE { &self.weak } else { &self.strong };
            let mut linked = [0; WORDS];
            members(front).for_each(|from| unite(&mut linked, &links[from]));
            front = intersection(linked, seen[next_truth].map(|word| !word));
            if is_empty(&front) {
                return;
            }
            unite(&mut seen[next_truth], &front);
            layers.push(front);
        }
    }

    /// Returns the statements of a shortest way from the statement of these layers, which has this
    /// truth, to a candidate of the layer at this distance.
    pub fn chain_to(
        &self,
        layers: &[CandidateMask<WORDS>],
        truth: usize,
        distance: usize,
        candidate: usize,
    ) -> Vec<Statement> {
        let mut chain = vec![(candidate, (truth + distance) % 2)];
        for layer in layers[..distance].iter().rev() {
            let (newest, truth) = chain[chain.len() - 1];
            let links = if truth == FALSE { &self.weak } else { &self.strong };
            let before = members(intersection(*layer, links[newest])).next();
            chain.push((before.expect("a layer follows from the one before"), 1 - truth));
        }
        chain.reverse();
        chain
    }
}

pub(super) struct Links<'g, const WORDS: usize> {
    pub grid: &'g Grid,
    pub candidates: Vec<(usize, usize)>,
    index: [[u16; 9]; 81],
    pub purpose: Purpose,
    is_time_up: &'g dyn Fn() -> bool,
}

impl<'g, const WORDS: usize> Links<'g, WORDS> {
    /// The grid has at most 64 candidates for each word.
    pub fn of_grid(
        grid: &'g Grid,
        purpose: Purpose,
        is_time_up: &'g dyn Fn() -> bool,
    ) -> Links<'g, WORDS> {
        let mut index = [[0; 9]; 81];
        let mut candidates = Vec::new();
        for cell in cells_of(grid.blanks) {
            for digit in bits(grid.candidates[cell]) {
                index[cell][digit] = candidates.len() as u16;
                candidates.push((cell, digit));
            }
        }
        assert!(candidates.len() <= 64 * WORDS, "{} candidates", candidates.len());
        Links { grid, candidates, index, purpose, is_time_up }
    }

    /// The grid lacks some of the candidates, which keep their indices.
    pub fn within<'h>(&self, grid: &'h Grid) -> Links<'h, WORDS>
    where
        'g: 'h,
    {
        Links { grid, candidates: self.candidates.clone(), ..*self }
    }

    pub fn present(&self) -> impl Iterator<Item = usize> {
        let is_present = |&it: &usize| {
            let (cell, digit) = self.candidates[it];
            self.grid.candidates[cell] >> digit & 1 != 0
        };
        (0..self.candidates.len()).filter(is_present)
    }

    pub fn cell_size(&self, candidate: usize) -> u32 {
        self.grid.candidates[self.candidates[candidate].0].count_ones()
    }

    pub fn is_time_up(&self) -> bool {
        (self.is_time_up)()
    }

    /// Returns the claim that this statement is. `from` are the indices of its reasons in the chain.
    pub fn claim(&self, (candidate, truth): Statement, from: Vec<usize>) -> Claim {
        let (cell, digit) = self.candidates[candidate];
        let (cell, digit) = (cell as u16, digit as u8 + 1);
        Claim { cell, digit, holds: truth == TRUE, from, by: None }
    }

    /// Returns a chain in which each statement follows from the one before.
    pub fn chain(&self, statements: impl IntoIterator<Item = Statement>) -> Word {
        let statements = statements.into_iter().enumerate();
        let claims = statements.map(|(index, statement)| {
            self.claim(statement, index.checked_sub(1).into_iter().collect())
        });
        Word::Chain(claims.collect())
    }

    /// Returns the cell, or the house and the digit, of a list of alternatives with this candidate.
    pub fn source(&self, house: u8, candidate: usize) -> Pattern {
        let (cell, digit) = self.candidates[candidate];
        match house {
            CELL => vec![Word::Cells(vec![cell as u16])],
            _ => vec![Word::House(name_of(house.into())), Word::Digits(1 << digit)],
        }
    }

    pub fn at(&self, cell: usize, digit: usize) -> usize {
        self.index[cell][digit].into()
    }

    pub fn in_cells(&self, cells: CellMask, digit: usize) -> impl Iterator<Item = usize> {
        cells_of(cells).map(move |cell| self.at(cell, digit))
    }

    pub fn graph(&self, kind: ChainKind) -> ChainGraph<WORDS> {
        let grid = self.grid;
        let mut graph = ChainGraph { weak: Vec::new(), strong: Vec::new() };
        for &(cell, digit) in &self.candidates {
            let [mut weak, mut strong] = [[0; WORDS]; 2];
            if grid.candidates[cell] >> digit & 1 == 0 {
                graph.weak.push(weak);
                graph.strong.push(strong);
                continue;
            }
            if kind != ChainKind::X {
                let others = bits(grid.candidates[cell] & !(1 << digit));
                others.for_each(|other| insert(&mut weak, self.at(cell, other)));
                if grid.candidates[cell].count_ones() == 2 {
                    strong = weak;
                }
            }
            let places = grid.cells_for[digit];
            let peers = self.in_cells(PEERS[cell] & places, digit);
            peers.for_each(|peer| insert(&mut weak, peer));
            for (house, _) in PLACES_OF[cell] {
                let others = CELL_MASKS[house] & places & !(1 << cell);
                if kind != ChainKind::Y && others.is_power_of_two() {
                    let other = others.trailing_zeros() as usize;
                    insert(&mut strong, self.at(other, digit));
                }
            }
            graph.weak.push(weak);
            graph.strong.push(strong);
        }
        graph
    }

    /// Returns lists of candidates, one of which is true: the candidates of each cell, and the
    /// places of each digit in each house, if there are at least `min`.
    pub fn alternatives(&self, min: u32) -> impl Iterator<Item = (u8, Vec<usize>)> {
        let grid = self.grid;
        let is_large = move |&cell: &usize| grid.candidates[cell].count_ones() >= min;
        let cells = cells_of(grid.blanks).filter(is_large).map(|cell| {
            let digits = bits(grid.candidates[cell]);
            (CELL, digits.map(|digit| self.at(cell, digit)).collect())
        });
        let houses = (0..HOUSES).flat_map(|house| (0..9).map(move |digit| (house, digit)));
        let houses = houses.filter_map(move |(house, digit)| {
            let places = CELL_MASKS[house] & grid.cells_for[digit];
            let is_large = places.count_ones() >= min;
            is_large.then(|| (house as u8, self.in_cells(places, digit).collect()))
        });
        cells.chain(houses)
    }
}

pub(super) struct LeastLevel {
    pub level: u32,
    pub deductions: Deductions,
}

impl LeastLevel {
    pub fn none(purpose: Purpose) -> LeastLevel {
        LeastLevel { level: u32::MAX, deductions: Deductions::new(purpose) }
    }

    /// Returns the deductions of this level, to add one by this technique. Discards those of a
    /// higher level. Returns `None` if there are some of a lower level, or if the purpose does not
    /// use the technique.
    pub fn at(&mut self, (level, technique): (u32, Technique)) -> Option<&mut Deductions> {
        if !self.deductions.purpose.uses(technique) {
            return None;
        }
        if level < self.level {
            *self = LeastLevel { level, deductions: self.deductions.cleared() };
        }
        (level == self.level).then_some(&mut self.deductions)
    }

    /// The statement must hold.
    pub fn add<const WORDS: usize>(
        &mut self,
        row: (u32, Technique),
        links: &Links<'_, WORDS>,
        (candidate, truth): Statement,
        pattern: impl FnOnce() -> Pattern,
    ) {
        let Some(deductions) = self.at(row) else {
            return;
        };
        let (cell, digit) = links.candidates[candidate];
        match truth {
            TRUE => deductions.place(cell, digit),
            _ => deductions.remove(links.grid, 1 << cell, digit),
        }
        deductions.end(row.1, pattern);
    }
}

/// In tenths: one for each limit that is less than the length.
pub(super) fn length_level(length: u32) -> u32 {
    length_limits().take_while(|&limit| limit < length).count() as u32
}

/// Returns the longest chain that adds at most this many tenths to its level.
pub(super) fn max_length(added: u32) -> u32 {
    length_limits().nth(added as usize).unwrap_or(u32::MAX)
}

/// The level of a chain is its base plus 0.1 for each limit that is less than its length: 6, 8, 10,
/// 14, 18, 26, 34, 50 and so on. Less 2, each limit is twice the one two places before it.
fn length_limits() -> impl Iterator<Item = u32> {
    let double = |&(limit, next): &(u32, u32)| Some((next, limit.checked_mul(2)?));
    std::iter::successors(Some((4, 6)), double).map(|(limit, _)| limit + 2)
}

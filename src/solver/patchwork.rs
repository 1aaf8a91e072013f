//! The board for jigsaws of which each lane has a layout of its own. It does to a lane just what `divisions.rs` does to
//! all lanes of one layout, only dearer: which region a cell belongs to is a mask of lanes.
//!
//! ```text
//!               lane 0   lane 1   lane 2  …
//!     cell 0    0        0        0            regions are numbered as they appear along the rows, so that
//!     cell 1    0        1        0            a cell lies in few different ones: about five in 32 lanes
//!     cell 2    1        1        0
//! ```

use std::sync::Arc;

use super::Givens;
use super::divisions::{Segments, clear_cells, take_lines};
use super::houses::{Further, Notes, Plain, take_further};
use super::lanes::{Board, Swept, bits};
use super::random::Random;
use super::simd::{Lane, Simd};
use super::spots::{self, Spot};
use crate::rules::Rules;

/// The state of all lanes. Digit d is bit d-1.
pub(crate) struct PatchworkBoard<'a, S: Simd> {
    s: S,
    /// The rules of each puzzle.
    rules: &'a [Arc<Rules>],
    common: Common,
    side: usize,
    /// The puzzle of each lane.
    puzzles: Vec<usize>,
    /// For each cell and region the lanes in which the cell belongs to it.
    members: Vec<S::V>,
    /// For each cell the regions it belongs to in some lane, a bit each; now and then one too many.
    regions_of: Vec<u32>,
    /// Candidates, along the rows.
    cells: Vec<S::V>,
    /// What each segment may hold, of the rows and of the columns: that of region r and line l is at r times N plus l.
    segments: [Vec<S::V>; 2],
    locked: Vec<[S::V; 2]>,
    /// What the sweep that is going on knows of each region.
    regions: Vec<Region<S::V>>,
    /// The cells of the sweep that is going on; then room for what cells tell others.
    new: Vec<S::V>,
    every_digit: u32,
    stale: u32,
    /// Puzzles put into lanes since `regions_of` was last made anew.
    loads: usize,
}

/// What the rules of all lanes share: everything but the regions.
struct Common {
    segments: Segments,
    further: Further,
}

impl Common {
    fn new(rules: &Rules) -> Common {
        Common {
            segments: Segments::all(rules.side()),
            further: Further::of_divided(rules, |cell| cell),
        }
    }
}

/// What a sweep knows of one region in all lanes.
#[derive(Clone, Copy)]
struct Region<V> {
    placed: V,
    once: V,
    twice: V,
    /// Digits with one place.
    hidden: V,
}

impl<V: Copy> Region<V> {
    fn of(set: V) -> Region<V> {
        Region {
            placed: set,
            once: set,
            twice: set,
            hidden: set,
        }
    }
}

impl<'a, S: Simd> PatchworkBoard<'a, S> {
    /// A board for puzzles of one side and one list of variants; `rules` has those of each, by its index.
    pub fn new(s: S, rules: &'a [Arc<Rules>]) -> PatchworkBoard<'a, S> {
        let side = rules[0].side();
        let every_digit = (1 << side) - 1;
        let (none, all) = (s.splat(S::Lane::of(0)), s.splat(S::Lane::of(every_digit)));
        let cells = side * side;
        PatchworkBoard {
            s,
            rules,
            common: Common::new(&rules[0]),
            side,
            puzzles: vec![0; S::LANES],
            members: vec![none; cells * side],
            regions_of: vec![0; cells],
            cells: vec![all; cells],
            segments: [vec![all; cells], vec![all; cells]],
            locked: vec![[all; 2]; cells],
            regions: vec![Region::of(none); side],
            new: vec![all; cells],
            every_digit,
            stale: 0,
            loads: 0,
        }
    }

    /// The digits of a solved lane.
    #[inline(always)]
    fn solution(&self, lane: usize, digits: &mut [u8]) {
        for (digit, cell) in digits.iter_mut().zip(&self.cells) {
            let set: u32 = self.s.lanes(cell)[lane].into();
            *digit = set.trailing_zeros() as u8 + 1;
        }
    }

    /// Copies the candidates of a lane.
    #[inline(always)]
    fn keep(&self, lane: usize, kept: &mut Vec<S::Lane>) {
        kept.clear();
        kept.extend(self.cells.iter().map(|cell| self.s.lanes(cell)[lane]));
    }

    #[inline(always)]
    fn sweep_of(&mut self, side: usize) -> Swept {
        let s = self.s;
        let none = s.splat(S::Lane::of(0));
        let every_digit = s.splat(S::Lane::of(self.every_digit));
        let mut notes = Notes::new(s, every_digit);
        let stale_lanes = std::mem::take(&mut self.stale);
        let stale = s.from_lanes(stale_lanes);
        let regions = &mut self.regions[..side];
        regions.fill(Region::of(none));
        let new = &mut self.new[..side * side];
        let [rows, columns] = &mut self.segments;

        // Cells narrowed by their segments; naked singles.
        for (cell, members) in self.members.chunks_exact(side).enumerate() {
            let (row, column) = (cell / side, cell % side);
            let mut met = none;
            for region in bits(self.regions_of[cell]) {
                let segment = s.and(rows[region * side + row], columns[region * side + column]);
                met = s.note_common(met, segment, members[region]);
            }
            new[cell] = s.and_either(self.cells[cell], met, stale);
            let single = s.single_or_none(new[cell]);
            for region in bits(self.regions_of[cell]) {
                let mine = s.and(single, members[region]);
                let placed = &mut regions[region].placed;
                notes.contradiction = s.note_common(notes.contradiction, *placed, mine);
                *placed = s.or(*placed, mine);
            }
        }
        // Singles taken from the rest of their region; digits with one place.
        for (cell, members) in self.members.chunks_exact(side).enumerate() {
            let mut placed = none;
            for region in bits(self.regions_of[cell]) {
                placed = s.note_common(placed, regions[region].placed, members[region]);
            }
            new[cell] = s.drop_unless(new[cell], placed, s.single_or_none(new[cell]));
            for region in bits(self.regions_of[cell]) {
                let mine = s.and(new[cell], members[region]);
                let Region { once, twice, .. } = &mut regions[region];
                *twice = s.note_common(*twice, *once, mine);
                *once = s.or(*once, mine);
            }
        }
        for region in regions.iter_mut() {
            notes.contradiction = s.note_missing(notes.contradiction, every_digit, region.once);
            region.hidden = s.and_not(region.once, region.twice);
            notes.unplaced = s.note_missing(notes.unplaced, region.hidden, region.placed);
        }
        // Hidden singles; what the segments hold now.
        rows.fill(none);
        columns.fill(none);
        for (cell, members) in self.members.chunks_exact(side).enumerate() {
            let (row, column) = (cell / side, cell % side);
            let mut hidden = none;
            for region in bits(self.regions_of[cell]) {
                hidden = s.note_common(hidden, regions[region].hidden, members[region]);
            }
            let kept = s.narrow_if_met(new[cell], hidden);
            notes.least = s.min(notes.least, kept);
            notes.changed = s.note_difference(notes.changed, self.cells[cell], kept);
            self.cells[cell] = kept;
            for region in bits(self.regions_of[cell]) {
                let in_row = &mut rows[region * side + row];
                *in_row = s.note_common(*in_row, kept, members[region]);
                let in_column = &mut columns[region * side + column];
                *in_column = s.note_common(*in_column, kept, members[region]);
            }
        }

        for contents in [rows, columns] {
            take_lines(
                s,
                &self.common.segments,
                contents,
                &mut self.locked,
                every_digit,
                &mut notes,
            );
        }
        take_further(
            s,
            Plain,
            &self.common.further,
            every_digit,
            &mut self.cells,
            &mut self.new,
            &mut notes,
        );
        notes.swept(s, &self.cells, stale_lanes)
    }

    /// Forgets regions that no lane has any more in a cell.
    fn look_for_regions(&mut self) {
        for (regions, members) in self
            .regions_of
            .iter_mut()
            .zip(self.members.chunks_exact(self.side))
        {
            *regions = (0..).zip(members).fold(0, |regions, (region, &lanes)| {
                regions | u32::from(self.s.nonzero_lanes(lanes) != 0) << region
            });
        }
    }
}

impl<S: Simd> Board for PatchworkBoard<'_, S> {
    type Choice = Spot;
    type Kept = Vec<S::Lane>;

    fn rules(&self, lane: usize) -> &Rules {
        &self.rules[self.puzzles[lane]]
    }

    #[inline(always)]
    fn clear(&mut self, lanes: u32) {
        clear_cells(self.s, &mut self.cells, self.every_digit, lanes);
        self.stale |= lanes;
    }

    fn expect(&mut self, lane: usize, index: usize) {
        let side = self.side;
        let was = std::mem::replace(&mut self.puzzles[lane], index);
        for (rules, member) in [(&self.rules[was], 0), (&self.rules[index], u32::MAX)] {
            for (region, house) in rules.houses()[rules.division()].iter().enumerate() {
                for &cell in &house.cells {
                    let cell = usize::from(cell);
                    self.s.lanes_mut(&mut self.members[cell * side + region])[lane] =
                        S::Lane::of(member);
                    self.regions_of[cell] |= 1 << region;
                }
            }
        }
        self.loads += 1;
        if self.loads.is_multiple_of(S::LANES) {
            self.look_for_regions();
        }
    }

    #[inline(always)]
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>) {
        for lane in bits(lanes) {
            let givens = givens(lane);
            for (cell, sets) in self.cells.iter_mut().enumerate() {
                let set = givens.candidates(cell, self.every_digit);
                self.s.lanes_mut(sets)[lane] = S::Lane::of(set);
            }
        }
    }

    #[inline(always)]
    fn sweep(&mut self) -> Swept {
        match self.side {
            // The same: what is multiplied by nine is known.
            9 => self.sweep_of(9),
            side => self.sweep_of(side),
        }
    }

    #[inline(always)]
    fn weigh(&mut self) {}

    /// Puts a digit where it may stand; what is kept is that it stands elsewhere.
    #[inline(always)]
    fn branch(
        &mut self,
        lane: usize,
        conflict: Option<Spot>,
        random: Option<&mut Random>,
        kept: &mut Vec<S::Lane>,
    ) -> Spot {
        self.keep(lane, kept);
        let spot = spots::branch(&self.rules[self.puzzles[lane]], kept, conflict, random);
        self.s.lanes_mut(&mut self.cells[spot.cell])[lane] = S::Lane::of(spot.digit);
        self.stale |= 1 << lane;
        spot
    }

    #[inline(always)]
    fn take_up(&mut self, lane: usize, kept: &Vec<S::Lane>) {
        for (cell, &set) in self.cells.iter_mut().zip(kept) {
            self.s.lanes_mut(cell)[lane] = set;
        }
        self.stale |= 1 << lane;
    }

    #[inline(always)]
    fn read_solutions(&mut self, lanes: u32) -> u32 {
        let mut digits = vec![0; self.cells.len()];
        bits(lanes).fold(0, |kept, lane| {
            self.solution(lane, &mut digits);
            kept | u32::from(self.rules[self.puzzles[lane]].hold_for(&digits)) << lane
        })
    }

    #[inline(always)]
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool {
        self.solution(lane, digits);
        givens.are_kept_by(digits)
    }
}

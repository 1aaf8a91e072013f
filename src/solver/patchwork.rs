//! The board for jigsaws of which each lane has a layout of its own. It does to a lane just what `divisions.rs` does to
//! all lanes of one layout, only dearer: which region a cell belongs to is a mask of lanes.
//!
//! ```text
//!               lane 0   lane 1   lane 2  …
//!     cell 0    0        0        0            regions have the number of the box that they share most cells with, or
//!     cell 1    0        1        0            another: so three cells in a row lie in few different ones, four or five in
//!     cell 2    1        1        0            32 lanes
//! ```

use std::ops::Range;
use std::sync::Arc;

use super::Givens;
use super::divisions::clear_cells;
use super::houses::{Further, Notes, Plain, once_and_twice, take_further};
use super::lanes::{Board, Swept, bits};
use super::random::Random;
use super::segments::{Segment, Segments, take_lines};
use super::simd::{Lane, Simd};
use super::spots::{self, Spot};
use crate::rules::{MAX_SIDE, Rules};

/// The state of all lanes. Digit d is bit d-1.
///
/// Cells are taken in groups of a few that stand side by side in a row (`width`).
pub(crate) struct PatchworkBoard<'a, S: Simd> {
    s: S,
    /// The rules of each puzzle.
    rules: &'a [Arc<Rules>],
    further: Further,
    side: usize,
    /// The puzzle of each lane.
    puzzles: Vec<usize>,
    /// For each lane the regions of its cells; of none that never held a puzzle.
    regions_of: Vec<Vec<u8>>,
    /// For each group, region, and cell of the group the lanes in which the cell belongs to it.
    members: Vec<S::V>,
    /// For each group the regions that some cell belongs to in some lane, a bit each; now and then one too many.
    regions_in: Vec<u32>,
    /// Candidates, along the rows.
    cells: Vec<S::V>,
    /// Every segment of the rows, and of the columns.
    segments: [Vec<Segment<S::V>>; 2],
    /// What the sweep that is going on knows of each region.
    regions: Vec<Region<S::V>>,
    /// The cells of the sweep that is going on, and those that are singles; then room for what cells tell others.
    new: Vec<S::V>,
    single: Vec<S::V>,
    every_digit: u32,
    stale: u32,
    /// Puzzles put into lanes since it was last looked which regions there are.
    loads: usize,
}

/// A segment for each region and each line: that of region r and line l is r times N plus l.
struct EverySegment {
    side: usize,
}

impl Segments for EverySegment {
    #[inline(always)]
    fn of_division(&self, division: usize) -> Range<usize> {
        division * self.side..(division + 1) * self.side
    }
    #[inline(always)]
    fn of_line(&self, line: usize) -> (usize, impl Fn(usize) -> usize) {
        (
            self.side,
            #[inline(always)]
            move |i| i * self.side + line,
        )
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

/// How many cells a group has.
// Not done: pairs and threes for all sides that have them. It takes half as long again to compile.
fn width(side: usize) -> usize {
    if side == 9 { 3 } else { 1 }
}

/// A number for the region of each cell. What shares most cells has the number of the box, the others one that is left.
fn numbers(rules: &Rules) -> Vec<u8> {
    let side = rules.side();
    let height = (1..).take_while(|h| h * h <= side);
    let height = height.filter(|&h| side.is_multiple_of(h)).last();
    let height = height.expect("one divides all");
    let box_of = |cell: u16| {
        let (row, column) = (usize::from(cell) / side, usize::from(cell) % side);
        row / height * height + column * height / side
    };
    let regions = &rules.houses()[rules.division()];
    let mut common = [[0; MAX_SIDE]; MAX_SIDE];
    for (common, house) in common.iter_mut().zip(regions) {
        for &cell in &house.cells {
            common[box_of(cell)] += 1;
        }
    }
    let mut number_of = [None; MAX_SIDE];
    let mut left: Vec<usize> = (0..side).collect();
    for cells in (0..=side).rev() {
        for (number_of, common) in number_of.iter_mut().zip(&common[..side]) {
            if number_of.is_none()
                && let Some(i) = left.iter().position(|&number| common[number] == cells)
            {
                *number_of = Some(left.remove(i));
            }
        }
    }
    let mut numbers = vec![0; side * side];
    for (house, number) in regions.iter().zip(number_of) {
        for &cell in &house.cells {
            numbers[usize::from(cell)] = number.expect("as many numbers as regions") as u8;
        }
    }
    numbers
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
            further: Further::of_divided(&rules[0], |cell| cell),
            side,
            puzzles: vec![0; S::LANES],
            regions_of: vec![Vec::new(); S::LANES],
            members: vec![none; cells * side],
            regions_in: vec![0; cells / width(side)],
            cells: vec![all; cells],
            segments: [(); 2].map(|()| vec![Segment::of(all); cells]),
            regions: vec![Region::of(none); side],
            new: vec![all; cells],
            single: vec![all; cells],
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

    /// Where it is told in which lanes a cell belongs to a region.
    fn member(&self, cell: usize, region: usize) -> usize {
        let width = width(self.side);
        (cell / width * self.side + region) * width + cell % width
    }

    /// Forgets regions that no lane has any more in a cell.
    fn look_for_regions(&mut self) {
        self.regions_in.fill(0);
        for cell in 0..self.cells.len() {
            for region in 0..self.side {
                if self
                    .s
                    .nonzero_lanes(self.members[self.member(cell, region)])
                    != 0
                {
                    self.regions_in[cell / width(self.side)] |= 1 << region;
                }
            }
        }
    }

    /// A sweep with groups of W cells.
    #[inline(always)]
    fn sweep_of<const W: usize>(&mut self, side: usize) -> Swept {
        let s = self.s;
        let none = s.splat(S::Lane::of(0));
        let every_digit = s.splat(S::Lane::of(self.every_digit));
        let mut notes = Notes::new(s, every_digit);
        let stale_lanes = std::mem::take(&mut self.stale);
        let stale = s.from_lanes(stale_lanes);
        let regions = &mut self.regions[..side];
        regions.fill(Region::of(none));
        let groups = side * side / W;
        // Groups side by side in a row.
        let across = side / W;
        let [rows, columns] = &mut self.segments;
        let members = &self.members.as_chunks::<W>().0[..groups * side];
        let regions_in = &self.regions_in[..groups];
        let cells = &mut self.cells.as_chunks_mut::<W>().0[..groups];
        let new = &mut self.new.as_chunks_mut::<W>().0[..groups];
        let single = &mut self.single.as_chunks_mut::<W>().0[..groups];

        // Cells narrowed by their segments; naked singles.
        for group in 0..groups {
            let members = &members[group * side..][..side];
            let mut met = [none; W];
            for region in bits(regions_in[group]) {
                let in_row = rows[region * side + group / across].held;
                let in_columns = &columns.as_chunks::<W>().0[region * across + group % across];
                for i in 0..W {
                    let segment = s.and(in_row, in_columns[i].held);
                    met[i] = s.note_common(met[i], segment, members[region][i]);
                }
            }
            for i in 0..W {
                new[group][i] = s.and_either(cells[group][i], met[i], stale);
                single[group][i] = s.single_or_none(new[group][i]);
            }
            for region in bits(regions_in[group]) {
                let placed = &mut regions[region].placed;
                for i in 0..W {
                    *placed = s.note_common(*placed, single[group][i], members[region][i]);
                }
            }
        }
        // Singles taken from the rest of their region; digits with one place.
        for group in 0..groups {
            let members = &members[group * side..][..side];
            let mut placed = [none; W];
            for region in bits(regions_in[group]) {
                for i in 0..W {
                    let member = members[region][i];
                    placed[i] = s.note_common(placed[i], regions[region].placed, member);
                }
            }
            for i in 0..W {
                new[group][i] = s.drop_unless(new[group][i], placed[i], single[group][i]);
            }
            for region in bits(regions_in[group]) {
                let mut mine = [none; W];
                for i in 0..W {
                    mine[i] = s.and(new[group][i], members[region][i]);
                }
                let [any, two] = once_and_twice(
                    s,
                    W,
                    #[inline(always)]
                    |i| mine[i],
                );
                let Region { once, twice, .. } = &mut regions[region];
                *twice = s.or(s.note_common(*twice, *once, any), two);
                *once = s.or(*once, any);
            }
        }
        for region in regions.iter_mut() {
            region.hidden = s.and_not(region.once, region.twice);
            notes.contradiction = s.note_missing(notes.contradiction, every_digit, region.once);
            // A digit placed in two cells is left in no single place.
            notes.contradiction = s.note_missing(notes.contradiction, region.placed, region.hidden);
            notes.unplaced = s.note_missing(notes.unplaced, region.hidden, region.placed);
            notes.unsolved = s.note_missing(notes.unsolved, every_digit, region.hidden);
        }
        // Hidden singles; what the segments hold now.
        rows.fill(Segment::of(none));
        columns.fill(Segment::of(none));
        for group in 0..groups {
            let members = &members[group * side..][..side];
            let mut hidden = [none; W];
            for region in bits(regions_in[group]) {
                for i in 0..W {
                    let member = members[region][i];
                    hidden[i] = s.note_common(hidden[i], regions[region].hidden, member);
                }
            }
            let mut kept = [none; W];
            for i in 0..W {
                kept[i] = s.narrow_if_met(new[group][i], hidden[i]);
                notes.least = s.min(notes.least, kept[i]);
                notes.changed = s.note_difference(notes.changed, cells[group][i], kept[i]);
                cells[group][i] = kept[i];
            }
            for region in bits(regions_in[group]) {
                let in_row = &mut rows[region * side + group / across].held;
                let in_columns =
                    &mut columns.as_chunks_mut::<W>().0[region * across + group % across];
                for i in 0..W {
                    *in_row = s.note_common(*in_row, kept[i], members[region][i]);
                    let in_column = &mut in_columns[i].held;
                    *in_column = s.note_common(*in_column, kept[i], members[region][i]);
                }
            }
        }

        for segments in [rows, columns] {
            take_lines(
                s,
                side,
                &EverySegment { side },
                segments,
                every_digit,
                &mut notes,
            );
        }
        take_further(
            s,
            Plain,
            &self.further,
            every_digit,
            &mut self.cells,
            &mut self.new,
            &mut notes,
        );
        notes.swept(s, stale_lanes)
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
        self.puzzles[lane] = index;
        let regions = numbers(&self.rules[index]);
        let were = std::mem::replace(&mut self.regions_of[lane], regions);
        for (cell, region) in were.into_iter().enumerate() {
            let member = self.member(cell, region.into());
            self.s.lanes_mut(&mut self.members[member])[lane] = S::Lane::of(0);
        }
        for cell in 0..self.cells.len() {
            let region = usize::from(self.regions_of[lane][cell]);
            let member = self.member(cell, region);
            self.s.lanes_mut(&mut self.members[member])[lane] = S::Lane::of(u32::MAX);
            self.regions_in[cell / width(self.side)] |= 1 << region;
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
            // What is multiplied by nine is known.
            9 if S::IS_NARROW => self.sweep_of::<3>(9),
            side => self.sweep_of::<1>(side),
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

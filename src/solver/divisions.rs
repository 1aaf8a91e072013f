//! The board for any rules: rows, columns, and the boxes or regions that divide the grid.
//!
//! The cells of a row that lie in one division are a segment, as are those of a column. Singles are looked for in
//! divisions only; what divisions and lines tell each other they tell by segments:
//!
//! ```text
//!     a division          its row segments    its column segments
//!       . A A A .           1 1 1               1 2 3
//!       . . A A A             2 2 2               2 3 4
//!       . . A . .             3                   2
//! ```
//!
//! A digit that a division holds in one segment only leaves the rest of that line; a digit that a line holds in one
//! segment only leaves the rest of that division. So a single placed in its division leaves row and column too, and the
//! last place of a digit in a line is its last place in a division.

use std::sync::Arc;

use super::Givens;
use super::houses::{Further, Notes, Plain, take_further};
use super::lanes::{Board, Swept, bits};
use super::random::Random;
use super::simd::{Lane, Simd};
use super::spots::{self, Spot};
use crate::rules::Rules;

/// Rules laid out for sweeping. Cells have places: division by division, along the rows within each.
#[derive(Debug)]
pub(crate) struct Plan {
    side: usize,
    /// The cell at each place.
    cell_at: Vec<u16>,
    /// The place of each cell.
    place_of: Vec<u16>,
    /// The segments of the rows, and those of the columns.
    segments: [Segments; 2],
    further: Further,
}

/// All segments of one direction; those of one division follow one another.
#[derive(Debug)]
pub(crate) struct Segments {
    /// The segment of each place.
    of_place: Vec<u16>,
    /// For each division, its first segment; and the end of the last.
    of_division: Vec<u16>,
    /// For each line, its segments.
    of_line: Vec<Vec<u16>>,
}

impl Plan {
    pub fn new(rules: &Rules) -> Plan {
        let side = rules.side();
        let divisions = &rules.houses()[rules.division()];
        let cell_at: Vec<u16> = divisions
            .iter()
            .flat_map(|division| division.cells.iter().copied())
            .collect();
        let mut place_of: Vec<u16> = vec![0; rules.cells()];
        for (place, &cell) in (0..).zip(&cell_at) {
            place_of[usize::from(cell)] = place;
        }
        Plan {
            side,
            segments: [
                Segments::new(side, cell_at.iter().map(|&cell| usize::from(cell) / side)),
                Segments::new(side, cell_at.iter().map(|&cell| usize::from(cell) % side)),
            ],
            further: Further::of_divided(rules, |cell| place_of[usize::from(cell)]),
            cell_at,
            place_of,
        }
    }
}

impl Segments {
    /// A segment for each division and each line: that of division d and line l is d times `side` plus l.
    pub fn all(side: usize) -> Segments {
        Segments {
            of_place: Vec::new(),
            of_division: (0..=side)
                .map(|division| (division * side) as u16)
                .collect(),
            of_line: (0..side)
                .map(|line| {
                    (0..side)
                        .map(|division| (division * side + line) as u16)
                        .collect()
                })
                .collect(),
        }
    }

    /// The segments of lines, given the line of each place.
    fn new(side: usize, line_at: impl Iterator<Item = usize>) -> Segments {
        let lines: Vec<usize> = line_at.collect();
        let mut segments = Segments {
            of_place: Vec::new(),
            of_division: vec![0],
            of_line: vec![Vec::new(); side],
        };
        let mut next = 0;
        for division in lines.chunks_exact(side) {
            let mut segment_of_line = vec![None; side];
            for &line in division {
                let segment = *segment_of_line[line].get_or_insert_with(|| {
                    segments.of_line[line].push(next);
                    next += 1;
                    next - 1
                });
                segments.of_place.push(segment);
            }
            segments.of_division.push(next);
        }
        segments
    }

    fn number(&self) -> usize {
        usize::from(self.of_division[self.of_division.len() - 1])
    }
}

/// The state of all lanes. Digit d is bit d-1.
pub(crate) struct DivisionBoard<S: Simd> {
    s: S,
    plan: Arc<Plan>,
    rules: Arc<Rules>,
    /// Candidates, by place.
    cells: Vec<S::V>,
    /// What each segment may hold: of the rows, of the columns.
    segments: [Vec<S::V>; 2],
    /// For each segment the digits that its division, and those that its line, holds in no other segment.
    locked: Vec<[S::V; 2]>,
    /// Room for what cells tell others.
    told: Vec<S::V>,
    every_digit: u32,
    /// Lanes whose segments are to be forgotten; they are not settled before a whole sweep more.
    stale: u32,
}

impl<S: Simd> DivisionBoard<S> {
    pub fn new(s: S, plan: Arc<Plan>, rules: Arc<Rules>) -> DivisionBoard<S> {
        let every_digit = (1 << rules.side()) - 1;
        let all = s.splat(S::Lane::of(every_digit));
        let segments = plan
            .segments
            .each_ref()
            .map(|segments| vec![all; segments.number()]);
        let most = plan.segments.iter().map(Segments::number).max();
        DivisionBoard {
            s,
            cells: vec![all; rules.cells()],
            segments,
            locked: vec![[all; 2]; most.unwrap_or(0)],
            told: vec![all; rules.cells()],
            plan,
            rules,
            every_digit,
            stale: 0,
        }
    }

    #[inline(always)]
    fn set_lane(&mut self, place: usize, lane: usize, set: u32) {
        self.s.lanes_mut(&mut self.cells[place])[lane] = S::Lane::of(set);
    }

    /// The digits of a solved lane.
    #[inline(always)]
    fn solution(&self, lane: usize, digits: &mut [u8]) {
        for (&cell, sets) in self.plan.cell_at.iter().zip(&self.cells) {
            let set: u32 = self.s.lanes(sets)[lane].into();
            digits[usize::from(cell)] = set.trailing_zeros() as u8 + 1;
        }
    }

    /// Copies the candidates of a lane, along the rows.
    #[inline(always)]
    fn keep(&self, lane: usize, kept: &mut Vec<S::Lane>) {
        let places = self.plan.place_of.iter();
        kept.clear();
        kept.extend(places.map(|&place| self.s.lanes(&self.cells[usize::from(place)])[lane]));
    }

    // Not done: divisions see in the same sweep what those before them point at. 6 % fewer instructions on 16x16, none on
    // jigsaws; and other branches, where there is no solution, than lanes with a layout each take.
    #[inline(always)]
    fn take_divisions(
        &mut self,
        side: usize,
        every_digit: S::V,
        stale: S::V,
        notes: &mut Notes<S::V>,
    ) {
        let [rows, columns] = &mut self.segments;
        let firsts = (0..).step_by(side);
        for (division, first) in self.cells.chunks_exact_mut(side).zip(firsts) {
            take_division(
                self.s,
                &self.plan,
                division,
                first,
                rows,
                columns,
                every_digit,
                stale,
                notes,
            );
        }
    }
}

impl<S: Simd> Board for DivisionBoard<S> {
    type Choice = Spot;
    type Kept = Vec<S::Lane>;

    fn rules(&self, _lane: usize) -> &Rules {
        &self.rules
    }

    #[inline(always)]
    fn clear(&mut self, lanes: u32) {
        clear_cells(self.s, &mut self.cells, self.every_digit, lanes);
        self.stale |= lanes;
    }

    #[inline(always)]
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>) {
        let plan = Arc::clone(&self.plan);
        for lane in bits(lanes) {
            let givens = givens(lane);
            for (place, &cell) in plan.cell_at.iter().enumerate() {
                let set = givens.candidates(usize::from(cell), self.every_digit);
                self.set_lane(place, lane, set);
            }
        }
    }

    #[inline(always)]
    fn sweep(&mut self) -> Swept {
        let s = self.s;
        let every_digit = s.splat(S::Lane::of(self.every_digit));
        let mut notes = Notes::new(s, every_digit);
        let stale = std::mem::take(&mut self.stale);
        let stale_lanes = s.from_lanes(stale);
        match self.plan.side {
            // The same, with loops that are unrolled. Not done: sixteen likewise, nothing gained.
            9 => self.take_divisions(9, every_digit, stale_lanes, &mut notes),
            side => self.take_divisions(side, every_digit, stale_lanes, &mut notes),
        }
        let plan = &*self.plan;
        for (segments, contents) in plan.segments.iter().zip(&mut self.segments) {
            take_lines(
                s,
                segments,
                contents,
                &mut self.locked,
                every_digit,
                &mut notes,
            );
        }
        take_further(
            s,
            Plain,
            &plan.further,
            every_digit,
            &mut self.cells,
            &mut self.told,
            &mut notes,
        );
        notes.swept(s, &self.cells, stale)
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
        let spot = spots::branch(&self.rules, kept, conflict, random);
        self.set_lane(usize::from(self.plan.place_of[spot.cell]), lane, spot.digit);
        self.stale |= 1 << lane;
        spot
    }

    #[inline(always)]
    fn take_up(&mut self, lane: usize, kept: &Vec<S::Lane>) {
        for (cell, &at) in self.cells.iter_mut().zip(&self.plan.cell_at) {
            self.s.lanes_mut(cell)[lane] = kept[usize::from(at)];
        }
        self.stale |= 1 << lane;
    }

    #[inline(always)]
    fn read_solutions(&mut self, lanes: u32) -> u32 {
        let mut digits = vec![0; self.cells.len()];
        bits(lanes).fold(0, |kept, lane| {
            self.solution(lane, &mut digits);
            kept | u32::from(self.rules.hold_for(&digits)) << lane
        })
    }

    #[inline(always)]
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool {
        self.solution(lane, digits);
        givens.are_kept_by(digits)
    }
}

/// Lets every cell of these lanes hold every digit.
#[inline(always)]
pub(crate) fn clear_cells<S: Simd>(s: S, cells: &mut [S::V], every_digit: u32, lanes: u32) {
    let blank = s.and(s.from_lanes(lanes), s.splat(S::Lane::of(every_digit)));
    for cell in cells {
        *cell = s.or(*cell, blank);
    }
}

/// Narrows the cells of a division by their segments, then by its singles, naked and hidden; and the segments by what
/// the cells hold.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn take_division<S: Simd>(
    s: S,
    plan: &Plan,
    cells: &mut [S::V],
    first: usize,
    rows: &mut [S::V],
    columns: &mut [S::V],
    every_digit: S::V,
    stale: S::V,
    notes: &mut Notes<S::V>,
) {
    let none = s.splat(S::Lane::of(0));
    let side = cells.len();
    let [row_of, column_of] = plan
        .segments
        .each_ref()
        .map(|segments| &segments.of_place[first..first + side]);
    let mut new = [none; crate::rules::MAX_SIDE];
    let new = &mut new[..side];
    let mut placed = none;
    for i in 0..side {
        let met = s.and(
            rows[usize::from(row_of[i])],
            columns[usize::from(column_of[i])],
        );
        new[i] = s.and_either(cells[i], met, stale);
        let single = s.single_or_none(new[i]);
        notes.contradiction = s.note_common(notes.contradiction, placed, single);
        placed = s.or(placed, single);
    }
    let (mut once, mut twice) = (none, none);
    for set in new.iter_mut() {
        *set = s.drop_unless(*set, placed, s.single_or_none(*set));
        twice = s.note_common(twice, once, *set);
        once = s.or(once, *set);
    }
    notes.contradiction = s.note_missing(notes.contradiction, every_digit, once);
    let hidden = s.and_not(once, twice);
    notes.unplaced = s.note_missing(notes.unplaced, hidden, placed);
    for i in 0..side {
        rows[usize::from(row_of[i])] = none;
        columns[usize::from(column_of[i])] = none;
    }
    for i in 0..side {
        let kept = s.narrow_if_met(new[i], hidden);
        notes.least = s.min(notes.least, kept);
        notes.changed = s.note_difference(notes.changed, cells[i], kept);
        cells[i] = kept;
        let (row, column) = (
            &mut rows[usize::from(row_of[i])],
            &mut columns[usize::from(column_of[i])],
        );
        *row = s.or(*row, kept);
        *column = s.or(*column, kept);
    }
}

/// Locked candidates of all lines of one direction, both ways: narrows what each segment may hold.
#[inline(always)]
pub(crate) fn take_lines<S: Simd>(
    s: S,
    segments: &Segments,
    contents: &mut [S::V],
    locked: &mut [[S::V; 2]],
    every_digit: S::V,
    notes: &mut Notes<S::V>,
) {
    let none = s.splat(S::Lane::of(0));
    for ends in segments.of_division.windows(2) {
        let of_division = usize::from(ends[0])..usize::from(ends[1]);
        let (mut once, mut twice) = (none, none);
        for &held in &contents[of_division.clone()] {
            twice = s.note_common(twice, once, held);
            once = s.or(once, held);
        }
        for segment in of_division {
            locked[segment][0] = s.and_not(contents[segment], twice);
        }
    }
    // What lines claim, taken from the other segments of the division; what divisions point at, from those of the line.
    for line in &segments.of_line {
        let (mut once, mut twice) = (none, none);
        let mut pointed_at = none;
        for &segment in line {
            let held = contents[usize::from(segment)];
            twice = s.note_common(twice, once, held);
            once = s.or(once, held);
            let pointed = locked[usize::from(segment)][0];
            notes.contradiction = s.note_common(notes.contradiction, pointed_at, pointed);
            pointed_at = s.or(pointed_at, pointed);
        }
        notes.contradiction = s.note_missing(notes.contradiction, every_digit, once);
        for &segment in line {
            let segment = usize::from(segment);
            let [pointed, claimed] = &mut locked[segment];
            *claimed = s.and_not(contents[segment], twice);
            contents[segment] = s.drop_unless(contents[segment], pointed_at, *pointed);
        }
    }
    for ends in segments.of_division.windows(2) {
        let of_division = usize::from(ends[0])..usize::from(ends[1]);
        let mut claims = none;
        for &[_, claim] in &locked[of_division.clone()] {
            notes.contradiction = s.note_common(notes.contradiction, claims, claim);
            claims = s.or(claims, claim);
        }
        for segment in of_division {
            contents[segment] = s.drop_unless(contents[segment], claims, locked[segment][1]);
        }
    }
}

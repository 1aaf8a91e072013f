//! What regions and lines tell each other. The cells of a row that lie in one region are a segment, as are those of a
//! column:
//!
//! ```text
//!     a region          its row segments    its column segments
//!       . A A A .           1 1 1               1 2 3
//!       . . A A A             2 2 2               2 3 4
//!       . . A . .             3                   2
//! ```
//!
//! A digit that a region holds in one segment only leaves the rest of that line; a digit that a line holds in one
//! segment only leaves the rest of that region. So a region tells which digits it holds `repeated`, in two segments or
//! more; a line tells which digits it holds repeated, and which regions point at there, holding them in no other line
//! (`pointed`). What each segment may hold follows from these.

use super::houses::once_and_twice;
use super::simd::{CheckedIndex, Lane, Simd};
use crate::rules::MAX_SIDE;

/// What a line tells: digits that some region points at there, and digits that it holds in two segments or more.
#[derive(Clone, Copy)]
pub(crate) struct LineSummary<V> {
    pub pointed: V,
    pub repeated: V,
}

/// What a region tells: digits that it holds in two segments or more. Those that are `placed` must not be among them: a
/// digit placed in two cells is, of the rows or of the columns.
#[inline(always)]
pub(crate) fn repeated_in_region<S: Simd>(
    s: S,
    number: usize,
    held: impl Fn(usize) -> S::V,
    placed: S::V,
    contradiction: &mut S::V,
) -> S::V {
    let [_, repeated] = once_and_twice(s, number, held);
    *contradiction = s.note_common(*contradiction, placed, repeated);
    repeated
}

/// What a line tells. `segment` has, for each of its segments, of which there are at most ROOM, what that holds and what its
/// region holds repeated.
#[inline(always)]
pub(crate) fn summarize_line<S: Simd, const ROOM: usize>(
    s: S,
    number: usize,
    segment: impl Fn(usize) -> [S::V; 2],
    every_digit: S::V,
    contradiction: &mut S::V,
) -> LineSummary<S::V> {
    let [mut held, mut points] = [[every_digit; ROOM]; 2];
    for i in 0..number {
        let [set, repeated] = segment(i);
        held[i] = set;
        points[i] = s.and_not(set, repeated);
    }
    let [any, repeated] = once_and_twice(
        s,
        number,
        #[inline(always)]
        |i| held[i],
    );
    let [pointed, by_two] = once_and_twice(
        s,
        number,
        #[inline(always)]
        |i| points[i],
    );
    *contradiction = s.note_missing(*contradiction, every_digit, any);
    *contradiction = s.or(*contradiction, by_two);
    LineSummary { pointed, repeated }
}

/// What is `left` to the segments of a region, at most ROOM, by what their lines tell; `repeated` are digits that the
/// region holds in two or more. A digit that two lines claim is a contradiction.
#[inline(always)]
pub(crate) fn narrow_region<S: Simd, const ROOM: usize>(
    s: S,
    number: usize,
    held: impl Fn(usize) -> S::V,
    summary: impl Fn(usize) -> LineSummary<S::V>,
    repeated: S::V,
    left: &mut [S::V; ROOM],
    contradiction: &mut S::V,
) {
    let mut claims = [repeated; ROOM];
    for i in 0..number {
        let summary = summary(i);
        left[i] = s.drop_common(held(i), summary.pointed, repeated);
        claims[i] = s.and_not(left[i], summary.repeated);
    }
    let [claimed, by_two] = once_and_twice(
        s,
        number,
        #[inline(always)]
        |i| claims[i],
    );
    *contradiction = s.or(*contradiction, by_two);
    for i in 0..number {
        left[i] = s.drop_unless(left[i], claimed, claims[i]);
    }
}

/// Does the same, on common sides and where the number is small, with a number that is known, and room for no more: loops are
/// unrolled, and what they go over stays in registers.
// A sixth less time a sweep of 9x9 jigsaws. Not done: for every side. It takes half as long again to compile.
macro_rules! unrolled {
    ($side:expr, $number:expr, |$n:ident, $most:ident| $body:expr) => {
        unrolled!($side, $number, $n, $most, $body, 2, 3, 4, 5, 6)
    };
    ($side:expr, $number:expr, $n:ident, $most:ident, $body:expr, $($known:literal),*) => {
        match $number {
            $($known if matches!($side, 9 | 16) => {
                const $most: usize = $known;
                let $n = $most;
                $body
            })*
            $n => {
                const $most: usize = MAX_SIDE;
                $body
            }
        }
    };
}

/// As many segments as there may be of one direction.
const MOST: usize = MAX_SIDE * MAX_SIDE;

/// The segments of one direction, in a layout that all lanes share, and what they hold.
pub(crate) struct Segments<V> {
    regions: Vec<RegionSegments<V>>,
    lines: Vec<LineSegments<V>>,
    /// What each segment holds, once gathered; what it may hold, once narrowed. Those of region d from N times d on.
    held: Box<[V; MOST]>,
    /// What each region tells, and each line.
    repeated: Box<[V; MAX_SIDE]>,
    summaries: Box<[LineSummary<V>; MAX_SIDE]>,
}

/// Segments of a region, in the order of its cells.
struct RegionSegments<V> {
    number: usize,
    /// The segment of each cell.
    of_cell: [CheckedIndex<V, MOST>; MAX_SIDE],
    /// The line of each segment.
    lines: [CheckedIndex<LineSummary<V>, MAX_SIDE>; MAX_SIDE],
    /// Up to three cells of each segment, some named twice; then segments that have more, with three more cells each.
    cells: [[CheckedIndex<V, MAX_SIDE>; 3]; MAX_SIDE],
    more_cells: Vec<(usize, [CheckedIndex<V, MAX_SIDE>; 3])>,
}

/// Segments of a line, each with its region.
struct LineSegments<V> {
    number: usize,
    segments: [(CheckedIndex<V, MOST>, CheckedIndex<V, MAX_SIDE>); MAX_SIDE],
}

impl<V> RegionSegments<V> {
    /// The segments of its cells, given the line of each. `first` is the number of the first segment among all; `meets` is
    /// told the number and the line of each.
    fn new(
        first: usize,
        line_of: &[usize],
        mut meets: impl FnMut(usize, usize),
    ) -> RegionSegments<V> {
        let mut region = RegionSegments {
            number: 0,
            of_cell: [CheckedIndex::new(0); MAX_SIDE],
            lines: [CheckedIndex::new(0); MAX_SIDE],
            cells: [[CheckedIndex::new(0); 3]; MAX_SIDE],
            more_cells: Vec::new(),
        };
        for (i, &line) in line_of.iter().enumerate() {
            if line_of[..i].contains(&line) {
                continue;
            }
            let segment = region.number;
            region.number += 1;
            region.lines[segment] = CheckedIndex::new(line);
            meets(first + segment, line);
            let cells = (i..line_of.len()).filter(|&cell| line_of[cell] == line);
            let cells: Vec<usize> = cells.collect();
            for &cell in &cells {
                region.of_cell[cell] = CheckedIndex::new(first + segment);
            }
            for (n, some) in cells.chunks(3).enumerate() {
                let three = [0, 1, 2].map(|i| CheckedIndex::new(*some.get(i).unwrap_or(&some[0])));
                match n {
                    0 => region.cells[segment] = three,
                    _ => region.more_cells.push((segment, three)),
                }
            }
        }
        region
    }
}

impl<V: Copy> Segments<V> {
    /// The segments of lines, given the line of each cell. Cells go region by region.
    pub fn new<S: Simd<V = V>>(
        s: S,
        side: usize,
        line_of: impl Iterator<Item = usize>,
    ) -> Segments<V> {
        let line_of: Vec<usize> = line_of.collect();
        let none = s.splat(S::Lane::of(0));
        let mut lines: Vec<LineSegments<V>> = Vec::new();
        lines.resize_with(side, || LineSegments {
            number: 0,
            segments: [(CheckedIndex::new(0), CheckedIndex::new(0)); MAX_SIDE],
        });
        let regions = line_of.chunks_exact(side).enumerate();
        let regions = regions.map(|(region, line_of)| {
            RegionSegments::new(region * side, line_of, |segment, line| {
                let line = &mut lines[line];
                let places = (CheckedIndex::new(segment), CheckedIndex::new(region));
                line.segments[line.number] = places;
                line.number += 1;
            })
        });
        Segments {
            regions: regions.collect(),
            lines,
            held: Box::new([none; MOST]),
            repeated: Box::new([none; MAX_SIDE]),
            summaries: Box::new(
                [LineSummary {
                    pointed: none,
                    repeated: none,
                }; MAX_SIDE],
            ),
        }
    }

    /// Narrows what all segments may hold, once those of all regions are gathered.
    #[inline(always)]
    pub fn narrow_all<S: Simd<V = V>>(
        &mut self,
        s: S,
        side: usize,
        every_digit: V,
        contradiction: &mut V,
    ) {
        self.summarize_lines(s, side, every_digit, contradiction);
        // In the same sweep: a lane might settle before the next, since further houses take candidates away after this.
        self.narrow_regions(s, side, contradiction);
    }

    /// Narrows what all segments may hold by what regions and lines tell.
    #[inline(always)]
    fn narrow_regions<S: Simd<V = V>>(&mut self, s: S, side: usize, contradiction: &mut V) {
        let summaries = &*self.summaries;
        let all_held = self.held.chunks_exact_mut(side);
        for ((of, held), &repeated) in self.regions.iter().zip(all_held).zip(&*self.repeated) {
            unrolled!(side, of.number, |n, N| {
                let mut left = [repeated; N];
                narrow_region(
                    s,
                    n,
                    #[inline(always)]
                    |i| held[i],
                    #[inline(always)]
                    |i| *of.lines[i].get(summaries),
                    repeated,
                    &mut left,
                    contradiction,
                );
                held[..n].copy_from_slice(&left[..n]);
            });
        }
    }

    /// What a cell of a region may hold by its segment.
    #[inline(always)]
    pub fn allowed(&self, region: usize, cell: usize) -> V {
        *self.regions[region].of_cell[cell].get(&self.held)
    }

    /// Gathers what the cells of a region hold, of which `placed` are placed.
    // Not done: each cell added to its segments when it is written. A fifth fewer instructions, and no less time: twice the stores.
    #[inline(always)]
    pub fn gather<S: Simd<V = V>>(
        &mut self,
        s: S,
        side: usize,
        region: usize,
        cells: &[V; MAX_SIDE],
        placed: V,
        contradiction: &mut V,
    ) {
        let of = &self.regions[region];
        let held = &mut self.held[region * side..][..side];
        let repeated = &mut self.repeated[region];
        unrolled!(side, of.number, |n, _N| {
            for i in 0..n {
                held[i] = held_by(s, cells, &of.cells[i]);
            }
            for (segment, places) in &of.more_cells {
                let held = &mut held[*segment];
                *held = s.or(*held, held_by(s, cells, places));
            }
            *repeated = repeated_in_region(
                s,
                n,
                #[inline(always)]
                |i| held[i],
                placed,
                contradiction,
            );
        });
    }

    /// Finds what all lines tell, once their segments are gathered.
    #[inline(always)]
    fn summarize_lines<S: Simd<V = V>>(
        &mut self,
        s: S,
        side: usize,
        every_digit: V,
        contradiction: &mut V,
    ) {
        let (held, repeated) = (&*self.held, &*self.repeated);
        for (line, summary) in self.lines.iter().zip(&mut *self.summaries) {
            unrolled!(side, line.number, |n, N| *summary = summarize_line::<S, N>(
                s,
                n,
                #[inline(always)]
                |i| {
                    let (segment, region) = line.segments[i];
                    [*segment.get(held), *region.get(repeated)]
                },
                every_digit,
                contradiction,
            ));
        }
    }
}

#[inline(always)]
fn held_by<S: Simd>(
    s: S,
    cells: &[S::V; MAX_SIDE],
    places: &[CheckedIndex<S::V, MAX_SIDE>; 3],
) -> S::V {
    let [a, b, c] = places;
    s.or3(*a.get(cells), *b.get(cells), *c.get(cells))
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::super::simd::portable::Portable;
    use super::*;

    type Set = <Portable as Simd>::V;

    /// The segments of cells, rows first, are those of `labels` that share a line: what each may hold, by label and line.
    fn held_of(labels: &[u8], line_of: fn(usize) -> usize, cells: &[u32]) -> Vec<[u32; 9]> {
        let mut held = vec![[0; 9]; 9];
        for (cell, &label) in labels.iter().enumerate() {
            held[usize::from(label - b'A')][line_of(cell)] |= cells[cell];
        }
        held
    }

    /// The law, said plainly.
    fn narrowed(held: &[[u32; 9]]) -> Vec<[u32; 9]> {
        let but = |one: usize| (0..9).filter(move |&other| other != one);
        let mut pointed = vec![[0; 9]; 9];
        let mut claimed = pointed.clone();
        let mut new = pointed.clone();
        for (d, l) in (0..81).map(|segment| (segment / 9, segment % 9)) {
            pointed[d][l] = held[d][l] & !but(l).fold(0, |others, l| others | held[d][l]);
            claimed[d][l] = held[d][l] & !but(d).fold(0, |others, d| others | held[d][l]);
        }
        for (d, l) in (0..81).map(|segment| (segment / 9, segment % 9)) {
            let pointed_at = but(d).fold(0, |others, d| others | pointed[d][l]);
            let claims = but(l).fold(0, |others, l| others | claimed[d][l]);
            new[d][l] = held[d][l] & (!pointed_at | pointed[d][l]) & (!claims | claimed[d][l]);
        }
        new
    }

    const LABELS: &[u8; 81] =
        b"AABBBBBCCAAABDBBCCEAABDFFFCEEAADFFCCEEEDDFFCCEEDDDDFFGEHHHIIGGGHHIIIIIIGHHHHIGGGG";

    /// Its cells, region by region.
    fn cell_at() -> Vec<usize> {
        let mut cell_at: Vec<usize> = (0..81).collect();
        cell_at.sort_by_key(|&cell| LABELS[cell]);
        cell_at
    }

    /// The segments of one direction when these candidates are gathered and lines have met; and whether there was a
    /// contradiction, of regions that have all but digit 1 placed where a cell has one candidate.
    fn gathered(line_of: fn(usize) -> usize, cells: &[u32]) -> (Segments<Set>, bool) {
        let s = Portable;
        let (cell_at, none) = (cell_at(), s.splat(0));
        let lines = cell_at.iter().map(|&cell| line_of(cell));
        let mut segments = Segments::new(s, 9, lines);
        let mut contradiction = none;
        for (region, places) in cell_at.chunks_exact(9).enumerate() {
            let mut held = [none; MAX_SIDE];
            let mut placed = 0;
            for (held, &cell) in held.iter_mut().zip(places) {
                let set = cells[cell] as u16;
                *held = s.splat(set);
                placed |= if set.is_power_of_two() { set & !1 } else { 0 };
            }
            let placed = s.splat(placed);
            segments.gather(s, 9, region, &held, placed, &mut contradiction);
        }
        let is_contradicted = s.nonzero_lanes(contradiction) != 0;
        segments.summarize_lines(s, 9, s.splat(511), &mut contradiction);
        (segments, is_contradicted)
    }

    const LINES: [fn(usize) -> usize; 2] = [|cell| cell / 9, |cell| cell % 9];

    #[test]
    fn segments_are_gathered_from_their_cells_and_narrowed_by_lines_and_regions() {
        let s = Portable;
        let mut random = Random::new(3);
        for _ in 0..200 {
            let cells: Vec<u32> = (0..81)
                .map(|_| random.below(512) & random.below(512))
                .collect();
            for line_of in LINES {
                let (mut segments, _) = gathered(line_of, &cells);
                segments.narrow_regions(s, 9, &mut s.splat(0));
                let expected = narrowed(&held_of(LABELS, line_of, &cells));
                for (place, &cell) in cell_at().iter().enumerate() {
                    let (region, i) = (place / 9, place % 9);
                    let open: u32 = s.lanes(&segments.allowed(region, i))[0].into();
                    assert_eq!(open, expected[region][line_of(cell)], "{cell}");
                }
            }
        }
    }

    #[test]
    fn a_digit_placed_twice_in_a_region_contradicts_itself_in_rows_or_in_columns() {
        let cell_at = cell_at();
        for (a, b) in (0..81 * 9).map(|pair| (pair / 9, pair / 81 * 9 + pair % 9)) {
            let mut cells = [511; 81];
            cells[cell_at[a]] = 4;
            // The rest of the region no longer holds it.
            for &cell in &cell_at[a / 9 * 9..][..9] {
                cells[cell] &= !4;
            }
            for place in [a, b] {
                cells[cell_at[place]] = 4;
            }
            let found = LINES.map(|line_of| gathered(line_of, &cells).1);
            assert_eq!(found.contains(&true), a != b, "{a} {b}");
        }
    }

    #[test]
    fn what_no_line_can_hold_or_two_must_is_a_contradiction() {
        let s = Portable;
        let contradicts = |cells: &[u32]| {
            let (mut segments, _) = gathered(LINES[0], cells);
            let mut contradiction = s.splat(0);
            segments.summarize_lines(s, 9, s.splat(511), &mut contradiction);
            segments.narrow_regions(s, 9, &mut contradiction);
            s.nonzero_lanes(contradiction) != 0
        };
        let mut cells = [511; 81];
        assert!(!contradicts(&cells));
        // No 1 in row 4.
        cells[27..36].fill(510);
        assert!(contradicts(&cells));
        // A and B hold their 1 in row 1 only.
        let mut cells = [511; 81];
        for (cell, label) in LABELS.iter().enumerate() {
            if matches!(label, b'A' | b'B') && cell >= 9 {
                cells[cell] = 510;
            }
        }
        assert!(contradicts(&cells));
        // Row 1 and row 3 both hold their 1 in A only.
        let mut cells = [511; 81];
        for (cell, &label) in LABELS.iter().enumerate() {
            if label != b'A' && (cell < 9 || (18..27).contains(&cell)) {
                cells[cell] = 510;
            }
        }
        assert!(contradicts(&cells));
    }
}

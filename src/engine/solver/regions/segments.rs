//! The segments (`locked.rs`) of a layout that all lanes share. A board has one set of segments for
//! rows and one for columns.

use super::locked::{LineSummary, narrow_region, repeated_in_region, summarize_line};
use crate::rules::MAX_SIDE;
use crate::solver::constraints::houses::SweepFlags;
use crate::solver::constraints::singles::hold_the_same;
use crate::solver::simd::{CheckedIndex, Lane, Simd};

/// Evaluates `$body` with `$n`, the value of `$number` (of segments), and `$room`, a constant array
/// length that is enough. If `$unrolled`, the body is compiled once more for each `$n` from 2 to 6
/// as a constant, so that loops are unrolled and arrays stay in registers.
// If `$unrolled` is true, 9x9 jigsaws take a sixth less time per sweep.
// Tried: `$unrolled` for every side. Compiling takes 50 % longer.
macro_rules! unrolled {
    ($unrolled:expr, $number:expr, |$n:ident, $room:ident| $body:expr) => {
        unrolled!($unrolled, $number, $n, $room, $body, 2, 3, 4, 5, 6)
    };
    ($unrolled:expr, $number:expr, $n:ident, $room:ident, $body:expr, $($known:literal),*) => {
        match $number {
            $($known if $unrolled => {
                const $room: usize = $known;
                let $n = $room;
                $body
            })*
            $n => {
                const $room: usize = MAX_SIDE;
                $body
            }
        }
    };
}

const MAX_SEGMENTS: usize = MAX_SIDE * MAX_SIDE;

pub(crate) struct Segments<S: Simd> {
    regions: Vec<RegionSegments<S::V>>,
    lines: Vec<LineSegments<S::V>>,
    /// The digits that the cells of each segment hold (after `gather`), or those left of them
    /// (after `narrow_all`). The segments of region r begin at N*r.
    held: Box<[S::V; MAX_SEGMENTS]>,
    /// Scratch: for each region, the digits in two or more of its segments.
    repeated: Box<[S::V; MAX_SIDE]>,
    summaries: Box<[LineSummary<S::V>; MAX_SIDE]>,
}

/// Numbered by the order of their first cells.
struct RegionSegments<V> {
    number: usize,
    /// Index of each cell's segment in `held`.
    of_cell: [CheckedIndex<V, MAX_SEGMENTS>; MAX_SIDE],
    /// Index of each segment's line in `Segments::summaries`.
    lines: [CheckedIndex<LineSummary<V>, MAX_SIDE>; MAX_SIDE],
    /// Three cells of each segment, as indices in the region. Repeats the first if there are fewer.
    cells: [[CheckedIndex<V, MAX_SIDE>; 3]; MAX_SIDE],
    /// The other cells of longer segments, in threes like `cells`, with the number of the segment.
    more_cells: Vec<(usize, [CheckedIndex<V, MAX_SIDE>; 3])>,
}

struct LineSegments<V> {
    number: usize,
    /// Indices in `held`, and of the region in `repeated`.
    segments: [(CheckedIndex<V, MAX_SEGMENTS>, CheckedIndex<V, MAX_SIDE>); MAX_SIDE],
}

impl<V: Copy> RegionSegments<V> {
    /// `line_of` has the line of each cell of the region. `first` is the index in `Segments::held`
    /// of its first segment. `on_segment` takes the index in `held` and the line of each.
    fn new(
        first: usize,
        line_of: &[usize],
        mut on_segment: impl FnMut(usize, usize),
    ) -> RegionSegments<V> {
        let mut region = RegionSegments {
            number: 0,
            of_cell: [CheckedIndex::new(0); MAX_SIDE],
            lines: [CheckedIndex::new(0); MAX_SIDE],
            cells: [[CheckedIndex::new(0); 3]; MAX_SIDE],
            more_cells: Vec::new(),
        };
        for (i, &line) in line_of.iter().enumerate() {
            let is_first_of_segment = !line_of[..i].contains(&line);
            if !is_first_of_segment {
                continue;
            }
            let segment = region.number;
            region.number += 1;
            region.lines[segment] = CheckedIndex::new(line);
            on_segment(first + segment, line);
            let cells = (i..line_of.len()).filter(|&cell| line_of[cell] == line);
            let cells: Vec<usize> = cells.collect();
            for &cell in &cells {
                region.of_cell[cell] = CheckedIndex::new(first + segment);
            }
            region.list_cells(segment, &cells);
        }
        debug_assert!(region.number <= line_of.len());
        region
    }

    fn list_cells(&mut self, segment: usize, cells: &[usize]) {
        debug_assert!(!cells.is_empty());
        for (n, some) in cells.chunks(3).enumerate() {
            let three = [0, 1, 2].map(|i| CheckedIndex::new(*some.get(i).unwrap_or(&some[0])));
            match n {
                0 => self.cells[segment] = three,
                _ => self.more_cells.push((segment, three)),
            }
        }
    }
}

impl<S: Simd> Segments<S> {
    /// `line_of` has the row (or column) of each cell, region by region.
    // Inlined, because otherwise the compiler would not inline `splat` here.
    #[inline(always)]
    pub fn new(s: S, side: usize, line_of: Vec<usize>) -> Segments<S> {
        debug_assert_eq!(line_of.len(), side * side);
        let none = s.splat(S::Lane::from_digits(0));
        let mut lines: Vec<LineSegments<S::V>> = Vec::new();
        lines.resize_with(side, || LineSegments {
            number: 0,
            segments: [(CheckedIndex::new(0), CheckedIndex::new(0)); MAX_SIDE],
        });
        debug_assert!(line_of.iter().all(|&line| line < side));
        let regions = line_of.chunks_exact(side).enumerate();
        let regions = regions.map(|(region, line_of)| {
            RegionSegments::new(region * side, line_of, |segment, line| {
                let line = &mut lines[line];
                let indices = (CheckedIndex::new(segment), CheckedIndex::new(region));
                line.segments[line.number] = indices;
                line.number += 1;
            })
        });
        Segments {
            regions: regions.collect(),
            lines,
            held: Box::new([none; MAX_SEGMENTS]),
            repeated: Box::new([none; MAX_SIDE]),
            summaries: Box::new([LineSummary { pointed: none, repeated: none }; MAX_SIDE]),
        }
    }

    /// Call `gather` for each region first. `UNROLLED` is the constant of `unrolled!`.
    #[inline(always)]
    pub fn narrow_all<const UNROLLED: bool>(&mut self, side: usize, flags: &mut SweepFlags<S>) {
        self.summarize_lines::<UNROLLED>(flags);
        // Narrows in this sweep, not at the start of the next one, because if this sweep changes no
        // cell, the lane is solved or branches. Extra constraints may have changed cells at the end
        // of the previous sweep, so a contradiction between these cells must be found now.
        self.narrow_regions::<UNROLLED>(side, flags);
    }

    #[inline(always)]
    fn narrow_regions<const UNROLLED: bool>(&mut self, side: usize, flags: &mut SweepFlags<S>) {
        let summaries = &*self.summaries;
        let all_held = self.held.chunks_exact_mut(side);
        for ((region, held), &repeated) in self.regions.iter().zip(all_held).zip(&*self.repeated) {
            unrolled!(UNROLLED, region.number, |n, N| {
                let left = narrow_region::<S, N>(
                    n,
                    #[inline(always)]
                    |i| (held[i], *region.lines[i].get(summaries)),
                    repeated,
                    flags,
                );
                held[..n].copy_from_slice(&left[..n]);
            });
        }
    }

    /// `cell` is the index in the region.
    #[inline(always)]
    pub fn allowed(&self, region: usize, cell: usize) -> S::V {
        *self.regions[region].of_cell[cell].get(&self.held)
    }

    /// `placed` are the naked singles of the region, already removed from its other cells. A
    /// repeated placed digit is a contradiction.
    #[inline(always)]
    pub fn gather<const UNROLLED: bool>(
        &mut self,
        side: usize,
        region: usize,
        cells: &[S::V; MAX_SIDE],
        placed: S::V,
        flags: &mut SweepFlags<S>,
    ) {
        let s = flags.s;
        debug_assert_eq!(side, self.regions.len());
        let segments = &self.regions[region];
        let held = &mut self.held[region * side..][..side];
        let repeated = &mut self.repeated[region];
        unrolled!(UNROLLED, segments.number, |n, _N| {
            for i in 0..n {
                held[i] = held_by(s, cells, &segments.cells[i]);
            }
            for (segment, places) in &segments.more_cells {
                let held = &mut held[*segment];
                *held = s.or(*held, held_by(s, cells, places));
            }
            *repeated = repeated_in_region(&held[..n], placed, flags);
        });
        debug_assert!(hold_the_same(s, &cells[..side], &held[..segments.number]));
    }

    #[inline(always)]
    fn summarize_lines<const UNROLLED: bool>(&mut self, flags: &mut SweepFlags<S>) {
        let (held, repeated) = (&*self.held, &*self.repeated);
        for (line, summary) in self.lines.iter().zip(&mut *self.summaries) {
            unrolled!(UNROLLED, line.number, |n, N| *summary = summarize_line::<S, N>(
                n,
                #[inline(always)]
                |i| {
                    let (segment, region) = line.segments[i];
                    [*segment.get(held), *region.get(repeated)]
                },
                flags,
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
    use super::*;
    use crate::random::Random;
    use crate::solver::simd::portable::Portable;

    /// Returns the digits that the cells of each label hold in each line: `[label][line]`.
    fn held_of(labels: &[u8], line_of: fn(usize) -> usize, cells: &[u32]) -> Vec<[u32; 9]> {
        let mut held = vec![[0; 9]; 9];
        for (cell, &label) in labels.iter().enumerate() {
            held[usize::from(label - b'A')][line_of(cell)] |= cells[cell];
        }
        held
    }

    /// Returns the digits left in each segment, `[region][line]`, by the definition of locked
    /// candidates.
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

    /// The cells of the layout, region by region.
    fn cell_at() -> Vec<usize> {
        let mut cell_at: Vec<usize> = (0..81).collect();
        cell_at.sort_by_key(|&cell| LABELS[cell]);
        cell_at
    }

    /// Gathers the segments of the rows or of the columns and summarizes these lines. Also returns
    /// whether gathering found a contradiction. A cell with one candidate counts as placed, unless
    /// the candidate is digit 1.
    fn gathered(line_of: fn(usize) -> usize, cells: &[u32]) -> (Segments<Portable>, bool) {
        let s = Portable;
        let (cell_at, none) = (cell_at(), s.splat(0));
        let lines = cell_at.iter().map(|&cell| line_of(cell));
        let mut segments = Segments::new(s, 9, lines.collect());
        let mut flags = SweepFlags::new(s, s.splat(511));
        for (region, places) in cell_at.chunks_exact(9).enumerate() {
            let mut held = [none; MAX_SIDE];
            let mut placed = 0;
            for (held, &cell) in held.iter_mut().zip(places) {
                let set = cells[cell] as u16;
                *held = s.splat(set);
                placed |= if set.is_power_of_two() { set & !1 } else { 0 };
            }
            let placed = s.splat(placed);
            segments.gather::<true>(9, region, &held, placed, &mut flags);
        }
        let is_contradicted = s.nonzero_lanes(flags.contradiction) != 0;
        segments.summarize_lines::<true>(&mut flags);
        (segments, is_contradicted)
    }

    const LINES: [fn(usize) -> usize; 2] = [|cell| cell / 9, |cell| cell % 9];

    #[test]
    fn segments_are_gathered_from_their_cells_and_narrowed_by_lines_and_regions() {
        let s = Portable;
        let mut random = Random::new(3);
        for _ in 0..200 {
            let cells: Vec<u32> = (0..81).map(|_| random.below(512) & random.below(512)).collect();
            for line_of in LINES {
                let (mut segments, _) = gathered(line_of, &cells);
                let flags = &mut SweepFlags::new(s, s.splat(511));
                segments.narrow_regions::<true>(9, flags);
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
            // No other cell of the region holds it.
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
    fn a_digit_that_a_line_lacks_or_that_two_claim_is_a_contradiction() {
        let s = Portable;
        let contradicts = |cells: &[u32]| {
            let (mut segments, _) = gathered(LINES[0], cells);
            let mut flags = SweepFlags::new(s, s.splat(511));
            segments.summarize_lines::<true>(&mut flags);
            segments.narrow_regions::<true>(9, &mut flags);
            s.nonzero_lanes(flags.contradiction) != 0
        };
        let mut cells = [511; 81];
        assert!(!contradicts(&cells));
        // Row 4 has no 1.
        cells[27..36].fill(510);
        assert!(contradicts(&cells));
        // A and B hold 1 in row 1 only.
        let mut cells = [511; 81];
        for (cell, label) in LABELS.iter().enumerate() {
            if matches!(label, b'A' | b'B') && cell >= 9 {
                cells[cell] = 510;
            }
        }
        assert!(contradicts(&cells));
        // Row 1 and row 3 hold 1 in A only.
        let mut cells = [511; 81];
        for (cell, &label) in LABELS.iter().enumerate() {
            if label != b'A' && (cell < 9 || (18..27).contains(&cell)) {
                cells[cell] = 510;
            }
        }
        assert!(contradicts(&cells));
    }
}

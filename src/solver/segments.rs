//! What divisions and lines tell each other. The cells of a row that lie in one division are a segment, as are those of a
//! column:
//!
//! ```text
//!     a division          its row segments    its column segments
//!       . A A A .           1 1 1               1 2 3
//!       . . A A A             2 2 2               2 3 4
//!       . . A . .             3                   2
//! ```
//!
//! A digit that a division holds in one segment only leaves the rest of that line; a digit that a line holds in one
//! segment only leaves the rest of that division.

use std::ops::Range;

use super::houses::{Notes, once_and_twice};
use super::simd::Simd;

/// Which segments of one direction there are: perhaps some without cells, which hold nothing.
pub(crate) trait Segments {
    /// Those of a division.
    fn of_division(&self, division: usize) -> Range<usize>;
    /// Those of a line: how many, and each.
    fn of_line(&self, line: usize) -> (usize, impl Fn(usize) -> usize);
}

/// Does the same, where numbers are `few`, with a number that is known: loops are unrolled, and what they go over stays in
/// registers.
// A sixth less time a sweep of 9x9 jigsaws. Not done: for every side. It takes half as long again to compile.
macro_rules! unrolled {
    ($few:expr, $number:expr, |$n:ident| $body:expr) => {
        unrolled!($few, $number, $n, $body, 2, 3, 4, 5, 6)
    };
    ($few:expr, $number:expr, $n:ident, $body:expr, $($known:literal),*) => {
        match $number {
            $($known if $few => {
                let $n = $known;
                $body
            })*
            $n => $body,
        }
    };
}

/// Locked candidates of all lines of one direction, both ways: narrows what each segment may hold. `locked` is room for
/// as many; `side` should be known when this is compiled where it is nine.
#[inline(always)]
pub(crate) fn take_lines<S: Simd>(
    s: S,
    side: usize,
    of: &impl Segments,
    held: &mut [S::V],
    locked: &mut [S::V],
    every_digit: S::V,
    notes: &mut Notes<S::V>,
) {
    let few = side == 9 || side == 16;
    let locked = &mut locked[..held.len()];
    for division in 0..side {
        let range = of.of_division(division);
        let (held, locked) = (&held[range.clone()], &mut locked[range]);
        unrolled!(few, held.len(), |n| point(s, n, held, locked));
    }
    for line in 0..side {
        let (number, at) = of.of_line(line);
        unrolled!(few, number, |n| meet(
            s,
            n,
            &at,
            held,
            locked,
            every_digit,
            notes
        ));
    }
    for division in 0..side {
        let range = of.of_division(division);
        let (held, locked) = (&mut held[range.clone()], &locked[range]);
        unrolled!(few, held.len(), |n| claim(s, n, held, locked, notes));
    }
}

/// Finds what a division points at: digits that it holds in no other segment.
#[inline(always)]
fn point<S: Simd>(s: S, number: usize, held: &[S::V], locked: &mut [S::V]) {
    let (held, locked) = (&held[..number], &mut locked[..number]);
    let [_, twice] = once_and_twice(
        s,
        number,
        #[inline(always)]
        |i| held[i],
    );
    for i in 0..number {
        locked[i] = s.and_not(held[i], twice);
    }
}

/// Takes from the segments of a line what divisions point at in others of it, and finds what the line claims: digits that it
/// holds in no other segment.
#[inline(always)]
fn meet<S: Simd>(
    s: S,
    number: usize,
    at: impl Fn(usize) -> usize,
    held: &mut [S::V],
    locked: &mut [S::V],
    every_digit: S::V,
    notes: &mut Notes<S::V>,
) {
    let [any, twice] = once_and_twice(
        s,
        number,
        #[inline(always)]
        |i| held[at(i)],
    );
    let [pointed_at, by_two] = once_and_twice(
        s,
        number,
        #[inline(always)]
        |i| locked[at(i)],
    );
    notes.contradiction = s.note_missing(notes.contradiction, every_digit, any);
    notes.contradiction = s.or(notes.contradiction, by_two);
    for i in 0..number {
        let (held, locked) = (&mut held[at(i)], &mut locked[at(i)]);
        let claimed = s.and_not(*held, twice);
        *held = s.drop_unless(*held, pointed_at, *locked);
        *locked = claimed;
    }
}

/// Takes from the segments of a division what lines claim in others of it.
#[inline(always)]
fn claim<S: Simd>(
    s: S,
    number: usize,
    held: &mut [S::V],
    locked: &[S::V],
    notes: &mut Notes<S::V>,
) {
    let (held, locked) = (&mut held[..number], &locked[..number]);
    let [claimed, by_two] = once_and_twice(
        s,
        number,
        #[inline(always)]
        |i| locked[i],
    );
    notes.contradiction = s.or(notes.contradiction, by_two);
    for i in 0..number {
        held[i] = s.drop_unless(held[i], claimed, locked[i]);
    }
}

/// The segments of one layout, numbered division by division.
#[derive(Debug)]
pub(crate) struct OfLayout {
    /// The segment of each place.
    of_place: Vec<u16>,
    /// Line by line.
    by_line: Vec<u16>,
    /// Where those of each division end, and those of each line.
    division_ends: Vec<u16>,
    line_ends: Vec<u16>,
    /// Of each segment up to three places, some told twice; and what places it has besides, likewise.
    places: Vec<[u16; 3]>,
    more_places: Vec<(u16, [u16; 3])>,
}

impl OfLayout {
    /// The segments of lines, given the line of each place. Places go division by division.
    pub fn new(side: usize, line_at: impl Iterator<Item = usize>) -> OfLayout {
        let lines: Vec<usize> = line_at.collect();
        let mut of_place = Vec::new();
        let mut line_of: Vec<usize> = Vec::new();
        let mut division_ends = Vec::new();
        for division in lines.chunks_exact(side) {
            let mut segment_of_line = vec![None; side];
            for &line in division {
                let segment = *segment_of_line[line].get_or_insert_with(|| {
                    line_of.push(line);
                    line_of.len() - 1
                });
                of_place.push(segment as u16);
            }
            division_ends.push(line_of.len() as u16);
        }
        let mut by_line: Vec<u16> = (0..line_of.len() as u16).collect();
        let line_of = |segment: u16| line_of[usize::from(segment)];
        by_line.sort_by_key(|&segment| line_of(segment));
        let end = |line| by_line.partition_point(|&segment| line_of(segment) <= line);
        let line_ends = (0..side).map(|line| end(line) as u16).collect();
        let mut segments = OfLayout {
            of_place,
            by_line,
            division_ends,
            line_ends,
            places: Vec::new(),
            more_places: Vec::new(),
        };
        for segment in 0..segments.number() as u16 {
            let places = (0..).zip(&segments.of_place);
            let places = places.filter(|&(_, &of)| of == segment);
            let places: Vec<u16> = places.map(|(place, _)| place).collect();
            for (n, some) in places.chunks(3).enumerate() {
                let three = [0, 1, 2].map(|i| *some.get(i).unwrap_or(&some[0]));
                match n {
                    0 => segments.places.push(three),
                    _ => segments.more_places.push((segment, three)),
                }
            }
        }
        segments
    }

    /// How many there are.
    pub fn number(&self) -> usize {
        self.by_line.len()
    }

    /// The segments of so many places from the first.
    #[inline(always)]
    pub fn of_places(&self, first: usize, number: usize) -> &[u16] {
        &self.of_place[first..first + number]
    }

    /// Finds what the cells of each segment hold.
    #[inline(always)]
    pub fn gather<S: Simd>(&self, s: S, cells: &[S::V], held: &mut [S::V]) {
        for (held, places) in held.iter_mut().zip(&self.places) {
            *held = held_by(s, cells, places);
        }
        for (segment, places) in &self.more_places {
            let held = &mut held[usize::from(*segment)];
            *held = s.or(*held, held_by(s, cells, places));
        }
    }
}

impl Segments for OfLayout {
    #[inline(always)]
    fn of_division(&self, division: usize) -> Range<usize> {
        range(&self.division_ends, division)
    }
    #[inline(always)]
    fn of_line(&self, line: usize) -> (usize, impl Fn(usize) -> usize) {
        let segments = &self.by_line[range(&self.line_ends, line)];
        (
            segments.len(),
            #[inline(always)]
            |i| usize::from(segments[i]),
        )
    }
}

// Places by reference: three at once are loaded as one number and taken apart again.
#[inline(always)]
fn held_by<S: Simd>(s: S, cells: &[S::V], places: &[u16; 3]) -> S::V {
    s.or3(
        cells[usize::from(places[0])],
        cells[usize::from(places[1])],
        cells[usize::from(places[2])],
    )
}

/// From where the one before ends to where this one does.
#[inline(always)]
fn range(ends: &[u16], number: usize) -> Range<usize> {
    let start = if number == 0 { 0 } else { ends[number - 1] };
    usize::from(start)..usize::from(ends[number])
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::super::simd::Lane;
    use super::super::simd::portable::Portable;
    use super::*;

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

    #[test]
    fn segments_are_gathered_from_their_cells_and_narrowed_as_lines_and_divisions_demand() {
        // B has five cells in a row.
        let labels =
            b"AABBBBBCCAAABDBBCCEAABDFFFCEEAADFFCCEEEDDFFCCEEDDDDFFGEHHHIIGGGHHIIIIIIGHHHHIGGGG";
        let mut cell_at: Vec<usize> = (0..81).collect();
        cell_at.sort_by_key(|&cell| labels[cell]);
        let s = Portable;
        let mut random = Random::new(3);
        let lines: [fn(usize) -> usize; 2] = [|cell| cell / 9, |cell| cell % 9];
        for _ in 0..200 {
            let cells: Vec<u32> = (0..81)
                .map(|_| random.below(512) & random.below(512))
                .collect();
            for line_of in lines {
                let of = OfLayout::new(9, cell_at.iter().map(|&cell| line_of(cell)));
                let mut of_lane = vec![s.splat(0); 81];
                for (set, &cell) in of_lane.iter_mut().zip(&cell_at) {
                    *set = s.splat(u16::of(cells[cell]));
                }
                let mut held = vec![s.splat(0); of.number()];
                of.gather(s, &of_lane, &mut held);
                let mut locked = held.clone();
                let mut notes = Notes::new(s, s.splat(511));
                take_lines(s, 9, &of, &mut held, &mut locked, s.splat(511), &mut notes);
                let expected = narrowed(&held_of(labels, line_of, &cells));
                for (place, &cell) in cell_at.iter().enumerate() {
                    let segment = usize::from(of.of_places(place, 1)[0]);
                    let label = usize::from(labels[cell] - b'A');
                    let held: u32 = s.lanes(&held[segment])[0].into();
                    assert_eq!(held, expected[label][line_of(cell)], "{label} {cell}");
                }
            }
        }
    }
}

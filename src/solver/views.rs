//! Second grids in a grid: where nine houses are three triples of rows by three of columns, the rows and columns in the
//! order of the triples are a grid of bands again, with these houses for its boxes. What its bands tell the cells.
//!
//! ```text
//!     windows, and the five houses they imply     rows 2 3 4, 6 7 8, 1 5 9; columns alike
//!     disjoint groups                             rows 1 4 7, 2 5 8, 3 6 9; columns alike
//! ```

use super::boxes::first_lines;
use super::houses::{Further, Notes};
use super::simd::Simd;
use super::ways::{line_by_ways, ways_by_lines, with_a_way};
use crate::rules::{House, Rules};

/// The cells of a second grid.
#[derive(Debug)]
pub(crate) struct View {
    /// Of each of its boxes, along the boxes and along the rows within one.
    pub boxes: [[u8; 9]; 9],
}

/// What the rules of a grid of bands ask beyond rows, columns and boxes.
// Windows and disjoint groups swept as houses with crossings: 1.4 to 2 times the time, a tenth more branches.
#[derive(Debug)]
pub(crate) struct Beyond {
    /// Second grids.
    pub views: Vec<View>,
    /// The rest.
    pub further: Further,
}

impl Beyond {
    pub fn new(rules: &Rules) -> Beyond {
        let houses: Vec<&House> = rules.added_and_implied().collect();
        let views = View::all(&houses);
        let is_seen = |house: &House| views.iter().any(|view| view.has_box(house));
        // Not done: crossings of two cells; those of second grids with boxes or diagonals (with windows 1 % fewer branches,
        // 9 % more time).
        let further = Further::new(
            rules,
            |cell| cell,
            |house| !is_seen(house),
            |crossing| {
                let mut houses = crossing.houses.iter();
                crossing.common.len() > 2 && !houses.any(|&house| is_seen(&rules.houses()[house]))
            },
        );
        Beyond { views, further }
    }
}

/// A set of rows or of columns, a bit each.
type Lines = u16;

impl View {
    /// All second grids that some of these houses make up.
    fn all(houses: &[&House]) -> Vec<View> {
        let products: Vec<[Lines; 2]> = houses.iter().filter_map(|house| product(house)).collect();
        let [rows, columns] = [0, 1].map(|side| {
            let mut lines: Vec<Lines> = products.iter().map(|lines| lines[side]).collect();
            lines.sort_unstable();
            lines.dedup();
            partitions(&lines)
        });
        let mut views = Vec::new();
        for rows in &rows {
            for columns in &columns {
                let mut boxes = rows.iter().flat_map(|&r| columns.map(|c| [r, c]));
                if boxes.all(|lines| products.contains(&lines)) {
                    views.push(View::of(*rows, *columns));
                }
            }
        }
        views
    }

    fn of(rows: [Lines; 3], columns: [Lines; 3]) -> View {
        let mut boxes = [[0; 9]; 9];
        for (k, cells) in boxes.iter_mut().enumerate() {
            let (rows, columns) = (lines(rows[k / 3]), lines(columns[k % 3]));
            for (i, cell) in cells.iter_mut().enumerate() {
                *cell = 9 * rows[i / 3] + columns[i % 3];
            }
        }
        View { boxes }
    }

    fn has_box(&self, house: &House) -> bool {
        let is_of_house = |cell: &u8| house.cells.contains(&u16::from(*cell));
        self.boxes.iter().any(|cells| cells.iter().all(is_of_house))
    }
}

/// The rows and the columns of a house whose cells are where three of each meet.
fn product(house: &House) -> Option<[Lines; 2]> {
    let lines = |line_of: fn(u16) -> u16| {
        let lines = house.cells.iter().map(|&cell| 1 << line_of(cell));
        lines.fold(0, |all: Lines, line: Lines| all | line)
    };
    let found = [lines(|cell| cell / 9), lines(|cell| cell % 9)];
    found
        .iter()
        .all(|lines| lines.count_ones() == 3)
        .then_some(found)
}

/// Three of the triples that hold every line.
fn partitions(triples: &[Lines]) -> Vec<[Lines; 3]> {
    let mut all = Vec::new();
    for (i, &a) in triples.iter().enumerate() {
        for (j, &b) in triples.iter().enumerate().skip(i + 1) {
            for &c in &triples[j + 1..] {
                // Of nine lines in all, so they are apart.
                if a | b | c == 0x1ff {
                    all.push([a, b, c]);
                }
            }
        }
    }
    all
}

/// The numbers of three lines.
fn lines(triple: Lines) -> [u8; 3] {
    let mut numbers = (0..9).filter(|line| triple >> line & 1 == 1);
    [(); 3].map(|()| numbers.next().expect("a triple"))
}

/// Leaves each digit, in every band of a second grid, the lines of the ways in which it can stand there.
///
/// With the rows and columns of the first grid this comes to the singles of its boxes too, a sweep later. `lines`: room,
/// for lines as `boxes.rs` numbers them.
// Not done: its boxes swept like those of the first grid. 5 % fewer branches, but each sweep takes 1.35 to 1.6 times as long, and
// all 8 to 17 % more. Nor hidden singles, nor lines of which three digits are certain: 5 and 7 % fewer sweeps, no less time; nor
// columns after rows: 2 % fewer sweeps, 1 to 4 % slower; nor lines gathered band by band: a sweep takes a tenth longer.
#[inline(always)]
pub(crate) fn take_view<S: Simd>(
    s: S,
    view: &View,
    every_digit: S::V,
    cells: &mut [S::V; 81],
    lines: &mut [S::V; 54],
    notes: &mut Notes<S::V>,
) {
    for (k, places) in view.boxes.iter().enumerate() {
        let held = places.map(
            #[inline(always)]
            |cell| cells[usize::from(cell)],
        );
        let [rows, columns] = first_lines(k / 3, k % 3);
        for r in 0..3 {
            lines[rows + r] = s.or3(held[3 * r], held[3 * r + 1], held[3 * r + 2]);
            lines[columns + r] = s.or3(held[r], held[3 + r], held[6 + r]);
        }
    }
    for lines in lines.as_chunks_mut().0 {
        take_band(s, every_digit, lines, notes);
    }
    for (k, places) in view.boxes.iter().enumerate() {
        let [rows, columns] = first_lines(k / 3, k % 3);
        for i in 0..9 {
            let cell = &mut cells[usize::from(places[i])];
            *cell = s.and3(*cell, lines[rows + i / 3], lines[columns + i % 3]);
        }
    }
}

/// Narrows the lines of one band.
#[inline(always)]
fn take_band<S: Simd>(s: S, every_digit: S::V, lines: &mut [S::V; 9], notes: &mut Notes<S::V>) {
    let ways = ways_by_lines(s, lines);
    let any = with_a_way(s, &ways);
    notes.contradiction = s.note_missing(notes.contradiction, every_digit, any);
    for k in 0..3 {
        for r in 0..3 {
            let possible = line_by_ways(s, &ways, k, r);
            // A line that loses a digit has a cell that does, and the other way about.
            notes.changed = s.note_difference(notes.changed, lines[3 * k + r], possible);
            lines[3 * k + r] = possible;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::super::simd::Lane;
    use super::super::simd::portable::Portable;
    use super::*;
    use crate::rules::{Shape, Variants};

    fn beyond(variants: &str) -> Beyond {
        let variants: Variants = variants.parse().unwrap();
        Beyond::new(&Rules::new(9, Shape::boxes_of(9).unwrap(), &variants).unwrap())
    }

    #[test]
    fn windows_and_disjoint_groups_make_second_grids() {
        for (variants, number) in [
            ("classic", 0),
            ("diagonal", 0),
            ("window", 1),
            ("disjoint", 1),
            ("disjoint,window,diagonal", 2),
            ("asterisk,center-dot,girandola", 0),
        ] {
            assert_eq!(beyond(variants).views.len(), number, "{variants}");
        }
    }

    #[test]
    fn a_second_grid_has_every_cell_once_and_the_windows_for_boxes() {
        let view = &beyond("window").views[0];
        let mut cells = view.boxes.concat();
        cells.sort_unstable();
        assert_eq!(cells, (0..81).collect::<Vec<u8>>());
        let window = [10, 11, 12, 19, 20, 21, 28, 29, 30];
        assert!(view.boxes.contains(&window));
    }

    /// Whether some order in which three lines take the three boxes of a band has a digit in box `k` on line `r`.
    fn has_way(held: impl Fn(usize, usize) -> u32, k: usize, r: usize, digit: u32) -> bool {
        let three = (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]);
        let mut orders = three.filter(|[a, b, c]| a != b && b != c && a != c);
        orders.any(|boxes| boxes[r] == k && (0..3).all(|line| held(boxes[line], line) & digit != 0))
    }

    #[test]
    fn a_digit_stays_where_its_rows_and_its_columns_have_a_way_through_three_boxes() {
        let view = &beyond("window").views[0];
        let s = Portable;
        let mut random = Random::new(5);
        let (mut lost, mut contradictions) = (0, 0);
        for _ in 0..300 {
            let before: [u32; 81] =
                std::array::from_fn(|_| random.below(512) | random.below(512) & random.below(512));
            let mut cells = before.map(|cell| s.splat(u16::of(cell)));
            let mut notes = Notes::new(s, s.splat(511));
            take_view(
                s,
                view,
                s.splat(511),
                &mut cells,
                &mut [s.splat(0); 54],
                &mut notes,
            );

            let at = |k: usize, i: usize| before[usize::from(view.boxes[k][i])];
            let row = |k: usize, r: usize| (0..3).fold(0, |held, c| held | at(k, 3 * r + c));
            let column = |k: usize, c: usize| (0..3).fold(0, |held, r| held | at(k, 3 * r + c));
            let mut after = before;
            for (place, digit) in (0..81).flat_map(|place| (0..9).map(move |d| (place, 1 << d))) {
                let (k, i) = (place / 9, place % 9);
                let (band, stack) = (k / 3, k % 3);
                let by_rows = has_way(|k, r| row(3 * band + k, r), stack, i / 3, digit);
                let by_columns = has_way(|k, c| column(3 * k + stack, c), band, i % 3, digit);
                if !(by_rows && by_columns) {
                    after[usize::from(view.boxes[k][i])] &= !digit;
                }
            }
            let found = cells.each_ref().map(|set| u32::from(s.lanes(set)[0]));
            assert_eq!(found, after);
            let changed = s.nonzero_lanes(notes.changed) != 0;
            assert_eq!(changed, after != before);
            lost += u32::from(changed);
            contradictions += u32::from(s.nonzero_lanes(notes.contradiction) != 0);
        }
        assert!(
            lost > 200 && (1..300).contains(&contradictions),
            "{lost} {contradictions}"
        );
    }
}

//! What a puzzle must obey, as data: houses and the crossings between them.
//! Nothing outside this file asks which variant it is.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// The largest side that symbols and layouts are defined for (a 25x25 puzzle).
pub const MAX_SIDE: usize = 25;

/// What the cells of a grid must obey: which of them together hold every digit.
///
/// Cells are counted along the rows from 0. Built once for a layout, then shared between puzzles.
///
/// ```
/// use sudoku_filter::{Rules, Shape, Variants};
///
/// let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &Variants::default()).unwrap();
/// assert_eq!(rules.houses().len(), 27);
/// ```
#[derive(Debug)]
pub struct Rules {
    side: usize,
    houses: Vec<House>,
    groups: Vec<House>,
    pairs: Vec<Pair>,
    /// Found when first asked for: of most layouts nobody does.
    crossings: OnceLock<Vec<Crossing>>,
    banded: bool,
}

/// As many cells as there are digits, which hold each digit once.
#[derive(Debug)]
pub struct House {
    /// What it is called in messages.
    pub name: HouseName,
    /// Its cells, in the order of the grid.
    pub cells: Vec<u16>,
}

/// Two cells that may not hold certain digits together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The cells, the lesser first.
    pub cells: [u16; 2],
    /// How they stand to each other, and so what they may not hold.
    pub relation: Relation,
}

/// How the cells of a pair stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// A knight's move apart: their digits differ.
    Knight,
    /// A king's move apart: their digits differ.
    King,
    /// Orthogonal neighbours: their digits are not consecutive.
    Neighbours,
}

impl Relation {
    /// Whether two cells in this relation may not hold these digits.
    #[must_use]
    pub fn forbids(self, a: u8, b: u8) -> bool {
        match self {
            Relation::Knight | Relation::King => a == b,
            Relation::Neighbours => a.abs_diff(b) == 1,
        }
    }
}

/// What a house is called: `row 3`, `region D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum HouseName {
    Row(usize),
    Column(usize),
    Box(usize),
    /// By its label in the layout.
    Region(u8),
    Diagonal(usize),
    Window(usize),
}

/// Two houses that share two or more cells. A digit that one of them can hold only in `common` has no place in the
/// rest of the other (locked candidates).
#[derive(Clone, Debug)]
pub struct Crossing {
    /// The two houses, by their index.
    pub houses: [usize; 2],
    /// The cells of both houses.
    pub common: Vec<u16>,
    /// What is left of each house.
    pub rests: [Vec<u16>; 2],
}

/// What divides the grid beside rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape<'a> {
    /// Boxes, so many rows high and so many columns wide.
    Boxes {
        /// Rows of a box.
        rows: usize,
        /// Columns of a box.
        columns: usize,
    },
    /// One label a cell; equal labels form a region.
    Regions {
        /// As many labels as cells.
        labels: &'a [u8],
        /// Whether a region may lie in pieces.
        disconnected: bool,
    },
}

impl Shape<'_> {
    /// The boxes usual for a grid of this side, if any are.
    #[must_use]
    pub fn boxes_of(side: usize) -> Option<Shape<'static>> {
        const USUAL: [(usize, usize); 14] = [
            (2, 2),
            (2, 3),
            (2, 4),
            (3, 3),
            (2, 5),
            (3, 4),
            (2, 7),
            (3, 5),
            (4, 4),
            (3, 6),
            (4, 5),
            (3, 7),
            (4, 6),
            (5, 5),
        ];
        let usual = USUAL.iter().find(|(rows, columns)| rows * columns == side);
        usual.map(|&(rows, columns)| Shape::Boxes { rows, columns })
    }
}

/// One variant: what it adds to rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Nothing but the boxes.
    Classic,
    /// Both main diagonals are houses.
    Diagonal,
    /// The windows of a grid whose side is a square: four in a 9x9.
    Window,
    /// Regions in place of boxes.
    Jigsaw,
}

impl Variant {
    /// Every variant with its name and its other names.
    pub const NAMES: [(&'static [&'static str], Variant); 4] = [
        (&["classic"], Variant::Classic),
        (&["diagonal", "x"], Variant::Diagonal),
        (&["window", "windoku", "hyper"], Variant::Window),
        (&["jigsaw", "nonomino"], Variant::Jigsaw),
    ];
}

/// The variants that hold together, in the order in which they were named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants(Vec<Variant>);

impl Variants {
    /// Whether `variant` is among them.
    #[must_use]
    pub fn contains(&self, variant: Variant) -> bool {
        self.0.contains(&variant)
    }

    /// These and one more.
    #[must_use]
    pub fn with(mut self, variant: Variant) -> Variants {
        if !self.contains(variant) {
            self.0.push(variant);
        }
        self
    }
}

impl FromStr for Variants {
    type Err = String;

    fn from_str(list: &str) -> Result<Variants, String> {
        list.split(',')
            .try_fold(Variants::default(), |variants, name| {
                let known = Variant::NAMES
                    .iter()
                    .find(|(names, _)| names.contains(&name));
                let (_, variant) = known.ok_or_else(|| {
                    let names = Variant::NAMES.map(|(names, _)| names[0]).join(", ");
                    format!("no variant is called '{name}'; there are {names}")
                })?;
                Ok(variants.with(*variant))
            })
    }
}

impl Rules {
    /// The rules of a grid of `side` rows and columns, divided by `shape`, with what `variants` add.
    ///
    /// # Errors
    /// A sentence for the user: a layout with a fault (the label, the count or the cell is named), or a variant that
    /// makes no sense for this side.
    pub fn new(side: usize, shape: Shape<'_>, variants: &Variants) -> Result<Rules, String> {
        assert!((1..=MAX_SIDE).contains(&side), "sides are 1 to {MAX_SIDE}");
        let mut houses = rows_and_columns(side);
        match shape {
            Shape::Boxes { rows, columns } => {
                debug_assert_eq!(rows * columns, side);
                houses.extend(boxes(rows, columns));
            }
            Shape::Regions {
                labels,
                disconnected,
            } => houses.extend(regions(side, labels, disconnected)?),
        }
        debug_assert_eq!(houses.len(), 3 * side);
        for variant in &variants.0 {
            match variant {
                Variant::Classic | Variant::Jigsaw => {}
                Variant::Diagonal => houses.extend(diagonals(side)),
                Variant::Window => houses.extend(windows(side)?),
            }
        }
        let banded = has_bands(side, &houses[2 * side..3 * side]);
        Ok(Rules {
            side,
            houses,
            groups: Vec::new(),
            pairs: Vec::new(),
            crossings: OnceLock::new(),
            banded,
        })
    }

    /// The number of rows, of columns, and of digits.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// The number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.side * self.side
    }

    /// All houses: rows, columns, boxes or regions, then those of the variants.
    #[must_use]
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// Cells that all differ but are fewer than the digits, each in the order of the grid.
    #[must_use]
    pub fn groups(&self) -> &[House] {
        &self.groups
    }

    /// Pairs of cells that may not hold certain digits together.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Where locked candidates act; without those between rows, columns and boxes if there are bands.
    #[must_use]
    pub fn crossings(&self) -> &[Crossing] {
        self.crossings.get_or_init(|| {
            let covered = if self.banded { 3 * self.side } else { 0 };
            crossings(self.side, &self.houses, covered)
        })
    }

    /// Whether regions stand in place of boxes.
    #[must_use]
    pub fn has_regions(&self) -> bool {
        matches!(self.houses[2 * self.side].name, HouseName::Region(_))
    }

    /// Whether every house holds every digit; `digits` has one of 1 to N for each cell.
    pub(crate) fn hold_for(&self, digits: &[u8]) -> bool {
        let every_digit = (1u32 << self.side) - 1;
        self.houses.iter().all(|house| {
            let held = house
                .cells
                .iter()
                .map(|&cell| 1u32 << (digits[usize::from(cell)] - 1));
            held.fold(0, |all, digit| all | digit) == every_digit
        })
    }

    /// Whether the first 27 houses are rows, columns and the nine 3x3 boxes of a 9x9, so that bands and stacks stand
    /// whole.
    #[must_use]
    pub fn has_bands(&self) -> bool {
        self.banded
    }

    /// For each cell, the houses it lies in, by their index.
    #[must_use]
    pub fn houses_of_cells(&self) -> Vec<Vec<u16>> {
        let mut houses_of = vec![Vec::new(); self.cells()];
        for (index, house) in self.houses.iter().enumerate() {
            for &cell in &house.cells {
                houses_of[usize::from(cell)].push(index as u16);
            }
        }
        houses_of
    }
}

impl fmt::Display for HouseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HouseName::Row(n) => write!(f, "row {n}"),
            HouseName::Column(n) => write!(f, "column {n}"),
            HouseName::Box(n) => write!(f, "box {n}"),
            HouseName::Region(label) => write!(f, "region {}", label.escape_ascii()),
            HouseName::Diagonal(n) => write!(f, "diagonal {n}"),
            HouseName::Window(n) => write!(f, "window {n}"),
        }
    }
}

/// A cell as people are told of it: `r4c5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The row, from 1.
    pub row: usize,
    /// The column, from 1.
    pub column: usize,
}

impl Place {
    /// Where `cell` lies in a grid of `side` columns.
    #[must_use]
    pub fn of(cell: usize, side: usize) -> Place {
        Place {
            row: cell / side + 1,
            column: cell % side + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row, self.column)
    }
}

/// `a 9x9 puzzle`, `an 8x8 puzzle`.
pub(crate) fn a_puzzle(side: usize) -> String {
    let article = if matches!(side, 8 | 11 | 18) {
        "an"
    } else {
        "a"
    };
    format!("{article} {side}x{side} puzzle")
}

/// A house of the cells of a rectangle.
fn rectangle(
    side: usize,
    name: HouseName,
    top: usize,
    left: usize,
    rows: usize,
    columns: usize,
) -> House {
    let cells = (top..top + rows)
        .flat_map(|row| (left..left + columns).map(move |column| (row * side + column) as u16));
    House {
        name,
        cells: cells.collect(),
    }
}

fn rows_and_columns(side: usize) -> Vec<House> {
    let rows = (0..side).map(|row| rectangle(side, HouseName::Row(row + 1), row, 0, 1, side));
    let columns =
        (0..side).map(|column| rectangle(side, HouseName::Column(column + 1), 0, column, side, 1));
    rows.chain(columns).collect()
}

fn boxes(rows: usize, columns: usize) -> Vec<House> {
    let side = rows * columns;
    (0..side)
        .map(|index| {
            // There are side / columns = rows boxes side by side.
            let (top, left) = (index / rows * rows, index % rows * columns);
            rectangle(side, HouseName::Box(index + 1), top, left, rows, columns)
        })
        .collect()
}

/// The regions of a layout, in the order in which their labels appear.
fn regions(side: usize, labels: &[u8], disconnected: bool) -> Result<Vec<House>, String> {
    if labels.len() != side * side {
        return Err(format!(
            "{} region labels; {} has {}",
            labels.len(),
            a_puzzle(side),
            side * side
        ));
    }
    let mut regions: Vec<House> = Vec::with_capacity(side);
    let mut region_of_label = [None; 256];
    for (cell, &label) in labels.iter().enumerate() {
        let index = *region_of_label[usize::from(label)].get_or_insert_with(|| {
            regions.push(House {
                name: HouseName::Region(label),
                cells: Vec::with_capacity(side),
            });
            regions.len() - 1
        });
        regions[index].cells.push(cell as u16);
    }
    if regions.len() > side {
        return Err(format!(
            "{} different region labels, {side} wanted",
            regions.len()
        ));
    }
    for region in &regions {
        if region.cells.len() != side {
            return Err(format!(
                "{} has {} cells, {side} wanted",
                region.name,
                region.cells.len()
            ));
        }
        if !disconnected && let Some(apart) = cell_apart(side, &region.cells) {
            let (first, apart) = (
                Place::of(region.cells[0].into(), side),
                Place::of(apart, side),
            );
            return Err(format!(
                "{} is in pieces: {apart} is apart from {first}",
                region.name
            ));
        }
    }
    Ok(regions)
}

/// A cell that no path through orthogonal neighbours joins to the first.
fn cell_apart(side: usize, cells: &[u16]) -> Option<usize> {
    let mut joined = vec![false; cells.len()];
    let mut open = vec![0];
    joined[0] = true;
    while let Some(from) = open.pop() {
        let a = Place::of(cells[from].into(), side);
        for to in 0..cells.len() {
            let b = Place::of(cells[to].into(), side);
            if !joined[to] && a.row.abs_diff(b.row) + a.column.abs_diff(b.column) == 1 {
                joined[to] = true;
                open.push(to);
            }
        }
    }
    let apart = joined.iter().position(|joined| !joined)?;
    Some(cells[apart].into())
}

fn diagonals(side: usize) -> [House; 2] {
    let falling = (0..side).map(|row| (row * side + row) as u16).collect();
    let rising = (0..side)
        .map(|row| (row * side + side - 1 - row) as u16)
        .collect();
    [(1, falling), (2, rising)].map(|(number, cells)| House {
        name: HouseName::Diagonal(number),
        cells,
    })
}

/// The (n-1)² windows of n by n cells in an n² by n² grid: a line of cells lies before, between and behind them.
fn windows(side: usize) -> Result<Vec<House>, String> {
    let n = side.isqrt();
    if n * n != side {
        return Err(format!(
            "{} has no windows; 4x4, 9x9, 16x16 and 25x25 have",
            a_puzzle(side)
        ));
    }
    let starts = || (0..n - 1).map(|index| 1 + index * (n + 1));
    let corners = starts().flat_map(|top| starts().map(move |left| (top, left)));
    let windows = corners.enumerate();
    Ok(windows
        .map(|(index, (top, left))| rectangle(side, HouseName::Window(index + 1), top, left, n, n))
        .collect())
}

/// Whether these divisions are the nine 3x3 boxes, in whatever order.
fn has_bands(side: usize, divisions: &[House]) -> bool {
    side == 9
        && divisions.iter().all(|house| {
            let corner = house.cells[0];
            let expected = rectangle(
                9,
                house.name,
                corner as usize / 9 / 3 * 3,
                corner as usize % 9 / 3 * 3,
                3,
                3,
            );
            house.cells == expected.cells
        })
}

/// All pairs of houses that share two cells or more, but for pairs of the first `covered`.
fn crossings(side: usize, houses: &[House], covered: usize) -> Vec<Crossing> {
    // A house as a set of cells, for quick intersections.
    let mut sets = vec![[0u64; MAX_SIDE * MAX_SIDE / 64 + 1]; houses.len()];
    for (set, house) in sets.iter_mut().zip(houses) {
        for &cell in &house.cells {
            set[usize::from(cell) / 64] |= 1 << (cell % 64);
        }
    }
    let has = |house: usize, cell: u16| sets[house][usize::from(cell) / 64] >> (cell % 64) & 1 == 1;
    let words = (side * side).div_ceil(64);
    let mut crossings = Vec::new();
    for b in covered.max(1)..houses.len() {
        for a in 0..b {
            let shared: u32 = (0..words)
                .map(|word| (sets[a][word] & sets[b][word]).count_ones())
                .sum();
            if shared < 2 || shared as usize == side {
                continue;
            }
            let (common, rest_a) = houses[a].cells.iter().partition(|&&cell| has(b, cell));
            let rest_b = houses[b]
                .cells
                .iter()
                .copied()
                .filter(|&cell| !has(a, cell))
                .collect();
            crossings.push(Crossing {
                houses: [a, b],
                common,
                rests: [rest_a, rest_b],
            });
        }
    }
    crossings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classic(side: usize) -> Rules {
        Rules::new(side, Shape::boxes_of(side).unwrap(), &Variants::default()).unwrap()
    }

    fn jigsaw(side: usize, labels: &str) -> Result<Rules, String> {
        let shape = Shape::Regions {
            labels: labels.as_bytes(),
            disconnected: false,
        };
        Rules::new(side, shape, &Variants::default())
    }

    #[test]
    fn every_house_holds_as_many_cells_as_digits_and_every_cell_a_row_a_column_and_a_box() {
        for side in [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25] {
            let rules = classic(side);
            assert!(
                rules.houses().iter().all(|house| house.cells.len() == side),
                "{side}"
            );
            assert!(
                rules
                    .houses_of_cells()
                    .iter()
                    .all(|houses| houses.len() == 3),
                "{side}"
            );
        }
    }

    #[test]
    fn boxes_of_a_six_by_six_are_two_rows_high() {
        let rules = classic(6);
        assert_eq!(rules.houses()[12].name, HouseName::Box(1));
        assert_eq!(rules.houses()[12].cells, [0, 1, 2, 6, 7, 8]);
        assert_eq!(rules.houses()[13].cells, [3, 4, 5, 9, 10, 11]);
    }

    #[test]
    fn windows_of_a_nine_lie_at_rows_and_columns_2_to_4_and_6_to_8() {
        let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &"window".parse().unwrap()).unwrap();
        let first: Vec<u16> = rules.houses()[27..]
            .iter()
            .map(|window| window.cells[0])
            .collect();
        assert_eq!(first, [10, 14, 46, 50]);
        assert_eq!(
            rules.houses()[30].cells,
            [50, 51, 52, 59, 60, 61, 68, 69, 70]
        );
    }

    #[test]
    fn windows_need_a_square_side() {
        let reason =
            Rules::new(6, Shape::boxes_of(6).unwrap(), &"window".parse().unwrap()).unwrap_err();
        assert_eq!(
            reason,
            "a 6x6 puzzle has no windows; 4x4, 9x9, 16x16 and 25x25 have"
        );
    }

    #[test]
    fn bands_are_found_from_the_cells_not_from_the_variant() {
        assert!(classic(9).has_bands());
        assert!(!classic(16).has_bands());
        let boxes = "000111222".repeat(3) + &"333444555".repeat(3) + &"666777888".repeat(3);
        assert!(jigsaw(9, &boxes).unwrap().has_bands());
        let other =
            "000122222000111222033331112003444411333345555664444577866655557888666777888886777";
        assert!(!jigsaw(9, other).unwrap().has_bands());
    }

    #[test]
    fn crossings_are_the_pairs_of_houses_that_share_two_cells() {
        // 3 rows and 3 columns for each of 9 boxes; none where bands stand for them.
        assert_eq!(classic(9).crossings().len(), 0);
        // Each 2x2 box of a 4x4 crosses two rows and two columns.
        let four = classic(4);
        assert_eq!(four.crossings().len(), 16);
        let crossing = &four.crossings()[0];
        assert_eq!(crossing.common, [0, 1]);
        assert_eq!(crossing.rests, [vec![2, 3], vec![4, 5]]);
    }

    #[test]
    fn a_layout_with_a_fault_is_told_with_label_count_or_cell() {
        let cases = [
            ("AABBAABBCCDDCCD", "15 region labels; a 4x4 puzzle has 16"),
            ("AABBAABBCCDDCCDE", "5 different region labels, 4 wanted"),
            ("AABBAABBCCDDCCCD", "region C has 5 cells, 4 wanted"),
            (
                "AABBABABCCDDCCDD",
                "region A is in pieces: r2c3 is apart from r1c1",
            ),
        ];
        for (labels, reason) in cases {
            assert_eq!(jigsaw(4, labels).unwrap_err(), reason, "{labels}");
        }
    }

    #[test]
    fn regions_may_lie_in_pieces_if_told_so() {
        let shape = Shape::Regions {
            labels: b"AABBABABCCDDCCDD",
            disconnected: true,
        };
        assert!(Rules::new(4, shape, &Variants::default()).is_ok());
    }

    #[test]
    fn variants_have_aliases_and_an_unknown_one_is_named() {
        assert_eq!("x,hyper".parse(), "diagonal,window".parse::<Variants>());
        assert_eq!(
            "classic,star".parse::<Variants>().unwrap_err(),
            "no variant is called 'star'; there are classic, diagonal, window, jigsaw"
        );
    }
}

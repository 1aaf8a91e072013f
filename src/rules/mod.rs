//! What a puzzle must obey, as data: houses, groups, pairs of cells, and the crossings between houses.

mod extra;
mod implied;
mod layout;
mod variants;

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

pub use layout::Shape;
use layout::{rectangle, rows_and_columns};
pub use variants::{Variant, Variants};

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
    /// Found when first asked for.
    implied: OnceLock<Vec<House>>,
    /// How many of the houses boxes and regions are.
    divisions: usize,
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
    /// By its place in the boxes, from 1.
    Disjoint(usize),
    Asterisk,
    CenterDot,
    Girandola,
    /// By its symbol.
    Extra(u8),
    Implied(usize),
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

impl Rules {
    /// The rules of a grid of `side` rows and columns, divided by `shape`, with what `variants` add.
    ///
    /// # Errors
    /// A sentence for the user: a layout with a fault (the label, the count or the cell is named), or a variant that
    /// makes no sense for this side.
    pub fn new(side: usize, shape: Shape<'_>, variants: &Variants) -> Result<Rules, String> {
        assert!((1..=MAX_SIDE).contains(&side), "sides are 1 to {MAX_SIDE}");
        let mut houses = rows_and_columns(side);
        houses.extend(shape.houses(side)?);
        let divisions = houses.len() - 2 * side;
        let mut pairs = Vec::new();
        for variant in variants.iter() {
            let boxes = shape.has_boxes().then(|| &houses[2 * side..3 * side]);
            houses.extend(variant.houses(side, boxes)?);
            pairs.extend(variant.pairs(side));
        }
        // Not where regions lie over the boxes: a line brings its own, and lanes can share regions, not bands.
        let banded = divisions == side && has_bands(side, &houses[2 * side..3 * side]);
        Ok(Rules {
            side,
            houses,
            groups: Vec::new(),
            pairs,
            crossings: OnceLock::new(),
            implied: OnceLock::new(),
            divisions,
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

    /// Houses that follow from those of the variants: what is left of whole rows or columns. For deductions alone, since
    /// who keeps all other rules keeps these.
    #[must_use]
    pub fn implied(&self) -> &[House] {
        self.implied
            .get_or_init(|| implied::houses(self.side, &self.houses[self.further()]))
    }

    /// The same, and what follows from regions that stand besides boxes: for whoever has a single layout before him.
    pub(crate) fn implied_by_regions_too(&self) -> Vec<House> {
        implied::houses(self.side, &self.houses[3 * self.side..])
    }

    /// The houses, by their index, that divide the grid beside rows and columns: the regions, or else the boxes.
    #[must_use]
    pub fn division(&self) -> Range<usize> {
        let end = 2 * self.side + self.divisions;
        end - self.side..end
    }

    /// The houses, by their index, that variants add to rows, columns, boxes and regions.
    #[must_use]
    pub fn further(&self) -> Range<usize> {
        self.division().end..self.houses.len()
    }

    /// Whether nothing is asked beyond rows, columns, boxes and regions.
    pub(crate) fn ask_no_more(&self) -> bool {
        self.further().is_empty() && self.groups.is_empty() && self.pairs.is_empty()
    }

    /// The houses that variants add, and those that follow from them.
    pub(crate) fn added_and_implied(&self) -> impl Iterator<Item = &House> {
        self.houses[self.further()].iter().chain(self.implied())
    }

    /// All houses but the regions, which each line may bring anew.
    pub(crate) fn common_houses(&self) -> impl Iterator<Item = &House> {
        let is_region = |house: &&House| matches!(house.name, HouseName::Region(_));
        self.houses.iter().filter(move |house| !is_region(house))
    }

    /// Whether there are regions, in place of boxes or besides them.
    #[must_use]
    pub fn has_regions(&self) -> bool {
        matches!(
            self.houses[self.division().start].name,
            HouseName::Region(_)
        )
    }

    /// Whether every house holds every digit, and no group or pair what it may not; `digits` has one of 1 to N for each
    /// cell.
    pub(crate) fn hold_for(&self, digits: &[u8]) -> bool {
        self.houses[..self.further().start]
            .iter()
            .all(|house| differ(digits, house))
            && self.further_hold_for(digits)
    }

    /// The same of what variants add to rows, columns, boxes and regions.
    pub(crate) fn further_hold_for(&self, digits: &[u8]) -> bool {
        let further = self.houses[self.further()].iter();
        further
            .chain(&self.groups)
            .all(|house| differ(digits, house))
            && self.pairs_hold_for(digits)
    }

    /// Whether no pair of cells holds digits that it may not.
    fn pairs_hold_for(&self, digits: &[u8]) -> bool {
        self.pairs.iter().fold(true, |hold, pair| {
            let [a, b] = pair.cells.map(|cell| digits[usize::from(cell)]);
            hold & !pair.relation.forbids(a, b)
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
            HouseName::Disjoint(n) => write!(f, "disjoint group {n}"),
            HouseName::Asterisk => write!(f, "asterisk"),
            HouseName::CenterDot => write!(f, "center-dot"),
            HouseName::Girandola => write!(f, "girandola"),
            HouseName::Extra(symbol) => write!(f, "extra {}", symbol.escape_ascii()),
            HouseName::Implied(n) => write!(f, "implied house {n}"),
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

    /// The cell in a grid of `side` columns.
    #[must_use]
    pub fn cell(self, side: usize) -> usize {
        (self.row - 1) * side + self.column - 1
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

/// Whether the cells of a house or group hold as many digits as there are cells.
fn differ(digits: &[u8], house: &House) -> bool {
    let bits = house
        .cells
        .iter()
        .map(|&cell| 1u32 << (digits[usize::from(cell)] - 1));
    bits.fold(0, |all, bit| all | bit).count_ones() as usize == house.cells.len()
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
            // Corners do not join.
            (
                "ABBBABCCADCCDADD",
                "region A is in pieces: r4c2 is apart from r1c1",
            ),
            (
                "BBBACCBACCDADDAD",
                "region A is in pieces: r4c3 is apart from r1c4",
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
            "no variant is called 'star'; there are classic, diagonal, window, jigsaw, regions, disjoint, asterisk, \
             center-dot, girandola, antiknight, antiking, nonconsecutive"
        );
    }

    fn rules_of(side: usize, variants: &str) -> Result<Rules, String> {
        Rules::new(
            side,
            Shape::boxes_of(side).unwrap(),
            &variants.parse().unwrap(),
        )
    }

    #[test]
    fn variants_that_contradict_each_other_are_refused_by_their_names() {
        for (list, reason) in [
            (
                "jigsaw,diagonal,regions",
                "jigsaw and regions contradict each other: regions stand in place of the boxes or besides them",
            ),
            (
                "disjoint,nonomino",
                "jigsaw and disjoint contradict each other: without boxes there are no places in boxes",
            ),
        ] {
            assert_eq!(list.parse::<Variants>().unwrap_err(), reason);
        }
        let both = Variants::default()
            .with(Variant::Regions)
            .with(Variant::Jigsaw);
        assert!(both.contradiction().is_some());
        for (_, variant) in Variant::NAMES {
            let alone = Variants::default().with(variant);
            assert_eq!(alone.contradiction(), None);
            assert_eq!(variant.name().parse(), Ok(alone));
        }
    }

    #[test]
    fn a_pattern_of_nine_cells_needs_a_nine() {
        for name in ["asterisk", "center-dot", "girandola"] {
            assert_eq!(
                rules_of(6, name).unwrap_err(),
                format!("a 6x6 puzzle has no {name}; 9x9 has")
            );
            let rules = rules_of(9, name).unwrap();
            let pattern = &rules.houses()[27..];
            assert_eq!((pattern.len(), pattern[0].cells.len()), (1, 9), "{name}");
            assert_eq!(pattern[0].name.to_string(), name);
        }
    }

    #[test]
    fn disjoint_groups_take_one_cell_of_each_box() {
        for side in [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25] {
            let rules = rules_of(side, "disjoint").unwrap();
            let groups = &rules.houses()[rules.further()];
            assert_eq!(groups.len(), side);
            for group in groups {
                let boxes = &rules.houses()[rules.division()];
                let is_met =
                    |house: &House| house.cells.iter().any(|cell| group.cells.contains(cell));
                assert!(boxes.iter().all(is_met), "{side} {}", group.name);
            }
        }
        let rules = rules_of(6, "disjoint").unwrap();
        assert_eq!(rules.houses()[19].name.to_string(), "disjoint group 2");
        assert_eq!(rules.houses()[19].cells, [1, 4, 13, 16, 25, 28]);
    }

    #[test]
    fn a_jigsaw_has_no_disjoint_groups_whoever_asks() {
        let shape = Shape::Regions {
            labels: b"AABBAABBCCDDCCDD",
            disconnected: false,
        };
        let disjoint = Variants::default().with(Variant::Disjoint);
        assert_eq!(
            Rules::new(4, shape, &disjoint).unwrap_err(),
            "without boxes there are no disjoint groups"
        );
    }

    #[test]
    fn pairs_are_as_many_as_there_are_moves() {
        for side in [4, 9, 16] {
            for (name, pairs) in [
                ("antiknight", 4 * (side - 1) * (side - 2)),
                ("antiking", 2 * (side - 1) * (side - 1)),
                ("nonconsecutive", 2 * side * (side - 1)),
            ] {
                let rules = rules_of(side, name).unwrap();
                assert_eq!(rules.pairs().len(), pairs, "{name} {side}");
                for pair in rules.pairs() {
                    let [a, b] = pair.cells.map(|cell| Place::of(cell.into(), side));
                    let mut step = [a.row.abs_diff(b.row), a.column.abs_diff(b.column)];
                    step.sort_unstable();
                    let expected = match pair.relation {
                        Relation::Knight => [1, 2],
                        Relation::King => [1, 1],
                        Relation::Neighbours => [0, 1],
                    };
                    assert_eq!(step, expected);
                    assert!(pair.cells[0] < pair.cells[1]);
                }
            }
        }
    }

    #[test]
    fn regions_besides_boxes_come_after_them_and_before_what_variants_add() {
        let labels = b"AAABCABBCCDBCDDD";
        let shape = Shape::boxes_of(4).unwrap().with_regions(labels, false);
        let rules = Rules::new(4, shape, &"diagonal,regions".parse().unwrap()).unwrap();
        let names: Vec<String> = rules.houses()[8..]
            .iter()
            .map(|house| house.name.to_string())
            .collect();
        let expected =
            "box 1,box 2,box 3,box 4,region A,region B,region C,region D,diagonal 1,diagonal 2";
        assert_eq!(names.join(","), expected);
        assert_eq!((rules.division(), rules.further()), (12..16, 16..18));
        let shape = Shape::boxes_of(4)
            .unwrap()
            .with_regions(&labels[1..], false);
        let reason = Rules::new(4, shape, &"regions".parse().unwrap()).unwrap_err();
        assert_eq!(reason, "15 region labels; a 4x4 puzzle has 16");
    }

    #[test]
    fn extra_groups_with_a_fault_are_told_with_symbol_or_count() {
        for (symbols, reason) in [
            ("A..A", "4 symbols of extra groups; a 4x4 puzzle has 16"),
            ("AAAAA...........", "extra A has 5 cells, 4 at most"),
            ("AA..,,..........", "',' cannot name an extra group"),
            ("AA..  ..........", "' ' cannot name an extra group"),
            ("AA..\t\t..........", "'\\t' cannot name an extra group"),
        ] {
            let rules = rules_of(4, "classic").unwrap();
            let told = rules.with_extra(symbols.as_bytes()).unwrap_err();
            assert_eq!(told, reason, "{symbols}");
        }
    }

    #[test]
    fn extra_groups_of_as_many_cells_as_digits_are_houses() {
        let rules = rules_of(4, "diagonal").unwrap();
        assert_eq!(rules.crossings().len(), 16 + 4);
        let rules = rules.with_extra(b"a...............").unwrap();
        assert!(
            rules.groups().is_empty(),
            "one cell alone differs from none"
        );
        let rules = rules_of(4, "diagonal").unwrap();
        let rules = rules.with_extra(b".AA.BAA....a.aBB").unwrap();
        assert_eq!(rules.houses()[14].name.to_string(), "extra A");
        assert_eq!(rules.houses()[14].cells, [1, 2, 5, 6]);
        let groups: Vec<&[u16]> = rules
            .groups()
            .iter()
            .map(|group| &group.cells[..])
            .collect();
        assert_eq!(groups, [&[4, 14, 15][..], &[11, 13]]);
        assert!(
            rules
                .crossings()
                .iter()
                .any(|crossing| crossing.houses[1] == 14)
        );
    }
}

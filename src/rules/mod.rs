//! The constraints of a puzzle as data: houses, groups, pairs of cells, and the crossings between houses. The
//! deductions are in `solver/` and `pencil/`.

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

/// The constraints of a grid of N rows, N columns and N digits.
///
/// Cells are numbered along the rows from 0. Build one value per layout and share it between puzzles.
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
    /// Computed on first use, because most layouts never need them.
    crossings: OnceLock<Vec<Crossing>>,
    /// Computed on first use.
    implied: OnceLock<Vec<House>>,
    /// Number of boxes and jigsaw regions. Their houses follow the rows and columns.
    region_count: usize,
    has_bands: bool,
}

/// N cells that hold each of the N digits once.
///
/// [`Rules::groups`] uses the same type for fewer than N cells, whose digits all differ.
#[derive(Debug)]
pub struct House {
    /// The name shown in messages.
    pub name: HouseName,
    /// The cells, in ascending order.
    pub cells: Vec<u16>,
}

/// Two cells that must not hold certain digits together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The cells, the lower number first.
    pub cells: [u16; 2],
    /// The geometric relation of the cells, which decides the forbidden digits.
    pub relation: Relation,
}

/// The geometric relation of two cells, and the constraint that follows from it.
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
    /// Returns true if two cells in this relation must not hold `a` and `b`.
    #[must_use]
    pub fn forbids(self, a: u8, b: u8) -> bool {
        match self {
            Relation::Knight | Relation::King => a == b,
            Relation::Neighbours => a.abs_diff(b) == 1,
        }
    }
}

/// The name of a house, displayed as `row 3` or `region D`. Numbers count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum HouseName {
    Row(usize),
    Column(usize),
    Box(usize),
    /// The region's label in the layout.
    Region(u8),
    Diagonal(usize),
    Window(usize),
    /// The position of its cells within their boxes.
    Disjoint(usize),
    Asterisk,
    CenterDot,
    Girandola,
    /// The symbol of a group from `--extra`.
    Extra(u8),
    Implied(usize),
}

/// Two houses that share at least two cells, but not all.
///
/// Locked candidates apply here: if one house can hold a digit only in `common`, the other house cannot hold that digit
/// outside `common`.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// Indices of the two houses.
    pub houses: [usize; 2],
    /// The shared cells.
    pub common: Vec<u16>,
    /// The cells of each house that the other house does not have.
    pub rests: [Vec<u16>; 2],
}

impl Rules {
    /// Builds the rules of a grid with `side` rows and columns, the boxes or regions of `shape`, and the constraints of
    /// `variants`.
    ///
    /// # Errors
    /// Returns a message for the user if the layout is invalid or if a variant does not exist for this side. The
    /// message names the label, count or cell at fault.
    ///
    /// # Panics
    /// Panics if `side` is not in `1..=MAX_SIDE`.
    pub fn new(side: usize, shape: Shape<'_>, variants: &Variants) -> Result<Rules, String> {
        assert!((1..=MAX_SIDE).contains(&side), "sides are 1 to {MAX_SIDE}");
        let mut houses = rows_and_columns(side);
        houses.extend(shape.houses(side)?);
        let region_count = houses.len() - 2 * side;
        let mut pairs = Vec::new();
        for variant in variants.iter() {
            let boxes = shape.has_boxes().then(|| &houses[2 * side..3 * side]);
            houses.extend(variant.houses(side, boxes)?);
            pairs.extend(variant.pairs(side));
        }
        // Grids with both boxes and jigsaw regions go to the solver for regions: each line can have its own layout.
        let has_bands = region_count == side && are_nine_boxes(side, &houses[2 * side..3 * side]);
        Ok(Rules {
            side,
            houses,
            groups: Vec::new(),
            pairs,
            crossings: OnceLock::new(),
            implied: OnceLock::new(),
            region_count,
            has_bands,
        })
    }

    /// Returns N, the number of rows, columns and digits.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// Returns the number of cells, N².
    #[must_use]
    pub fn cells(&self) -> usize {
        self.side * self.side
    }

    /// Returns all houses: N rows, N columns, N boxes, N jigsaw regions, then the houses of the variants.
    ///
    /// A grid without boxes or without jigsaw regions skips them.
    #[must_use]
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// Returns the groups: sets of fewer than N cells whose digits all differ. The cells of a group ascend.
    #[must_use]
    pub fn groups(&self) -> &[House] {
        &self.groups
    }

    /// Returns the pairs of cells that must not hold certain digits together.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns the pairs of houses where locked candidates apply.
    ///
    /// If [`Rules::has_bands`] is true, the list omits crossings among rows, columns and boxes, because the band solver
    /// handles them itself.
    #[must_use]
    pub fn crossings(&self) -> &[Crossing] {
        self.crossings.get_or_init(|| {
            let omitted = if self.has_bands { 3 * self.side } else { 0 };
            crossings(self.side, &self.houses, omitted)
        })
    }

    /// Returns the houses that follow from the houses of the variants.
    ///
    /// A grid that satisfies all other rules satisfies these too, so only deductions need them.
    #[must_use]
    pub fn implied(&self) -> &[House] {
        self.implied
            .get_or_init(|| implied::houses(self.side, &self.houses[self.extra_houses()]))
    }

    /// Returns the houses that follow from the houses of the variants and from jigsaw regions in addition to boxes.
    ///
    /// Only valid for the layout of these rules. Lanes with layouts of their own need [`Rules::implied`].
    pub(crate) fn implied_with_regions(&self) -> Vec<House> {
        implied::houses(self.side, &self.houses[3 * self.side..])
    }

    /// Returns the indices of the N jigsaw regions, or of the N boxes if there are no jigsaw regions.
    #[must_use]
    pub fn regions(&self) -> Range<usize> {
        let end = 2 * self.side + self.region_count;
        end - self.side..end
    }

    /// Returns the indices of the extra houses: all except rows, columns, boxes and jigsaw regions.
    #[must_use]
    pub fn extra_houses(&self) -> Range<usize> {
        self.regions().end..self.houses.len()
    }

    /// Returns true if rows, columns, boxes and jigsaw regions are the only constraints.
    pub(crate) fn has_no_extra_constraints(&self) -> bool {
        self.extra_houses().is_empty() && self.groups.is_empty() && self.pairs.is_empty()
    }

    /// Returns the extra houses, then the houses that follow from them.
    pub(crate) fn extra_and_implied_houses(&self) -> impl Iterator<Item = &House> {
        self.houses[self.extra_houses()]
            .iter()
            .chain(self.implied())
    }

    /// Returns all houses except jigsaw regions. Every line shares them; the jigsaw regions can differ from line to
    /// line.
    pub(crate) fn houses_without_regions(&self) -> impl Iterator<Item = &House> {
        let is_region = |house: &&House| matches!(house.name, HouseName::Region(_));
        self.houses.iter().filter(move |house| !is_region(house))
    }

    /// Returns true if there are jigsaw regions, with or without boxes.
    #[must_use]
    pub fn has_regions(&self) -> bool {
        matches!(self.houses[self.regions().start].name, HouseName::Region(_))
    }

    /// Returns true if a full grid satisfies all houses, groups and pairs. `digits` holds one digit from 1 to N per
    /// cell.
    pub(crate) fn hold_for(&self, digits: &[u8]) -> bool {
        let mut sets = self.houses.iter().chain(&self.groups);
        sets.all(|set| all_differ(digits, set)) && self.pairs_hold_for(digits)
    }

    /// Returns true if no pair of cells holds two digits that the pair forbids.
    fn pairs_hold_for(&self, digits: &[u8]) -> bool {
        self.pairs.iter().fold(true, |hold, pair| {
            let [a, b] = pair.cells.map(|cell| digits[usize::from(cell)]);
            hold & !pair.relation.forbids(a, b)
        })
    }

    /// Returns true if the grid is a 9x9 whose only regions are the nine 3x3 boxes, so that it divides into bands and
    /// stacks.
    #[must_use]
    pub fn has_bands(&self) -> bool {
        self.has_bands
    }

    /// Returns, for each cell, the indices of the houses that contain it.
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

/// A cell as shown to people, `r4c5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The row, from 1.
    pub row: usize,
    /// The column, from 1.
    pub column: usize,
}

impl Place {
    /// Returns the row and column of `cell` in a grid with `side` columns.
    #[must_use]
    pub fn of(cell: usize, side: usize) -> Place {
        Place {
            row: cell / side + 1,
            column: cell % side + 1,
        }
    }

    /// Returns the number of the cell in a grid with `side` columns.
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

/// Formats a side with its article: `a 9x9 puzzle`, `an 8x8 puzzle`.
pub(crate) fn a_puzzle(side: usize) -> String {
    let article = if matches!(side, 8 | 11 | 18) {
        "an"
    } else {
        "a"
    };
    format!("{article} {side}x{side} puzzle")
}

/// Formats a number with its noun: `1 cell`, `2 cells`.
pub(crate) fn pluralize(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns true if no two cells of a house or group hold the same digit.
fn all_differ(digits: &[u8], house: &House) -> bool {
    let bits = house
        .cells
        .iter()
        .map(|&cell| 1u32 << (digits[usize::from(cell)] - 1));
    bits.fold(0, |all, bit| all | bit).count_ones() as usize == house.cells.len()
}

/// Returns true if the regions are the nine 3x3 boxes of a 9x9, in any order.
fn are_nine_boxes(side: usize, regions: &[House]) -> bool {
    side == 9
        && regions.iter().all(|region| {
            let first = usize::from(region.cells[0]);
            let (top, left) = (first / 9 / 3 * 3, first % 9 / 3 * 3);
            region.cells == rectangle(9, region.name, top, left, 3, 3).cells
        })
}

/// Finds all pairs of houses that share at least two cells, except pairs among the first `omitted` houses.
fn crossings(side: usize, houses: &[House], omitted: usize) -> Vec<Crossing> {
    // One bit set of cells per house, for fast intersections.
    let mut sets = vec![[0u64; MAX_SIDE * MAX_SIDE / 64 + 1]; houses.len()];
    for (set, house) in sets.iter_mut().zip(houses) {
        for &cell in &house.cells {
            set[usize::from(cell) / 64] |= 1 << (cell % 64);
        }
    }
    let has = |house: usize, cell: u16| sets[house][usize::from(cell) / 64] >> (cell % 64) & 1 == 1;
    let words = (side * side).div_ceil(64);
    let mut crossings = Vec::new();
    for b in omitted.max(1)..houses.len() {
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
    fn houses_have_n_cells_and_cells_have_a_row_a_column_and_a_box() {
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
    fn boxes_of_a_6x6_are_two_rows_high() {
        let rules = classic(6);
        assert_eq!(rules.houses()[12].name, HouseName::Box(1));
        assert_eq!(rules.houses()[12].cells, [0, 1, 2, 6, 7, 8]);
        assert_eq!(rules.houses()[13].cells, [3, 4, 5, 9, 10, 11]);
    }

    #[test]
    fn windows_of_a_9x9_cover_rows_and_columns_2_to_4_and_6_to_8() {
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
            "a 6x6 puzzle has no windows; only 4x4, 9x9, 16x16 and 25x25 puzzles have them"
        );
    }

    #[test]
    fn jigsaw_regions_equal_to_the_boxes_form_bands() {
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
        // A grid with bands lists no crossings among rows, columns and boxes.
        assert_eq!(classic(9).crossings().len(), 0);
        // Each 2x2 box of a 4x4 crosses two rows and two columns.
        let four = classic(4);
        assert_eq!(four.crossings().len(), 16);
        let crossing = &four.crossings()[0];
        assert_eq!(crossing.common, [0, 1]);
        assert_eq!(crossing.rests, [vec![2, 3], vec![4, 5]]);
    }

    #[test]
    fn layout_errors_name_the_label_the_count_or_the_cell() {
        let cases = [
            ("AABBAABBCCDDCCD", "15 region labels; a 4x4 puzzle has 16"),
            ("AABBAABBCCDDCCDE", "5 different region labels instead of 4"),
            ("AABBAABBCCDDCCCD", "region C has 5 cells instead of 4"),
            (
                "AABBABABCCDDCCDD",
                "region A is not connected: r2c3 is apart from r1c1 (--disconnected allows this)",
            ),
            // Cells that touch only at a corner are not connected.
            (
                "ABBBABCCADCCDADD",
                "region A is not connected: r4c2 is apart from r1c1 (--disconnected allows this)",
            ),
            (
                "BBBACCBACCDADDAD",
                "region A is not connected: r4c3 is apart from r1c4 (--disconnected allows this)",
            ),
        ];
        for (labels, reason) in cases {
            assert_eq!(jigsaw(4, labels).unwrap_err(), reason, "{labels}");
        }
    }

    #[test]
    fn disconnected_regions_are_accepted_on_request() {
        let shape = Shape::Regions {
            labels: b"AABBABABCCDDCCDD",
            disconnected: true,
        };
        assert!(Rules::new(4, shape, &Variants::default()).is_ok());
    }

    #[test]
    fn variants_have_aliases_and_errors_name_unknown_variants() {
        assert_eq!("x,hyper".parse(), "diagonal,window".parse::<Variants>());
        assert_eq!(
            "classic,star".parse::<Variants>().unwrap_err(),
            "unknown variant 'star'; the variants are classic, diagonal, window, jigsaw, regions, disjoint, asterisk, \
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
    fn contradictory_variants_are_rejected_by_name() {
        for (list, reason) in [
            (
                "jigsaw,diagonal,regions",
                "jigsaw and regions cannot be combined: jigsaw regions replace the boxes, regions are additional to them",
            ),
            (
                "disjoint,nonomino",
                "jigsaw and disjoint cannot be combined: disjoint needs boxes, and jigsaw replaces them",
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
    fn nine_cell_patterns_need_a_9x9() {
        for name in ["asterisk", "center-dot", "girandola"] {
            assert_eq!(
                rules_of(6, name).unwrap_err(),
                format!("a 6x6 puzzle has no {name}; only 9x9 puzzles have one")
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
            let groups = &rules.houses()[rules.extra_houses()];
            assert_eq!(groups.len(), side);
            for group in groups {
                let boxes = &rules.houses()[rules.regions()];
                let meets_group =
                    |house: &House| house.cells.iter().any(|cell| group.cells.contains(cell));
                assert!(boxes.iter().all(meets_group), "{side} {}", group.name);
            }
        }
        let rules = rules_of(6, "disjoint").unwrap();
        assert_eq!(rules.houses()[19].name.to_string(), "disjoint group 2");
        assert_eq!(rules.houses()[19].cells, [1, 4, 13, 16, 25, 28]);
    }

    #[test]
    fn a_jigsaw_without_boxes_has_no_disjoint_groups() {
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
    fn pairs_cover_every_move_once() {
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
    fn houses_are_ordered_boxes_then_regions_then_variants() {
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
        assert_eq!((rules.regions(), rules.extra_houses()), (12..16, 16..18));
        let shape = Shape::boxes_of(4)
            .unwrap()
            .with_regions(&labels[1..], false);
        let reason = Rules::new(4, shape, &"regions".parse().unwrap()).unwrap_err();
        assert_eq!(reason, "15 region labels; a 4x4 puzzle has 16");
    }

    #[test]
    fn extra_group_errors_name_the_symbol_or_the_count() {
        for (symbols, reason) in [
            (
                "A..A",
                "4 symbols for the extra groups; a 4x4 puzzle has 16 cells",
            ),
            ("AAAAA...........", "extra A has 5 cells; the limit is 4"),
            ("AA..,,..........", "',' cannot name an extra group"),
            ("AA..  ..........", "' ' cannot name an extra group"),
            ("AA..\t\t..........", "'\\t' cannot name an extra group"),
        ] {
            let rules = rules_of(4, "classic").unwrap();
            let error = rules.with_extra(symbols.as_bytes()).unwrap_err();
            assert_eq!(error, reason, "{symbols}");
        }
    }

    #[test]
    fn extra_groups_of_n_cells_are_houses() {
        let rules = rules_of(4, "diagonal").unwrap();
        assert_eq!(rules.crossings().len(), 16 + 4);
        let rules = rules.with_extra(b"a...............").unwrap();
        assert!(
            rules.groups().is_empty(),
            "a group of one cell constrains nothing"
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

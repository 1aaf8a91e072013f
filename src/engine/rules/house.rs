//! Houses and groups: sets of cells whose digits all differ, and their names in messages. They are
//! built in `layout.rs`, `variant_constraints.rs`, `extra.rs`, `implied.rs` and `cage.rs`.

use std::fmt;

use super::cell_set::{CellSet, is_symmetric};
use super::pair::{ForbiddenDigits, Pair};
use super::place::Place;

/// N cells that hold each of the N digits once.
///
/// [`Rules::groups`](super::Rules::groups) and [`Cage`](super::Cage) use the same type for at most
/// N cells whose digits all differ.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// let rules = sudoku_filter::Rules::classic();
/// assert_eq!(rules.houses()[1].cells, [9, 10, 11, 12, 13, 14, 15, 16, 17]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct House {
    /// The name shown in messages.
    #[doc(hidden)]
    pub name: HouseName,
    /// The cells, in ascending order.
    pub cells: Vec<u16>,
}

impl House {
    pub(crate) fn cell_set<const WORDS: usize>(&self) -> CellSet<WORDS> {
        self.cells.iter().copied().collect()
    }

    pub(crate) fn is_of_side(&self, side: usize) -> bool {
        self.cells.len() == side && self.cells.is_sorted_by(|a, b| a < b)
    }

    /// `digits` is a full grid.
    pub(crate) fn all_differ(&self, digits: &[u8]) -> bool {
        let digits = self.cells.iter().map(|&cell| digits[usize::from(cell)]);
        let held = digits.fold(0u32, |held, digit| held | 1 << (digit - 1));
        held.count_ones() as usize == self.cells.len()
    }
}

/// The name of a house, group or cage, displayed as `row 3` or `region D`, for example. Numbers
/// count from 1.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::Rules;
///
/// let names: Vec<String> = Rules::classic().houses().iter().map(|house| house.name.to_string()).collect();
/// assert_eq!([&names[0], &names[26]], ["row 1", "box 9"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[non_exhaustive]
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
    /// The first cell of a cage.
    Cage(Place),
    Implied(usize),
}

impl HouseName {
    pub(crate) fn is_row_or_column(self) -> bool {
        matches!(self, HouseName::Row(_) | HouseName::Column(_))
    }

    pub(crate) fn is_region(self) -> bool {
        matches!(self, HouseName::Box(_)) || self.is_jigsaw_region()
    }

    pub(crate) fn is_jigsaw_region(self) -> bool {
        matches!(self, HouseName::Region(_))
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
            HouseName::Cage(first) => write!(f, "cage at {first}"),
            HouseName::Implied(n) => write!(f, "implied house {n}"),
        }
    }
}

/// Peers share one of `houses_and_groups`, or must differ because of one of `pairs`.
pub(crate) fn peers_of_cells<'a, const WORDS: usize>(
    cells: usize,
    houses_and_groups: impl Iterator<Item = &'a House>,
    pairs: &[Pair],
) -> Vec<CellSet<WORDS>> {
    let mut peers = vec![CellSet::default(); cells];
    for house in houses_and_groups {
        let set = house.cell_set();
        for &cell in &house.cells {
            let peers = &mut peers[usize::from(cell)];
            *peers = peers.union(&set);
        }
    }
    let must_differ = |pair: &&Pair| pair.relation.forbidden_digits() == ForbiddenDigits::Equal;
    for pair in pairs.iter().filter(must_differ) {
        let [a, b] = pair.cells;
        peers[usize::from(a)].insert(b);
        peers[usize::from(b)].insert(a);
    }
    for (cell, peers) in (0..).zip(&mut peers) {
        peers.remove(cell);
    }
    debug_assert!(is_symmetric(&peers));
    peers
}

/// Returns the ascending indices of the houses (or groups, or cages) of each cell.
pub(crate) fn houses_of_cells<'a>(
    cells: usize,
    houses: impl Iterator<Item = &'a House>,
) -> Vec<Vec<u16>> {
    let mut houses_of = vec![Vec::new(); cells];
    for (index, house) in (0..).zip(houses) {
        for &cell in &house.cells {
            houses_of[usize::from(cell)].push(index);
        }
    }
    houses_of
}

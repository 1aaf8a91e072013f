//! The reasons why rules cannot be built.

use std::error::Error;
use std::fmt;

use super::cage::MAX_KILLER_SIDE;
use super::house::HouseName;
use super::place::{Place, a_puzzle, pluralize};
use super::variants::Variant;

/// The reason why [`Rules`](super::Rules) cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesError {
    /// A layout does not have a label for each cell.
    NumberOfLabels {
        /// The number of labels.
        labels: usize,
        /// The side of the grid.
        side: usize,
    },
    /// A layout has more regions than the grid has digits.
    NumberOfRegions {
        /// The number of regions.
        regions: usize,
        /// The side of the grid.
        side: usize,
    },
    /// A region does not have one cell for each digit.
    SizeOfRegion {
        /// The region.
        region: HouseName,
        /// The number of its cells.
        cells: usize,
        /// The side of the grid.
        side: usize,
    },
    /// Two cells of a region are not connected by orthogonal neighbours within it.
    NotConnected {
        /// The region.
        region: HouseName,
        /// The first cell of the region.
        first: Place,
        /// A cell that is not connected to the first.
        apart: Place,
    },
    /// The variant does not exist for grids of this side.
    NoSuchVariant {
        /// The variant.
        variant: Variant,
        /// The side of the grid.
        side: usize,
    },
    /// Disjoint groups need boxes.
    NoBoxes,
    /// The extra groups do not have a symbol for each cell.
    NumberOfSymbols {
        /// The number of symbols.
        symbols: usize,
        /// The side of the grid.
        side: usize,
    },
    /// A byte cannot name an extra group.
    NotAGroupName(u8),
    /// An extra group has more cells than there are digits.
    SizeOfGroup {
        /// The group.
        group: HouseName,
        /// The number of its cells.
        cells: usize,
        /// The side of the grid.
        side: usize,
    },
    /// Grids of this side cannot have cages.
    NoCages(usize),
    /// A cage has more cells than there are digits.
    SizeOfCage {
        /// The first cell of the cage.
        first: Place,
        /// The number of its cells.
        cells: usize,
        /// The side of the grid.
        side: usize,
    },
    /// The digits of a cage cannot add up to its sum.
    SumOfCage {
        /// The first cell of the cage.
        first: Place,
        /// The number of its cells.
        cells: usize,
        /// The sum.
        sum: usize,
        /// The least possible sum.
        least: usize,
        /// The greatest possible sum.
        most: usize,
    },
    /// A cell is in two cages.
    InTwoCages(Place),
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            RulesError::NumberOfLabels { labels, side } => {
                let (labels, cells) = (pluralize(labels, "region label"), side * side);
                write!(f, "{labels}; {} has {cells}", a_puzzle(side))
            }
            RulesError::NumberOfRegions { regions, side } => {
                write!(f, "{regions} different region labels instead of {side}")
            }
            RulesError::SizeOfRegion {
                region,
                cells,
                side,
            } => write!(
                f,
                "{region} has {} instead of {side}",
                pluralize(cells, "cell")
            ),
            RulesError::NotConnected {
                region,
                first,
                apart,
            } => write!(
                f,
                "{region} is not connected: {apart} is apart from {first} (--disconnected allows this)"
            ),
            RulesError::NoSuchVariant {
                variant: Variant::Window,
                side,
            } => write!(
                f,
                "{} has no windows; only 4x4, 9x9, 16x16 and 25x25 puzzles have them",
                a_puzzle(side)
            ),
            RulesError::NoSuchVariant { variant, side } => write!(
                f,
                "{} has no {}; only 9x9 puzzles have one",
                a_puzzle(side),
                variant.name()
            ),
            RulesError::NoBoxes => f.write_str("without boxes there are no disjoint groups"),
            RulesError::NumberOfSymbols { symbols, side } => {
                let (symbols, cells) = (pluralize(symbols, "symbol"), side * side);
                let puzzle = a_puzzle(side);
                write!(
                    f,
                    "{symbols} for the extra groups; {puzzle} has {cells} cells"
                )
            }
            RulesError::NotAGroupName(symbol) => {
                write!(f, "'{}' cannot name an extra group", symbol.escape_ascii())
            }
            RulesError::SizeOfGroup { group, cells, side } => {
                write!(f, "{group} has {cells} cells; the limit is {side}")
            }
            RulesError::NoCages(side) => write!(
                f,
                "{} cannot have cages; the largest killer is {MAX_KILLER_SIDE}x{MAX_KILLER_SIDE}",
                a_puzzle(side)
            ),
            RulesError::SizeOfCage { first, cells, side } => {
                write!(f, "cage at {first} has {cells} cells; the limit is {side}")
            }
            RulesError::SumOfCage {
                first,
                cells: 1,
                sum,
                most,
                ..
            } => write!(f, "cage at {first}: a digit from 1 to {most} is not {sum}"),
            RulesError::SumOfCage {
                first,
                cells,
                sum,
                least,
                most,
            } => {
                let sums = match least == most {
                    true => least.to_string(),
                    false => format!("{least} to {most}"),
                };
                write!(
                    f,
                    "cage at {first}: {cells} different digits add up to {sums}, not {sum}"
                )
            }
            RulesError::InTwoCages(place) => write!(f, "{place} is in two cages"),
        }
    }
}

impl Error for RulesError {}

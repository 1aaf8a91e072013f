//! One step of a human solution, and its text. The other modules of this folder find the patterns.

use std::fmt::Write;

use super::paper::digits_of;
use super::tables::Tables;
use super::technique::Technique;
use super::technique::Technique::{HiddenSingle, LockedCandidates, NakedSingle, XyWing};
use crate::rules::{HouseName, Place};

/// A pattern that a technique found. Houses are indices, digits count from 0, sets have one bit per member.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pattern {
    NakedSingle {
        cell: u16,
        digit: u8,
    },
    HiddenSingle {
        cell: u16,
        digit: u8,
        house: usize,
    },
    Locked {
        /// The house that can hold the digit only in the shared cells.
        confining: usize,
        /// The house that loses the digit outside the shared cells.
        target: usize,
    },
    Subset {
        technique: Technique,
        house: usize,
        /// Cells, by their position in the house.
        positions: u32,
        digits: u32,
    },
    Fish {
        technique: Technique,
        digit: u8,
        /// True if the base sets are rows and the cover sets columns.
        base_is_rows: bool,
        base: u32,
        cover: u32,
    },
    XyWing {
        /// The pivot first.
        cells: [u16; 3],
    },
}

impl Pattern {
    pub(super) fn technique(self) -> Technique {
        match self {
            Pattern::NakedSingle { .. } => NakedSingle,
            Pattern::HiddenSingle { .. } => HiddenSingle,
            Pattern::Locked { .. } => LockedCandidates,
            Pattern::Subset { technique, .. } | Pattern::Fish { technique, .. } => technique,
            Pattern::XyWing { .. } => XyWing,
        }
    }

    /// Returns the cell that the step fills in and its digit, counted from 0.
    pub(super) fn placement(self) -> Option<(u16, u8)> {
        match self {
            Pattern::NakedSingle { cell, digit } | Pattern::HiddenSingle { cell, digit, .. } => {
                Some((cell, digit))
            }
            _ => None,
        }
    }
}

/// One application of one technique: a digit placed, or candidates removed.
///
/// [`Step::text`] formats it as one line: the pattern, then the candidates removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The technique applied.
    pub technique: Technique,
    /// The cell filled in and its digit, counted from 1.
    pub placement: Option<(u16, u8)>,
    /// The candidates removed: cells, each with a digit counted from 1.
    ///
    /// Empty for a placement: updating the candidates of its peers is not a step.
    pub removals: Vec<(u16, u8)>,
    side: usize,
    location: Location,
}

/// The location of a pattern in the grid, with the names that [`Step::text`] prints. Digits count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Location {
    Cell,
    House(HouseName),
    /// The confining house, which can hold a digit only in the shared cells, then the house that loses candidates.
    Crossing(HouseName, HouseName),
    Subset {
        house: HouseName,
        cells: Vec<u16>,
        digits: Vec<u8>,
    },
    Fish {
        digit: u8,
        /// `rows` and `columns`, the base sets first.
        names: [&'static str; 2],
        /// The base and the cover sets: bit i for row or column i.
        sets: [u32; 2],
    },
    Wing([u16; 3]),
}

impl Step {
    pub(super) fn new(tables: &Tables, pattern: Pattern, eliminations: &[(u16, u32)]) -> Step {
        let removals = eliminations.iter().flat_map(|&(cell, set)| {
            let digits = digits_of(set);
            digits.map(move |digit| (cell, digit as u8 + 1))
        });
        let placement = pattern.placement();
        Step {
            technique: pattern.technique(),
            placement: placement.map(|(cell, digit)| (cell, digit + 1)),
            removals: match placement {
                Some(_) => Vec::new(),
                None => removals.collect(),
            },
            side: tables.side,
            location: Location::new(tables, pattern),
        }
    }

    /// Formats the step as one line. `symbol` converts a digit, counted from 1, to its character.
    ///
    /// ```text
    /// r4c5=7 naked-single
    /// r4c5=7 hidden-single row 4
    /// locked-candidates box 2 row 1: r1c8-3
    /// naked-pair row 3 r3c1 r3c4 12: r3c5-1 r3c5-2
    /// x-wing 5 rows 2 7 columns 3 8: r4c3-5
    /// xy-wing r1c1 r1c5 r4c1: r4c5-3
    /// ```
    ///
    /// The pivot of an xy-wing, which sees both other cells, comes first.
    #[must_use]
    pub fn text(&self, symbol: impl Fn(u8) -> char) -> String {
        let place = |cell: u16| Place::of(cell.into(), self.side);
        let mut text = String::new();
        if let Some((cell, digit)) = self.placement {
            text = format!("{}={} ", place(cell), symbol(digit));
        }
        text += self.technique.name();
        // Writing to a string cannot fail.
        let mut add = |part: std::fmt::Arguments<'_>| _ = text.write_fmt(part);
        match &self.location {
            Location::Cell => {}
            Location::House(house) => add(format_args!(" {house}")),
            Location::Crossing(confining, target) => {
                add(format_args!(" {confining} {target}"));
            }
            Location::Subset {
                house,
                cells,
                digits,
            } => {
                add(format_args!(" {house}"));
                cells
                    .iter()
                    .for_each(|&cell| add(format_args!(" {}", place(cell))));
                add(format_args!(" "));
                digits
                    .iter()
                    .for_each(|&digit| add(format_args!("{}", symbol(digit))));
            }
            Location::Fish { digit, names, sets } => {
                add(format_args!(" {}", symbol(*digit)));
                for (name, &set) in names.iter().zip(sets) {
                    add(format_args!(" {name}"));
                    digits_of(set).for_each(|index| add(format_args!(" {}", index + 1)));
                }
            }
            Location::Wing(cells) => cells
                .iter()
                .for_each(|&cell| add(format_args!(" {}", place(cell)))),
        }
        for (index, &(cell, digit)) in self.removals.iter().enumerate() {
            let colon = if index == 0 { ":" } else { "" };
            add(format_args!("{colon} {}-{}", place(cell), symbol(digit)));
        }
        text
    }
}

impl Location {
    fn new(tables: &Tables, pattern: Pattern) -> Location {
        match pattern {
            Pattern::NakedSingle { .. } => Location::Cell,
            Pattern::HiddenSingle { house, .. } => Location::House(tables.names[house]),
            Pattern::Locked { confining, target } => {
                Location::Crossing(tables.names[confining], tables.names[target])
            }
            Pattern::Subset {
                house,
                positions,
                digits,
                ..
            } => {
                let house_cells = tables.cells_of.of(house);
                Location::Subset {
                    house: tables.names[house],
                    cells: digits_of(positions)
                        .map(|position| house_cells[position])
                        .collect(),
                    digits: digits_of(digits).map(|digit| digit as u8 + 1).collect(),
                }
            }
            Pattern::Fish {
                digit,
                base_is_rows,
                base,
                cover,
                ..
            } => Location::Fish {
                digit: digit + 1,
                names: if base_is_rows {
                    ["rows", "columns"]
                } else {
                    ["columns", "rows"]
                },
                sets: [base, cover],
            },
            Pattern::XyWing { cells } => Location::Wing(cells),
        }
    }
}

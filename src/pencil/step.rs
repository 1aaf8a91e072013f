//! One step of a person's way, and how it is told.

use std::fmt::Write;

use super::Technique::{self, HiddenSingle, LockedCandidates, NakedSingle, XyWing};
use super::paper::digits_of;
use super::tables::Tables;
use crate::rules::{HouseName, Place};

/// What was found: houses by their index, digits from 0, sets with a bit a member.
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
        house: usize,
        loser: usize,
    },
    Subset {
        technique: Technique,
        house: usize,
        positions: u32,
        digits: u32,
    },
    Fish {
        technique: Technique,
        digit: u8,
        /// The first row or column.
        base: usize,
        lines: u32,
        cover: u32,
    },
    XyWing {
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

    /// The cell it fills in, and the digit, from 0.
    pub(super) fn placement(self) -> Option<(u16, u8)> {
        match self {
            Pattern::NakedSingle { cell, digit } | Pattern::HiddenSingle { cell, digit, .. } => {
                Some((cell, digit))
            }
            _ => None,
        }
    }
}

/// One application of one technique.
///
/// [`Step::text`] tells it in a line: what is found, then what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// By which technique.
    pub technique: Technique,
    /// The cell that is filled in, and its digit.
    pub placement: Option<(u16, u8)>,
    /// The candidates that are removed: cells, each with a digit. Of a placement none: what its peers lose is no step.
    pub removals: Vec<(u16, u8)>,
    side: usize,
    seen: Seen,
}

/// Where a pattern was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    InCell,
    InHouse(HouseName),
    BetweenHouses(HouseName, HouseName),
    InCells(HouseName, Vec<u16>, Vec<u8>),
    /// The digit, what its lines are, which they are and which they cross, from 0.
    InLines(u8, [&'static str; 2], [u32; 2]),
    Wing([u16; 3]),
}

impl Step {
    pub(super) fn new(tables: &Tables, pattern: Pattern, losses: &[(u16, u32)]) -> Step {
        let removals = losses.iter().flat_map(|&(cell, set)| {
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
            seen: Seen::new(tables, pattern),
        }
    }

    /// The step as people are told it, each digit written by `symbol`.
    ///
    /// `r4c5=7 naked-single`, `r4c5=7 hidden-single row 4`, `locked-candidates box 2 row 1: r1c8-3`,
    /// `naked-pair row 3 r3c1 r3c4 12: r3c5-1 r3c5-2`, `x-wing 5 rows 2 7 columns 3 8: r4c3-5`,
    /// `xy-wing r1c1 r1c5 r4c1: r4c5-3`: of an xy-wing the cell that sees both others comes first.
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
        match &self.seen {
            Seen::InCell => {}
            Seen::InHouse(house) => add(format_args!(" {house}")),
            Seen::BetweenHouses(house, loser) => add(format_args!(" {house} {loser}")),
            Seen::InCells(house, cells, digits) => {
                add(format_args!(" {house}"));
                cells
                    .iter()
                    .for_each(|&cell| add(format_args!(" {}", place(cell))));
                add(format_args!(" "));
                digits
                    .iter()
                    .for_each(|&digit| add(format_args!("{}", symbol(digit))));
            }
            Seen::InLines(digit, names, lines) => {
                add(format_args!(" {}", symbol(*digit)));
                for (name, &lines) in names.iter().zip(lines) {
                    add(format_args!(" {name}"));
                    digits_of(lines).for_each(|line| add(format_args!(" {}", line + 1)));
                }
            }
            Seen::Wing(cells) => cells
                .iter()
                .for_each(|&cell| add(format_args!(" {}", place(cell)))),
        }
        for (index, &(cell, digit)) in self.removals.iter().enumerate() {
            let before = if index == 0 { ":" } else { "" };
            add(format_args!("{before} {}-{}", place(cell), symbol(digit)));
        }
        text
    }
}

impl Seen {
    fn new(tables: &Tables, pattern: Pattern) -> Seen {
        match pattern {
            Pattern::NakedSingle { .. } => Seen::InCell,
            Pattern::HiddenSingle { house, .. } => Seen::InHouse(tables.names[house]),
            Pattern::Locked { house, loser } => {
                Seen::BetweenHouses(tables.names[house], tables.names[loser])
            }
            Pattern::Subset {
                house,
                positions,
                digits,
                ..
            } => {
                let cells = tables.cells_of.of(house);
                Seen::InCells(
                    tables.names[house],
                    digits_of(positions)
                        .map(|position| cells[position])
                        .collect(),
                    digits_of(digits).map(|digit| digit as u8 + 1).collect(),
                )
            }
            Pattern::Fish {
                digit,
                base,
                lines,
                cover,
                ..
            } => {
                let names = match base {
                    0 => ["rows", "columns"],
                    _ => ["columns", "rows"],
                };
                Seen::InLines(digit + 1, names, [lines, cover])
            }
            Pattern::XyWing { cells } => Seen::Wing(cells),
        }
    }
}

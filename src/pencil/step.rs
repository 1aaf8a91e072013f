//! One step of a human solution, and its text. The modules of the techniques find the patterns.

use std::fmt::Write;

use super::links::ChainNode;
use super::marks::elements_of;
use super::technique::Technique;
use crate::rules::{HouseName, Place};

/// A pattern that a technique found, with all that [`Step::text`] prints of it. Digits count from 0; a set has one bit for each
/// member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// A cell that takes a digit. `house` is the house of a hidden single, `None` for a naked single.
    Single {
        cell: u16,
        digit: u8,
        house: Option<HouseName>,
    },
    Locked {
        /// The house that can hold a digit only in the cells that it shares with `target`.
        confining: HouseName,
        /// The house or group that loses that digit outside the shared cells.
        target: HouseName,
    },
    Cage {
        cage: HouseName,
        sum: u16,
    },
    InniesOuties {
        houses: Vec<HouseName>,
        innies: Vec<u16>,
        outies: Vec<u16>,
        /// The sum of the innies minus the sum of the outies.
        sum: i32,
    },
    Subset {
        house: HouseName,
        cells: Vec<u16>,
        digits: u32,
    },
    Fish {
        digit: u8,
        /// True if the base sets are rows and the cover sets columns; false for the reverse.
        base_is_rows: bool,
        /// The base sets: bit i for row or column i.
        base: u32,
        /// The cover sets: bit i for column or row i.
        cover: u32,
        /// The cells for the digit in the base sets outside the cover sets, in ascending order.
        fins: Vec<u16>,
    },
    /// The cells of a wing, the pivot first.
    Wing([u16; 3]),
    /// Nodes with alternating strong and weak links. The first link is strong, and so is the last one.
    Chain(Vec<ChainNode>),
    /// Two sets of cells and a digit: the two colors of simple-coloring, or the almost locked sets of als-xz and their x.
    TwoSets {
        digit: u8,
        sets: [Vec<u16>; 2],
    },
}

/// One application of one technique: a digit placed, or candidates removed.
///
/// [`Step::text`] formats it as one line: the digit placed, the technique and its pattern, then the candidates removed.
///
/// ```
/// use sudoku_filter::{Paper, Pencil, Rules, Technique};
///
/// let pencil = Pencil::new(&Rules::classic());
/// let mut paper = Paper::default();
/// let mut puzzle = [0u8; 81];
/// puzzle[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
/// let step = pencil.hint(&puzzle[..], &mut paper).unwrap();
/// assert_eq!((step.technique, step.placement), (Technique::NakedSingle, Some((8, 9))));
/// assert_eq!(step.text(|digit| char::from(b'0' + digit)), "r1c9=9 naked-single");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The technique applied.
    pub technique: Technique,
    /// The cell filled in and its digit, counted from 1. `None` if the step removes candidates.
    pub placement: Option<(u16, u8)>,
    /// The candidates removed: cells, each with a digit counted from 1.
    ///
    /// Empty for a placement: updating the candidates of its peers is not a step.
    pub removals: Vec<(u16, u8)>,
    side: usize,
    pattern: Pattern,
}

impl Step {
    /// Creates the step of a pattern. `eliminations` are cells, each with the set of digits that it loses. They are ignored if
    /// the pattern places a digit.
    pub(super) fn new(
        technique: Technique,
        pattern: Pattern,
        side: usize,
        eliminations: &[(u16, u32)],
    ) -> Step {
        let removals = eliminations.iter().flat_map(|&(cell, set)| {
            let digits = elements_of(set);
            digits.map(move |digit| (cell, digit as u8 + 1))
        });
        let placement = pattern.placement();
        Step {
            technique,
            placement: placement.map(|(cell, digit)| (cell, digit + 1)),
            removals: match placement {
                Some(_) => Vec::new(),
                None => removals.collect(),
            },
            side,
            pattern,
        }
    }

    /// Formats the step as one line. `symbol` converts a digit, counted from 1, to its character.
    ///
    /// ```text
    /// r4c5=7 naked-single
    /// r4c5=7 hidden-single row 4
    /// cage-combination cage at r1c1 17: r1c1-1 r1c2-1
    /// locked-candidates box 2 row 1: r1c8-3
    /// cage-unit-overlap cage at r1c1 17: r1c5-8
    /// innies-outies row 3 innies r3c4 r3c5 11: r3c4-9
    /// innies-outies rows 1-2 innies r2c4 outies r3c6 -3: r2c4-7
    /// naked-pair row 3 r3c1 r3c4 12: r3c5-1 r3c5-2
    /// x-wing 5 rows 2 7 columns 3 8: r4c3-5
    /// finned-x-wing 5 rows 2 7 columns 3 8 fins r2c7: r1c8-5
    /// xy-wing r1c1 r1c5 r4c1: r4c5-3
    /// skyscraper 5r1c2 = 5r1c8 - 5r6c8 = 5r6c3: r4c2-5
    /// alternating-chain 5r1c2+r2c2 = 5r6c2 - 4r6c2 = 4r6c9 - 4r3c9 = 4r3c1: r3c1-5
    /// simple-coloring 5 r1c2 r4c8 / r1c8 r5c2: r4c3-5
    /// als-xz 3 r1c2 r1c3 / r6c2 r7c2: r2c2-5
    /// ```
    ///
    /// * The number after a cage is the sum of the cage. The number after innies alone or outies alone is their sum; after
    ///   both, it is the sum of the innies minus the sum of the outies. Innies and outies that have a digit are left out, and
    ///   the number does not include them.
    /// * The pivot of a wing, which sees both other cells, comes first.
    /// * A chain consists of nodes. A node is a digit and some cells, and is true if one of these cells holds the digit. At least
    ///   one of two nodes with `=` between them is true, at most one of two with `-`.
    /// * The two sets of cells of simple-coloring hold the digit in all cells of one set and in none of the other. Those of
    ///   als-xz cannot both hold the digit.
    #[must_use]
    pub fn text(&self, symbol: impl Fn(u8) -> char) -> String {
        let place = |cell: u16| Place::of(cell.into(), self.side);
        let mut text = String::new();
        if let Some((cell, digit)) = self.placement {
            text = format!("{}={} ", place(cell), symbol(digit));
        }
        text += self.technique.name();
        text += &self.pattern.text(self.side, &symbol);
        for (index, &(cell, digit)) in self.removals.iter().enumerate() {
            let colon = if index == 0 { ":" } else { "" };
            // Writing to a string cannot fail.
            _ = write!(text, "{colon} {}-{}", place(cell), symbol(digit));
        }
        text
    }
}

impl Pattern {
    /// Returns the cell that the step fills in and its digit, counted from 0. `None` if the step removes candidates.
    pub(super) fn placement(&self) -> Option<(u16, u8)> {
        match *self {
            Pattern::Single { cell, digit, .. } => Some((cell, digit)),
            _ => None,
        }
    }

    /// Formats the pattern, with a space before each word. `symbol` converts a digit, counted from 1.
    fn text(&self, side: usize, symbol: &impl Fn(u8) -> char) -> String {
        let places = |cells: &[u16]| -> String {
            let places = cells.iter().map(|&cell| Place::of(cell.into(), side));
            places.map(|place| format!(" {place}")).collect()
        };
        match self {
            Pattern::Single { house, .. } => {
                house.map_or(String::new(), |house| format!(" {house}"))
            }
            Pattern::Locked { confining, target } => format!(" {confining} {target}"),
            Pattern::Cage { cage, sum } => format!(" {cage} {sum}"),
            Pattern::InniesOuties {
                houses,
                innies,
                outies,
                sum,
            } => {
                let cells = [innies, outies].map(|cells| places(cells));
                format!(" {}{}", union_text(houses), equation_text(cells, *sum))
            }
            Pattern::Subset {
                house,
                cells,
                digits,
            } => {
                let digits = elements_of(*digits).map(|digit| symbol(digit as u8 + 1));
                format!(" {house}{} {}", places(cells), digits.collect::<String>())
            }
            Pattern::Fish {
                digit,
                base_is_rows,
                base,
                cover,
                fins,
            } => {
                let [base_name, cover_name] = if *base_is_rows {
                    ["rows", "columns"]
                } else {
                    ["columns", "rows"]
                };
                let base = numbers(base_name, *base);
                let cover = numbers(cover_name, *cover);
                let fins = match fins[..] {
                    [] => String::new(),
                    _ => format!(" fins{}", places(fins)),
                };
                format!(" {}{base}{cover}{fins}", symbol(digit + 1))
            }
            Pattern::Wing(cells) => places(cells),
            Pattern::Chain(nodes) => chain_text(nodes, side, symbol),
            Pattern::TwoSets {
                digit,
                sets: [a, b],
            } => format!(" {}{} /{}", symbol(digit + 1), places(a), places(b)),
        }
    }
}

/// Formats a house, adjacent rows or columns, or two regions, such as `rows 1-3` or `boxes 2 5`.
fn union_text(houses: &[HouseName]) -> String {
    match houses {
        [HouseName::Row(first), .., HouseName::Row(last)] => format!("rows {first}-{last}"),
        [HouseName::Column(first), .., HouseName::Column(last)] => {
            format!("columns {first}-{last}")
        }
        [HouseName::Box(a), HouseName::Box(b)] => format!("boxes {a} {b}"),
        [HouseName::Region(a), HouseName::Region(b)] => {
            format!("regions {} {}", a.escape_ascii(), b.escape_ascii())
        }
        _ => {
            let names: Vec<String> = houses.iter().map(HouseName::to_string).collect();
            names.join(" ")
        }
    }
}

/// Formats the innies and outies of an equation and their sum. `sum` is that of the innies minus that of the outies, so outies
/// alone have the sum `-sum`. The text of no cells is empty.
fn equation_text(cells: [String; 2], sum: i32) -> String {
    match cells.each_ref().map(String::as_str) {
        [innies, ""] => format!(" innies{innies} {sum}"),
        ["", outies] => format!(" outies{outies} {}", -sum),
        [innies, outies] => format!(" innies{innies} outies{outies} {sum}"),
    }
}

/// Formats rows or columns, such as ` rows 2 7`.
fn numbers(name: &str, set: u32) -> String {
    let numbers = elements_of(set).map(|index| format!(" {}", index + 1));
    format!(" {name}{}", numbers.collect::<String>())
}

/// Formats the nodes of a chain, with ` = ` for a strong link and ` - ` for a weak one. The first link is strong.
fn chain_text(nodes: &[ChainNode], side: usize, symbol: &impl Fn(u8) -> char) -> String {
    let mut text = String::new();
    for (index, ChainNode { cells, digit }) in nodes.iter().enumerate() {
        text += match index {
            0 => " ",
            _ if index % 2 == 1 => " = ",
            _ => " - ",
        };
        let places = cells.iter().map(|&cell| Place::of(cell.into(), side));
        let places: Vec<String> = places.map(|place| place.to_string()).collect();
        _ = write!(text, "{}{}", symbol(digit + 1), places.join("+"));
    }
    text
}

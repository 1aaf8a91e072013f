//! What each variant adds to rows, columns, boxes and regions: houses, groups and pairs. Nothing outside this file asks
//! which variant it is.

use std::str::FromStr;

use super::layout::rectangle;
use super::{House, HouseName, Pair, Relation, a_puzzle};

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
    /// Regions besides the boxes.
    Regions,
    /// The cells at the same place of their boxes are a house.
    Disjoint,
    /// Nine cells of a 9x9, like a star.
    Asterisk,
    /// The centres of the nine boxes of a 9x9.
    CenterDot,
    /// Nine cells of a 9x9: the corners, and a cross whose arms are longer than those of the asterisk.
    Girandola,
    /// Cells a knight's move apart differ.
    Antiknight,
    /// Cells a king's move apart differ.
    Antiking,
    /// Orthogonal neighbours are not consecutive.
    Nonconsecutive,
}

impl Variant {
    /// Every variant with its name and its other names.
    pub const NAMES: [(&'static [&'static str], Variant); 12] = [
        (&["classic"], Variant::Classic),
        (&["diagonal", "x"], Variant::Diagonal),
        (&["window", "windoku", "hyper"], Variant::Window),
        (&["jigsaw", "nonomino"], Variant::Jigsaw),
        (&["regions"], Variant::Regions),
        (&["disjoint"], Variant::Disjoint),
        (&["asterisk"], Variant::Asterisk),
        (&["center-dot"], Variant::CenterDot),
        (&["girandola"], Variant::Girandola),
        (&["antiknight"], Variant::Antiknight),
        (&["antiking"], Variant::Antiking),
        (&["nonconsecutive"], Variant::Nonconsecutive),
    ];

    /// Variants that contradict each other whatever the size, and why.
    const CONTRADICTIONS: [([Variant; 2], &'static str); 2] = [
        (
            [Variant::Jigsaw, Variant::Regions],
            "regions stand in place of the boxes or besides them",
        ),
        (
            [Variant::Jigsaw, Variant::Disjoint],
            "without boxes there are no places in boxes",
        ),
    ];

    /// The name it is told by.
    #[must_use]
    pub fn name(self) -> &'static str {
        let named = Variant::NAMES.iter().find(|(_, variant)| *variant == self);
        named.map_or("", |(names, _)| names[0])
    }

    /// The houses it adds to a grid with these boxes, if there are any.
    pub(super) fn houses(self, side: usize, boxes: Option<&[House]>) -> Result<Vec<House>, String> {
        match self {
            Variant::Diagonal => Ok(diagonals(side).into()),
            Variant::Window => windows(side),
            Variant::Disjoint => disjoint_groups(side, boxes),
            Variant::Asterisk => pattern(side, self, HouseName::Asterisk, ASTERISK),
            Variant::CenterDot => pattern(side, self, HouseName::CenterDot, CENTER_DOT),
            Variant::Girandola => pattern(side, self, HouseName::Girandola, GIRANDOLA),
            _ => Ok(Vec::new()),
        }
    }

    /// The pairs it adds to a grid.
    pub(super) fn pairs(self, side: usize) -> Vec<Pair> {
        // Steps down the grid and across; those up it are the same pairs.
        match self {
            Variant::Antiknight => {
                pairs(side, Relation::Knight, &[(1, -2), (1, 2), (2, -1), (2, 1)])
            }
            // The cells beside and below lie in the same row or column.
            Variant::Antiking => pairs(side, Relation::King, &[(1, -1), (1, 1)]),
            Variant::Nonconsecutive => pairs(side, Relation::Neighbours, &[(0, 1), (1, 0)]),
            _ => Vec::new(),
        }
    }
}

/// The variants that hold together, in the order in which they were named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants(Vec<Variant>);

impl Variants {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Variant> {
        self.0.iter().copied()
    }

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

    /// Whether a layout of regions is wanted, in place of boxes or besides them.
    #[must_use]
    pub fn have_regions(&self) -> bool {
        self.contains(Variant::Jigsaw) || self.contains(Variant::Regions)
    }

    /// Why these make no sense together, in whatever size, if so.
    ///
    /// `jigsaw and regions contradict each other: regions stand in place of the boxes or besides them`
    #[must_use]
    pub fn contradiction(&self) -> Option<String> {
        let all_are_here =
            |(both, _): &&([Variant; 2], &str)| both.iter().all(|&one| self.contains(one));
        let ([a, b], why) = Variant::CONTRADICTIONS.iter().find(all_are_here)?;
        let (a, b) = (a.name(), b.name());
        Some(format!("{a} and {b} contradict each other: {why}"))
    }
}

impl FromStr for Variants {
    type Err = String;

    fn from_str(list: &str) -> Result<Variants, String> {
        let variants = list
            .split(',')
            .try_fold(Variants::default(), |variants, name| {
                let known = Variant::NAMES
                    .iter()
                    .find(|(names, _)| names.contains(&name));
                let (_, variant) = known.ok_or_else(|| {
                    let names = Variant::NAMES.map(|(names, _)| names[0]).join(", ");
                    format!("no variant is called '{name}'; there are {names}")
                })?;
                Ok::<_, String>(variants.with(*variant))
            })?;
        match variants.contradiction() {
            Some(reason) => Err(reason),
            None => Ok(variants),
        }
    }
}

/// Rows and columns, from 1.
type Pattern = [(u16, u16); 9];

const ASTERISK: Pattern = [
    (2, 5),
    (3, 3),
    (3, 7),
    (5, 2),
    (5, 5),
    (5, 8),
    (7, 3),
    (7, 7),
    (8, 5),
];

const CENTER_DOT: Pattern = [
    (2, 2),
    (2, 5),
    (2, 8),
    (5, 2),
    (5, 5),
    (5, 8),
    (8, 2),
    (8, 5),
    (8, 8),
];

const GIRANDOLA: Pattern = [
    (1, 1),
    (1, 9),
    (2, 5),
    (5, 2),
    (5, 5),
    (5, 8),
    (8, 5),
    (9, 1),
    (9, 9),
];

fn pattern(
    side: usize,
    variant: Variant,
    name: HouseName,
    places: Pattern,
) -> Result<Vec<House>, String> {
    if side != 9 {
        let (puzzle, pattern) = (a_puzzle(side), variant.name());
        return Err(format!("{puzzle} has no {pattern}; 9x9 has"));
    }
    let cells = places.map(|(row, column)| 9 * (row - 1) + column - 1);
    Ok(vec![House {
        name,
        cells: cells.into(),
    }])
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

/// One house for each place of a box: the cells at that place of all boxes.
fn disjoint_groups(side: usize, boxes: Option<&[House]>) -> Result<Vec<House>, String> {
    let boxes = boxes.ok_or("without boxes there are no disjoint groups")?;
    let group = |place: usize| House {
        name: HouseName::Disjoint(place + 1),
        cells: boxes.iter().map(|house| house.cells[place]).collect(),
    };
    Ok((0..side).map(group).collect())
}

/// All pairs of cells so many rows down and columns across from each other.
fn pairs(side: usize, relation: Relation, steps: &[(usize, isize)]) -> Vec<Pair> {
    let from_cell = |cell: usize| {
        steps.iter().filter_map(move |&(down, across)| {
            let row = cell / side + down;
            let column = (cell % side).checked_add_signed(across)?;
            (row < side && column < side).then(|| Pair {
                cells: [cell as u16, (row * side + column) as u16],
                relation,
            })
        })
    };
    (0..side * side).flat_map(from_cell).collect()
}

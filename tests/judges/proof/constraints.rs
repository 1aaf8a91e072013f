//! The constraints of a case, written from the documentation and not from the program: which cells
//! must all differ, which neighbours must not be consecutive, and which sums cages have. The rules of
//! variants are those of the generator.

use std::fmt;

use crate::generator::constraints::box_of;
use crate::generator::variants::{Added, cells_apart};

/// The rules as the options and the lines describe them.
#[derive(Clone)]
pub struct Spec {
    pub variants: String,
    pub side: usize,
    /// Rows and columns of a box.
    pub boxes: (usize, usize),
    /// One label for each cell, if lines have a layout.
    pub regions: Option<Vec<u8>>,
    /// True for `--disconnected`.
    pub is_disconnected: bool,
    /// Values of `--extra`.
    pub extra: Vec<String>,
    /// The cages of a killer.
    pub cages: Vec<Cage>,
}

/// Cells of a killer whose digits differ.
#[derive(Clone)]
pub struct Cage {
    pub cells: Vec<usize>,
    /// The sum of the digits, if the cage has one.
    pub sum: Option<usize>,
}

impl Spec {
    /// Returns the specification with the usual boxes, and without a layout or extra groups.
    pub fn of(variants: &str, side: usize) -> Spec {
        Spec {
            variants: variants.to_string(),
            side,
            boxes: box_of(side),
            regions: None,
            is_disconnected: false,
            extra: Vec::new(),
            cages: Vec::new(),
        }
    }
}

/// A specification, and the constraints that follow from it.
pub struct Constraints {
    pub spec: Spec,
    pub side: usize,
    /// Sets of at most `side` cells that must all differ.
    pub sets: Vec<Vec<usize>>,
    /// Neighbours whose digits must not be consecutive.
    pub not_consecutive: Vec<[usize; 2]>,
}

const SYMBOLS: &[u8] = b".123456789ABCDEFGHIJKLMNOP";

impl Constraints {
    pub fn of(spec: Spec) -> Constraints {
        let mut constraints = Constraints {
            spec: spec.clone(),
            side: spec.side,
            sets: Vec::new(),
            not_consecutive: Vec::new(),
        };
        let side = spec.side;
        constraints.add_sets_of(|row, _| Some(row));
        constraints.add_sets_of(|_, column| Some(column));
        let (rows, columns) = spec.boxes;
        if !constraints.has("jigsaw") {
            constraints.add_sets_of(|row, column| Some(row / rows * side + column / columns));
        }
        if let Some(labels) = &spec.regions {
            constraints.add_sets_of(|row, column| Some(usize::from(labels[row * side + column])));
        }
        for name in spec.variants.split(',') {
            constraints.add_variant(name);
        }
        for string in &spec.extra {
            let letters = string.as_bytes();
            constraints.add_sets_of(|row, column| {
                Some(usize::from(letters[row * side + column]))
                    .filter(|&letter| letter != usize::from(b'.'))
            });
        }
        let cages = spec.cages.into_iter();
        constraints.sets.extend(cages.map(|cage| cage.cells));
        constraints
    }

    fn add_variant(&mut self, name: &str) {
        let side = self.side;
        let added = Added::by(name, side, self.spec.boxes);
        let pairs = |step: Option<[usize; 2]>| {
            let pairs_of = move |step| {
                (0..side * side).flat_map(move |cell| {
                    let others = cells_apart(side, cell, step).into_iter();
                    others.filter(move |&other| other > cell).map(move |other| [cell, other])
                })
            };
            step.into_iter().flat_map(pairs_of)
        };
        self.sets.extend(added.houses);
        self.sets.extend(pairs(added.different).map(Vec::from));
        self.not_consecutive.extend(pairs(added.not_consecutive));
    }

    pub fn has(&self, variant: &str) -> bool {
        let mut names = self.spec.variants.split(',');
        names.any(|name| name == variant)
    }

    /// Adds a set for each key; `key` maps a row and a column to the set that the cell is in.
    fn add_sets_of(&mut self, key: impl Fn(usize, usize) -> Option<usize>) {
        let side = self.side;
        let mut sets = std::collections::BTreeMap::<usize, Vec<usize>>::new();
        for cell in 0..side * side {
            if let Some(set) = key(cell / side, cell % side) {
                sets.entry(set).or_default().push(cell);
            }
        }
        self.sets.extend(sets.into_values());
    }

    /// True if a full grid obeys the constraints.
    pub fn are_obeyed_by(&self, grid: &[u8]) -> bool {
        grid.len() == self.side * self.side
            && grid.iter().all(|&digit| (1..=self.side).contains(&usize::from(digit)))
            && self.conflict(grid).is_none()
            && self.spec.cages.iter().all(|cage| {
                let digits = cage.cells.iter().map(|&cell| usize::from(grid[cell]));
                cage.sum.is_none_or(|sum| sum == digits.sum::<usize>())
            })
    }

    /// Returns two cells whose digits contradict each other; the grid may have blanks.
    pub fn conflict(&self, grid: &[u8]) -> Option<[usize; 2]> {
        for set in &self.sets {
            let mut holder = [None; 26];
            for &cell in set.iter().filter(|&&cell| grid[cell] != 0) {
                if let Some(other) = holder[usize::from(grid[cell])].replace(cell) {
                    return Some([other, cell]);
                }
            }
        }
        let near =
            |&&[a, b]: &&[usize; 2]| grid[a] != 0 && grid[b] != 0 && grid[a].abs_diff(grid[b]) == 1;
        self.not_consecutive.iter().find(near).copied()
    }

    /// Returns the program's options for these constraints.
    pub fn options(&self) -> Vec<String> {
        let mut options = vec!["--variant".to_string(), self.spec.variants.clone()];
        let (rows, columns) = self.spec.boxes;
        if self.spec.boxes != box_of(self.side) {
            options.extend(["--box".to_string(), format!("{rows}x{columns}")]);
        }
        if self.spec.is_disconnected {
            options.push("--disconnected".to_string());
        }
        for extra in &self.spec.extra {
            options.extend(["--extra".to_string(), extra.clone()]);
        }
        options
    }

    /// Returns the input line for a puzzle.
    pub fn line(&self, grid: &[u8]) -> String {
        self.line_of(text_of(grid))
    }

    /// Returns the input line for a puzzle that is written as `text`.
    pub fn line_of(&self, mut text: String) -> String {
        if let Some(labels) = &self.spec.regions {
            text += &format!(" {}", String::from_utf8_lossy(labels));
        }
        if self.has("killer") {
            text += &format!(" {}", self.cages());
        }
        text
    }
}

impl Constraints {
    /// Returns the field of cages: arrows, or cage numbers if arrows cannot express them.
    fn cages(&self) -> String {
        let mut symbols = vec![b'0'; self.side * self.side];
        let fits = |cage: &Cage| add_arrows(cage, self.side, &mut symbols);
        if self.side <= 9 && self.spec.cages.iter().all(fits) {
            String::from_utf8(symbols).unwrap()
        } else {
            self.cage_numbers()
        }
    }

    fn cage_numbers(&self) -> String {
        let mut numbers = vec![0; self.side * self.side];
        for (index, cage) in self.spec.cages.iter().enumerate() {
            for &cell in &cage.cells {
                numbers[cell] = 256 * cage.sum.expect("cage numbers have sums") + index;
            }
        }
        let numbers: String = numbers.iter().map(|number| format!("{number}:")).collect();
        let (rows, columns) = self.spec.boxes;
        format!("{rows}x{columns}::k:{numbers}")
    }
}

/// Writes the arrows of a cage to its first cell, which holds the sum. Returns false if
/// neighbouring cells do not lead to all.
fn add_arrows(cage: &Cage, side: usize, symbols: &mut [u8]) -> bool {
    let sums = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij";
    symbols[cage.cells[0]] = sums[cage.sum.unwrap_or(0)];
    let mut left = cage.cells[1..].to_vec();
    let mut reached = vec![cage.cells[0]];
    while let Some(to) = reached.pop() {
        for (rows, row) in [b"`^'", b"<.>", b",v."].iter().enumerate() {
            for (columns, &arrow) in row.iter().enumerate() {
                // The arrow leads from here to `to`.
                let (row, column) =
                    ((to / side + 1).checked_sub(rows), (to % side + 1).checked_sub(columns));
                let Some((row, column)) = row.zip(column) else {
                    continue;
                };
                let leads_to = |from: &mut usize| *from == row * side + column && column < side;
                for from in left.extract_if(.., leads_to) {
                    symbols[from] = arrow;
                    reached.push(from);
                }
            }
        }
    }
    left.is_empty()
}

impl fmt::Display for Constraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.options().join(" "))
    }
}

pub fn text_of(grid: &[u8]) -> String {
    grid.iter().map(|&digit| char::from(SYMBOLS[usize::from(digit)])).collect()
}

/// Returns the digits of a grid in the output; 255 for any other symbol.
pub fn digits_of(text: &str) -> Vec<u8> {
    let digit = |symbol: u8| SYMBOLS.iter().position(|&known| known == symbol);
    text.bytes().map(|symbol| digit(symbol).map_or(255, |digit| digit as u8)).collect()
}

//! What the grids of a case obey, written down from the contract and not from the program: which cells all differ, and
//! which neighbours are not consecutive.

use std::fmt;

/// Side, variants, and what follows from them.
pub struct Law {
    pub side: usize,
    pub variants: String,
    /// One label a cell, where lines bring regions.
    pub regions: Option<Vec<u8>>,
    /// What `--extra` is given.
    pub extra: Vec<String>,
    /// Cells that all differ, up to `side` of them.
    pub sets: Vec<Vec<usize>>,
    /// Neighbours whose digits are not consecutive.
    pub not_consecutive: Vec<[usize; 2]>,
}

const SYMBOLS: &[u8] = b".123456789ABCDEFGHIJKLMNOP";

impl Law {
    pub fn of(variants: &str, side: usize, regions: Option<Vec<u8>>, extra: &[String]) -> Law {
        let mut law = Law {
            side,
            variants: variants.to_string(),
            regions,
            extra: extra.to_vec(),
            sets: Vec::new(),
            not_consecutive: Vec::new(),
        };
        law.add_sets_of(|row, _| Some(row));
        law.add_sets_of(|_, column| Some(column));
        let (high, wide) = box_of(side);
        if !law.has("jigsaw") {
            law.add_sets_of(|row, column| Some(row / high * side + column / wide));
        }
        if let Some(labels) = law.regions.clone() {
            law.add_sets_of(|row, column| Some(usize::from(labels[row * side + column])));
        }
        for name in variants.split(',') {
            law.add_variant(name, high, wide);
        }
        for string in extra {
            let letters = string.as_bytes();
            law.add_sets_of(|row, column| {
                Some(usize::from(letters[row * side + column]))
                    .filter(|&letter| letter != usize::from(b'.'))
            });
        }
        law
    }

    fn add_variant(&mut self, name: &str, high: usize, wide: usize) {
        let side = self.side;
        match name {
            // Their regions are there already.
            "classic" | "jigsaw" | "regions" => {}
            "diagonal" => {
                self.sets.push((0..side).map(|n| n * side + n).collect());
                self.sets
                    .push((0..side).map(|n| n * side + side - 1 - n).collect());
            }
            "window" => {
                // Windows of n by n cells, a line apart from the edges and from each other.
                let n = side.isqrt();
                self.add_sets_of(|row, column| {
                    let inside = row % (n + 1) != 0 && column % (n + 1) != 0;
                    inside.then(|| row / (n + 1) * side + column / (n + 1))
                });
            }
            "disjoint" => self.add_sets_of(|row, column| Some(row % high * side + column % wide)),
            "asterisk" => self.add_cells(&[25, 33, 37, 52, 55, 58, 73, 77, 85]),
            "center-dot" => self.add_cells(&[22, 25, 28, 52, 55, 58, 82, 85, 88]),
            "girandola" => self.add_cells(&[11, 19, 25, 52, 55, 58, 85, 91, 99]),
            "antiknight" => self.add_moves(&[(1, 2), (2, 1)]),
            "antiking" => self.add_moves(&[(1, 1)]),
            "nonconsecutive" => {
                let cells = 0..side * side;
                let right = cells
                    .clone()
                    .filter(|cell| cell % side + 1 < side)
                    .map(|cell| [cell, cell + 1]);
                let below = cells
                    .filter(|cell| cell / side + 1 < side)
                    .map(|cell| [cell, cell + side]);
                self.not_consecutive = right.chain(below).collect();
            }
            other => panic!("no law for {other}"),
        }
    }

    pub fn has(&self, variant: &str) -> bool {
        self.variants.split(',').any(|name| name == variant)
    }

    /// A set for each answer to a question about cells.
    fn add_sets_of(&mut self, question: impl Fn(usize, usize) -> Option<usize>) {
        let side = self.side;
        let mut sets = std::collections::BTreeMap::<usize, Vec<usize>>::new();
        for cell in 0..side * side {
            if let Some(answer) = question(cell / side, cell % side) {
                sets.entry(answer).or_default().push(cell);
            }
        }
        self.sets.extend(sets.into_values());
    }

    /// Cells of a 9x9 as people tell them: 25 is r2c5.
    fn add_cells(&mut self, told: &[usize]) {
        assert_eq!(self.side, 9);
        self.sets.push(
            told.iter()
                .map(|cell| (cell / 10 - 1) * 9 + cell % 10 - 1)
                .collect(),
        );
    }

    /// Cells so many rows and columns apart, either way.
    fn add_moves(&mut self, moves: &[(usize, usize)]) {
        let side = self.side;
        for cell in 0..side * side {
            for &(down, across) in moves {
                let (row, column) = (cell / side + down, cell % side);
                let right = Some(column + across).filter(|&column| column < side);
                let left = column.checked_sub(across);
                let ends = [left, right].into_iter().flatten().filter(|_| row < side);
                self.sets
                    .extend(ends.map(|column| vec![cell, row * side + column]));
            }
        }
    }

    /// Whether a full grid obeys it.
    pub fn holds_for(&self, grid: &[u8]) -> bool {
        grid.len() == self.side * self.side
            && grid
                .iter()
                .all(|&digit| (1..=self.side).contains(&usize::from(digit)))
            && self.conflict(grid).is_none()
    }

    /// Two cells of a grid, full or not, whose digits may not stand together.
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

    /// The options of the program that ask for it.
    pub fn options(&self) -> Vec<String> {
        let mut options = vec!["--variant".to_string(), self.variants.clone()];
        for extra in &self.extra {
            options.extend(["--extra".to_string(), extra.clone()]);
        }
        options
    }

    /// A puzzle as a line of input.
    pub fn line(&self, grid: &[u8]) -> String {
        let mut line = text_of(grid);
        if let Some(labels) = &self.regions {
            line += &format!(" {}", String::from_utf8_lossy(labels));
        }
        line
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.options().join(" "))
    }
}

pub fn text_of(grid: &[u8]) -> String {
    grid.iter()
        .map(|&digit| char::from(SYMBOLS[usize::from(digit)]))
        .collect()
}

/// The digits of a row's grid; of a foreign symbol 255.
pub fn digits_of(text: &str) -> Vec<u8> {
    let digit = |symbol: u8| SYMBOLS.iter().position(|&known| known == symbol);
    text.bytes()
        .map(|symbol| digit(symbol).map_or(255, |digit| digit as u8))
        .collect()
}

/// Rows and columns of a box: the squarest, lying rather than standing.
pub fn box_of(side: usize) -> (usize, usize) {
    let high = (1..=side.isqrt())
        .rev()
        .find(|&high| side.is_multiple_of(high))
        .unwrap_or(1);
    (high, side / high)
}

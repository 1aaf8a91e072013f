//! What a generated puzzle must obey. Written a second time, without `Rules`, so that each can judge the other.

/// The houses of a grid, and what they follow from.
#[derive(Clone)]
pub struct Form {
    pub side: usize,
    /// As `--variant` takes them: `jigsaw,diagonal`.
    pub variants: String,
    /// One label a cell, where there are regions in place of boxes or besides them.
    pub regions: Option<Vec<u8>>,
    pub houses: Vec<Vec<usize>>,
    /// For each cell, the houses it lies in, by their index.
    pub houses_of: Vec<Vec<usize>>,
    /// For each cell, those that hold another digit: it shares a house with them, or stands a move apart.
    pub peers: Vec<Vec<usize>>,
    /// For each cell, those whose digits are not consecutive to its own.
    pub not_consecutive: Vec<Vec<usize>>,
}

impl Form {
    /// A grid with the boxes usual for its side.
    pub fn with_boxes(side: usize, variants: &str) -> Form {
        Form::new(side, variants, &[&boxes_of(side)], None)
    }

    /// A grid divided by a layout, or with the variant `regions` by its boxes too.
    pub fn with_regions(side: usize, variants: &str, labels: &[u8]) -> Form {
        let (boxes, regions) = (boxes_of(side), Some(labels.to_vec()));
        if has(variants, "regions") {
            Form::new(side, variants, &[&boxes, labels], regions)
        } else {
            Form::new(side, variants, &[labels], regions)
        }
    }

    fn new(side: usize, variants: &str, divisions: &[&[u8]], regions: Option<Vec<u8>>) -> Form {
        let cells_where = |belongs: &dyn Fn(usize, usize) -> bool| -> Vec<usize> {
            let belongs = |cell: &usize| belongs(cell / side, cell % side);
            (0..side * side).filter(belongs).collect()
        };
        let mut houses = Vec::new();
        for index in 0..side {
            houses.push(cells_where(&|row, _| row == index));
            houses.push(cells_where(&|_, column| column == index));
        }
        for division in divisions {
            let mut labels = division.to_vec();
            labels.sort_unstable();
            labels.dedup();
            for label in labels {
                houses.push(cells_where(&|row, column| {
                    division[row * side + column] == label
                }));
            }
        }
        if has(variants, "diagonal") {
            houses.push(cells_where(&|row, column| row == column));
            houses.push(cells_where(&|row, column| row + column == side - 1));
        }
        if has(variants, "window") {
            // Lines 0, n+1, 2n+2, … lie in no window; those between belong to one after the other.
            let n = side.isqrt();
            let strip = |line: usize| (!line.is_multiple_of(n + 1)).then_some(line / (n + 1));
            for window in 0..(n - 1) * (n - 1) {
                let (top, left) = (Some(window / (n - 1)), Some(window % (n - 1)));
                houses.push(cells_where(&|row, column| {
                    strip(row) == top && strip(column) == left
                }));
            }
        }
        if has(variants, "disjoint") {
            let (rows, columns) = box_of(side);
            for place in 0..side {
                houses.push(cells_where(&|row, column| {
                    row % rows * columns + column % columns == place
                }));
            }
        }
        for (variant, drawing) in DRAWINGS {
            if has(variants, variant) {
                let is_drawn = |row: usize, column: usize| drawing[row].as_bytes()[column] == b'#';
                houses.push(cells_where(&is_drawn));
            }
        }
        let houses_of = |cell: usize| -> Vec<usize> {
            let lies_in = |house: &usize| houses[*house].contains(&cell);
            (0..houses.len()).filter(lies_in).collect()
        };
        let houses_of: Vec<Vec<usize>> = (0..side * side).map(houses_of).collect();
        let peers = (0..side * side).map(|cell| {
            let around = houses_of[cell].iter().flat_map(|&house| &houses[house]);
            let mut peers: Vec<usize> = around.copied().filter(|&peer| peer != cell).collect();
            for (variant, step) in [("antiknight", [1, 2]), ("antiking", [1, 1])] {
                if has(variants, variant) {
                    peers.extend(cells_apart(side, cell, step));
                }
            }
            peers.sort_unstable();
            peers.dedup();
            peers
        });
        let not_consecutive = (0..side * side).map(|cell| {
            if has(variants, "nonconsecutive") {
                cells_apart(side, cell, [0, 1])
            } else {
                Vec::new()
            }
        });
        Form {
            side,
            variants: variants.to_string(),
            regions,
            not_consecutive: not_consecutive.collect(),
            peers: peers.collect(),
            houses_of,
            houses,
        }
    }

    pub fn cells(&self) -> usize {
        self.side * self.side
    }

    /// Whether a cell may not hold a digit since another cell holds its own.
    pub fn forbids(&self, grid: &[u8], cell: usize, digit: u8) -> bool {
        let holds = |&peer: &usize| grid[peer] == digit;
        let is_beside = |&near: &usize| grid[near] != 0 && grid[near].abs_diff(digit) == 1;
        self.peers[cell].iter().any(holds) || self.not_consecutive[cell].iter().any(is_beside)
    }
}

/// Whether a list of variants names this one.
pub fn has(variants: &str, variant: &str) -> bool {
    variants.split(',').any(|name| name == variant)
}

/// The cells so many rows and columns away, or as many columns and rows.
fn cells_apart(side: usize, cell: usize, step: [usize; 2]) -> Vec<usize> {
    let is_apart = |other: &usize| {
        let rows = (cell / side).abs_diff(other / side);
        let columns = (cell % side).abs_diff(other % side);
        [rows, columns] == step || [columns, rows] == step
    };
    (0..side * side).filter(is_apart).collect()
}

/// Nine cells of a 9x9 each.
const DRAWINGS: [(&str, [&str; 9]); 3] = [
    (
        "asterisk",
        [
            ".........",
            "....#....",
            "..#...#..",
            ".........",
            ".#..#..#.",
            ".........",
            "..#...#..",
            "....#....",
            ".........",
        ],
    ),
    (
        "center-dot",
        [
            ".........",
            ".#..#..#.",
            ".........",
            ".........",
            ".#..#..#.",
            ".........",
            ".........",
            ".#..#..#.",
            ".........",
        ],
    ),
    (
        "girandola",
        [
            "#.......#",
            "....#....",
            ".........",
            ".........",
            ".#..#..#.",
            ".........",
            ".........",
            "....#....",
            "#.......#",
        ],
    ),
];

/// The rows and columns of a box: as square as may be, wider than high.
fn box_of(side: usize) -> (usize, usize) {
    let rows = (1..=side.isqrt())
        .rev()
        .find(|rows| side.is_multiple_of(*rows));
    let rows = rows.unwrap_or(1);
    (rows, side / rows)
}

/// For each cell the number of its box, from 0.
pub fn boxes_of(side: usize) -> Vec<u8> {
    let (rows, columns) = box_of(side);
    (0..side * side)
        .map(|cell| (cell / side / rows * rows + cell % side / columns) as u8)
        .collect()
}

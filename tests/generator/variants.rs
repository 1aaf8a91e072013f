//! The rules of each variant, stated once for the generator and for the judges of `proof/`: written
//! from the documentation, without the program.

/// The rules that a variant adds to rows, columns and boxes.
#[derive(Default)]
pub struct Added {
    /// Sets of cells that hold every digit.
    pub houses: Vec<Vec<usize>>,
    /// Cells that are this many rows and columns apart, or as many columns and rows, differ.
    pub different: Option<[usize; 2]>,
    /// Cells that are so far apart hold no consecutive digits.
    pub not_consecutive: Option<[usize; 2]>,
}

impl Added {
    /// Returns the rules of a variant in a grid with boxes of `rows` and `columns`. Those of regions
    /// and cages belong to a puzzle.
    pub fn by(variant: &str, side: usize, (rows, columns): (usize, usize)) -> Added {
        let houses = |houses| Added { houses, ..Added::default() };
        match variant {
            "classic" | "jigsaw" | "regions" | "killer" => Added::default(),
            "diagonal" => houses(vec![
                cells_where(side, |row, column| row == column),
                cells_where(side, |row, column| row + column == side - 1),
            ]),
            "window" => houses(windows(side)),
            "disjoint" => {
                let place = |row, column| row % rows * columns + column % columns;
                let cells = |it| cells_where(side, |row, column| place(row, column) == it);
                houses((0..side).map(cells).collect())
            }
            "antiknight" => Added { different: Some([1, 2]), ..Added::default() },
            "antiking" => Added { different: Some([1, 1]), ..Added::default() },
            "nonconsecutive" => Added { not_consecutive: Some([0, 1]), ..Added::default() },
            _ => houses(vec![cells_of_pattern(variant, side)]),
        }
    }
}

/// Returns the cells of a grid whose row and column have a property.
pub fn cells_where(side: usize, belongs: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    (0..side * side).filter(|cell| belongs(cell / side, cell % side)).collect()
}

/// Rows 0, n+1, 2n+2, ... are in no window; the rows between them form strips. The same holds for
/// columns.
fn windows(side: usize) -> Vec<Vec<usize>> {
    let n = side.isqrt();
    let strip = |line: usize| (!line.is_multiple_of(n + 1)).then_some(line / (n + 1));
    let window = |index: usize| {
        let (top, left) = (Some(index / (n - 1)), Some(index % (n - 1)));
        cells_where(side, |row, column| strip(row) == top && strip(column) == left)
    };
    (0..(n - 1) * (n - 1)).map(window).collect()
}

fn cells_of_pattern(variant: &str, side: usize) -> Vec<usize> {
    let known = PATTERNS.iter().find(|(name, _)| *name == variant);
    let (_, pattern) = known.unwrap_or_else(|| panic!("no rules are written for {variant}"));
    assert_eq!(side, 9, "{variant}");
    cells_where(side, |row, column| pattern[row].as_bytes()[column] == b'#')
}

/// Returns the cells that are `step` rows and columns away, or as many columns and rows.
pub fn cells_apart(side: usize, cell: usize, step: [usize; 2]) -> Vec<usize> {
    let is_apart = |other: &usize| {
        let rows = (cell / side).abs_diff(other / side);
        let columns = (cell % side).abs_diff(other % side);
        [rows, columns] == step || [columns, rows] == step
    };
    (0..side * side).filter(is_apart).collect()
}

/// Variants with one extra house: nine cells of a 9x9.
const PATTERNS: [(&str, [&str; 9]); 3] = [
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

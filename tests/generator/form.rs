//! What a generated puzzle must obey. Written a second time, without `Rules`, so that each can judge the other.

/// The houses of a grid, and what they follow from.
#[derive(Clone)]
pub struct Form {
    pub side: usize,
    /// As `--variant` takes them: `jigsaw,diagonal`.
    pub variants: String,
    /// One label a cell, in a jigsaw.
    pub regions: Option<Vec<u8>>,
    pub houses: Vec<Vec<usize>>,
    /// For each cell, the houses it lies in, by their index.
    pub houses_of: Vec<Vec<usize>>,
    /// For each cell, those it shares a house with.
    pub peers: Vec<Vec<usize>>,
}

impl Form {
    /// A grid with the boxes usual for its side.
    pub fn with_boxes(side: usize, variants: &str) -> Form {
        Form::new(side, variants, &boxes_of(side), None)
    }

    /// A grid divided by a layout.
    pub fn with_regions(side: usize, variants: &str, labels: &[u8]) -> Form {
        Form::new(side, variants, labels, Some(labels.to_vec()))
    }

    fn new(side: usize, variants: &str, division: &[u8], regions: Option<Vec<u8>>) -> Form {
        let cells_where = |belongs: &dyn Fn(usize, usize) -> bool| -> Vec<usize> {
            let belongs = |cell: &usize| belongs(cell / side, cell % side);
            (0..side * side).filter(belongs).collect()
        };
        let mut houses = Vec::new();
        for index in 0..side {
            houses.push(cells_where(&|row, _| row == index));
            houses.push(cells_where(&|_, column| column == index));
        }
        let mut labels = division.to_vec();
        labels.sort_unstable();
        labels.dedup();
        for label in labels {
            houses.push(cells_where(&|row, column| {
                division[row * side + column] == label
            }));
        }
        if variants.contains("diagonal") {
            houses.push(cells_where(&|row, column| row == column));
            houses.push(cells_where(&|row, column| row + column == side - 1));
        }
        if variants.contains("window") {
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
        let houses_of = |cell: usize| -> Vec<usize> {
            let lies_in = |house: &usize| houses[*house].contains(&cell);
            (0..houses.len()).filter(lies_in).collect()
        };
        let houses_of: Vec<Vec<usize>> = (0..side * side).map(houses_of).collect();
        let peers = (0..side * side).map(|cell| {
            let around = houses_of[cell].iter().flat_map(|&house| &houses[house]);
            let mut peers: Vec<usize> = around.copied().filter(|&peer| peer != cell).collect();
            peers.sort_unstable();
            peers.dedup();
            peers
        });
        Form {
            side,
            variants: variants.to_string(),
            regions,
            peers: peers.collect(),
            houses_of,
            houses,
        }
    }

    pub fn cells(&self) -> usize {
        self.side * self.side
    }
}

/// For each cell the number of its box, from 0: boxes as square as may be, wider than high.
pub fn boxes_of(side: usize) -> Vec<u8> {
    let rows = (1..=side.isqrt())
        .rev()
        .find(|rows| side.is_multiple_of(*rows));
    let rows = rows.unwrap_or(1);
    let columns = side / rows;
    (0..side * side)
        .map(|cell| (cell / side / rows * rows + cell % side / columns) as u8)
        .collect()
}

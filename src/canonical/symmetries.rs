//! Which ways to rearrange rows and columns leave the rules as they are.

use crate::rules::{HouseName, Rules};

/// Lines of the largest grid that has a canonical form.
pub const MOST_LINES: usize = 9;
pub const MOST_CELLS: usize = MOST_LINES * MOST_LINES;

/// A grid rearranged: transposed or not, then its rows and its columns in another order.
#[derive(Clone, Debug)]
pub struct Symmetry {
    pub transposed: bool,
    /// Of rows, of columns.
    pub orders: [Order; 2],
}

/// For each line of the image, the line it comes from.
pub type Order = [u8; MOST_LINES];

impl Symmetry {
    /// For each cell of the image, where it comes from in the grid, or in the transposed grid.
    #[inline]
    pub fn sources(&self, side: usize) -> impl Iterator<Item = usize> {
        let [rows, columns] = self.orders.each_ref().map(|order| &order[..side]);
        rows.iter().flat_map(move |&row| {
            let start = usize::from(row) * side;
            columns
                .iter()
                .map(move |&column| start + usize::from(column))
        })
    }

    /// Leaves lines where they are.
    fn straight(transposed: bool) -> Symmetry {
        let order = std::array::from_fn(|line| line as u8);
        Symmetry {
            transposed,
            orders: [order; 2],
        }
    }

    /// Where a cell of the image comes from in the grid.
    fn source(&self, cell: usize, side: usize) -> usize {
        let row = usize::from(self.orders[0][cell / side]);
        let column = usize::from(self.orders[1][cell % side]);
        if self.transposed {
            column * side + row
        } else {
            row * side + column
        }
    }
}

/// Turns and mirrors the grid.
pub fn of_the_square(side: usize) -> Vec<Symmetry> {
    let mut squares = vec![Symmetry::straight(false), Symmetry::straight(true)];
    for kind in 0..2 {
        let mut reversed = squares.clone();
        for square in &mut reversed {
            square.orders[kind][..side].reverse();
        }
        squares.append(&mut reversed);
    }
    squares
}

/// How boxes hold lines together: those of a block stay side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    pub side: usize,
    /// Rows of a band, columns of a stack.
    pub rows: usize,
    pub columns: usize,
}

impl Blocks {
    pub fn of(rules: &Rules) -> Blocks {
        let side = rules.side();
        let is_box = |name| matches!(name, HouseName::Box(_));
        let first = rules.houses().iter().find(|house| is_box(house.name));
        let first = first.expect("a grid without regions has boxes");
        let columns = first
            .cells
            .iter()
            .filter(|&&cell| usize::from(cell) < side)
            .count();
        // Boxes that are rows or columns hold nothing together.
        if columns == 1 || columns == side {
            return Blocks {
                side,
                rows: side,
                columns: side,
            };
        }
        Blocks {
            side,
            rows: side / columns,
            columns,
        }
    }

    /// Whether rows may take the place of columns.
    pub fn transpose(&self) -> bool {
        self.rows == self.columns
    }

    fn share_box(&self, a: usize, b: usize) -> bool {
        if self.rows == self.side {
            return false;
        }
        let box_of = |cell: usize| {
            (
                cell / self.side / self.rows,
                cell % self.side / self.columns,
            )
        };
        box_of(a) == box_of(b)
    }
}

/// What holds besides the rules for rows, columns and regions.
pub struct Demands {
    side: usize,
    /// For each cell, those whose digits differ from its own.
    differ: Relation,
    /// For each cell, those whose digits are not next to its own.
    apart: Relation,
    /// Sets of cells. What two of them demand, others may demand too, but houses are to stay houses.
    houses: Vec<u128>,
}

/// For each cell, a set of cells.
type Relation = Vec<u128>;

impl Demands {
    /// Of all rules but the regions. If `blocks` are kept, then so is what the boxes demand, and need not be told.
    pub fn of(rules: &Rules, blocks: Option<&Blocks>) -> Demands {
        let side = rules.side();
        let is_told = |name| match name {
            HouseName::Row(_) | HouseName::Column(_) | HouseName::Region(_) => false,
            HouseName::Box(_) => blocks.is_none(),
            _ => true,
        };
        let houses = rules.houses().iter().filter(|house| is_told(house.name));
        let mut demands = Demands {
            side,
            differ: vec![0; rules.cells()],
            apart: vec![0; rules.cells()],
            houses: houses.clone().map(|house| set_of(&house.cells)).collect(),
        };
        for house in houses.chain(rules.groups()) {
            let cells = set_of(&house.cells);
            for &cell in &house.cells {
                demands.differ[usize::from(cell)] |= cells;
            }
        }
        for pair in rules.pairs() {
            let relation = if pair.relation.forbids(1, 1) {
                &mut demands.differ
            } else {
                &mut demands.apart
            };
            for [a, b] in [pair.cells, [pair.cells[1], pair.cells[0]]] {
                relation[usize::from(a)] |= 1 << b;
            }
        }
        demands.forget(|a, b| {
            let share_line = a / side == b / side || a % side == b % side;
            share_line || blocks.is_some_and(|blocks| blocks.share_box(a, b))
        });
        demands
    }

    /// Cells that differ for other reasons need not be told so.
    fn forget(&mut self, differ_anyway: impl Fn(usize, usize) -> bool) {
        for (a, others) in self.differ.iter_mut().enumerate() {
            for b in cells_of(*others).filter(|&b| differ_anyway(a, b)) {
                *others &= !(1 << b);
            }
        }
    }

    pub fn are_none(&self) -> bool {
        let mut relations = self.differ.iter().chain(&self.apart);
        relations.all(|&others| others == 0)
    }

    pub fn tell_neighbours_apart(&self) -> bool {
        self.apart.iter().any(|&others| others != 0)
    }

    /// Whether a symmetry leaves them as they are.
    pub fn are_kept_by(&self, symmetry: &Symmetry) -> bool {
        (1..=2 * self.side).all(|placed| self.are_kept_so_far(symmetry, placed))
            && self.houses_are_kept_by(symmetry)
    }

    fn houses_are_kept_by(&self, symmetry: &Symmetry) -> bool {
        let sources = |house: u128| {
            let sources = cells_of(house).map(|cell| symmetry.source(cell, self.side));
            sources.fold(0, |set, cell| set | 1 << cell)
        };
        let mut houses = self.houses.iter();
        houses.all(|&house| self.houses.contains(&sources(house)))
    }

    /// Whether the pairs that the last of the lines placed, of rows and columns in turn, has with the others come from
    /// pairs. In the end there are as many pairs after as before, so that all come to be pairs.
    fn are_kept_so_far(&self, symmetry: &Symmetry, placed: usize) -> bool {
        let side = self.side;
        let (rows, columns) = (placed.div_ceil(2), placed / 2);
        let is_placed = |cell: &usize| cell / side < rows && cell % side < columns;
        let keeps = |cell: usize| {
            let source = symmetry.source(cell, side);
            [&self.differ, &self.apart].into_iter().all(|relation| {
                let mut others = cells_of(relation[cell]).filter(is_placed);
                others.all(|other| relation[source] >> symmetry.source(other, side) & 1 == 1)
            })
        };
        if placed % 2 == 1 {
            (0..columns).all(|column| keeps((rows - 1) * side + column))
        } else {
            (0..rows).all(|row| keeps(row * side + columns - 1))
        }
    }

    /// How many pairs there are between lines: rows, or columns.
    fn between_lines(&self, line_of: impl Fn(usize) -> usize) -> Counts {
        let mut counts = Counts::default();
        for (relation, weight) in [(&self.differ, 1), (&self.apart, 1 << 16)] {
            for (a, &others) in relation.iter().enumerate() {
                for b in cells_of(others) {
                    counts[line_of(a)][line_of(b)] += weight;
                }
            }
        }
        counts
    }
}

fn set_of(cells: &[u16]) -> u128 {
    cells.iter().fold(0, |set, &cell| set | 1 << cell)
}

fn cells_of(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

/// How much there is between two lines of a kind.
type Counts = [[u32; MOST_LINES]; MOST_LINES];

/// More symmetries than this are too many to go through for each puzzle: where boxes say nothing and little else does.
const MOST_SYMMETRIES: usize = 1 << 21;

/// All symmetries of the boxes that leave the demands as they are, unless they are too many.
pub fn that_keep(demands: &Demands, blocks: &Blocks) -> Option<Vec<Symmetry>> {
    let side = blocks.side;
    let counts = [
        demands.between_lines(|cell| cell / side),
        demands.between_lines(|cell| cell % side),
    ];
    let mut kept = Vec::new();
    let mut open: Vec<(Symmetry, usize)> = Vec::new();
    for transposed in [false, true] {
        if !transposed || blocks.transpose() {
            open.push((Symmetry::straight(transposed), 0));
        }
    }
    // Rows and columns are placed in turn, so that what does not fit shows early.
    while let Some((symmetry, placed)) = open.pop() {
        if placed == 2 * side {
            if demands.houses_are_kept_by(&symmetry) {
                kept.push(symmetry);
            }
            if kept.len() > MOST_SYMMETRIES {
                return None;
            }
            continue;
        }
        let (kind, at) = (placed % 2, placed / 2);
        let block = [blocks.rows, blocks.columns][kind];
        let counts_before = &counts[kind ^ usize::from(symmetry.transposed)];
        for line in 0..side {
            let mut longer = symmetry.clone();
            let order = &mut longer.orders[kind];
            order[at] = line as u8;
            let is_free = !order[..at].contains(&(line as u8));
            let begins_block = at.is_multiple_of(block);
            let goes_on = begins_block || usize::from(order[at - 1]) / block == line / block;
            let counts_stay = order[..=at]
                .iter()
                .zip(&counts[kind][at])
                .all(|(&other, &count)| counts_before[line][usize::from(other)] == count);
            if is_free && goes_on && counts_stay && demands.are_kept_so_far(&longer, placed + 1) {
                open.push((longer, placed + 1));
            }
        }
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Shape;

    #[test]
    fn symmetries_that_keep_diagonals_and_windows_are_as_many_as_counting_says() {
        let cases = [
            // Columns go with rows, in orders that keep opposite lines opposite: 2 of the middle band, 2 * 6 of the
            // others; then columns may be turned round, and the grid transposed.
            ((3, 3), "diagonal", 24 * 2 * 2),
            // Rows 2 and 3 exchanged, rows 7 and 8, or all turned round; columns likewise; the grid transposed.
            ((3, 3), "window", 8 * 8 * 2),
            // The grid turned and mirrored; rows and columns 2 and 3 exchanged, and 8 and 7 with them.
            ((3, 3), "diagonal,window", 8 * 2),
            ((2, 2), "diagonal", 4 * 2 * 2),
            ((2, 2), "window", 8),
            ((2, 3), "diagonal", 8),
            // Four pairs of opposite lines in any order, each turned round or not.
            ((1, 9), "diagonal", 24 * 16 * 2 * 2),
        ];
        for ((rows, columns), variants, count) in cases {
            let shape = Shape::Boxes { rows, columns };
            let rules = Rules::new(rows * columns, shape, &variants.parse().unwrap()).unwrap();
            let blocks = Blocks::of(&rules);
            let demands = Demands::of(&rules, Some(&blocks));
            let symmetries = that_keep(&demands, &blocks).unwrap();
            assert_eq!(symmetries.len(), count, "{rows}x{columns} {variants}");
        }
    }
}

//! Symmetries of a grid: the permutations of rows and columns, with or without a transposition,
//! that preserve the rules (but a jigsaw layout or cages can move with the cells).

use crate::rules::{CellSet, House, HouseName, MAX_SIDE, Rules, peers_of_cells};

pub const MAX_FORM_SIDE: usize = 9;
pub const MAX_FORM_CELLS: usize = MAX_FORM_SIDE * MAX_FORM_SIDE;

/// The transposition comes before the permutations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    pub transposed: bool,
    /// For rows, then for columns: entry i is the source of row or column i of the image. After a
    /// transposition, the source is a row or column of the transposed grid.
    pub permutations: [[u8; MAX_SIDE]; 2],
}

impl Symmetry {
    #[inline(always)]
    pub fn sources(&self, side: usize) -> impl Iterator<Item: Iterator<Item = usize>> {
        let [row_step, column_step] = self.steps(side);
        let [rows, columns] = self.permutations.each_ref().map(|indices| &indices[..side]);
        rows.iter().map(move |&row| {
            let start = usize::from(row) * row_step;
            let column_starts = columns.iter().map(move |&it| usize::from(it) * column_step);
            column_starts.map(move |column| start + column)
        })
    }

    /// Returns how much the source grows from row to row and from column to column, unpermuted.
    #[inline(always)]
    pub fn steps(&self, side: usize) -> [usize; 2] {
        if self.transposed { [1, side] } else { [side, 1] }
    }

    pub fn unpermuted(transposed: bool) -> Symmetry {
        let identity = std::array::from_fn(|index| index as u8);
        Symmetry { transposed, permutations: [identity; 2] }
    }

    /// `cell` is a cell of the image.
    pub fn source(&self, cell: usize, side: usize) -> usize {
        let [rows, columns] = &self.permutations;
        let [row_step, column_step] = self.steps(side);
        usize::from(rows[cell / side]) * row_step + usize::from(columns[cell % side]) * column_step
    }
}

fn of_the_square(side: usize) -> [Symmetry; 8] {
    // Bits of `number`: 2 transposes, 1 reverses the rows, 0 reverses the columns.
    std::array::from_fn(|number| {
        let mut square = Symmetry::unpermuted(number & 4 != 0);
        for axis in 0..2 {
            if number & (2 >> axis) != 0 {
                square.permutations[axis][..side].reverse();
            }
        }
        square
    })
}

/// Rows of a band, and columns of a stack, stay together in an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    pub side: usize,
    /// The number of rows in a band, and of columns in a stack. Both are N if the boxes are single
    /// rows or columns.
    pub sizes: [usize; 2],
}

impl Blocks {
    /// Panics if the grid has no boxes.
    pub fn from_rules(rules: &Rules) -> Blocks {
        let side = rules.side();
        let first = rules.boxes().first();
        let first = first.expect("a grid without regions has boxes");
        let columns = first.cells.iter().filter(|&&cell| usize::from(cell) < side);
        let sizes = match columns.count() {
            columns if columns == 1 || columns == side => [side; 2],
            columns => [side / columns, columns],
        };
        Blocks { side, sizes }
    }

    pub fn can_transpose(&self) -> bool {
        self.sizes[0] == self.sizes[1]
    }
}

#[derive(Debug)]
pub enum SymmetryGroup {
    /// All symmetries of the blocks: rows, columns and boxes imply all constraints. A 9x9 with 3x3
    /// boxes has 3,359,232, too many to try each.
    OfBlocks(Blocks),
    Listed(Vec<Symmetry>),
}

impl SymmetryGroup {
    /// Returns `None` if there are jigsaw regions or cages. Also returns `None` if there are extra
    /// constraints and the side is above [`MAX_FORM_SIDE`], or if there are extra constraints that
    /// rows, columns and boxes do not imply and too many symmetries preserve them.
    pub fn of_boxes(rules: &Rules) -> Option<SymmetryGroup> {
        if !rules.jigsaw_regions().is_empty() || !rules.cages().is_empty() {
            return None;
        }
        let blocks = Blocks::from_rules(rules);
        if rules.has_no_extra_constraints() {
            return Some(SymmetryGroup::OfBlocks(blocks));
        }
        if rules.side() > MAX_FORM_SIDE {
            return None;
        }
        let constraints = InvariantConstraints::from_rules(rules, rules.boxes(), &[]);
        if constraints.is_empty() {
            return Some(SymmetryGroup::OfBlocks(blocks));
        }
        preserving(&constraints, &blocks).map(SymmetryGroup::Listed)
    }
}

/// The constraints that a symmetry of the rows and columns can violate.
// Tried: sets large enough for every grid. Listing the symmetries of a layout takes twice as long.
pub struct InvariantConstraints<const WORDS: usize = { MAX_FORM_CELLS.div_ceil(64) }> {
    side: usize,
    /// Entry 0 holds, for each cell, the cells that must not hold the same digit because of
    /// `regions` (see `from_rules`), extra houses, groups or pairs. It leaves out cells that share
    /// a row, a column or a box in `in_blocks`. Entry 1 holds, for each cell, the cells that must
    /// not hold a consecutive digit.
    related: [Vec<CellSet<WORDS>>; 2],
    /// The boxes among `regions` and the houses of variants, without those that are rows or
    /// columns. A symmetry must map each of these to one of them. The user's own houses (`--extra`) count only as pairs of related
    /// cells.
    ///
    /// Related cells alone do not suffice: in a 6x6, `antiknight` and `antiking` together relate
    /// every two cells of a box that share no row or column. So a transposition maps related cells
    /// to related cells, but boxes to sets of cells that are no boxes.
    houses: Vec<CellSet<WORDS>>,
}

impl<const WORDS: usize> InvariantConstraints<WORDS> {
    /// `in_blocks` are boxes that every symmetry to test preserves anyway. `regions` are boxes and
    /// jigsaw regions for which this must be tested.
    pub fn from_rules(rules: &Rules, in_blocks: &[House], regions: &[House]) -> Self {
        let side = rules.side();
        let sets = regions.iter().chain(rules.extra_houses());
        let sets = sets.chain(rules.groups());
        let mut different = peers_of_cells(rules.cells(), sets, rules.pairs());
        let differ_anyway = rules.rows().iter().chain(rules.columns()).chain(in_blocks);
        let differ_anyway = peers_of_cells(rules.cells(), differ_anyway, &[]);
        for (different, differ_anyway) in different.iter_mut().zip(&differ_anyway) {
            *different = different.difference(differ_anyway);
        }
        let neighbours = rules.consecutive_neighbours().into_iter();
        let neighbours = neighbours.map(|cells| cells.into_iter().collect());
        let is_of_variant = |house: &&House| !matches!(house.name, HouseName::Extra(_));
        let of_variants = rules.extra_houses().iter().filter(is_of_variant);
        let houses = regions.iter().chain(of_variants);
        let lines = || rules.rows().iter().chain(rules.columns());
        let houses = houses.filter(|house| lines().all(|line| line.cells != house.cells));
        InvariantConstraints {
            side,
            related: [different, neighbours.collect()],
            houses: houses.map(House::cell_set).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.related.iter().flatten().all(CellSet::is_empty)
    }

    pub fn turns(&self) -> Vec<Symmetry> {
        let squares = of_the_square(self.side).into_iter();
        let preserves = |turn: &Symmetry| {
            (1..=2 * self.side).all(|placed| self.are_preserved_so_far(turn, placed))
        };
        squares.filter(preserves).collect()
    }

    pub fn houses_are_preserved_by(&self, symmetry: &Symmetry) -> bool {
        let source = |cell: u16| symmetry.source(cell.into(), self.side) as u16;
        let mut sources = self.houses.iter().map(|house| house.iter().map(source).collect());
        sources.all(|house| self.houses.contains(&house))
    }

    /// Checks the constraints between the cells of the last placed row or column and all placed
    /// cells: they must also hold between their sources. Rows and columns are placed in turn: the
    /// last one is a row if `placed`, their number, is odd. A complete symmetry permutes the pairs
    /// of cells, so the constraints of the sources need no check.
    fn are_preserved_so_far(&self, symmetry: &Symmetry, placed: usize) -> bool {
        let side = self.side;
        let (rows, columns) = (placed.div_ceil(2), placed / 2);
        let is_placed = |&cell: &usize| cell / side < rows && cell % side < columns;
        let is_preserved = |cell: usize| {
            self.related.iter().all(|sets| {
                sets[cell].is_empty() || {
                    let source = &sets[symmetry.source(cell, side)];
                    let mut others = sets[cell].iter().map(usize::from).filter(is_placed);
                    others.all(|other| source.contains(symmetry.source(other, side) as u16))
                }
            })
        };
        if placed % 2 == 1 {
            (0..columns).all(|column| is_preserved((rows - 1) * side + column))
        } else {
            (0..rows).all(|row| is_preserved(row * side + columns - 1))
        }
    }

    fn counts_between(&self, index_of: impl Fn(usize) -> usize) -> ConstraintCounts {
        let mut counts = ConstraintCounts::default();
        for (kind, sets) in self.related.iter().enumerate() {
            for (a, others) in sets.iter().enumerate() {
                for b in others.iter() {
                    counts[index_of(a)][index_of(b.into())] += 1 << (16 * kind);
                }
            }
        }
        counts
    }
}

/// Entry `[r][s]` counts the constraints between two rows, or between two columns. Entry `[r][r]`
/// counts those within one, each of them twice. Bits 0-15 count pairs of cells that must differ,
/// bits 16-31 pairs that must not hold consecutive digits.
type ConstraintCounts = [[u32; MAX_FORM_SIDE]; MAX_FORM_SIDE];

/// `Canonical::form` tries each listed symmetry.
const MAX_SYMMETRIES: usize = 1 << 21;

/// A depth-first search that places rows and columns in turn, so that violations show early.
/// Returns `None` if there are more than [`MAX_SYMMETRIES`].
fn preserving(constraints: &InvariantConstraints, blocks: &Blocks) -> Option<Vec<Symmetry>> {
    let side = blocks.side;
    let counts = [
        constraints.counts_between(|cell| cell / side),
        constraints.counts_between(|cell| cell % side),
    ];
    let mut found = Vec::new();
    let mut open: Vec<(Symmetry, usize)> = Vec::new();
    for transposed in [false, true] {
        if !transposed || blocks.can_transpose() {
            open.push((Symmetry::unpermuted(transposed), 0));
        }
    }
    while let Some((symmetry, placed)) = open.pop() {
        if placed < 2 * side {
            for source in 0..side {
                if can_be_next(source, &symmetry, placed, blocks, &counts) {
                    let mut extended = symmetry.clone();
                    extended.permutations[placed % 2][placed / 2] = source as u8;
                    if constraints.are_preserved_so_far(&extended, placed + 1) {
                        open.push((extended, placed + 1));
                    }
                }
            }
        } else if constraints.houses_are_preserved_by(&symmetry) {
            found.push(symmetry);
            if found.len() > MAX_SYMMETRIES {
                return None;
            }
        }
    }
    Some(found)
}

/// Checks the row or column after `placed` others by blocks and `counts` (of rows, then columns).
fn can_be_next(
    source: usize,
    symmetry: &Symmetry,
    placed: usize,
    blocks: &Blocks,
    counts: &[ConstraintCounts; 2],
) -> bool {
    let (axis, at) = (placed % 2, placed / 2);
    let block = blocks.sizes[axis];
    let before = &symmetry.permutations[axis][..at];
    let is_free = !before.contains(&(source as u8));
    let begins_block = at.is_multiple_of(block);
    let stays_in_block = begins_block || usize::from(before[at - 1]) / block == source / block;
    // After a transposition, the sources of rows are columns.
    let source_counts = &counts[axis ^ usize::from(symmetry.transposed)][source];
    // The row must have as many constraints within itself, and with each row placed before it, as
    // their sources have. Likewise for a column.
    let counts_match = || {
        let sources = before.iter().copied().chain([source as u8]);
        let mut pairs = sources.zip(&counts[axis][at]);
        pairs.all(|(other, &count)| source_counts[usize::from(other)] == count)
    };
    is_free && stays_in_block && counts_match()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    #[test]
    fn symmetry_counts_match_counting_by_hand() {
        let cases = [
            // The rows are permuted so that opposite rows stay opposite: 2 ways for the middle
            // band, 2 * 6 for the others. The columns use the same permutation or its
            // reverse. The grid is transposed or not.
            ((3, 3), "diagonal", 24 * 2 * 2),
            // Rows 2 and 3 exchanged, rows 7 and 8 exchanged, all rows reversed; likewise for
            // columns; transposed.
            ((3, 3), "window", 8 * 8 * 2),
            // The eight symmetries of the square; rows and columns 2 and 3 exchanged together with
            // 7 and 8.
            ((3, 3), "diagonal,window", 8 * 2),
            ((2, 2), "diagonal", 4 * 2 * 2),
            ((2, 2), "window", 8),
            ((2, 3), "diagonal", 8),
            // Four pairs of opposite rows in any order, each reversed or not.
            ((1, 9), "diagonal", 24 * 16 * 2 * 2),
            // Disjoint houses are columns or rows here.
            ((1, 9), "disjoint,diagonal", 24 * 16 * 2 * 2),
            ((9, 1), "disjoint,diagonal", 24 * 16 * 2 * 2),
        ];
        for ((rows, columns), variants, count) in cases {
            let shape = Shape::boxes(rows, columns);
            let rules = Rules::new(rows * columns, shape, &variants.parse().unwrap()).unwrap();
            let blocks = Blocks::from_rules(&rules);
            let constraints = InvariantConstraints::from_rules(&rules, rules.boxes(), &[]);
            let symmetries = preserving(&constraints, &blocks).unwrap();
            assert_eq!(symmetries.len(), count, "{rows}x{columns} {variants}");
        }
    }

    #[test]
    fn a_pair_of_cells_is_preserved_in_whatever_order_its_rows_and_columns_are_placed() {
        // A symmetry fixes both cells or exchanges them. For the first two pairs, two columns or
        // two rows are still free; for the others, the transposition is.
        for pair in [".....A..A.......", "..A.A...........", "A.........A.....", "...A........A..."]
        {
            let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
            let rules = rules.with_extra(pair.as_bytes()).unwrap();
            let blocks = Blocks::from_rules(&rules);
            let constraints = InvariantConstraints::from_rules(&rules, rules.boxes(), &[]);
            let symmetries = preserving(&constraints, &blocks).unwrap();
            assert_eq!(symmetries.len(), 4, "{pair}");
        }
    }

    #[test]
    fn redundant_groups_leave_all_symmetries() {
        let count = |variants: &str, extras: &[&str]| {
            let shape = Shape::boxes_of(4).unwrap();
            let mut rules = Rules::new(4, shape, &variants.parse().unwrap()).unwrap();
            for extra in extras {
                rules = rules.with_extra(extra.as_bytes()).unwrap();
            }
            let blocks = Blocks::from_rules(&rules);
            let constraints = InvariantConstraints::from_rules(&rules, rules.boxes(), &[]);
            preserving(&constraints, &blocks).unwrap().len()
        };
        for variants in ["classic", "antiknight", "diagonal", "window"] {
            let all = count(variants, &[]);
            // A box, a row, a column, a part of a box and of a row.
            for extra in
                ["..AA..AA........", "AAAA............", "A...A...A...A...", "..A...A.BBB....."]
            {
                assert_eq!(count(variants, &[extra]), all, "{variants} {extra}");
            }
        }
        let diagonals = ["A....A....A....A", "...A..A..A..A..."];
        assert_eq!(count("classic", &diagonals), count("diagonal", &[]));
        assert_eq!(count("diagonal", &diagonals[..1]), count("diagonal", &[]));
    }
}

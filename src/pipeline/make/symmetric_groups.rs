//! Symmetries of the pattern of givens (`--symmetry`): groups of cells that a symmetry maps to each
//! other.

/// A symmetry that the pattern of givens can have.
///
/// ```
/// use sudoku_filter::PipelineOptions;
/// use sudoku_filter::program::PatternSymmetry;
///
/// let mut options = PipelineOptions::default();
/// options.symmetry = Some(PatternSymmetry::HalfTurn);
/// assert_eq!(options.symmetry, Some(PatternSymmetry::NAMES[0].1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternSymmetry {
    /// A rotation by 180 degrees.
    HalfTurn,
    /// A rotation by 90 degrees.
    QuarterTurn,
    /// A reflection that exchanges left and right.
    LeftRight,
    /// A reflection that exchanges top and bottom.
    TopBottom,
    /// A reflection that exchanges rows and columns.
    Diagonal,
    /// All rotations and reflections.
    Full,
}

/// A function that moves a place, [row, column] from 0, in a grid whose last row and column have
/// the given index.
type Map = fn([usize; 2], usize) -> [usize; 2];

impl PatternSymmetry {
    /// All symmetries, each with its name.
    pub const NAMES: [(&'static str, PatternSymmetry); 6] = [
        ("half-turn", PatternSymmetry::HalfTurn),
        ("quarter-turn", PatternSymmetry::QuarterTurn),
        ("left-right", PatternSymmetry::LeftRight),
        ("top-bottom", PatternSymmetry::TopBottom),
        ("diagonal", PatternSymmetry::Diagonal),
        ("full", PatternSymmetry::Full),
    ];

    /// Each rotation and reflection of the symmetry is a series of these maps, one after another.
    fn generators(self) -> &'static [Map] {
        match self {
            PatternSymmetry::HalfTurn => &[|[row, column], last| [last - row, last - column]],
            PatternSymmetry::QuarterTurn => &[|[row, column], last| [column, last - row]],
            PatternSymmetry::LeftRight => &[|[row, column], last| [row, last - column]],
            PatternSymmetry::TopBottom => &[|[row, column], last| [last - row, column]],
            PatternSymmetry::Diagonal => &[|[row, column], _| [column, row]],
            PatternSymmetry::Full => &[
                |[row, column], last| [column, last - row],
                |[row, column], last| [row, last - column],
            ],
        }
    }
}

/// Returns the cells, ascending, to which these maps, applied one after another, can move `cell`.
fn orbit(cell: usize, maps: &[Map], side: usize) -> Vec<usize> {
    let mut cells = vec![cell];
    let mut next = 0;
    while next < cells.len() {
        let place = [cells[next] / side, cells[next] % side];
        for map in maps {
            let [row, column] = map(place, side - 1);
            let image = row * side + column;
            if !cells.contains(&image) {
                cells.push(image);
            }
        }
        next += 1;
    }
    cells.sort_unstable();
    cells
}

/// Returns the groups of cells that the symmetry maps to each other, ordered by their last cells.
/// Without a symmetry, each cell is a group.
pub(in crate::pipeline) fn groups(
    symmetry: Option<PatternSymmetry>,
    side: usize,
) -> Vec<Vec<usize>> {
    let maps = symmetry.map_or(&[][..], PatternSymmetry::generators);
    let groups = (0..side * side).map(|cell| orbit(cell, maps, side));
    // Keeps each group once: the one that was made for its last cell.
    let groups = groups.enumerate();
    let groups = groups.filter(|(cell, group)| group.last() == Some(cell));
    groups.map(|(_, group)| group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_divide_the_grid_and_have_the_size_of_their_symmetry() {
        for side in [2, 4, 5, 9, 16] {
            for (name, symmetry) in PatternSymmetry::NAMES {
                let groups = groups(Some(symmetry), side);
                let mut cells: Vec<usize> = groups.concat();
                cells.sort_unstable();
                assert_eq!(cells, (0..side * side).collect::<Vec<_>>(), "{name} {side}");
                let largest = match symmetry {
                    PatternSymmetry::QuarterTurn => 4,
                    PatternSymmetry::Full if side > 3 => 8,
                    PatternSymmetry::Full => 4,
                    _ => 2,
                };
                let sizes = groups.iter().map(Vec::len);
                assert_eq!(sizes.max(), Some(largest), "{name} {side}");
            }
        }
    }

    #[test]
    fn groups_of_a_4x4_are_as_drawn() {
        // Cells with equal letters form a group.
        for (symmetry, drawing) in [
            (PatternSymmetry::HalfTurn, "ABCDEFGHHGFEDCBA"),
            (PatternSymmetry::QuarterTurn, "ABCACDDBBDDCACBA"),
            (PatternSymmetry::LeftRight, "ABBACDDCEFFEGHHG"),
            (PatternSymmetry::TopBottom, "ABCDEFGHEFGHABCD"),
            (PatternSymmetry::Diagonal, "ABCDBEFGCFHIDGIJ"),
            (PatternSymmetry::Full, "ABBABCCBBCCBABBA"),
        ] {
            let drawing = drawing.as_bytes();
            for group in groups(Some(symmetry), 4) {
                let same = |cell: &usize| drawing[*cell] == drawing[group[0]];
                let drawn: Vec<usize> = (0..16).filter(same).collect();
                assert_eq!(group, drawn, "{symmetry:?}");
            }
        }
    }

    #[test]
    fn without_symmetry_each_cell_is_a_group() {
        assert_eq!(groups(None, 2), [[0], [1], [2], [3]]);
    }
}

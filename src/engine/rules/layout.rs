//! Houses from the geometry of a grid: rows, columns, boxes and the regions of a jigsaw layout.
//! Rejects invalid layouts. The houses of variants are in `variant_constraints.rs`.

use std::ops::Range;

use super::cell_set::CellSet;
use super::house::{House, HouseName};
use super::place::{MAX_SIDE, Place, a_puzzle, pluralize};
use crate::error::InvalidInput;

/// The regions of a grid: boxes, jigsaw regions, or both. At least one of `boxes` and `labels` must
/// be set.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Rules, Shape, Variants};
///
/// assert_eq!(Shape::boxes_of(6), Some(Shape::boxes(2, 3)));
/// let jigsaw = Shape::regions(b"AAABCCABDCCBDDDB", false);
/// let rules = Rules::new(4, jigsaw, &Variants::default())?;
/// assert_eq!(rules.houses()[8].cells, [0, 1, 2, 6]);
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape<'a> {
    /// Rows and columns of a box.
    #[doc(hidden)]
    pub boxes: Option<[usize; 2]>,
    /// One label per cell. Cells with equal labels form a jigsaw region.
    pub(crate) labels: Option<&'a [u8]>,
    /// If false, the cells of a jigsaw region must be orthogonally connected.
    pub(crate) disconnected: bool,
}

impl<'a> Shape<'a> {
    /// Returns boxes of this many rows and columns, without jigsaw regions.
    #[must_use]
    pub fn boxes(rows: usize, columns: usize) -> Shape<'static> {
        Shape { boxes: Some([rows, columns]), labels: None, disconnected: false }
    }

    /// Returns jigsaw regions without boxes. `labels` has a label for each cell, along the rows;
    /// cells with equal labels form a region. [`Rules::new`](super::Rules::new) returns an error
    /// for a region whose cells are not orthogonally connected, unless `disconnected` is true.
    #[must_use]
    pub fn regions(labels: &'a [u8], disconnected: bool) -> Shape<'a> {
        Shape { boxes: None, labels: Some(labels), disconnected }
    }

    /// Returns the boxes of a grid with this side that are closest to a square and not higher than
    /// wide: for example, 2 rows by 3 columns for side 6.
    ///
    /// Returns `None` if the side is 0, 1, 22, a prime, or above
    /// [`Rules::MAX_SIDE`](super::Rules::MAX_SIDE).
    #[must_use]
    #[inline]
    pub fn boxes_of(side: usize) -> Option<Shape<'static>> {
        // Boxes of 2x11 would fit a 22x22, but are not offered.
        if side == 22 || side > MAX_SIDE {
            return None;
        }
        let mut heights = (2..=side.isqrt()).rev();
        let rows = heights.find(|&rows| side.is_multiple_of(rows))?;
        Some(Shape::boxes(rows, side / rows))
    }

    /// Adds jigsaw regions to boxes. Jigsaw regions that `self` already has are replaced.
    #[must_use]
    pub fn with_regions(self, labels: &'a [u8], disconnected: bool) -> Shape<'a> {
        Shape { boxes: self.boxes, ..Shape::regions(labels, disconnected) }
    }

    /// Boxes come first.
    pub(super) fn houses(self, side: usize) -> Result<Vec<House>, InvalidInput> {
        if let Some([rows, columns]) = self.boxes
            && rows.checked_mul(columns) != Some(side)
        {
            return Err(format!("boxes of {rows}x{columns} do not have {side} cells").into());
        }
        let mut houses = self.boxes.map_or_else(Vec::new, boxes);
        if let Some(labels) = self.labels {
            houses.extend(regions(side, labels, self.disconnected)?);
        }
        Ok(houses)
    }
}

pub(super) fn rectangle(
    side: usize,
    name: HouseName,
    rows: Range<usize>,
    columns: Range<usize>,
) -> House {
    debug_assert!(rows.end <= side && columns.end <= side);
    let cells = rows.flat_map(|row| columns.clone().map(move |column| row * side + column));
    House { name, cells: cells.map(|cell| cell as u16).collect() }
}

pub(super) fn rows_and_columns(side: usize) -> Vec<House> {
    let row = |row| rectangle(side, HouseName::Row(row + 1), row..row + 1, 0..side);
    let column =
        |column| rectangle(side, HouseName::Column(column + 1), 0..side, column..column + 1);
    (0..side).map(row).chain((0..side).map(column)).collect()
}

fn boxes([rows, columns]: [usize; 2]) -> Vec<House> {
    let side = rows * columns;
    let one = |index| {
        // A band has `side / columns` = `rows` boxes side by side.
        let (top, left) = (index / rows * rows, index % rows * columns);
        let name = HouseName::Box(index + 1);
        rectangle(side, name, top..top + rows, left..left + columns)
    };
    (0..side).map(one).collect()
}

/// Builds houses or groups in the order in which their labels first appear.
pub(super) fn houses_by_label(
    side: usize,
    labels: &[u8],
    name: impl Fn(u8) -> HouseName,
) -> Vec<House> {
    let mut houses: Vec<House> = Vec::with_capacity(side);
    let mut house_of_label = [None; 256];
    for (cell, &label) in (0..).zip(labels) {
        let index = *house_of_label[usize::from(label)].get_or_insert_with(|| {
            houses.push(House { name: name(label), cells: Vec::with_capacity(side) });
            houses.len() - 1
        });
        houses[index].cells.push(cell);
    }
    houses
}

/// Builds the regions in the order in which their labels first appear.
fn regions(side: usize, labels: &[u8], disconnected: bool) -> Result<Vec<House>, InvalidInput> {
    if labels.len() != side * side {
        let (labels, cells) = (pluralize(labels.len(), "region label"), side * side);
        return Err(format!("{labels}; {} has {cells}", a_puzzle(side)).into());
    }
    let regions = houses_by_label(side, labels, HouseName::Region);
    if regions.len() > side {
        return Err(too_many_regions(regions.len(), side));
    }
    for House { name, cells } in &regions {
        if cells.len() != side {
            let cells = pluralize(cells.len(), "cell");
            return Err(format!("{name} has {cells} instead of {side}").into());
        }
        if !disconnected && let Some(apart) = unconnected_cell(side, cells) {
            let [first, apart] = [cells[0], apart].map(|cell| Place::of(cell.into(), side));
            return Err(format!(
                "{name} is not connected: {apart} is apart from {first} (--disconnected allows this)"
            )
            .into());
        }
    }
    Ok(regions)
}

/// Returns the error for a layout whose number of labels is not the side.
pub fn too_many_regions(regions: usize, side: usize) -> InvalidInput {
    format!("{regions} different region labels instead of {side}").into()
}

/// Returns the first cell of a region that orthogonal steps inside it do not connect to `cells[0]`.
fn unconnected_cell(side: usize, cells: &[u16]) -> Option<u16> {
    let side = side as u16;
    let mut rest: CellSet = cells[1..].iter().copied().collect();
    let mut open = vec![cells[0]];
    while let Some(cell) = open.pop() {
        let column = cell % side;
        // For each direction: true if the grid has a cell there, and its number.
        let neighbours = [
            (cell >= side, cell.wrapping_sub(side)),
            (column > 0, cell.wrapping_sub(1)),
            (column + 1 < side, cell + 1),
            (cell + side < side * side, cell + side),
        ];
        let is_new = |&(is_inside, next): &(bool, u16)| is_inside && rest.remove(next);
        open.extend(neighbours.into_iter().filter(is_new).map(|(_, next)| next));
    }
    rest.iter().next()
}

/// The regions must divide the grid, and the cells of each must ascend.
pub(super) fn are_nine_boxes(side: usize, regions: &[House]) -> bool {
    side == 9
        && regions.iter().all(|region| {
            let first = usize::from(region.cells[0]);
            let (top, left) = (first / 9 / 3 * 3, first % 9 / 3 * 3);
            region.cells == rectangle(9, region.name, top..top + 3, left..left + 3).cells
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::rules_of;
    use crate::rules::{Rules, Variants};

    fn jigsaw(side: usize, labels: &str) -> Result<Rules, InvalidInput> {
        let shape = Shape::regions(labels.as_bytes(), false);
        Rules::new(side, shape, &Variants::default())
    }

    #[test]
    fn boxes_of_a_6x6_are_two_rows_high() {
        let rules = rules_of(6, "classic").unwrap();
        assert_eq!(rules.houses()[12].name, HouseName::Box(1));
        assert_eq!(rules.houses()[12].cells, [0, 1, 2, 6, 7, 8]);
        assert_eq!(rules.houses()[13].cells, [3, 4, 5, 9, 10, 11]);
    }

    #[test]
    fn layout_errors_name_the_label_the_count_or_the_cell() {
        let cases = [
            ("AABBAABBCCDDCCD", "15 region labels; a 4x4 puzzle has 16"),
            ("AABBAABBCCDDCCDE", "5 different region labels instead of 4"),
            ("AABBAABBCCDDCCCD", "region C has 5 cells instead of 4"),
            (
                "AABBABABCCDDCCDD",
                "region A is not connected: r2c3 is apart from r1c1 (--disconnected allows this)",
            ),
            // Cells that touch only at a corner are not connected.
            (
                "ABBBABCCADCCDADD",
                "region A is not connected: r4c2 is apart from r1c1 (--disconnected allows this)",
            ),
            (
                "BBBACCBACCDADDAD",
                "region A is not connected: r4c3 is apart from r1c4 (--disconnected allows this)",
            ),
        ];
        for (labels, reason) in cases {
            assert_eq!(jigsaw(4, labels).unwrap_err().to_string(), reason, "{labels}");
        }
    }

    #[test]
    fn disconnected_regions_are_accepted_on_request() {
        let shape = Shape::regions(b"AABBABABCCDDCCDD", true);
        assert!(Rules::new(4, shape, &Variants::default()).is_ok());
    }
}

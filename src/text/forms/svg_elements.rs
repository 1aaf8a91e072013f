//! The elements that images of grids (`svg.rs`) and of their rules (`svg_rules.rs`) share.

use std::fmt::Write;

/// The side of a cell, in the user units of the image, like all lengths here.
pub(super) const CELL: usize = 40;
/// The beginning of the baseline of a sum, right and down from the top left of its cell.
const SUM_OFFSET: [usize; 2] = [6, 12];
/// The distance of the line of a cage from the edge of its cells.
const INSET: isize = 4;

pub(super) fn path(class: &str, data: &str) -> String {
    if data.is_empty() {
        return String::new();
    }
    format!("<path class=\"{class}\" d=\"{data}\"/>")
}

/// A small text in the corner of a cell.
pub(super) fn corner_text(cell: usize, side: usize, text: &str) -> String {
    let (x, y) = (cell % side * CELL + SUM_OFFSET[0], cell / side * CELL + SUM_OFFSET[1]);
    format!("<text x=\"{x}\" y=\"{y}\" class=\"sum\">{}</text>", escape(text))
}

/// One line for each neighbour outside the cage of this cell, `INSET` inside their common edge.
pub(super) fn cage_lines(cages: &[Option<usize>], [row, column]: [isize; 2]) -> String {
    let (side, cell) = (cages.len().isqrt() as isize, CELL as isize);
    let cage_of = |row: isize, column: isize| {
        let is_inside = (0..side).contains(&row) && (0..side).contains(&column);
        is_inside.then(|| cages[(row * side + column) as usize])?
    };
    let mut lines = String::new();
    let Some(cage) = cage_of(row, column) else {
        return lines;
    };
    let (x, y) = (column * cell, row * cell);
    let is_same = |down: isize, right: isize| cage_of(row + down, column + right) == Some(cage);
    // Returns how far before a corner of the cell a line ends. `beside` is true if the next cell
    // along the line is in the cage, `diagonal` if the cell across the corner is.
    // * The cage ends at the corner: the line stops at the line of the other edge.
    // * The next cell continues the line: the line ends at the edge between the two cells.
    // * The cage turns around the corner: the line goes INSET beyond it, to the line of the
    //   diagonal cell.
    let end = |beside: bool, diagonal: bool| match (beside, diagonal) {
        (false, _) => INSET,
        (true, false) => 0,
        (true, true) => -INSET,
    };
    // `out` is the direction of a neighbour: -1 above or to the left, 1 below or to the right. The
    // line towards it is at `offset` from the top left corner of the cell.
    for out in [-1, 1] {
        let offset = if out < 0 { INSET } else { cell - INSET };
        if !is_same(out, 0) {
            let left = x + end(is_same(0, -1), is_same(out, -1));
            let right = x + cell - end(is_same(0, 1), is_same(out, 1));
            let _ = write!(lines, "M{left} {}H{right}", y + offset);
        }
        if !is_same(0, out) {
            let top = y + end(is_same(-1, 0), is_same(-1, out));
            let bottom = y + cell - end(is_same(1, 0), is_same(1, out));
            let _ = write!(lines, "M{} {top}V{bottom}", x + offset);
        }
    }
    lines
}

/// Writes `&`, `<` and `>` as entities of XML, and replaces control characters other than tabs by
/// U+FFFD: XML excludes some of them, and a line end would divide the image.
pub fn escape(text: &str) -> String {
    let is_excluded = |symbol: char| symbol.is_control() && symbol != '\t';
    let text = text.replace(is_excluded, "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

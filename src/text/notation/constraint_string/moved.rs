//! Moves the arguments of rules with the cells of their puzzle, and renames their digits. The row of
//! a rule in the table of `rules.rs` names the function that moves it.

use super::cells::{cell_of, diagonal_of, name_of, row_or_column, square};
use crate::text::symbols::Numbering;
use engine::canonical::RandomSymmetry;

/// Returns the arguments of a moved rule. `None` if a string cannot state it.
pub(super) type Move = fn(&Image<'_>, &[&str]) -> Option<Vec<String>>;

pub(super) struct Image<'s> {
    symmetry: &'s RandomSymmetry,
    side: usize,
    numbering: Numbering,
    /// Element c is the new place of cell c.
    places: Vec<u16>,
}

impl Image<'_> {
    pub fn new(symmetry: &RandomSymmetry, numbering: Numbering) -> Image<'_> {
        let side = symmetry.side();
        let mut places = vec![0; side * side];
        for place in 0..side * side {
            places[symmetry.source(place)] = place as u16;
        }
        Image { symmetry, side, numbering, places }
    }

    fn place(&self, cell: u16) -> u16 {
        self.places[usize::from(cell)]
    }

    fn name(&self, cell: u16) -> String {
        name_of(self.place(cell).into(), self.side)
    }

    /// Moves a cell. Anything else stays.
    fn argument(&self, text: &str) -> String {
        cell_of(text, self.side).map_or_else(|| text.into(), |cell| self.name(cell))
    }

    fn arguments(&self, texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| self.argument(text)).collect()
    }

    /// Renames digits with `_` between them.
    fn digits(&self, text: &str) -> Option<String> {
        // Stored digits are from 1 on.
        let lower = 1 - self.numbering.first() as u8;
        let new = |digit: &str| {
            let digit = digit.parse::<u8>().ok()?.checked_add(lower)?;
            Some((self.symmetry.new_digit(digit) - lower).to_string())
        };
        Some(text.split('_').map(new).collect::<Option<Vec<_>>>()?.join("_"))
    }

    /// True if every digit d becomes N + 1 - d. The relabelling is that or none.
    fn reverses_digits(&self) -> bool {
        self.symmetry.new_digit(1) != 1
    }

    fn is_transposed(&self) -> bool {
        self.places[0] % self.side as u16 != self.places[self.side] % self.side as u16
    }

    /// True if cells of a column come in the opposite order.
    fn reverses_columns(&self) -> bool {
        self.places[0] > self.places[self.side]
    }

    /// True if cells of a row come in the opposite order.
    fn reverses_rows(&self) -> bool {
        self.places[0] > self.places[1]
    }
}

pub(super) fn cells(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    Some(image.arguments(arguments))
}

pub(super) fn stays(_: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    Some(arguments.iter().map(|&text| text.into()).collect())
}

/// Cells whose digits rise or fall. Reversed digits need the opposite order.
pub(super) fn rising(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let mut cells = image.arguments(arguments);
    if image.reverses_digits() {
        cells.reverse();
    }
    Some(cells)
}

/// The first argument is a table, which can look like a cell.
pub(super) fn after_table(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let (table, cells) = arguments.split_first()?;
    Some([table.to_string()].into_iter().chain(image.arguments(cells)).collect())
}

/// The first argument is a list of digits.
pub(super) fn after_digits(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let (digits, cells) = arguments.split_first()?;
    Some([image.digits(digits)?].into_iter().chain(image.arguments(cells)).collect())
}

/// Each argument is a cell with its candidates.
pub(super) fn givens(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let given = |text: &&str| {
        let (cell, digits) = text.split_once('_')?;
        Some(format!("{}_{}", image.argument(cell), image.digits(digits)?))
    };
    arguments.iter().map(given).collect()
}

/// The cell in the upper left corner names the square; digits follow.
pub(super) fn corner(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let (corner, digits) = arguments.split_first()?;
    let cells = square(image.side, cell_of(corner, image.side)?)?;
    let corner = cells.iter().map(|&cell| image.place(cell)).min()?;
    let digits = digits.iter().map(|digit| image.digits(digit));
    [Some(name_of(corner.into(), image.side))].into_iter().chain(digits).collect()
}

pub(super) fn diagonal(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let exchanges = image.reverses_rows() != image.reverses_columns();
    let moved = match (exchanges, arguments) {
        (false, [direction]) => *direction,
        (true, ["1"]) => "-1",
        (true, ["-1"]) => "1",
        _ => return None,
    };
    Some(vec![moved.into()])
}

/// The last argument has a label for each cell.
pub(super) fn layout(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let (labels, others) = arguments.split_last()?;
    let mut moved = Vec::new();
    image.symmetry.move_cells(labels.as_bytes(), &mut moved, |label| label);
    // A label outside ASCII has several bytes, which do not stay together.
    let moved = String::from_utf8(moved).ok()?;
    Some(others.iter().map(|&text| text.into()).chain([moved]).collect())
}

/// One end of the moved diagonal names it.
pub(super) fn little_killer(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let &[sum, start] = arguments else { return None };
    let cells = diagonal_of(cell_of(start, image.side)?, image.side)?;
    let moved: Vec<u16> = cells.iter().map(|&cell| image.place(cell)).collect();
    let names_it = |end: &u16| {
        diagonal_of(*end, image.side).is_some_and(|named| named.iter().all(|it| moved.contains(it)))
    };
    let start = [moved[0], moved[moved.len() - 1]].into_iter().find(names_it)?;
    Some(vec![sum.into(), name_of(start.into(), image.side)])
}

/// The cells of the pill are read along the rows.
pub(super) fn pill_arrow(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let (size, cells) = arguments.split_first()?;
    let pill = cells.get(..size.parse().ok()?)?.iter();
    let mut pill: Vec<u16> = pill.map(|cell| cell_of(cell, image.side)).collect::<Option<_>>()?;
    pill.sort_unstable();
    let keeps_order = pill.is_sorted_by_key(|&cell| image.place(cell));
    keeps_order.then(|| image.arguments(arguments))
}

/// Places are counted from the first row or column on. Cells in the opposite order have reversed
/// places, which are digits.
pub(super) fn indexing(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let (kind, cells) = arguments.split_first()?;
    let (is_reversed, other) = match *kind {
        "R" => (image.reverses_columns(), "C"),
        _ => (image.reverses_rows(), "R"),
    };
    let kind = if image.is_transposed() { other } else { kind };
    let moved = || [kind.into()].into_iter().chain(image.arguments(cells)).collect();
    (is_reversed == image.reverses_digits()).then(moved)
}

/// The clues from both ends of a row or column follow its name.
pub(super) fn numbered_room(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let (line, clues) = arguments.split_first()?;
    let cells = row_or_column(image.side, line).ok()?;
    let [first, second] = [image.place(cells[0]), image.place(cells[1])];
    let side = image.side as u16;
    let line = match first / side == second / side {
        true => format!("R{}", first / side + 1),
        false => format!("C{}", first % side + 1),
    };
    let mut clues = [0, 1].map(|end| clues.get(end).map_or("", |clue| clue).to_string());
    if first > second {
        clues.reverse();
    }
    Some([line].into_iter().chain(clues).collect())
}

/// A low digit above a cell, a high one below it.
pub(super) fn flatmates(image: &Image<'_>, arguments: &[&str]) -> Option<Vec<String>> {
    let keeps_ends = image.reverses_columns() == image.reverses_digits();
    if image.is_transposed() || !keeps_ends { None } else { stays(image, arguments) }
}

//! The forms of lines in which a puzzle can be written, with the options that `data/notations.md`
//! names for each.

use super::puzzles::{Cages, Puzzle};
use crate::generator::constraints::{Constraints, box_of};
use crate::generator::notations;

/// The symbols of the digits from 0, which is a blank cell.
const SYMBOLS: &[u8] = b".123456789ABCDEFGHIJKLMNOP";

/// A form of lines, and of CSV records.
pub struct Form {
    pub name: &'static str,
    /// The options that read it, without those for diagonals.
    pub variants: &'static str,
    /// True if lines state their diagonals themselves.
    pub states_diagonals: bool,
    /// The header of CSV records; empty for lines.
    pub header: &'static str,
    /// Returns the fields of a puzzle, or `None` if the form cannot express it.
    pub fields: fn(&Puzzle) -> Option<Vec<String>>,
}

const fn form(
    name: &'static str,
    variants: &'static str,
    header: &'static str,
    fields: fn(&Puzzle) -> Option<Vec<String>>,
) -> Form {
    Form { name, variants, states_diagonals: variants.is_empty(), header, fields }
}

/// All forms. Those without variants describe their rules, except the first.
pub const FORMS: [Form; 22] = [
    Form { states_diagonals: false, ..form("symbols", "", "", bare) },
    Form { states_diagonals: false, ..form("symbols in CSV", "", "id,puzzle", bare) },
    form("layout", "jigsaw", "", layout),
    form("layout in CSV", "jigsaw", "id,puzzle,regions", layout),
    form("layout in the puzzle column", "jigsaw", "id;puzzle", glued_layout),
    form("arrows", "killer", "", arrows),
    form("arrows in CSV", "killer", "id,puzzle,cages", arrows),
    form("arrows alone", "killer", "", arrows_alone),
    form("arrows alone in CSV", "killer", "id;puzzle", arrows_alone),
    form("cage numbers as a field", "killer", "", numbers_field),
    form("cage numbers in CSV", "killer", "id;puzzle;cages", numbers_field),
    form("puzzle, regions, cages", "killer,jigsaw", "", all_fields),
    form("puzzle, regions, cages in CSV", "killer,jigsaw", "id,puzzle,regions,cages", all_fields),
    form("all in the puzzle column", "killer,jigsaw", "id;puzzle", glued),
    form("game ID", "", "", solo),
    form("game ID in CSV", "", "id;puzzle", solo),
    form("SumoCue", "", "", sumocue),
    form("SumoCue in CSV", "", "id,puzzle", sumocue),
    form("puzz.link", "", "", puzz_link),
    form("puzz.link in CSV", "", "id,puzzle", puzz_link),
    form("cage numbers", "", "", cage_numbers),
    form("cage numbers in CSV", "", "id,puzzle", cage_numbers),
];

impl Form {
    /// Returns the options that read a puzzle with or without diagonals in this form.
    pub fn options(&self, has_diagonals: bool) -> String {
        let diagonal = has_diagonals && !self.states_diagonals;
        let names = [self.variants, if diagonal { "diagonal" } else { "" }];
        let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        let csv = if self.header.is_empty() { "" } else { "--csv" };
        if names.is_empty() {
            csv.to_string()
        } else {
            format!("{csv} --variant {}", names.join(","))
        }
    }

    /// Returns the line of a puzzle.
    pub fn line(&self, puzzle: &Puzzle) -> Option<String> {
        let fields = (self.fields)(puzzle)?;
        if self.header.is_empty() {
            return Some(fields.join(" "));
        }
        let quoted = fields.iter().map(|field| format!("\"{field}\""));
        let separator = if self.header.contains(';') { ";" } else { "," };
        let fields: Vec<String> = ["x".to_string()].into_iter().chain(quoted).collect();
        Some(fields.join(separator))
    }
}

fn is_killer(puzzle: &Puzzle) -> bool {
    puzzle.cages != Cages::None
}

fn is_jigsaw(puzzle: &Puzzle) -> bool {
    puzzle.constraints.regions.is_some()
}

/// Returns whether a puzzle has the boxes that its length implies.
fn has_usual_boxes(puzzle: &Puzzle) -> bool {
    // There are no usual boxes for 22x22.
    puzzle.constraints.side != 22 && puzzle.boxes == box_of(puzzle.constraints.side)
}

fn symbols(puzzle: &Puzzle) -> String {
    let symbol = |&digit: &u8| char::from(SYMBOLS[usize::from(digit)]);
    puzzle.givens.iter().map(symbol).collect()
}

fn labels(puzzle: &Puzzle) -> Option<String> {
    let labels = puzzle.constraints.regions.as_ref()?;
    Some(String::from_utf8_lossy(labels).into_owned())
}

fn bare(puzzle: &Puzzle) -> Option<Vec<String>> {
    let is_bare = !is_killer(puzzle) && !is_jigsaw(puzzle) && has_usual_boxes(puzzle);
    is_bare.then(|| vec![symbols(puzzle)])
}

fn layout(puzzle: &Puzzle) -> Option<Vec<String>> {
    let labels = labels(puzzle).filter(|_| !is_killer(puzzle))?;
    Some(vec![symbols(puzzle), labels])
}

fn glued_layout(puzzle: &Puzzle) -> Option<Vec<String>> {
    layout(puzzle).map(|fields| vec![fields.concat()])
}

/// Returns the cages as arrows, if they can be written so.
fn arrows_of(puzzle: &Puzzle) -> Option<String> {
    let are_arrows = puzzle.cages == Cages::Connected && puzzle.constraints.side <= 9;
    are_arrows.then(|| notations::arrows(&puzzle.constraints))
}

fn arrows(puzzle: &Puzzle) -> Option<Vec<String>> {
    let arrows = arrows_of(puzzle).filter(|_| !is_jigsaw(puzzle) && has_usual_boxes(puzzle))?;
    Some(vec![symbols(puzzle), arrows])
}

fn arrows_alone(puzzle: &Puzzle) -> Option<Vec<String>> {
    let fields = arrows(puzzle).filter(|_| is_blank(puzzle))?;
    // A field of digits alone is a puzzle.
    let are_cages = |field: &String| field.contains(|symbol| "<>^v`',".contains(symbol));
    fields.into_iter().skip(1).find(are_cages).map(|field| vec![field])
}

fn is_blank(puzzle: &Puzzle) -> bool {
    puzzle.givens.iter().all(|&digit| digit == 0)
}

/// Returns the cages as cage numbers, counted from 1.
fn numbers_of(puzzle: &Puzzle, states_diagonals: bool) -> String {
    let Constraints { side, cages, .. } = &puzzle.constraints;
    let mut numbers = vec![0; side * side];
    for (number, cage) in (1..).zip(cages) {
        for &cell in &cage.cells {
            numbers[cell] = 256 * cage.sum.unwrap_or(0) + number % 256;
        }
    }
    let (rows, columns) = puzzle.boxes;
    let diagonals = if states_diagonals { "d" } else { "" };
    let numbers: String = numbers.iter().map(|number| format!("{number}:")).collect();
    format!("{rows}x{columns}:{diagonals}:k:{numbers}")
}

fn numbers_field(puzzle: &Puzzle) -> Option<Vec<String>> {
    let is_so = is_killer(puzzle) && !is_jigsaw(puzzle);
    is_so.then(|| vec![symbols(puzzle), numbers_of(puzzle, false)])
}

fn all_fields(puzzle: &Puzzle) -> Option<Vec<String>> {
    if !has_usual_boxes(puzzle) && !is_jigsaw(puzzle) {
        return None;
    }
    let missing = || "-".to_string();
    let cages = if is_killer(puzzle) {
        arrows_of(puzzle).unwrap_or_else(|| numbers_of(puzzle, false))
    } else {
        missing()
    };
    Some(vec![symbols(puzzle), labels(puzzle).unwrap_or_else(missing), cages])
}

fn glued(puzzle: &Puzzle) -> Option<Vec<String>> {
    let (labels, arrows) = (labels(puzzle)?, arrows_of(puzzle)?);
    Some(vec![[symbols(puzzle), labels, arrows].concat()])
}

fn solo(puzzle: &Puzzle) -> Option<Vec<String>> {
    let has_side = is_jigsaw(puzzle) || puzzle.boxes.0 > 1;
    let is_so = puzzle.cages != Cages::Apart && has_side;
    is_so.then(|| vec![with_boxes(puzzle, notations::solo(&puzzle.constraints, &puzzle.givens))])
}

/// Replaces the usual boxes at the beginning of a field by those of the puzzle.
fn with_boxes(puzzle: &Puzzle, field: String) -> String {
    let (rows, columns) = box_of(puzzle.constraints.side);
    match field.strip_prefix(&format!("{rows}x{columns}")) {
        Some(rest) => format!("{}x{}{rest}", puzzle.boxes.0, puzzle.boxes.1),
        None => field,
    }
}

fn puzz_link(puzzle: &Puzzle) -> Option<Vec<String>> {
    let side = puzzle.constraints.side;
    let states_all = !is_killer(puzzle) && !is_jigsaw(puzzle) && !puzzle.has_diagonals;
    let is_so = states_all && has_usual_boxes(puzzle);
    is_so.then(|| vec![notations::puzz_link(side, &puzzle.givens)])
}

fn sumocue(puzzle: &Puzzle) -> Option<Vec<String>> {
    let is_killer = puzzle.constraints.cages.iter().any(|cage| cage.cells.len() > 1);
    let has_boxes = has_usual_boxes(puzzle) || is_jigsaw(puzzle);
    // Without a cage of several cells, it has givens and no sums.
    let has_cages = is_killer == super::forms::is_killer(puzzle);
    let is_so = has_boxes && has_cages && (!is_killer || is_blank(puzzle));
    is_so.then(|| vec![notations::sumocue(&puzzle.constraints, &puzzle.givens)])
}

fn cage_numbers(puzzle: &Puzzle) -> Option<Vec<String>> {
    let is_so = is_killer(puzzle) && !is_jigsaw(puzzle) && is_blank(puzzle);
    is_so.then(|| vec![numbers_of(puzzle, puzzle.has_diagonals)])
}

//! Notations that describe a puzzle with its rules in one field: cage numbers, SumoCue, the game
//! IDs of Solo, the addresses of puzz.link and constraint strings. Also the fields that hold the
//! cages of a line, as arrows, numbers or a JSON list.

mod arrows;
mod cage_field;
mod cage_list;
mod cage_numbers;
mod constraint_string;
mod described;
mod draft;
mod puzz_link;
mod solo;
mod sumocue;

use crate::text::record_rules::RecordRules;
use cage_numbers::CageNumbersHeader;
use engine::error::InvalidInput;
use solo::GameIdHeader;

pub use arrows::{is_arrows, symbol_of_sum};
pub(crate) use cage_field::cells_of_cages;
pub use cage_field::write_cages;
pub(crate) use cage_list::{is_list as is_cage_list, place as place_of_name};
pub use cage_numbers::write as write_cage_numbers;
pub(crate) use constraint_string::{
    MovableRules, WordsOfRules, diagonal_from, items_of_layout, with_givens,
};
pub use described::DescribedPuzzle;

/// Returns true if a field, or a record that begins with it, is in one of the notations that
/// describe a puzzle with its rules. Only its beginning is read.
///
/// A puzzle in the default symbols is not mistaken for one of them: it does not begin like SumoCue
/// or puzz.link, has no `:k:` as cage numbers do, and no name of a rule or `~` after a `.` as
/// constraint strings do. A game ID has at most eight symbols before
/// its `:`, and a 3x3 puzzle has nine. So a line PUZZLE:ANSWER looks like a game ID only if the
/// puzzle is a 2x2, as in `1x2x:1221`.
pub fn is_self_describing(field: &[u8]) -> bool {
    field.starts_with(sumocue::PREFIX)
        || CageNumbersHeader::split(field).is_some()
        || GameIdHeader::split(field).is_some()
        || puzz_link::after_prefix(field).is_some()
        || constraint_string::is_one(field)
}

/// Returns true if a line has a constraint string after its first field; or if its first field is
/// one, and the next is a part of it after a blank or, unless that can be an answer, a puzzle with
/// blank cells.
pub(crate) fn has_unread_constraints(line: &[u8], can_have_answer: bool) -> bool {
    let is_separator = |byte: &u8| matches!(byte, b' ' | b'\t' | b',' | b';' | b':');
    let begin = line.iter().position(|it| !is_separator(it)).unwrap_or(line.len());
    let length = line[begin..].iter().position(is_separator).unwrap_or(line.len() - begin);
    let (first, rest) = line[begin..].split_at(length);
    let is_name = |at: usize| rest.get(at + 1).is_some_and(u8::is_ascii_uppercase);
    let has_name = || memchr::memchr_iter(b'.', rest).any(is_name);
    // Most lines have none of these.
    if memchr::memchr(b'~', line).is_none() && !constraint_string::is_one(first) && !has_name() {
        return false;
    }
    let fields = rest.split(is_separator).filter(|it| !it.is_empty());
    let mut rest = fields.peekable();
    let next = rest.peek().copied().unwrap_or_default();
    let is_part = next.starts_with(b"R") || next.starts_with(b"~");
    let is_blank = |symbol: &u8| match symbol {
        b'0' => !constraint_string::counts_from_zero(first),
        symbol => b"._".contains(symbol),
    };
    let has_blanks = next.len() >= 16 && next.iter().any(is_blank);
    constraint_string::is_one(first) && (is_part || has_blanks && !can_have_answer)
        || rest.any(is_constraint_string)
}

/// Returns true for a constraint string whose rules have cells, or are those of the whole grid. A
/// name alone, such as `.X`, can be anything.
pub(crate) fn is_constraint_string(field: &[u8]) -> bool {
    // Most fields are puzzles, whose first symbols are digits and dots.
    let can_be = match field {
        [b'.', b'.', ..] => memchr::memchr(b'~', field).is_some(),
        [b'.', second, ..] => second.is_ascii_alphabetic(),
        _ => false,
    };
    can_be
        && constraint_string::is_one(field)
        && (memchr::memchr(b'~', field).is_some()
            || constraint_string::begins_with_grid_rule(field))
}

/// Returns true if a field has a symbol of cages that no puzzle in the default symbols has: an
/// arrow other than `.` and `,`, or the `:` of cage numbers.
pub(crate) fn looks_like_cages(field: &[u8]) -> bool {
    field.iter().any(|symbol| b"<>^v`':".contains(symbol))
}

/// Returns the rules of a constraint string that has no cages and givens.
pub(crate) fn rules_of_constraints(text: &str) -> Result<RecordRules, InvalidInput> {
    Ok(constraint_string::decode(text.as_bytes())?.rules)
}

impl DescribedPuzzle {
    /// Decodes a field of constraints beside a puzzle, which is a constraint string.
    pub(crate) fn decode_constraints(field: &[u8]) -> Result<DescribedPuzzle, InvalidInput> {
        match constraint_string::is_one(field) {
            true => constraint_string::decode(field),
            false => Err("constraints are a string such as .Thermo~R1C1~R1C2".into()),
        }
    }

    /// Decodes a field. Returns `None` if the field is in none of the notations that describe a
    /// puzzle with its rules.
    ///
    /// # Errors
    /// Returns an error that names what is at fault: the size, a cell, a region, a cage, a list or
    /// a count.
    pub fn decode(field: &[u8]) -> Option<Result<DescribedPuzzle, InvalidInput>> {
        // Cage numbers come before game IDs, whose header also matches `3x3:`.
        let sumocue = || field.strip_prefix(sumocue::PREFIX).map(sumocue::decode);
        let cage_numbers = || CageNumbersHeader::split(field).map(|it| cage_numbers::decode(&it));
        let solo = || GameIdHeader::split(field).map(|it| solo::decode(&it));
        let puzz_link = || puzz_link::after_prefix(field).map(puzz_link::decode);
        let stated = || constraint_string::is_one(field).then(|| constraint_string::decode(field));
        sumocue().or_else(stated).or_else(cage_numbers).or_else(solo).or_else(puzz_link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rules::{Cage, Shape};

    /// Decodes a field that is in one of the notations.
    pub(super) fn decoded(field: &[u8]) -> DescribedPuzzle {
        let puzzle = DescribedPuzzle::decode(field).expect("the field describes its rules");
        puzzle.unwrap()
    }

    /// Asserts that each field has this error.
    pub(super) fn assert_errors(cases: &[(&str, &str)]) {
        for (field, reason) in cases {
            let error = DescribedPuzzle::decode(field.as_bytes()).expect(field).unwrap_err();
            assert_eq!(error.to_string(), *reason, "{field}");
        }
    }

    pub(super) type CellsAndSum = (Vec<u16>, Option<u16>);

    pub(super) fn cells_and_sums(cages: &[Cage]) -> Vec<CellsAndSum> {
        let cage = |cage: &Cage| (cage.cells().to_vec(), cage.sum);
        cages.iter().map(cage).collect()
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) enum Kind {
        /// Each cage has a sum.
        WithSums,
        /// Some cages of several cells have no sum, and some cells are in no cage.
        SomeWithoutSums,
    }

    /// Divides a grid into cages of touching cells, in the order of their first cells.
    pub(super) fn random_cages(side: usize, kind: Kind, seed: u64) -> Vec<Cage> {
        let mut state = seed * 2 + 1;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % bound
        };
        let mut free = vec![true; side * side];
        let mut cages = Vec::new();
        for first in 0..side * side {
            if !free[first] {
                continue;
            }
            let (mut cells, most) = (vec![first], 1 + below(side.min(5)));
            free[first] = false;
            while cells.len() < most {
                let near = |cell: usize| {
                    let apart = |a: usize, b: usize| a.abs_diff(b) <= 1;
                    let touches = |&other: &usize| {
                        apart(other / side, cell / side) && apart(other % side, cell % side)
                    };
                    cells.iter().any(touches)
                };
                let open: Vec<usize> =
                    (0..side * side).filter(|&cell| free[cell] && near(cell)).collect();
                if open.is_empty() {
                    break;
                }
                cells.push(open[below(open.len())]);
                free[cells[cells.len() - 1]] = false;
            }
            let least = cells.len() * (cells.len() + 1) / 2;
            let most = cells.len() * (side + 1) - least;
            let sum = least + below(most - least + 1);
            let has_sum = kind == Kind::WithSums || below(3) > 0;
            if has_sum || cells.len() > 1 {
                let cells = cells.into_iter().map(|cell| cell as u16).collect();
                cages.push(Cage::new(side, cells, has_sum.then_some(sum as u16)).unwrap());
            }
        }
        cages
    }

    #[test]
    fn ordinary_puzzles_do_not_describe_themselves() {
        let nine =
            "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....";
        let blanks = nine.replace('.', "x");
        for field in [
            nine,
            &format!("{nine}:{nine}"),
            &format!("{blanks}:{blanks}"),
            "12x4xxxxxxxxxxxx:k:",
            "1x2xxxxxxxxxxxxx:4132",
            "1234xx34x1234x12,abcd",
            "",
            ":",
            "3x3",
            "3x3k",
            "3x3xx:a",
            "3x3kk:a",
            "3x3a:a",
            "9:a",
            "9x:a",
            "9k:a",
            "x3:a",
            "03x3:a",
            "100x1:a",
            "x3::k:1",
            "sumocuev1=1",
            "SumoCue=1",
        ] {
            assert!(!is_self_describing(field.as_bytes()), "{field}");
            assert!(DescribedPuzzle::decode(field.as_bytes()).is_none());
        }
        for field in [
            "SumoCueV1",
            "3x3::k:",
            "3x3:d:k:",
            "2x2:a",
            "9j:",
            "9jx:",
            "9xj:",
            "9kjx:",
            "3x3x:",
            "3x3xk:",
            "3x3kx:",
            "2x3j:",
        ] {
            assert!(is_self_describing(field.as_bytes()), "{field}");
        }
    }

    #[test]
    fn the_size_must_be_that_of_a_puzzle() {
        assert_errors(&[
            ("7x7:a", "'7x7' is not the size of a puzzle; sides are 2 to 25"),
            ("1x1k:a,_,a", "'1x1k' is not the size of a puzzle; sides are 2 to 25"),
            ("26j:a", "'26j' is not the size of a puzzle; sides are 2 to 25"),
            ("0x3::k:", "'0x3' is not the size of a puzzle; sides are 2 to 25"),
            (
                "99999999999999999999999x3::k:",
                "'99999999999999999999...x3' is not the size of a puzzle; sides are 2 to 25",
            ),
            (
                "4294967295x4294967295::k:",
                "'4294967295x4294967295' is not the size of a puzzle; sides are 2 to 25",
            ),
        ]);
    }

    #[test]
    fn hostile_fields_end_early() {
        let long = |beginning: &str, symbol: &str| beginning.to_string() + &symbol.repeat(65_000);
        for (beginning, symbol) in [
            ("3x3:", "z"),
            ("3x3:", "9"),
            ("3x3:", "1_"),
            ("3x3:", ","),
            ("25j:zzzzzzzzzzzzzzzzzzzzzzzza,", "z"),
            ("25j:zzzzzzzzzzzzzzzzzzzzzzzza,", "_"),
            ("3x3k:zzzc,", "y"),
            ("3x3::k:", ":"),
            ("3x3::k:", "9"),
            ("3x3:d:k:", "1:"),
            ("SumoCueV1", "="),
            ("SumoCueV1", "+"),
            ("SumoCueV1=", "9"),
            ("SumoCueV1=1+0=0+", "7"),
        ] {
            let field = long(beginning, symbol);
            let error = DescribedPuzzle::decode(field.as_bytes()).unwrap().unwrap_err();
            assert!(error.to_string().len() < 200, "{error}");
        }
    }

    #[test]
    fn boxes_have_the_usual_orientation() {
        let boxes = Shape::boxes_of(6).unwrap().boxes;
        for field in ["2x3:zj", &format!("2x3::k:{}", "0:".repeat(36))] {
            let puzzle = DescribedPuzzle::decode(field.as_bytes()).unwrap().unwrap();
            assert_eq!(puzzle.boxes, boxes);
        }
    }
}

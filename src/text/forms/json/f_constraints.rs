//! The rules of f-puzzles that a constraint string can state: each object of a list becomes an item
//! of such a string.
//!
//! ```text
//!   "thermometer":[{"lines":[["R1C1","R1C2"]]}]    .Thermo~R1C1~R1C2
//!   "difference":[{"cells":["R1C1","R1C2"]}]       .WhiteDot~R1C1~R1C2
//! ```

use serde_json::Value as Json;

use crate::text::notation::place_of_name;
use engine::error::InvalidInput;
use engine::rules::{MAX_KILLER_SIDE, Place};

type Result<T> = std::result::Result<T, InvalidInput>;

/// The ways in which the objects of a list state their rules.
pub(super) enum Kind {
    /// An item of this name for each line.
    Lines(&'static str),
    /// The same, with the value of the object, or this one, before the cells.
    ValueAndLines(&'static str, &'static str),
    /// Lines from the cells of the circle, each a sum.
    Arrow,
    /// Two cells; the value, or this one, must be the other.
    Dot(&'static str, &'static str),
    Xv,
    /// The sum of the cells of a diagonal.
    LittleKiller,
    Quadruple,
    /// A cell that is less, or greater, than its neighbours that are not in the list.
    Extreme {
        is_least: bool,
    },
    /// Cells, and as many others that equal them.
    Clone,
}

/// By the names of f-puzzles and of the programs that extend it.
const RULES: [(&str, Kind); 19] = [
    ("arrow", Kind::Arrow),
    ("betweenline", Kind::Lines("Between")),
    ("clone", Kind::Clone),
    ("difference", Kind::Dot("WhiteDot", "1")),
    ("doublearrow", Kind::Lines("DoubleArrow")),
    ("entropicline", Kind::Lines("Entropic")),
    ("littlekillersum", Kind::LittleKiller),
    ("lockout", Kind::ValueAndLines("Lockout", "4")),
    ("maximum", Kind::Extreme { is_least: false }),
    ("minimum", Kind::Extreme { is_least: true }),
    ("modularline", Kind::ValueAndLines("Modular", "3")),
    ("palindrome", Kind::Lines("Palindrome")),
    ("quadruple", Kind::Quadruple),
    ("ratio", Kind::Dot("BlackDot", "2")),
    ("regionsumline", Kind::Lines("RegionSumLine")),
    ("renban", Kind::Lines("Renban")),
    ("thermometer", Kind::Lines("Thermo")),
    ("whispers", Kind::ValueAndLines("Whisper", "5")),
    ("xv", Kind::Xv),
];

/// Ignores case.
pub(super) fn kind_of(key: &str) -> Option<&'static Kind> {
    RULES.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, kind)| kind)
}

/// Returns the items for the words of the list `negative`: pairs without a mark.
pub(super) fn negative(words: &[&str]) -> Option<String> {
    let has = |word: &str| words.iter().any(|it| it.eq_ignore_ascii_case(word));
    let are_known = words
        .iter()
        .all(|it| ["xv", "difference", "ratio"].iter().any(|known| it.eq_ignore_ascii_case(known)));
    // One kind of dot alone has no name.
    (are_known && has("difference") == has("ratio")).then(|| {
        let items = [("xv", ".StrictXV"), ("ratio", ".StrictKropki")];
        items.iter().filter(|(word, _)| has(word)).map(|(_, item)| *item).collect()
    })
}

impl Kind {
    /// Returns the items of an object of `list`. `key` is the name of the list.
    pub fn items(&self, key: &str, object: &Json, list: &[&Json], side: usize) -> Result<String> {
        let cells = || cells_of(key, object.get("cells"));
        let lines = || -> Result<Vec<Vec<String>>> {
            let lines = object.get("lines").and_then(Json::as_array);
            let lines = lines.filter(|lines| lines.iter().all(Json::is_array));
            let lines =
                lines.ok_or_else(|| format!("'{key}' has no lines, each a list of cells"))?;
            lines.iter().map(|line| cells_of(key, Some(line))).collect()
        };
        let value = value_of(object);
        let joined = |name: &str, cells: &[String]| format!(".{name}~{}", cells.join("~"));
        Ok(match self {
            Kind::Lines(name) => lines()?.iter().map(|line| joined(name, line)).collect(),
            Kind::ValueAndLines(name, usual) => {
                let value = value.unwrap_or(usual.to_string());
                let start = format!("{name}~{value}");
                lines()?.iter().map(|line| joined(&start, line)).collect()
            }
            Kind::Arrow => {
                let circle = cells()?;
                let arrow = |line: &Vec<String>| {
                    let shaft =
                        &line[usize::from(line.first().is_some_and(|it| circle.contains(it)))..];
                    let cells = [&circle[..], shaft].concat();
                    match circle.len() {
                        1 => joined("Arrow", &cells),
                        length => joined(&format!("PillArrow~{length}"), &cells),
                    }
                };
                lines()?.iter().map(arrow).collect()
            }
            Kind::Dot(name, usual) => match value.filter(|value| value != usual) {
                Some(value) => {
                    return Err(format!("'{key}' with the value {value} is not read").into());
                }
                None => joined(name, &cells()?),
            },
            Kind::Xv => match value.as_deref() {
                Some("X" | "x") => joined("X", &cells()?),
                Some("V" | "v") => joined("V", &cells()?),
                _ => return Err(format!("'{key}' has the value X or V").into()),
            },
            Kind::LittleKiller => match value {
                // In f-puzzles, a clue without a number says nothing.
                None if object.get("direction").or_else(|| object.get("value")).is_none() => {
                    return Err(format!("'{key}' has no value, the sum of its cells").into());
                }
                None => String::new(),
                Some(sum) => joined(&format!("Sum~{sum}"), &cells()?),
            },
            Kind::Quadruple => {
                let values = object.get("values").and_then(Json::as_array).into_iter().flatten();
                let digits: Vec<String> =
                    values.map(|it| it.to_string().replace('"', "")).collect();
                match digits.is_empty() {
                    true => String::new(),
                    false => joined(&format!("ContainAtLeast~{}", digits.join("_")), &cells()?),
                }
            }
            Kind::Extreme { is_least } => {
                let mut items = String::new();
                let extreme = list.iter().map(|object| extreme_cells(key, object));
                let extreme = extreme.collect::<Result<Vec<_>>>()?.concat();
                for place in extreme_cells(key, object)? {
                    for other in neighbours(place, side).filter(|it| !extreme.contains(it)) {
                        let pair = if *is_least { [other, place] } else { [place, other] };
                        items += &joined("GreaterThan", &pair.map(name_of));
                    }
                }
                items
            }
            Kind::Clone => {
                let clones = cells_of(key, object.get("cloneCells"))?;
                let cells = cells()?;
                if cells.len() != clones.len() {
                    return Err(format!("'{key}' has not as many clones as cells").into());
                }
                let pairs = cells.into_iter().zip(clones);
                pairs.map(|(a, b)| joined("Palindrome", &[a, b])).collect()
            }
        })
    }
}

/// Text or a number; `None` if it is missing or empty.
fn value_of(object: &Json) -> Option<String> {
    match object.get("value")? {
        Json::String(text) => Some(text.trim().to_string()).filter(|text| !text.is_empty()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn places_of(key: &str, cells: Option<&Json>) -> Result<Vec<Place>> {
    let cells = match cells {
        Some(Json::Array(cells)) => &cells[..],
        Some(cell) => std::slice::from_ref(cell),
        None => &[],
    };
    let place = |cell: &Json| {
        let place = place_of_name(cell, MAX_KILLER_SIDE);
        place.ok_or_else(|| InvalidInput::from(format!("{cell} in '{key}' is not a cell")))
    };
    cells.iter().map(place).collect()
}

fn extreme_cells(key: &str, object: &Json) -> Result<Vec<Place>> {
    let [one, several] = ["cell", "cells"].map(|name| places_of(key, object.get(name)));
    Ok([one?, several?].concat())
}

fn cells_of(key: &str, cells: Option<&Json>) -> Result<Vec<String>> {
    Ok(places_of(key, cells)?.into_iter().map(name_of).collect())
}

/// As in a constraint string: `RaC1` is r10c1.
fn name_of(place: Place) -> String {
    let symbol = |number: usize| char::from_digit(number as u32, 17).expect("at most 16");
    format!("R{}C{}", symbol(place.row), symbol(place.column))
}

fn neighbours(Place { row, column }: Place, side: usize) -> impl Iterator<Item = Place> {
    let all = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)];
    let is_inside = move |(row, column): &(usize, usize)| {
        (1..=side).contains(row) && (1..=side).contains(column)
    };
    all.into_iter().filter(is_inside).map(|(row, column)| Place { row, column })
}

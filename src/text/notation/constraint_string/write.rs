//! Writes the givens of a constraint string, and as such a string the rules that other fields
//! state.

use super::super::described::labels_of;
use super::cells::name_of;
use super::{numbering_of, rules};
use crate::text::record_rules::{
    Argument, DifferentCells, RecordRules, RuleItem, cell_of, digits_of,
};
use engine::error::InvalidInput;
use engine::rules::{Cage, Place, Shape, Variant, a_puzzle};

type Result<T> = std::result::Result<T, InvalidInput>;

/// Returns the items of rules, then the given of each cell that is not blank (0).
///
/// The side is at most 16: rows and columns from 10 on are letters.
pub(crate) fn with_givens(rules: &[u8], digits: &[u8]) -> Vec<u8> {
    let side = digits.len().isqrt();
    debug_assert!(side <= super::MAX_SIDE);
    let cells = digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
    let text = str::from_utf8(rules).expect("a constraint string is text");
    let stated = |digit: u8| i32::from(digit) - 1 + numbering_of(text).first();
    let givens: String =
        cells.map(|(cell, &digit)| format!("~{}_{}", name_of(cell, side), stated(digit))).collect();
    match (rules, &*givens) {
        // A string without items would be no field.
        (b"", "") => b".Shape~9x9".to_vec(),
        (rules, "") => rules.to_vec(),
        (rules, givens) => [rules, b".", givens.as_bytes()].concat(),
    }
}

/// Returns the items for boxes, or for the labels of a layout that replaces them; none for the
/// usual boxes.
pub(crate) fn items_of_layout(
    side: usize,
    boxes: Option<[usize; 2]>,
    labels: Option<&[u8]>,
) -> String {
    let usual = Shape::boxes_of(side).and_then(|shape| shape.boxes);
    let letters = |labels: Vec<u8>| labels.into_iter().map(char::from).collect::<String>();
    let jigsaw = |(labels, _)| format!(".NoBoxes.Jigsaw~{}", letters(labels));
    match (labels, boxes) {
        (Some(labels), _) => jigsaw(labels_of(labels.iter().map(|&label| label.into()))),
        (None, boxes) if boxes == usual => String::new(),
        (None, Some([rows, columns])) if rows > 1 && columns > 1 => {
            let box_of = |cell: usize| cell / side / rows * side + cell % side / columns;
            jigsaw(labels_of((0..side * side).map(box_of)))
        }
        // Rows, or columns, are no other houses.
        (None, _) => ".NoBoxes".into(),
    }
}

const DIAGONALS: &str = ".Diagonal~1.Diagonal~-1";

/// Rules that are not stated as a constraint string, and that become one.
pub(crate) struct WordsOfRules<'a> {
    pub side: usize,
    /// From [`items_of_layout`].
    pub layout: &'a str,
    pub diagonals: bool,
    pub cages: &'a [Cage],
    pub others: &'a RecordRules,
}

impl WordsOfRules<'_> {
    /// Returns the items of the rules.
    ///
    /// # Errors
    /// Returns an error that names a rule that a string cannot state.
    pub fn items(&self) -> Result<Vec<u8>> {
        let side = self.side;
        if side > super::MAX_SIDE {
            return Err(format!("a constraint string cannot state {}", a_puzzle(side)).into());
        }
        let mut items = format!(".Shape~{side}x{side}{}", self.layout);
        if self.diagonals {
            items += DIAGONALS;
        }
        for variant in self.others.variants.iter() {
            items += &self.variant(variant)?;
        }
        for set in &self.others.different {
            items += &different(set, side)?;
        }
        items.extend(self.cages.iter().map(|cage| {
            format!(".Cage~{}{}", cage.sum.unwrap_or_default(), cells(cage.cells(), side))
        }));
        for &(place, digits) in &self.others.candidates {
            items += &candidates(place, digits, side)?;
        }
        items.extend(self.others.items.iter().filter_map(|item| written(item, side)));
        Ok(items.into())
    }

    /// Returns an empty text for what a layout and cages state.
    fn variant(&self, variant: Variant) -> Result<String> {
        // These are made of boxes.
        let needs_boxes = matches!(variant, Variant::Window | Variant::Disjoint);
        let name = rules::name_of(variant).filter(|_| !needs_boxes || self.layout.is_empty());
        match (variant, name) {
            (Variant::Classic | Variant::Jigsaw | Variant::Regions | Variant::Killer, _) => {
                Ok(String::new())
            }
            (Variant::Diagonal, _) => Ok(DIAGONALS.into()),
            (_, Some(name)) => Ok(format!(".{name}")),
            (_, None) => {
                let name = variant.name();
                Err(format!("a constraint string cannot state the variant {name}").into())
            }
        }
    }
}

fn different(set: &DifferentCells, side: usize) -> Result<String> {
    Ok(match set {
        DifferentCells::FallingDiagonal => ".Diagonal~-1".into(),
        DifferentCells::RisingDiagonal => ".Diagonal~1".into(),
        DifferentCells::Region(places) => {
            let places = places.iter().map(|&place| Ok(cell_of(place, side)? as u16));
            match places.collect::<Result<Vec<u16>>>()? {
                places if places.is_empty() => String::new(),
                places => format!(".AllDifferent{}", cells(&places, side)),
            }
        }
    })
}

fn candidates(place: Place, digits: u32, side: usize) -> Result<String> {
    let digits = digits_of(digits & ((1 << side) - 1)).map(|digit| digit.to_string());
    match &*digits.collect::<Vec<String>>() {
        [] => {
            Err(format!("a constraint string cannot state that {place} has no candidates").into())
        }
        digits => Ok(format!(".~{}_{}", name_of(cell_of(place, side)?, side), digits.join("_"))),
    }
}

/// Returns `None` for a rule that is stated as a layout, a variant or different cells.
fn written(item: &RuleItem, side: usize) -> Option<String> {
    let arguments = item.arguments.iter().map(|argument| match argument {
        Argument::Cell(cell) => name_of((*cell).into(), side),
        Argument::Text(text) => text.to_string(),
    });
    let arguments: Vec<String> = arguments.collect();
    if item.name == RuleItem::CANDIDATES {
        return Some(format!(".~{}", arguments.join("_").replace(' ', "_")));
    }
    rules::states_constraints(item.name).then(|| {
        let arguments = arguments.iter().map(|argument| format!("~{argument}"));
        format!(".{}{}", item.name, arguments.collect::<String>())
    })
}

fn cells(cells: &[u16], side: usize) -> String {
    cells.iter().map(|&cell| format!("~{}", name_of(cell.into(), side))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::decode;
    use super::with_givens;

    /// Returns a string as it is after it was read and written.
    fn written(string: &str) -> String {
        let described = decode(string.as_bytes()).unwrap();
        let rules = described.stated.expect("it is a constraint string");
        String::from_utf8(with_givens(&rules, &described.digits)).unwrap()
    }

    #[test]
    fn givens_are_the_last_item_and_all_else_stays() {
        for (string, expected) in [
            (".Thermo~R1C1~R1C2", ".Thermo~R1C1~R1C2"),
            (".~R1C2_3.Thermo~R1C1~R1C2.~R9C9_1", ".Thermo~R1C1~R1C2.~R1C2_3~R9C9_1"),
            (".Shape~16x16..AntiKnight.~RgCa_16", ".Shape~16x16.AntiKnight.~RgCa_16"),
            // Several digits are no given, nor is a second one.
            (".Shape~4x4.~R1C1_1_2~R1C2_3", ".Shape~4x4.~R1C1_1_2.~R1C2_3"),
            (".AntiKing.~R1C1_1.~R1C1_2", ".AntiKing.~R1C1_2.~R1C1_1"),
            (".~R1C1_4_4", ".~R1C1_4"),
            (".Diagonal~1.~R1C1_1_2", ".Diagonal~1.~R1C1_1_2"),
            // Digits from 0.
            (".~R1C1_0_3~R1C2_0.Shape~4x4~0-3", ".Shape~4x4~0-3.~R1C1_0_3.~R1C2_0"),
        ] {
            assert_eq!(written(string), expected);
        }
        assert_eq!(with_givens(b"", &[0; 81]), b".Shape~9x9");
    }
}

//! Writes the givens of a constraint string, and the names of cells.

use super::numbering_of;

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

/// Returns a name such as `R4C5`.
pub(super) fn name_of(cell: usize, side: usize) -> String {
    let place = |index: usize| char::from_digit(index as u32 + 1, 17).expect("a side of 16");
    format!("R{}C{}", place(cell / side), place(cell % side))
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

//! Reads the user's own groups (`--extra`): cells with the same symbol hold different digits.

use super::house::{House, HouseName};
use super::layout::houses_by_label;
use super::place::{a_puzzle, pluralize};
use crate::error::InvalidInput;

/// Returns the groups of at least two cells, in the order in which their symbols first appear.
/// `symbols` is that of [`Rules::with_extra`](super::Rules::with_extra), as are the errors.
pub(super) fn groups(side: usize, symbols: &[u8]) -> Result<Vec<House>, InvalidInput> {
    if symbols.len() != side * side {
        let (symbols, cells) = (pluralize(symbols.len(), "symbol"), side * side);
        let puzzle = a_puzzle(side);
        return Err(format!("{symbols} for the extra groups; {puzzle} has {cells} cells").into());
    }
    let mut groups = houses_by_label(side, symbols, HouseName::Extra);
    groups.retain(|group| group.name != HouseName::Extra(b'.'));
    for group in &groups {
        let (name, number) = (group.name, group.cells.len());
        if let HouseName::Extra(symbol) = name
            && (!symbol.is_ascii_graphic() || b",;:".contains(&symbol))
        {
            return Err(format!("'{}' cannot name an extra group", symbol.escape_ascii()).into());
        }
        if number > side {
            return Err(format!("{name} has {number} cells; the limit is {side}").into());
        }
    }
    groups.retain(|group| group.cells.len() > 1);
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::rules_of;

    #[test]
    fn extra_group_errors_name_the_symbol_or_the_count() {
        for (symbols, reason) in [
            ("A..A", "4 symbols for the extra groups; a 4x4 puzzle has 16 cells"),
            ("AAAAA...........", "extra A has 5 cells; the limit is 4"),
            ("AA..,,..........", "',' cannot name an extra group"),
            ("AA..  ..........", "' ' cannot name an extra group"),
            ("AA..\t\t..........", "'\\t' cannot name an extra group"),
        ] {
            let rules = rules_of(4, "classic").unwrap();
            let error = rules.with_extra(symbols.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), reason, "{symbols}");
        }
    }

    #[test]
    fn extra_groups_of_n_cells_are_houses() {
        let rules = rules_of(4, "diagonal").unwrap();
        assert_eq!(rules.crossings().len(), 16 + 4);
        let rules = rules.with_extra(b"a...............").unwrap();
        assert!(rules.groups().is_empty(), "a group of one cell constrains nothing");
        let rules = rules_of(4, "diagonal").unwrap();
        let rules = rules.with_extra(b".AA.BAA....a.aBB").unwrap();
        assert_eq!(rules.houses()[14].name.to_string(), "extra A");
        assert_eq!(rules.houses()[14].cells, [1, 2, 5, 6]);
        let groups: Vec<&[u16]> = rules.groups().iter().map(|group| &group.cells[..]).collect();
        assert_eq!(groups, [&[4, 14, 15][..], &[11, 13]]);
        assert!(rules.crossings().iter().any(|crossing| crossing.houses[1] == 14));
    }
}

//! Adds the user's own groups (`--extra`) to the rules: cells with the same symbol hold different digits.

use super::{House, HouseName, Rules, a_puzzle, pluralize};

impl Rules {
    /// Adds the user's own groups: one symbol per cell along the rows, `.` for cells without a group.
    ///
    /// Cells with the same symbol hold different digits. A group of N cells is a house.
    ///
    /// # Errors
    /// Returns a message for the user if the number of symbols is not N² or if a symbol is not allowed. A group of more
    /// than N cells is an error too.
    ///
    /// ```
    /// use sudoku_filter::{Rules, Shape, Variants};
    ///
    /// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
    /// let rules = rules.with_extra(b"A..BA..BA...A...").unwrap();
    /// assert_eq!(rules.houses()[12].cells, [0, 4, 8, 12]);
    /// assert_eq!(rules.groups()[0].cells, [3, 7]);
    /// ```
    pub fn with_extra(mut self, symbols: &[u8]) -> Result<Rules, String> {
        let side = self.side;
        if symbols.len() != self.cells() {
            return Err(format!(
                "{} for the extra groups; {} has {} cells",
                pluralize(symbols.len(), "symbol"),
                a_puzzle(side),
                self.cells()
            ));
        }
        for group in groups(symbols) {
            let (name, number) = (group.name, group.cells.len());
            if let HouseName::Extra(symbol) = name
                && (!symbol.is_ascii_graphic() || b",;:".contains(&symbol))
            {
                return Err(format!(
                    "'{}' cannot name an extra group",
                    symbol.escape_ascii()
                ));
            }
            if number > side {
                return Err(format!("{name} has {number} cells; the limit is {side}"));
            }
            if number == side {
                self.houses.push(group);
            } else if number > 1 {
                // A group of one cell constrains nothing.
                self.groups.push(group);
            }
        }
        self.crossings.take();
        self.implied.take();
        Ok(self)
    }
}

/// Collects the cells of each symbol, in the order in which the symbols first appear.
fn groups(symbols: &[u8]) -> Vec<House> {
    let mut groups: Vec<House> = Vec::new();
    for (cell, &symbol) in (0..).zip(symbols).filter(|&(_, &symbol)| symbol != b'.') {
        let name = HouseName::Extra(symbol);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.cells.push(cell),
            None => groups.push(House {
                name,
                cells: vec![cell],
            }),
        }
    }
    groups
}

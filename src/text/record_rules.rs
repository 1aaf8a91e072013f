//! The rules that a record states beside its puzzle, its layout and its cages: variants, sets of
//! cells that hold different digits, the region of each cell, the digits that cells can hold, and
//! constraints such as thermometers. `forms/json/f_puzzles.rs` and `notation/constraint_string/`
//! read them; the pipeline adds them to the rules of the run. Drawings show them as they are
//! stated.

use engine::error::InvalidInput;
use engine::rules::{Place, Scope, StatedRule, StatedRules, Variant, Variants, a_puzzle};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordRules {
    /// The side of the puzzle, if the record states it.
    pub side: Option<usize>,
    pub variants: Variants,
    pub different: Vec<DifferentCells>,
    /// For each cell the number of its region, from 0, if the record states it for some cells. A
    /// cell without a number is in the region that has the number of its box.
    pub regions: Option<Vec<Option<usize>>>,
    /// Cells, and the digits that they can hold: bit d-1 for digit d.
    pub candidates: Vec<(Place, u32)>,
    /// The constraints that are none of these.
    pub constraints: StatedRules,
    /// Items of a constraint string that are still to be read: some need the layout of the puzzle.
    pub unread: String,
    /// The rules as they are stated, for drawings, but for cages that are drawn as cages of the
    /// puzzle.
    pub items: Vec<RuleItem>,
    /// True if a copy of the object keeps the places of a rule other than `constraints`.
    pub has_places: bool,
    pub source: RulesSource,
}

/// The part of a record that states its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RulesSource {
    /// The names of variants in a field of their own.
    #[default]
    Field,
    /// Keys of an object.
    Keys,
    /// Keys of an object that a link carries.
    Link,
}

/// Cells that hold different digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DifferentCells {
    /// The diagonal from r1c1 on.
    FallingDiagonal,
    /// The diagonal from the last cell of the first row on.
    RisingDiagonal,
    Region(Vec<Place>),
}

/// A rule with its arguments, as an item of a constraint string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleItem {
    /// Such as `Thermo`.
    pub name: &'static str,
    /// The name in messages, such as `thermometer`.
    pub shown: &'static str,
    pub arguments: Vec<Argument>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    Cell(u16),
    /// Anything else, such as a sum.
    Text(Box<str>),
}

impl RuleItem {
    /// The name of the candidates of a cell that are a constraint.
    pub const CANDIDATES: &str = "candidates";

    pub fn of_grid(name: &'static str) -> RuleItem {
        RuleItem { name, shown: name, arguments: Vec::new() }
    }

    pub fn cells(&self) -> Vec<u16> {
        let cell = |argument: &Argument| match argument {
            Argument::Cell(cell) => Some(*cell),
            Argument::Text(_) => None,
        };
        self.arguments.iter().filter_map(cell).collect()
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Cell(_) => None,
            Argument::Text(text) => Some(&**text),
        })
    }

    /// Returns the rule in words, with its arguments: `sum 12: r1c1 r1c2`.
    pub fn in_words(&self, side: usize) -> String {
        let name = match self.name {
            "ContainAtLeast" => "at least these digits",
            "ContainExact" => "exactly these digits",
            "PairX" | "BinaryX" => "all pairs",
            _ => self.shown,
        };
        let mut words = name.to_string();
        let is_cell = |argument: &Argument| matches!(argument, Argument::Cell(_));
        let first_cell = self.arguments.iter().position(is_cell);
        for (index, argument) in self.arguments.iter().enumerate() {
            words += if first_cell == Some(index) { ": " } else { " " };
            match argument {
                Argument::Cell(cell) => words += &Place::of((*cell).into(), side).to_string(),
                Argument::Text(text) => words += &text.replace('_', " "),
            }
        }
        // The name of a list can have any characters.
        words.replace(char::is_control, "\u{fffd}")
    }
}

impl RecordRules {
    pub fn is_empty(&self) -> bool {
        self.side.is_none() && !self.has_rules()
    }

    /// True if it states more than the side of the puzzle.
    pub fn has_rules(&self) -> bool {
        let RecordRules {
            side: _,
            variants,
            different,
            regions,
            candidates,
            constraints,
            unread,
            items,
            has_places,
            source: _,
        } = self;
        *variants != Variants::default()
            || !different.is_empty()
            || regions.is_some()
            || !candidates.is_empty()
            || !constraints.is_empty()
            || !unread.is_empty()
            || !items.is_empty()
            || *has_places
    }

    /// True if it states rules that a layout and cages cannot state.
    pub fn needs_string(&self) -> bool {
        !self.constraints.is_empty()
            || !self.candidates.is_empty()
            || !self.different.is_empty()
            || (self.source != RulesSource::Field && self.variants != Variants::default())
    }

    /// Adds the rules of a constraint string of the same record, for a puzzle of this side.
    pub fn add(&mut self, other: RecordRules, side: usize) -> Result<(), InvalidInput> {
        if let Some(stated) = self.side.filter(|&stated| stated != side) {
            let (one, other) = (a_puzzle(stated), a_puzzle(side));
            return Err(format!("the record has rules of {one} and of {other}").into());
        }
        let variants = std::mem::take(&mut self.variants);
        let added = Variant::NAMES.map(|(_, variant)| variant).into_iter();
        self.variants = added
            .filter(|&variant| other.variants.contains(variant))
            .fold(variants, |all, variant| all.with(variant));
        self.different.extend(other.different);
        self.candidates.extend(other.candidates);
        self.constraints.append(other.constraints);
        self.items.extend(other.items);
        Ok(())
    }

    /// Returns a label for each cell of a puzzle with these boxes. Returns `None` if no cell states
    /// its region, or if the regions are the boxes.
    pub fn layout(
        &self,
        side: usize,
        boxes: Option<[usize; 2]>,
    ) -> Result<Option<Vec<u8>>, InvalidInput> {
        let Some(regions) = &self.regions else {
            return Ok(None);
        };
        let box_of = |cell: usize| {
            let [rows, columns] = boxes?;
            Some(cell / side / rows * (side / columns) + cell % side / columns)
        };
        let mut labels = Vec::with_capacity(regions.len());
        let mut are_boxes = true;
        for (cell, region) in regions.iter().enumerate() {
            are_boxes &= region.is_none() || *region == box_of(cell);
            let label = region.or_else(|| box_of(cell));
            let label = label.and_then(|label| char::from_digit(label as u32, 36));
            labels.push(label.ok_or_else(|| format!("{} is in no region", Place::of(cell, side)))?);
        }
        Ok((!are_boxes).then(|| labels.into_iter().map(|label| label as u8).collect()))
    }

    /// Returns the sets of different cells as `--extra` has them: a symbol for each cell.
    pub fn extras(&self, side: usize) -> Result<Vec<Vec<u8>>, InvalidInput> {
        let mut labels = (b'A'..=b'Z').chain(b'a'..=b'z').cycle();
        let mut symbols_of = |set: &DifferentCells| {
            let mut symbols = vec![b'.'; side * side];
            match set {
                DifferentCells::FallingDiagonal => {
                    (0..side).for_each(|n| symbols[n * (side + 1)] = b'\\');
                }
                DifferentCells::RisingDiagonal => {
                    (1..=side).for_each(|n| symbols[n * (side - 1)] = b'/');
                }
                DifferentCells::Region(places) => {
                    let label = labels.next().expect("the labels repeat");
                    for &place in places {
                        symbols[cell_of(place, side)?] = label;
                    }
                }
            }
            Ok(symbols)
        };
        self.different.iter().map(&mut symbols_of).collect()
    }

    /// The candidates of cells become constraints, so that the puzzle needs no pencilmarks.
    pub fn state_candidates(&mut self, side: usize) -> Result<(), InvalidInput> {
        for (place, digits) in std::mem::take(&mut self.candidates) {
            let first_cell = cell_of(place, side)? as u16;
            let (name, fault) = (RuleItem::CANDIDATES, "is not among the candidates beside");
            self.constraints.begin(StatedRule { name, first_cell, fault, scope: Scope::Grid });
            self.constraints.add_count(vec![(first_cell, digits as u16)], 1);
            let digits: Vec<String> = digits_of(digits).map(|digit| digit.to_string()).collect();
            let digits = Argument::Text(digits.join(" ").into());
            let arguments = vec![Argument::Cell(first_cell), digits];
            self.items.push(RuleItem { name, shown: name, arguments });
        }
        Ok(())
    }

    /// Leaves only the stated candidates in `sets`, the candidates of each cell.
    pub fn restrict(&self, sets: &mut [u32], side: usize) -> Result<(), InvalidInput> {
        for &(place, digits) in &self.candidates {
            sets[cell_of(place, side)?] &= digits;
        }
        Ok(())
    }
}

pub(crate) fn digits_of(set: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).filter(move |bit| set >> bit & 1 == 1).map(|bit| bit + 1)
}

pub(crate) fn cell_of(place: Place, side: usize) -> Result<usize, InvalidInput> {
    match place.row.max(place.column) <= side {
        true => Ok(place.cell(side)),
        false => Err(format!("{} has no {place}", a_puzzle(side)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(row: usize, column: usize) -> Place {
        Place { row, column }
    }

    #[test]
    fn a_cell_without_a_region_is_in_that_of_its_box() {
        let mut regions = vec![None; 16];
        let layout = |regions: &[Option<usize>], boxes| {
            let rules = RecordRules { regions: Some(regions.to_vec()), ..RecordRules::default() };
            let labels = rules.layout(4, boxes).map_err(|error| error.to_string())?;
            Ok::<_, String>(labels.map(|labels| String::from_utf8(labels).unwrap()))
        };
        let boxes = Some([2, 2]);
        assert_eq!(layout(&regions, boxes), Ok(None));
        regions[0] = Some(0);
        assert_eq!(layout(&regions, boxes), Ok(None), "the regions are the boxes");
        (regions[1], regions[2]) = (Some(1), Some(0));
        assert_eq!(layout(&regions, boxes), Ok(Some("0101001122332233".to_string())));
        assert_eq!(layout(&regions, None), Err("r1c4 is in no region".to_string()));
        assert_eq!(RecordRules::default().layout(4, boxes), Ok(None));
    }

    #[test]
    fn different_cells_are_symbols_of_extra_groups() {
        let region = |places: &[Place]| DifferentCells::Region(places.to_vec());
        let rules = |different| RecordRules { different, ..RecordRules::default() };
        let stated = rules(vec![
            DifferentCells::RisingDiagonal,
            DifferentCells::FallingDiagonal,
            region(&[place(1, 1), place(2, 3)]),
            region(&[place(1, 1), place(3, 3)]),
        ]);
        let extras = stated.extras(3).unwrap();
        let extras: Vec<_> = extras.iter().map(|it| std::str::from_utf8(it).unwrap()).collect();
        assert_eq!(extras, ["../././..", "\\...\\...\\", "A....A...", "B.......B"]);
        let error = rules(vec![region(&[place(4, 1)])]).extras(3).unwrap_err();
        assert_eq!(error.to_string(), "a 3x3 puzzle has no r4c1");
    }

    #[test]
    fn candidates_restrict_those_of_a_puzzle() {
        let candidates = vec![(place(1, 1), 0b01), (place(1, 1), 0b11), (place(2, 2), 0b10)];
        let rules = RecordRules { candidates, ..RecordRules::default() };
        let mut sets = [0b11; 4];
        rules.restrict(&mut sets, 2).unwrap();
        assert_eq!(sets, [0b01, 0b11, 0b11, 0b10]);
    }
}

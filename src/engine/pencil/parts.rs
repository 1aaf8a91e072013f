//! The parts of a pattern, each by itself, for programs that show a step in their own way.

use super::links::ChainNode;

use super::step::{Claim, Word};
use crate::bits::bits;
use crate::rules::HouseName;

/// A part of a pattern.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Houses(Vec<HouseName>),
    Cells(Vec<u16>),
    /// Counted from 1.
    Digits(Vec<u8>),
    /// Digits, counted from 1, each with cells: one of the cells can hold the digit.
    Nodes(Vec<(u8, Vec<u16>)>),
    Number(i32),
    Text(&'static str),
    Chains(Vec<Vec<Claim>>),
}

/// The parts with their names, in the order of the text. Words with the same name are one part.
#[derive(Default)]
struct Parts(Vec<(&'static str, Part)>);

pub(super) fn parts_of(words: &[Word]) -> Vec<(&'static str, Part)> {
    let mut parts = Parts::default();
    let [mut cells_name, mut houses_name] = ["cells", "houses"];
    let mut line: fn(usize) -> HouseName = HouseName::Row;
    for word in words {
        match word {
            Word::Text("/") => cells_name = "other_cells",
            Word::Text(name @ ("fins" | "innies" | "outies")) => cells_name = name,
            Word::Text("rows") => line = HouseName::Row,
            Word::Text("columns") => line = HouseName::Column,
            // Between nodes or chains.
            Word::Text(_) => {}
            Word::House(house) => parts.add("houses", Part::Houses(vec![*house])),
            Word::Union(houses) => parts.add("houses", Part::Houses(houses.clone())),
            // The lines of a fish, then those that cover its candidates.
            Word::Numbers(set) => {
                let lines = bits(*set).map(|index| line(index + 1));
                parts.add(houses_name, Part::Houses(lines.collect()));
                houses_name = "cover_houses";
            }
            Word::Number(sum) => parts.add("sum", Part::Number(*sum)),
            Word::Digits(set) => {
                let digits = bits(*set).map(|digit| digit as u8 + 1);
                parts.add("digits", Part::Digits(digits.collect()));
            }
            Word::SetDigits(set) => {
                let digits = bits(*set).map(|digit| digit as u8 + 1);
                parts.add("set_digits", Part::Digits(digits.collect()));
            }
            Word::Cells(cells) => parts.add(cells_name, Part::Cells(cells.clone())),
            Word::SetCells(cells) => parts.add("set_cells", Part::Cells(cells.clone())),
            Word::Type(name) => parts.add("type", Part::Text(name)),
            Word::Chain(claims) => parts.add("chains", Part::Chains(vec![claims.clone()])),
            Word::Node(ChainNode { cells, digit }) => {
                parts.add("nodes", Part::Nodes(vec![(digit + 1, cells.clone())]));
            }
        }
    }
    parts.0
}

impl Parts {
    fn add(&mut self, name: &'static str, part: Part) {
        let known = self.0.iter_mut().find(|(known, _)| *known == name);
        match (known.map(|(_, known)| known), part) {
            (Some(Part::Houses(all)), Part::Houses(more)) => all.extend(more),
            (Some(Part::Cells(all)), Part::Cells(more)) => all.extend(more),
            (Some(Part::Digits(all)), Part::Digits(more)) => all.extend(more),
            (Some(Part::Nodes(all)), Part::Nodes(more)) => all.extend(more),
            (Some(Part::Chains(all)), Part::Chains(more)) => all.extend(more),
            (Some(_), _) => unreachable!("a pattern has one {name}"),
            (None, part) => self.0.push((name, part)),
        }
    }
}

//! The pattern of a step, word by word: its text, and its parts for programs that show a step in
//! their own way.

use super::technique::Technique;
use crate::bits::bits;
use crate::rules::{CellSet, HouseName, Place};

/// The text of a pattern, word by word. Digits count from 0; a set has one bit for each member.
pub(super) type Pattern = Vec<Word>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Text(&'static str),
    House(HouseName),
    /// For the rule of 45.
    Union(Vec<HouseName>),
    Number(i32),
    /// A set of rows or of columns, counted from 0. The text counts from 1.
    Numbers(u32),
    Digits(u32),
    Cells(Vec<u16>),
    Node(ChainNode),
    /// The type of a unique loop or a grave.
    Type(&'static str),
    /// The cells and digits of a naked or hidden set that is a part of the pattern.
    SetCells(Vec<u16>),
    SetDigits(u32),
    Chain(Vec<Claim>),
}

/// States that one of the cells holds the digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChainNode {
    /// In ascending order.
    pub(super) cells: Vec<u16>,
    /// Counted from 0.
    pub(super) digit: u8,
}

impl ChainNode {
    pub(super) fn at(cell: u16, digit: u8) -> ChainNode {
        let cells = vec![cell];
        ChainNode { cells, digit }
    }
}

/// A statement of a forcing chain: a cell holds a digit, or does not.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub cell: u16,
    /// Counted from 1.
    pub digit: u8,
    pub holds: bool,
    /// The claims that it follows from, by their indices in the chain. The first claim has none.
    pub from: Vec<usize>,
    /// The pattern or chain inside the chain by which it follows. `None` for a link.
    pub by: Option<Inner>,
}

/// A pattern or chain inside a forcing chain. It uses the candidates that the chain leaves.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    pub technique: Technique,
    pub(super) pattern: Pattern,
}

impl Inner {
    /// Returns the parts of the pattern with their names.
    pub fn parts(&self) -> Vec<(&'static str, Part)> {
        parts_of(&self.pattern)
    }
}

impl Word {
    fn text(&self, side: usize, symbol: &impl Fn(u8) -> char) -> String {
        let places = |cells: &[u16], separator: &str| {
            let places = cells.iter().map(|&cell| Place::of(cell.into(), side));
            let places: Vec<String> = places.map(|place| place.to_string()).collect();
            places.join(separator)
        };
        match self {
            Word::Text(text) | Word::Type(text) => (*text).to_string(),
            Word::House(house) => house.to_string(),
            Word::Union(houses) => union_text(houses),
            Word::Number(number) => number.to_string(),
            Word::Numbers(set) => {
                let numbers = bits(*set).map(|index| (index + 1).to_string());
                numbers.collect::<Vec<String>>().join(" ")
            }
            Word::Digits(set) | Word::SetDigits(set) => {
                bits(*set).map(|digit| symbol(digit as u8 + 1)).collect()
            }
            Word::Cells(cells) | Word::SetCells(cells) => places(cells, " "),
            Word::Node(ChainNode { cells, digit }) => {
                format!("{}{}", symbol(digit + 1), places(cells, "+"))
            }
            Word::Chain(claims) => {
                let texts = (0..claims.len()).map(|index| claim_text(claims, index, side, symbol));
                texts.collect::<Vec<String>>().join(" -> ")
            }
        }
    }
}

pub(super) fn text_of(words: &[Word], side: usize, symbol: &impl Fn(u8) -> char) -> String {
    let words = words.iter().map(|word| word.text(side, symbol));
    words.collect::<Vec<String>>().join(" ")
}

/// Formats a claim, its reasons unless they are the claim before alone, and what it follows by.
fn claim_text(claims: &[Claim], index: usize, side: usize, symbol: &impl Fn(u8) -> char) -> String {
    let statement = |claim: &Claim| {
        let relation = if claim.holds { "=" } else { "<>" };
        format!("{}{relation}{}", Place::of(claim.cell.into(), side), symbol(claim.digit))
    };
    let Claim { from, by, .. } = &claims[index];
    let mut text = statement(&claims[index]);
    if index > 0 && from[..] != [index - 1] {
        let reasons = from.iter().map(|&reason| statement(&claims[reason]));
        text += &format!(" ({})", reasons.collect::<Vec<String>>().join(" "));
    }
    if let Some(Inner { technique, pattern }) = by {
        let name = technique.name();
        text += &format!(" {{{}}}", [name, &text_of(pattern, side, symbol)].join(" "));
    }
    text
}

/// Puts `=` for a strong link and `-` for a weak one between the nodes. The first link is strong.
pub(super) fn chain(nodes: impl IntoIterator<Item = ChainNode>) -> Pattern {
    let links = ["-", "="].into_iter().cycle().map(Word::Text);
    let nodes = nodes.into_iter().map(Word::Node);
    links.zip(nodes).flat_map(<[Word; 2]>::from).skip(1).collect()
}

pub(super) fn two_sets(digit: usize, sets: &[CellSet; 2]) -> Pattern {
    let [first, second] = sets.each_ref().map(|set| Word::Cells(set.iter().collect()));
    vec![Word::Digits(1 << digit), first, Word::Text("/"), second]
}

/// Formats a house, adjacent rows or columns, or regions, such as `rows 1-3` or `boxes 2 5`.
fn union_text(houses: &[HouseName]) -> String {
    match houses {
        [HouseName::Row(first), .., HouseName::Row(last)] => format!("rows {first}-{last}"),
        [HouseName::Column(first), .., HouseName::Column(last)] => {
            format!("columns {first}-{last}")
        }
        [HouseName::Box(a), HouseName::Box(b)] => format!("boxes {a} {b}"),
        [HouseName::Region(a), HouseName::Region(b)] => {
            format!("regions {} {}", a.escape_ascii(), b.escape_ascii())
        }
        _ => houses[0].to_string(),
    }
}

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

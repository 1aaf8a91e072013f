//! One step of a human solution, and its text. The modules of the techniques find the patterns.

use std::fmt::Write;

use super::difficulty::Difficulty;
use super::links::ChainNode;

use super::parts::{Part, parts_of};
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

/// One application of one technique: a digit placed, or candidates removed.
///
/// [`Step::text`] formats it as one line: the cell and the digit placed, if any; the technique and
/// its pattern; the candidates removed, if any.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Givens, Paper, Pencil, Rules, Technique};
///
/// let pencil = Pencil::new(&Rules::classic());
/// let mut paper = Paper::default();
/// let mut puzzle = [0u8; 81];
/// puzzle[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
/// let step = pencil.hint(Givens::Digits(&puzzle), &mut paper).unwrap().unwrap();
/// assert_eq!((step.technique, step.placement), (Technique::NakedSingle, Some((8, 9))));
/// assert_eq!(step.text(|digit| char::from(b'0' + digit)), "r1c9=9 naked-single");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The technique applied.
    pub technique: Technique,
    /// The cell filled in and its digit, counted from 1. `None` if the step removes candidates.
    pub placement: Option<(u16, u8)>,
    /// The candidates removed: cells, each with a digit counted from 1.
    ///
    /// Empty for a placement: the candidates that the placed digit removes are not listed.
    pub removals: Vec<(u16, u8)>,
    /// The level of a step that is beyond the techniques of a person ([`Technique::NAMES`]).
    pub level: Option<Difficulty>,
    pub(super) side: usize,
    pub(super) pattern: Pattern,
}

impl Step {
    /// Formats the step as one line. `symbol` converts a digit, counted from 1, to its character.
    ///
    /// ```text
    /// r4c5=7 naked-single
    /// r4c5=7 hidden-single row 4
    /// cage-combination cage at r1c1 17: r1c1-1 r1c2-1
    /// locked-candidates box 2 row 1: r1c8-3
    /// cage-unit-overlap cage at r1c1 17: r1c5-8
    /// innies-outies row 3 innies r3c4 r3c5 11: r3c4-9
    /// innies-outies rows 1-2 innies r2c4 outies r3c6 -3: r2c4-7
    /// naked-pair row 3 r3c1 r3c4 12: r3c5-1 r3c5-2
    /// x-wing 5 rows 2 7 columns 3 8: r4c3-5
    /// finned-x-wing 5 rows 2 7 columns 3 8 fins r2c7: r1c8-5
    /// xy-wing r1c1 r1c5 r4c1: r4c5-3
    /// skyscraper 5r1c2 = 5r1c8 - 5r6c8 = 5r6c3: r4c2-5
    /// alternating-chain 5r1c2+r2c2 = 5r6c2 - 4r6c2 = 4r6c9 - 4r3c9 = 4r3c1: r3c1-5
    /// simple-coloring 5 r1c2 r4c8 / r1c8 r5c2: r4c3-5
    /// als-xz 3 r1c2 r1c3 / r6c2 r7c2: r2c2-5
    /// unique-rectangle 4.5 r1c1 r1c2 r4c1 r4c2 12 type 1: r1c1-1 r1c1-2
    /// forcing-chain 7.1 r1c2=5 -> r1c7<>5 -> r3c7=5 -> r3c2<>5 -> r1c2<>5: r1c2-5
    /// multiple-forcing-chains 8.2 r1c2 | r1c2=5 -> r1c7<>5 | r1c2=6 -> r1c8<>6 -> ...: r1c7-5
    /// ```
    ///
    /// * The number after a cage is the sum of the cage. The number after innies and outies is the
    ///   sum of the innies minus that of the outies, so it is negative if there are outies alone.
    ///   Innies and outies that have a digit are left out, and the number does not include them.
    /// * The pivot of an xy-wing or xyz-wing, which sees both other cells, comes first.
    /// * A chain consists of nodes. A node is a digit and some cells, and is true if one of these
    ///   cells holds the digit. At least one of two nodes with `=` between them is true, at most
    ///   one of two with `-`.
    /// * Of the two sets of cells of simple-coloring, all cells of one hold the digit, and no cell
    ///   of the other does. At most one of the two sets of als-xz holds the digit.
    /// * The number after a technique is its level on the scale of [`Difficulty`]. Each claim of a
    ///   forcing chain follows from the one before, or from those in brackets after it. In braces:
    ///   the pattern or chain by which it follows, if it is more than a link.
    #[must_use]
    pub fn text(&self, symbol: impl Fn(u8) -> char) -> String {
        let mut text = String::new();
        if let Some((cell, digit)) = self.placement {
            text = format!("{}={} ", self.place(cell), symbol(digit));
        }
        text += self.technique.name();
        if let Some(level) = self.level {
            _ = write!(text, " {level}");
        }
        let pattern = self.pattern_text(&symbol);
        if !pattern.is_empty() {
            text += " ";
            text += &pattern;
        }
        for (index, &(cell, digit)) in self.removals.iter().enumerate() {
            let colon = if index == 0 { ":" } else { "" };
            _ = write!(text, "{colon} {}-{}", self.place(cell), symbol(digit));
        }
        text
    }

    /// The part of [`text`](Step::text) between the technique and the candidates removed.
    #[doc(hidden)]
    pub fn pattern_text(&self, symbol: impl Fn(u8) -> char) -> String {
        text_of(&self.pattern, self.side, &symbol)
    }

    /// Returns the parts of the pattern with their names, each by itself.
    #[doc(hidden)]
    pub fn parts(&self) -> Vec<(&'static str, Part)> {
        parts_of(&self.pattern)
    }

    /// Returns a cell of the puzzle as it is shown to people.
    #[doc(hidden)]
    pub fn place(&self, cell: u16) -> Place {
        Place::of(cell.into(), self.side)
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

fn text_of(words: &[Word], side: usize, symbol: &impl Fn(u8) -> char) -> String {
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

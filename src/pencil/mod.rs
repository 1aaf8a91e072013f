//! Human techniques, easiest first, over houses as data: how hard a puzzle is for a person, and the next step. Searches
//! nothing.
//!
//! What is on the paper: for each cell the candidates it may still take. Once a digit is placed, all cells that may not
//! hold it beside that cell lose it: those that share a house or a group, and those of a pair. That is bookkeeping, not a step.
//!
//! A step is one application of one technique: a digit placed, or one pattern with every candidate it removes. Each step
//! is of the easiest technique that does anything at that moment, and the first of these in a fixed order: houses in the
//! order of the rules and then groups, cells in the order of the grid, digits ascending.
//!
//! | technique | what it says | where it is looked for |
//! | --- | --- | --- |
//! | naked-single | a cell has one candidate left | cells |
//! | hidden-single | a digit has one cell left in a house | houses, then digits |
//! | locked-candidates | a house can hold a digit only where it crosses another: it leaves the rest of the other | the house that confines, the one that loses, digits |
//! | naked-pair, -triple, -quad | k cells have k candidates together: these leave the other cells | houses and groups, then cells |
//! | hidden-pair, -triple, -quad | k digits have k cells together: these hold nothing else | houses, then digits |
//! | x-wing, swordfish, jellyfish | k rows can hold a digit only in k columns: it leaves the rest of these; and with columns for rows | digits, rows before columns |
//! | xy-wing | of a cell with x and y, two peers with x and z, y and z: whatever sees both cannot be z | the cell, then its peers |
//!
//! Houses cross where they share two cells or more; a group may lose by a crossing, but confines nothing, since it need
//! not hold every digit. Fish swim in rows and columns only, as is usual. Cells see each other where they share a house or
//! a group, or are a pair whose digits differ.

mod fish;
mod locked;
mod paper;
mod singles;
mod step;
mod subsets;
mod tables;
mod wings;

pub use paper::Paper;
pub use step::Step;

use crate::rules::{House, Pair, Rules};
use crate::solver::Givens;
use step::Pattern;
use tables::Tables;

/// What people solve puzzles with, the easiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Technique {
    NakedSingle,
    HiddenSingle,
    LockedCandidates,
    NakedPair,
    HiddenPair,
    NakedTriple,
    HiddenTriple,
    XWing,
    Swordfish,
    XyWing,
    NakedQuad,
    HiddenQuad,
    Jellyfish,
}

use Technique::{
    HiddenPair, HiddenQuad, HiddenSingle, HiddenTriple, Jellyfish, LockedCandidates, NakedPair,
    NakedQuad, NakedSingle, NakedTriple, Swordfish, XWing, XyWing,
};

impl Technique {
    /// Every technique with its name, the easiest first.
    pub const NAMES: [(&'static str, Technique); 13] = [
        ("naked-single", NakedSingle),
        ("hidden-single", HiddenSingle),
        ("locked-candidates", LockedCandidates),
        ("naked-pair", NakedPair),
        ("hidden-pair", HiddenPair),
        ("naked-triple", NakedTriple),
        ("hidden-triple", HiddenTriple),
        ("x-wing", XWing),
        ("swordfish", Swordfish),
        ("xy-wing", XyWing),
        ("naked-quad", NakedQuad),
        ("hidden-quad", HiddenQuad),
        ("jellyfish", Jellyfish),
    ];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        Technique::NAMES[self as usize].0
    }

    /// Those that remove candidates and place nothing, the easiest first.
    fn eliminations() -> impl Iterator<Item = Technique> {
        Technique::NAMES[2..]
            .iter()
            .map(|&(_, technique)| technique)
    }
}

impl<'a> From<&'a [u8]> for Givens<'a> {
    fn from(digits: &'a [u8]) -> Givens<'a> {
        Givens::Digits(digits)
    }
}

impl<'a> From<&'a [u32]> for Givens<'a> {
    fn from(candidates: &'a [u32]) -> Givens<'a> {
        Givens::Candidates(candidates)
    }
}

/// How the techniques ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End<'a> {
    /// Every cell has its digit.
    Solved(&'a [u8]),
    /// No technique does anything more: the candidates left in each cell, bit d-1 for digit d. Only a search goes on.
    Stuck(&'a [u32]),
    /// A cell without a candidate, or a house without a place for a digit: the puzzle has no solution.
    Contradiction,
}

/// How far the techniques bring a puzzle, and what that takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grading<'a> {
    /// How it ended.
    pub end: End<'a>,
    /// The hardest technique used, if any was; of a contradiction none is told.
    pub hardest: Option<Technique>,
    /// Steps taken to the end; of a contradiction none are told.
    pub steps: u32,
}

impl Grading<'_> {
    /// The name of the hardest technique, `search` where techniques do not suffice, `-` where there was nothing to do or
    /// there is no solution.
    #[must_use]
    pub fn grade(&self) -> &'static str {
        match self.end {
            End::Solved(_) => self.hardest.map_or("-", Technique::name),
            End::Stuck(_) => "search",
            End::Contradiction => "-",
        }
    }
}

/// Solves as people do, by the rules it was made for. Shared between threads; each brings its own [`Paper`].
///
/// ```
/// use sudoku_filter::{Paper, Pencil, Rules, Shape, Variants};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let pencil = Pencil::new(&rules);
/// let mut paper = Paper::default();
///
/// let puzzle = [1u8, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0];
/// let grading = pencil.work(&puzzle[..], &mut paper);
/// assert_eq!((grading.grade(), grading.steps), ("naked-single", 11));
///
/// let hint = pencil.hint(&puzzle[..], &mut paper).unwrap();
/// assert_eq!(hint.text(|digit| char::from(b'0' + digit)), "r1c4=4 naked-single");
/// ```
#[derive(Debug)]
pub struct Pencil {
    tables: Tables,
}

impl Pencil {
    /// For puzzles that obey `rules`.
    #[must_use]
    pub fn new(rules: &Rules) -> Pencil {
        let (houses, groups) = (rules.houses(), rules.groups());
        Pencil::of_parts(rules.side(), houses, groups, rules.pairs())
    }

    /// For puzzles that obey rules told part by part: of the houses, rows come first and columns next.
    #[must_use]
    pub fn of_parts(side: usize, houses: &[House], groups: &[House], pairs: &[Pair]) -> Pencil {
        let tables = Tables::new(side, houses, groups, pairs);
        Pencil { tables }
    }

    /// Takes every step there is, and counts them. As fast as may be: single digits, which lead to the same whatever their order,
    /// are placed by the batch.
    pub fn work<'a, 'p>(&self, givens: impl Into<Givens<'a>>, paper: &'p mut Paper) -> Grading<'p> {
        paper.start(&self.tables, givens.into());
        let (mut hardest, mut steps) = (None, 0);
        loop {
            let blanks = paper.blanks.len();
            hardest = hardest.max(singles::exhaust(&self.tables, paper));
            steps += (blanks - paper.blanks.len()) as u32;
            if paper.is_broken || paper.is_full() {
                break;
            }
            paper.note_changes(&self.tables);
            let Some(pattern) = self.find_elimination(paper) else {
                break;
            };
            hardest = hardest.max(Some(pattern.technique()));
            steps += 1;
            paper.apply_losses();
        }
        paper.grading(hardest, steps)
    }

    /// The same one step after the other, each told.
    pub fn work_telling<'a, 'p>(
        &self,
        givens: impl Into<Givens<'a>>,
        paper: &'p mut Paper,
        tell: &mut dyn FnMut(&Step),
    ) -> Grading<'p> {
        paper.start(&self.tables, givens.into());
        let (mut hardest, mut steps) = (None, 0);
        while let Some(pattern) = self.find_step(paper) {
            tell(&Step::new(&self.tables, pattern, &paper.losses));
            hardest = hardest.max(Some(pattern.technique()));
            steps += 1;
            match pattern.placement() {
                Some((cell, digit)) => paper.fill_in(&self.tables, cell, digit),
                None => paper.apply_losses(),
            }
        }
        paper.grading(hardest, steps)
    }

    /// The next step: none for a full grid, where only a search goes on, or where a contradiction is seen.
    pub fn hint<'a>(&self, givens: impl Into<Givens<'a>>, paper: &mut Paper) -> Option<Step> {
        paper.start(&self.tables, givens.into());
        let pattern = self.find_step(paper)?;
        Some(Step::new(&self.tables, pattern, &paper.losses))
    }

    /// The next step, with the candidates it removes in `paper.losses`.
    fn find_step(&self, paper: &mut Paper) -> Option<Pattern> {
        paper.losses.clear();
        paper.is_broken |= !singles::all_have_places(&self.tables, paper);
        if paper.is_broken || paper.is_full() {
            return None;
        }
        if let Some(single) =
            singles::find_naked(paper).or_else(|| singles::find_hidden(&self.tables, paper))
        {
            return Some(single);
        }
        paper.note_changes(&self.tables);
        self.find_elimination(paper)
    }

    /// The next step when there are no singles.
    fn find_elimination(&self, paper: &mut Paper) -> Option<Pattern> {
        Technique::eliminations().find_map(|technique| self.find(technique, paper))
    }

    fn find(&self, technique: Technique, paper: &mut Paper) -> Option<Pattern> {
        let tables = &self.tables;
        match technique {
            NakedSingle | HiddenSingle => unreachable!("these remove nothing"),
            LockedCandidates => locked::find(tables, paper),
            NakedPair => subsets::find_naked::<2>(tables, paper),
            NakedTriple => subsets::find_naked::<3>(tables, paper),
            NakedQuad => subsets::find_naked::<4>(tables, paper),
            HiddenPair => subsets::find_hidden::<2>(tables, paper),
            HiddenTriple => subsets::find_hidden::<3>(tables, paper),
            HiddenQuad => subsets::find_hidden::<4>(tables, paper),
            XWing => fish::find::<2>(tables, paper),
            Swordfish => fish::find::<3>(tables, paper),
            Jellyfish => fish::find::<4>(tables, paper),
            XyWing => wings::find(tables, paper),
        }
    }
}
